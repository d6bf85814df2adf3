import Scheduling
import Testing
import Vocabulary

@Suite struct SchedulerTests {
    /// Which of the slots run, as in "x..x..".
    private func pattern(_ scheduler: inout Scheduler, _ slots: some Sequence<Int64>) -> String {
        slots.reduce(into: "") { $0 += scheduler.decide(slot: $1) == .run ? "x" : "." }
    }

    private func make(_ reading: DeviceReading = DeviceReading()) throws -> Scheduler {
        var scheduler = try Scheduler(slotPeriod: slot120)
        _ = scheduler.observe(reading, at: 0)
        return scheduler
    }

    /// Three misses at whatever the pace is.
    @discardableResult
    private func force(_ scheduler: inout Scheduler, at time: Int64 = 0) -> SchedulerState.Changes {
        for _ in 0..<2 { _ = scheduler.observe(stepLatency: second, at: time) }
        return scheduler.observe(stepLatency: second, at: time)
    }

    @Test func eachPaceHasItsInterval() throws {
        var full = try make()
        #expect(pattern(&full, 0..<8) == "xxxxxxxx")
        var half = try make(DeviceReading(battery: 0.3))
        #expect(pattern(&half, 0..<8) == "x.x.x.x.")
        var third = try make(DeviceReading(thermal: .serious))
        #expect(pattern(&third, 0..<8) == "x..x..x.")
        var late = try make(DeviceReading(thermal: .serious))
        #expect(pattern(&late, 7..<15) == "x..x..x.")
        var sixth = try make(DeviceReading(thermal: .critical))
        #expect(pattern(&sixth, 0..<14) == "x.....x.....x.")
        var empty = try make(DeviceReading(battery: 0.04))
        #expect(pattern(&empty, 7..<21) == "x.....x.....x.")
    }

    @Test func anotherIntervalMidStream() throws {
        var scheduler = try make()
        var found = pattern(&scheduler, 0..<4)
        _ = scheduler.observe(DeviceReading(thermal: .serious), at: 0)
        found += pattern(&scheduler, 4..<11)
        _ = scheduler.observe(DeviceReading(thermal: .fair), at: 0)
        found += pattern(&scheduler, 11..<15)
        _ = scheduler.observe(DeviceReading(), at: 0)
        found += pattern(&scheduler, 15..<18)
        _ = scheduler.observe(DeviceReading(thermal: .critical), at: 0)
        found += pattern(&scheduler, 18..<25)
        _ = scheduler.observe(DeviceReading(thermal: .serious), at: 0)
        found += pattern(&scheduler, 25..<29)
        #expect(found == "xxxx" + "..x..x." + "x.x." + "xxx" + ".....x." + ".x..")
    }

    /// No gap is longer than the longest interval that held in it, none shorter than the interval at its end.
    @Test func phaseStaysSane() throws {
        var random = SplitMix64(seed: 11)
        for _ in 0..<200 {
            var scheduler = try make()
            var slot = Int64.random(in: -10...10, using: &random)
            var latestRun: Int64?
            var longest = 0
            for _ in 0..<500 {
                if Int.random(in: 0..<5, using: &random) == 0 {
                    let thermal = DeviceReading.ThermalState.allCases.randomElement(using: &random) ?? .nominal
                    _ = scheduler.observe(DeviceReading(thermal: thermal), at: slot * slot120)
                }
                let interval = scheduler.state.pace.interval
                longest = max(longest, interval)
                let distance = latestRun.map { Int(slot - $0) }
                if scheduler.decide(slot: slot) == .run {
                    #expect(distance.map { $0 >= interval } ?? true)
                    latestRun = slot
                    longest = 0
                } else {
                    #expect(distance.map { $0 < interval && $0 < longest } ?? false)
                }
                slot += 1
            }
        }
    }

    /// A camera at half the grid's rate fills every second slot, odd ones or even ones: none may be skipped for ever.
    @Test func aCameraInStepWithThePaceIsNotStarved() throws {
        for start: Int64 in [0, 1] {
            var half = try make(DeviceReading(battery: 0.3))
            #expect(pattern(&half, stride(from: start, to: 20, by: 2)) == "xxxxxxxxxx")
            var third = try make(DeviceReading(battery: 0.1))
            #expect(pattern(&third, stride(from: start, to: 20, by: 2)) == "x.x.x.x.x.")
            var sixth = try make(DeviceReading(battery: 0.01))
            #expect(pattern(&sixth, stride(from: start, to: 20, by: 2)) == "x..x..x..x")
            var slow = try make(DeviceReading(battery: 0.01))
            #expect(pattern(&slow, stride(from: start, to: 40, by: 4)) == "x.x.x.x.x.")
        }
    }

