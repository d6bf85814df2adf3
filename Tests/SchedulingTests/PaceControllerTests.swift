import Scheduling
import Testing
import Vocabulary

/// Drives a controller with steps at the rate of its own pace.
final class PaceDriver {
    var controller: PaceController
    var now: Int64 = 0
    var changes: [SchedulerState.PaceChange] = []

    init(_ configuration: SchedulingConfiguration.Pace = SchedulingConfiguration.Pace()) throws {
        controller = try PaceController(configuration, slotPeriod: slot120)
    }

    /// One step that takes so many milliseconds, and the time until the next.
    @discardableResult
    func step(_ milliseconds: Double) -> SchedulerState.PaceChange? {
        let deadline = slot120 * Int64(controller.pace.interval)
        now += deadline
        let latency = Int64((milliseconds * 1e6).rounded())
        let change = controller.observe(latency: latency, deadline: deadline, at: now)
        if let change { changes.append(change) }
        return change
    }

    /// Steps until a change of pace, at most for so long. Returns how long it took.
    func run(_ milliseconds: Double, atMost limit: Int64) -> (change: SchedulerState.PaceChange, after: Int64)? {
        let start = now
        while now - start < limit {
            if let change = step(milliseconds) { return (change, now - start) }
        }
        return nil
    }

    @discardableResult
    func read(_ celsius: Double?) -> SchedulerState.PaceChange? {
        let change = controller.observe(celsius: celsius, at: now)
        if let change { changes.append(change) }
        return change
    }

    /// Lowers the pace by steps, each of three misses.
    func force(_ steps: Int = 1) {
        for _ in 0..<3 * steps { step(60) }
    }

    /// Steps of 4 ms for so many seconds, each second with a reading; returns the changes, each with the second of its
    /// reading.
    func sit(at celsius: Double, seconds: Int) -> [(change: SchedulerState.PaceChange, second: Int)] {
        let start = now
        var found: [(change: SchedulerState.PaceChange, second: Int)] = []
        for tick in 0..<seconds {
            if let change = read(celsius) { found.append((change, tick)) }
            while now < start + Int64(tick + 1) * second {
                if let change = step(4) { found.append((change, tick)) }
            }
        }
        return found
    }
}

extension SchedulerState.PaceChange {
    /// Its paces and its reason, as in "full half probe".
    var words: String { "\(from) \(to) \(reason)" }
}

@Suite struct DeadlineMissTests {
    @Test func twoMissesAndAHitChangeNothing() throws {
        let driver = try PaceDriver()
        for _ in 0..<1_000 {
            driver.step(9)
            driver.step(100_000)
            driver.step(8.333_333)
        }
        #expect(driver.changes.isEmpty)
        #expect(driver.controller.pace == .full)
        #expect(driver.controller.latestChange == nil)
    }

    @Test func atALowerPaceTooTwoMissesAndAHitChangeNothing() throws {
        for steps in 1...2 {
            let driver = try PaceDriver()
            driver.force(steps)
            for _ in 0..<1_000 {
                driver.step(100)
                driver.step(100)
                driver.step(16.666_666)
            }
            #expect(driver.changes.count == steps)
        }
    }

    @Test func theThirdMissHalves() throws {
        let driver = try PaceDriver()
        #expect(driver.step(8.333_334) == nil)
        #expect(driver.step(9) == nil)
        let change = driver.step(8.4)
        #expect(change?.from == .full && change?.to == .half)
        #expect(change?.reason == .deadlineMisses)
        #expect(change?.time == .nanoseconds(3 * slot120))
        #expect(driver.controller.pace == .half)
        #expect(driver.controller.latestChange == change)
    }

