/// The times of one piece of work in nanoseconds, and how often the unit changed in it.
struct StepTimes {
    /// Nil in work without a frame.
    var intake: Int64?
    /// Nil in work without a frame.
    var inference: Int64?
    /// Nil in work without a frame, and before the first prediction.
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
    /// From the logits to events; 0 before the first prediction.
    package var recognition: Int64
}

/// The time that the landmark front end spends on a column, before its temporal layers, in nanoseconds.
package struct ColumnTimes: Sendable, Equatable {
    /// The palm detector; 0 if it did not run.
    package var palm: Int64 = 0
    /// The landmark network.
    package var landmark: Int64 = 0
    /// The pose networks.
    package var pose: Int64 = 0
    /// All of tracking except the networks, mostly the crops.
    package var crop: Int64 = 0
    /// Finding where the frame changes.
    package var motion: Int64 = 0
    /// The body tracker, for arms; 0 if it did not run.
    package var arms: Int64 = 0
    /// Conversion of landmarks, poses and motion to the column's quantised values.
    package var features: Int64 = 0

    package var sum: Int64 { palm + landmark + pose + crop + motion + arms + features }
}
