package import Vocabulary

/// What happens to a frame at the grid.
package enum Admission: Sendable, Equatable {
    /// The frame is processed, after the repeats before it.
    case run(FrameRun)
    /// The frame's slot already has its column, because the camera is faster than the grid. Normal, and not processed.
    case surplus
    /// The timestamp does not continue the stream. Not processed.
    case dropped(FrameCounts.DropReason)
}

/// The slot of an admitted frame.
package struct FrameRun: Sendable, Equatable {
    /// Slots before this frame that had no frame, 0...15: each is filled by a repeat of the previous column.
    package let repeats: Int

    /// Index of the frame's column among all columns of the stream, from 0. It rises by `repeats + 1` with each run,
    /// also across resets, so it counts the written columns.
    package let slotIndex: Int64

    /// Time of the slot in nanoseconds. It is the timestamp itself under the literal policy and in the first slot after
    /// a reset. It rises from run to run, except that a reset may set it back. A repeat k slots earlier is at
    /// `rate.nanoseconds(ofSlots: k)` before it, within a nanosecond.
    package let slotTime: Int64

    /// Whether the stream starts anew with this frame. If so, clear the window, the median and the current gesture
    /// before it is processed; `repeats` is 0. False for the first frame, before which there is nothing.
    package let reset: Bool

    package init(repeats: Int, slotIndex: Int64, slotTime: Int64, reset: Bool) {
        self.repeats = repeats
        self.slotIndex = slotIndex
        self.slotTime = slotTime
        self.reset = reset
    }
}
