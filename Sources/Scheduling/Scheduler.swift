package import Vocabulary

/// Decides which slots of a stream run. The caller passes the time.
///
/// The pace is the slowest that heat, battery, stillness and deadlines ask for. All times are nanoseconds of one clock
/// of the caller's choice.
///
/// For each frame call `decide(slot:)`. A processed frame then has `observe(activity:at:)` and `observe(stepLatency:at:)`, one
/// that a newer one replaced `observeSuperseded(at:)`. Readings of the device may come at any time. An idle stream runs
/// every second slot, so a movement wakes it within two.
package struct Scheduler: Sendable {
    package let slotPeriod: Int64
    package private(set) var counts = SessionStatistics.SchedulingCounts()

    private let budgetConfiguration: SchedulingConfiguration.Budget?
    private var budget: SchedulerState.Budget
    private var controller: PaceController?
    private var monitor: ActivityMonitor?
    private var reading = DeviceReading()

    private var pace = SchedulerState.Pace.full
    private var limit: SchedulerState.SkipReason?
    private var latestRun: Int64?

    /// - Parameter slotPeriod: nanoseconds from one slot to the next, 100 us...10 s.
    package init(
        _ configuration: SchedulingConfiguration = SchedulingConfiguration(), slotPeriod: Int64
    ) throws(ConfigurationError) {
        try configuration.validate()
        try ConfigurationError.check(
            .nanoseconds(slotPeriod), "slotPeriod", in: SchedulingConfiguration.Pace.slotPeriods)
        self.slotPeriod = slotPeriod
        budgetConfiguration = configuration.budget
        if let pace = configuration.pace { controller = try PaceController(pace, slotPeriod: slotPeriod) }
        if let activity = configuration.activity { monitor = try ActivityMonitor(activity) }
        budget = Self.budget(reading, .active, budgetConfiguration)
        combine()
    }

    /// Decides about a slot, once, before its frame is processed.
    ///
    /// A slot runs if it is at least the pace's interval after the slot that ran last. A remainder of the slot's index
    /// would serve a stream without gaps, but could hit only empty slots for ever where the camera fills every second
    /// one. Counting from the last run also makes a change of pace take effect at once, and no gap is longer than the
    /// slower of the two paces. A slot that is not after the last run belongs to a stream that starts anew, and runs.
    package mutating func decide(slot: Int64) -> SlotDecision {
        if let latestRun, let limit, slot > latestRun,
            slot.subtractingSaturated(latestRun) < Int64(pace.interval)
        {
            counts.skips.count(limit)
            return .skip(limit)
        }
        latestRun = slot
        counts.run += 1
        return .run
    }

    /// Takes in the device's state.
    package mutating func observe(_ reading: DeviceReading, at time: Int64) -> SchedulerState.Changes {
        self.reading = reading
        let pace = controller?.observe(celsius: reading.celsius, at: time)
        return settle(SchedulerState.Changes(pace: pace), at: time)
    }

    /// Takes in how much a processed frame changes, as `SchedulingConfiguration.Activity` defines it.
    package mutating func observe(activity amount: Double, at time: Int64) -> SchedulerState.Changes {
        guard let change = monitor?.observe(amount: amount, at: time) else { return SchedulerState.Changes() }
        return settle(SchedulerState.Changes(activity: change), at: time)
    }

    /// Takes in how long a processed frame took. Its deadline is the time to the next slot that runs at the current
    /// pace; a longer time is a miss. Values below 0 are ignored.
    package mutating func observe(stepLatency latency: Int64, at time: Int64) -> SchedulerState.Changes {
        let deadline = self.deadline
        if latency > deadline { counts.deadlineMisses += 1 }
        guard let change = controller?.observe(latency: latency, deadline: deadline, at: time) else {
            return SchedulerState.Changes()
        }
        return settle(SchedulerState.Changes(pace: change), at: time)
    }

    /// A newer frame replaced one: it has no result in time, so it counts as a miss.
    ///
    /// Such misses lower full pace alone. At a lower pace the steps' own times decide: a single long step makes many
    /// frames give way, which would take the pace down to a sixth at once.
    package mutating func observeSuperseded(at time: Int64) -> SchedulerState.Changes {
        let deadline = self.deadline
        counts.deadlineMisses += 1
        guard controller?.pace == .full,
            let change = controller?.observe(latency: deadline + 1, deadline: deadline, at: time)
        else { return SchedulerState.Changes() }
        return settle(SchedulerState.Changes(pace: change), at: time)
    }

    /// Time for a step at the current pace, in nanoseconds.
    package var deadline: Int64 { slotPeriod * Int64(pace.interval) }

    /// Another compute unit takes over: earlier latencies say nothing about it.
    package mutating func unitChanged() { controller?.forgetLatencies() }

    /// The stream starts anew: slots and times may begin again, the next slot runs, and the scene is active until it is
    /// shown to be still. Pace, heat and counts stay.
    package mutating func restart() {
        latestRun = nil
        monitor?.restart()
        controller?.restart()
        budget = Self.budget(reading, .active, budgetConfiguration)
        combine()
    }

    package var state: SchedulerState {
        SchedulerState(
            pace: pace, limit: limit, budget: budget, controlledPace: controller?.pace ?? .full,
            latestPaceChange: controller?.latestChange, activity: monitor?.activity ?? .active, reading: reading)
    }

    /// Adds the change of the budget, counts all changes and updates the pace.
    private mutating func settle(_ changes: SchedulerState.Changes, at time: Int64) -> SchedulerState.Changes {
        var changes = changes
        let next = Self.budget(reading, monitor?.activity ?? .active, budgetConfiguration)
        if next != budget {
            changes.budget = SchedulerState.BudgetChange(from: budget, to: next, time: .nanoseconds(time))
            budget = next
            counts.budgetChanges += 1
        }
        if let change = changes.pace {
            if change.isDown { counts.pacesLowered += 1 } else { counts.pacesRaised += 1 }
        }
        if changes.activity?.to == .idle { counts.idlePeriods += 1 }
        combine()
        return changes
    }

    private mutating func combine() {
        let controlled = controller?.pace ?? .full
        pace = budget.pace.slower(controlled)
        limit =
            if pace == .full {
                nil
            } else if budget.pace.interval > controlled.interval {
                budget.limit
            } else if budget.pace == controlled, budget.reason == .warm || budget.reason == .hot {
                .heat
            } else {
                .pace
            }
    }

    private static func budget(
        _ reading: DeviceReading, _ activity: SchedulerState.Activity, _ configuration: SchedulingConfiguration.Budget?
    ) -> SchedulerState.Budget {
        guard let configuration else {
            return SchedulerState.Budget(thermal: .nominal, battery: nil, activity: activity)
        }
        return SchedulerState.Budget(
            thermal: reading.thermal, battery: reading.battery, activity: activity, configuration: configuration)
    }
}
