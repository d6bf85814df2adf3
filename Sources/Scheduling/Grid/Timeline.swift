import Vocabulary

/// Decides from timestamps alone whether a frame continues the stream. A value without a clock.
///
/// A timestamp beyond the horizon is dropped and forgotten. The first other one starts the timeline. After that, a frame
/// *continues* the one before if it is later by at most `longestGap`, or by a *steady* step: at most a quarter more than the
/// step before, and both are at most `longestSteadyGap`.
///
/// - A frame that continues the latest one is on the timeline and clears the suspicion below.
/// - Any other frame (equal, earlier or further ahead) is dropped and becomes a suspicion. If it continues the
///   suspicion's latest frame, the suspicion grows by one frame; otherwise a new suspicion of one frame begins. At
///   `confirmingFrames` frames the stream is assumed to have moved there: that frame restarts the timeline.
/// - A frame equal to the latest one neither feeds nor clears a suspicion.
///
/// So one bad timestamp, near or far, past or future, costs only its own frame. A clock that was really set, or a pause
/// above `longestGap`, costs two frames. A bad timestamp so close ahead that it is believed costs two frames, until the
/// good ones confirm each other. A camera that is slower than one frame per `longestGap` costs two frames, too, if its
/// steps are steady; one slower than a frame per `longestSteadyGap` never confirms.
struct Timeline: Sendable {
    enum Verdict: Sendable, Equatable {
        case first
        /// Nanoseconds since the latest frame, 1...`longestSteadyGap`.
        case continues(after: Int64)
        case restarts
        case drop(FrameCounts.DropReason)
    }

    /// Nanoseconds; longer than the window at every rate, so that gaps within the window are accepted at once.
    static let longestGap: Int64 = 1_000_000_000
    /// Nanoseconds; the frames of a fast camera whose milliseconds are given as seconds are further apart.
    static let longestSteadyGap: Int64 = 5_000_000_000
    /// Consecutive frames that agree with each other against the timeline.
    static let confirmingFrames = 3
    /// 2^62 nanoseconds: differences of two timestamps above -2^62 and up to 2^62 stay in Int64.
    static let horizon: Int64 = 1 << 62

    private var latest: Int64?
    /// The step to the latest frame, from the one before it on the timeline; 0 after a start.
    private var latestStep: Int64 = 0
    private var suspect: Int64 = 0
    /// The step to the suspect, from the frame before it.
    private var suspectStep: Int64 = 0
    private var suspectFrames = 0

    mutating func observe(_ timestamp: Int64) -> Verdict {
        guard timestamp > -Self.horizon, timestamp <= Self.horizon else { return .drop(.beyondHorizon) }
        guard let latest else {
            self.latest = timestamp
            return .first
        }
        let delta = timestamp - latest
        if delta == 0 { return .drop(.equalTimestamp) }
        if Self.continues(delta, after: latestStep) {
            self.latest = timestamp
            latestStep = delta
            suspectFrames = 0
            return .continues(after: delta)
        }
        let step = suspectFrames > 0 ? timestamp - suspect : delta
        let isConfirming = suspectFrames > 0 && Self.continues(step, after: suspectStep)
        suspect = timestamp
        suspectStep = step
        suspectFrames = isConfirming ? suspectFrames + 1 : 1
        guard suspectFrames >= Self.confirmingFrames else {
            return .drop(delta < 0 ? .backwardTimestamp : .unconfirmedJump)
        }
        self.latest = timestamp
        latestStep = step
        suspectFrames = 0
        return .restarts
    }

    private static func continues(_ step: Int64, after before: Int64) -> Bool {
        guard step > 0 else { return false }
        return step <= longestGap
            || (step <= longestSteadyGap && before <= longestSteadyGap && step - step / 5 <= before)
    }
}
