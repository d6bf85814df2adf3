package import Vocabulary

/// Assigns camera frames to the slots of a steady grid. A pure value; the caller passes the timestamps.
///
/// `Timeline` first refuses timestamps that do not continue the stream. For the others, under the grid policy, let e be
/// the time from the next free slot to the frame, in slots:
///
/// - e < -7/8: surplus.
/// - e <= 7/8: the frame takes the next slot.
/// - e > 7/8: ceil(e - 7/8) slots are repeated, the fewest that leave the frame at most 7/8 of a slot after its own.
///
/// Slot times are floor(k * 10^9 / rate) after the first frame, in integers, so nothing drifts. A frame is never more
/// than 7/8 of a slot from its slot, and the number of slots is the elapsed time divided by the period, within one.
///
/// Let the timestamps be within 3/8 of a slot of an ideal stream (3.1 ms at 120 Hz). Then a slower stream than the grid
/// has only repeats, a faster one only surplus, and one at the grid's rate neither: after a repeat or surplus,
/// e is at least 2 * 7/8 - 1 = 3/4 of a slot away from the opposite correction, the whole width of that jitter.
///
/// If more than 15 slots are missing, the stream starts anew at the frame, as after a restart of the timeline: repeated
/// columns would fill the whole window but for the frame's own. The literal policy measures gaps from the frame before
/// and starts anew at the same length.
package struct FrameGrid: Sendable {
    /// Columns in the model's window.
    package static let windowSlots = 16

    private static let scaledSlot: Int64 = 1_000_000_000
    private static let tolerance = scaledSlot / 8 * 7

    package let rate: PacingConfiguration.Rate
    package private(set) var counts = FrameCounts()

    /// Threshold of the literal policy in nanoseconds; nil under the grid policy.
    private let lateAfter: Int64?
    private var timeline = Timeline()
    /// Phase accumulator: the latest slot is `phase` slots after `origin`, 0 <= phase < rate. `origin` moves by whole
    /// seconds, which are whole numbers of slots.
    private var origin: Int64 = 0
    private var phase: Int64 = 0
    private var slotIndex: Int64 = -1

    package init(_ configuration: PacingConfiguration = PacingConfiguration()) throws(ConfigurationError) {
        rate = configuration.nominalRate
        lateAfter = try configuration.lateNanoseconds()
    }

    /// Decides about the next frame. Any timestamp is allowed, in nanoseconds of a running clock.
    package mutating func admit(_ timestamp: Int64) -> Admission {
        switch timeline.observe(timestamp) {
        case .drop(let reason):
            counts.count(reason)
            return .dropped(reason)
        case .first:
            return anchor(timestamp, reset: false)
        case .restarts:
            return anchor(timestamp, reset: true)
        case .continues(let delta):
            if let lateAfter { return admitLiterally(timestamp, after: delta, lateAfter: lateAfter) }
            return admitOnGrid(timestamp)
        }
    }

    /// Forgets the timeline, for a stream that stops and starts again. The next frame counts as the first; counts and
    /// slot indices go on.
    package mutating func restart() {
        timeline = Timeline()
    }

    private mutating func admitOnGrid(_ timestamp: Int64) -> Admission {
        // In units of 1/rate nanoseconds, where a slot is exactly 10^9.
        let lateness = (timestamp - origin) * rate.slotsPerSecond - (phase + 1) * Self.scaledSlot
        if lateness < -Self.tolerance {
            counts.surplus += 1
            return .surplus
        }
        let missing = Self.missingSlots(lateness)
        guard missing < Self.windowSlots else { return anchor(timestamp, reset: true) }
        phase += missing + 1
        if phase >= rate.slotsPerSecond {
            phase -= rate.slotsPerSecond
            origin += 1_000_000_000
        }
        return run(
            repeats: Int(missing), slotTime: origin + rate.nanoseconds(ofSlots: phase), reset: false, timestamp)
    }

    private mutating func admitLiterally(_ timestamp: Int64, after delta: Int64, lateAfter: Int64) -> Admission {
        let missing = Self.missingSlots(delta * rate.slotsPerSecond - Self.scaledSlot)
        guard missing < Self.windowSlots else { return anchor(timestamp, reset: true) }
        return run(repeats: delta > lateAfter ? 1 : 0, slotTime: timestamp, reset: false, timestamp)
    }

    /// ceil(lateness - tolerance) in slots, 0 or more.
    private static func missingSlots(_ lateness: Int64) -> Int64 {
        lateness <= tolerance ? 0 : (lateness - tolerance - 1) / scaledSlot + 1
    }

    private mutating func anchor(_ timestamp: Int64, reset: Bool) -> Admission {
        origin = timestamp
        phase = 0
        return run(repeats: 0, slotTime: timestamp, reset: reset, timestamp)
    }

    private mutating func run(repeats: Int, slotTime: Int64, reset: Bool, _ timestamp: Int64) -> Admission {
        slotIndex += Int64(repeats) + 1
        counts.run += 1
        counts.repeats += repeats
        counts.resets += reset ? 1 : 0
        return .run(
            SlotWork(
                repeats: repeats, slotIndex: slotIndex, slotTime: slotTime, reset: reset, frameTime: timestamp))
    }
}

/// Decides from timestamps alone whether a frame continues the stream. A pure value.
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
