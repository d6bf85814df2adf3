public import Vocabulary

/// How a stream adapts to its device: what heat, battery, latency and stillness do to the rate at which frames are
/// encoded. A part that is nil is switched off.
public struct SchedulingConfiguration: Codable, Sendable, Hashable {
    /// The table of pace and latency budget by thermal state and battery; nil keeps its best row.
    public var budget: SchedulingConfiguration.Budget?

    /// Stepping down on missed deadlines or heat, and the way back; nil never steps down.
    public var pace: SchedulingConfiguration.Pace?

    /// Half pace in front of still scenes; nil takes every scene for an active one.
    public var activity: SchedulingConfiguration.Activity?

    /// Stepping from landmarks to pixels as a last resort, where a stream may choose (`GestureEngine.Configuration.frontEnd`);
    /// nil never steps because of the device.
    public var frontEnd: SchedulingConfiguration.FrontEndStepping?

    /// Adaptive in every way, with the defaults of each part.
    public init(
        budget: SchedulingConfiguration.Budget? = SchedulingConfiguration.Budget(),
        pace: SchedulingConfiguration.Pace? = SchedulingConfiguration.Pace(),
        activity: SchedulingConfiguration.Activity? = SchedulingConfiguration.Activity(),
        frontEnd: SchedulingConfiguration.FrontEndStepping? = SchedulingConfiguration.FrontEndStepping()
    ) {
        self.budget = budget
        self.pace = pace
        self.activity = activity
        self.frontEnd = frontEnd
    }

    /// Encodes every slot whatever happens, as replay and measurement need it.
    public static let everySlot = SchedulingConfiguration(budget: nil, pace: nil, activity: nil, frontEnd: nil)

    /// Checks every value. With several faults the first one is thrown, in the order of declaration.
    public func validate() throws(ConfigurationError) {
        try budget?.validate()
        try pace?.validate()
        try activity?.validate()
        try frontEnd?.validate()
    }
}

extension ClosedRange<Duration> {
    /// Any wait: up to a day.
    static let waits: Self = .zero ... .seconds(86_400)
    /// A wait that cannot be left out.
    static let positiveWaits: Self = .nanoseconds(1) ... .seconds(86_400)
}

extension Duration {
    /// Whole nanoseconds, fractions dropped, of a duration that was checked to be a day or less.
    var checkedNanoseconds: Int64 {
        let (seconds, attoseconds) = components
        return seconds * 1_000_000_000 + attoseconds / 1_000_000_000
    }
}
