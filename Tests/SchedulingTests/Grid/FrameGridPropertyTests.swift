import Scheduling
import Testing
import Vocabulary

@Suite struct FrameGridPropertyTests {
    /// A camera that jitters, stalls, loses frames, repeats timestamps and goes mad at times.
    private func wildTrace(seed: UInt64, count: Int) -> [Int64] {
        var generator = SplitMix64(seed: seed)
        let interval = Int64.random(in: 2_000_000...40_000_000, using: &generator)
        var time = Traces.start
        return (0..<count).map { _ in
            switch Int.random(in: 0..<100, using: &generator) {
            case 0: time += .random(in: 0...3_000_000_000, using: &generator)
            case 1...3: time += interval * .random(in: 2...20, using: &generator)
            case 4:
                let ends: [Int64] = [
                    .min, Traces.earliest - 1, Traces.earliest, -1, 0, Traces.latest, Traces.latest + 1, .max,
                ]
                return ends.randomElement(using: &generator) ?? 0
            case 5: return .random(in: .min ... .max, using: &generator)
            case 6: time -= .random(in: 0...1_000_000_000, using: &generator)
            default: time += interval + .random(in: -1_500_000...1_500_000, using: &generator)
            }
            return time
        }
    }

    @Test(
        arguments: PacingConfiguration.Rate.allCases,
        [PacingConfiguration.Policy.grid, .literal(), .literal(lateAfter: .milliseconds(3))])
    func everyColumnIsAccountedFor(rate: PacingConfiguration.Rate, policy: PacingConfiguration.Policy) throws {
        for seed in UInt64(0)..<60 {
            var grid = try FrameGrid(PacingConfiguration(nominalRate: rate, policy: policy))
            let timestamps = wildTrace(seed: seed, count: 2_000)
            let log = TraceLog(timestamps, through: &grid)

            var previous: SlotWork?
            for (timestamp, run) in log.runs {
                #expect((0...15).contains(run.repeatsBefore))
                let next: Int64 = (previous?.slotIndex ?? -1) + Int64(run.repeatsBefore) + 1
                #expect(run.slotIndex == next)
                if run.reset { #expect(run.repeatsBefore == 0 && run.slotTime == timestamp) }
                if let previous, !run.reset { #expect(run.slotTime > previous.slotTime) }
                if policy == .grid {
                    let reach: Int64 = 7_000_000_000 / (8 * Int64(rate.rawValue)) + 1
                    #expect(abs(timestamp - run.slotTime) <= reach)
                }
                previous = run
            }
            let columns: Int64 = (previous?.slotIndex ?? -1) + 1
            #expect(Int64(log.columns) == columns)

            let counts = grid.counts
            #expect(counts.run == log.runs.count)
            #expect(counts.repeats == log.repeats.reduce(0, +))
            #expect(counts.surplus == log.surplus)
            #expect(counts.resets == log.resets)
            #expect(counts.equalTimestamps == log.drops.count(where: { $0 == .equalTimestamp }))
            #expect(counts.backwardTimestamps == log.drops.count(where: { $0 == .backwardTimestamp }))
            #expect(counts.beyondHorizon == log.drops.count(where: { $0 == .beyondHorizon }))
            #expect(counts.unconfirmedJumps == log.drops.count(where: { $0 == .unconfirmedJump }))
            #expect(counts.run + counts.surplus + counts.drops == timestamps.count)
            #expect(counts.run > 0 && counts.drops > 0 && counts.resets > 0)
        }
    }

    /// Slots lie at floor(k * 10^9 / rate) from the anchor, for as long as the stream lasts.
    @Test(arguments: PacingConfiguration.Rate.allCases) func slotTimesDoNotDrift(rate: PacingConfiguration.Rate) throws
    {
        var grid = try FrameGrid(PacingConfiguration(nominalRate: rate))
        for index in Int64(0)..<200_000 {
            let offset = index * 1_000_000_000 / Int64(rate.rawValue)
            let time = Traces.start + offset
            let expected = SlotWork(repeats: 0, slotIndex: index, slotTime: time, reset: false, frameTime: time)
            let admission = grid.admit(time)
            guard admission == .run(expected) else {
                Issue.record("\(index): \(admission)")
                return
            }
            #expect(rate.nanoseconds(ofSlots: index) == offset)
        }
    }

    @Test func slotsOfAnyCountStayInRange() {
        #expect(PacingConfiguration.Rate.hz120.nanoseconds(ofSlots: 0) == 0)
        #expect(PacingConfiguration.Rate.hz120.nanoseconds(ofSlots: 1) == 8_333_333)
        #expect(PacingConfiguration.Rate.hz120.nanoseconds(ofSlots: 16) == 133_333_333)
        #expect(PacingConfiguration.Rate.hz60.nanoseconds(ofSlots: 2) == 33_333_333)
        #expect(PacingConfiguration.Rate.hz30.nanoseconds(ofSlots: 3) == 100_000_000)
        #expect(PacingConfiguration.Rate.hz120.nanoseconds(ofSlots: .max) == .max)
        // 2^62 slots of 1/120 s overflow; 10^12 of them are 8,333,333,333 1/3 s.
        #expect(PacingConfiguration.Rate.hz120.nanoseconds(ofSlots: 1_000_000_000_000) == 8_333_333_333_333_333_333)
    }
}
