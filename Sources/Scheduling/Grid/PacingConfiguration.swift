package import Vocabulary

/// How frames are assigned to the model's time grid.
public struct PacingConfiguration: Codable, Sendable, Hashable {
    /// Rate of the grid, which is the camera's nominal rate.
    package var nominalRate: PacingConfiguration.Rate

    /// What happens to frames that come late, early or not at all.
    package var policy: PacingConfiguration.Policy

    /// By default the grid of a camera with 120 frames per second.
    package init(nominalRate: PacingConfiguration.Rate = .hz120, policy: PacingConfiguration.Policy = .grid) {
        self.nominalRate = nominalRate
        self.policy = policy
    }

    /// Checks the values that have a range.
    package func validate() throws(ConfigurationError) {
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
    /// How gaps and surplus frames are treated.
    public enum Policy: Codable, Sendable, Hashable {
        /// Every slot of the grid gets exactly one column. A slot without a frame repeats the column before it; a
        /// second frame for a slot is surplus. The window always spans 16 slots of real time, within a slot.
        case grid

        /// Every frame runs. A frame more than `lateAfter` after the one before it is preceded by one repeat. Nil means
        /// 1.2 slots: 10 ms at 120 Hz, 20 ms at 60 Hz, 40 ms at 30 Hz.
        ///
        /// The policy fails for a camera that slows down. At a steady 90 frames per second every frame is repeated, so
        /// 16 columns hold 8 frames and 89 ms; at exactly 100 no frame is repeated, so they span 160 ms. A gap of any
        /// length up to the window is filled with one column. Cameras faster than the grid shorten the window.
        case literal(lateAfter: Duration? = nil)
    }
}

extension PacingConfiguration {
    /// Nominal frame rate of a camera, which is the number of grid slots per second.
    public enum Rate: Int, Codable, Sendable, Hashable, CaseIterable {
        /// 30 frames per second.
        case hz30 = 30
        /// 60 frames per second.
        case hz60 = 60
        /// 120 frames per second.
        case hz120 = 120

        /// Slots in a second.
        var slotsPerSecond: Int64 { Int64(rawValue) }

        /// Nanoseconds from a slot to the one `count` slots later, rounded down: floor(count * 10^9 / rate). Exact for
        /// any count, so multiples do not drift; saturates at the end of Int64. Requires `count >= 0`.
        package func nanoseconds(ofSlots count: Int64) -> Int64 {
            let (seconds, slots) = count.quotientAndRemainder(dividingBy: slotsPerSecond)
            let (whole, overflowed) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
            let (total, overflowedAgain) = whole.addingReportingOverflow(slots * 1_000_000_000 / slotsPerSecond)
            return overflowed || overflowedAgain ? .max : total
        }

        /// 1.2 slots in nanoseconds, a whole number for each rate.
        var lateAfter: Int64 { 1_200_000_000 / slotsPerSecond }
    }
}
