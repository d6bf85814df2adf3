import PixelFrontEnd
import Scheduling
import Testing
import Vocabulary

/// Steps at 120 Hz, each unit with a latency of its own.
private final class UnitDriver {
    var selector: UnitSelector
    var now: Int64 = 0
    var switches: [SchedulerState.UnitSwitch] = []
    var steps: [Int]

    init(
        _ units: Int = 2,
        _ configuration: UnitSelection = UnitSelection()
    ) throws {
        selector = try UnitSelector(configuration, unitCount: units)
        steps = Array(repeating: 0, count: units)
    }

    @discardableResult
    func step(_ milliseconds: Double) -> SchedulerState.UnitSwitch? {
        steps[selector.current] += 1
        now += slot120
        let switched = selector.observe(latency: Int64((milliseconds * 1e6).rounded()), at: now)
        if let switched { switches.append(switched) }
        return switched
    }

    @discardableResult
    func fail() -> SchedulerState.UnitSwitch? {
        let switched = selector.fail(at: now)
        if let switched { switches.append(switched) }
        return switched
    }

    func run(for duration: Int64, _ latency: (_ unit: Int) -> Double) {
        let end = now + duration
        while now < end { step(latency(selector.current)) }
    }

    /// Most switches in any minute.
    var busiestMinute: Int {
        switches.map { first in
            switches.count { $0.time >= first.time && $0.time < first.time + .seconds(60) }
        }.max() ?? 0
    }
}

