public import Scheduling

/// A decision about how a stream runs, with its reason.
public enum StreamChange: Sendable, Equatable {
    /// The pace was halved or given back.
    case pace(SchedulerState.PaceChange)
    /// Heat, battery or stillness allow another pace, latency and interface.
    case budget(SchedulerState.BudgetChange)
    /// The scene fell still, or moves again.
    case activity(SchedulerState.ActivityChange)
    /// Pixels took the place of landmarks, or landmarks came back.
    case frontEnd(SchedulerState.FrontEndChange)
    /// Another compute unit takes over, once it has seen a window of frames.
    case unit(SchedulerState.UnitSwitch)

    /// Most changes that one frame brings: two of each kind that the schedule makes, and a switch.
    static let mostPerFrame = 10
}
