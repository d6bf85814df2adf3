import Scheduling
import Testing
import Vocabulary

/// The way back without a sensor.
@Suite struct PaceProbeTests {
    @Test func fifteenCleanSeconds() throws {
        let driver = try PaceDriver()
        driver.force()
        let back = try #require(driver.run(4, atMost: 60 * second))
        #expect(back.change.from == .half && back.change.to == .full && back.change.reason == .probe)
        #expect((15 * second..<15 * second + 2 * slot120).contains(back.after))
    }

    @Test func aMissStartsTheWaitAnew() throws {
        let driver = try PaceDriver()
        driver.force()
        #expect(driver.run(4, atMost: 14 * second) == nil)
        // 16.666666 ms are the deadline at half pace.
        driver.step(16.666_666)
        #expect(driver.run(4, atMost: 900 * millisecond) == nil)
        driver.step(16.666_667)
        let back = try #require(driver.run(4, atMost: 60 * second))
        #expect((15 * second..<15 * second + 2 * slot120).contains(back.after))
    }

    /// Two milliseconds of a slot belong to camera and display: 6.333333 are left.
    @Test func latencyMustFitIntoAFullPaceSlot() throws {
        let driver = try PaceDriver()
        #expect(driver.controller.headroom == 6_333_333)
        for (latency, returns) in [(6.333_333, true), (6.333_334, false), (8, false), (16, false)] {
            let driver = try PaceDriver()
            driver.force()
            #expect((driver.run(latency, atMost: 600 * second) != nil) == returns, "\(latency)")
        }
    }

    @Test func theRareSlowStepMayBe() throws {
        for (slowOfHundred, returns) in [(5, true), (6, false)] {
            let driver = try PaceDriver()
            driver.force()
            var change: SchedulerState.PaceChange?
            for index in 0..<100 * 60 where change == nil {
                change = driver.step(index % 100 < slowOfHundred ? 12 : 4)
            }
            #expect((change != nil) == returns, "\(slowOfHundred)")
        }
    }

    @Test func theWaitDoublesWithEachFailure() throws {
        let driver = try PaceDriver()
        driver.force()
        for seconds: Int64 in [15, 30, 60, 120, 240, 240, 240] {
            let back = try #require(driver.run(4, atMost: 600 * second))
            #expect(back.change.reason == .probe)
            #expect((seconds * second..<seconds * second + 2 * slot120).contains(back.after), "\(seconds)")
            driver.force()
        }
    }

    @Test func goodBehaviourTakesFailuresBack() throws {
        let driver = try PaceDriver()
        driver.force()
        for _ in 0..<3 {
            _ = try #require(driver.run(4, atMost: 600 * second))
            driver.force()
        }
        // Three failures: 120 s. Held for two probations of 60 s: two are taken back.
        #expect(try #require(driver.run(4, atMost: 600 * second)).after >= 120 * second)
        #expect(driver.run(4, atMost: 121 * second) == nil)
        driver.force()
        let back = try #require(driver.run(4, atMost: 600 * second))
        #expect((30 * second..<30 * second + 2 * slot120).contains(back.after))
        // Held for an hour: all.
        #expect(driver.run(4, atMost: 3_600 * second) == nil)
        driver.force()
        #expect((15 * second..<16 * second).contains(try #require(driver.run(4, atMost: 600 * second)).after))
    }

    @Test func theFirstStepDownIsNoFailure() throws {
        let driver = try PaceDriver()
        driver.step(4)
        driver.force()
        #expect((15 * second..<16 * second).contains(try #require(driver.run(4, atMost: 600 * second)).after))
    }

    /// 10 steps a second, as from a 30 Hz camera at a third of its pace, are still enough to judge by.
    @Test func fewStepsASecond() throws {
        var controller = try PaceController(slotPeriod: 33_333_333)
        for _ in 0..<3 { _ = controller.observe(latency: 40 * millisecond, deadline: 33_333_333, at: 0) }
        #expect(controller.pace == .half)
        var time: Int64 = 0
        var change: SchedulerState.PaceChange?
        while change == nil, time < 60 * second {
            time += 100 * millisecond
            change = controller.observe(latency: 20 * millisecond, deadline: 66_666_666, at: time)
        }
        #expect(change?.reason == .probe && time == 15 * second)
    }