@Suite struct UnitSelectorTests {
    @Test func theThirtiethSlowStepSwitches() throws {
        let driver = try UnitDriver()
        for _ in 0..<29 { #expect(driver.step(7.000_001) == nil) }
        let switched = driver.step(7.000_001)
        #expect(switched?.from == 0 && switched?.to == 1 && switched?.reason == .slow)
        #expect(switched?.p95 == .nanoseconds(7_000_001) && switched?.time == .nanoseconds(30 * slot120))
        #expect(driver.selector.current == 1)
    }

    @Test func sevenMillisecondsExactlyAreWellEnough() throws {
        let driver = try UnitDriver()
        driver.run(for: 60 * second) { _ in 7 }
        #expect(driver.switches.isEmpty)
    }

    @Test func oneUnitNeverSwitches() throws {
        let driver = try UnitDriver(1)
        driver.run(for: 60 * second) { _ in 50 }
        #expect(driver.switches.isEmpty && driver.selector.current == 0)
    }

    /// Of the 241 steps that lie in the window 12 may be above the percentile, whose rank is 229.
    @Test func fivePerCentMayBeSlow() throws {
        for (slow, switches) in [(12, false), (13, true)] {
            let driver = try UnitDriver()
            for index in 0..<2_410 where driver.switches.isEmpty { driver.step(index % 241 >= 241 - slow ? 15 : 4) }
            #expect(driver.switches.isEmpty != switches, "\(slow)")
        }
    }

    /// A unit whose percentile is exactly the threshold did well, so a failed try of the preferred one goes back to it.
    @Test func aUnitAtTheThresholdDidWell() throws {
        let driver = try UnitDriver()
        driver.run(for: 10 * second) { $0 == 0 ? 8 : 7 }
        driver.run(for: 20 * second) { $0 == 0 ? 7.5 : 7 }
        #expect(driver.switches.map(\.reason) == [.slow, .probe, .probeFailed])
        #expect(driver.selector.current == 1)
    }

    /// A try that was good for all of its probation has not failed, if the unit is slow again from that step on.
    @Test(arguments: [(1_199, SchedulerState.UnitSwitch.Reason.probeFailed), (1_200, .slow)])
    func aTryEndsWithItsProbation(_ steps: Int, _ reason: SchedulerState.UnitSwitch.Reason) throws {
        let driver = try UnitDriver(
            2, UnitSelection(probation: .nanoseconds(1_200 * slot120)))
        while driver.switches.count < 2 { driver.step(driver.selector.current == 0 ? 15 : 5) }
        // The thirteenth slow step of those in the window shows.
        for index in 1...steps { driver.step(index > steps - 13 ? 15 : 5) }
        #expect(driver.switches.map(\.reason) == [.slow, .probe, reason])
    }

    /// A unit that was good for its probation before it became slow has not failed: its wait does not double.
    @Test func aUnitThatDidWellIsTriedAgainAfterTheFirstWait() throws {
        let driver = try UnitDriver()
        while driver.switches.count < 2 { driver.step(driver.selector.current == 0 ? 15 : 5) }
        driver.run(for: 60 * second) { _ in 1 }
        driver.run(for: 20 * second) { $0 == 0 ? 15 : 5 }
        try #require(driver.switches.map(\.reason) == [.slow, .probe, .slow, .probe, .probeFailed])
        let wait = driver.switches[3].time - driver.switches[2].time
        #expect(wait >= .seconds(15) && wait < .seconds(16))
    }

    /// How well the unit before it did is no merit of the next one, whose wait doubles.
    @Test func aUnitThatNeverDidWellWaitsTwiceAsLong() throws {
        let driver = try UnitDriver()
        driver.run(for: 120 * second) { _ in 1 }
        driver.run(for: 60 * second) { $0 == 0 ? 12 : 20 }
        try #require(driver.switches.count >= 3)
        #expect(driver.switches.prefix(3).map(\.to) == [1, 0, 1])
        let wait = driver.switches[2].time - driver.switches[1].time
        #expect(wait >= .seconds(30) && wait < .seconds(31))
    }

    @Test func switchesOfAMinuteAgoCountNoLonger() throws {
        let driver = try UnitDriver(16)
        for _ in 0..<6 { #expect(driver.fail() != nil) }
        for (time, isAllowed) in [(0, false), (60 * second - 1, false), (60 * second, true)] {
            driver.now = time
            #expect((driver.fail() != nil) == isAllowed, "\(time)")
        }
    }

    /// Steps too rare for thirty in two seconds prove nothing.
    @Test func tooFewSteps() throws {
        let driver = try UnitDriver()
        for _ in 0..<1_000 {
            driver.now += 62 * millisecond
            #expect(driver.step(50) == nil)
        }
        #expect(driver.selector.current == 0)
    }

    /// The source's own figures: a preferred unit under contention at 12 to 15 ms, a fallback at 7.1 ms in the mean,
    /// which is above the threshold too.
    @Test func aSlowFallbackDoesNotFlap() throws {
        var random = SplitMix64(seed: 6)
        let driver = try UnitDriver()
        driver.run(for: 3_600 * second) { unit in
            unit == 0 ? Double.random(in: 12...15, using: &random) : Double.random(in: 6.9...7.3, using: &random)
        }
        #expect(driver.selector.current == 1)
        #expect(driver.switches.count.isMultiple(of: 2) == false)
        // 15 + 30 + ... + 240, then every 300 s: 16 tries in an hour, and the way there and back for each.
        #expect((25...35).contains(driver.switches.count), "\(driver.switches.count)")
        #expect(
            driver.switches.dropFirst().map(\.to) == (1..<driver.switches.count).map { $0.isMultiple(of: 2) ? 1 : 0 })
        #expect(driver.steps[0] <= 30 * 18)
        #expect(driver.busiestMinute <= 6)
    }

    @Test func twoSlowUnitsOfTheSameKind() throws {
        var random = SplitMix64(seed: 7)
        let driver = try UnitDriver()
        driver.run(for: 3_600 * second) { _ in Double.random(in: 8...9, using: &random) }
        #expect((1...35).contains(driver.switches.count), "\(driver.switches.count)")
    }

    /// Where the fallback is the worse of two slow ones the preferred unit serves.
    @Test func aWorseFallbackIsLeft() throws {
        let driver = try UnitDriver()
        driver.run(for: 3_600 * second) { $0 == 0 ? 8 : 20 }
        #expect(driver.selector.current == 0)
        #expect(driver.steps[0] > 50 * driver.steps[1])
        #expect((2...35).contains(driver.switches.count), "\(driver.switches.count)")
    }

    /// A program takes the core for a minute: 12 to 15 ms on the first unit, 5 on the second.
    @Test func contentionOfAMinute() throws {
        var random = SplitMix64(seed: 9)
        let driver = try UnitDriver()
        driver.run(for: 10 * second) { _ in 1 }
        driver.run(for: 60 * second) { $0 == 0 ? Double.random(in: 12...15, using: &random) : 5 }
        #expect(driver.selector.current == 1)
        driver.run(for: 600 * second) { $0 == 0 ? 1 : 5 }
        // Down, tries after 15 and 30 s that fail, and one after 60 s that does not.
        #expect(driver.switches.map(\.to) == [1, 0, 1, 0, 1, 0])
        #expect(driver.switches.map(\.reason) == [.slow, .probe, .probeFailed, .probe, .probeFailed, .probe])
        let times = driver.switches.map(\.time)
        #expect(times[1] - times[0] >= .seconds(15) && times[1] - times[0] < .seconds(16))
        #expect(times[3] - times[2] >= .seconds(30) && times[3] - times[2] < .seconds(31))
        #expect(times[5] - times[4] >= .seconds(60) && times[5] - times[4] < .seconds(61))
        // A failed try ends with the thirtieth step.
        #expect(times[2] - times[1] == .nanoseconds(30 * slot120))
        #expect(driver.selector.current == 0)
    }

    @Test func theCooldownLiesBetweenSwitches() throws {
        let driver = try UnitDriver(3)
        driver.run(for: 30 * second) { [12, 11, 5][$0] }
        #expect(Array(driver.switches.map(\.to).prefix(2)) == [1, 2])
        let between = driver.switches[1].time - driver.switches[0].time
        #expect(between >= .seconds(5) && between < .seconds(5) + .milliseconds(20))
    }

    @Test func aFailedTryReturnsToWhereItCameFrom() throws {
        let driver = try UnitDriver(3)
        driver.run(for: 300 * second) { [12, 11, 5][$0] }
        let failed = driver.switches.filter { $0.reason == .probeFailed }
        #expect(!failed.isEmpty)
        #expect(failed.allSatisfy { $0.from == 0 && $0.to == 2 })
    }

    @Test func aProbeNeedsTheWayBack() throws {
        let configuration = UnitSelection(
            cooldown: .zero, probeAfter: .seconds(1), switchesPerMinute: 2)
        let driver = try UnitDriver(2, configuration)
        driver.run(for: 59 * second) { $0 == 0 ? 12 : 5 }
        // One switch is left: not enough for a try and its end.
        #expect(driver.switches.map(\.to) == [1])
        driver.run(for: 3 * second) { $0 == 0 ? 12 : 5 }
        #expect(driver.switches.map(\.to) == [1, 0, 1])
    }

    /// A unit that computes nothing is left at once, and tried again after waits that double.
    @Test func aFailedUnitIsLeftAtOnce() throws {
        let driver = try UnitDriver()
        driver.step(1)
        let switched = try #require(driver.fail())
        #expect(switched.from == 0 && switched.to == 1 && switched.reason == .failed && switched.p95 == nil)
        #expect(switched.time == .nanoseconds(driver.now) && driver.selector.current == 1)
        for _ in 0..<600 * 120 {
            driver.step(5)
            if driver.selector.current == 0 { driver.fail() }
        }
        #expect(driver.selector.current == 1)
        let tries = driver.switches.filter { $0.reason == .probe }.map(\.time)
        #expect(tries.count >= 3)
        for (earlier, later) in zip(tries, tries.dropFirst()) {
            #expect(later - earlier >= .seconds(30))
        }
        // Steps on the failed unit are those that found it failed.
        #expect(driver.steps[0] == 1)
    }

    @Test func failuresPassTheFailedBy() throws {
        let driver = try UnitDriver(3)
        #expect(driver.fail()?.to == 1)
        #expect(driver.fail()?.to == 2)
        // All have failed, and none is to be tried again yet.
        #expect(driver.fail() == nil)
        #expect(driver.selector.current == 2)
        let one = try UnitDriver(1)
        #expect(one.fail() == nil)
    }

    /// Units that fail whenever they are asked use up the minute, and no more.
    @Test func failuresKeepToTheLimitOfTheMinute() throws {
        let driver = try UnitDriver(
            5, UnitSelection(probeAfter: .milliseconds(1), probeAfterAtMost: .milliseconds(1)))
        for _ in 0..<200 * 120 {
            driver.now += slot120
            driver.fail()
        }
        #expect(driver.busiestMinute == 6)
        #expect(driver.switches.count == 24)
    }

    @Test func unsoundLatenciesAndTimes() throws {
        var random = SplitMix64(seed: 10)
        let driver = try UnitDriver(2)
        for _ in 0..<60 { #expect(driver.selector.observe(latency: -1, at: 0) == nil) }
        for _ in 0..<50_000 {
            let latency = random.anyInt64()
            let before = driver.selector.current
            let switched = driver.selector.observe(latency: latency, at: random.anyInt64())
            #expect((switched == nil) == (before == driver.selector.current))
            if Int.random(in: 0..<100, using: &random) == 0 { driver.selector.restart() }
            if Int.random(in: 0..<100, using: &random) == 0 { _ = driver.selector.fail(at: random.anyInt64()) }
        }
    }

    @Test func aClockSetBackBlocksNothingForEver() throws {
        let driver = try UnitDriver()
        driver.now = 1_000_000 * second
        driver.run(for: second) { _ in 12 }
        #expect(driver.switches.count == 1)
        driver.now = 0
        driver.run(for: 100 * second) { $0 == 0 ? 1 : 5 }
        #expect(driver.selector.current == 0)
    }

    @Test func restartKeepsTheUnit() throws {
        let driver = try UnitDriver()
        driver.run(for: second) { _ in 12 }
        #expect(driver.selector.current == 1)
        driver.selector.restart()
        #expect(driver.selector.current == 1)
        for _ in 0..<29 { #expect(driver.step(12) == nil) }
    }

    /// Whatever the latencies: never more switches in a minute than allowed, and the cooldown but after a failed try.
    @Test func limitsHoldForAnyLatencies() throws {
        for seed in 0..<20 {
            var random = SplitMix64(seed: UInt64(100 + seed))
            let units = Int.random(in: 2...5, using: &random)
            let limit = Int.random(in: 2...8, using: &random)
            let driver = try UnitDriver(
                units, UnitSelection(probeAfter: .seconds(2), switchesPerMinute: limit))
            var base = (0..<units).map { _ in Double.random(in: 1...15, using: &random) }
            for _ in 0..<150 {
                if Bool.random(using: &random) {
                    base[Int.random(in: 0..<units, using: &random)] = Double.random(in: 1...15, using: &random)
                }
                driver.run(for: 3 * second) { base[$0] * Double.random(in: 0.8...1.2, using: &random) }
            }
            #expect(driver.busiestMinute <= limit)
            for (earlier, later) in zip(driver.switches, driver.switches.dropFirst()) {
                #expect(later.from == earlier.to && later.from != later.to)
                #expect(later.reason == .probeFailed || later.time - earlier.time >= .seconds(5))
                let percentile = try #require(later.p95)
                #expect((percentile <= .milliseconds(7)) == (later.reason == .probe))
            }
        }
    }
}
