package import Scheduling
import Streams
import Vocabulary

/// The network's next work: slots without a frame, then at most one frame, then again slots without a frame. A slot has
/// no frame if none came or if it was skipped. The frame itself waits in `StreamIntake`, or is the one being pushed.
///
/// Work that has not begun is merged with the work that follows, and the newest frame wins.
package struct SlotWork: MergedWork, Equatable {
    /// Slots before the frame, which repeat the column before them.
    package private(set) var repeatsBefore: Int
    /// Whether there is a frame to make a column of.
    package private(set) var hasFrame: Bool
    /// Slots after the frame, which repeat its column; 0 without a frame.
    package private(set) var repeatsAfter = 0
    /// Time of the last slot in nanoseconds.
    package private(set) var slotTime: Int64
    /// Whether everything before is forgotten, after a long gap.
    package private(set) var reset: Bool
    /// When the frame was taken, in nanoseconds, as it was pushed.
    package private(set) var frameTime: Int64
    /// When the frame was pushed, by the stream's clock.
    package private(set) var arrival: Int64
    /// Nanoseconds spent on the frame before it became work.
    package private(set) var intake: Int64

    /// Work for a frame, or for a slot whose frame is skipped.
    package init(_ run: FrameRun, hasFrame: Bool, frameTime: Int64, arrival: Int64, intake: Int64) {
        repeatsBefore = run.repeats + (hasFrame ? 0 : 1)
        self.hasFrame = hasFrame
        slotTime = run.slotTime
        reset = run.reset
        self.frameTime = frameTime
        self.arrival = arrival
        self.intake = intake
    }

    /// The number of slots in this work.
    package var slotCount: Int { repeatsBefore + (hasFrame ? 1 : 0) + repeatsAfter }

    /// Its slots, oldest first.
    /// - rate: the grid's rate, from which their times follow.
    func slots(at rate: PacingConfiguration.Rate) -> GridSlots { GridSlots(work: self, rate: rate) }

    /// Merges the work that follows. Returns whether this work's frame is dropped for it, and so never gets a column.
    package mutating func merge(_ next: SlotWork) -> Bool {
        if next.reset {
            let gaveWay = hasFrame
            self = next
            return gaveWay
        }
        if hasFrame && !next.hasFrame {
            repeatsAfter = min(repeatsAfter + next.repeatsBefore, FrameGrid.windowSlots)
            slotTime = next.slotTime
            return false
        }
        let gaveWay = hasFrame
        // After a reset there is no column to repeat yet: the stream begins with the first frame that gets a column.
        let missing = reset ? 0 : slotCount + next.repeatsBefore
        let isStale = missing >= FrameGrid.windowSlots
        repeatsBefore = isStale ? 0 : missing
        repeatsAfter = 0
        reset = reset || isStale
        hasFrame = next.hasFrame
        slotTime = next.slotTime
        frameTime = next.frameTime
        arrival = next.arrival
        intake = next.intake
        return gaveWay
    }
}

/// One slot of the grid.
struct GridSlot: Equatable {
    /// Whether its column is made from the work's frame; otherwise it repeats the column before.
    let isOfFrame: Bool
    /// Time in nanoseconds.
    let time: Int64
}

/// The slots of a piece of work, oldest first.
struct GridSlots: Sequence, IteratorProtocol {
    private let work: SlotWork
    private let rate: PacingConfiguration.Rate
    private var index = 0

    fileprivate init(work: SlotWork, rate: PacingConfiguration.Rate) {
        self.work = work
        self.rate = rate
    }

    mutating func next() -> GridSlot? {
        guard index < work.slotCount else { return nil }
        defer { index += 1 }
        return GridSlot(
            isOfFrame: work.hasFrame && index == work.repeatsBefore,
            time: work.slotTime - rate.nanoseconds(ofSlots: Int64(work.slotCount - 1 - index)))
    }
}
