#if Telemetry
    import CoreMetrics
    import GestureTelemetry
    import MetricsTestKit
    import Scheduling
    import Testing
    import Vocabulary

    @Suite struct GestureMetricsTests {
        private let backend = TestMetrics()

        private func metrics(_ stream: String = "front", labels: [String] = ["wave", "point", "null"]) -> GestureMetrics
        {
            GestureMetrics(stream: stream, labels: labels, factory: backend)
        }

        private func counter(
            _ name: String, _ dimensions: [(String, String)] = [], stream: String = "front"
        ) throws -> Int64 {
            try backend.expectCounter(name, [("stream", stream)] + dimensions).totalValue
        }

        private func gauge(_ name: String, _ dimensions: [(String, String)] = []) throws -> [Double] {
            try backend.expectGauge(name, [("stream", "front")] + dimensions).values
        }

        /// Names and dimensions are an interface: a change breaks dashboards.
        @Test func namesAndDimensionsAreStable() throws {
            let made = metrics(labels: ["wave"])
            func names(_ metrics: [(String, [(String, String)])]) -> [String] {
                metrics.map { label, dimensions in
                    let own = dimensions.filter { $0.0 != "stream" }
                    return ([label] + own.map { "\($0.0)=\($0.1)" }).joined(separator: " ")
                }.sorted()
            }
            #expect(
                names(backend.counters.map { ($0.label, $0.dimensions) }) == [
                    "gesture.budget.changes", "gesture.columns.repeated", "gesture.deadline.misses",
                    "gesture.events.begun label=wave", "gesture.events.ended label=wave", "gesture.frames.admitted",
                    "gesture.frames.dropped reason=backwardTimestamp", "gesture.frames.dropped reason=beyondHorizon",
                    "gesture.frames.dropped reason=equalTimestamp", "gesture.frames.dropped reason=superseded",
                    "gesture.frames.dropped reason=unconfirmedJump", "gesture.frames.encoded",
                    "gesture.frames.skipped reason=battery",
                    "gesture.frames.skipped reason=heat", "gesture.frames.skipped reason=idle",
                    "gesture.frames.skipped reason=pace", "gesture.frames.surplus",
                    "gesture.idle.periods",
                    "gesture.pace.changes direction=down", "gesture.pace.changes direction=up", "gesture.resets",
                    "gesture.unit.switches",
                ])
            let stages = ["frame", "inference", "intake", "recognition"]
            var recorders = [
                "gesture.device.battery", "gesture.device.celsius", "gesture.device.thermal",
                "gesture.interface.detail",
            ]
            for stage in stages {
                for quantile in ["0.5", "0.95", "0.99", "1"] {
                    recorders.append("gesture.latency.seconds stage=\(stage) quantile=\(quantile)")
                }
            }
            recorders.append("gesture.pace.interval")
            #expect(names(backend.recorders.map { ($0.label, $0.dimensions) }) == recorders)
            let timers = stages.map { "gesture.stage.duration stage=\($0)" }
            #expect(names(backend.timers.map { ($0.label, $0.dimensions) }) == timers)
            let streams = backend.counters.flatMap(\.dimensions).filter { $0.0 == "stream" }.map(\.1)
            #expect(streams == [String](repeating: "front", count: 22))
            withExtendedLifetime(made) {}
        }

        /// Drop reasons are spelt as the engine's.
        @Test func everyDropReasonHasItsCounter() throws {
            let made = metrics()
            for reason in FrameCounts.DropReason.allCases {
                #expect(try counter("gesture.frames.dropped", [("reason", String(describing: reason))]) == 0)
            }
            for reason in SchedulerState.SkipReason.allCases {
                #expect(try counter("gesture.frames.skipped", [("reason", String(describing: reason))]) == 0)
            }
            withExtendedLifetime(made) {}
        }

        @Test func countsOfFramesArriveUnderTheirNames() throws {
            let metrics = metrics()
            var session = try Session()
            let slot: Int64 = 8_333_334
            // Two frames, one after a missing slot, one too many.
            session.admit([1, 1 + slot, 1 + 3 * slot, 2 + 3 * slot])
            // Each bad timestamp in a number of its own.
            session.admit([2 + 3 * slot] + [1, 1] + [.max, .max, .max, .max])
            session.admit((1...5).map { $0 * 10 * .second })
            // A gap of half a second, longer than the window.
            session.admit([1 + 3 * slot + .second / 2])
            session.superseded = 6
            metrics.record(session.statistics)

            #expect(try counter("gesture.frames.admitted") == 4)
            #expect(try counter("gesture.columns.repeated") == 1)
            #expect(try counter("gesture.frames.surplus") == 1)
            #expect(try counter("gesture.resets") == 1)
            for (reason, count) in [
                ("equalTimestamp", 1), ("backwardTimestamp", 2), ("beyondHorizon", 4),
                ("unconfirmedJump", 5), ("superseded", 6),
            ] as [(String, Int64)] {
                #expect(try counter("gesture.frames.dropped", [("reason", reason)]) == count, "\(reason)")
            }
        }

        @Test func countsOfSchedulingArriveUnderTheirNames() throws {
            let metrics = metrics()
            var session = try Session()
            session.decide(0..<10)
            _ = session.scheduler.observe(DeviceReading(battery: 0.4), at: 0)
            session.decide(10..<20)
            _ = session.scheduler.observe(DeviceReading(thermal: .critical, battery: 0.4), at: 1)
            session.decide(20..<32)
            _ = session.scheduler.observe(DeviceReading(), at: 2)
            #expect(session.missDeadlines(at: .second).contains { if case .pace = $0 { true } else { false } })
            session.decide(32..<38)
            session.recorder.recordUnitSwitch()
            session.recorder.recordUnitSwitch()
            let counts = session.scheduler.counts
            #expect(counts.skips.battery > 0 && counts.skips.heat > counts.skips.battery && counts.skips.pace > 0)
            metrics.record(session.statistics)

            // Every second of 10 slots, every sixth of 12, every second of 6, all of the other 10.
            #expect(try counter("gesture.frames.encoded") == 10 + 5 + 2 + 3)
            #expect(try counter("gesture.frames.skipped", [("reason", "battery")]) == 5)
            #expect(try counter("gesture.frames.skipped", [("reason", "heat")]) == 10)
            #expect(try counter("gesture.frames.skipped", [("reason", "pace")]) == 3)
            #expect(try counter("gesture.frames.skipped", [("reason", "idle")]) == 0)
            #expect(try counter("gesture.budget.changes") == 3)
            #expect(try counter("gesture.deadline.misses") == 3)
            #expect(try counter("gesture.pace.changes", [("direction", "down")]) == 1)
            #expect(try counter("gesture.pace.changes", [("direction", "up")]) == 0)
            #expect(try counter("gesture.unit.switches") == 2)
        }

        /// Each step of the pace counts: down to a sixth, and up again by probes.
        @Test func stepsOfThePaceAreCounted() throws {
            let metrics = metrics()
            var session = try Session()
            for second in Int64(0)..<4 { _ = session.missDeadlines(at: second * .second) }
            for step in Int64(0)..<400 {
                _ = session.scheduler.observe(stepLatency: 1_000_000, at: (40 + step) * .second / 10)
            }
            metrics.record(session.statistics)
            #expect(try counter("gesture.pace.changes", [("direction", "down")]) == 3)
            #expect(try counter("gesture.pace.changes", [("direction", "up")]) == 2)
        }

        @Test func stillScenesAreCounted() throws {
            let metrics = metrics()
            var session = try Session()
            for tick in Int64(0)..<50 { _ = session.scheduler.observe(activity: 0, at: tick * .second / 10) }
            session.decide(0..<10)
            metrics.record(session.statistics)
            #expect(try counter("gesture.idle.periods") == 1)
            #expect(try counter("gesture.frames.skipped", [("reason", "idle")]) == 5)
        }

        @Test func countersGrowByWhatIsNew() throws {
            let metrics = metrics()
            var session = try Session()
            for (decided, total) in [(10, 10), (10, 10), (25, 25)] as [(Int64, Int64)] {
                session.decide(Int64(session.scheduler.counts.run)..<decided)
                metrics.record(session.statistics)
                #expect(try counter("gesture.frames.encoded") == total)
            }
            // A new stream under the old name counts from 0; what the old one counted stays.
            var next = try Session()
            next.decide(0..<7)
            metrics.record(next.statistics)
            next.decide(7..<9)
            metrics.record(next.statistics)
            #expect(try counter("gesture.frames.encoded") == 34)
            #expect(
                try backend.expectCounter("gesture.frames.encoded", [("stream", "front")]).values == [10, 15, 7, 2])
        }

        @Test func gesturesAreCountedByLabel() throws {
            // A label more than the model has classes, and one fewer.
            for (stream, labels) in [("front", ["wave", "point", "null", "more"]), ("back", ["wave"])] {
                let metrics = metrics(stream, labels: labels)
                var session = try Session(classCount: 3)
                for _ in 0..<4 { session.recorder.recordBegin(classIndex: 0) }
                for _ in 0..<3 { session.recorder.recordEnd(classIndex: 0) }
                session.recorder.recordBegin(classIndex: 1)
                metrics.record(session.statistics)
                #expect(try counter("gesture.events.begun", [("label", "wave")], stream: stream) == 4)
                #expect(try counter("gesture.events.ended", [("label", "wave")], stream: stream) == 3)
            }
            #expect(try counter("gesture.events.begun", [("label", "point")]) == 1)
            #expect(try counter("gesture.events.ended", [("label", "point")]) == 0)
            #expect(try counter("gesture.events.begun", [("label", "more")]) == 0)
        }

        @Test func latenciesOfASessionAreGaugesInSeconds() throws {
            let metrics = metrics()
            var session = try Session()
            for millisecond in Int64(1)...100 {
                session.recorder.record(.inference, nanoseconds: millisecond * 1_000_000)
            }
            metrics.record(session.statistics)
            for (quantile, seconds) in [("0.5", 0.05), ("0.95", 0.095), ("0.99", 0.099), ("1", 0.1)] {
                let values = try gauge("gesture.latency.seconds", [("stage", "inference"), ("quantile", quantile)])
                #expect(values.count == 1)
                #expect(try abs(#require(values.first) - seconds) <= seconds * 0.008, "\(quantile)")
            }
            #expect(try gauge("gesture.latency.seconds", [("stage", "frame"), ("quantile", "0.5")]).isEmpty)
        }

        @Test func theStateOfAStreamIsGauges() throws {
            let metrics = metrics()
            var session = try Session()
            metrics.record(session.scheduler.state)
            _ = session.scheduler.observe(DeviceReading(thermal: .serious, celsius: 43.5, battery: 0.75), at: 0)
            metrics.record(session.scheduler.state)
            _ = session.scheduler.observe(DeviceReading(thermal: .critical), at: 1)
            metrics.record(session.scheduler.state)
            #expect(try gauge("gesture.pace.interval") == [1, 3, 6])
            #expect(try gauge("gesture.interface.detail") == [2, 0, 0])
            #expect(try gauge("gesture.device.thermal") == [0, 2, 3])
            #expect(try gauge("gesture.device.celsius") == [43.5])
            #expect(try gauge("gesture.device.battery") == [0.75])
        }

        @Test func aStageOfOneFrameIsATimer() throws {
            let metrics = metrics()
            let durations: [(Duration, Int64)] = [
                (.microseconds(4_400), 4_400_000), (.zero, 0), (.nanoseconds(-5), -5), (.seconds(Int64.max), .max),
                (.seconds(Int64.min), .min), (Duration(secondsComponent: 0, attosecondsComponent: 1_999_999_999), 1),
            ]
            for (duration, _) in durations { metrics.record(duration, of: .inference) }
            let timer = try backend.expectTimer(
                "gesture.stage.duration", [("stream", "front"), ("stage", "inference")])
            #expect(timer.values == durations.map(\.1))
            let other = try backend.expectTimer("gesture.stage.duration", [("stream", "front"), ("stage", "frame")])
            #expect(other.values.isEmpty)
        }

        @Test func snapshotsFromManyThreadsAreCountedOnce() async throws {
            let metrics = metrics()
            var session = try Session()
            session.decide(0..<1_000)
            let statistics = session.statistics
            await withTaskGroup(of: Void.self) { group in
                for _ in 0..<8 { group.addTask { metrics.record(statistics) } }
            }
            #expect(try counter("gesture.frames.encoded") == 1_000)
        }
    }
#endif
