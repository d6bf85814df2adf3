import Scheduling
import Testing
import Vocabulary

/// Changes as `to reason`, with their time in seconds.
private func text(_ changes: [SchedulerState.FrontEndChange]) -> [String] {
    changes.map { "\($0.time / .seconds(1)) \($0.to) \($0.reason)" }
}

/// A scheduler that chooses the front end, driven by frames of 30 Hz whose steps take the given time.
private struct Driver {
    var scheduler: Scheduler
    var now: Int64 = 0
    var changes: [SchedulerState.FrontEndChange] = []
    var paces: [SchedulerState.PaceChange] = []
    private var slot: Int64 = 0

    init(_ configuration: SchedulingConfiguration = SchedulingConfiguration()) throws {
        scheduler = try Scheduler(configuration, slotPeriod: second / 30, source: nil)
    }

    mutating func take(_ made: SchedulerState.Changes) {
        if let change = made.frontEnd { changes.append(change) }
        if let change = made.pace { paces.append(change) }
    }

    mutating func read(_ thermal: DeviceReading.ThermalState = .nominal, battery: Double? = nil) {
        take(scheduler.observe(DeviceReading(thermal: thermal, battery: battery), at: now))
    }

    /// Frames for so many seconds; a step takes `landmarks` or `pixels` milliseconds.
    mutating func run(_ seconds: Double, isColor: Bool = true, landmarks: Int64 = 3, pixels: Int64 = 1) {
        for _ in 0..<Int((seconds * 30).rounded()) {
            take(scheduler.observe(hasColor: isColor, at: now))
            if scheduler.decide(slot: slot) == .run {
                let cost = scheduler.source == .landmarks ? landmarks : pixels
                take(scheduler.observe(stepLatency: cost * 1_000_000, at: now))
            }
            slot += 1
            now = slot * second / 30
        }
    }
}

@Suite struct FrontEndControllerTests {
    @Test func defaultsAreTheDocumentedOnes() throws {
        let stepping = SchedulingConfiguration.FrontEndStepping()
        #expect(stepping.stepsDownFrom == .critical && stepping.recoversAt == .fair)
        #expect(stepping.batteryLow == 0.05 && stepping.batteryRecovered == 0.1)
        #expect(stepping.missLimit == 10 && stepping.toleratedLatency == .nanoseconds(33_333_333))
        #expect(stepping.minimumDwell == .seconds(10) && stepping.probeAfter == .seconds(15))
        #expect(stepping.probeAfterAtMost == .seconds(240) && stepping.probation == .seconds(60))
        try stepping.validate()
        #expect(SchedulingConfiguration().frontEnd == stepping)
        #expect(SchedulingConfiguration.everySlot.frontEnd == nil)
    }