    @Test func slotsOfAnyCount() throws {
        for start in [Int64(Int32.max) - 4, Int64(UInt32.max) - 4, 1 << 53, .max - 8, .min] {
            var half = try make(DeviceReading(battery: 0.3))
            #expect(pattern(&half, start..<start + 8) == "x.x.x.x.", "\(start)")
            var third = try make(DeviceReading(battery: 0.1))
            #expect(pattern(&third, start..<start + 8) == "x..x..x.", "\(start)")
            var sixth = try make(DeviceReading(battery: 0.01))
            #expect(pattern(&sixth, start..<start + 8) == "x.....x.", "\(start)")
        }
        var extreme = try make(DeviceReading(battery: 0.1))
        #expect(pattern(&extreme, [.min, .max, .min, .min + 1, 0, .max]) == "xxx.xx")
    }

    /// A slot before the last that ran belongs to a stream that starts anew.
    @Test func slotsThatGoBackRun() throws {
        var scheduler = try make(DeviceReading(battery: 0.1))
        #expect(pattern(&scheduler, [100, 101, 5, 6, 7, 8, 8, 2]) == "x.x..xxx")
    }

    @Test func theSlowestWinsAndGivesTheReason() throws {
        // Forced down by so many steps.
        let cases: [(DeviceReading, forced: Int, idle: Bool, SchedulerState.Pace, SchedulerState.SkipReason?)] = [
            (DeviceReading(), 0, false, .full, nil),
            (DeviceReading(), 0, true, .half, .idle),
            (DeviceReading(), 1, false, .half, .pace),
            (DeviceReading(), 1, true, .half, .pace),
            (DeviceReading(), 2, true, .third, .pace),
            (DeviceReading(), 3, true, .sixth, .pace),
            (DeviceReading(), 4, false, .sixth, .pace),
            (DeviceReading(battery: 0.4), 0, true, .half, .battery),
            (DeviceReading(battery: 0.4), 1, false, .half, .pace),
            (DeviceReading(battery: 0.1), 1, true, .third, .battery),
            (DeviceReading(battery: 0.1), 2, true, .third, .pace),
            (DeviceReading(battery: 0.04), 0, true, .sixth, .battery),
            (DeviceReading(battery: 0.04), 2, true, .sixth, .battery),
            (DeviceReading(battery: 0.04), 3, true, .sixth, .pace),
            (DeviceReading(thermal: .fair), 0, false, .half, .heat),
            (DeviceReading(thermal: .fair), 1, true, .half, .heat),
            (DeviceReading(thermal: .fair), 2, true, .third, .pace),
            (DeviceReading(thermal: .fair, battery: 0.1), 1, true, .half, .heat),
            (DeviceReading(thermal: .serious, battery: 0.1), 1, true, .third, .heat),
            (DeviceReading(thermal: .serious), 2, false, .third, .heat),
            (DeviceReading(thermal: .serious), 3, false, .sixth, .pace),
            (DeviceReading(thermal: .critical), 0, false, .sixth, .heat),
            (DeviceReading(thermal: .critical, battery: 0.04), 3, true, .sixth, .heat),
        ]
        for (reading, forced, idle, pace, limit) in cases {
            var scheduler = try make()
            for _ in 0..<forced { force(&scheduler) }
            if idle {
                for time in 0...3 { _ = scheduler.observe(activity: 0, at: Int64(time) * second) }
            }
            _ = scheduler.observe(reading, at: 3 * second)
            let state = scheduler.state
            #expect(state.pace == pace && state.limit == limit, "\(reading) \(forced) \(idle)")
            #expect(state.controlledPace == SchedulerState.Pace.allCases[min(forced, 3)])
            #expect(state.activity == (idle ? .idle : .active))
            #expect(state.reading == reading)
            #expect(scheduler.decide(slot: 0) == .run)
            #expect(scheduler.decide(slot: 1) == limit.map { .skip($0) } ?? .run)
        }
    }

    /// The frame that moves is itself encoded, although its slot would have been skipped.
    @Test func wakesWithTheFrameThatMoves() throws {
        var scheduler = try make()
        for slot: Int64 in 0...400 {
            _ = scheduler.observe(activity: 0.001, at: slot * slot120)
            _ = scheduler.decide(slot: slot)
        }
        #expect(scheduler.state.limit == .idle)
        var slot: Int64 = 401
        while scheduler.decide(slot: slot) != .run { slot += 1 }
        let change = scheduler.observe(activity: 0.2, at: (slot + 1) * slot120)
        #expect(change.activity?.to == .active)
        #expect(change.budget?.from.reason == .idle && change.budget?.to.reason == .nominal)
        #expect(pattern(&scheduler, slot + 1..<slot + 5) == "xxxx")
    }

