import Scheduling
import Testing
import Vocabulary

@Suite struct FrameGridTraceTests {
    private static let jitters: [Int64] = [0, 500_000, 1_500_000, 3_000_000]

    /// Columns against the time that passed, within one slot.
    private func expectColumns(
        _ log: TraceLog, _ timestamps: [Int64], _ rate: PacingConfiguration.Rate,
        _ location: SourceLocation = #_sourceLocation
    ) throws {
        let first = try #require(timestamps.first)
        let last = try #require(timestamps.last)
        let slots = Double(last - first) * Double(rate.rawValue) / 1e9
        #expect(abs(Double(log.columns - 1) - slots) <= 1, sourceLocation: location)
    }

    /// Real time between the frames of the first and the last column of each full window.
    private func windowSpans(_ log: TraceLog) -> [Int64] {
        var columns: [Int64] = []
        for (timestamp, run) in log.runs {
            if let previous = columns.last {
                columns += [Int64](repeating: previous, count: run.repeatsBefore)
            }
            columns.append(timestamp)
        }
        guard columns.count >= 17 else { return [] }
        return (16..<columns.count).map { columns[$0] - columns[$0 - 16] }
    }

    @Test(arguments: PacingConfiguration.Rate.allCases, jitters) func nominalCameraNeedsNoCorrection(
        rate: PacingConfiguration.Rate, jitter: Int64
    ) throws {
        for seed in UInt64(0)..<20 {
            let timestamps = Traces.steady(Int64(rate.rawValue), count: 5_000, jitter: jitter, seed: seed)
            let log = try TraceLog(timestamps, rate)
            #expect(log.runs.count == 5_000 && log.columns == 5_000 && log.resets == 0)
        }
    }

    /// A slower camera never has surplus, a faster one never repeats, whatever the phase and the jitter.
    @Test(arguments: jitters) func driftIsCorrectedInOneDirection(jitter: Int64) throws {
        let slower: [(Int64, Int64, PacingConfiguration.Rate)] = [
            (120_000, 1_001, .hz120), (30_000, 1_001, .hz30), (60_000, 1_001, .hz60), (119, 1, .hz120),
            (100, 1, .hz120), (95, 1, .hz120), (90, 1, .hz120), (60, 1, .hz120), (30, 1, .hz120), (24, 1, .hz30),
        ]
        for (frames, seconds, rate) in slower {
            let timestamps = Traces.steady(frames, per: seconds, count: 20_000, jitter: jitter, seed: 9)
            let log = try TraceLog(timestamps, rate)
            #expect(log.surplus == 0 && log.resets == 0 && log.drops.isEmpty, "\(frames)/\(seconds)")
            try expectColumns(log, timestamps, rate)
        }
        let faster: [(Int64, Int64, PacingConfiguration.Rate)] = [
            (121, 1, .hz120), (150, 1, .hz120), (61, 1, .hz60), (120_000, 999, .hz120), (31, 1, .hz30),
        ]
        for (frames, seconds, rate) in faster {
            let timestamps = Traces.steady(frames, per: seconds, count: 20_000, jitter: jitter, seed: 9)
            let log = try TraceLog(timestamps, rate)
            #expect(log.repeats.allSatisfy { $0 == 0 } && log.resets == 0 && log.drops.isEmpty, "\(frames)/\(seconds)")
            #expect(log.surplus > 0)
            try expectColumns(log, timestamps, rate)
        }
    }

    @Test func slipsAreAsRareAsTheDrift() throws {
        // 119.88 frames a second lose 0.12 slots a second: 100 s lose 12.
        let log = try TraceLog(Traces.steady(120_000, per: 1_001, count: 11_988, jitter: 3_000_000))
        #expect((11...13).contains(log.columns - log.runs.count))
        #expect(log.repeats.max() == 1)
    }

    @Test func patternsOfSteadyCameras() throws {
        func repeats(_ frames: Int64, _ rate: PacingConfiguration.Rate = .hz120) throws -> [Int] {
            try TraceLog(Traces.steady(frames, count: 13), rate).repeats
        }
        #expect(try repeats(120) == [Int](repeating: 0, count: 13))
        #expect(try repeats(90) == [0, 0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1])
        #expect(try repeats(60) == [0] + [Int](repeating: 1, count: 12))
        #expect(try repeats(30) == [0] + [Int](repeating: 3, count: 12))
        #expect(try repeats(100) == [0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0])
        #expect(try repeats(30, .hz60) == [0] + [Int](repeating: 1, count: 12))
        #expect(try repeats(30, .hz30) == [Int](repeating: 0, count: 13))
    }

