/// What one piece of work took, in nanoseconds, and how often the unit changed in it.
struct StepTimes {
    /// Nil in work without a frame.
    var intake: Int64?
    /// Nil in work without a frame.
    var inference: Int64?
    /// Nil without a frame, and before a full window.
    var recognition: Int64?
    /// From the frame's arrival on, waits included; nil in work without a frame.
    var frame: Int64?
    /// Whether two units shared the time, which then says nothing about the pace that one can hold.
    var isShared = false
    var unitSwitches = 0
}

/// What the stages of one frame took in the landmark front end, in nanoseconds.
package struct StageTimes: Sendable, Equatable {
    /// Those that make the feature column.
    package var column: ColumnTimes
    /// From the feature column to the logits.
    package var temporal: Int64
    /// From the logits to events; 0 before a full window.
    package var recognition: Int64
}
