/// The pairs of reported and true gestures, by one of two rules. Under both, each truth is found at most once. Gestures
/// are taken in the order of their begins; each finds the first truth, in the order of onsets, that it fits and that is
/// not found yet.
package struct EventMatching: Sendable, Equatable {
    package struct Pair: Sendable, Equatable {
        /// Index among the true events.
        package let truth: Int
        /// Index among the reported gestures.
        package let gesture: Int

        package init(truth: Int, gesture: Int) {
            self.truth = truth
            self.gesture = gesture
        }
    }

    package private(set) var pairs: [Pair] = []
    /// Indices of gestures that found nothing. They include double fires by the SHREC rule, but not by the lenient one.
    package private(set) var falseGestures: [Int] = []
    /// Lenient rule only: indices of gestures that fit a truth that an earlier gesture had found.
    package private(set) var repeats: [Int] = []

    /// The rule of the SHREC 2022 track on online detection of heterogeneous gestures (Emporio et al., Computers &
    /// Graphics 107, 2022; its published evaluation program). With the true interval T and the reported one P, onset of
    /// the begin to onset of the end, P finds T when
    ///
    /// - the labels are the same,
    /// - length(P) <= 2 length(T), and
    /// - (min(end P, end T) - max(onset P, onset T)) / length(T) >= 1 / 2.
    ///
    /// The overlap is a share of the truth's length, not of the union.
    package static func shrec(
        _ gestures: [ObservedGesture], truth: [ClipLabels.Event], rules: EvaluationRules = EvaluationRules()
    ) -> EventMatching {
        matching(gestures, truth) { gesture, event in
            let overlap = min(gesture.end, event.end) - max(gesture.onset, event.onset)
            return gesture.length <= rules.longestRatio * event.length + rules.roundingSlack
                && overlap > 0 && overlap >= rules.leastOverlap * event.length - rules.roundingSlack
        }
    }

    /// What a user notices: the begin was decided between the true onset and shortly after the true end. Further begins
    /// of a found truth are repeats, not false.
    package static func lenient(
        _ gestures: [ObservedGesture], truth: [ClipLabels.Event], rules: EvaluationRules = EvaluationRules()
    ) -> EventMatching {
        func fits(_ gesture: ObservedGesture, _ event: ClipLabels.Event) -> Bool {
            gesture.decision >= event.onset && gesture.decision <= event.end + rules.tolerance
        }
        var result = matching(gestures, truth, fits)
        let unmatched = result.falseGestures
        result.falseGestures = []
        for index in unmatched {
            let isRepeat = truth.contains { $0.classIndex == gestures[index].classIndex && fits(gestures[index], $0) }
            if isRepeat { result.repeats.append(index) } else { result.falseGestures.append(index) }
        }
        return result
    }

    private static func matching(
        _ gestures: [ObservedGesture], _ truth: [ClipLabels.Event],
        _ fits: (ObservedGesture, ClipLabels.Event) -> Bool
    ) -> EventMatching {
        var result = EventMatching()
        var isFound = Array(repeating: false, count: truth.count)
        for (index, gesture) in gestures.enumerated() {
            let place = truth.indices.first { place in
                !isFound[place] && truth[place].classIndex == gesture.classIndex && fits(gesture, truth[place])
            }
            if let place {
                isFound[place] = true
                result.pairs.append(Pair(truth: place, gesture: index))
            } else {
                result.falseGestures.append(index)
            }
        }
        return result
    }
}
