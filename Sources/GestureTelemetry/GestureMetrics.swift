#if Telemetry
    public import CoreMetrics
    public import Scheduling
    import Synchronization

    /// Passes a stream's counts and measurements to the app's metrics.
    ///
    /// | name | kind | dimension | value |
    /// |---|---|---|---|
    /// | `gesture.frames.admitted` | counter | | frames that took a slot of the grid |
    /// | `gesture.frames.encoded` | counter | | admitted frames that were scheduled for processing |
    /// | `gesture.frames.skipped` | counter | `reason` | admitted frames left out: `heat`, `pace`, `battery`, `idle` |
    /// | `gesture.frames.surplus` | counter | | frames of a camera that is faster than the grid |
    /// | `gesture.frames.dropped` | counter | `reason` | frames given up: a `FrameCounts.DropReason` or `superseded` |
    /// | `gesture.columns.repeated` | counter | | slots without a frame |
    /// | `gesture.resets` | counter | | gaps after which the stream started anew |
    /// | `gesture.deadline.misses` | counter | | frames that missed their deadline |
    /// | `gesture.pace.changes` | counter | `direction` | changes of the pace by a step, `down` and `up` |
    /// | `gesture.budget.changes` | counter | | changes of the frame budget |
    /// | `gesture.idle.periods` | counter | | times the scene came to rest |
    /// | `gesture.unit.switches` | counter | | times another compute unit took over |
    /// | `gesture.events.begun` | counter | `label` | gestures begun |
    /// | `gesture.events.ended` | counter | `label` | gestures ended |
    /// | `gesture.latency.seconds` | gauge | `stage`, `quantile` | a stage in the session: `0.5`, `0.95`, `0.99`, `1` |
    /// | `gesture.stage.duration` | timer | `stage` | a stage of one frame |
    /// | `gesture.pace.interval` | gauge | | slots from one that runs to the next: 1, 2, 3 or 6 |
    /// | `gesture.interface.detail` | gauge | | how much the app should draw, 0...2 |
    /// | `gesture.device.thermal` | gauge | | 0 nominal, 1 fair, 2 serious, 3 critical |
    /// | `gesture.device.celsius` | gauge | | temperature, if it is known |
    /// | `gesture.device.battery` | gauge | | charge, 0...1, if it is known |
    ///
    /// `stage` is `intake`, `inference`, `recognition` or `frame`. Every metric also has the dimension `stream`. These
    /// names are part of the interface.
    ///
    /// The stream counts in constant memory and does not depend on metrics. The app takes a snapshot from time to time,
    /// such as every ten seconds, and records it here. Record on a thread on which no frame waits, because the cost of
    /// the metrics backend is unknown.
    ///
    /// Invariant: the latest recorded counts are the only state, and a lock guards them. So each count is passed on
    /// exactly once, from whichever threads the app records.
    public final class GestureMetrics: Sendable {
        /// A measured part of a frame's processing.
        public enum Stage: Int, Sendable, CaseIterable {
            /// Admission, scheduling, resizing and measuring the frame.
            case intake
            /// The network.
            case inference
            /// From scores to events.
            case recognition
            /// From the arrival of a frame to its result, waits included.
            case frame
        }

        private let counts: [SessionCount]
        private let counters: [Counter]
        private let latest: Mutex<[Int]>
        private let timers: [Timer]
        /// By stage, then by quantile, in seconds.
        private let latencies: [[Gauge]]
        private let paceInterval: Gauge
        private let interfaceDetail: Gauge
        private let thermal: Gauge
        private let celsius: Gauge
        private let battery: Gauge

        /// - Parameters:
        ///   - stream: the stream's name within the app, which becomes the dimension `stream`. Streams with the same
        ///     name share their counters.
        ///   - labels: labels of the model's classes, for the counts of gestures.
        ///   - factory: makes the metrics.
        public init(stream: String, labels: [String], factory: any MetricsFactory = MetricsSystem.factory) {
            func dimensions(_ others: [(String, String)] = []) -> [(String, String)] { [("stream", stream)] + others }
            func gauge(_ name: String, _ others: [(String, String)] = []) -> Gauge {
                Gauge(label: "gesture." + name, dimensions: dimensions(others), factory: factory)
            }
            counts = SessionCount.all(labels: labels)
            counters = counts.map { count in
                let own = count.dimension.map { [($0.name, $0.value)] } ?? []
                return Counter(label: "gesture." + count.name, dimensions: dimensions(own), factory: factory)
            }
            latest = Mutex([Int](repeating: 0, count: counters.count))
            timers = SessionStatistics.Stage.allCases.map {
                Timer(label: "gesture.stage.duration", dimensions: dimensions([("stage", $0.name)]), factory: factory)
            }
            latencies = SessionStatistics.Stage.allCases.map { stage in
                ["0.5", "0.95", "0.99", "1"].map {
                    gauge("latency.seconds", [("stage", stage.name), ("quantile", $0)])
                }
            }
            paceInterval = gauge("pace.interval")
            interfaceDetail = gauge("interface.detail")
            thermal = gauge("device.thermal")
            celsius = gauge("device.celsius")
            battery = gauge("device.battery")
        }

        /// Records a snapshot: counters grow by the counts since the snapshot before, and the latency gauges are set.
        ///
        /// Record the snapshots of a stream in their order. If a count is smaller than before, as for a new stream with
        /// an old name, it is taken as counted from 0.
        public func record(_ statistics: SessionStatistics) {
            latest.withLock { latest in
                for index in counts.indices {
                    let value = counts[index].value(statistics)
                    let growth = value >= latest[index] ? value - latest[index] : value
                    latest[index] = value
                    if growth > 0 { counters[index].increment(by: growth) }
                }
            }
            for stage in SessionStatistics.Stage.allCases {
                guard let latency = statistics[stage] else { continue }
                let quantiles = [latency.p50, latency.p95, latency.p99, latency.maximum]
                for (gauge, quantile) in zip(latencies[stage.rawValue], quantiles) {
                    gauge.record(quantile / .seconds(1))
                }
            }
        }

        /// Records a stream's decisions and the device's state.
        public func record(_ state: SchedulerState) {
            paceInterval.record(state.pace.interval)
            interfaceDetail.record(state.budget.interfaceDetail)
            thermal.record(state.reading.thermal.rawValue)
            if let reading = state.reading.celsius { celsius.record(reading) }
            if let charge = state.reading.battery { battery.record(charge) }
        }

        /// Records how long a stage took for one frame, for backends that compute their own percentiles. If it is
        /// called for every frame, every frame pays the backend's cost.
        public func record(_ duration: Duration, of stage: Stage) {
            timers[stage.rawValue].recordNanoseconds(duration.wholeNanoseconds)
        }
    }

    extension Duration {
        /// Whole nanoseconds, fractions dropped; saturates at 292 years.
        fileprivate var wholeNanoseconds: Int64 {
            let (seconds, attoseconds) = components
            let (scaled, isTooLong) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
            let (sum, overflows) = scaled.addingReportingOverflow(attoseconds / 1_000_000_000)
            return isTooLong || overflows ? (seconds < 0 ? .min : .max) : sum
        }
    }
#endif