    @Test func twiceTheRateIsHalfSurplus() throws {
        let timestamps = Traces.steady(240, count: 10_001)
        let log = try TraceLog(timestamps)
        #expect(log.repeats.allSatisfy { $0 == 0 })
        #expect(abs(log.surplus - 5_000) <= 1)
        try expectColumns(log, timestamps, .hz120)
        let jittered = Traces.steady(240, count: 10_001, jitter: 1_500_000)
        try expectColumns(try TraceLog(jittered), jittered, .hz120)
    }

    @Test(arguments: [120, 119, 100, 95, 90, 60]) func windowSpansSixteenSlots(frames: Int64) throws {
        let slot = 1e9 / 120
        let spans = windowSpans(try TraceLog(Traces.steady(frames, count: 4_000)))
        let error = spans.map { abs(Double($0) - 16 * slot) }.max()
        // A frame is held for its own interval, so a camera at 60 Hz shows a time up to its interval back.
        #expect(try #require(error) <= max(slot, 1e9 / Double(frames)) + 1)
        #expect(spans.count > 3_000)
    }

    @Test func lostFramesAreFilled() throws {
        for lost in 1...15 {
            var timestamps = Traces.steady(120, count: 200)
            timestamps.removeSubrange(100..<(100 + lost))
            let log = try TraceLog(timestamps)
            #expect(log.repeats.enumerated().filter { $0.element > 0 }.map(\.offset) == [100])
            #expect(log.repeats[100] == lost && log.resets == 0)
        }
        for lost in [16, 17, 50, 119] {
            var timestamps = Traces.steady(120, count: 300)
            timestamps.removeSubrange(100..<(100 + lost))
            let log = try TraceLog(timestamps)
            #expect(log.repeats.allSatisfy { $0 == 0 })
            #expect(log.runs.enumerated().filter { $0.element.run.reset }.map(\.offset) == [100])
            #expect(log.runs[100].run.slotTime == timestamps[100] && log.drops.isEmpty)
        }
    }

    @Test(arguments: PacingConfiguration.Rate.allCases, [PacingConfiguration.Policy.grid, .literal()])
    func gapOfTheWindowAndBeyond(
        rate: PacingConfiguration.Rate, policy: PacingConfiguration.Policy
    ) throws {
        let period = Int64(1_000_000_000 / rate.rawValue)
        let start = Traces.start
        for (gap, expected) in [(16 * period, false), (17 * period + 17, true), (30 * period, true)] {
            let log = try TraceLog([start, start + gap], rate, policy)
            let run = try #require(log.runs.last).run
            #expect(run.reset == expected, "\(rate) \(gap)")
            let filled = policy == .grid ? 15 : 1
            #expect(run.repeatsBefore == (expected ? 0 : filled))
            #expect(run.slotIndex == (expected ? 1 : Int64(filled) + 1))
        }
    }

    @Test func firstFrameIsNoReset() throws {
        var grid = try FrameGrid()
        #expect(grid.admit(7) == .run(SlotWork(repeats: 0, slotIndex: 0, slotTime: 7, reset: false, frameTime: 7)))
        #expect(
            grid.admit(8_333_340)
                == .run(SlotWork(repeats: 0, slotIndex: 1, slotTime: 8_333_340, reset: false, frameTime: 8_333_340)))
        grid.restart()
        #expect(grid.admit(3) == .run(SlotWork(repeats: 0, slotIndex: 2, slotTime: 3, reset: false, frameTime: 3)))
        #expect(grid.counts.run == 3 && grid.counts.resets == 0)
    }

    /// Exactly 7/8 of a slot is still the frame's own slot, to either side; a nanosecond more is not.
    @Test func theToleranceBelongsToTheSlot() throws {
        // 62.5 ms are 1.875 slots of 30 Hz: 7/8 of one after the slot that is due.
        #expect(try TraceLog([0, 62_500_000], .hz30).repeats == [0, 0])
        #expect(try TraceLog([0, 62_500_001], .hz30).repeats == [0, 1])
        // The slot that is due lies 2 slots after the first frame, 37.5 ms are 1.125 of them.
        #expect(try TraceLog([0, 33_333_333, 37_500_000], .hz30).surplus == 0)
        #expect(try TraceLog([0, 33_333_333, 37_499_999], .hz30).surplus == 1)
    }
}
