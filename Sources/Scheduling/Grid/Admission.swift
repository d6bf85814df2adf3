package import Vocabulary

/// What becomes of a frame.
package enum Admission: Sendable, Equatable {
    /// The frame is encoded, after the repeats that stand before it.
    case run(FrameRun)
    /// The frame's slot already has its column: the camera is faster than the grid. Healthy, not encoded.
    case surplus
    /// The timestamp does not continue the stream. Not encoded.
    case dropped(FrameCounts.DropReason)
}

/// Where an admitted frame goes.
package struct FrameRun: Sendable, Equatable {
    /// Slots before this frame that no frame came for, 0...15: each is filled by repeating the previous column.
    package let repeats: Int

    /// Index of the frame's column among all columns of the stream, from 0. It goes up by `repeats + 1` with each run,
    /// across resets too, so it counts the columns that were written.
    package let slotIndex: Int64

    /// Time of the slot in nanoseconds; under the literal policy, and in the first slot after a reset, the timestamp
    /// itself. It rises from run to run, except that a reset may set it back.
    /// A repeat k slots earlier lies `rate.nanoseconds(ofSlots: k)` before it, within a nanosecond.
    package let slotTime: Int64

    /// Nothing before this frame belongs to it: the window, the median and the gesture going on are to be cleared
    /// before it is encoded. Then `repeats` is 0. False for the first frame, which has nothing before it.
    package let reset: Bool

    package init(repeats: Int, slotIndex: Int64, slotTime: Int64, reset: Bool) {
        self.repeats = repeats
        self.slotIndex = slotIndex
        self.slotTime = slotTime
        self.reset = reset
    }
}
