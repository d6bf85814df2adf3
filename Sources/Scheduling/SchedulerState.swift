/// What happens to a slot's frame.
package enum SlotDecision: Sendable, Equatable {
    /// It is processed.
    case run
    /// It is not processed: the newest column is repeated instead.
    case skip(SchedulerState.SkipReason)
}

extension SchedulerState {
    /// Why a frame was not processed although it came in time.
    public enum SkipReason: Sendable, Equatable, CaseIterable {
        /// The thermal state.
        case heat
        /// Missed deadlines or temperature lowered the pace.
        case pace
        /// The charge of the battery.
        case battery
        /// Nothing moves.
        case idle
    }
}

extension SessionStatistics {
    /// Exact counts of skipped slots.
    package struct SkipCounts: Codable, Sendable, Hashable {
        /// Slots skipped with `SchedulerState.SkipReason.heat`.
        package var heat = 0
        /// Slots skipped with `SchedulerState.SkipReason.pace`.
        package var pace = 0
        /// Slots skipped with `SchedulerState.SkipReason.battery`.
        package var battery = 0
        /// Slots skipped with `SchedulerState.SkipReason.idle`.
        package var idle = 0

        package init() {}

        /// Slots skipped, for all reasons.
        package var total: Int { heat + pace + battery + idle }

        mutating func count(_ reason: SchedulerState.SkipReason) {
            switch reason {
            case .heat: heat += 1
            case .pace: pace += 1
            case .battery: battery += 1
            case .idle: idle += 1
            }
        }
    }
}

extension SessionStatistics {
    /// Exact counts of a scheduler's decisions. Decided slots = `run + skipped`.
    public struct SchedulingCounts: Codable, Sendable, Hashable {
        /// Slots that ran.
        public package(set) var run = 0
        package var skips = SessionStatistics.SkipCounts()
        /// Steps that took longer than the time to the next slot that runs, and frames replaced by newer ones.
        public package(set) var deadlineMisses = 0
        /// Times the pace was lowered by a step.
        public package(set) var pacesLowered = 0
        /// Times the pace was raised by a step.
        public package(set) var pacesRaised = 0
        /// Changes of the frame budget.
        public package(set) var budgetChanges = 0
        /// Times the scene came to rest.
        public package(set) var idlePeriods = 0

        package init() {}

        /// Slots that were skipped, for all reasons.
        public var skipped: Int { skips.total }

        /// Slots that were skipped for a reason.
        public func skipped(for reason: SchedulerState.SkipReason) -> Int {
            switch reason {
            case .heat: skips.heat
            case .pace: skips.pace
            case .battery: skips.battery
            case .idle: skips.idle
            }
        }

        /// Changes of the pace, down and up.
        public var paceChanges: Int { pacesLowered + pacesRaised }
    }
}

/// A scheduler's decisions at one moment.
public struct SchedulerState: Sendable, Equatable {
    /// The pace of the slots: the slower of `budget.pace` and `controlledPace`.
    public let pace: SchedulerState.Pace

    /// What holds `pace` below full; nil at full pace.
    public let limit: SchedulerState.SkipReason?

    /// What heat, battery and stillness allow.
    public let budget: SchedulerState.Budget

    /// What missed deadlines and temperature allow.
    public let controlledPace: SchedulerState.Pace

    /// The last change of `controlledPace`, with its reason; nil before the first.
    package let latestPaceChange: SchedulerState.PaceChange?

    package let activity: SchedulerState.Activity

    /// Whether nothing has moved before the camera for a while.
    public var isIdle: Bool { activity == .idle }

    /// The latest reading of the device, as it was given.
    public let reading: DeviceReading
}

extension SchedulerState {
    /// What one observation changed: at most one value of each kind.
    package struct Changes: Sendable, Equatable {
        /// Change of what heat, battery and stillness allow.
        package var budget: SchedulerState.BudgetChange?
        /// Change of what missed deadlines and temperature allow.
        package var pace: SchedulerState.PaceChange?
        /// Whether the scene came to rest or began to move.
        package var activity: SchedulerState.ActivityChange?

        package init(
            budget: SchedulerState.BudgetChange? = nil, pace: SchedulerState.PaceChange? = nil,
            activity: SchedulerState.ActivityChange? = nil
        ) {
            self.budget = budget
            self.pace = pace
            self.activity = activity
        }

        /// Nothing changed.
        package var isEmpty: Bool { budget == nil && pace == nil && activity == nil }
    }
}
