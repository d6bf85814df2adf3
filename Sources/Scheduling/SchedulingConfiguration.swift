/// How a stream adapts to its device: what heat, battery, latency and stillness do to the rate at which frames are
/// encoded. A part that is nil is switched off.
public struct SchedulingConfiguration: Sendable, Equatable {
    /// The table of pace and latency budget by thermal state and battery; nil keeps its best row.
    public var budget: FrameBudgetConfiguration?

    /// Stepping down on missed deadlines or heat, and the way back; nil never steps down.
    public var pace: PaceConfiguration?

    /// Half pace in front of still scenes; nil takes every scene for an active one.
    public var activity: ActivityConfiguration?

    /// Stepping from landmarks to pixels as a last resort, where a stream may choose (`Configuration.frontEnd`); nil never
    /// steps because of the device.
    public var frontEnd: FrontEndStepping?

    /// Adaptive in every way, with the defaults of each part.
    public init(
        budget: FrameBudgetConfiguration? = FrameBudgetConfiguration(),
        pace: PaceConfiguration? = PaceConfiguration(),
        activity: ActivityConfiguration? = ActivityConfiguration(),
        frontEnd: FrontEndStepping? = FrontEndStepping()
    ) {
        self.budget = budget
        self.pace = pace
        self.activity = activity
        self.frontEnd = frontEnd
    }

    /// Encodes every slot whatever happens, as replay and measurement need it.
    public static let everySlot = SchedulingConfiguration(budget: nil, pace: nil, activity: nil, frontEnd: nil)

    /// Checks every value. With several faults the first one is thrown, in the order of declaration.
    public func validate() throws(SchedulingConfigurationError) {
        try budget?.validate()
        try pace?.validate()
        try activity?.validate()
        try frontEnd?.validate()
    }
}

/// A value of one of the configurations of scheduling.
public enum SchedulingParameter: String, Sendable, CaseIterable {
    // FrameBudgetConfiguration
    case batteryLow, batteryHalf, seriousLatency, fairLatency, nominalLatency
    // PaceConfiguration
    case missLimit, recoverBelow, stepDownAt, readingLifetime, minimumDwell, probeAfter, probeAfterAtMost, probation
    case reserved
    // ActivityConfiguration
    case idleAfter, idleBelow, wakeAbove
    // UnitSelectionConfiguration
    case unitThreshold, unitWindow, unitMinimumSamples, unitImprovement, unitCooldown, unitProbeAfter
    case unitProbeAfterAtMost, unitProbation, unitSwitchesPerMinute
    // FrontEndStepping
    case frontEndStepsDownFrom, frontEndRecoversAt, frontEndBatteryLow, frontEndBatteryRecovered, frontEndMissLimit
    case frontEndToleratedLatency, frontEndMinimumDwell, frontEndProbeAfter, frontEndProbeAfterAtMost
    case frontEndProbation
    // What a stream adds of its own.
    case slotPeriod, unitCount, sampleCapacity, sampleShare
}

/// Why a configuration of scheduling cannot be used.
public enum SchedulingConfigurationError: Error, Sendable, Equatable {
    case notANumber(SchedulingParameter)
    case numberOutOfRange(SchedulingParameter, Double, allowed: ClosedRange<Double>)
    case countOutOfRange(SchedulingParameter, Int, allowed: ClosedRange<Int>)
    case durationOutOfRange(SchedulingParameter, Duration, allowed: ClosedRange<Duration>)
    /// The first is above the second, or equal to it where two different values are needed.
    case notAscending(SchedulingParameter, SchedulingParameter)
}

extension SchedulingParameter {
    /// Any wait: up to a day.
    static let waits: ClosedRange<Duration> = .zero ... .seconds(86_400)
    /// A wait that cannot be left out.
    static let positiveWaits: ClosedRange<Duration> = .nanoseconds(1) ... .seconds(86_400)

    func check(_ value: Double, in allowed: ClosedRange<Double>) throws(SchedulingConfigurationError) {
        guard !value.isNaN else { throw .notANumber(self) }
        guard allowed.contains(value) else { throw .numberOutOfRange(self, value, allowed: allowed) }
    }

    func check(_ value: Int, in allowed: ClosedRange<Int>) throws(SchedulingConfigurationError) {
        guard allowed.contains(value) else { throw .countOutOfRange(self, value, allowed: allowed) }
    }

    func check(_ value: Duration, in allowed: ClosedRange<Duration>) throws(SchedulingConfigurationError) {
        guard allowed.contains(value) else { throw .durationOutOfRange(self, value, allowed: allowed) }
    }
}

extension Duration {
    /// Whole nanoseconds, fractions dropped, of a duration that was checked to be a day or less.
    var checkedNanoseconds: Int64 {
        let (seconds, attoseconds) = components
        return seconds * 1_000_000_000 + attoseconds / 1_000_000_000
    }
}
