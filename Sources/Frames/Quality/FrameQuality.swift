import Platform
package import Vocabulary

/// The quality of a stream's frames, as the camera gave them.
package struct FrameQuality: Sendable {
    /// Nil measures nothing.
    private var monitor: QualityMonitor?
    private var phase = 0
    private var latestQuality: Int64?
    package private(set) var flags: QualityFlags = []

    /// Nanoseconds. Quality changes over tenths of a second, so one measured frame in four at 120 Hz is enough.
    private static let interval: Int64 = 30_000_000

    package init(_ configuration: QualityConfiguration?) throws(ConfigurationError) {
        monitor = try configuration.map { configuration throws(ConfigurationError) in try QualityMonitor(configuration)
        }
    }

    /// Measures a frame, if one is due.
    package mutating func examine(_ frame: borrowing PixelView, _ orientation: ImageOrientation, at time: Int64) {
        guard monitor != nil, latestQuality.map({ time < $0 || time - $0 >= Self.interval }) ?? true else { return }
        latestQuality = time
        let gradients = GradientEnergies(of: frame, phase: phase)
        phase = (phase + 1) % GradientEnergies.phases
        let height = Self.subjectHeight(of: frame, orientation)
        flags = monitor?.step(LumaMeasures(of: frame), gradients: gradients, subjectHeight: height, at: time) ?? []
    }

    /// Height of the frame's region as a share of the upright frame's height; nil if the region is the whole frame.
    private static func subjectHeight(of frame: borrowing PixelView, _ orientation: ImageOrientation) -> Double? {
        let region = frame.region
        guard region.width < frame.width || region.height < frame.height else { return nil }
        return switch orientation {
        case .up, .upMirrored, .down, .downMirrored: Double(region.height) / Double(frame.height)
        case .left, .leftMirrored, .right, .rightMirrored: Double(region.width) / Double(frame.width)
        }
    }

    /// Forgets all earlier frames, for a stream that starts anew.
    package mutating func reset() {
        monitor?.reset()
        latestQuality = nil
        flags = []
    }
}

/// The time between the steps of a policy, from the times of the steps.
///
/// A time that goes back counts as no time, and the next step is measured from the earlier time. A gap counts as at
/// most a second, after which all averages have settled or were reset.
package struct StepTimer: Sendable {
    private static let longest: Int64 = 1_000_000_000
    private var last: Int64?

    package init() {}

    /// Nanoseconds since the step before, 0...10^9; 0 at the first.
    package mutating func step(at time: Int64) -> Int64 {
        defer { last = time }
        guard let last, time > last else { return 0 }
        let (elapsed, overflow) = time.subtractingReportingOverflow(last)
        return overflow ? Self.longest : min(elapsed, Self.longest)
    }

    package mutating func reset() { last = nil }
}

/// The share of a new value that a first-order low-pass filter adopts after some time: 1 - exp(-t / constant), so that
/// many short steps and few long ones give the same. With a constant of 0 it is 1.
package func adoptedShare(after nanoseconds: Int64, constant: Int64) -> Double {
    guard constant > 0 else { return 1 }
    return -Math.expm1(-Double(nanoseconds) / Double(constant))
}
