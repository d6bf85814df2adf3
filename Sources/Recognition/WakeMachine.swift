/// Lets gestures pass only for a while after a pose was held. A pure value; the caller passes the time.
///
/// The state is disarmed, or armed until a time. A frame is handled in this order:
///
/// 1. An armed machine is disarmed at its deadline, and by a frame whose time is before the latest.
/// 2. A pose that was shown in every frame for `hold` or longer arms until `window` later, once for each time it is
///    held. If the machine is armed, this moves its time alone.
/// 3. An end passes if its begin did.
/// 4. A begin passes while armed, except that of the pose's own class while the pose that armed is still held.
/// 5. What passes while armed moves the time to `window` later.
///
/// An end passes after disarming, too, so begins and ends alternate. Events that pass are numbered anew, without gaps.
package struct WakeMachine: Sendable {
    /// What changed in a frame; a frame may disarm and arm again.
    package struct Changes: Sendable, Equatable {
        /// When the machine was disarmed, at or before the frame; nil if it was not.
        package var disarmed: Int64?
        /// When it was armed; nil if it was not.
        package var armed: Int64?

        package init(disarmed: Int64? = nil, armed: Int64? = nil) {
            self.disarmed = disarmed
            self.armed = armed
        }
    }

    private let hold, window: Int64
    private let poseClass: Int?
    /// The time at which the machine is disarmed; nil while it is.
    private var deadline: Int64?
    /// Since when every frame has shown the pose; nil if the latest did not.
    private var since: Int64?
    /// Whether the pose that is shown has armed.
    private var hasArmed = false
    private var latest = Int64.min
    /// The gesture whose begin passed, and whose end has not come.
    package private(set) var activeClass: Int?
    /// Sequence number of the next event.
    private var nextSequence: UInt64 = 0

    /// - Parameters:
    ///   - hold: nanoseconds for which the pose has to be held, 0 or more.
    ///   - window: nanoseconds for which gestures pass, 1 or more.
    ///   - poseClass: the class of the pose; nil if it is no gesture.
    package init(hold: Int64, window: Int64, poseClass: Int?) {
        (self.hold, self.window, self.poseClass) = (hold, window, poseClass)
    }

    package var isArmed: Bool { deadline != nil }

    /// Takes in a frame.
    /// - Returns: what passes of its events, and what changed.
    package mutating func step(
        _ result: StepResult, showingPose isShown: Bool, at time: Int64
    ) -> (result: StepResult, changes: Changes) {
        var changes = Changes()
        if let deadline, time >= deadline || time < latest {
            changes.disarmed = min(deadline, time)
            self.deadline = nil
        }
        if time < latest { (since, hasArmed) = (nil, false) }
        latest = time
        if isShown {
            let first = since ?? time
            since = first
            if !hasArmed, time - first >= hold {
                hasArmed = true
                if deadline == nil { changes.armed = time }
                deadline = later(time)
            }
        } else {
            (since, hasArmed) = (nil, false)
        }
        let end = passing(result.end)
        return (StepResult(top: result.top, end: end, begin: passing(begin: result.begin)), changes)
    }

    /// An end without a frame, as when the stream stops: it passes if its begin did. The latest frames with the pose no
    /// longer count; an armed machine stays armed.
    package mutating func flush(_ end: RecognizedEvent?) -> RecognizedEvent? {
        (since, hasArmed) = (nil, false)
        return passing(end)
    }

    /// Disarms without an event: for the end of a stream, after which times may start anew.
    package mutating func disarm() { (deadline, latest) = (nil, .min) }

    private mutating func passing(_ end: RecognizedEvent?) -> RecognizedEvent? {
        guard let end, end.classIndex == activeClass else { return nil }
        activeClass = nil
        return numbered(end)
    }

    private mutating func passing(begin: RecognizedEvent?) -> RecognizedEvent? {
        guard let begin, isArmed, !(hasArmed && begin.classIndex == poseClass) else { return nil }
        activeClass = begin.classIndex
        return numbered(begin)
    }

    private mutating func numbered(_ event: RecognizedEvent) -> RecognizedEvent {
        if isArmed { deadline = later(event.decision) }
        defer { nextSequence += 1 }
        return RecognizedEvent(
            kind: event.kind, classIndex: event.classIndex, confidence: event.confidence, onset: event.onset,
            decision: event.decision, sequence: nextSequence)
    }

    private func later(_ time: Int64) -> Int64 {
        let (sum, overflowed) = time.addingReportingOverflow(window)
        return overflowed ? .max : sum
    }
}
