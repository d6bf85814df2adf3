public import Vocabulary

extension SchedulingConfiguration {
    /// When pixels replace landmarks to spare the device, and when landmarks come back.
    ///
    /// Pixels cost a small part of landmarks but recognise people they never saw far worse, so this is the last resort.
    /// With the defaults, heat or battery replace landmarks only when the pace is already slowest, and missed deadlines
    /// only when it is already halved.
    public struct FrontEndStepping: Codable, Sendable, Hashable {
        /// The thermal state from which pixels are used, fair or hotter.
        public var stepsDownFrom: DeviceReading.ThermalState

        /// The thermal state at or below which landmarks come back; cooler than `stepsDownFrom`.
        public var recoversAt: DeviceReading.ThermalState

        /// Charge below which pixels are used, 0...1.
        public var batteryLow: Double

        /// Charge from which landmarks come back, `batteryLow`...1.
        public var batteryRecovered: Double

        /// After this many consecutive steps that are too slow for landmarks, pixels are used, 1...1000. Steps count
        /// once missed deadlines or temperature have halved the pace, or at any pace if `SchedulingConfiguration.pace`
        /// is nil.
        public var missLimit: Int

        /// A step is too slow for landmarks if it takes longer than both its deadline and this, up to 10 s. The default
        /// is the time from one landmark column to the next.
        public var toleratedLatency: Duration

        /// Shortest time with pixels after heat, battery or deadlines; at most a day.
        public var minimumDwell: Duration

        /// Time without missed deadlines after which landmarks are tried again when deadlines replaced them; at most a
        /// day.
        public var probeAfter: Duration

        /// Upper limit of that time after failed tries; from `probeAfter` to a day.
        public var probeAfterAtMost: Duration

        /// A try fails if landmarks last less than this; at most a day.
        public var probation: Duration

        /// Takes any values; `validate()` reports those that cannot be used.
        public init(
            stepsDownFrom: DeviceReading.ThermalState = .critical,
            recoversAt: DeviceReading.ThermalState = .fair,
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

        /// Checks every value and throws the first fault, in the order of declaration.
        public func validate() throws(ConfigurationError) {
            guard recoversAt < stepsDownFrom else {
                throw ConfigurationError(
                    "SchedulingConfiguration.FrontEndStepping.recoversAt", recoversAt,
                    mustBe: "cooler than stepsDownFrom, which is \(stepsDownFrom)")
            }
            try ConfigurationError.check(batteryLow, "SchedulingConfiguration.FrontEndStepping.batteryLow", in: 0...1)
            try ConfigurationError.check(
                batteryRecovered, "SchedulingConfiguration.FrontEndStepping.batteryRecovered", in: 0...1)
            guard batteryLow <= batteryRecovered else {

                throw ConfigurationError(
                    "SchedulingConfiguration.FrontEndStepping.batteryLow", batteryLow, above: "batteryRecovered",
                    batteryRecovered)

            }
            try ConfigurationError.check(missLimit, "SchedulingConfiguration.FrontEndStepping.missLimit", in: 1...1000)
            try ConfigurationError.check(
                toleratedLatency, "SchedulingConfiguration.FrontEndStepping.toleratedLatency",
                in: .zero ... .seconds(10))
            try ConfigurationError.check(
                minimumDwell, "SchedulingConfiguration.FrontEndStepping.minimumDwell", in: .waits)
            try ConfigurationError.check(
                probeAfter, "SchedulingConfiguration.FrontEndStepping.probeAfter", in: .positiveWaits)
            try ConfigurationError.check(
                probeAfterAtMost, "SchedulingConfiguration.FrontEndStepping.probeAfterAtMost", in: .positiveWaits)
            guard probeAfter <= probeAfterAtMost else {

                throw ConfigurationError(
                    "SchedulingConfiguration.FrontEndStepping.probeAfter", probeAfter, above: "probeAfterAtMost",
                    probeAfterAtMost)

            }
            try ConfigurationError.check(
                probation, "SchedulingConfiguration.FrontEndStepping.probation", in: .positiveWaits)
        }
    }
}
