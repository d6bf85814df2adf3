import Scheduling
import Testing
import Vocabulary

/// Bad timestamps: what is dropped, and how the stream recovers.
@Suite struct TimelineTests {
    private static let frame: Int64 = 8_333_333

    /// 50 good frames, the given ones, then `after` good ones that go on from `resume` periods after the 50th.
    private func log(
        _ bad: [Int64], after: Int = 50, _ policy: PacingConfiguration.Policy = .grid
    ) throws -> (log: TraceLog, counts: FrameCounts) {
        var grid = try FrameGrid(PacingConfiguration(policy: policy))
        let good = Traces.steady(120, count: 50 + after)
        let log = TraceLog(good[..<50] + bad + good[50...], through: &grid)
        return (log, grid.counts)
    }

    private static var last: Int64 { Traces.start + 49 * 1_000_000_000 / 120 }

    @Test(arguments: [PacingConfiguration.Policy.grid, .literal()]) func oneBadTimestampCostsThatFrame(
        policy: PacingConfiguration.Policy
    ) throws {
        let cases: [(Int64, FrameCounts.DropReason)] = [
            (Self.last, .equalTimestamp), (Self.last - 1, .backwardTimestamp), (0, .backwardTimestamp),
            (-1, .backwardTimestamp), (Traces.earliest, .backwardTimestamp), (Traces.earliest - 1, .beyondHorizon),
            (.min, .beyondHorizon), (.max, .beyondHorizon), (Traces.latest + 1, .beyondHorizon),
            (Traces.latest, .unconfirmedJump),
            (Self.last + 1_000_000_001, .unconfirmedJump), (Self.last + 3_600_000_000_000, .unconfirmedJump),
        ]
        for (timestamp, reason) in cases {
            let (log, counts) = try log([timestamp], policy)
            #expect(log.admissions[50] == .dropped(reason), "\(timestamp)")
            #expect(log.runs.count == 100 && log.columns == 100 && log.resets == 0, "\(timestamp)")
            #expect(counts.drops == 1)
        }
    }

    @Test func badTimestampsMayComeInPairs() throws {
        let far = Self.last + 10_000_000_000
        for pair in [[far, far + Self.frame], [0, Self.frame], [far, 0], [.max, .min], [Self.last, Self.last]] {
            let (log, counts) = try log(pair)
            #expect(log.runs.count == 100 && log.columns == 100 && log.resets == 0, "\(pair)")
            #expect(counts.drops == 2)
        }
    }

