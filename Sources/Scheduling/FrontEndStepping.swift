/// When pixels take the place of landmarks to spare the device, and when landmarks come back.
///
/// Pixels cost a small part of landmarks and recognise people they never saw far worse, so this is the last resort: by
/// the defaults the pace is at its slowest before heat or battery step down, and halved before deadlines do.
public struct FrontEndStepping: Sendable, Equatable {
    /// The thermal state from which on pixels serve, fair or hotter.
    public var stepsDownFrom: ThermalState

    /// The thermal state at which landmarks come back, or below it; cooler than `stepsDownFrom`.
    public var recoversAt: ThermalState

    /// Charge below which pixels serve, 0...1.
    public var batteryLow: Double

    /// Charge from which on landmarks come back, `batteryLow`...1.
    public var batteryRecovered: Double

    /// Consecutive steps too slow for landmarks after which pixels serve, 1...1000. They count once missed deadlines or
    /// temperature have halved the pace, or at any pace if `SchedulingConfiguration.pace` is nil.
    public var missLimit: Int

    /// A step is too slow for landmarks if it takes longer than its deadline and than this, up to 10 s. By default the
    /// time from one of their columns to the next.
    public var toleratedLatency: Duration

    /// Shortest time with pixels, after heat, battery or deadlines; at most a day.
    public var minimumDwell: Duration

    /// Time without a missed deadline after which landmarks are tried again when deadlines made them give way; up to a
    /// day.
    public var probeAfter: Duration

    /// That time at most, when tries have failed; `probeAfter` up to a day.
    public var probeAfterAtMost: Duration

    /// A try fails when landmarks do not hold this long; up to a day.
    public var probation: Duration

    /// Any values; `validate()` tells which of them cannot be used.
    public init(
        stepsDownFrom: ThermalState = .critical,
        recoversAt: ThermalState = .fair,
        batteryLow: Double = 0.05,
        batteryRecovered: Double = 0.1,
        missLimit: Int = 10,
        toleratedLatency: Duration = .nanoseconds(33_333_333),
        minimumDwell: Duration = .seconds(10),
        probeAfter: Duration = .seconds(15),
        probeAfterAtMost: Duration = .seconds(240),
        probation: Duration = .seconds(60)
    ) {
        self.stepsDownFrom = stepsDownFrom
        self.recoversAt = recoversAt
        self.batteryLow = batteryLow
        self.batteryRecovered = batteryRecovered
        self.missLimit = missLimit
        self.toleratedLatency = toleratedLatency
        self.minimumDwell = minimumDwell
        self.probeAfter = probeAfter
        self.probeAfterAtMost = probeAfterAtMost
        self.probation = probation
    }

    /// Checks every value. With several faults the first one is thrown, in the order of declaration.
    public func validate() throws(SchedulingConfigurationError) {
        guard recoversAt < stepsDownFrom else { throw .notAscending(.frontEndRecoversAt, .frontEndStepsDownFrom) }
        try SchedulingParameter.frontEndBatteryLow.check(batteryLow, in: 0...1)
        try SchedulingParameter.frontEndBatteryRecovered.check(batteryRecovered, in: 0...1)
        guard batteryLow <= batteryRecovered else {
            throw .notAscending(.frontEndBatteryLow, .frontEndBatteryRecovered)
        }
        try SchedulingParameter.frontEndMissLimit.check(missLimit, in: 1...1000)
        try SchedulingParameter.frontEndToleratedLatency.check(toleratedLatency, in: .zero ... .seconds(10))
        try SchedulingParameter.frontEndMinimumDwell.check(minimumDwell, in: SchedulingParameter.waits)
        try SchedulingParameter.frontEndProbeAfter.check(probeAfter, in: SchedulingParameter.positiveWaits)
        try SchedulingParameter.frontEndProbeAfterAtMost.check(probeAfterAtMost, in: SchedulingParameter.positiveWaits)
        guard probeAfter <= probeAfterAtMost else {
            throw .notAscending(.frontEndProbeAfter, .frontEndProbeAfterAtMost)
        }
        try SchedulingParameter.frontEndProbation.check(probation, in: SchedulingParameter.positiveWaits)
    }
}
