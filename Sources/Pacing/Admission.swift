/// What becomes of a frame.
package enum Admission: Sendable, Equatable {
    /// The frame is encoded, after the repeats that stand before it.
    case run(FrameRun)
    /// The frame's slot already has its column: the camera is faster than the grid. Healthy, not encoded.
    case surplus
    /// The timestamp does not continue the stream. Not encoded.
    case dropped(DropReason)
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

/// Why a frame's timestamp was refused.
public enum DropReason: Sendable, Equatable, CaseIterable {
    /// The timestamp of the frame before.
    case equalTimestamp
    /// Earlier than the frame before.
    case backwardTimestamp
    /// Below zero, which no running clock shows.
    case negativeTimestamp
    /// Beyond 2^62 nanoseconds, 146 years, from the origin of the clock.
    case beyondHorizon
    /// More than a second after the frame before, and not yet confirmed by the frames that follow.
    case unconfirmedJump
}

/// Exact counts of what became of the frames of a stream. Frames in = `run + surplus + drops`; columns written =
/// `run + repeats`.
public struct FrameCounts: Sendable, Equatable {
    /// Frames admitted to be encoded.
    public package(set) var run = 0
    /// Columns repeated in place of missing frames.
    public package(set) var repeats = 0
    /// Frames not encoded because the camera is faster than the grid.
    public package(set) var surplus = 0
    /// Runs that cleared what was before them.
    public package(set) var resets = 0
    /// Frames dropped with `DropReason.equalTimestamp`.
    public package(set) var equalTimestamps = 0
    /// Frames dropped with `DropReason.backwardTimestamp`.
    public package(set) var backwardTimestamps = 0
    /// Frames dropped with `DropReason.negativeTimestamp`.
    public package(set) var negativeTimestamps = 0
    /// Frames dropped with `DropReason.beyondHorizon`.
    public package(set) var beyondHorizon = 0
    /// Frames dropped with `DropReason.unconfirmedJump`.
    public package(set) var unconfirmedJumps = 0

    package init() {}

    /// Frames dropped, for all reasons.
    public var drops: Int {
        equalTimestamps + backwardTimestamps + negativeTimestamps + beyondHorizon + unconfirmedJumps
    }

    mutating func count(_ reason: DropReason) {
        switch reason {
        case .equalTimestamp: equalTimestamps += 1
        case .backwardTimestamp: backwardTimestamps += 1
        case .negativeTimestamp: negativeTimestamps += 1
        case .beyondHorizon: beyondHorizon += 1
        case .unconfirmedJump: unconfirmedJumps += 1
        }
    }
}
