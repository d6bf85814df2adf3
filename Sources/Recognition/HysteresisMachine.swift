/// Turns the leading class of each frame into begin and end events. A value without a clock: time is an argument.
///
/// A frame is one of: **null** (the null class, or a class that may not begin, leads at any confidence); **sure X**
/// (class X leads, strictly above its threshold); **unsure X** (class X leads at or below its threshold); **invalid**
/// (no usable scores).
///
/// The machine remembers three things. The *run* is a class with the number of its latest consecutive sure frames. The
/// *state* is idle or a held gesture, which is active, or spent if it expired and is not yet released. The held
/// gesture's *away* frames are the consecutive valid frames in which another class or null led; it is also remembered
/// how many of them were decisive (null or sure).
///
/// | frame    | idle        | A active                               | A spent       |
/// |----------|-------------|----------------------------------------|---------------|
/// | null     | run cleared | away + 1, decisive + 1, run cleared    | as A active   |
/// | sure A   | run A + 1   | away and decisive cleared, run cleared | as A active   |
/// | unsure A | run cleared | away and decisive cleared, run cleared | as A active   |
/// | sure B   | run B + 1   | away + 1, decisive + 1, run B + 1      | as A active   |
/// | unsure B | run cleared | away + 1, run cleared                  | as A active   |
/// | invalid  | run cleared | run cleared                            | as A active   |
///
/// `run X + 1` starts at 1 when the run was of another class. After each valid frame these rules apply, in this order:
///
/// 1. A held: `decisive == endFrames(A)`, run X of another class at `beginFrames(X)`, or `away == unsureEndFrames`
///    releases it. Active: end(A), `unsure` if only the last condition holds, else `released`. Spent: forgotten
///    silently.
/// 2. A active for `maximumDuration` or longer since its begin was decided: end(A), `expired`; A is spent.
/// 3. An end starts the refractory time and clears the run, unless that time is zero. While it lasts, sure frames leave
///    the run cleared. The frame exactly at the end of that time counts again.
/// 4. Nothing active and run X at `beginFrames(X)`: begin(X); X is active, a spent gesture is forgotten.
///
/// Consequences. At most one gesture is active, and begins and ends alternate. Frames of B that end A also count in B's
/// own run. So B needs its full count, but no frame twice, and never waits for A's end: both events fall on one frame
/// with `beginFrames(B) <= endFrames(A)`. An unsure frame of A keeps A, at any confidence. An unsure frame of B is
/// evidence for neither: flickering B does not end A early, and `unsureEndFrames` limits how long such frames hold A.
/// A class that is still shown after it expired does not begin again. The machine does not see changes of frame rate or
/// compute unit, so they reset nothing.
///
/// A **return stroke** is no gesture. After an end of A, while the return time lasts, frames led by A's return stroke B
/// count as null. An unbroken series of such frames counts as null even beyond the return time; a frame led by another
/// class or null breaks it. The end of A clears a run of B. The end of another gesture that has a return stroke
/// replaces A's return stroke.
///
/// **Told once.** A gesture A, active or spent, is *over* when rule 1 releases it. If the once time is not zero, a run
/// of A whose first frame comes less than that time later is the same gesture, unless the two are *parted*. For the
/// same gesture rule 4 makes A spent instead of active, without a begin and so without an end. The next release of a
/// spent A, untold or expired, starts the once time and the return time. Two kinds of frame part A from the next A if they come after the
/// last frame that A led while it was held: sure frames of another class, and frames led by A's return stroke, sure or
/// unsure, even while they count as null. Null frames, unsure frames of other classes and invalid frames part nothing.
///
/// A gesture that is a pose stays the same one while the hand keeps the pose. A frame in which `kept` is A moves the
/// end of the once time beyond itself if the frame before it came before that end. A sure frame of another class still
/// parts the two.
///
/// Time that goes backward counts as standing still until a flush.
package struct HysteresisMachine: Sendable {
    private struct Run: Sendable {
        let classIndex: Int
        var count: Int
        let onset: Int64
        var confidence: Float
        var peak: Float
    }

    private struct Held: Sendable {
        let classIndex: Int
        let began: Int64
        var peak: Float
        var away = 0
        var decisive = 0
        var awayOnset: Int64 = 0
        /// Whether one of the away frames parts this gesture from the next of its class.
        var isParted = false
    }

    private enum State: Sendable {
        case idle
        /// A gesture that has begun and not ended.
        case active(Held)
        /// A gesture that expired, or was told before, and is not yet released.
        case spent(Held)

        var held: Held? {
            switch self {
            case .idle: nil
            case .active(let gesture), .spent(let gesture): gesture
            }
        }

        var isActive: Bool {
            if case .active = self { true } else { false }
        }

        /// The same kind of state, holding `gesture`.
        func holding(_ gesture: Held) -> State { isActive ? .active(gesture) : .spent(gesture) }
    }

    /// A gesture that is over. The next gesture of its class may be the same one.
    private struct Past: Sendable {
        let classIndex: Int
        /// From this time on, a run of the class is another gesture.
        var until: Int64
    }

    private struct ReturnStroke: Sendable {
        let classIndex: Int
        let until: Int64
        /// Whether it led in the last valid frame.
        var isLeading: Bool
    }

    private var rules: RecognitionRules
    private var run: Run?
    private var state = State.idle
    private var quietUntil = Int64.min
    private var returnStroke: ReturnStroke?
    private var past: Past?
    private var latest = Int64.min
    /// Sequence number of the next event.
    private var nextSequence: UInt64 = 0

    package init(rules: RecognitionRules) {
        self.rules = rules
    }

    /// The class of the active gesture, which has begun and not ended.
    package var activeClass: Int? {
        guard case .active(let gesture) = state else { return nil }
        return gesture.classIndex
    }

    /// Changes to other rules of the same model, from the next frame on. Frames and times counted so far stay.
    /// Requires the same classes.
    package mutating func change(to rules: RecognitionRules) {
        precondition(rules.classCount == self.rules.classCount && rules.nullIndex == self.rules.nullIndex)
        self.rules = rules
    }

    /// Takes in one frame: its leading class, or nil for an invalid frame.
    /// Requires `0 <= classIndex < classCount`.
    /// - Parameter kept: the class whose pose the hand shows in this frame; nil without one.
    package mutating func step(_ top: TopClass?, keeping kept: Int? = nil, at time: Int64) -> StepResult {
        let previous = latest
        latest = max(latest, time)
        keep(kept, since: previous)
        guard let top else {
            run = nil
            return StepResult(top: nil, end: nil, begin: nil)
        }
        let isNull =
            isReturnStroke(top.classIndex) || top.classIndex == rules.nullIndex
            || !rules.thresholds[top.classIndex].isAllowed
        let counted = isNull ? TopClass(classIndex: rules.nullIndex, confidence: top.confidence) : top
        let isSure = !isNull && top.confidence > rules.thresholds[top.classIndex].beginConfidence
        part(top.classIndex, isSure: isSure)
        extendRun(counted, isSure: isSure)
        let end = followHeld(counted, isDecisive: isNull || isSure, ledBy: top.classIndex)
        return StepResult(top: top, end: end, begin: beginIfDue())
    }

    /// Ends the active gesture, if there is one, and forgets everything but the sequence number: for the end of the
    /// stream and for a break in it. Times after it may start anew.
    package mutating func flush(at time: Int64) -> RecognizedEvent? {
        latest = max(latest, time)
        var event: RecognizedEvent?
        if case .active(let gesture) = state { event = end(gesture, cause: .flushed, ledBy: rules.nullIndex) }
        run = nil
        state = .idle
        quietUntil = .min
        returnStroke = nil
        past = nil
        latest = .min
        return event
    }

    /// Whether a frame led by this class belongs to the return stroke of the gesture that ended last.
    private mutating func isReturnStroke(_ classIndex: Int) -> Bool {
        guard let stroke = returnStroke else { return false }
        let isLeading = stroke.classIndex == classIndex
        guard latest < stroke.until || isLeading && stroke.isLeading else {
            returnStroke = nil
            return false
        }
        returnStroke?.isLeading = isLeading
        return isLeading
    }

    /// Records it if a frame parts the held gesture, or the one that is over, from the next of its class.
    private mutating func part(_ classIndex: Int, isSure: Bool) {
        if var gesture = state.held, isParting(classIndex, isSure: isSure, from: gesture.classIndex) {
            gesture.isParted = true
            state = state.holding(gesture)
        }
        if let gesture = past, isParting(classIndex, isSure: isSure, from: gesture.classIndex) { past = nil }
    }

    /// Extends the once time of the gesture that is over while the hand keeps its pose.
    private mutating func keep(_ kept: Int?, since previous: Int64) {
        guard var gesture = past, gesture.classIndex == kept, previous < gesture.until else { return }
        gesture.until = max(gesture.until, time(after: 1))
        past = gesture
    }

    private func isParting(_ classIndex: Int, isSure: Bool, from gesture: Int) -> Bool {
        classIndex != gesture && (isSure || classIndex == rules.thresholds[gesture].returnStroke)
    }

    private mutating func extendRun(_ top: TopClass, isSure: Bool) {
        guard isSure, top.classIndex != state.held?.classIndex, latest >= quietUntil else {
            run = nil
            return
        }
        if var current = run, current.classIndex == top.classIndex {
            current.count += 1
            current.confidence = top.confidence
            current.peak = max(current.peak, top.confidence)
            run = current
        } else {
            run = Run(
                classIndex: top.classIndex, count: 1, onset: latest, confidence: top.confidence, peak: top.confidence)
        }
    }

    /// - Parameters:
    ///   - top: the class that the frame counts as.
    ///   - leading: the class that leads the frame, also where it counts as null.
    private mutating func followHeld(_ top: TopClass, isDecisive: Bool, ledBy leading: Int) -> RecognizedEvent? {
        guard var gesture = state.held else { return nil }
        let isActive = state.isActive
        if top.classIndex == gesture.classIndex {
            gesture.away = 0
            gesture.decisive = 0
            gesture.isParted = false
            gesture.peak = max(gesture.peak, top.confidence)
        } else {
            if gesture.away == 0 { gesture.awayOnset = latest }
            gesture.away += 1
            gesture.decisive += isDecisive ? 1 : 0
        }

        let isReleased =
            gesture.decisive >= rules.thresholds[gesture.classIndex].endFrames || isRunComplete
        if isReleased || gesture.away >= rules.unsureEndFrames {
            state = .idle
            release(gesture, wasActive: isActive, ledBy: leading)
            return isActive ? end(gesture, cause: isReleased ? .released : .unsure, ledBy: leading) : nil
        }
        guard isActive, hasExpired(gesture) else {
            state = state.holding(gesture)
            return nil
        }
        state = .spent(gesture)
        return end(gesture, cause: .expired, ledBy: leading)
    }

    private func hasExpired(_ gesture: Held) -> Bool {
        guard let limit = rules.maximumDuration else { return false }
        let (elapsed, overflowed) = latest.subtractingReportingOverflow(gesture.began)
        return overflowed || elapsed >= limit
    }

    /// Whether the run is long enough for a begin. The run is never of the held gesture's class.
    private var isRunComplete: Bool {
        guard let run else { return false }
        return run.count >= rules.thresholds[run.classIndex].beginFrames
    }

    private mutating func beginIfDue() -> RecognizedEvent? {
        guard let run, !state.isActive, isRunComplete else { return nil }
        let isTold = past.map { $0.classIndex == run.classIndex && run.onset < $0.until } ?? false
        self.run = nil
        past = nil
        let gesture = Held(classIndex: run.classIndex, began: latest, peak: run.peak)
        state = isTold ? .spent(gesture) : .active(gesture)
        return isTold ? nil : event(.begin, classIndex: run.classIndex, confidence: run.confidence, onset: run.onset)
    }

    /// Starts the once time. A later gesture of this class is another one if frames parted the two, or after that time.
    private mutating func release(_ gesture: Held, wasActive: Bool, ledBy top: Int) {
        guard rules.onceTime > 0 else { return }
        past = gesture.isParted ? nil : Past(classIndex: gesture.classIndex, until: time(after: rules.onceTime))
        if !wasActive { expectReturn(of: gesture, ledBy: top) }
    }

    private mutating func end(_ gesture: Held, cause: EndCause, ledBy top: Int) -> RecognizedEvent {
        if rules.refractory > 0 {
            quietUntil = time(after: rules.refractory)
            run = nil
        }
        expectReturn(of: gesture, ledBy: top)
        return event(
            .end(cause),
            classIndex: gesture.classIndex,
            confidence: gesture.peak,
            onset: gesture.away > 0 ? gesture.awayOnset : latest)
    }

    /// Starts the return time of a gesture that has a return stroke.
    private mutating func expectReturn(of gesture: Held, ledBy top: Int) {
        guard rules.returnTime > 0, let back = rules.thresholds[gesture.classIndex].returnStroke else { return }
        returnStroke = ReturnStroke(classIndex: back, until: time(after: rules.returnTime), isLeading: top == back)
        if run?.classIndex == back { run = nil }
    }

    private func time(after pause: Int64) -> Int64 {
        let (time, overflowed) = latest.addingReportingOverflow(pause)
        return overflowed ? .max : time
    }

    private mutating func event(
        _ kind: RecognizedEvent.Kind, classIndex: Int, confidence: Float, onset: Int64
    ) -> RecognizedEvent {
        defer { nextSequence &+= 1 }
        return RecognizedEvent(
            kind: kind, classIndex: classIndex, confidence: confidence, onset: onset, decision: latest,
            sequence: nextSequence)
    }
}