    /// Every three misses are a step, and a sixth is the last.
    @Test func threeMissesAreAStepAtEveryPace() throws {
        let driver = try PaceDriver()
        var steps: [Int] = []
        for index in 1...20_000 where driver.step(60) != nil { steps.append(index) }
        #expect(steps == [3, 6, 9])
        #expect(
            driver.changes.map(\.words) == [
                "full half deadlineMisses", "half third deadlineMisses", "third sixth deadlineMisses",
            ])
        #expect(driver.changes.allSatisfy { $0.isDown })
    }

    /// A step's time goes down to the pace that has room for it and no further.
    @Test func thePaceStopsWhereTheDeadlineIsHeld() throws {
        for (milliseconds, pace) in [
            (8.333_333, .full), (8.333_334, .half), (16.666_666, .half), (16.666_667, .third), (24.999_999, .third),
            (25, .sixth), (49.999_998, .sixth), (50, .sixth),
        ] as [(Double, SchedulerState.Pace)] {
            let driver = try PaceDriver()
            #expect(driver.run(milliseconds, atMost: second)?.change.isDown ?? false == (pace != .full))
            for _ in 0..<5_000 { driver.step(milliseconds) }
            #expect(driver.controller.pace == pace, "\(milliseconds)")
        }
    }

    @Test func otherLimits() throws {
        for limit in [1, 2, 5, 1000] {
            let driver = try PaceDriver(SchedulingConfiguration.Pace(missLimit: limit))
            for _ in 1..<limit { #expect(driver.step(9) == nil) }
            #expect(driver.step(9)?.to == .half, "\(limit)")
        }
    }

    /// A latency below 0 is neither a hit nor a miss.
    @Test func unsoundLatenciesAreIgnored() throws {
        let driver = try PaceDriver()
        driver.step(9)
        driver.step(9)
        #expect(driver.controller.observe(latency: -1, deadline: slot120, at: driver.now) == nil)
        #expect(driver.controller.observe(latency: .min, deadline: slot120, at: driver.now) == nil)
        #expect(driver.controller.observe(latency: .max, deadline: slot120, at: driver.now)?.to == .half)
    }

    @Test func anotherUnitStartsWithoutMisses() throws {
        let driver = try PaceDriver()
        driver.step(9)
        driver.step(9)
        driver.controller.forgetLatencies()
        #expect(driver.step(9) == nil)
        #expect(driver.step(9) == nil)
        #expect(driver.step(9)?.to == .half)
    }
}

@Suite struct TemperatureTests {
    /// A device that has been cool, and was halved by heat.
    private func hot() throws -> PaceDriver {
        let driver = try PaceDriver()
        driver.read(30)
        #expect(driver.read(42)?.reason == .temperatureHigh)
        return driver
    }

    @Test func at42TheFullPaceEndsBeforeItIsForced() throws {
        let driver = try PaceDriver()
        #expect(driver.read(37.9) == nil)
        #expect(driver.read(41.999) == nil)
        driver.now = 5 * second
        let change = driver.read(42)
        #expect(change?.from == .full && change?.to == .half)
        #expect(change?.reason == .temperatureHigh && change?.time == .seconds(5))
        #expect(driver.read(60) == nil)
    }

    /// A device that stays hot is lowered once in each probation, down to a sixth.
    @Test func heatThatLastsLowersThePaceFurther() throws {
        let driver = try hot()
        let found = driver.sit(at: 42, seconds: 300)
        #expect(found.map(\.change.words) == ["half third temperatureHigh", "third sixth temperatureHigh"])
        try #require(found.count == 2)
        #expect(found[0].second == 60 && (60...61).contains(found[1].second - found[0].second))
    }

    @Test func heatLowersThePaceAgainAfterExactlyItsProbation() throws {
        let driver = try hot()
        driver.now = 60 * second - 1
        #expect(driver.read(42) == nil)
        driver.now = 60 * second
        #expect(driver.read(42)?.words == "half third temperatureHigh")
    }

    /// The probation counts from a step down of either cause.
    @Test func missesSpareTheHeatAStep() throws {
        let driver = try PaceDriver()
        driver.read(30)
        driver.force()
        let found = driver.sit(at: 45, seconds: 100)
        #expect(found.map(\.change.words) == ["half third temperatureHigh"])
        #expect(found.map(\.second) == [60])
    }