    /// Measurements from before a pause do not count.
    @Test func aPauseDoesNotProve() throws {
        let driver = try PaceDriver()
        driver.force()
        #expect(driver.run(4, atMost: 10 * second) == nil)
        driver.now += 600 * second
        for _ in 0..<29 { #expect(driver.step(4) == nil) }
        #expect(driver.step(4)?.reason == .probe)
    }

    @Test func aClockSetBackStartsTheWaitAnew() throws {
        let driver = try PaceDriver()
        driver.now = 1_000_000 * second
        driver.force()
        #expect(driver.run(4, atMost: 10 * second) == nil)
        driver.now = 0
        let back = try #require(driver.run(4, atMost: 60 * second))
        #expect((15 * second..<15 * second + 5 * slot120).contains(back.after))
    }

    @Test func restartKeepsThePaceAndWaitsAnew() throws {
        let driver = try PaceDriver()
        driver.force()
        #expect(driver.run(4, atMost: 14 * second) == nil)
        driver.controller.restart()
        #expect(driver.controller.pace == .half)
        driver.now = 5_000 * second
        let back = try #require(driver.run(4, atMost: 60 * second))
        #expect((15 * second..<15 * second + 5 * slot120).contains(back.after))
    }

    /// For any input: changes alternate, none is undone within the dwell, and each has the cause that it names.
    @Test func everyChangeHasItsCause() throws {
        for seed in 0..<30 {
            var random = SplitMix64(seed: UInt64(seed))
            let driver = try PaceDriver()
            var latestMiss: Int64 = 0
            var latestDown: Int64 = 0
            var misses = 0
            var reading: Double?
            for _ in 0..<20_000 {
                let before = driver.controller.pace
                let change: SchedulerState.PaceChange?
                if Int.random(in: 0..<50, using: &random) == 0 {
                    let celsius = random.anyDouble()
                    if (-50...150).contains(celsius) { reading = celsius }
                    change = driver.read(celsius)
                } else {
                    let slow = Int.random(in: 0..<200, using: &random) == 0
                    let milliseconds = slow || misses % 3 > 0 ? 30.0 : Double.random(in: 1...6, using: &random)
                    change = driver.step(milliseconds)
                    if milliseconds == 30 { latestMiss = driver.now }
                    misses = milliseconds == 30 ? misses + 1 : 0
                    if Int.random(in: 0..<500, using: &random) == 0 { driver.now += 40 * second }
                }
                guard let change else {
                    #expect(driver.controller.pace == before)
                    continue
                }
                #expect(change.from == before && change.to == driver.controller.pace && change.from != change.to)
                #expect(change.time == .nanoseconds(driver.now))
                switch change.reason {
                case .deadlineMisses: #expect(change.to == .half && misses >= 3)
                case .temperatureHigh: #expect(change.to == .half && (reading ?? 0) >= 42)
                case .temperatureRecovered:
                    #expect(change.to == .full && (reading ?? 99) < 38)
                    #expect(driver.now - max(latestMiss, latestDown) >= 10 * second)
                case .probe:
                    #expect(change.to == .full)
                    #expect(driver.now - max(latestMiss, latestDown) >= 15 * second)
                }
                if change.to == .half {
                    latestDown = driver.now
                    misses = 0
                }
            }
            #expect(driver.changes.count > 4, "seed \(seed) shows nothing")
        }
    }

    @Test func noValueTraps() throws {
        var random = SplitMix64(seed: 77)
        var controller = try PaceController(slotPeriod: slot120)
        var changes = 0
        for _ in 0..<50_000 {
            let latency = random.anyInt64()
            let deadline = random.anyInt64()
            let before = controller.pace
            let first = controller.observe(latency: latency, deadline: deadline, at: random.anyInt64())
            let second = controller.observe(celsius: random.anyDouble(), at: random.anyInt64())
            for change in [first, second] where change != nil { changes += 1 }
            #expect((before != controller.pace) == ((first == nil) != (second == nil)))
        }
        #expect(changes > 10)
    }
}
