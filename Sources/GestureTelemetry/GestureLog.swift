#if Telemetry
    public import Logging
    public import Scheduling

    /// Writes a stream's events into the app's log. Messages are constant; their values are in the metadata.
    ///
    /// | message | level | metadata |
    /// |---|---|---|
    /// | `pace changed` | notice | `from`, `to`, `reason`, `time` |
    /// | `frame budget changed` | notice; warning for heat, debug for stillness | the same, `latency`, `detail` |
    /// | `scene activity changed` | debug | `to`, `time` |
    /// | `times unusable` | warning | `fault`: a `TimeFault` |
    /// | `frames without colour` | warning | `time` |
    /// | `gestures armed`, `gestures disarmed` | debug | `time` |
    /// | `compute unit changed` | warning; info for a probe | `from`, `to`, `reason`, `p95`, `time` |
    /// | `thermal state changed` | notice for fair, warning for serious, error for critical; else info | see below |
    /// | `battery low` | notice | `level` |
    /// | `temperature unknown`, `temperature known` | debug | `celsius`: the last known one, the new one |
    /// | `session` | info | counts that are not 0, named as in `GestureMetrics`; latencies |
    ///
    /// A change of the thermal state has the metadata `from`, `to` and `celsius`. Reasons and states are written as
    /// their cases. Latencies are in milliseconds and times in seconds on the stream's clock, both followed by the unit.
    public struct GestureLog: Sendable {
        /// Charge below which the battery is logged as low. A fifth, as in the source.
        public var batteryWarningLevel: Double

        private let logger: Logger
        private let units: [String]

        /// - Parameters:
        ///   - logger: receives the messages. Its metadata may name the stream.
        ///   - units: names of the compute units in the order of preference; a unit without a name is logged by its
        ///     index.
        public init(_ logger: Logger, units: [String] = [], batteryWarningLevel: Double = 0.2) {
            self.logger = logger
            self.units = units
            self.batteryWarningLevel = batteryWarningLevel
        }

        /// Logs a change of how the stream runs.
        public func log(_ change: StreamChange) {
            switch change {
            case .pace(let from, let to, let reason, let time):
                logger.notice(
                    "pace changed",
                    metadata: [
                        "from": .word(from), "to": .word(to), "reason": .word(reason), "time": time.inSeconds,
                    ])
            case .budget(let from, let to, let time): log(from, to, at: time)
            case .idle(let isIdle, let time):
                logger.debug(
                    "scene activity changed",
                    metadata: ["to": .string(isIdle ? "idle" : "active"), "time": time.inSeconds])
            case .unit(let from, let to, let reason, let p95, let time):
                var metadata: Logger.Metadata = [
                    "from": .string(name(ofUnit: from)), "to": .string(name(ofUnit: to)), "reason": .word(reason),
                    "time": time.inSeconds,
                ]
                if let p95 { metadata["p95"] = p95.inMilliseconds }
                logger.log(level: reason == .probe ? .info : .warning, "compute unit changed", metadata: metadata)
            case .times(let fault): logger.warning("times unusable", metadata: ["fault": .word(fault)])
            case .grayFrames(let time): logger.warning("frames without colour", metadata: ["time": time.inSeconds])
            case .armed(let time): logger.debug("gestures armed", metadata: ["time": time.inSeconds])
            case .disarmed(let time): logger.debug("gestures disarmed", metadata: ["time": time.inSeconds])
            }
        }

        private func log(_ from: SchedulerState.Budget, _ to: SchedulerState.Budget, at time: Duration) {
            let level: Logger.Level =
                switch (from.reason, to.reason) {
                case (_, .hot): .warning
                case (_, .idle), (.idle, .nominal): .debug
                default: .notice
                }
            logger.log(
                level: level, "frame budget changed",
                metadata: [
                    "from": .word(from.pace), "to": .word(to.pace), "latency": to.latency.inMilliseconds,
                    "detail": .word(to.interfaceDetail), "reason": .word(to.reason), "time": time.inSeconds,
                ])
        }

        /// Logs how the device's state differs from the reading before; nothing if it does not.
        public func log(_ reading: DeviceReading, after previous: DeviceReading) {
            if reading.thermal != previous.thermal {
                let level: Logger.Level =
                    switch reading.thermal {
                    case ..<previous.thermal: .info
                    case .critical: .error
                    case .serious: .warning
                    default: .notice
                    }
                var metadata: Logger.Metadata = [
                    "from": .word(previous.thermal), "to": .word(reading.thermal),
                ]
                if let celsius = reading.celsius { metadata["celsius"] = .stringConvertible(celsius) }
                logger.log(level: level, "thermal state changed", metadata: metadata)
            }
            switch (previous.celsius, reading.celsius) {
            case (let celsius?, nil):
                logger.debug("temperature unknown", metadata: ["celsius": .stringConvertible(celsius)])
            case (nil, let celsius?):
                logger.debug("temperature known", metadata: ["celsius": .stringConvertible(celsius)])
            default: break
            }
            if let level = reading.battery, level < batteryWarningLevel,
                (previous.battery ?? .infinity) >= batteryWarningLevel
            {
                logger.notice("battery low", metadata: ["level": .stringConvertible(level)])
            }
        }

        /// Logs a whole session in one message, at its end or from time to time.
        ///
        /// - Parameters:
        ///   - statistics: the session's counts and latencies.
        ///   - labels: labels of the model's classes; gestures of classes without a label are left out.
        public func log(_ statistics: SessionStatistics, labels: [String] = []) {
            var metadata: Logger.Metadata = [:]
            for count in SessionCount.all(labels: labels) {
                let value = count.value(statistics)
                guard value != 0 else { continue }
                let suffix = count.dimension.map { "." + $0.value } ?? ""
                metadata[count.name + suffix] = .stringConvertible(value)
            }
            for stage in SessionStatistics.Stage.allCases {
                guard let latency = statistics[stage] else { continue }
                metadata["latency.\(stage.name).p50"] = latency.p50.inMilliseconds
                metadata["latency.\(stage.name).p99"] = latency.p99.inMilliseconds
            }
            logger.info("session", metadata: metadata)
        }

        private func name(ofUnit index: Int) -> String {
            units.indices.contains(index) ? units[index] : "\(index)"
        }
    }

    extension Logger.MetadataValue {
        /// The name of an enumeration's case.
        fileprivate static func word(_ value: some Sendable) -> Logger.MetadataValue {
            .string(String(describing: value))
        }
    }

    extension Duration {
        fileprivate var inSeconds: Logger.MetadataValue { .string("\(self / .seconds(1)) s") }
        fileprivate var inMilliseconds: Logger.MetadataValue { .string("\(self / .milliseconds(1)) ms") }
    }
#endif
