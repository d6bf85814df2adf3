/// A replayed clip: the scores of all frames, the events, and the rules by which the one became the other.
///
/// Times are seconds since the clip's first frame. Scores are probabilities after the median filter.
package struct ReplayRecord: Sendable {
    /// The settings of a class.
    package struct Rule: Sendable {
        package let label: String
        /// A frame supports a begin when the class leads with a score above this.
        package let threshold: Double
        /// Consecutive slots that begin the gesture.
        package let beginSlots: Int
        /// Consecutive slots above a lower score after which a frame supports a begin, too; nil if none do.
        package let steady: (slots: Int, score: Double)?
        package let isAllowed: Bool
        /// The class that the way back of this one looks like.
        package let returnStroke: Int?

        package init(
            label: String, threshold: Double, beginSlots: Int, steady: (slots: Int, score: Double)? = nil,
            isAllowed: Bool, returnStroke: Int?
        ) {
            (self.label, self.threshold, self.beginSlots, self.steady) = (label, threshold, beginSlots, steady)
            (self.isAllowed, self.returnStroke) = (isAllowed, returnStroke)
        }
    }

    package struct Frame: Sendable, Equatable {
        package let time: Double
        /// One score for each class; empty before the first window is full.
        package let scores: [Float]
        /// Whether a hand was tracked; nil if the front end tracks none.
        package let hasHand: Bool?

        package init(time: Double, scores: [Float], hasHand: Bool?) {
            (self.time, self.scores, self.hasHand) = (time, scores, hasHand)
        }
    }

    /// A begin, and the end that belongs to it.
    package struct Gesture: Sendable, Equatable {
        package let classIndex: Int
        package let onset: Double
        /// When the begin was reported.
        package let decision: Double
        package let confidence: Double
        /// When the end was reported; nil while the gesture lasts.
        package var end: Double?

        package init(classIndex: Int, onset: Double, decision: Double, confidence: Double) {
            (self.classIndex, self.onset) = (classIndex, onset)
            (self.decision, self.confidence) = (decision, confidence)
        }
    }

    /// By class.
    package let rules: [Rule]
    package let nullIndex: Int
    /// Slots a second.
    package let slotRate: Double
    /// Seconds; see `RecognitionConfiguration`.
    package let rest: Double
    package let returnTime: Double
    package let mergeWindow: Double
    /// In the order of time.
    package private(set) var frames: [Frame] = []
    package private(set) var gestures: [Gesture] = []

    package init(
        rules: [Rule], nullIndex: Int, slotRate: Double, rest: Double, returnTime: Double, mergeWindow: Double
    ) {
        (self.rules, self.nullIndex, self.slotRate) = (rules, nullIndex, slotRate)
        (self.rest, self.returnTime, self.mergeWindow) = (rest, returnTime, mergeWindow)
    }

    package mutating func add(_ frame: Frame) { frames.append(frame) }

    package mutating func begin(_ gesture: Gesture) { gestures.append(gesture) }

    /// Ends the newest gesture.
    package mutating func end(at time: Double) {
        guard let last = gestures.indices.last, gestures[last].end == nil else { return }
        gestures[last].end = time
    }

    package var seconds: Double { frames.last?.time ?? 0 }

    /// The leading class of a frame: of equal scores null's, then that of the lowest index. Nil without scores.
    func leader(of frame: Frame) -> Int? {
        guard frame.scores.indices.contains(nullIndex) else { return nil }
        return frame.scores.indices.reduce(nullIndex) { frame.scores[$1] > frame.scores[$0] ? $1 : $0 }
    }

    /// The slots between a frame and the one before it.
    func slots(ofFrame index: Int) -> Int {
        guard index > 0 else { return 1 }
        let interval = (frames[index].time - frames[index - 1].time) * slotRate
        return interval.isFinite ? max(1, Int(min(1e6, interval.rounded()))) : 1
    }
}
