public import Vocabulary

extension SchedulingConfiguration {
    /// When the pace is lowered by a step, and when it is raised by one; see `SchedulerState.Pace`. The defaults are the
    /// source's, where it has any.
    public struct Pace: Codable, Sendable, Hashable {
        /// Consecutive missed deadlines that lower the pace by a step, 1...1000.
        public var missLimit: Int

        /// The thresholds of the device's sensor; nil ignores temperature.
        public var temperature: SchedulingConfiguration.TemperatureThresholds?

        /// How long a reading is valid without a new one, at most a day.
        public var readingLifetime: Duration

        /// Shortest time at a pace, and after a missed deadline, before the next faster one is tried; at most a day.
        public var minimumDwell: Duration

        /// Time without a missed deadline after which the next faster pace is tried, where temperature does not decide;
        /// at most a day.
        public var probeAfter: Duration

        /// Upper limit of that time after failed tries; from `probeAfter` to a day.
        public var probeAfterAtMost: Duration

        /// A try fails if the faster pace lasts less than this. For as long after a step down, heat does not lower the
        /// pace further. At most a day.
        public var probation: Duration

        /// The part of the time between two slots that run that camera and display take. A faster pace is tried only
        /// if latency would leave it free. Below the slot's period; at most a second.
        public var reserved: Duration

        /// Takes any values; `validate()` reports those that cannot be used.
        public init(
            missLimit: Int = 3,
            temperature: SchedulingConfiguration.TemperatureThresholds? = .skin,
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

        /// Slot periods that can be paced.
        public static let slotPeriods: ClosedRange<Duration> = .microseconds(100) ... .seconds(10)

        /// Checks every value for which the slot's period is not needed. Throws the first fault, in the order of
        /// declaration.
        public func validate() throws(ConfigurationError) {
            try ConfigurationError.check(missLimit, "SchedulingConfiguration.Pace.missLimit", in: 1...1000)
            try temperature?.validate()
            try ConfigurationError.check(readingLifetime, "SchedulingConfiguration.Pace.readingLifetime", in: .waits)
            try ConfigurationError.check(minimumDwell, "SchedulingConfiguration.Pace.minimumDwell", in: .waits)
            try ConfigurationError.check(probeAfter, "SchedulingConfiguration.Pace.probeAfter", in: .positiveWaits)
            try ConfigurationError.check(
                probeAfterAtMost, "SchedulingConfiguration.Pace.probeAfterAtMost", in: .positiveWaits)
            guard probeAfter <= probeAfterAtMost else {
                throw ConfigurationError(
                    "SchedulingConfiguration.Pace.probeAfter", probeAfter, above: "probeAfterAtMost", probeAfterAtMost)
            }
            try ConfigurationError.check(probation, "SchedulingConfiguration.Pace.probation", in: .positiveWaits)
            try ConfigurationError.check(reserved, "SchedulingConfiguration.Pace.reserved", in: .zero ... .seconds(1))
        }
    }
}

extension SchedulingConfiguration {
    /// Two temperatures in degrees Celsius; between them temperature does not change the pace.
    public struct TemperatureThresholds: Codable, Sendable, Hashable {
        /// The pace is raised below this, -50...150.
        public var recoverBelow: Double

        /// The pace is lowered from this on; above `recoverBelow`, at most 150.
        public var stepDownAt: Double

        /// Takes any values; `SchedulingConfiguration.Pace.validate()` reports those that cannot be used.
        public init(recoverBelow: Double, stepDownAt: Double) {
            self.recoverBelow = recoverBelow
            self.stepDownAt = stepDownAt
        }

        /// For a sensor at the shell or battery of a hand-held device: 38 and 42, from the source.
        public static let skin = SchedulingConfiguration.TemperatureThresholds(recoverBelow: 38, stepDownAt: 42)

        /// For a sensor on a processor's die, which makers allow to reach 95...105 before the hardware slows down.
        public static let die = SchedulingConfiguration.TemperatureThresholds(recoverBelow: 80, stepDownAt: 90)

        /// The range of a working device's sensor. Other values are faults: broken sensors report -274 and the like.
        package static let plausible: ClosedRange<Double> = -50...150

        func validate() throws(ConfigurationError) {
            try ConfigurationError.check(
                recoverBelow, "SchedulingConfiguration.TemperatureThresholds.recoverBelow", in: Self.plausible)
            try ConfigurationError.check(
                stepDownAt, "SchedulingConfiguration.TemperatureThresholds.stepDownAt", in: Self.plausible)
            guard recoverBelow < stepDownAt else {
                throw ConfigurationError(
                    "SchedulingConfiguration.TemperatureThresholds.recoverBelow", recoverBelow,
                    mustBe: "below stepDownAt, which is \(stepDownAt)")
            }
        }
    }
}
