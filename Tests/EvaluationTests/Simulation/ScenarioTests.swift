import Evaluation
import Scheduling
import Testing

/// What each of the other built-in scenarios is there to show.
@Suite struct ScenarioTests {
    private static func report(_ name: String, seed: UInt64 = 1) throws -> SimulationReport {
        try Simulation(try #require(Scenario.named(name)), seed: seed).run()
    }

    /// Twenty, twenty-five and thirty slots a second want a frame for a minute each; ten frames a second are too many for
    /// half a minute.
    @Test func slowCamerasAreFilledUpAndFastOnesThinnedOut() throws {
        let report = try Self.report("cameras")
        #expect((4497...4503).contains(report.summary.repeats))
        #expect((298...302).contains(report.summary.surplus))
        #expect(report.summary.dropped == 0 && report.summary.resets == 0 && report.summary.deadline_misses == 0)
        // 95 frames a second: no slot is left without a column.
        let slow = report.trace.filter { $0.seconds > 121 && $0.seconds <= 180 }
        #expect(slow.allSatisfy { (119...121).contains($0.encoded + $0.repeats) && (94...96).contains($0.encoded) })
    }

    /// Stalls of 30 and 100 ms, five and six of them, are filled with 3.6 and 12 slots; those of 300 ms and 1.5 s, six each,
    /// begin anew, the longer ones once two frames have confirmed the jump.
    @Test func stallsAreFilledUpOrBeginAnew() throws {
        let summary = try Self.report("stalls").summary
        #expect(summary.resets == 12)
        #expect(summary.dropped == 12)
        #expect((85...97).contains(summary.repeats))
        #expect(summary.paces_lowered == 0 && summary.superseded == 0)
        #expect((12...14).contains(summary.longest_stride_slots))
    }

    @Test func theBackgroundEndsCleanly() throws {
        let report = try Self.report("background")
        #expect(report.summary.resets == 3 && report.summary.dropped == 6)
        #expect(report.summary.paces_lowered == 0 && report.summary.deadline_misses == 0)
        let resets = report.events.filter { $0.kind == .reset }.map { Double($0.time) / 1e9 }
        for (end, reset) in zip([62.0, 120, 270], resets) { #expect(reset - end < 0.03) }
    }

    /// The program and the sun take the pace down to a sixth by steps, and let it come back by steps; the battery by budgets.
    @Test(arguments: [1, 2, 3] as [UInt64]) func thePaceFallsToASixthAndComesBack(_ seed: UInt64) throws {
        let report = try Self.report("ladder", seed: seed)
        let changes = report.paceChanges
        #expect(
            changes.map { "\($0.change.from) \($0.change.to) \($0.change.reason)" } == [
                "full half deadlineMisses", "half third deadlineMisses", "third sixth deadlineMisses",
                "sixth third probe", "third half probe", "half full probe",
                "full half temperatureHigh", "half third temperatureHigh", "third sixth temperatureHigh",
                "sixth third temperatureRecovered", "third half temperatureRecovered", "half full temperatureRecovered",
            ])
        try #require(changes.count == 12)
        let times = changes.map(\.seconds)
        // Nine steps of 45 ms at most. A probe waits for 15 s of which the program has 5% at most.
        #expect(times[0] > 60 && times[2] < 60.5 && (94...96).contains(times[3]))
        #expect((14.9...15.2).contains(times[4] - times[3]) && (14.9...15.2).contains(times[5] - times[4]))
        // In the sun one step a minute; cooler than 38 C, one in 10 s.
        #expect((240...270).contains(times[6]))
        #expect((60...61).contains(times[7] - times[6]) && (60...61).contains(times[8] - times[7]))
        #expect((420...480).contains(times[9]) && changes[9].celsius < 38)
        #expect((10...11).contains(times[10] - times[9]) && (10...11).contains(times[11] - times[10]))

        let budgets = report.events.compactMap { event -> (SchedulerState.Budget, Double)? in
            guard case .budget(let change) = event.kind else { return nil }
            return (change.to, Double(event.time) / 1e9)
        }
        #expect(
            budgets.map { "\($0.0.pace) \($0.0.reason)" } == [
                "half warm", "third hot", "sixth hot", "third hot", "half warm", "full nominal",
                "half batteryHalf", "third batteryLow", "sixth batteryLow",
            ])
        for (budget, expected) in zip(budgets.suffix(3), [600.0, 1320, 1680]) {
            #expect((0...1).contains(budget.1 - expected))
        }
        // No deadline is missed at a sixth, and twenty frames a second go on.
        let slowest = report.trace.filter { $0.pace == 6 && $0.seconds > 61 }
        #expect(slowest.count > 150)
        #expect(slowest.allSatisfy { $0.deadline_misses == 0 && (19...21).contains($0.encoded) })
        let summary = report.summary
        #expect(summary.paces_lowered == 6 && summary.paces_raised == 6 && summary.budget_changes == 9)
        #expect(summary.seconds_at_pace.count == 4 && summary.seconds_at_pace.allSatisfy { $0 > 60 })
        #expect(try #require(summary.stable_after_seconds) < 0.5)
        #expect(summary.longest_stride_slots <= 6)
        // A device that gets no hotter than 42 C, or keeps a tenth of its charge, has no need of it.
        for name in ["heat", "battery"] { #expect(try Self.report(name).summary.seconds_at_pace[3] == 0) }
    }

    /// Of steps down in a row the first counts, and misses count until the pace is raised.
    @Test func stabilityCountsFromTheFirstStepDown() throws {
        var scenario = Scenario(name: "slower and slower", seconds: 120)
        scenario.device.units = [.init(name: "only", milliseconds: 3)]
        scenario.device.ambientCelsius = 15
        scenario.device.startCelsius = 15
        scenario.phases = [
            .init(from: 10, to: 14, .contention(unit: 0, least: 12, most: 15)),
            .init(from: 14, to: 18, .contention(unit: 0, least: 20, most: 23)),
            .init(from: 18, to: 22, .contention(unit: 0, least: 30, most: 45)),
        ]
        let report = try Simulation(scenario).run()
        #expect(report.paceChanges.map(\.change.isDown) == [true, true, true, false, false, false])
        #expect((8...8.3).contains(try #require(report.summary.stable_after_seconds)))
    }

    /// At rest after 3 s of stillness, half the frames until something moves, and awake with the first frame that does.
    @Test func stillnessHalvesThePaceUntilTheFirstFrameThatMoves() throws {
        let report = try Self.report("background")
        let moments = report.events.compactMap { event -> (SchedulerState.ActivityChange, Double)? in
            guard case .activity(let change) = event.kind else { return nil }
            return (change, Double(event.time) / 1e9)
        }
        // Not the single second of stillness at 345 s.
        #expect(moments.map(\.0.to) == [.idle, .active, .idle, .active])
        let times = moments.map(\.1)
        for (time, expected) in zip(times, [303.0, 330, 363, 390]) {
            // Within a frame period and the camera's jitter.
            #expect((0...0.0100).contains(time - expected))
        }
        let idle = report.trace.filter { $0.seconds > 304 && $0.seconds <= 330 }
        #expect(idle.allSatisfy { $0.encoded == 60 && $0.skipped == 60 && $0.idle })
        let awake = report.trace.filter { $0.seconds > 331 && $0.seconds <= 340 }
        #expect(awake.allSatisfy { $0.encoded == 120 && !$0.idle })
        #expect(report.summary.skips.idle == report.summary.skips.total)
    }

    /// A movement ends idleness with the first frame that is encoded: at most one is left out. The two scenes fall still on
    /// slots of either parity, and move from slot 1200 on.
    @Test(arguments: [600, 601])
    func aMovementWakesWithinTwoSlots(_ stillFrom: Int) throws {
        var scenario = Scenario(name: "still", seconds: 12)
        scenario.phases = [.init(from: Double(stillFrom) / 120, to: 10, .still)]
        let report = try Simulation(scenario).run()
        #expect(report.trace[9].encoded == 60 && report.trace[10].encoded >= 119 && report.trace[10].skipped <= 1)
    }

    /// 60% less 1% every 36 s: half at 360 s, a fifth at 1440 s.
    @Test func theBatterySlowsTheStreamDownTwice() throws {
        let report = try Self.report("battery")
        let changes = report.events.compactMap { event -> (SchedulerState.BudgetChange, Double)? in
            guard case .budget(let change) = event.kind else { return nil }
            return (change, Double(event.time) / 1e9)
        }
        #expect(changes.map(\.0.to.reason) == [.batteryHalf, .batteryLow])
        #expect(changes.map(\.0.to.pace) == [.half, .third])
        for (change, expected) in zip(changes, [360.0, 1440]) { #expect((0...1).contains(change.1 - expected)) }
        #expect(report.trace.suffix(60).allSatisfy { $0.encoded == 40 && $0.interface_detail == 2 })
        #expect(report.summary.skips.battery == report.summary.skips.total)
    }

    /// Without a sensor: misses halve the pace, probes bring it back, each after a longer wait than the last.
    @Test(arguments: [1, 2, 3] as [UInt64])
    func withoutASensorMissesAndProbesDecide(_ seed: UInt64) throws {
        let report = try Self.report("no-sensor", seed: seed)
        let changes = report.paceChanges
        #expect(changes.count >= 4)
        #expect(changes.allSatisfy { $0.change.reason == ($0.change.isDown ? .deadlineMisses : .probe) })
        var waits: [Double] = []
        for (down, up) in zip(changes, changes.dropFirst()) where !up.change.isDown {
            waits.append(up.seconds - down.seconds)
        }
        for (index, wait) in waits.enumerated() {
            // 15 s, doubled by each failure up to 240 s; events lie up to a frame from the times that are compared.
            #expect(wait >= [15, 30, 60, 120, 240][min(index, 4)] - 0.1)
        }
        // Fewer and fewer: the pace changes less in the last five minutes than in the first.
        #expect(changes.filter { $0.seconds > 600 }.count <= changes.filter { $0.seconds <= 300 }.count)
        #expect(report.summary.skips.heat == 0)
    }

    /// A die above both thresholds all along neither holds the pace down nor keeps it from coming back.
    @Test func aDieThatIdlesAboveTheThresholdsComesBackByProbes() throws {
        let report = try Self.report("desktop")
        #expect(report.trace.allSatisfy { $0.celsius > 42 })
        #expect(report.paceChanges.map(\.change.reason) == [.deadlineMisses, .probe, .deadlineMisses, .probe])
        let downs = report.paceChanges.filter { $0.change.to == .half }.map(\.seconds)
        for (down, begin) in zip(downs, [60.0, 240]) { #expect((0...0.1).contains(down - begin)) }
        let ups = report.paceChanges.filter { $0.change.to == .full }.map(\.seconds)
        try #require(ups.count == 2)
        #expect((75...100).contains(ups[0]) && (300...360).contains(ups[1]))
        #expect(report.trace.suffix(60).allSatisfy { $0.encoded == 120 })
    }

    /// The second unit answers while the first is taken, and gives way again, though its own 7.1 ms are above the 7 ms at
    /// which a unit is left.
    @Test func contentionMovesTheWorkToTheOtherUnit() throws {
        let report = try Self.report("contention")
        let first = try #require(report.unitSwitches.first)
        #expect(first.change.to == 1 && first.change.reason == .slow && (30...31).contains(first.seconds))
        // Three steps of 12 to 15 ms halve the pace before the percentile of two seconds tells.
        let down = try #require(report.paceChanges.first)
        #expect(down.change.reason == .deadlineMisses && (30.036...30.055).contains(down.seconds))
        #expect(report.trace[35].unit == 1 && report.trace[55].unit == 0)
        #expect(report.unitSwitches.count <= 12)
        #expect(report.trace.last?.unit == 0 && report.trace.last?.pace == 1)
        // At a switch no frame is lost beyond those that a newer one took the place of in the burst.
        #expect(report.summary.superseded < 5 * report.unitSwitches.count)
        #expect(report.summary.longest_stride_slots == 2)
        let after = report.trace.filter { $0.seconds > 31 && $0.seconds <= 45 }
        #expect(after.allSatisfy { ($0.p95_ms ?? 99) < 10 && $0.deadline_misses == 0 })
    }

    /// Ten minutes to 42 C at full pace, in a session of half an hour: the pace falls then, and heat never runs away.
    @Test(arguments: [1, 2, 3] as [UInt64])
    func aLongSessionThrottlesAfterTenMinutes(_ seed: UInt64) throws {
        let report = try Self.report("soak", seed: seed)
        let down = try #require(report.paceChanges.first)
        #expect((480...630).contains(down.seconds))
        #expect(report.summary.hottest_celsius < 42.2)
        #expect(try #require(report.summary.stable_after_seconds) <= 15)
        let spared = report.trace.filter { $0.seconds > down.seconds + 15 && $0.pace == 2 }
        #expect(spared.count > 300 && spared.allSatisfy { ($0.p95_ms ?? 99) < $0.deadline_ms })
    }

    /// Steps of 20 ms and more under a camera of 120 frames a second that nothing slows down: newest wins.
    @Test func aSlowUnitTakesTheNewestFrame() throws {
        var scenario = Scenario(name: "slow", seconds: 10)
        scenario.device.units = [.init(name: "only", milliseconds: 20)]
        scenario.device.surroundMilliseconds = 0
        scenario.phases = [.init(from: 0, to: 10, .contention(unit: nil, least: 20, most: 20))]
        let summary = try Simulation(scenario, scheduling: .everySlot).run().summary
        #expect(summary.run == 1200 && summary.skips.total == 0)
        // 50 a second, each begun as the last one ends.
        #expect((497...500).contains(summary.encoded))
        #expect(summary.superseded == summary.run - summary.encoded - summary.unfinished)
        // Without a scheduler that skips, misses are counted all the same.
        #expect(summary.deadline_misses == summary.encoded)
        #expect(summary.latency?.maximum_ms == 20)
    }

    /// A camera of 30 frames a second, and steps that change between 8 to 12 and 30 to 40 ms every ten seconds.
    @Test func swingingLatencyKeepsToItsBudget() throws {
        var scenario = Scenario(name: "swings", seconds: 300)
        scenario.rate = 30
        scenario.camera.framesPerSecond = 30
        scenario.device.units = [.init(name: "only", milliseconds: 10)]
        scenario.device.surroundMilliseconds = 0
        scenario.device.ambientCelsius = 15
        scenario.device.startCelsius = 15
        scenario.phases = stride(from: 0.0, to: 300, by: 20).flatMap { start in
            [
                Scenario.Phase(from: start, to: start + 10, .contention(unit: nil, least: 8, most: 12)),
                Scenario.Phase(from: start + 10, to: start + 20, .contention(unit: nil, least: 30, most: 40)),
            ]
        }
        let report = try Simulation(scenario).run()
        let summary = report.summary
        #expect(summary.run == summary.encoded + summary.superseded + summary.unfinished + summary.skips.total)
        #expect(summary.frames_in == 9000 && summary.run == 9000)
        #expect(summary.unit_switches == 0 && summary.longest_stride_slots == 2)
        let spared = report.trace.filter { $0.pace == 2 }
        // At half pace a step has 66.7 ms: none is late, and no frame waits.
        #expect(spared.count > 200)
        #expect(spared.dropFirst().allSatisfy { ($0.p95_ms ?? 0) <= 40 })
        #expect(summary.deadline_misses < 20 && summary.superseded < 20)
        #expect((try #require(summary.stable_after_seconds)) == 0)
    }

    /// An hour with all of it ends where the battery alone decides.
    @Test func anHourOfEverything() throws {
        let report = try Self.report("day")
        let summary = report.summary
        for count in [summary.skips.heat, summary.skips.pace, summary.skips.battery, summary.skips.idle] {
            #expect(count > 0)
        }
        #expect(summary.seconds_at_pace.count == 4 && summary.seconds_at_pace.allSatisfy { $0 > 60 })
        #expect(
            report.trace.contains { $0.interface_detail == 0 } && report.trace.contains { $0.interface_detail == 1 })
        #expect(report.trace.suffix(60).allSatisfy { $0.encoded == 40 && $0.pace == 3 })
        #expect(try #require(summary.stable_after_seconds) <= 15)
    }
}
