import Scheduling
import Vocabulary

/// The rules of decision D5 and of the public comments of `FrameGrid`, in whole numbers of 128 bits and without a
/// phase: every slot is computed from the first one.
struct PlainFrameGrid {
    let rate: Int128
    /// Nanoseconds; nil for the grid policy.
    let lateAfter: Int64?

    /// Every frame on the timeline, and the suspects that agree with each other.
    private var latest: Int64?
    /// The step to `latest` on the timeline.
    private var latestStep: Int128 = 0
    private var suspects: [Int64] = []
    /// The step to the newest suspect from the frame before it.
    private var suspectStep: Int128 = 0
    /// The time of the first slot, and the number of the newest one after it.
    private var origin: Int64?
    private var newest: Int128 = 0
    private var nextIndex: Int64 = 0

    init(rate: PacingConfiguration.Rate, lateAfter: Int64?) {
        self.rate = Int128(rate.rawValue)
        self.lateAfter = lateAfter
    }

    mutating func restart() {
        latest = nil
        latestStep = 0
        suspects = []
        origin = nil
    }

    mutating func admit(_ timestamp: Int64) -> Admission {
        if timestamp > 1 << 62 || timestamp <= -1 << 62 { return .dropped(.beyondHorizon) }
        guard let latest else { return begin(timestamp, isReset: false) }
        if timestamp == latest { return .dropped(.equalTimestamp) }
        let step = Int128(timestamp) - Int128(latest)
        if Self.continues(step, after: latestStep) {
            self.latest = timestamp
            latestStep = step
            suspects = []
            return lateAfter.map { literally(timestamp, after: latest, late: $0) } ?? place(timestamp)
        }
        let ownStep = Int128(timestamp) - Int128(suspects.last ?? latest)
        if !suspects.isEmpty, Self.continues(ownStep, after: suspectStep) {
            suspects.append(timestamp)
        } else {
            suspects = [timestamp]
        }
        suspectStep = ownStep
        if suspects.count == 3 {
            latestStep = ownStep
            return begin(timestamp, isReset: true)
        }
        return .dropped(timestamp < latest ? .backwardTimestamp : .unconfirmedJump)
    }

    /// Within a second; or a steady step, at most a quarter above the one before, both at most 5 s.
    private static func continues(_ step: Int128, after before: Int128) -> Bool {
        if step <= 0 || step > 5_000_000_000 { return false }
        let fourFifths = step - step / 5
        return step <= 1_000_000_000 || (before <= 5_000_000_000 && fourFifths <= before)
    }

    private mutating func begin(_ timestamp: Int64, isReset: Bool) -> Admission {
        latest = timestamp
        suspects = []
        origin = timestamp
        newest = 0
        return run(repeats: 0, at: timestamp, isReset: isReset, timestamp)
    }

    private mutating func run(repeats: Int, at time: Int64, isReset: Bool, _ timestamp: Int64) -> Admission {
        defer { nextIndex += Int64(repeats) + 1 }
        return .run(
            SlotWork(
                repeats: repeats, slotIndex: nextIndex + Int64(repeats), slotTime: time, reset: isReset,
                frameTime: timestamp))
    }

    /// Eighths of a slot, times 10^9, from the next free slot to the frame.
    private mutating func place(_ timestamp: Int64) -> Admission {
        let start = origin ?? timestamp
        let slot: Int128 = 1_000_000_000
        let late = 8 * (Int128(timestamp - start) * rate - (newest + 1) * slot)
        if late < -7 * slot { return .surplus }
        // The fewest slots that leave at most 7/8.
        var repeats: Int128 = 0
        while late - 8 * repeats * slot > 7 * slot { repeats += 1 }
        if repeats > 15 { return begin(timestamp, isReset: true) }
        newest += repeats + 1
        return run(repeats: Int(repeats), at: start + Int64(newest * slot / rate), isReset: false, timestamp)
    }

    private mutating func literally(_ timestamp: Int64, after before: Int64, late: Int64) -> Admission {
        let gap = timestamp - before
        // A gap of as many slots as would start the grid anew.
        if 8 * (Int128(gap) * rate - 1_000_000_000) > (8 * 15 + 7) * 1_000_000_000 {
            return begin(timestamp, isReset: true)
        }
        return run(repeats: gap > late ? 1 : 0, at: timestamp, isReset: false, timestamp)
    }
}
