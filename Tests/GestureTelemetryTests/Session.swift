#if Telemetry
    import Scheduling

    /// Statistics of a stream whose parts are run by hand.
    struct Session {
        var grid: FrameGrid
        var scheduler: Scheduler
        var recorder: SessionRecorder
        /// Frames that were superseded by newer ones.
        var superseded = 0

        init(classCount: Int = 3) throws {
            grid = try FrameGrid()
            scheduler = try Scheduler(slotPeriod: 8_333_333)
            recorder = SessionRecorder(classCount: classCount)
        }

        var statistics: SessionStatistics {
            recorder.snapshot(frames: grid.counts, scheduling: scheduler.counts, superseded: superseded)
        }

        /// Lays frames on the grid, in nanoseconds.
        mutating func admit(_ times: [Int64]) {
            for time in times { _ = grid.admit(time) }
        }

        /// Decides about slots, each the next.
        mutating func decide(_ slots: Range<Int64>) {
            for slot in slots { _ = scheduler.decide(slot: slot) }
        }

        /// Three missed deadlines in a row.
        mutating func missDeadlines(at time: Int64) -> [StreamChange] {
            var changes = SchedulerState.Changes()
            for step in 0..<3 {
                changes = scheduler.observe(stepLatency: 40_000_000, at: time + Int64(step) * 10_000_000)
            }
            return changes.reported
        }
    }

    extension SchedulerState.Changes {
        /// What a stream reports of them, in its order.
        var reported: [StreamChange] {
            [activity.map { .activity($0) }, budget.map { .budget($0) }, pace.map { .pace($0) }].compactMap(\.self)
        }
    }

    extension Int64 {
        static let second: Int64 = 1_000_000_000
    }
#endif
