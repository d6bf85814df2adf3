import Scheduling
import Testing
import Vocabulary

@Suite struct SessionStatisticsTests {
    private static let frames: FrameCounts = {
        var frames = FrameCounts()
        frames.repeats = 4
        frames.equalTimestamps = 1
        frames.beyondHorizon = 2
        return frames
    }()

    private func snapshot(_ recorder: SessionRecorder) -> SessionStatistics {
        recorder.snapshot(
            frames: Self.frames, scheduling: SessionStatistics.SchedulingCounts(), superseded: 7
        )
    }

    @Test func nothingRecorded() {
        let statistics = snapshot(SessionRecorder(classCount: 3))
        #expect(statistics.frames == Self.frames)
        #expect(statistics.begins == [0, 0, 0] && statistics.ends == [0, 0, 0])
        #expect(statistics.superseded == 7 && statistics.unitSwitches == 0)
        for stage in SessionStatistics.Stage.allCases { #expect(statistics[stage] == nil) }
        #expect(snapshot(SessionRecorder(classCount: -1)).begins.isEmpty)
    }

    @Test func countsByClass() {
        var recorder = SessionRecorder(classCount: 3)
        for index in [0, 2, 2, -1, 3, .min, .max] { recorder.recordBegin(classIndex: index) }
        for index in [2, 1, -1, 3, .max] { recorder.recordEnd(classIndex: index) }
        for _ in 0..<5 { recorder.recordUnitSwitch() }
        let statistics = snapshot(recorder)
        #expect(statistics.begins == [1, 0, 2] && statistics.ends == [0, 1, 1])
        #expect(statistics.unitSwitches == 5)
    }

    @Test func eachStageHasItsOwnTimes() throws {
        var recorder = SessionRecorder(classCount: 0)
        for stage in SessionStatistics.Stage.allCases {
            let unit = Int64(stage.rawValue + 1) * millisecond
            for index in 1...100 { recorder.record(stage, nanoseconds: Int64(index) * unit) }
        }
        let statistics = snapshot(recorder)
        for stage in SessionStatistics.Stage.allCases {
            let latency = try #require(statistics[stage])
            let unit = stage.rawValue + 1
            #expect(latency.count == 100 && latency.maximum == .milliseconds(100 * unit))
            for (found, expected) in [(latency.p50, 50), (latency.p95, 95), (latency.p99, 99)] {
                let exact = Duration.milliseconds(expected * unit)
                #expect(found >= exact * 0.99 && found <= exact * 1.01, "\(stage) \(expected)")
            }
        }
        #expect(statistics.intake?.maximum == .milliseconds(100) && statistics.frame?.maximum == .milliseconds(400))
        #expect(statistics.inference?.maximum == .milliseconds(200))
        #expect(statistics.recognition?.maximum == .milliseconds(300))
    }

    /// Two threads record for themselves; together they are one session.
    @Test func mergedIsOneSession() {
        var random = SplitMix64(seed: 16)
        var whole = SessionRecorder(classCount: 4)
        var parts = [SessionRecorder(classCount: 4), SessionRecorder(classCount: 4)]
        for _ in 0..<5_000 {
            let part = Int.random(in: 0...1, using: &random)
            let stage = SessionStatistics.Stage.allCases.randomElement(using: &random) ?? .frame
            let time = Int64.random(in: -10...50 * millisecond, using: &random)
            let index = Int.random(in: 0..<4, using: &random)
            func record(_ recorder: inout SessionRecorder) {
                recorder.record(stage, nanoseconds: time)
                recorder.recordBegin(classIndex: index)
                if index > 1 { recorder.recordEnd(classIndex: index) }
                if index == 0 { recorder.recordUnitSwitch() }
            }
            record(&whole)
            record(&parts[part])
        }
        var merged = parts[0]
        merged.merge(parts[1])
        #expect(snapshot(merged) == snapshot(whole))
        #expect(snapshot(merged) != snapshot(parts[0]))
    }

    /// An hour at 120 Hz: counts stay exact and the percentiles those of the whole hour.
    @Test func anHour() throws {
        var random = SplitMix64(seed: 17)
        var recorder = SessionRecorder(classCount: 13)
        var begins = [Int](repeating: 0, count: 13)
        for slot in 0..<432_000 {
            recorder.record(.frame, nanoseconds: Int64.random(in: 1...10 * millisecond, using: &random))
            if slot % 240 == 0 {
                let index = Int.random(in: 0..<13, using: &random)
                begins[index] += 1
                recorder.recordBegin(classIndex: index)
            }
            if slot % 10_000 == 0 { #expect(snapshot(recorder).frame?.count == slot + 1) }
        }
        let statistics = snapshot(recorder)
        #expect(statistics.begins == begins && statistics.begins.reduce(0, +) == 1_800)
        let frame = try #require(statistics.frame)
        #expect(frame.count == 432_000)
        #expect(frame.p50 > .microseconds(4_900) && frame.p50 < .microseconds(5_100))
        #expect(frame.p95 > .microseconds(9_350) && frame.p95 < .microseconds(9_650))
        #expect(frame.p99 > .microseconds(9_750) && frame.p99 < .microseconds(10_000))
    }
}
