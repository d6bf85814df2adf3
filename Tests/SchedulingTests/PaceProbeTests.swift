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

    /// From a sixth each step takes as long.
    @Test func fifteenCleanSecondsForEachStep() throws {
        let driver = try PaceDriver()
        driver.force(3)
        for words in ["sixth third probe", "third half probe", "half full probe"] {
            let back = try #require(driver.run(4, atMost: 60 * second))
            #expect(back.change.words == words && !back.change.isDown)
            #expect((15 * second..<15 * second + 6 * slot120).contains(back.after))
        }
        #expect(driver.run(4, atMost: 600 * second) == nil)
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
        #expect(driver.controller.headroom(at: .full) == 6_333_333)
        for (latency, returns) in [(6.333_333, true), (6.333_334, false), (8, false), (16, false)] {
            let driver = try PaceDriver()
            driver.force()
            #expect((driver.run(latency, atMost: 600 * second) != nil) == returns, "\(latency)")
        }
    }

    /// The same two milliseconds of the time that half or third pace leave: 14.666666 and 22.999999 are left.
    @Test func latencyMustFitIntoTheNextFasterPace() throws {
        for (steps, latency, pace) in [
            (2, 14.666_666, .half), (2, 14.666_667, .third), (2, 24, .third), (3, 22.999_999, .third),
            (3, 23, .sixth), (3, 49, .sixth), (3, 14.666_666, .half), (3, 6.333_334, .half), (3, 6.333_333, .full),
        ] as [(Int, Double, SchedulerState.Pace)] {
            let driver = try PaceDriver()
            driver.force(steps)
            let until = driver.now + 600 * second
            while driver.now < until { driver.step(latency) }
            #expect(driver.controller.pace == pace, "\(latency)")
            #expect(driver.changes.dropFirst(steps).allSatisfy { $0.reason == .probe })
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

    /// The same between lower paces.
    @Test(arguments: 1...3) func theWaitDoublesAtEveryPace(_ steps: Int) throws {
        let driver = try PaceDriver()
        driver.force(steps)
        let low = driver.controller.pace
        for seconds: Int64 in [15, 30, 60, 120, 240, 240, 240] {
            let back = try #require(driver.run(4, atMost: 600 * second))
            #expect(back.change.from == low && back.change.reason == .probe)
            #expect((seconds * second..<seconds * second + 6 * slot120).contains(back.after), "\(seconds)")
            driver.force()
            #expect(driver.controller.pace == low)
        }
    }

    /// A failure lengthens the wait for every step: the device, and not the pace, proved too slow.
    @Test func failuresOfOnePaceCountForTheOthers() throws {
        let driver = try PaceDriver()
        driver.force(3)
        for (seconds, words, falls) in [
            (15, "sixth third", false), (15, "third half", true), (30, "third half", false), (30, "half full", true),
            (60, "half full", true), (120, "half full", false),
        ] as [(Int64, String, Bool)] {
            let back = try #require(driver.run(4, atMost: 600 * second))
            #expect(back.change.words == words + " probe")
            #expect((seconds * second..<seconds * second + 6 * slot120).contains(back.after), "\(seconds)")
            if falls { driver.force() }
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

    /// Half pace that lasts takes failures back, although full pace was never reached: 10 ms do not fit into it.
    @Test func goodBehaviourAtALowerPaceCountsAlike() throws {
        let driver = try PaceDriver()
        driver.force(2)
        for _ in 0..<3 {
            #expect(try #require(driver.run(10, atMost: 600 * second)).change.words == "third half probe")
            driver.force()
        }
        #expect(try #require(driver.run(10, atMost: 600 * second)).after >= 120 * second)
        #expect(driver.run(10, atMost: 121 * second) == nil)
        driver.force()
        let back = try #require(driver.run(10, atMost: 600 * second))
        #expect((30 * second..<30 * second + 3 * slot120).contains(back.after))
    }

    @Test(arguments: 1...3) func stepsDownInARowAreNoFailure(_ steps: Int) throws {
        let driver = try PaceDriver()
        driver.step(4)
        driver.force(steps)
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

    /// So are 5 a second, from that camera at a sixth.
    @Test func fewStepsASecondAtASixth() throws {
        let slot: Int64 = 33_333_333
        var controller = try PaceController(slotPeriod: slot)
        var time: Int64 = 0
        func step(_ latency: Int64) -> SchedulerState.PaceChange? {
            let deadline = slot * Int64(controller.pace.interval)
            time += deadline
            return controller.observe(latency: latency, deadline: deadline, at: time)
        }
        for _ in 0..<9 { _ = step(second) }
        #expect(controller.pace == .sixth)
        let start = time
        var change: SchedulerState.PaceChange?
        while change == nil, time < start + 60 * second { change = step(20 * millisecond) }
        #expect(change?.words == "sixth third probe" && (15 * second..<15 * second + 6 * slot).contains(time - start))
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

    /// For any input: each change is a step, none is undone within the dwell, and each has the cause that it names.
    @Test func everyChangeHasItsCause() throws {
        let paces = SchedulerState.Pace.allCases
        var reached: Set<SchedulerState.Pace> = []
        for seed in 0..<30 {
            var random = SplitMix64(seed: UInt64(seed))
            let driver = try PaceDriver()
            var latestMiss: Int64 = 0
            var latestChange: (time: Int64, isDown: Bool) = (0, false)
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
                    if Int.random(in: 0..<500, using: &random) == 0 { driver.now += 40 * second }
                    let slow = Int.random(in: 0..<200, using: &random) == 0
                    let milliseconds = slow || misses % 3 > 0 ? 60.0 : Double.random(in: 1...6, using: &random)
                    change = driver.step(milliseconds)
                    if milliseconds == 60 { latestMiss = driver.now }
                    misses = milliseconds == 60 ? misses + 1 : 0
                }
                guard let change else {
                    #expect(driver.controller.pace == before)
                    continue
                }
                #expect(change.from == before && change.to == driver.controller.pace)
                let places = try [change.from, change.to].map { try #require(paces.firstIndex(of: $0)) }
                #expect(change.isDown ? places[1] == places[0] + 1 : places[1] == places[0] - 1)
                #expect(change.time == .nanoseconds(driver.now))
                switch change.reason {
                case .deadlineMisses: #expect(change.isDown && misses >= 3)
                case .temperatureHigh:
                    #expect(change.isDown && (reading ?? 0) >= 42)
                    #expect(!latestChange.isDown || driver.now - latestChange.time >= 60 * second)
                case .temperatureRecovered:
                    #expect(!change.isDown && (reading ?? 99) < 38)
                    #expect(driver.now - max(latestMiss, latestChange.time) >= 10 * second)
                case .probe:
                    #expect(!change.isDown)
                    #expect(driver.now - max(latestMiss, latestChange.time) >= 15 * second)
                }
                latestChange = (driver.now, change.isDown)
                reached.insert(change.to)
                misses = 0
            }
            #expect(driver.changes.count > 4, "seed \(seed) shows nothing")
        }
        #expect(reached.count == paces.count)
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
            let between = controller.pace
            let second = controller.observe(celsius: random.anyDouble(), at: random.anyInt64())
            for change in [first, second] where change != nil { changes += 1 }
            #expect((before != between) == (first != nil) && (between != controller.pace) == (second != nil))
        }
        #expect(changes > 10)
    }
}
