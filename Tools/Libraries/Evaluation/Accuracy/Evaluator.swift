/// Collects clips in any order and computes their report.
package struct Evaluator: Sendable {
    package let classes: ClassNames
    package let rules: EvaluationRules

    private enum Dimension: Hashable { case rate, lighting, hand, clip }

    private var overall: ClipTally
    private var groups: [Dimension: [String: ClipTally]] = [:]

    package init(classes: ClassNames, rules: EvaluationRules = EvaluationRules()) {
        self.classes = classes
        self.rules = rules
        overall = ClipTally(classes: classes, rules: rules)
    }

    /// Adds a clip. Clips with the same name share a group.
    /// Requires that its classes are these.
    package mutating func add(_ clip: ClipObservation) {
        precondition(clip.truth.classes == classes, "a clip of other classes")
        var tally = ClipTally(classes: classes, rules: rules)
        tally.add(clip, rules: rules)
        overall += tally
        let rate = decimalText(clip.truth.rate, places: 2) + (clip.truth.isJittered ? " jittered" : "")
        for (dimension, name) in [
            (Dimension.rate, rate), (.lighting, clip.truth.lighting ?? "unstated"),
            (.hand, clip.truth.hand ?? "unstated"), (.clip, clip.name),
        ] {
            groups[dimension, default: [:]][name, default: ClipTally(classes: classes, rules: rules)] += tally
        }
    }

    package var report: AccuracyReport {
        func measures(_ dimension: Dimension) -> [String: Measures] {
            (groups[dimension] ?? [:]).mapValues(\.measures)
        }
        let bins = overall.frames.calibration.bins
        return AccuracyReport(
            labels: classes.labels, null_label: classes.labels[classes.nullIndex], rules: rules,
            overall: overall.measures, classes: classMeasures, confusion: overall.frames.matrix,
            decided_confusion: overall.decided.matrix,
            calibration: bins.enumerated().map { index, bin in
                CalibrationMeasures(
                    low: Double(index) / Double(bins.count), high: Double(index + 1) / Double(bins.count),
                    frames: bin.frames, right: share(bin.right, bin.frames),
                    confidence: bin.frames == 0 ? nil : bin.confidence / Double(bin.frames))
            },
            groups: GroupMeasures(
                rate: measures(.rate), lighting: measures(.lighting), hand: measures(.hand), clip: measures(.clip)))
    }

    private var classMeasures: [String: ClassMeasures] {
        var result: [String: ClassMeasures] = [:]
        for (index, label) in classes.labels.enumerated() {
            let (shrec, lenient) = (overall.shrec.classes[index], overall.lenient.classes[index])
            let (_, truth, predicted) = overall.frames.counts(of: index)
            guard truth + predicted + shrec.truths + shrec.wrong + lenient.wrong > 0 else { continue }
            let events = ClassMeasures.Events(
                truths: shrec.truths, shrec_found: shrec.found, shrec_false_positives: shrec.wrong,
                shrec_detection_rate: share(shrec.found, shrec.truths),
                shrec_jaccard: share(shrec.found, shrec.truths + shrec.wrong), lenient_found: lenient.found,
                lenient_false_positives: lenient.wrong, double_fires: lenient.repeats,
                onset_to_decision: DelayMeasures(seconds: lenient.delays))
            result[label] = ClassMeasures(
                all: ClassMeasures.Frames(overall.frames, index), decided: ClassMeasures.Frames(overall.decided, index),
                events: index == classes.nullIndex ? nil : events)
        }
        return result
    }
}

extension ClassMeasures.Frames {
    fileprivate init(_ tally: FrameTally, _ index: Int) {
        let (right, truth, predicted) = tally.counts(of: index)
        self.init(
            frames: truth, precision: share(right, predicted), recall: share(right, truth),
            f1: share(2 * right, truth + predicted))
    }
}

/// Counts over clips.
private struct ClipTally: Sendable {
    var clips = 0
    var seconds = 0.0
    var unpredicted = 0
    var frames: FrameTally
    var decided: FrameTally
    var shrec: EventTally
    var lenient: EventTally
    /// Over clips with events.
    var edits = 0
    var targets = 0
    var nullClips = 0
    var nullSeconds = 0.0
    var nullBegins = 0

    init(classes: ClassNames, rules: EvaluationRules) {
        frames = FrameTally(classes: classes, rules: rules)
        decided = FrameTally(classes: classes, rules: rules)
        shrec = EventTally(classes: classes)
        lenient = EventTally(classes: classes)
    }

    mutating func add(_ clip: ClipObservation, rules: EvaluationRules) {
        let truth = clip.truth
        clips += 1
        seconds += clip.seconds
        var scored = 0
        for frame in clip.frames {
            guard let classIndex = truth.classIndex(ofFrame: frame.frame) else { continue }
            scored += 1
            frames.add(truth: classIndex, frame)
            if truth.isDecided(frame: frame.frame) { decided.add(truth: classIndex, frame) }
        }
        unpredicted += truth.runs.reduce(0) { $0 + $1.frames.count } - scored
        shrec.add(
            EventMatching.shrec(clip.gestures, truth: truth.events, rules: rules), clip.gestures, truth: truth.events)
        lenient.add(
            EventMatching.lenient(clip.gestures, truth: truth.events, rules: rules), clip.gestures, truth: truth.events)
        if truth.events.isEmpty {
            nullClips += 1
            nullSeconds += clip.seconds
            nullBegins += clip.gestures.count
        } else {
            edits += editDistance(truth.events.map(\.classIndex), clip.gestures.map(\.classIndex))
            targets += truth.events.count
        }
    }

    static func += (tally: inout Self, other: Self) {
        tally.clips += other.clips
        tally.seconds += other.seconds
        tally.unpredicted += other.unpredicted
        tally.frames += other.frames
        tally.decided += other.decided
        tally.shrec += other.shrec
        tally.lenient += other.lenient
        tally.edits += other.edits
        tally.targets += other.targets
        tally.nullClips += other.nullClips
        tally.nullSeconds += other.nullSeconds
        tally.nullBegins += other.nullBegins
    }

    var measures: Measures {
        Measures(
            clips: clips, minutes: seconds / 60, unpredicted_frames: unpredicted, frames: frames.measures,
            decided_frames: decided.measures, shrec: shrec.shrecMeasures(seconds: seconds),
            lenient: lenient.lenientMeasures(seconds: seconds),
            levenshtein_accuracy: share(targets - edits, targets),
            null_footage: NullMeasures(
                clips: nullClips, minutes: nullSeconds / 60, false_positives: nullBegins,
                false_positives_per_minute: perMinute(nullBegins, seconds: nullSeconds)))
    }
}
