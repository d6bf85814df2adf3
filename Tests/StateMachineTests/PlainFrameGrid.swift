import Scheduling
import Vocabulary

/// The rules of decision record D5 and of the public comments of `FrameGrid`, in whole numbers of 128 bits and without a
/// phase: every slot is computed from the first one.
struct PlainFrameGrid {
    let rate: Int128
    /// Nanoseconds; nil for the grid policy.
    let lateAfter: Int64?

    /// Every frame on the timeline, and the suspects that agree with each other.
    private var latest: Int64?
    private var suspects: [Int64] = []
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
        suspects = []
        origin = nil
    }

    mutating func admit(_ timestamp: Int64) -> Admission {
        if timestamp < 0 { return .dropped(.negativeTimestamp) }
        if timestamp > 1 << 62 { return .dropped(.beyondHorizon) }
        guard let latest else { return begin(timestamp, isReset: false) }
        if timestamp == latest { return .dropped(.equalTimestamp) }
        if Self.continues(timestamp, latest) {
            self.latest = timestamp
            suspects = []
            return lateAfter.map { literally(timestamp, after: latest, late: $0) } ?? place(timestamp)
        }
        if let suspect = suspects.last, Self.continues(timestamp, suspect) {
            suspects.append(timestamp)
        } else {
            suspects = [timestamp]
        }
        if suspects.count == 3 { return begin(timestamp, isReset: true) }
        return .dropped(timestamp < latest ? .backwardTimestamp : .unconfirmedJump)
    }

    private static func continues(_ timestamp: Int64, _ other: Int64) -> Bool {
        timestamp > other && timestamp - other <= 1_000_000_000
    }

    private mutating func begin(_ timestamp: Int64, isReset: Bool) -> Admission {
        latest = timestamp
        suspects = []
        origin = timestamp
        newest = 0
        return run(repeats: 0, at: timestamp, isReset: isReset)
    }

    private mutating func run(repeats: Int, at time: Int64, isReset: Bool) -> Admission {
        defer { nextIndex += Int64(repeats) + 1 }
        return .run(
            FrameRun(repeats: repeats, slotIndex: nextIndex + Int64(repeats), slotTime: time, reset: isReset))
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
        return run(repeats: Int(repeats), at: start + Int64(newest * slot / rate), isReset: false)
    }

    private mutating func literally(_ timestamp: Int64, after before: Int64, late: Int64) -> Admission {
        let gap = timestamp - before
        // A gap of as many slots as would start the grid anew.
        if 8 * (Int128(gap) * rate - 1_000_000_000) > (8 * 15 + 7) * 1_000_000_000 {
            return begin(timestamp, isReset: true)
        }
        return run(repeats: gap > late ? 1 : 0, at: timestamp, isReset: false)
    }
}