    @Test func valuesAreChecked() {
        func fault(_ change: (inout SchedulingConfiguration.FrontEndStepping) -> Void) -> ConfigurationError? {
            var stepping = SchedulingConfiguration.FrontEndStepping()
            change(&stepping)
            do throws(ConfigurationError) {
                _ = try Scheduler(SchedulingConfiguration(frontEnd: stepping), slotPeriod: second / 30, source: nil)
                return nil
            } catch {
                return error
            }
        }
        let path = "SchedulingConfiguration.FrontEndStepping."
        func out<Value: Comparable>(_ name: String, _ value: Value, _ allowed: ClosedRange<Value>) -> ConfigurationError
        {
            ConfigurationError(path + name, value, allowed: allowed)
        }
        let waits: ClosedRange<Duration> = .nanoseconds(1) ... .seconds(86_400)
        #expect(fault { _ in } == nil)
        #expect(
            fault { $0.recoversAt = .critical }
                == ConfigurationError(
                    path + "recoversAt", DeviceReading.ThermalState.critical,
                    mustBe: "cooler than stepsDownFrom, which is critical"))
        #expect(
            fault { $0.batteryLow = 0.2 }
                == ConfigurationError(path + "batteryLow", 0.2, above: "batteryRecovered", 0.1))
        #expect(fault { $0.batteryLow = -0.1 } == out("batteryLow", -0.1, 0...1))
        #expect(fault { $0.batteryRecovered = .nan } == out("batteryRecovered", Double.nan, 0...1))
        #expect(fault { $0.missLimit = 0 } == out("missLimit", 0, 1...1000))
        #expect(
            fault { $0.toleratedLatency = .seconds(11) }
                == out("toleratedLatency", Duration.seconds(11), .zero ... .seconds(10)))
        #expect(
            fault { $0.minimumDwell = .seconds(-1) }
                == out("minimumDwell", Duration.seconds(-1), .zero ... .seconds(86_400)))
        #expect(
            fault { $0.probeAfter = .zero } == out("probeAfter", Duration.zero, waits))
        #expect(
            fault { $0.probeAfterAtMost = .seconds(90_000) } == out("probeAfterAtMost", Duration.seconds(90_000), waits)
        )
        #expect(
            fault { $0.probeAfterAtMost = .seconds(1) }
                == ConfigurationError(
                    path + "probeAfter", SchedulingConfiguration.FrontEndStepping().probeAfter,
                    above: "probeAfterAtMost", .seconds(1))
        )
        #expect(fault { $0.probation = .zero } == out("probation", Duration.zero, waits))
    }

    /// Critical heat steps down, serious does not end it, fair does, never within ten seconds.
    @Test func heat() throws {
        var driver = try Driver()
        driver.run(1)
        driver.read(.serious)
        driver.run(1)
        driver.read(.critical)
        #expect(driver.scheduler.state.frontEnd == .pixels)
        #expect(driver.scheduler.state.latestFrontEndChange?.reason == .heat)
        driver.run(20)
        driver.read(.serious)
        driver.run(5)
        driver.read(.fair)
        driver.run(1)
        driver.read(.critical)
        driver.run(1)
        driver.read(.nominal)
        driver.run(20)
        #expect(
            text(driver.changes) == [
                "2.0 pixels heat", "27.0 landmarks recovered", "28.0 pixels heat", "38.0 landmarks recovered",
            ])
        #expect(driver.scheduler.counts.stepsToPixels == 2 && driver.scheduler.counts.stepsToLandmarks == 2)
    }

    @Test func battery() throws {
        var driver = try Driver()
        for (charge, expected) in [
            (0.05, FrontEnd.landmarks), (0.049, .pixels), (0.09, .pixels), (0.1, .landmarks), (0.06, .landmarks),
            (0.01, .pixels), (-1, .landmarks), (.nan, .landmarks),
        ] as [(Double, FrontEnd)] {
            driver.read(battery: charge)
            driver.run(11)
            #expect(driver.scheduler.source == expected, "\(charge)")
        }
        driver.read(battery: 0)
        driver.run(11)
        driver.read(battery: nil)
        #expect(driver.scheduler.source == .landmarks)
        #expect(driver.changes.map(\.reason) == [.battery, .recovered, .battery, .recovered, .battery, .recovered])
    }

    /// Three misses halve the pace, ten more at half pace step down; the way back is a probe, and each failure doubles the wait.
    @Test func deadlines() throws {
        var driver = try Driver()
        driver.run(1)
        driver.run(3, landmarks: 80)
        #expect(driver.paces.map(\.reason) == [.deadlineMisses])
        // Slots 30, 31 and 32 halve the pace; of the others every second runs.
        #expect(text(driver.changes) == ["\(Double(52 * second / 30) / 1e9) pixels deadlineMisses"])
        driver.run(60, landmarks: 80)
        let times = driver.changes.map { $0.time / .seconds(1) }
        #expect(driver.changes.map(\.reason) == [.deadlineMisses, .probe, .deadlineMisses, .probe, .deadlineMisses])
        let waits = zip(times.dropFirst(), times).map { $0 - $1 }
        #expect(waits.count == 4)
        if waits.count == 4 { #expect(abs(waits[0] - 15) < 0.2 && abs(waits[2] - 30) < 0.2, "\(waits)") }
        driver.run(200)
        #expect(driver.changes.last?.reason == .probe && driver.scheduler.source == .landmarks)
    }

    /// What a step may take: at half pace of 30 Hz 67 ms, at half pace of 120 Hz a column's 33 ms.
    @Test(arguments: [(30, 66, false), (30, 68, true), (120, 33, false), (120, 34, true)] as [(Int64, Int64, Bool)])
    func toleratedLatency(rate: Int64, milliseconds: Int64, steps: Bool) throws {
        var scheduler = try Scheduler(slotPeriod: second / rate, source: nil)
        for step in 0..<100 {
            _ = scheduler.observe(stepLatency: milliseconds * 1_000_000, at: Int64(step) * second / 30)
        }
        #expect((scheduler.source == .pixels) == steps)
        #expect(scheduler.state.controlledPace == .half)
    }

    /// A replaced frame counts as a miss for the pace only, because it does not show how long landmarks take.
    @Test func framesThatGiveWay() throws {
        var driver = try Driver()
        for _ in 0..<100 {
            driver.take(driver.scheduler.observeSuperseded(at: driver.now))
            driver.run(0.1)
        }
        #expect(driver.changes.isEmpty)
        #expect(driver.scheduler.counts.deadlineMisses == 100)
    }

    /// Gray pictures at once, colour after half a second of nothing else; a stream that mixes them keeps pixels.
    @Test func pictures() throws {
        var driver = try Driver(.everySlot)
        driver.run(1, isColor: false)
        for _ in 0..<10 {
            driver.run(0.4)
            driver.run(0.1, isColor: false)
        }
        driver.run(2)
        #expect(text(driver.changes).first == "0.0 pixels grayPictures")
        #expect(driver.changes.map(\.reason) == [.grayPictures, .colorPictures])
        // The last gray frame came a thirtieth before 6 s.
        let back = driver.changes[1].time / .seconds(1)
        #expect(abs(back - (6 - 1.0 / 30 + 0.5)) < 0.04, "\(back)")
    }

    /// Only landmarks that a probe brought back can fail a probe.
    @Test func gettingColourBackIsNoProbe() throws {
        var driver = try Driver()
        driver.run(1, isColor: false)
        driver.run(2)
        driver.run(40, landmarks: 80)
        let times = driver.changes.map { $0.time / .seconds(1) }
        #expect(
            driver.changes.map(\.reason) == [
                .grayPictures, .colorPictures, .deadlineMisses, .probe, .deadlineMisses,
            ])
        if times.count == 5 { #expect(abs(times[3] - times[2] - 15) < 0.2, "\(times)") }
    }

    /// With heat besides, colour alone does not bring landmarks back.
    @Test func allCausesMustEnd() throws {
        var driver = try Driver()
        driver.run(1, isColor: false)
        driver.read(.critical)
        driver.run(20)
        #expect(driver.changes.map(\.reason) == [.grayPictures])
        driver.read(.nominal)
        #expect(driver.changes.map(\.reason) == [.grayPictures, .recovered])
    }

    @Test func switchedOffOnlyPicturesCount() throws {
        var driver = try Driver(SchedulingConfiguration(frontEnd: nil))
        driver.read(.critical, battery: 0.01)
        driver.run(10, landmarks: 500)
        #expect(driver.changes.isEmpty && driver.scheduler.source == .landmarks)
        driver.run(0.1, isColor: false)
        #expect(driver.changes.map(\.reason) == [.grayPictures])
    }

    /// With only one front end nothing is chosen.
    @Test(arguments: FrontEnd.allCases)
    func aSourceThatIsGivenStays(source: FrontEnd) throws {
        var scheduler = try Scheduler(slotPeriod: second / 30, source: source)
        #expect(scheduler.observe(hasColor: source == .pixels, at: 0).isEmpty)
        #expect(scheduler.observe(DeviceReading(thermal: .critical, battery: 0), at: 1).frontEnd == nil)
        for step in 0..<100 { _ = scheduler.observe(stepLatency: second, at: Int64(step)) }
        #expect(scheduler.source == source && scheduler.state.frontEnd == source)
        #expect(scheduler.state.latestFrontEndChange == nil)
    }

    /// A change begins the columns anew, so the next slot runs, whatever the pace.
    @Test func theNextSlotRuns() throws {
        var scheduler = try Scheduler(slotPeriod: second / 30, source: nil)
        #expect(scheduler.decide(slot: 0) == .run)
        _ = scheduler.observe(DeviceReading(thermal: .critical), at: 0)
        #expect(scheduler.decide(slot: 1) == .run)
        #expect(scheduler.decide(slot: 2) == .skip(.heat))
    }

    /// A stream that starts anew on an earlier clock waits anew, and does not wait for ever.
    @Test func restart() throws {
        var driver = try Driver()
        driver.run(100)
        driver.read(.critical)
        driver.now = 0
        driver.scheduler.restart()
        driver.read(.nominal)
        #expect(driver.scheduler.source == .pixels)
        for index in 0..<310 { driver.take(driver.scheduler.observe(hasColor: true, at: Int64(index) * second / 30)) }
        #expect(driver.changes.last?.time == .seconds(10))
        #expect(driver.scheduler.source == .landmarks)
    }
}
