import Vocabulary

/// Decides from timestamps alone whether a frame continues the stream. A value without a clock.
///
/// A timestamp below zero or beyond the horizon is dropped and forgotten. The first other one starts the timeline.
/// After that, a frame *continues* a timestamp when it lies later by at most `longestGap`:
///
/// - A frame that continues the latest one is on the timeline, and clears the suspicion below.
/// - Any other frame (equal, earlier, or further ahead) is dropped and becomes a suspicion: one step longer when it
///   continues the suspicion's latest frame, else a new one of one step. At `confirmingFrames` steps the stream is
///   taken to live there now: that frame restarts the timeline.
/// - A frame equal to the latest one neither feeds nor clears a suspicion.
///
/// So one bad timestamp, near or far, in the past or in the future, costs that frame; a clock that was really set anew,
/// or a pause above `longestGap`, costs two frames; a bad timestamp close enough ahead to be believed costs the two
/// frames until the good ones confirm each other. A stream slower than one frame per `longestGap` never confirms.
struct Timeline: Sendable {
    enum Verdict: Sendable, Equatable {
        case first
        /// Nanoseconds since the latest frame, 1...`longestGap`.
        case continues(after: Int64)
        case restarts
        case drop(FrameCounts.DropReason)
    }

    /// Nanoseconds; longer than the window at every rate, so that each gap within the window is believed at once.
    static let longestGap: Int64 = 1_000_000_000
    /// Frames in a row that agree with each other against the timeline.
    static let confirmingFrames = 3
    /// 2^62 nanoseconds: differences and sums of two timestamps below it stay in Int64.
    static let horizon: Int64 = 1 << 62

    private var latest: Int64?
    private var suspect: Int64 = 0
    private var suspectFrames = 0

    mutating func observe(_ timestamp: Int64) -> Verdict {
        guard timestamp >= 0 else { return .drop(.negativeTimestamp) }
        guard timestamp <= Self.horizon else { return .drop(.beyondHorizon) }
        guard let latest else {
            self.latest = timestamp
            return .first
        }
        let delta = timestamp - latest
        if delta == 0 { return .drop(.equalTimestamp) }
        if (1...Self.longestGap).contains(delta) {
            self.latest = timestamp
            suspectFrames = 0
            return .continues(after: delta)
        }
        let isConfirming = suspectFrames > 0 && (1...Self.longestGap).contains(timestamp - suspect)
        suspect = timestamp
        suspectFrames = isConfirming ? suspectFrames + 1 : 1
        guard suspectFrames >= Self.confirmingFrames else {
            return .drop(delta < 0 ? .backwardTimestamp : .unconfirmedJump)
        }
        self.latest = timestamp
        suspectFrames = 0
        return .restarts
    }
}
