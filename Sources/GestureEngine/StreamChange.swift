public import Scheduling
public import Vocabulary

/// A decision about how a stream runs, with its reason, or what keeps it from running.
public enum StreamChange: Sendable, Equatable {
    /// The pace was lowered or raised by a step.
    case pace(SchedulerState.PaceChange)
    /// Heat, battery or stillness allow another pace, latency and interface.
    case budget(SchedulerState.BudgetChange)
    /// The scene became still, or moves again.
    case activity(SchedulerState.ActivityChange)
    /// Another compute unit will take over as soon as its window is full.
    case unit(SchedulerState.UnitSwitch)
    /// The times of the frames cannot be used; told once for each fault.
    case times(TimeFault)
    /// The frames have no colour, in which the networks of hands find little; told once by a stream of landmarks.
    case grayFrames(at: Duration)

    /// Room for the changes of one frame: two of each kind that the schedule makes, a switch of units, a fault of the
    /// times, and frames without colour.
    static let mostPerFrame = 9
}
