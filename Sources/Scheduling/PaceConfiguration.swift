package import Vocabulary

extension SchedulingConfiguration {
    /// When the pace is lowered by a step, and when it is raised by one; see `SchedulerState.Pace`. The defaults are the
    /// source's, where it has any.
    package struct Pace: Codable, Sendable, Hashable {
        /// Consecutive missed deadlines that lower the pace by a step, 1...1000.
        package var missLimit: Int

        /// Degrees Celsius of the device's sensor, within `plausible`: the pace is raised below the range and lowered
        /// from its end on. Nil ignores temperature.
        package var temperature: ClosedRange<Double>?

        /// How long a reading is valid without a new one, at most a day.
        package var readingLifetime: Duration

        /// Shortest time at a pace, and after a missed deadline, before the next faster one is tried; at most a day.
        package var minimumDwell: Duration

        /// Time without a missed deadline after which the next faster pace is tried, where temperature does not decide;
        /// at most a day.
        package var probeAfter: Duration

        /// Upper limit of that time after failed tries; from `probeAfter` to a day.
        package var probeAfterAtMost: Duration

        /// A try fails if the faster pace lasts less than this. For as long after a step down, heat does not lower the
        /// pace further. At most a day.
        package var probation: Duration

        /// The part of the time between two slots that run that camera and display take. A faster pace is tried only
        /// if latency would leave it free. Below the slot's period; at most a second.
        package var reserved: Duration

        /// Takes any values; `validate()` reports those that cannot be used.
        package init(
            missLimit: Int = 3,
            temperature: ClosedRange<Double>? = SchedulingConfiguration.skinTemperature,
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
        package static let slotPeriods: ClosedRange<Duration> = .microseconds(100) ... .seconds(10)

        /// Checks every value for which the slot's period is not needed. Throws the first fault, in the order of
        /// declaration.
        package func validate() throws(ConfigurationError) {
            try ConfigurationError.check(missLimit, "SchedulingConfiguration.Pace.missLimit", in: 1...1000)
            if let temperature { try Self.validate(temperature) }
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

        /// The range of a working device's sensor, in degrees Celsius. Other values are faults: broken sensors report
        /// -274 and the like.
        package static let plausible: ClosedRange<Double> = -50...150

        private static func validate(_ temperature: ClosedRange<Double>) throws(ConfigurationError) {
            let path = "SchedulingConfiguration.temperature"
            try ConfigurationError.check(temperature.lowerBound, path, in: plausible)
            try ConfigurationError.check(temperature.upperBound, path, in: plausible)
            guard temperature.lowerBound < temperature.upperBound else {
                throw ConfigurationError(
                    path, "\(temperature.lowerBound)...\(temperature.upperBound)",
                    mustBe: "of two different temperatures")
            }
        }
    }
}
