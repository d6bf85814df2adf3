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

    /// Halves the pace by three misses.
    func force() {
        for _ in 0..<3 { step(20) }
    }
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

    @Test func atHalfPaceThereIsNoFurtherDown() throws {
        let driver = try PaceDriver()
        for _ in 0..<20_000 { driver.step(50) }
        #expect(driver.changes.count == 1)
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
        let driver = try PaceDriver(SchedulingConfiguration.Pace(temperature: .die))
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