    @Test func threeConsistentFramesMoveTheStream() throws {
        let origins: [Int64] = [
            Self.last + 10_000_000_000, 0, Self.last - 500_000_000, -3_600_000_000_000, Traces.earliest,
        ]
        for origin in origins {
            var grid = try FrameGrid()
            let log = TraceLog(
                Traces.steady(120, count: 50) + Traces.steady(120, count: 50, from: origin), through: &grid)
            #expect(log.runs.count == 98 && log.columns == 98)
            #expect(
                log.drops
                    == [FrameCounts.DropReason](
                        repeating: origin > Self.last ? .unconfirmedJump : .backwardTimestamp, count: 2))
            let restart = log.runs[50]
            #expect(restart.run.reset && restart.timestamp == origin + 2 * 1_000_000_000 / 120)
            #expect(restart.run.slotTime == restart.timestamp && restart.run.slotIndex == 50)
            #expect(grid.counts.resets == 1)
        }
    }

    @Test func aBadFirstTimestampCostsTwoFrames() throws {
        for first in [Int64(1) << 62, 1 << 61, Traces.start + 90_000_000_000] {
            let log = try TraceLog([first] + Traces.steady(120, count: 50))
            #expect(log.drops == [.backwardTimestamp, .backwardTimestamp])
            #expect(log.runs.count == 49 && log.resets == 1)
        }
        for first in [Int64.min, .max] {
            let log = try TraceLog([first] + Traces.steady(120, count: 50))
            #expect(log.drops.count == 1 && log.runs.count == 50 && log.resets == 0)
        }
    }

    @Test func aBelievedJumpIsTakenBack() throws {
        // 0.9 s ahead: within the longest gap, so believed; then the good frames confirm each other.
        let (log, counts) = try log([Self.last + 900_000_000])
        #expect(log.drops == [.backwardTimestamp, .backwardTimestamp])
        #expect(log.runs.count == 50 + 1 + 48)
        #expect(counts.resets == 2)
    }

    @Test func framesOutOfOrderNeverMoveTheStream() throws {
        var timestamps = Traces.steady(120, count: 400)
        for index in stride(from: 0, to: 396, by: 4) { timestamps.swapAt(index + 1, index + 2) }
        let log = try TraceLog(timestamps)
        #expect(log.drops.count == 99 && log.drops.allSatisfy { $0 == .backwardTimestamp })
        #expect(log.resets == 0)
        #expect(log.columns == 400)
    }

    @Test func aSecondClockBetweenTheFramesIsDropped() throws {
        let good = Traces.steady(120, count: 200)
        for offset in [Int64(-3_000_000_000), 3_000_000_000] {
            let log = try TraceLog(good.flatMap { [$0, $0 + offset] })
            #expect(log.runs.count == 200 && log.columns == 200 && log.resets == 0)
            #expect(log.drops.count == 200)
        }
    }

    @Test func equalTimestampsNeitherFeedNorClearASuspicion() throws {
        let start = Traces.start
        let log = try TraceLog([start, start, start, start, 1, start, 2, start, 3])
        #expect(
            log.drops == [
                .equalTimestamp, .equalTimestamp, .equalTimestamp, .backwardTimestamp, .equalTimestamp,
                .backwardTimestamp, .equalTimestamp,
            ])
        #expect(log.runs.map(\.timestamp) == [start, 3] && log.resets == 1)
    }

    /// Frames that confirm each other move on: a clock that stands still elsewhere is no stream.
    @Test func aTimestampDoesNotConfirmItself() throws {
        let start = Traces.start
        let log = try TraceLog([start] + [Int64](repeating: 1, count: 6) + [start + Self.frame])
        #expect(log.drops == [FrameCounts.DropReason](repeating: .backwardTimestamp, count: 6))
        #expect(log.runs.count == 2 && log.resets == 0)
    }

    @Test func pauseOfASecondIsBelievedAndALongerOneConfirmed() throws {
        let second: Int64 = 1_000_000_000
        let believed = try TraceLog([0, second])
        #expect(believed.runs.map(\.run.reset) == [false, true])
        let confirmed = try TraceLog([0, second + 1, second + 2 + Self.frame, second + 3 + 2 * Self.frame])
        #expect(confirmed.drops == [.unconfirmedJump, .unconfirmedJump])
        #expect(confirmed.runs.map(\.run.reset) == [false, true])
    }

    /// The order of times matters, and no sign.
    @Test(arguments: [PacingConfiguration.Policy.grid, .literal()]) func timesBelowZeroAreTimes(
        policy: PacingConfiguration.Policy
    ) throws {
        let origins: [Int64] = [-500_000_000, -3_600_000_000_000, Traces.earliest]
        for origin in origins {
            let log = try TraceLog(Traces.steady(120, count: 200, from: origin), .hz120, policy)
            #expect(log.runs.count == 200 && log.columns == 200 && log.drops.isEmpty && log.resets == 0)
        }
    }

    /// The third frame confirms the step; from then on each frame starts anew.
    @Test(arguments: [(20, 21), (1, 2), (2, 9)], [Int64(0), 20_000_000]) func aSteadySlowCameraIsConfirmed(
        rate: (frames: Int64, seconds: Int64), jitter: Int64
    ) throws {
        let log = try TraceLog(Traces.steady(rate.frames, per: rate.seconds, count: 50, jitter: jitter))
        #expect(log.drops == [.unconfirmedJump, .unconfirmedJump])
        #expect(log.runs.map(\.run.reset) == [false] + [Bool](repeating: true, count: 47))
    }

    /// A step of a slow camera may be a quarter longer than the one before, and not by a nanosecond more.
    @Test(arguments: [(Int64(0), 3), (1, 2)]) func aSteadyStepMayBeAQuarterLonger(excess: Int64, runs: Int) throws {
        let second: Int64 = 1_000_000_000
        let log = try TraceLog([0, 2, 4, 6].map { $0 * second } + [8 * second + second / 2 + excess])
        #expect(log.runs.count == runs)
    }

    @Test func aFasterFrameEndsTheSlowCamera() throws {
        let second: Int64 = 1_000_000_000
        let log = try TraceLog([0, 2, 4, 6, 8, 9, 11].map { $0 * second })
        // Two seconds are no longer steady after one.
        #expect(log.runs.map(\.timestamp) == [0, 6, 8, 9].map { $0 * second })
        #expect(log.drops.count == 3)
    }

    @Test func framesAboveFiveSecondsApartAreRefused() throws {
        for step: Int64 in [6, 33, 3_600] {
            let log = try TraceLog(Traces.steady(1, per: step, count: 50))
            #expect(log.runs.count == 1 && log.drops.count == 49)
        }
        // Nor are jumps that have nothing in common.
        let log = try TraceLog([0, 40, 42, 47, 49, 54].map { $0 * 1_000_000_000 })
        #expect(log.runs.count == 1)
    }
}
