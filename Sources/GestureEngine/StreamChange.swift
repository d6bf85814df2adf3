public import Scheduling

/// A decision about how a stream runs, with its reason.
public enum StreamChange: Sendable, Equatable {
    /// The pace was halved or restored.
    case pace(SchedulerState.PaceChange)
    /// Heat, battery or stillness allow another pace, latency and interface.
    case budget(SchedulerState.BudgetChange)
    /// The scene became still, or moves again.
    case activity(SchedulerState.ActivityChange)
    /// Pixels replaced landmarks, or landmarks came back.
    case frontEnd(SchedulerState.FrontEndChange)
    /// Another compute unit will take over as soon as its window is full.
    case unit(SchedulerState.UnitSwitch)

    /// Room for the changes of one frame: two of each kind that the schedule makes, and a switch of units.
    static let mostPerFrame = 10
}