    /// Each step up takes the shortest dwell, and needs the lower temperature.
    @Test func below38ThePaceComesBackStepByStep() throws {
        let driver = try hot()
        _ = driver.sit(at: 43, seconds: 125)
        #expect(driver.controller.pace == .sixth)
        #expect(driver.sit(at: 38, seconds: 100).isEmpty)
        let third = driver.sit(at: 37.9, seconds: 1)
        #expect(third.map(\.change.words) == ["sixth third temperatureRecovered"])
        #expect(driver.sit(at: 39, seconds: 100).isEmpty)
        let rest = driver.sit(at: 37, seconds: 100)
        #expect(
            rest.map(\.change.words) == ["third half temperatureRecovered", "half full temperatureRecovered"])
        // Ten seconds later, by the step that ends the tenth.
        #expect(rest.map(\.second) == [0, 9])
    }

    /// Heat that follows a step up lowers the pace at once, as it does at full pace.
    @Test func heatAfterAStepUpWaitsForNothing() throws {
        let driver = try hot()
        _ = driver.sit(at: 42, seconds: 61)
        #expect(driver.controller.pace == .third)
        #expect(driver.sit(at: 37, seconds: 12).map(\.change.words) == ["third half temperatureRecovered"])
        #expect(driver.read(42)?.words == "half third temperatureHigh")
        // It is no failure: temperature leads back.
        #expect(driver.sit(at: 37, seconds: 12).map(\.change.words) == ["third half temperatureRecovered"])
    }

    /// At a lower pace, too, heat that undoes a probe is a failure.
    @Test func heatAfterAProbeIsAFailureAtEveryPace() throws {
        let driver = try PaceDriver()
        driver.read(30)
        driver.force(2)
        #expect(driver.sit(at: 30, seconds: 16).map(\.change.words) == ["third half probe"])
        #expect(driver.read(42)?.words == "half third temperatureHigh")
        let back = driver.sit(at: 37, seconds: 40)
        #expect(back.map(\.change.words) == ["third half probe"] && [29, 30].contains(back.first?.second))
    }

    @Test func below38TheFullPaceComesBack() throws {
        let driver = try hot()
        #expect(driver.run(4, atMost: 20 * second) == nil)
        #expect(driver.read(38) == nil)
        let change = driver.read(37.999)
        #expect(change?.from == .half && change?.to == .full && change?.reason == .temperatureRecovered)
    }

    @Test func notBeforeTheShortestDwell() throws {
        let driver = try hot()
        driver.read(37)
        let back = try #require(driver.run(4, atMost: 60 * second))
        #expect(back.change.reason == .temperatureRecovered)
        #expect((10 * second..<10 * second + 2 * slot120).contains(back.after))
    }

    @Test func notWithinTheDwellOfAMiss() throws {
        let driver = try hot()
        _ = driver.run(4, atMost: 20 * second)
        driver.step(17)
        #expect(driver.read(37) == nil)
        let back = try #require(driver.run(4, atMost: 60 * second))
        #expect((10 * second..<10 * second + 2 * slot120).contains(back.after))
    }

    @Test func theDeadBandHoldsEitherState() throws {
        var random = SplitMix64(seed: 8)
        let full = try PaceDriver()
        full.read(30)
        let half = try hot()
        for _ in 0..<3_600 {
            let celsius = Double.random(in: 38..<42, using: &random)
            full.read(celsius)
            half.read(celsius)
            for _ in 0..<60 {
                full.step(4)
                half.step(4)
            }
        }
        #expect(full.changes.isEmpty)
        #expect(half.changes.count == 1)
    }

    @Test func brokenReadingsAreIgnored() throws {
        let broken: [Double?] = [nil, .nan, -274, -273.15, -50.001, 150.001, 1e9, .infinity, -.infinity]
        for reading in broken {
            // At full pace none is heat.
            let full = try PaceDriver()
            full.read(30)
            #expect(full.read(reading) == nil, "\(String(describing: reading))")
            // At half pace none is recovery.
            let half = try hot()
            for _ in 0..<100 {
                half.read(40)
                _ = half.run(4, atMost: second)
                #expect(half.read(reading) == nil, "\(String(describing: reading))")
            }
            #expect(half.changes.count == 1)
            // None shows that the sensor reaches down.
            let idle = try PaceDriver()
            idle.read(reading)
            #expect(idle.read(45) == nil, "\(String(describing: reading))")
        }
        let extremes = try PaceDriver()
        extremes.read(-50)
        #expect(extremes.read(150)?.to == .half)
    }

    /// A processor's die that never idles below 38 neither holds the pace down nor takes it down.
    @Test func aSensorThatNeverReachesDownDoesNotCount() throws {
        let driver = try PaceDriver()
        for celsius in [38, 45, 60, 95] { #expect(driver.read(Double(celsius)) == nil) }
        driver.force()
        var back: SchedulerState.PaceChange?
        let start = driver.now
        while back == nil, driver.now - start < 60 * second {
            driver.read(50)
            back = driver.run(4, atMost: second)?.change
        }
        #expect(back?.reason == .probe)
        #expect((15 * second..<15 * second + second / 10).contains(driver.now - start))
    }

    @Test func fallingBelowForTheFirstTimeBringsThePaceBack() throws {
        let driver = try PaceDriver()
        driver.read(45)
        driver.force()
        _ = driver.run(4, atMost: 11 * second)
        driver.read(44)
        #expect(driver.read(37.9)?.reason == .temperatureRecovered)
    }

    /// Misses at 30 degrees are not caused by heat, so the temperature does not show when they end.
    @Test func whereHeatWasNotTheCauseTimeDecides() throws {
        let driver = try PaceDriver()
        driver.read(30)
        driver.force()
        var waited: Int64 = 0
        while driver.changes.count == 1, waited < 60 * second {
            driver.read(30)
            _ = driver.run(4, atMost: second / 2)
            waited = driver.now - 3 * slot120
        }
        #expect(driver.changes.last?.reason == .probe)
        #expect((15 * second..<15 * second + 2 * slot120).contains(waited))
    }

    @Test func aSilentSensorCountsAsNone() throws {
        let driver = try hot()
        driver.read(40)
        let back = try #require(driver.run(4, atMost: 120 * second))
        #expect(back.change.reason == .probe)
        #expect((30 * second...30 * second + 3 * slot120).contains(back.after))
    }

    @Test func withoutThresholdsTemperatureIsIgnored() throws {
        let driver = try PaceDriver(SchedulingConfiguration.Pace(temperature: nil))
        driver.read(20)
        #expect(driver.read(100) == nil)
        driver.force()
        driver.read(100)
        #expect(driver.run(4, atMost: 20 * second)?.change.reason == .probe)
    }

    @Test func otherThresholds() throws {
        let driver = try PaceDriver(SchedulingConfiguration.Pace(temperature: SchedulingConfiguration.dieTemperature))
        driver.read(60)
        #expect(driver.read(89.9) == nil)
        #expect(driver.read(90)?.reason == .temperatureHigh)
        _ = driver.run(4, atMost: 11 * second)
        #expect(driver.read(80) == nil)
        #expect(driver.read(79.9)?.reason == .temperatureRecovered)
    }

    /// If misses undo a return by temperature, temperature is not a sufficient signal: probes take over.
    @Test func afterAFailedReturnOnlyProbesLeadBack() throws {
        let driver = try hot()
        driver.read(37)
        #expect(driver.run(4, atMost: 20 * second)?.change.reason == .temperatureRecovered)
        driver.force()
        let start = driver.now
        driver.read(39)
        while driver.changes.count == 3, driver.now - start < 90 * second {
            driver.read(37)
            _ = driver.run(4, atMost: second / 2)
        }
        #expect(driver.changes.last?.reason == .probe)
        #expect((30 * second..<31 * second).contains(driver.now - start))
    }

    /// Another step down by heat soon after is a thermostat's normal behaviour and not a failure.
    @Test func heatAfterAReturnIsNoFailure() throws {
        let driver = try hot()
        for _ in 0..<10 {
            driver.read(37)
            #expect(driver.run(4, atMost: 11 * second)?.change.reason == .temperatureRecovered)
            _ = driver.run(4, atMost: second)
            #expect(driver.read(42)?.reason == .temperatureHigh)
        }
    }
}
