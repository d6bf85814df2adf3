import Scheduling
import Vocabulary

/// Counts and measures of a run, besides those of the stages, in constant memory.
struct SimulationTotals {
    var framesIn = 0
    var encoded = 0
    var logLines = 0
    var latencies = QuantileSketch()

    /// In the order of `SchedulerState.Pace.allCases`.
    private var ticksAtPace = SchedulerState.Pace.allCases.map { _ in 0 }
    private var ticksOnUnit: [Int]
    private var hottest = -Double.infinity

    private var switches = 0
    /// Times of the switches in the last minute: a configuration allows at most 60.
    private var recentSwitches: [Int64] = []
    private var maximumSwitches = 0

    /// The first of the steps down since the pace was last raised.
    private var pacedDownAt: Int64?
    private var latestMiss: Int64 = 0
    private var stableAfter: Int64?

    private var latestSlot: Int64?
    private var longestStride: Int64 = 0

    init(unitCount: Int) { ticksOnUnit = Array(repeating: 0, count: unitCount) }

    /// Counts a tick, every tenth of a second.
    mutating func tick(_ state: SchedulerState, unit: Int, celsius: Double) {
        for (index, pace) in SchedulerState.Pace.allCases.enumerated() where pace == state.pace {
            ticksAtPace[index] += 1
        }
        ticksOnUnit[unit] += 1
        hottest = max(hottest, celsius)
    }

    mutating func unitSwitched(at now: Int64) {
        switches += 1
        recentSwitches.removeAll { now - $0 >= 60_000_000_000 }
        recentSwitches.append(now)
        maximumSwitches = max(maximumSwitches, recentSwitches.count)
    }

    mutating func deadlineMissed(at now: Int64) { latestMiss = now }

    mutating func paceLowered(at now: Int64) {
        guard pacedDownAt == nil else { return }
        pacedDownAt = now
        latestMiss = now
    }

    mutating func paceRaised() {
        stableAfter = longestUnrest
        pacedDownAt = nil
    }

    private var longestUnrest: Int64? {
        guard let pacedDownAt else { return stableAfter }
        return max(stableAfter ?? 0, latestMiss - pacedDownAt)
    }

    /// Called when the grid restarts.
    mutating func strideBegins() { latestSlot = nil }

    mutating func stride(to slot: Int64) {
        if let latestSlot { longestStride = max(longestStride, slot - latestSlot) }
        latestSlot = slot
    }

    func summary(
        seconds: Double, frames: FrameCounts, scheduling: SessionStatistics.SchedulingCounts, superseded: Int,
        unfinished: Int
    ) -> SimulationSummary {
        SimulationSummary(
            seconds: seconds, frames_in: framesIn, run: frames.run, surplus: frames.surplus, dropped: frames.drops,
            repeats: frames.repeats, resets: frames.resets, encoded: encoded,
            superseded: superseded,
            unfinished: unfinished, skips: .init(scheduling.skips), deadline_misses: scheduling.deadlineMisses,
            seconds_at_pace: ticksAtPace.map { Double($0) / 10 }, paces_lowered: scheduling.pacesLowered,
            paces_raised: scheduling.pacesRaised, budget_changes: scheduling.budgetChanges,
            idle_periods: scheduling.idlePeriods, unit_switches: switches, most_switches_a_minute: maximumSwitches,
            seconds_on_unit: ticksOnUnit.map { Double($0) / 10 },
            stable_after_seconds: longestUnrest.map { Double($0) / 1e9 },
            longest_stride_slots: Int(longestStride), hottest_celsius: hottest, latency: .init(latencies),
            log_lines: logLines)
    }
}
