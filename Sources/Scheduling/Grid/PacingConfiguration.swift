public import Vocabulary

/// How frames are laid on the time grid of the model.
public struct PacingConfiguration: Codable, Sendable, Hashable {
    /// Rate of the grid: the nominal rate of the camera.
    public var nominalRate: PacingConfiguration.Rate

    /// What happens to frames that come late, early or not at all.
    public var policy: PacingConfiguration.Policy

    /// A camera of 120 frames a second on the grid, unless told otherwise.
    public init(nominalRate: PacingConfiguration.Rate = .hz120, policy: PacingConfiguration.Policy = .grid) {
        self.nominalRate = nominalRate
        self.policy = policy
    }

    /// Checks the values that have a range.
    public func validate() throws(ConfigurationError) {
        _ = try lateNanoseconds()
    }

    /// The threshold of the literal policy in whole nanoseconds, fractions dropped; nil under the grid policy.
    func lateNanoseconds() throws(ConfigurationError) -> Int64? {
        guard case .literal(let lateAfter) = policy else { return nil }
        guard let lateAfter else { return nominalRate.lateAfter }
        let (seconds, attoseconds) = lateAfter.components
        guard seconds == 0, attoseconds >= 1_000_000_000 else {
            throw ConfigurationError(
                "PacingConfiguration.Policy.literal(lateAfter:)", lateAfter,
                mustBe: "a nanosecond or more and below a second")
        }
        return attoseconds / 1_000_000_000
    }
}

extension PacingConfiguration {
    /// How gaps and surplus between frames are treated.
    public enum Policy: Codable, Sendable, Hashable {
        /// Every slot of the grid gets exactly one column: slots without a frame repeat the column before them, frames
        /// beyond one a slot are surplus. The window always spans 16 slots of real time, within a slot.
        case grid

        /// Every frame runs, and one that comes more than `lateAfter` after the frame before it is preceded by one repeat.
        /// Nil means 1.2 slots: 10 ms at 120 Hz, 20 ms at 60 Hz, 40 ms at 30 Hz.
        ///
        /// A camera that slows down meets its limits: at a steady 90 frames a second each frame is repeated, so that 16
        /// columns hold 8 frames and 89 ms; at exactly 100 none is, so that they span 160 ms; a gap of any length up to
        /// the window is filled with one column. Cameras faster than the grid shorten the window.
        case literal(lateAfter: Duration? = nil)
    }
}

extension PacingConfiguration {
    /// Nominal frame rate of a camera, and with it the number of grid slots in a second.
    public enum Rate: Int, Codable, Sendable, Hashable, CaseIterable {
        /// 30 frames a second.
        case hz30 = 30
        /// 60 frames a second.
        case hz60 = 60
        /// 120 frames a second.
        case hz120 = 120

        /// Slots in a second.
        var slotsPerSecond: Int64 { Int64(rawValue) }

        /// Nanoseconds from a slot to the one `count` slots later, rounded down: floor(count * 10^9 / rate), exact for any
        /// count, so multiples do not drift. Saturates where it leaves Int64.
        /// Requires `count >= 0`.
        package func nanoseconds(ofSlots count: Int64) -> Int64 {
            let (seconds, slots) = count.quotientAndRemainder(dividingBy: slotsPerSecond)
            let (whole, overflowed) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
            let (total, overflowedAgain) = whole.addingReportingOverflow(slots * 1_000_000_000 / slotsPerSecond)
            return overflowed || overflowedAgain ? .max : total
        }

        /// 1.2 slots in nanoseconds, a whole number at each of the rates.
        var lateAfter: Int64 { 1_200_000_000 / slotsPerSecond }
    }
}
