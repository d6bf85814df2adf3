/// Turns the leading class of each frame into begin and end events. A pure value; the caller passes the time.
///
/// A frame is one of: **null** (the null class, or a class that may not begin, leads at any confidence); **sure X**
/// (class X leads, strictly above its threshold or steadily); **unsure X** (class X leads otherwise); **invalid**
/// (no usable scores). A class leads steadily in a frame that ends enough valid frames in a row that it leads, all strictly
/// above a lower threshold, whatever else they count as.
///
/// The *state* is idle, or a gesture is held. A held gesture is active, or finished: it expired and is not yet released.
/// The *run* is a class with the number of its latest consecutive sure frames. The *away* frames of a held gesture are
/// the consecutive valid frames that another class or null led. Null and sure away frames are *decisive*.
///
/// | frame    | idle        | A active                               | A finished       |
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
/// 1. A held: its pose ended, `decisive == endFrames(A)`, run X of another class at `beginFrames(X)`, or `away ==
///    unsureEndFrames` releases it. Active: end(A), `unsure` if only the last condition holds, else `released`. Finished:
///    forgotten silently.
/// 2. A active for `maximumDuration` or longer since its begin was decided: end(A), `expired`; A is finished.
/// 3. An end starts the refractory time and clears the run, unless that time is zero. While it lasts, sure frames leave
///    the run cleared. The frame exactly at the end of that time counts again.
/// 4. Nothing active and run X at `beginFrames(X)`: begin(X); X is active, a finished gesture is forgotten.
///
/// Consequences. At most one gesture is active, and begins and ends alternate. Frames of B that end A also count in B's
/// own run. So B needs its full count and does not wait for A's end: with `beginFrames(B) <= endFrames(A)` both events
/// fall on one frame. An unsure frame of A keeps A, at any confidence. An unsure frame of B counts for neither of them.
/// So a flickering B does not end A early. `unsureEndFrames` limits how long such frames hold A.
/// A class that is still shown after it expired does not begin again.
///
/// A **return stroke** emits no event. The return time begins with the end of A. While it lasts, frames led by A's
/// return stroke B count as null. A series of such frames goes on counting as null after the return time, until a frame
/// led by another class or null breaks it. A run of B in progress when A ends emits no begin. When another gesture with
/// a return stroke ends, its return stroke replaces A's.
///
/// The way back of a class that may not begin is not reported either. A run of such a class that reaches `beginFrames` is followed
/// like a gesture: until the class has not led for `endFrames` frames, or another class is sure, each frame starts its return
/// time. Frames that belong to a return stroke themselves make no run.
///
/// **Reported once.** A gesture A, active or finished, is *over* when rule 1 releases it, and the merge window begins. A run of
/// A that begins while the merge window lasts is the same gesture, unless the two are *separated*. Rule 4 then makes A finished
/// instead of active, without a begin and so without an end. Each release of a finished A starts the merge window and the
/// return time anew. The first frame of a run decides whether it is the same gesture.
///
/// A frame can separate A from the next A if it comes after the last frame that A led while it was held. Two kinds of frame
/// do so: sure frames of another class, and frames led by A's return stroke, sure or unsure, even while they count as
/// null. All other frames leave the two the same gesture.
///
/// A gesture that is a pose stays the same one while the hand keeps the pose. If `kept` is A in a frame, and the frame
/// before came within the merge window, the merge window lasts beyond this frame. A sure frame of another class still separates
/// the two. The pose of A has `ended` in the frame in which the hand turns over or pinches. That frame counts as null if
/// A leads it. It releases A by rule 1 and separates A from the next A.
///
/// Time that goes backward counts as standing still until a flush.
package struct HysteresisMachine: Sendable {
    private enum Evidence { case null, sure, unsure }
    /// A valid frame: the class that leads it, also where it counts as null, and what it counts as.
    private typealias Frame = (top: TopClass, evidence: Evidence)

    private struct Run: Sendable {
        let classIndex: Int
        let onset: Int64
        var count: Int
        var peak: Float
    }

    /// What may lead to a begin while no gesture is active.
    private enum Approach: Sendable {
        /// The refractory time: no frame counts before its end.
        case quiet(until: Int64)
        case counting(Run?)

        var run: Run? { if case .counting(let run) = self { run } else { nil } }
    }

    private struct Away: Sendable {
        let onset: Int64
        var frames = 0
        var decisive = 0
        /// Whether one of the frames separates the held gesture from the next of its class.
        var isSeparated = false
    }

    private struct Held: Sendable {
        let classIndex: Int
        let began: Int64
        var peak: Float
        /// Nil after a frame that the class led.
        var away: Away?
    }

    /// A gesture that is over. The next gesture of its class may be the same one.
    private struct Past: Sendable {
        let classIndex: Int
        /// From this time on, a run of the class is another gesture.
        var until: Int64
    }

    private enum State: Sendable {
        case idle(after: Past?, Approach)
        /// A gesture that has begun and not ended.
        case active(Held, rival: Run?)
        /// A gesture that expired, or was reported before, and is not yet released.
        case finished(Held, Approach)
    }

    private struct ReturnStroke: Sendable {
        let classIndex: Int
        let until: Int64
        /// Whether it led in the last valid frame.
        var isLeading: Bool
    }

    /// A class that may not begin and that led last, or that led before and is not over yet.
    private struct Denied: Sendable {
        let classIndex: Int
        /// Consecutive sure frames, and every frame that it leads once they are enough.
        var count = 0
        /// Frames since the class led.
        var away = 0
    }

    private var rules: RecognitionRules
    private var state = State.idle(after: nil, .counting(nil))
    /// The return stroke of the gesture that ended last, or of a run of a class that may not begin.
    private var returnStroke: ReturnStroke?
    private var denied: Denied?
    /// The class that led last, and for how many frames in a row above its steady confidence.
    private var lead = (classIndex: 0, frames: 0)
    private var latest = Int64.min
    /// Sequence number of the next event.
    private var nextSequence: UInt64 = 0

    package init(rules: RecognitionRules) {
        self.rules = rules
    }

    /// The class of the active gesture, which has begun and not ended.
    package var activeClass: Int? {
        guard case .active(let gesture, _) = state else { return nil }
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
    /// - Parameters:
    ///   - kept: the class whose pose the hand shows in this frame; nil without one.
    ///   - ended: the class whose pose ended in this frame, although its score may stay high; nil without one.
    package mutating func step(
        _ top: TopClass?, keeping kept: Int? = nil, ending ended: Int? = nil, at time: Int64
    ) -> StepResult {
        let previous = latest
        latest = max(latest, time)
        followLead(of: top)
        let frame: Frame? = top.map { ($0, evidence($0, ending: ended)) }
        expectReturnOfDenied(in: frame)
        let end = follow(frame, keeping: kept, ending: ended, since: previous)
        return StepResult(top: top, end: end, begin: beginIfDue(frame))
    }

    /// Ends the active gesture, if there is one, and forgets everything but the sequence number: for the end of the
    /// stream and for a break in it. Times after it may start anew.
    package mutating func flush(at time: Int64) -> RecognizedEvent? {
        latest = max(latest, time)
        defer {
            (state, returnStroke, denied, latest) = (.idle(after: nil, .counting(nil)), nil, nil, .min)
            lead.frames = 0
        }
        guard case .active(let gesture, _) = state else { return nil }
        return endEvent(of: gesture, .flushed, in: nil)
    }

    private mutating func evidence(_ top: TopClass, ending ended: Int?) -> Evidence {
        if isReturnStroke(top.classIndex) || top.classIndex == rules.nullIndex { return .null }
        if top.classIndex == ended { return .null }
        guard rules.thresholds[top.classIndex].isAllowed else { return .null }
        return isSure(top) ? .sure : .unsure
    }

    private mutating func followLead(of top: TopClass?) {
        guard let top, let steady = rules.thresholds[top.classIndex].steady, top.confidence > steady.confidence else {
            lead.frames = 0
            return
        }
        lead = (top.classIndex, lead.classIndex == top.classIndex ? lead.frames + 1 : 1)
    }

    /// Whether the class of the latest frame leads it strictly above its threshold, or steadily.
    private func isSure(_ top: TopClass) -> Bool {
        let thresholds = rules.thresholds[top.classIndex]
        if top.confidence > thresholds.beginConfidence { return true }
        return thresholds.steady.map { lead.frames >= $0.frames } ?? false
    }

    /// Whether a frame led by this class belongs to the return stroke of the gesture that ended last.
    private mutating func isReturnStroke(_ classIndex: Int) -> Bool {
        guard let stroke = returnStroke else { return false }
        let isLeading = stroke.classIndex == classIndex && (latest < stroke.until || stroke.isLeading)
        returnStroke?.isLeading = isLeading
        return isLeading
    }

    /// The table, and rules 1 to 3. An invalid frame is nil. Inlined, as rules 1 and 4 are, so that no event is copied.
    @inline(__always)
    private mutating func follow(
        _ frame: Frame?, keeping kept: Int?, ending ended: Int?, since previous: Int64
    ) -> RecognizedEvent? {
        switch state {
        case .idle(let earlier, let approach):
            let past = remembered(earlier, in: frame, keeping: kept, since: previous)
            state = .idle(after: past?.classIndex == ended ? nil : past, extended(approach, by: frame))

        case .active(let held, let rival):
            let (gesture, run) = (counted(frame, for: held), extended(rival, by: frame, holding: held.classIndex))
            guard let frame, let cause = release(of: gesture, run, ending: ended) ?? expiry(of: gesture) else {
                state = .active(gesture, rival: run)
                break
            }
            let next = rules.refractory > 0 ? Approach.quiet(until: time(after: rules.refractory)) : .counting(run)
            state = cause == .expired ? .finished(gesture, next) : .idle(after: past(gesture, ending: ended), next)
            return endEvent(of: gesture, cause, in: frame)

        case .finished(let held, let approach):
            let (gesture, next) = (counted(frame, for: held), extended(approach, by: frame, holding: held.classIndex))
            guard let frame, release(of: gesture, next.run, ending: ended) != nil else {
                state = .finished(gesture, next)
                break
            }
            state = .idle(after: past(gesture, ending: ended), next)
            if rules.mergeWindow > 0 { expectReturn(of: gesture.classIndex, in: frame) }
        }
        return nil
    }

    /// Rule 4. The frame that completes a run releases a finished gesture, so only an idle machine begins one. A return
    /// stroke never begins a gesture.
    @inline(__always)
    private mutating func beginIfDue(_ frame: Frame?) -> RecognizedEvent? {
        guard let frame, returnStroke?.isLeading != true else { return nil }
        guard case .idle(let past, .counting(let run?)) = state, isComplete(run) else { return nil }
        let gesture = Held(classIndex: run.classIndex, began: latest, peak: run.peak)
        if let past, past.classIndex == run.classIndex, run.onset < past.until {
            state = .finished(gesture, .counting(nil))
            return nil
        }
        state = .active(gesture, rival: nil)
        return event(.begin, of: gesture, confidence: frame.top.confidence, onset: run.onset)
    }

    /// The gesture that is over, unless the frame separates it from the next. While the hand keeps its pose, the merge window
    /// goes on.
    private func remembered(_ past: Past?, in frame: Frame?, keeping kept: Int?, since previous: Int64) -> Past? {
        guard var past, !isSeparating(frame, from: past.classIndex) else { return nil }
        if past.classIndex == kept, previous < past.until { past.until = max(past.until, time(after: 1)) }
        return past
    }

    private func counted(_ frame: Frame?, for held: Held) -> Held {
        guard let (top, evidence) = frame else { return held }
        var gesture = held
        if evidence != .null, top.classIndex == held.classIndex {
            gesture.away = nil
            gesture.peak = max(held.peak, top.confidence)
        } else {
            var away = held.away ?? Away(onset: latest)
            away.frames += 1
            away.decisive += evidence == .unsure ? 0 : 1
            if isSeparating(frame, from: held.classIndex) { away.isSeparated = true }
            gesture.away = away
        }
        return gesture
    }

    private func isSeparating(_ frame: Frame?, from gesture: Int) -> Bool {
        guard let (top, evidence) = frame, top.classIndex != gesture else { return false }
        return evidence == .sure || top.classIndex == rules.thresholds[gesture].returnStroke
    }

    private func extended(_ approach: Approach, by frame: Frame?, holding held: Int? = nil) -> Approach {
        if case .quiet(let until) = approach, latest < until { return approach }
        return .counting(extended(approach.run, by: frame, holding: held))
    }

    private func extended(_ run: Run?, by frame: Frame?, holding held: Int?) -> Run? {
        guard let (top, evidence) = frame, evidence == .sure, top.classIndex != held else { return nil }
        guard var run, run.classIndex == top.classIndex else {
            return Run(classIndex: top.classIndex, onset: latest, count: 1, peak: top.confidence)
        }
        run.count += 1
        run.peak = max(run.peak, top.confidence)
        return run
    }

    /// Rule 1: the cause that releases a held gesture; nil without one.
    @inline(__always)
    private func release(of gesture: Held, _ run: Run?, ending ended: Int?) -> EndCause? {
        if gesture.classIndex == ended { return .released }
        guard let away = gesture.away else { return nil }
        if away.decisive >= rules.thresholds[gesture.classIndex].endFrames || isComplete(run) { return .released }
        return away.frames >= rules.unsureEndFrames ? .unsure : nil
    }

    /// Rule 2.
    private func expiry(of gesture: Held) -> EndCause? {
        guard let limit = rules.maximumDuration else { return nil }
        let (elapsed, overflowed) = latest.subtractingReportingOverflow(gesture.began)
        return overflowed || elapsed >= limit ? .expired : nil
    }

    /// Whether the run is long enough for a begin.
    private func isComplete(_ run: Run?) -> Bool {
        run.map { $0.count >= rules.thresholds[$0.classIndex].beginFrames } ?? false
    }

    /// The released gesture, if the next of its class may be the same one.
    private func past(_ gesture: Held, ending ended: Int?) -> Past? {
        guard rules.mergeWindow > 0, gesture.away?.isSeparated != true, gesture.classIndex != ended else { return nil }
        guard !rules.thresholds[gesture.classIndex].isMomentary else { return nil }
        return Past(classIndex: gesture.classIndex, until: time(after: rules.mergeWindow))
    }

    /// The end of an active gesture, which starts its return time.
    private mutating func endEvent(of gesture: Held, _ cause: EndCause, in frame: Frame?) -> RecognizedEvent {
        expectReturn(of: gesture.classIndex, in: frame)
        return event(.end(cause), of: gesture, confidence: gesture.peak, onset: gesture.away?.onset ?? latest)
    }

    /// Starts the return time of a class that has a return stroke.
    private mutating func expectReturn(of classIndex: Int, in frame: Frame?) {
        guard rules.returnTime > 0, let back = rules.thresholds[classIndex].returnStroke else { return }
        returnStroke = ReturnStroke(
            classIndex: back, until: time(after: rules.returnTime), isLeading: frame?.top.classIndex == back)
    }

    /// Starts the return time of a class that may not begin, from the frame that completes its run to its end.
    private mutating func expectReturnOfDenied(in frame: Frame?) {
        guard let frame else {
            if !isFollowed(denied) { denied = nil }
            return
        }
        let (classIndex, evidence) = (frame.top.classIndex, frame.evidence)
        if !rules.thresholds[classIndex].isAllowed, returnStroke?.isLeading != true {
            let before = denied?.classIndex == classIndex ? denied : nil
            let counts = isSure(frame.top) || isFollowed(before)
            denied = Denied(classIndex: classIndex, count: counts ? (before?.count ?? 0) + 1 : 0)
        } else if var followed = denied, isFollowed(followed), evidence != .sure {
            followed.away += 1
            denied = followed.away > rules.thresholds[followed.classIndex].endFrames ? nil : followed
        } else {
            denied = nil
        }
        if let denied, isFollowed(denied) { expectReturn(of: denied.classIndex, in: frame) }
    }

    /// Whether the class would have begun, if it might.
    private func isFollowed(_ denied: Denied?) -> Bool {
        denied.map { $0.count >= rules.thresholds[$0.classIndex].beginFrames } ?? false
    }

    private func time(after pause: Int64) -> Int64 {
        let (time, overflowed) = latest.addingReportingOverflow(pause)
        return overflowed ? .max : time
    }

    private mutating func event(
        _ kind: RecognizedEvent.Kind, of gesture: Held, confidence: Float, onset: Int64
    ) -> RecognizedEvent {
        defer { nextSequence &+= 1 }
        return RecognizedEvent(
            kind: kind, classIndex: gesture.classIndex, confidence: confidence, onset: onset, decision: latest,
            sequence: nextSequence)
    }
}
