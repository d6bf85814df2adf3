public import Vocabulary

/// How a stream adapts to its device: how heat, battery, latency and stillness affect the rate of processed frames.
public struct SchedulingConfiguration: Codable, Sendable, Hashable {
    /// The table of pace and latency by thermal state and battery; nil uses its best row.
    package var budget: SchedulingConfiguration.Budget?

    /// Lower paces after missed deadlines or heat, and the way back; nil never lowers the pace for them.
    package var pace: SchedulingConfiguration.Pace?

    /// Half pace for still scenes; nil treats every scene as active.
    package var activity: SchedulingConfiguration.Activity?

    /// Chooses the parts that adapt.
    /// - Parameters:
    ///   - followsDevice: whether the thermal state and the battery lower the pace.
    ///   - followsDeadlines: whether missed deadlines and the temperature lower it.
    ///   - followsStillness: whether a still scene halves it.
    ///   - temperature: degrees Celsius, for `followsDeadlines`: the pace is raised below the range and lowered at its
    ///     end. Nil ignores the temperature.
    public init(
        followsDevice: Bool = true, followsDeadlines: Bool = true, followsStillness: Bool = true,
        temperature: ClosedRange<Double>? = Self.skinTemperature
    ) {
        self.init(
            budget: followsDevice ? Budget() : nil,
            pace: followsDeadlines ? Pace(temperature: temperature) : nil,
            activity: followsStillness ? Activity() : nil)
    }

    /// Chooses every value of every part.
    @_disfavoredOverload
    package init(
        budget: SchedulingConfiguration.Budget? = SchedulingConfiguration.Budget(),
        pace: SchedulingConfiguration.Pace? = SchedulingConfiguration.Pace(),
        activity: SchedulingConfiguration.Activity? = SchedulingConfiguration.Activity()
    ) {
        self.budget = budget
        self.pace = pace
        self.activity = activity
    }

    /// For a sensor at the shell or battery of a hand-held device: 38...42, from the source.
    public static let skinTemperature = 38.0...42

    /// For a sensor on a processor's die, which makers allow to reach 95...105 before the hardware slows down: 80...90.
    public static let dieTemperature = 80.0...90

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
    package static let waits: Self = .zero ... .seconds(86_400)
    /// A wait longer than zero.
    package static let positiveWaits: Self = .nanoseconds(1) ... .seconds(86_400)
}

extension Duration {
    /// Whole nanoseconds, fractions dropped, of a duration that was checked to be at most a day.
    package var checkedNanoseconds: Int64 {
        let (seconds, attoseconds) = components
        return seconds * 1_000_000_000 + attoseconds / 1_000_000_000
    }
}
