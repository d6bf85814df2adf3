import Vocabulary

/// Decides from timestamps alone whether a frame continues the stream. A value without a clock.
///
/// A timestamp below zero or beyond the horizon is dropped and forgotten. The first other one starts the timeline.
/// After that, a frame *continues* a timestamp if it is later by at most `longestGap`:
///
/// - A frame that continues the latest one is on the timeline and clears the suspicion below.
/// - Any other frame (equal, earlier or further ahead) is dropped and becomes a suspicion. If it continues the
///   suspicion's latest frame, the suspicion grows by one frame; otherwise a new suspicion of one frame begins. At
///   `confirmingFrames` frames the stream is assumed to have moved there: that frame restarts the timeline.
/// - A frame equal to the latest one neither feeds nor clears a suspicion.
///
/// So one bad timestamp, near or far, past or future, costs only its own frame. A clock that was really set, or a pause
/// above `longestGap`, costs two frames. A bad timestamp so close ahead that it is believed costs two frames, until the
/// good ones confirm each other. A stream slower than one frame per `longestGap` never confirms.
struct Timeline: Sendable {
    enum Verdict: Sendable, Equatable {
        case first
        /// Nanoseconds since the latest frame, 1...`longestGap`.
        case continues(after: Int64)
        case restarts
        case drop(FrameCounts.DropReason)
    }

    /// Nanoseconds; longer than the window at every rate, so that gaps within the window are accepted at once.
    static let longestGap: Int64 = 1_000_000_000
    /// Consecutive frames that agree with each other against the timeline.
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
