/// Counts of true and reported gestures by one rule.
struct EventTally: Sendable {
    struct ClassCounts: Sendable {
        var truths = 0
        var found = 0
        var wrong = 0
        var repeats = 0
        /// Over found gestures, in seconds: from the true onset to the decision.
        var delays: [Double] = []
        /// Over found gestures, in seconds: from the reported onset to the decision.
        var lags: [Double] = []
    }

    private(set) var classes: [ClassCounts]

    init(classes: ClassNames) { self.classes = Array(repeating: ClassCounts(), count: classes.count) }

    mutating func add(_ matching: EventMatching, _ gestures: [ObservedGesture], truth: [ClipLabels.Event]) {
        for event in truth { classes[event.classIndex].truths += 1 }
        for pair in matching.pairs {
            let (gesture, event) = (gestures[pair.gesture], truth[pair.truth])
            classes[event.classIndex].found += 1
            classes[event.classIndex].delays.append(gesture.decision - event.onset)
            classes[event.classIndex].lags.append(gesture.decision - gesture.onset)
        }
        for index in matching.falseGestures { classes[gestures[index].classIndex].wrong += 1 }
        for index in matching.repeats { classes[gestures[index].classIndex].repeats += 1 }
    }

    static func += (tally: inout Self, other: Self) {
        for (index, counts) in other.classes.enumerated() {
            tally.classes[index].truths += counts.truths
            tally.classes[index].found += counts.found
            tally.classes[index].wrong += counts.wrong
            tally.classes[index].repeats += counts.repeats
            tally.classes[index].delays += counts.delays
            tally.classes[index].lags += counts.lags
        }
    }

    var truths: Int { classes.reduce(0) { $0 + $1.truths } }
    var found: Int { classes.reduce(0) { $0 + $1.found } }
    var wrong: Int { classes.reduce(0) { $0 + $1.wrong } }
    var repeats: Int { classes.reduce(0) { $0 + $1.repeats } }
    var delay: DelayMeasures { DelayMeasures(seconds: classes.flatMap(\.delays)) }

    /// The measures of the contest: each is computed for every class and averaged over the classes, and also computed
    /// over all gestures at once.
    func shrecMeasures(seconds: Double) -> ShrecMeasures {
        let present = classes.filter { $0.truths > 0 }
        let union = classes.filter { $0.truths + $0.wrong > 0 }
        return ShrecMeasures(
            truths: truths, found: found, false_positives: wrong,
            detection_rate: mean(present.compactMap { share($0.found, $0.truths) }),
            false_positive_rate: mean(present.compactMap { share($0.wrong, $0.truths) }),
            jaccard: mean(union.compactMap { share($0.found, $0.truths + $0.wrong) }),
            pooled_detection_rate: share(found, truths), pooled_false_positive_rate: share(wrong, truths),
            pooled_jaccard: share(found, truths + wrong),
            false_positives_per_minute: perMinute(wrong, seconds: seconds),
            delay_ms: mean(classes.compactMap { mean($0.lags).map { 1000 * $0 } }), onset_to_decision: delay)
    }

    func lenientMeasures(seconds: Double) -> LenientMeasures {
        LenientMeasures(
            truths: truths, found: found, detection_rate: share(found, truths), false_positives: wrong,
            false_positives_per_minute: perMinute(wrong, seconds: seconds), double_fires: repeats,
            onset_to_decision: delay)
    }
}

/// Nil if the time is 0.
func perMinute(_ count: Int, seconds: Double) -> Double? { seconds > 0 ? 60 * Double(count) / seconds : nil }

extension DelayMeasures {
    init(seconds: [Double]) {
        let ascending = seconds.map { 1000 * $0 }.sorted()
        self.init(
            events: ascending.count, median_ms: quantile(0.5, ascending: ascending),
            p90_ms: quantile(0.9, ascending: ascending))
    }
}
