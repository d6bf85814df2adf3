/// When the pace is halved, and when it is given back. See `Pace`; the defaults are the source's where it has any.
public struct PaceConfiguration: Sendable, Equatable {
    /// Consecutive missed deadlines that halve the pace, 1...1000.
    public var missLimit: Int

    /// The thresholds of the device's sensor; nil ignores temperature.
    public var temperature: TemperatureThresholds?

    /// How long a reading holds when no other follows, at most a day.
    public var readingLifetime: Duration

    /// Shortest time at half pace, and after a missed deadline, before full pace is tried; at most a day.
    public var minimumDwell: Duration

    /// Time without a missed deadline after which full pace is tried where temperature does not decide; up to a day.
    public var probeAfter: Duration

    /// That time at most, when tries have failed; `probeAfter` up to a day.
    public var probeAfterAtMost: Duration

    /// A try fails when full pace does not hold this long; up to a day.
    public var probation: Duration

    /// The part of a slot's period that camera and display take: latency has to leave it free before full pace is
    /// tried. Below the slot's period; at most a second.
    public var reserved: Duration

    /// Any values; `validate()` tells which of them cannot be used.
    public init(
        missLimit: Int = 3,
        temperature: TemperatureThresholds? = .skin,
        readingLifetime: Duration = .seconds(30),
        minimumDwell: Duration = .seconds(10),
        probeAfter: Duration = .seconds(15),
        probeAfterAtMost: Duration = .seconds(240),
        probation: Duration = .seconds(60),
        reserved: Duration = .milliseconds(2)
    ) {
        self.missLimit = missLimit
        self.temperature = temperature
        self.readingLifetime = readingLifetime
        self.minimumDwell = minimumDwell
        self.probeAfter = probeAfter
        self.probeAfterAtMost = probeAfterAtMost
        self.probation = probation
        self.reserved = reserved
    }

    /// Slot periods for which a stream can be paced.
    public static let slotPeriods: ClosedRange<Duration> = .microseconds(100) ... .seconds(10)

    /// Checks every value that can be checked without the slot's period. With several faults the first one is thrown,
    /// in the order of declaration.
    public func validate() throws(SchedulingConfigurationError) {
        try SchedulingParameter.missLimit.check(missLimit, in: 1...1000)
        try temperature?.validate()
        try SchedulingParameter.readingLifetime.check(readingLifetime, in: SchedulingParameter.waits)
        try SchedulingParameter.minimumDwell.check(minimumDwell, in: SchedulingParameter.waits)
        try SchedulingParameter.probeAfter.check(probeAfter, in: SchedulingParameter.positiveWaits)
        try SchedulingParameter.probeAfterAtMost.check(probeAfterAtMost, in: SchedulingParameter.positiveWaits)
        guard probeAfter <= probeAfterAtMost else { throw .notAscending(.probeAfter, .probeAfterAtMost) }
        try SchedulingParameter.probation.check(probation, in: SchedulingParameter.positiveWaits)
        try SchedulingParameter.reserved.check(reserved, in: .zero ... .seconds(1))
    }
}

/// The two temperatures between which the pace stays what it is, in degrees Celsius.
public struct TemperatureThresholds: Sendable, Equatable {
    /// Below this full pace comes back, -50...150.
    public var recoverBelow: Double

    /// At or above this the pace is halved; above `recoverBelow`, at most 150.
    public var stepDownAt: Double

    /// Any values; `PaceConfiguration.validate()` tells which of them cannot be used.
    public init(recoverBelow: Double, stepDownAt: Double) {
        self.recoverBelow = recoverBelow
        self.stepDownAt = stepDownAt
    }

    /// For a sensor at the shell or the battery of a device that is held: 38 and 42, which are the source's.
    public static let skin = TemperatureThresholds(recoverBelow: 38, stepDownAt: 42)

    /// For a sensor on a processor's die, which makers let run to 95...105 before the hardware itself slows down.
    public static let die = TemperatureThresholds(recoverBelow: 80, stepDownAt: 90)

    /// What a sensor of a working device can show. Others are faults: -274 and the like are codes of broken sensors.
    package static let plausible: ClosedRange<Double> = -50...150

    func validate() throws(SchedulingConfigurationError) {
        try SchedulingParameter.recoverBelow.check(recoverBelow, in: Self.plausible)
        try SchedulingParameter.stepDownAt.check(stepDownAt, in: Self.plausible)
        guard recoverBelow < stepDownAt else { throw .notAscending(.recoverBelow, .stepDownAt) }
    }
}
