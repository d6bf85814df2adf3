import Vocabulary

/// Which frames a stream without a frame grid takes: every one, or every second, third or sixth, by the budget of heat
/// and battery (`SchedulerState.Budget`). A pure value; the caller passes the time.
package struct FrameThinning: Sendable {
    package private(set) var budget = SchedulerState.Budget(thermal: .nominal, battery: nil)
    /// Counts of taken frames, skipped frames and changes of the budget.
    package private(set) var counts = SessionStatistics.SchedulingCounts()
    private var reading = DeviceReading()
    /// Frames from the latest taken one to the next frame; before the first, as many as the slowest pace waits.
    private var distance = SchedulerState.Pace.sixth.interval

    package init() {}

    /// Takes in the device's state.
    /// - Parameter time: nanoseconds, of any clock.
    @discardableResult
    package mutating func observe(_ reading: DeviceReading, at time: Int64 = 0) -> SchedulerState.BudgetChange? {
        self.reading = reading
        let next = SchedulerState.Budget(thermal: reading.thermal, battery: reading.battery)
        guard next != budget else { return nil }
        defer { budget = next }
        counts.budgetChanges += 1
        return SchedulerState.BudgetChange(from: budget, to: next, time: .nanoseconds(time))
    }

    /// Decides about the next frame. Full pace has no limit and takes every frame.
    package mutating func decideNext() -> SlotDecision {
        guard let limit = budget.limit, distance < budget.pace.interval else {
            distance = 1
            counts.run += 1
            return .run
        }
        distance += 1
        counts.skips.count(limit)
        return .skip(limit)
    }

    package var state: SchedulerState {
        SchedulerState(
            pace: budget.pace, limit: budget.limit, budget: budget, controlledPace: .full,
            latestPaceChange: nil, activity: .active, reading: reading)
    }
}
