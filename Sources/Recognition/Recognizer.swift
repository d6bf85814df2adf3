package import Vocabulary

/// Takes in one frame's logits and gives at most one end and one begin: median, softmax, hysteresis.
///
/// A frame with a logit that is not finite is invalid and brings no event. The median leaves its place empty. In the
/// hysteresis it breaks a run towards a begin and has no effect on an end.
///
/// Classes that were added to a trained model take from null's probability alone: the softmax is that of the other
/// classes, and null's probability is then divided among null and the taught classes, by the softmax of their logits. So
/// each other class is as probable as without them, bit for bit.
///
/// The initialiser makes all storage. Not copyable, so no step ever copies or allocates.
package struct Recognizer: ~Copyable, Sendable {
    private let nullIndex: Int
    private var medianLength: Int
    private var median: LogitMedian
    private var machine: HysteresisMachine
    /// A `ContiguousArray` because the spans of `Array` need newer Apple systems.
    private var scores: ContiguousArray<Float>
    private let taught: ContiguousArray<Int>
    /// The shares of the taught classes in null's probability, and then null's own.
    private var taughtShares: ContiguousArray<Float>

    /// - taught: the classes that take from null's probability alone.
    package init(rules: RecognitionRules, taught: [Int] = []) {
        precondition(!taught.contains(rules.nullIndex) && taught.allSatisfy((0..<rules.classCount).contains))
        self.taught = ContiguousArray(taught)
        taughtShares = ContiguousArray(repeating: 0, count: taught.isEmpty ? 0 : taught.count + 1)
        nullIndex = rules.nullIndex
        medianLength = rules.medianLength
        median = LogitMedian(width: rules.classCount, length: rules.medianLength)
        machine = HysteresisMachine(rules: rules)
        scores = ContiguousArray(repeating: 0, count: rules.classCount)
    }

    package init(
        labels: [String], nullIndex: Int, configuration: RecognitionConfiguration
    ) throws(ConfigurationError) {
        self.init(rules: try RecognitionRules(labels: labels, nullIndex: nullIndex, configuration: configuration))
    }

    package init(
        classCount: Int, nullIndex: Int, configuration: RecognitionConfiguration
    ) throws(ConfigurationError) {
        self.init(
            rules: try RecognitionRules(classCount: classCount, nullIndex: nullIndex, configuration: configuration))
    }

    /// The class of the active gesture, which has begun and not ended.
    package var activeClass: Int? { machine.activeClass }

    /// Probabilities of the latest valid frame, after the median; zeros before the first.
    package var probabilities: Span<Float> {
        @_lifetime(borrow self)
        borrowing get { scores.span }
    }

    /// Takes in one frame. The leading class is the one with the highest probability; among equal ones the null class,
    /// then the lowest index.
    /// - logits: one per class. Requires `logits.count == classCount`.
    /// - shares: the part of null's probability that each class gets in addition, 0...1, together at most 1. One per
    ///   class, or empty. Below 0, down to -1, it is the part of its own probability that the class gives to null before
    ///   that. The median does not see them.
    /// - kept: the class whose pose the hand shows in this frame, for gestures that are reported once; nil without one.
    /// - ended: the class whose pose ended in this frame; nil without one.
    /// - time: the frame's time in nanoseconds.
    package mutating func step(
        logits: Span<Float>, shares: Span<Float> = Span(), keeping kept: Int? = nil,
        ending ended: Int? = nil, at time: Int64
    ) -> StepResult {
        guard Self.areFinite(logits) else {
            median.skip()
            return machine.step(nil, keeping: kept, ending: ended, at: time)
        }
        median.push(logits)
        guard score() else {
            return machine.step(nil, keeping: kept, ending: ended, at: time)
        }
        if !shares.isEmpty { share(shares) }
        return machine.step(leader(), keeping: kept, ending: ended, at: time)
    }

    /// Changes to other rules of the same model, from the next frame on. Counts and the active gesture stay; a median
    /// of another length starts empty. Requires the same classes.
    package mutating func change(to rules: RecognitionRules) {
        if rules.medianLength != medianLength {
            medianLength = rules.medianLength
            median = LogitMedian(width: rules.classCount, length: rules.medianLength)
        }
        machine.change(to: rules)
    }

    /// Ends the active gesture, if there is one, and forgets everything but the sequence number: for the end of the
    /// stream and for a break in it. Times after it may start anew.
    package mutating func flush(at time: Int64) -> RecognizedEvent? {
        median.clear()
        return machine.flush(at: time)
    }

    /// Makes probabilities of the median's logits.
    private mutating func score() -> Bool {
        Self.write(median, to: &scores)
        guard !taught.isEmpty else { return Self.softmax(&scores) }
        for (place, index) in taught.enumerated() {
            taughtShares[place] = scores[index]
            scores[index] = -.infinity
        }
        taughtShares[taught.count] = scores[nullIndex]
        guard Self.softmax(&taughtShares), Self.softmax(&scores) else { return false }
        let nothing = scores[nullIndex]
        for (place, index) in taught.enumerated() { scores[index] = nothing * taughtShares[place] }
        scores[nullIndex] = nothing * taughtShares[taught.count]
        return true
    }

    private static func write(_ median: borrowing LogitMedian, to scores: inout ContiguousArray<Float>) {
        var values = scores.mutableSpan
        median.write(to: &values)
    }

    private static func softmax(_ values: inout ContiguousArray<Float>) -> Bool {
        var span = values.mutableSpan
        return Softmax.apply(to: &span)
    }

    private mutating func share(_ shares: Span<Float>) {
        for index in shares.indices where shares[index] < 0 {
            let part = scores[index] * shares[index]
            scores[index] += part
            scores[nullIndex] -= part
        }
        let nothing = scores[nullIndex]
        for index in shares.indices where shares[index] > 0 {
            let part = nothing * shares[index]
            scores[index] += part
            scores[nullIndex] -= part
        }
    }

    private func leader() -> TopClass {
        var best = nullIndex
        for index in scores.indices where scores[index] > scores[best] { best = index }
        return TopClass(classIndex: best, confidence: scores[best])
    }

    private static func areFinite(_ logits: Span<Float>) -> Bool {
        for index in logits.indices where !logits[index].isFinite { return false }
        return true
    }
}