    @Test func aDeadlineReachesToTheNextEncodedSlot() throws {
        for (reading, slots) in [
            (DeviceReading(), 1), (DeviceReading(battery: 0.4), 2), (DeviceReading(thermal: .serious), 3),
            (DeviceReading(thermal: .critical), 6),
        ] as [(DeviceReading, Int64)] {
            var scheduler = try make(reading)
            #expect(scheduler.deadline == slots * 8_333_333)
            for _ in 0..<100 { _ = scheduler.observe(stepLatency: slots * 8_333_333, at: 0) }
            #expect(scheduler.counts.deadlineMisses == 0 && scheduler.state.controlledPace == .full)
            for _ in 0..<3 { _ = scheduler.observe(stepLatency: slots * 8_333_333 + 1, at: 0) }
            #expect(scheduler.counts.deadlineMisses == 3 && scheduler.state.controlledPace == .half)
        }
    }

    /// Each step down by misses lengthens the deadline.
    @Test func aStepDownLengthensTheDeadline() throws {
        var scheduler = try make()
        for (slots, pace) in [(2, .half), (3, .third), (6, .sixth)] as [(Int64, SchedulerState.Pace)] {
            let changes = force(&scheduler)
            #expect(changes.pace?.to == pace && scheduler.state.pace == pace && scheduler.state.limit == .pace)
            #expect(scheduler.deadline == slots * 8_333_333)
        }
        #expect(force(&scheduler).isEmpty && scheduler.deadline == 6 * 8_333_333)
        #expect(scheduler.counts.pacesLowered == 3 && scheduler.counts.deadlineMisses == 12)
    }

