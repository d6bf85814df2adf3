public import Vocabulary

/// How a stream adapts to its device: how heat, battery, latency and stillness affect the rate of processed frames. A
/// part that is nil is switched off.
public struct SchedulingConfiguration: Codable, Sendable, Hashable {
    /// The table of pace and latency by thermal state and battery; nil uses its best row.
    public var budget: SchedulingConfiguration.Budget?

    /// Lower paces after missed deadlines or heat, and the way back; nil never lowers the pace for them.
    public var pace: SchedulingConfiguration.Pace?

    /// Half pace for still scenes; nil treats every scene as active.
    public var activity: SchedulingConfiguration.Activity?

    /// By default every part adapts.
    public init(
        budget: SchedulingConfiguration.Budget? = SchedulingConfiguration.Budget(),
        pace: SchedulingConfiguration.Pace? = SchedulingConfiguration.Pace(),
        activity: SchedulingConfiguration.Activity? = SchedulingConfiguration.Activity()
    ) {
        self.budget = budget
        self.pace = pace
        self.activity = activity
    }

    /// Runs every slot, as replay and measurement need it.
    public static let everySlot = SchedulingConfiguration(budget: nil, pace: nil, activity: nil)

    /// Checks every value and throws the first fault, in the order of declaration.
    public func validate() throws(ConfigurationError) {
        try budget?.validate()
        try pace?.validate()
        try activity?.validate()
    }
}

extension ClosedRange<Duration> {
    /// Any wait: up to a day.
    static let waits: Self = .zero ... .seconds(86_400)
    /// A wait longer than zero.
    static let positiveWaits: Self = .nanoseconds(1) ... .seconds(86_400)
}

extension Duration {
    /// Whole nanoseconds, fractions dropped, of a duration that was checked to be at most a day.
    var checkedNanoseconds: Int64 {
        let (seconds, attoseconds) = components
        return seconds * 1_000_000_000 + attoseconds / 1_000_000_000
    }
}
