#if Telemetry
    import GestureTelemetry
    import InMemoryLogging
    import Logging
    import PixelFrontEnd
    import Scheduling
    import Testing
    import Vocabulary

    @Suite struct GestureLogTests {
        /// What a log wrote, each line as `level message key=value ...` with the keys in order.
        private func lines(units: [String] = [], _ write: (GestureLog) throws -> Void) rethrows -> [String] {
            var handler = InMemoryLogHandler()
            handler.logLevel = .trace
            try write(GestureLog(Logger(label: "gesture") { _ in handler }, units: units))
            return handler.entries.map { entry in
                let metadata = entry.metadata.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
                return (["\(entry.level)", "\(entry.message)"] + metadata).joined(separator: " ")
            }
        }

        @Test func eachStepOfThePaceIsNoticed() throws {
            var session = try Session()
            var written: [String] = []
            for second in Int64(2)...5 {
                let changes = session.missDeadlines(at: second * .second)
                written += lines { log in changes.forEach(log.log) }
            }
            // Nothing of 40 ms is missed at a sixth, and there are 30 steps in 15 s.
            for step in Int64(0)...160 {
                let changes = session.scheduler.observe(stepLatency: 1_000_000, at: (100 + step) * .second / 10)
                    .reported
                written += lines { log in changes.forEach(log.log) }
            }
            #expect(
                written == [
                    "notice pace changed from=full reason=deadlineMisses time=2.02 s to=half",
                    "notice pace changed from=half reason=deadlineMisses time=3.02 s to=third",
                    "notice pace changed from=third reason=deadlineMisses time=4.02 s to=sixth",
                    "notice pace changed from=sixth reason=probe time=19.1 s to=third",
                ])
        }

        @Test func budgetsWarnOfHeatAndWhisperOfStillness() throws {
            var session = try Session()
            var written: [String] = []
            for (second, reading) in [
                DeviceReading(thermal: .fair), DeviceReading(thermal: .serious), DeviceReading(battery: 0.1),
                DeviceReading(), DeviceReading(thermal: .critical), DeviceReading(battery: 0.04), DeviceReading(),
            ].enumerated() {
                let changes = session.scheduler.observe(reading, at: Int64(second) * .second).reported
                written += lines { log in changes.forEach(log.log) }
            }
            for tick in Int64(70)..<110 {
                let changes = session.scheduler.observe(activity: 0, at: tick * .second / 10).reported
                written += lines { log in changes.forEach(log.log) }
            }
            let woken = session.scheduler.observe(activity: 50, at: 11 * .second).reported
            written += lines { log in woken.forEach(log.log) }
            #expect(
                written == [
                    "notice frame budget changed detail=1 from=full latency=30.0 ms reason=warm time=0.0 s to=half",
                    "warning frame budget changed detail=0 from=half latency=45.0 ms reason=hot time=1.0 s to=third",
                    "notice frame budget changed detail=2 from=third latency=25.0 ms reason=batteryLow time=2.0 s to=third",
                    "notice frame budget changed detail=2 from=third latency=25.0 ms reason=nominal time=3.0 s to=full",
                    "warning frame budget changed detail=0 from=full latency=45.0 ms reason=hot time=4.0 s to=sixth",
                    "notice frame budget changed detail=2 from=sixth latency=25.0 ms reason=batteryLow time=5.0 s to=sixth",
                    "notice frame budget changed detail=2 from=sixth latency=25.0 ms reason=nominal time=6.0 s to=full",
                    "debug scene activity changed time=10.0 s to=idle",
                    "debug frame budget changed detail=2 from=full latency=25.0 ms reason=idle time=10.0 s to=half",
                    "debug scene activity changed time=11.0 s to=active",
                    "debug frame budget changed detail=2 from=half latency=25.0 ms reason=nominal time=11.0 s to=full",
                ])
        }

        @Test func aSlowUnitIsWarnedOf() throws {
            var failing = try UnitSelector(unitCount: 2)
            let failure = failing.fail(at: 3 * .second)
            let failed = try #require(failure)
            #expect(
                lines(units: ["int8", "float16"]) { $0.log(.unit(failed)) } == [
                    "warning compute unit changed from=int8 reason=failed time=3.0 s to=float16"
                ])
            var selector = try UnitSelector(unitCount: 2)
            var time: Int64 = 0
            var switches: [SchedulerState.UnitSwitch] = []
            while switches.isEmpty, time < 10 * .second {
                if let change = selector.observe(latency: 20_000_000, at: time) { switches.append(change) }
                time += 10_000_000
            }
            let slow = try #require(switches.first)
            let when = slow.time / .seconds(1)
            let p95 = try #require(slow.p95) / .milliseconds(1)
            #expect(p95 > 19.8 && p95 < 20.2)
            #expect(
                lines(units: ["int8", "float16"]) { $0.log(.unit(slow)) } == [
                    "warning compute unit changed from=int8 p95=\(p95) ms reason=slow time=\(when) s to=float16"
                ])
            #expect(
                lines(units: ["int8"]) { $0.log(.unit(slow)) } == [
                    "warning compute unit changed from=int8 p95=\(p95) ms reason=slow time=\(when) s to=1"
                ])
            // The fallback does well, and the preferred unit is tried again.
            while switches.count < 2, time < 10_000 * .second {
                if let change = selector.observe(latency: 1_000_000, at: time) { switches.append(change) }
                time += 10_000_000
            }
            let probe = try #require(switches.last)
            #expect(probe.reason == .probe)
            #expect(lines { $0.log(.unit(probe)) }.first?.hasPrefix("info compute unit changed from=1 ") == true)
        }

        @Test func thermalTransitionsBySeverity() {
            let states = DeviceReading.ThermalState.allCases
            var written: [String] = []
            for (from, to) in [(0, 1), (1, 2), (2, 3), (3, 3), (3, 2), (2, 0), (0, 3), (3, 0)] {
                let previous = DeviceReading(thermal: states[from], celsius: 40)
                let reading = DeviceReading(thermal: states[to], celsius: 41)
                written += lines { $0.log(reading, after: previous) }
            }
            #expect(
                written == [
                    "notice thermal state changed celsius=41.0 from=nominal to=fair",
                    "warning thermal state changed celsius=41.0 from=fair to=serious",
                    "error thermal state changed celsius=41.0 from=serious to=critical",
                    "info thermal state changed celsius=41.0 from=critical to=serious",
                    "info thermal state changed celsius=41.0 from=serious to=nominal",
                    "error thermal state changed celsius=41.0 from=nominal to=critical",
                    "info thermal state changed celsius=41.0 from=critical to=nominal",
                ])
            #expect(
                lines { $0.log(DeviceReading(thermal: .fair), after: DeviceReading()) } == [
                    "notice thermal state changed from=nominal to=fair"
                ])
        }

        @Test func aSensorThatFallsSilentLeavesATrace() {
            let (known, unknown) = (DeviceReading(celsius: 39.5), DeviceReading())
            #expect(
                lines {
                    $0.log(unknown, after: known)
                    $0.log(unknown, after: unknown)
                    $0.log(known, after: unknown)
                    $0.log(DeviceReading(celsius: 50), after: known)
                } == ["debug temperature unknown celsius=39.5", "debug temperature known celsius=39.5"])
        }

        @Test func aLowBatteryIsNoticedOnce() {
            func lows(_ levels: [Double?], warningLevel: Double? = nil) -> [String] {
                lines { log in
                    var log = log
                    if let warningLevel { log.batteryWarningLevel = warningLevel }
                    for (level, next) in zip(levels, levels.dropFirst()) {
                        log.log(DeviceReading(battery: next), after: DeviceReading(battery: level))
                    }
                }
            }
            #expect(lows([0.21, 0.2, 0.19, 0.18, 0.02]) == ["notice battery low level=0.19"])
            #expect(lows([nil, 0.1, nil, 0.3]) == ["notice battery low level=0.1"])
            #expect(lows([0.6, 0.5, 0.49], warningLevel: 0.5) == ["notice battery low level=0.49"])
            #expect(lows([0.3, .nan, 0.3]).isEmpty)
        }

        @Test(arguments: [
            (StreamChange.times(.neverAdvances), "warning times unusable fault=neverAdvances"),
            (.grayFrames(at: .milliseconds(500)), "warning frames without colour time=0.5 s"),
            (.armed(at: .milliseconds(500)), "debug gestures armed time=0.5 s"),
            (.disarmed(at: .seconds(2)), "debug gestures disarmed time=2.0 s"),
        ]) func changesOfAStream(_ change: StreamChange, _ line: String) {
            #expect(lines { $0.log(change) } == [line])
        }

        @Test func aSessionIsOneLine() throws {
            var session = try Session()
            session.admit([1, 1, 2 * .second, .max])
            session.decide(0..<12)
            _ = session.missDeadlines(at: .second)
            session.recorder.recordBegin(classIndex: 1)
            session.superseded = 1
            for _ in 0..<10 { session.recorder.record(.frame, nanoseconds: 0) }
            let statistics = session.statistics
            #expect(
                lines { $0.log(statistics, labels: ["wave", "point"]) } == [
                    """
                    info session deadline.misses=3 events.begun.point=1 frames.admitted=1 frames.dropped.beyondHorizon=1 \
                    frames.dropped.equalTimestamp=1 frames.dropped.superseded=1 frames.dropped.unconfirmedJump=1 \
                    frames.encoded=12 latency.frame.p50=0.0 ms latency.frame.p99=0.0 ms pace.changes.down=1
                    """
                ])
        }

        /// What is below the logger's level costs no line.
        @Test func theLevelOfTheLoggerHolds() throws {
            let handler = InMemoryLogHandler()
            var logger = Logger(label: "gesture") { _ in handler }
            logger.logLevel = .warning
            let log = GestureLog(logger)
            log.log(DeviceReading(thermal: .fair), after: DeviceReading())
            log.log(DeviceReading(thermal: .serious), after: DeviceReading(thermal: .fair))
            #expect(handler.entries.map(\.level) == [.warning])
        }
    }
#endif
