import Evaluation
import Vocabulary

/// swipe 0, tap 1, null 2.
let sample: ClassNames = {
    do { return try ClassNames(["swipe", "tap", "null"], nullIndex: 2) } catch { fatalError("\(error)") }
}()

func closeTo(_ one: Double?, _ other: Double?, within: Double = 1e-9) -> Bool {
    guard let one, let other else { return one == nil && other == nil }
    return abs(one - other) <= within
}

extension SplitMix64 {
    /// 0 ..< limit.
    mutating func below(_ limit: Int) -> Int { Int(next(below: UInt64(limit))) }
}

/// A clip at 10 Hz whose frames show `truth`, one class a frame, and whose events are the stretches of gestures in it.
/// - said: leading class of every frame with its confidence, from frame `from` on.
func clip(
    _ name: String = "clip", truth: [Int], said: [(Int, Float)], from: Int = 0, events: [ObservedEvent] = [],
    undecided: [Range<Int>] = [], sourceRate: Double? = nil, lighting: String? = nil, classes: ClassNames = sample
) throws -> ClipObservation {
    var runs: [ClipLabels.Run] = []
    var first = 0
    for frame in truth.indices where frame + 1 == truth.count || truth[frame + 1] != truth[frame] {
        runs.append(.init(frames: first..<(frame + 1), classIndex: truth[frame]))
        first = frame + 1
    }
    let gestures = runs.filter { $0.classIndex != classes.nullIndex }.map {
        ClipLabels.Event(
            classIndex: $0.classIndex, onset: Double($0.frames.lowerBound) / 10, end: Double($0.frames.upperBound) / 10)
    }
    let labels = try ClipLabels(
        rate: 10, frames: truth.count, events: gestures, runs: runs, undecided: undecided, sourceRate: sourceRate,
        lighting: lighting, classes: classes)
    let frames = said.enumerated().map { index, prediction in
        FramePrediction(
            frame: from + index, time: Double(from + index) / 10, classIndex: prediction.0, confidence: prediction.1)
    }
    return try ClipObservation(
        name: name, truth: labels, seconds: Double(truth.count) / 10, frames: frames, events: events)
}

/// Begin and end of one gesture.
func fired(_ classIndex: Int, _ onset: Double, _ decision: Double, _ end: Double, _ sequence: UInt64) -> [ObservedEvent]
{
    [
        ObservedEvent(kind: .begin, classIndex: classIndex, onset: onset, decision: decision, sequence: sequence),
        ObservedEvent(kind: .end, classIndex: classIndex, onset: end, decision: end + 0.05, sequence: sequence + 1),
    ]
}

/// A report of one clip.
func report(_ clips: ClipObservation..., rules: EvaluationRules = EvaluationRules()) -> AccuracyReport {
    var evaluator = Evaluator(classes: clips.first?.truth.classes ?? sample, rules: rules)
    for clip in clips { evaluator.add(clip) }
    return evaluator.report
}

/// One frame of four is wrong; a swipe that is found.
func observation(wrong: Int = 1, classes: ClassNames = sample, name: String = "a.mp4") throws
    -> ClipObservation
{
    let truth = [2, 0, 0, 2]
    return try clip(
        name, truth: truth, said: truth.enumerated().map { ($1 == 2 && $0 < wrong ? 1 : $1, 0.5) },
        events: fired(0, 0.1, 0.2, 0.3, 0), undecided: [0..<1], lighting: "dim", classes: classes)
}
