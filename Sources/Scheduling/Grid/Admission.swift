package import Vocabulary

/// What happens to a frame at the grid.
package enum Admission: Sendable, Equatable {
    /// The frame has a slot of its own, and may be processed.
    case run(SlotWork)
    /// The frame's slot already has its column, because the camera is faster than the grid. Normal, and not processed.
    case surplus
    /// The timestamp does not continue the stream. Not processed.
    case dropped(FrameCounts.DropReason)
}
