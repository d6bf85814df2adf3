package import Vocabulary

extension SchedulerState {
    /// What the device can afford for a frame: how often one is processed, how long its result may take, and how much
    /// the app should draw.
    ///
    /// | | pace | latency | detail |
    /// |---|---|---|---|
    /// | critical heat | sixth | 45 ms | 0 |
    /// | serious heat | third | 45 ms | 0 |
    /// | fair | half | 30 ms | 1 |
    /// | nominal, battery below 5% | sixth | 25 ms | 2 |
    /// | nominal, battery below 20% | third | 25 ms | 2 |
    /// | nominal, battery below 50% | half | 25 ms | 2 |
    /// | nominal otherwise | full | 25 ms | 2 |
    ///
    /// In an idle scene the pace is half where this table says full. Latency and detail do not depend on idleness.
    public struct Budget: Sendable, Equatable {
        /// Which slots run, as far as missed deadlines do not slow it further.
        public let pace: SchedulerState.Pace

        /// How long a result may take after its frame.
        public let latency: Duration

        /// How much the user interface should draw: 0 the least that serves, 1 no decoration, 2 everything.
        public let interfaceDetail: Int

        /// What decided the pace; heat takes precedence over the battery.
        package let reason: Reason

        /// What holds `pace` below full; nil at full pace.
        public var limit: SchedulerState.SkipReason? {
            switch reason {
            case .nominal: nil
            case .warm, .hot: .heat
            case .batteryHalf, .batteryLow: .battery
            case .idle: .idle
            }
        }

        /// What decides a budget.
        package enum Reason: Sendable, Equatable, CaseIterable {
            /// The pace is full.
            case nominal
            /// The thermal state is fair.
            case warm
            /// The thermal state is serious or critical.
            case hot
            /// The battery is below the highest threshold.
            case batteryHalf
            /// The battery is below one of the two lower thresholds.
            case batteryLow
            /// Nothing moves.
            case idle
        }

        /// The budget of a device, a pure function defined for every argument: a battery outside 0...1 counts as none,
        /// and none counts as full.
        package init(
            thermal: DeviceReading.ThermalState, battery: Double?, activity: SchedulerState.Activity = .active,
            configuration: SchedulingConfiguration.Budget = SchedulingConfiguration.Budget()
        ) {
            let charge = DeviceReading(battery: battery).charge
            let row: (pace: SchedulerState.Pace, reason: Reason)
            switch configuration.effective(thermal) {
            case .critical:
                row = (.sixth, .hot)
                latency = configuration.seriousLatency
                interfaceDetail = 0
            case .serious:
                row = (.third, .hot)
                latency = configuration.seriousLatency
                interfaceDetail = 0
            case .fair:
                row = (.half, .warm)
                latency = configuration.fairLatency
                interfaceDetail = 1
            case .nominal:
                if charge < configuration.batteryEmpty {
                    row = (.sixth, .batteryLow)
                } else if charge < configuration.batteryLow {
                    row = (.third, .batteryLow)
                } else if charge < configuration.batteryHalf {
                    row = (.half, .batteryHalf)
                } else {
                    row = (.full, .nominal)
                }
                latency = configuration.nominalLatency
                interfaceDetail = 2
            }
            (pace, reason) = activity == .idle && row.pace == .full ? (.half, .idle) : row
        }

    }
}

extension SchedulerState {
    /// A change of the budget; `to.reason` is the cause.
    package struct BudgetChange: Sendable, Equatable {
        /// The budget until then.
        package let from: SchedulerState.Budget
        /// The budget from then on.
        package let to: SchedulerState.Budget
        /// When, on the clock that the scheduler was stepped with.
        package let time: Duration
    }
}

extension SchedulingConfiguration {
    /// The thresholds of `SchedulerState.Budget`.
    package struct Budget: Codable, Sendable, Hashable {
        /// The thermal state from which the device is spared. Cooler states count as nominal; from this one on, the
        /// budget is that of fair or of a hotter state.
        package var throttlesFrom: DeviceReading.ThermalState

        /// Charge below which only every sixth slot runs, 0...1.
        package var batteryEmpty: Double

        /// Charge below which only every third slot runs, `batteryEmpty`...1.
        package var batteryLow: Double

        /// Charge below which only every second slot runs, `batteryLow`...1.
        package var batteryHalf: Double

        /// Latency budget in serious or critical heat, 1 ms...10 s.
        package var seriousLatency: Duration

        /// Latency budget in fair heat, 1 ms...10 s.
        package var fairLatency: Duration

        /// Latency budget without heat, 1 ms...10 s.
        package var nominalLatency: Duration

        /// Takes any values; `validate()` reports those that cannot be used.
        package init(
            throttlesFrom: DeviceReading.ThermalState = .fair,
            batteryEmpty: Double = 0.05,
            batteryLow: Double = 0.2,
            batteryHalf: Double = 0.5,
            seriousLatency: Duration = .milliseconds(45),
            fairLatency: Duration = .milliseconds(30),
            nominalLatency: Duration = .milliseconds(25)
        ) {
            self.throttlesFrom = throttlesFrom
            self.batteryEmpty = batteryEmpty
            self.batteryLow = batteryLow
            self.batteryHalf = batteryHalf
            self.seriousLatency = seriousLatency
            self.fairLatency = fairLatency
            self.nominalLatency = nominalLatency
        }

        /// Checks every value and throws the first fault, in the order of declaration.
        package func validate() throws(ConfigurationError) {
            try ConfigurationError.check(batteryEmpty, "SchedulingConfiguration.Budget.batteryEmpty", in: 0...1)
            try ConfigurationError.check(batteryLow, "SchedulingConfiguration.Budget.batteryLow", in: 0...1)
            try ConfigurationError.check(batteryHalf, "SchedulingConfiguration.Budget.batteryHalf", in: 0...1)
            guard batteryEmpty <= batteryLow else {
                throw ConfigurationError(
                    "SchedulingConfiguration.Budget.batteryEmpty", batteryEmpty, above: "batteryLow", batteryLow)
            }
            guard batteryLow <= batteryHalf else {
                throw ConfigurationError(
                    "SchedulingConfiguration.Budget.batteryLow", batteryLow, above: "batteryHalf", batteryHalf)
            }
            let latencies: ClosedRange<Duration> = .milliseconds(1) ... .seconds(10)
            try ConfigurationError.check(seriousLatency, "SchedulingConfiguration.Budget.seriousLatency", in: latencies)
            try ConfigurationError.check(fairLatency, "SchedulingConfiguration.Budget.fairLatency", in: latencies)
            try ConfigurationError.check(nominalLatency, "SchedulingConfiguration.Budget.nominalLatency", in: latencies)
        }

        func effective(_ thermal: DeviceReading.ThermalState) -> DeviceReading.ThermalState {
            thermal < throttlesFrom ? .nominal : max(thermal, .fair)
        }
    }
}
