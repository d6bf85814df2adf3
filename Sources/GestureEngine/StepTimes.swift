/// The times of one piece of work in nanoseconds, and how often the unit changed in it.
struct StepTimes {
    /// Nil in work without a frame.
    var intake: Int64?
    /// Nil in work without a frame.
    var inference: Int64?
    /// Nil in work without a frame, and before a full window.
    var recognition: Int64?
    /// From the frame's arrival to the end of the work, waits included; nil in work without a frame.
    var frame: Int64?
    /// Whether two units ran in this time. It then says nothing about the pace that one unit can hold.
    var isShared = false
    var unitSwitches = 0
}

/// The times of one frame's stages in the landmark front end, in nanoseconds.
package struct StageTimes: Sendable, Equatable {
    /// The stages that make the column.
    package var column: ColumnTimes
    /// From the column to the logits.
    package var temporal: Int64
    /// From the logits to events; 0 before a full window.
    package var recognition: Int64
}
