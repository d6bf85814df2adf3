/// The presses of a recording beside its labelled pinches.
package struct PressMatch: Sendable, Equatable {
    package struct Found: Sendable, Equatable {
        /// In seconds.
        package let press: ClosedRange<Double>
        package let isInTime: Bool
    }

    /// In the order of the labels.
    package let found: [Found]
    package let madeUp: Int

    /// A press belongs to a pinch if it begins within this time before it or during it, in seconds.
    private static let reach = 0.3
    /// Frames are labelled, so a time between two frames may be missed by rounding.
    private static let tolerance = 0.1 + 0.001

    package init(_ samples: [PointerSample], _ pinches: [ClosedRange<Double>]) {
        var presses = Self.presses(samples)
        var found: [Found] = []
        for pinch in pinches {
            let begins = pinch.lowerBound - Self.reach...pinch.upperBound
            guard let place = presses.firstIndex(where: { begins.contains($0.lowerBound) }) else { continue }
            let press = presses.remove(at: place)
            let isInTime =
                abs(press.lowerBound - pinch.lowerBound) <= Self.tolerance
                && abs(press.upperBound - pinch.upperBound) <= Self.tolerance
            found.append(Found(press: press, isInTime: isInTime))
        }
        (self.found, madeUp) = (found, presses.count)
    }

    /// From the first pressed frame to the next that is not, or to the last frame.
    package static func presses(_ samples: [PointerSample]) -> [ClosedRange<Double>] {
        var presses: [ClosedRange<Double>] = []
        var begin: Double?
        for sample in samples {
            if sample.isPressed {
                begin = begin ?? sample.time
            } else if let start = begin {
                presses.append(start...sample.time)
                begin = nil
            }
        }
        if let begin, let last = samples.last { presses.append(begin...last.time) }
        return presses
    }
}
