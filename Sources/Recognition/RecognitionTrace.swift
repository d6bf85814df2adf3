package import Vocabulary

/// What a stream's recognition read in every slot. Other thresholds can be tried on it without running networks again.
package struct RecognitionTrace: Sendable {
    private enum Step: Sendable {
        case slot(logits: ContiguousArray<Float>, shares: ContiguousArray<Float>, kept: Int?, ended: Int?, time: Int64)
        case flush(time: Int64)
    }

    private let labels: [String]
    private let nullIndex: Int
    private let momentary: Int?
    private let taught: [Int]
    private var steps: [Step] = []

    /// - momentary: the class that is `RecognitionRules.Thresholds.isMomentary`; nil without one.
    /// - taught: see `Recognizer.init`.
    package init(labels: [String], nullIndex: Int, momentary: Int?, taught: [Int]) {
        (self.labels, self.nullIndex, self.momentary, self.taught) = (labels, nullIndex, momentary, taught)
    }

    /// Slots and flushes so far.
    package var stepCount: Int { steps.count }

    /// Adds the arguments of a call of `Recognizer.step`.
    package mutating func add(logits: [Float], shares: [Float], kept: Int?, ended: Int?, at time: Int64) {
        steps.append(
            .slot(
                logits: ContiguousArray(logits), shares: ContiguousArray(shares), kept: kept, ended: ended, time: time))
    }

    /// Adds a call of `Recognizer.flush`.
    package mutating func addFlush(at time: Int64) { steps.append(.flush(time: time)) }

    /// The begins that a configuration gives, each with the index of its step. With the stream's own configuration they
    /// are the stream's.
    package func begins(
        by configuration: RecognitionConfiguration
    ) throws(ConfigurationError) -> [(step: Int, event: RecognizedEvent)] {
        var recognizer = Recognizer(
            rules: try RecognitionRules(
                labels: labels, nullIndex: nullIndex, configuration: configuration, momentary: momentary),
            taught: taught)
        var begins: [(step: Int, event: RecognizedEvent)] = []
        for (index, step) in steps.enumerated() {
            switch step {
            case .flush(let time): _ = recognizer.flush(at: time)
            case .slot(let logits, let shares, let kept, let ended, let time):
                let result = recognizer.step(
                    logits: logits.span, shares: shares.span, keeping: kept, ending: ended, at: time)
                if let begin = result.begin { begins.append((index, begin)) }
            }
        }
        return begins
    }
}
