import Scheduling
import Vocabulary

/// Timestamps of scripted cameras, in nanoseconds.
enum Traces {
    static let start: Int64 = 5_000_000_123
    /// The earliest time that is not beyond the horizon, and the latest.
    static let earliest: Int64 = -4_611_686_018_427_387_903
    static let latest: Int64 = 4_611_686_018_427_387_904

    /// `count` frames at `frames` per `seconds`, each moved by a uniform jitter of at most `jitter` nanoseconds.
    static func steady(
        _ frames: Int64, per seconds: Int64 = 1, count: Int, jitter: Int64 = 0, seed: UInt64 = 1, from: Int64 = start
    ) -> [Int64] {
        var generator = SplitMix64(seed: seed)
        return (0..<Int64(count)).map { index in
            let moved = jitter == 0 ? 0 : Int64.random(in: -jitter...jitter, using: &generator)
            return from + index * seconds * 1_000_000_000 / frames + moved
        }
    }
}

/// What a trace came to, gathered from the admissions alone.
struct TraceLog {
    var admissions: [Admission] = []
    var runs: [(timestamp: Int64, run: SlotWork)] = []
    var surplus = 0
    var drops: [FrameCounts.DropReason] = []

    var repeats: [Int] { runs.map(\.run.repeatsBefore) }
    var columns: Int { runs.count + repeats.reduce(0, +) }
    var resets: Int { runs.count(where: \.run.reset) }

    init(_ timestamps: [Int64], through grid: inout FrameGrid) {
        for timestamp in timestamps {
            let admission = grid.admit(timestamp)
            admissions.append(admission)
            switch admission {
            case .run(let run): runs.append((timestamp, run))
            case .surplus: surplus += 1
            case .dropped(let reason): drops.append(reason)
            }
        }
    }

    init(_ timestamps: [Int64], _ rate: PacingConfiguration.Rate = .hz120, _ policy: PacingConfiguration.Policy = .grid)
        throws
    {
        var grid = try FrameGrid(PacingConfiguration(nominalRate: rate, policy: policy))
        self.init(timestamps, through: &grid)
    }
}
