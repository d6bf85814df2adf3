package import Vocabulary

/// Detects that the times of a stream's frames cannot be used, and reports each fault once. A pure value of constant
/// size; the caller passes the times.
///
/// A *step* is the time from one frame to the next, whatever became of both. Every ten drops in a row are judged by
/// their steps, and by the newest time where all steps are zero. A frame that is not dropped ends the row. Likewise
/// every hundred surplus frames in a row, and every ten that each start the stream anew, are a fault.
package struct TimeWatch: Sendable {
    /// Drops in a row, and resets in a row, that are a fault.
    static let row = 10
    /// Surplus frames in a row that are a fault. A camera of 1,000 frames a second has 33 on a grid of 30.
    static let surplusRow = 100

    private var latest: Int64?
    /// The latest step that is not zero; 0 before the first.
    private var latestStep: Int64 = 0
    private var drops = DroppedRow()
    private var surplus = 0
    private var resets = 0
    /// A bit for each fault that was reported.
    private var reported: UInt16 = 0

    package init() {}

    /// Takes in a frame's time and what the grid decided about it.
    /// - Returns: a fault that the frame shows for the first time.
    package mutating func observe(_ timestamp: Int64, _ admission: Admission) -> TimeFault? {
        // Between the ends of Int64 a step saturates.
        let step = latest.map { latest in
            let (step, overflow) = timestamp.subtractingReportingOverflow(latest)
            return overflow ? (timestamp < latest ? .min : .max) : step
        }
        latest = timestamp
        if let step, step != 0 { latestStep = step }
        switch admission {
        case .dropped(let reason):
            (surplus, resets) = (0, 0)
            drops.add(step ?? 0, reason)
            guard drops.count == Self.row else { return nil }
            let fault = drops.fault(at: timestamp, after: latestStep)
            drops = DroppedRow()
            return reportOnce(fault)
        case .surplus:
            drops = DroppedRow()
            resets = 0
            surplus += 1
            guard surplus == Self.surplusRow else { return nil }
            surplus = 0
            return reportOnce(.tooClose)
        case .run(let run):
            drops = DroppedRow()
            surplus = 0
            resets = run.reset ? resets + 1 : 0
            guard resets == Self.row else { return nil }
            resets = 0
            return reportOnce(.tooSlow)
        }
    }

    /// Forgets the rows, for a stream that stops and starts again; what was reported stays reported.
    package mutating func restart() {
        latest = nil
        latestStep = 0
        drops = DroppedRow()
        (surplus, resets) = (0, 0)
    }

    private mutating func reportOnce(_ fault: TimeFault) -> TimeFault? {
        let bit = UInt16(1) << fault.rawValue
        guard reported & bit == 0 else { return nil }
        reported |= bit
        return fault
    }
}

/// Dropped frames in a row.
private struct DroppedRow {
    var count = 0
    private var zero = 0
    private var backward = 0
    /// Steps that milliseconds make if they are given as seconds: of 200 frames a second to 2.
    private var thousandfold = 0
    private var beyondHorizon = 0

    mutating func add(_ step: Int64, _ reason: FrameCounts.DropReason) {
        count += 1
        if step == 0 { zero += 1 }
        if step < 0 { backward += 1 }
        if (5_000_000_000...500_000_000_000).contains(step) { thousandfold += 1 }
        if reason == .beyondHorizon { beyondHorizon += 1 }
    }

    /// The fault of a whole row whose newest time is `timestamp`, by the latest step that is not zero, too.
    func fault(at timestamp: Int64, after step: Int64) -> TimeFault {
        switch count {
        case beyondHorizon: .beyondHorizon
        case zero: Self.faultOfEqualTimes(timestamp, after: step)
        case backward: .runsBackward
        // The first of the row may come after anything.
        case thousandfold, thousandfold + 1: .thousandfold
        default: .irregular
        }
    }

    private static func faultOfEqualTimes(_ timestamp: Int64, after step: Int64) -> TimeFault {
        let second: Int64 = 1_000_000_000
        let single = Float(Double(timestamp) / Double(second))
        // Doubles of large times in nanoseconds are a few hundred nanoseconds apart.
        let isSingle = abs(Double(single) * Double(second) - Double(timestamp)) <= 1_000
        let isWhole = timestamp % second == 0 && step % second == 0
        if isSingle, single.ulp >= 0.25, single.ulp > 1 || !isWhole { return .lowPrecision }
        return isWhole && timestamp != 0 ? .wholeSeconds : .neverAdvances
    }
}
