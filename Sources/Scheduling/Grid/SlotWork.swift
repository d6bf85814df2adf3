package import Vocabulary

/// The slots of a piece of work, oldest first: some without a frame, then at most one with a frame, then again some
/// without. A slot without a frame repeats the column before it, because no frame came for it or because its frame is
/// left out.
///
/// The grid makes it of an admitted frame. Work that has not begun is merged with the work that follows, and the newest
/// frame wins.
package struct SlotWork: Sendable, Equatable {
    /// Slots before the frame, which repeat the column before them; 0...15 as the grid makes it.
    package private(set) var repeatsBefore: Int
    /// Whether there is a frame to make a column of.
    package private(set) var hasFrame = true
    /// Slots after the frame, which repeat its column; 0 without a frame.
    package private(set) var repeatsAfter = 0
    /// Index of the frame's column among all columns of the stream, from 0. It rises by `repeatsBefore + 1` with each
    /// frame, also across resets, so it counts the written columns.
    package private(set) var slotIndex: Int64
    /// Time of the last slot in nanoseconds. It is the frame's own time under the literal policy and in the first slot
    /// after a reset. It rises, except that a reset may set it back. A slot k earlier is `rate.nanoseconds(ofSlots: k)`
    /// before it, within a nanosecond.
    package private(set) var slotTime: Int64
    /// Whether the stream starts anew with this work. If so, clear the window, the median and the current gesture
    /// before. False for a stream's first frame, before which there is nothing.
    package private(set) var reset: Bool
    /// When the frame was taken, in nanoseconds, as it was pushed.
    package private(set) var frameTime: Int64
    /// When the frame was pushed, by the stream's clock.
    package var arrival: Int64 = 0
    /// Nanoseconds spent on the frame before it became work.
    package var intake: Int64 = 0

    /// Work for a frame.
    package init(repeats: Int, slotIndex: Int64, slotTime: Int64, reset: Bool, frameTime: Int64) {
        repeatsBefore = repeats
        self.slotIndex = slotIndex
        self.slotTime = slotTime
        self.reset = reset
        self.frameTime = frameTime
    }

    /// Leaves out the frame: its slot repeats the column before.
    package mutating func leaveOutFrame() {
        guard hasFrame else { return }
        hasFrame = false
        repeatsBefore += 1
    }

    /// The number of slots in this work.
    package var slotCount: Int { repeatsBefore + (hasFrame ? 1 : 0) + repeatsAfter }

    /// Whether a slot, counted from 0, gets its column from the frame.
    package func isOfFrame(_ slot: Int) -> Bool { hasFrame && slot == repeatsBefore }

    /// The time of a slot, counted from 0, in nanoseconds.
    package func time(ofSlot slot: Int, at rate: PacingConfiguration.Rate) -> Int64 {
        slotTime - rate.nanoseconds(ofSlots: Int64(slotCount - 1 - slot))
    }

    /// Merges the work that follows. Returns whether this work's frame is dropped for it, and so never gets a column.
    package mutating func merge(_ next: SlotWork) -> Bool {
        let wasSuperseded = hasFrame && (next.reset || next.hasFrame)
        if next.reset {
            self = next
        } else if hasFrame && !next.hasFrame {
            repeatsAfter = min(repeatsAfter + next.repeatsBefore, FrameGrid.windowSlots)
            slotTime = next.slotTime
        } else {
            // After a reset there is no column to repeat yet: the stream begins with the first frame that gets a column.
            let missing = reset ? 0 : slotCount + next.repeatsBefore
            let isStale = missing >= FrameGrid.windowSlots
            let isReset = reset || isStale
            self = next
            reset = isReset
            repeatsBefore = isStale ? 0 : missing
        }
        return wasSuperseded
    }
}

/// What happens to a frame at the grid.
package enum Admission: Sendable, Equatable {
    /// The frame has a slot of its own, and may be processed.
    case run(SlotWork)
    /// The frame's slot already has its column, because the camera is faster than the grid. Normal, and not processed.
    case surplus
    /// The timestamp does not continue the stream. Not processed.
    case dropped(FrameCounts.DropReason)
}
