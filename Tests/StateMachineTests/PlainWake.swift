import Recognition

/// The rules of the public comments of `WakeMachine`, by looking back over all frames at each of them.
struct PlainWake {
    struct Frame {
        var time: Int64
        var isShown: Bool
        /// Whether the frames with the pose before this one no longer count.
        var isAfterFlush = false
    }

    let hold, window: Int64
    let poseClass: Int?
    private var frames: [Frame] = []
    /// Times at which the pose armed, and at which events were reported while armed.
    private var pushes: [Int64] = []
    private(set) var isArmed = false
    private(set) var reported: [RecognizedEvent] = []
    private var isFlushed = false
    /// The place of the frame with which the shown pose armed.
    private var arming: Int?

    init(hold: Int64, window: Int64, poseClass: Int?) {
        (self.hold, self.window, self.poseClass) = (hold, window, poseClass)
    }

    var activeClass: Int? { reported.last.flatMap { $0.kind == .begin ? $0.classIndex : nil } }

    private var end: Int64 { (pushes.max() ?? 0) + window }

    /// The place of the first of the frames that show the pose without a break, the latest included; nil without one.
    private var firstShown: Int? {
        var first: Int?
        for place in frames.indices.reversed() {
            guard frames[place].isShown else { break }
            first = place
            if frames[place].isAfterFlush || place > 0 && frames[place].time < frames[place - 1].time { break }
        }
        return first
    }

    mutating func step(_ result: StepResult, showingPose isShown: Bool, at time: Int64) -> WakeMachine.Changes {
        var changes = WakeMachine.Changes()
        let isBackward = frames.last.map { time < $0.time } ?? false
        frames.append(Frame(time: time, isShown: isShown, isAfterFlush: isFlushed))
        isFlushed = false
        if isArmed, isBackward || time >= end {
            changes.disarmed = min(end, time)
            (isArmed, pushes) = (false, [])
        }
        let first = firstShown
        let hasArmed = first != nil && arming.map { $0 >= first ?? 0 } ?? false
        if let first, !hasArmed, time - frames[first].time >= hold {
            arming = frames.count - 1
            if !isArmed { changes.armed = time }
            isArmed = true
            pushes.append(time)
        }
        report(result.end)
        let isArming = firstShown.map { first in arming.map { $0 >= first } ?? false } ?? false
        if let begin = result.begin, isArmed, !(isArming && begin.classIndex == poseClass) { pass(begin) }
        return changes
    }

    mutating func flush(_ end: RecognizedEvent?) {
        isFlushed = true
        report(end)
    }

    mutating func disarm() {
        (isArmed, pushes) = (false, [])
        // Times may start anew.
        frames = []
        arming = nil
    }

    private mutating func report(_ end: RecognizedEvent?) {
        guard let end, end.classIndex == activeClass else { return }
        pass(end)
    }

    private mutating func pass(_ event: RecognizedEvent) {
        if isArmed { pushes.append(event.decision) }
        reported.append(
            RecognizedEvent(
                kind: event.kind, classIndex: event.classIndex, confidence: event.confidence, onset: event.onset,
                decision: event.decision, sequence: UInt64(reported.count)))
    }
}
