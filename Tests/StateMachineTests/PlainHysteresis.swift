import Recognition

/// The rules of decision D6 and of the public comments of `HysteresisMachine`, by looking back over all frames.
///
/// Where the machine counts, this keeps every frame since the last flush and asks the past anew at each frame.
struct PlainHysteresis {
    /// What a frame counts as, after return strokes became null.
    enum Kind: Equatable {
        case invalid, null, sure(Int), unsure(Int)

        var leading: Int? {
            switch self {
            case .sure(let index), .unsure(let index): index
            case .invalid, .null: nil
            }
        }
    }

    struct Frame {
        var led: Int?
        var confidence: Float
        var time: Int64
        var kept: Int?
        var ended: Int?
        var kind: Kind
        var isReturning = false
    }

    /// A gesture that began: its class, the frames of its run and of its begin, and whether it is active.
    struct Held {
        var index: Int
        var first: Int
        var began: Int
        var isActive: Bool
    }

    let rules: RecognitionRules
    private var frames: [Frame] = []
    private var held: Held?
    private var sequence: UInt64 = 0
    /// Runs that counted as the gesture before.
    private(set) var mergedCount = 0
    /// The last end that was reported.
    private var lastEnd: (frame: Int, time: Int64)?
    /// The return stroke of the last gesture that had one, and the end after which it may come.
    private var returnStroke: (index: Int, frame: Int, time: Int64)?
    /// The last gesture that was released: its class, the last frame that it led and the frame of the release.
    private var over: (index: Int, led: Int, frame: Int)?

    init(_ rules: RecognitionRules) { self.rules = rules }

    var activeClass: Int? { held.flatMap { $0.isActive ? $0.index : nil } }

    mutating func step(
        _ top: TopClass?, keeping kept: Int?, ending ended: Int? = nil, at given: Int64
    ) -> (end: RecognizedEvent?, begin: RecognizedEvent?) {
        let time = max(given, frames.last?.time ?? given)
        var frame = Frame(
            led: top?.classIndex, confidence: top?.confidence ?? 0, time: time, kept: kept, ended: ended,
            kind: .invalid)
        if let top { classify(top, &frame) }
        frames.append(frame)
        guard frame.kind != .invalid else { return (nil, nil) }
        let now = frames.count - 1
        if let denied = deniedGesture() { startReturnStroke(denied, now) }

        var end: RecognizedEvent?
        if let gesture = held {
            let away = framesAway(from: gesture)
            let decisive = away.count { frames[$0].kind == .null || isSure(frames[$0].kind) }
            let challenger = isSure(frame.kind) ? frame.kind.leading : nil
            let isReplaced = challenger.map { $0 != gesture.index && isRunComplete(of: $0) } ?? false
            let isReleased =
                decisive >= rules.thresholds[gesture.index].endFrames || isReplaced || ended == gesture.index
            if isReleased || away.count >= rules.unsureEndFrames {
                end = release(gesture, isReleased ? .released : .unsure, away, now)
            } else if gesture.isActive, let limit = rules.maximumDuration,
                time - frames[gesture.began].time >= limit
            {
                end = reported(.expired, gesture, away, at: time)
                held?.isActive = false
                self.ended(gesture, now)
            }
        }

        var begin: RecognizedEvent?
        if activeClass == nil, case .sure(let index) = frame.kind, isRunComplete(of: index),
            let first = run(of: index).last
        {
            let isSame = isSameGesture(index, from: first)
            if isSame {
                mergedCount += 1
            } else {
                begin = RecognizedEvent(
                    kind: .begin, classIndex: index, confidence: frame.confidence, onset: frames[first].time,
                    decision: time, sequence: sequence)
                sequence += 1
            }
            held = Held(index: index, first: first, began: now, isActive: !isSame)
        }
        return (end, begin)
    }

    mutating func flush(at given: Int64) -> RecognizedEvent? {
        var end: RecognizedEvent?
        if let held, held.isActive {
            end = reported(.flushed, held, framesAway(from: held), at: max(given, frames.last?.time ?? given))
        }
        let (next, merged) = (sequence, mergedCount)
        self = PlainHysteresis(rules)
        (sequence, mergedCount) = (next, merged)
        return end
    }

    private func isSure(_ kind: Kind) -> Bool {
        if case .sure = kind { true } else { false }
    }

    private func classify(_ top: TopClass, _ frame: inout Frame) {
        let index = top.classIndex
        if isReturning(index, at: frame.time) {
            frame.isReturning = true
            frame.kind = .null
        } else if index == rules.nullIndex || index == frame.ended || !rules.thresholds[index].isAllowed {
            frame.kind = .null
        } else {
            frame.kind = isSure(frame, after: frames) ? .sure(index) : .unsure(index)
        }
    }