    /// A step that takes a second: the frames that give way in it take full pace to half and no further.
    @Test func aSingleLongStepIsOneStepDown() throws {
        var scheduler = try make()
        #expect(scheduler.observeSuperseded(at: 0).isEmpty && scheduler.observeSuperseded(at: 0).isEmpty)
        #expect(scheduler.observeSuperseded(at: 0).pace?.words == "full half deadlineMisses")
        for _ in 0..<60 { #expect(scheduler.observeSuperseded(at: 0).isEmpty) }
        #expect(scheduler.observe(stepLatency: second, at: 0).isEmpty)
        #expect(scheduler.observe(stepLatency: millisecond, at: second).isEmpty)
        #expect(scheduler.state.pace == .half && scheduler.counts.deadlineMisses == 64)
        // Long steps one after the other take it further.
        #expect(force(&scheduler, at: second).pace?.to == .third)
        for _ in 0..<60 { #expect(scheduler.observeSuperseded(at: second).isEmpty) }
        #expect(force(&scheduler, at: second).pace?.to == .sixth)
    }

    @Test func supersededFramesAloneLowerNothingWithoutAController() throws {
        var scheduler = try Scheduler(.everySlot, slotPeriod: slot120)
        for _ in 0..<10 { #expect(scheduler.observeSuperseded(at: 0).isEmpty) }
        #expect(scheduler.counts.deadlineMisses == 10 && scheduler.state.pace == .full)
    }

    /// The charge has no hysteresis: each reading decides for itself, and a charger restores the pace at once.
    @Test func theChargeDecidesAtEachReading() throws {
        var scheduler = try make()
        for (charge, pace) in [
            (0.05, .third), (0.0499, .sixth), (0.05, .third), (0.0499, .sixth), (0.2, .half), (0.1999, .third),
            (0.5, .full), (0.01, .sixth), (0.9, .full),
        ] as [(Double, SchedulerState.Pace)] {
            let changes = scheduler.observe(DeviceReading(battery: charge), at: 0)
            #expect(changes.budget?.to.pace == pace && scheduler.state.pace == pace, "\(charge)")
        }
    }

    @Test func everyChangeIsAValueWithItsReason() throws {
        var scheduler = try make()
        #expect(scheduler.observe(DeviceReading(battery: 0.9), at: 1).isEmpty)
        let battery = scheduler.observe(DeviceReading(battery: 0.4), at: 2)
        #expect(battery.pace == nil && battery.activity == nil && battery.budget?.time == .nanoseconds(2))
        #expect(battery.budget?.from.pace == .full && battery.budget?.to.pace == .half)
        #expect(battery.budget?.to.reason == .batteryHalf)
        let misses = force(&scheduler, at: 3)
        #expect(misses.budget == nil && misses.activity == nil)
        #expect(misses.pace?.reason == .deadlineMisses && misses.pace?.time == .nanoseconds(3))
        #expect(scheduler.state.latestPaceChange == misses.pace)
        _ = scheduler.observe(activity: 0, at: 0)
        let idle = scheduler.observe(activity: 0, at: 3 * second)
        // The battery already says half: only the scene changed.
        #expect(idle.activity?.to == .idle && idle.budget == nil && idle.pace == nil)
        // One reading may change both.
        var cool = try make(DeviceReading(celsius: 30))
        let hot = cool.observe(DeviceReading(thermal: .fair, celsius: 43), at: 9)
        #expect(hot.budget?.to.reason == .warm && hot.pace?.reason == .temperatureHigh && !hot.isEmpty)
    }

    @Test func countsAreExact() throws {
        var random = SplitMix64(seed: 12)
        var scheduler = try make()
        var run = 0
        var skips: [SchedulerState.SkipReason: Int] = [:]
        var misses = 0
        var budgets = 0
        var lowered = 0
        var raised = 0
        var idle = 0
        func note(_ changes: SchedulerState.Changes) {
            if changes.budget != nil { budgets += 1 }
            if changes.pace?.isDown == true { lowered += 1 }
            if changes.pace?.isDown == false { raised += 1 }
            if changes.activity?.to == .idle { idle += 1 }
        }
        var time: Int64 = 0
        var moving = true
        var slow = false
        for slot: Int64 in 0..<200_000 {
            time += slot120
            if slot % 2_000 == 0 {
                let thermal = DeviceReading.ThermalState.allCases.randomElement(using: &random) ?? .nominal
                let cool = Int.random(in: 0..<3, using: &random) > 0
                let battery = Double.random(in: -0.2...1, using: &random)
                note(scheduler.observe(DeviceReading(thermal: cool ? .nominal : thermal, battery: battery), at: time))
                moving = Bool.random(using: &random)
                slow = Int.random(in: 0..<4, using: &random) == 0
            }
            note(scheduler.observe(activity: moving ? 0.3 : 0, at: time))
            switch scheduler.decide(slot: slot) {
            case .run:
                run += 1
                let latency = slow ? Int64.random(in: 5 * millisecond...40 * millisecond, using: &random) : millisecond
                let interval = Int64(scheduler.state.pace.interval)
                if latency > interval * 8_333_333 { misses += 1 }
                note(scheduler.observe(stepLatency: latency, at: time))
            case .skip(let reason): skips[reason, default: 0] += 1
            }
        }
        let counts = scheduler.counts
        #expect(counts.run == run && run + counts.skips.total == 200_000)
        #expect(counts.skips.heat == skips[.heat] && counts.skips.pace == skips[.pace])
        #expect(counts.skips.battery == skips[.battery] && counts.skips.idle == skips[.idle])
        #expect(skips.count == SchedulerState.SkipReason.allCases.count, "a reason never came up")
        #expect(counts.deadlineMisses == misses && misses > 0)
        // The reading in `make` changes nothing.
        #expect(counts.budgetChanges == budgets && counts.idlePeriods == idle && idle > 0)
        #expect(counts.pacesLowered == lowered && counts.pacesRaised == raised && raised > 0)
        #expect(counts.paceChanges == lowered + raised)
    }

    @Test func switchedOffNothingIsSkipped() throws {
        var random = SplitMix64(seed: 13)
        var scheduler = try Scheduler(.everySlot, slotPeriod: slot120)
        for slot: Int64 in 0..<2_000 {
            let reading = DeviceReading(thermal: .critical, celsius: random.anyDouble(), battery: 0.01)
            #expect(scheduler.observe(reading, at: slot * slot120).isEmpty)
            #expect(scheduler.observe(activity: 0, at: slot * slot120).isEmpty)
            #expect(scheduler.observe(stepLatency: second, at: slot * slot120).isEmpty)
            #expect(scheduler.decide(slot: slot) == .run)
        }
        #expect(scheduler.state.pace == .full && scheduler.state.limit == nil)
        #expect(scheduler.counts.run == 2_000 && scheduler.counts.deadlineMisses == 2_000)
    }

    @Test func partsAreSwitchedOffOneByOne() throws {
        func state(_ configuration: SchedulingConfiguration) throws -> SchedulerState {
            var scheduler = try Scheduler(configuration, slotPeriod: slot120)
            for time in 0...3 { _ = scheduler.observe(activity: 0, at: Int64(time) * second) }
            _ = scheduler.observe(DeviceReading(battery: 0.1), at: 3 * second)
            _ = force(&scheduler, at: 3 * second)
            return scheduler.state
        }
        let withoutBudget = try state(SchedulingConfiguration(budget: nil))
        #expect(withoutBudget.pace == .half && withoutBudget.limit == .pace && withoutBudget.budget.reason == .idle)
        let withoutPace = try state(SchedulingConfiguration(pace: nil))
        #expect(withoutPace.pace == .third && withoutPace.controlledPace == .full)
        let withoutActivity = try state(SchedulingConfiguration(activity: nil))
        #expect(withoutActivity.activity == .active && withoutActivity.controlledPace == .half)
        let onlyActivity = try state(SchedulingConfiguration(budget: nil, pace: nil))
        #expect(onlyActivity.pace == .half && onlyActivity.limit == .idle)
    }

    @Test func restartForgetsTheSceneAndKeepsTheHeat() throws {
        var scheduler = try make(DeviceReading(battery: 0.9))
        _ = force(&scheduler)
        for time in 0...3 { _ = scheduler.observe(activity: 0, at: Int64(time) * second) }
        _ = scheduler.decide(slot: 10)
        let counts = scheduler.counts
        scheduler.restart()
        #expect(scheduler.state.activity == .active && scheduler.state.budget.reason == .nominal)
        #expect(scheduler.state.controlledPace == .half && scheduler.state.reading.battery == 0.9)
        #expect(scheduler.counts == counts)
        #expect(pattern(&scheduler, 11..<14) == "x.x")
    }

    @Test func aNewOneIsAtItsBest() throws {
        let state = try Scheduler(slotPeriod: slot120).state
        #expect(state.pace == .full && state.limit == nil && state.controlledPace == .full)
        #expect(state.activity == .active && state.latestPaceChange == nil && state.reading == DeviceReading())
        #expect(state.budget == SchedulerState.Budget(thermal: .nominal, battery: nil))
        #expect(try Scheduler(slotPeriod: slot120).counts == SessionStatistics.SchedulingCounts())
    }

    @Test func anotherUnitStartsWithoutMisses() throws {
        var scheduler = try make()
        for _ in 0..<10 {
            _ = scheduler.observe(stepLatency: second, at: 0)
            _ = scheduler.observe(stepLatency: second, at: 0)
            scheduler.unitChanged()
        }
        #expect(scheduler.state.controlledPace == .full)
    }

    /// Latencies that leap between a fast unit and a slow one: order and counts hold.
    @Test func bimodalLatency() throws {
        var random = SplitMix64(seed: 14)
        var scheduler = try make()
        var decided = 0
        for slot: Int64 in 0..<36_000 {
            decided += 1
            guard scheduler.decide(slot: slot) == .run else { continue }
            let slow = (slot / 1_200) % 2 == 1
            let latency = Int64.random(in: slow ? 30_000_000...40_000_000 : 4_000_000...6_000_000, using: &random)
            _ = scheduler.observe(stepLatency: latency, at: slot * slot120)
        }
        #expect(scheduler.counts.run + scheduler.counts.skips.total == decided)
        #expect(scheduler.counts.skips.pace > 0)
        // 300 s: down to a sixth in the first slow spell of 10 s, where all deadlines are held. A third would leave 23 ms,
        // and in no 15 s are all steps but 5% below that.
        #expect(scheduler.counts.paceChanges == 3 && scheduler.state.controlledPace == .sixth)
    }

    @Test func noValueTraps() throws {
        var random = SplitMix64(seed: 15)
        var scheduler = try make()
        for _ in 0..<50_000 {
            let reading = DeviceReading(
                thermal: DeviceReading.ThermalState.allCases.randomElement(using: &random) ?? .nominal,
                celsius: random.anyDouble(),
                battery: random.anyDouble())
            _ = scheduler.observe(reading, at: random.anyInt64())
            _ = scheduler.observe(activity: random.anyDouble(), at: random.anyInt64())
            let latency = random.anyInt64()
            _ = scheduler.observe(stepLatency: latency, at: random.anyInt64())
            _ = scheduler.decide(slot: random.anyInt64())
            let state = scheduler.state
            #expect((state.limit == nil) == (state.pace == .full))
            #expect(state.pace.interval == max(state.budget.pace.interval, state.controlledPace.interval))
        }
        #expect(scheduler.counts.run + scheduler.counts.skips.total == 50_000)
    }
}
