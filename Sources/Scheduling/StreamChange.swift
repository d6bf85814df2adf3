public import Vocabulary

/// A decision about how a stream runs, with its reason, or what keeps it from running. Times are those of the clock that
/// stamped the frames.
public enum StreamChange: Sendable, Equatable {
    /// The pace was lowered or raised by a step.
    case pace(from: SchedulerState.Pace, to: SchedulerState.Pace, reason: Reason, at: Duration)
    /// Heat, battery or stillness allow another pace, latency and interface; `to.limit` is the cause.
    case budget(from: SchedulerState.Budget, to: SchedulerState.Budget, at: Duration)
    /// The scene became still, or moves again.
    case idle(Bool, at: Duration)
    /// Another compute unit will take over as soon as its window is full. Units are indices in the order of preference,
    /// 0 the preferred one; `p95` is the 95th percentile of the replaced one, nil if it failed.
    case unit(from: Int, to: Int, reason: Reason, p95: Duration?, at: Duration)
    /// The times of the frames cannot be used. Each fault is reported once.
    case times(TimeFault)
    /// The frames have no colour, and the hand networks find few hands in such frames. A stream of landmarks reports it
    /// once.
    case grayFrames(at: Duration)
    /// The wake pose was held: gestures count from here on.
    case armed(at: Duration)
    /// The time after the wake pose, or after the latest gesture, is over: gestures are withheld from `at` on. The frame
    /// that reports it may be later.
    case disarmed(at: Duration)

    /// Why a pace or a compute unit is left.
    public enum Reason: Sendable, Hashable, CaseIterable {
        /// A pace, down: too many consecutive steps missed their deadline.
        case deadlineMisses
        /// A pace, down: the temperature reached the upper threshold.
        case temperatureHigh
        /// A pace, up: the temperature fell below the lower threshold.
        case temperatureRecovered
        /// A pace, up: a time without missed deadlines has passed, and latency leaves room. A unit: it does well, but the
        /// preferred one is tried again.
        case probe
        /// A unit: its 95th percentile is above the limit.
        case slow
        /// A unit: it was tried again and is still slow.
        case probeFailed
        /// A unit: it could not compute a frame.
        case failed
    }

    /// Room for the changes of one frame: two of each kind that the schedule makes, a switch of units, a fault of the
    /// times, frames without colour, and one each of being armed and disarmed.
    package static let maximumPerFrame = 11
}

extension StreamChange {
    /// A change of the pace.
    package static func pace(_ change: SchedulerState.PaceChange) -> StreamChange {
        .pace(from: change.from, to: change.to, reason: Reason(change.reason), at: change.time)
    }

    /// A change of the budget.
    package static func budget(_ change: SchedulerState.BudgetChange) -> StreamChange {
        .budget(from: change.from, to: change.to, at: change.time)
    }

    /// A change of the scene.
    package static func activity(_ change: SchedulerState.ActivityChange) -> StreamChange {
        .idle(change.to == .idle, at: change.time)
    }

    /// A switch of compute units.
    package static func unit(_ change: SchedulerState.UnitSwitch) -> StreamChange {
        .unit(
            from: change.from, to: change.to, reason: Reason(change.reason), p95: change.p95, at: change.time)
    }
}

extension StreamChange.Reason {
    fileprivate init(_ reason: SchedulerState.PaceChange.Reason) {
        self =
            switch reason {
            case .deadlineMisses: .deadlineMisses
            case .temperatureHigh: .temperatureHigh
            case .temperatureRecovered: .temperatureRecovered
            case .probe: .probe
            }
    }

    fileprivate init(_ reason: SchedulerState.UnitSwitch.Reason) {
        self =
            switch reason {
            case .slow: .slow
            case .probe: .probe
            case .probeFailed: .probeFailed
            case .failed: .failed
            }
    }
}

extension SchedulerState {
    /// Another compute unit took over.
    package struct UnitSwitch: Sendable, Equatable {
        /// Index in the order of preference, 0 the preferred one.
        package let from: Int
        /// Index in the order of preference.
        package let to: Int
        /// Why the first was replaced.
        package let reason: Reason
        /// When, on the clock that the selector was stepped with.
        package let time: Duration
        /// The 95th percentile of the replaced unit; nil if it failed.
        package let p95: Duration?

        package init(from: Int, to: Int, reason: Reason, time: Duration, p95: Duration?) {
            (self.from, self.to, self.reason, self.time, self.p95) = (from, to, reason, time, p95)
        }

        /// Why a unit is replaced.
        package enum Reason: Sendable, Equatable, CaseIterable {
            /// Its 95th percentile is above the threshold.
            case slow
            /// It does well, but the preferred one is tried again.
            case probe
            /// It was tried again and is still slow.
            case probeFailed
            /// It could not compute a frame.
            case failed
        }
    }
}