    /// Whether the class that leads a frame is above its threshold, or has led for long enough above the lower one.
    private func isSure(_ frame: Frame, after earlier: [Frame]) -> Bool {
        guard let led = frame.led else { return false }
        if frame.confidence > rules.thresholds[led].beginConfidence { return true }
        guard let steady = rules.thresholds[led].steady else { return false }
        let latest = (earlier + [frame]).suffix(steady.frames)
        return latest.count == steady.frames && latest.allSatisfy { $0.led == led && $0.confidence > steady.confidence }
    }

    /// Whether a frame that comes next, led by this class, belongs to a return stroke.
    private func isReturning(_ index: Int, at time: Int64) -> Bool {
        guard let returnStroke, returnStroke.index == index else { return false }
        if time < returnStroke.time + rules.returnTime { return true }
        // An unbroken series goes on; the frame of the end may be its first.
        guard let before = (returnStroke.frame..<frames.count).last(where: { frames[$0].led != nil }) else {
            return false
        }
        return frames[before].led == index && (frames[before].isReturning || before == returnStroke.frame)
    }

    /// The latest valid frames that a gesture did not lead since it began, the newest first.
    private func framesAway(from gesture: Held) -> [Int] {
        let valid = (gesture.began + 1..<frames.count).reversed().filter { frames[$0].kind != .invalid }
        return Array(valid.prefix { frames[$0].kind.leading != gesture.index })
    }

    /// The latest frames that count towards a begin, the newest first.
    private func run(of index: Int) -> [Int] {
        guard held?.index != index else { return [] }
        return Array(
            frames.indices.reversed().prefix { place in
                let frame = frames[place]
                guard frame.kind == .sure(index) else { return false }
                if rules.refractory > 0, let lastEnd {
                    guard place > lastEnd.frame, frame.time >= lastEnd.time + rules.refractory else { return false }
                }
                if let returnStroke, returnStroke.index == index, place <= returnStroke.frame { return false }
                return true
            })
    }

    private func isRunComplete(of index: Int) -> Bool {
        run(of: index).count >= rules.thresholds[index].beginFrames
    }

    /// Whether a run that began at a frame is the gesture that is over.
    private func isSameGesture(_ index: Int, from first: Int) -> Bool {
        guard rules.mergeWindow > 0, let over, over.index == index else { return false }
        var end = frames[over.frame].time + rules.mergeWindow
        for place in over.frame + 1..<frames.count
        where frames[place].kept == index && frames[place - 1].time < end {
            end = max(end, frames[place].time + 1)
        }
        guard frames[first].time < end, frames[over.frame...].allSatisfy({ $0.ended != index }) else { return false }
        return (over.led + 1..<first).allSatisfy { place in
            if case .sure(let other) = frames[place].kind, other != index { return false }
            return frames[place].led == nil || frames[place].led != rules.thresholds[index].returnStroke
        }
    }

    private mutating func release(_ gesture: Held, _ cause: EndCause, _ away: [Int], _ now: Int) -> RecognizedEvent? {
        held = nil
        let led = (gesture.began..<frames.count).last { frames[$0].kind.leading == gesture.index } ?? gesture.began
        over = (gesture.index, led, now)
        guard gesture.isActive else {
            // Reported before it expired, or not at all.
            if rules.mergeWindow > 0 { startReturnStroke(gesture.index, now) }
            return nil
        }
        let event = reported(cause, gesture, away, at: frames[now].time)
        ended(gesture, now)
        return event
    }

    private mutating func reported(_ cause: EndCause, _ gesture: Held, _ away: [Int], at time: Int64) -> RecognizedEvent
    {
        let confidence = frames[gesture.first...].filter { $0.kind.leading == gesture.index }.map(\.confidence).max()
        defer { sequence += 1 }
        return RecognizedEvent(
            kind: .end(cause), classIndex: gesture.index, confidence: confidence ?? 0,
            onset: away.last.map { frames[$0].time } ?? time, decision: time, sequence: sequence)
    }

    private mutating func ended(_ gesture: Held, _ now: Int) {
        lastEnd = (now, frames[now].time)
        startReturnStroke(gesture.index, now)
    }

    private mutating func startReturnStroke(_ gesture: Int, _ now: Int) {
        guard rules.returnTime > 0, let index = rules.thresholds[gesture].returnStroke else { return }
        returnStroke = (index, now, frames[now].time)
    }

    /// The class that may not begin and would be held by the latest frame, if it might.
    private func deniedGesture() -> Int? {
        var (index, sure, away, isHeld) = (-1, 0, 0, false)
        for (place, frame) in frames.enumerated() {
            if let led = frame.led, !rules.thresholds[led].isAllowed, !frame.isReturning {
                if led != index { (index, sure, isHeld) = (led, 0, false) }
                sure = isSure(frame, after: Array(frames[..<place])) ? sure + 1 : 0
                (away, isHeld) = (0, isHeld || sure >= rules.thresholds[led].beginFrames)
            } else if isHeld, frame.kind != .invalid {
                away += 1
                if isSure(frame.kind) || away > rules.thresholds[index].endFrames { (index, isHeld) = (-1, false) }
            } else if !isHeld {
                index = -1
            }
        }
        return isHeld ? index : nil
    }
}
