package import Scheduling
package import Vocabulary

/// What the network has to do next: slots of the grid whose frames did not come or were left out, at most one frame, and
/// then such slots again. The frame itself is in the ring.
///
/// Work that was not yet begun takes in what follows it, newest frame first: `merge` is the mailbox of depth one.
package struct SlotWork: Sendable, Equatable {
    /// Slots before the frame, which repeat the column before them.
    package private(set) var repeatsBefore: Int
    /// Whether the ring's next cell holds a frame to encode.
    package private(set) var hasFrame: Bool
    /// Slots after the frame, likewise; 0 without one.
    package private(set) var repeatsAfter = 0
    /// Time of the last slot in nanoseconds.
    package private(set) var slotTime: Int64
    /// Everything before belongs to another stretch of time, or to another front end.
    package private(set) var reset: Bool
    /// What the frame is made into.
    package private(set) var source: FrontEnd
    /// When the frame was pushed, by the stream's clock.
    package private(set) var arrival: Int64
    /// Nanoseconds that were spent on the frame until it became work.
    package private(set) var intake: Int64

    /// A frame to encode, or a slot that is left out.
    /// - startsAnew: whether `source` is another than that of the work before.
    package init(
        _ run: FrameRun, hasFrame: Bool, source: FrontEnd, startsAnew: Bool = false, arrival: Int64,
        intake: Int64
    ) {
        repeatsBefore = run.repeats + (hasFrame ? 0 : 1)
        self.hasFrame = hasFrame
        slotTime = run.slotTime
        reset = run.reset || startsAnew
        self.source = source
        self.arrival = arrival
        self.intake = intake
    }

    /// Slots from the one before this work to its last.
    package var slotCount: Int { repeatsBefore + (hasFrame ? 1 : 0) + repeatsAfter }

    /// Its slots, oldest first.
    /// - rate: of the grid, which tells their times.
    func slots(at rate: PacingConfiguration.Rate) -> GridSlots { GridSlots(work: self, rate: rate) }

    /// Takes in the work that follows. Returns whether a frame of this one gives way, never to be encoded.
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
        // After a reset there is no column to repeat yet: the stream begins with the frame that is encoded first.
        let missing = reset ? 0 : slotCount + next.repeatsBefore
        let isStale = missing >= FrameGrid.windowSlots
        repeatsBefore = isStale ? 0 : missing
        repeatsAfter = 0
        reset = reset || isStale
        hasFrame = next.hasFrame
        source = next.source
        slotTime = next.slotTime
        arrival = next.arrival
        intake = next.intake
        return gaveWay
    }
}

/// One slot of the grid.
struct GridSlot: Equatable {
    /// Its column is of the work's frame; else the one before once more.
    let isOfFrame: Bool
    /// Nanoseconds.
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
