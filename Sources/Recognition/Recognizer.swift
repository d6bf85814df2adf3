package import Vocabulary

/// Takes in one frame's logits and gives at most one end and one begin: median, softmax, hysteresis.
///
/// A frame with a logit that is not finite is invalid and emits no event. The median leaves its place empty. In the
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
    /// The parts of null's probability that the taught classes take, and then null's own.
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
    ///   that. They are applied after the median.
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
        let nullProbability = scores[nullIndex]
        for (place, index) in taught.enumerated() { scores[index] = nullProbability * taughtShares[place] }
        scores[nullIndex] = nullProbability * taughtShares[taught.count]
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
        let nullProbability = scores[nullIndex]
        for index in shares.indices where shares[index] > 0 {
            let part = nullProbability * shares[index]
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

/// Softmax in Float32 without a mathematics library, so that the same logits give the same bits on every machine.
package enum Softmax {
    /// Replaces logits by probabilities: `p[i] = exp(x[i] - max) / sum over j of exp(x[j] - max)`.
    ///
    /// The sum is taken in Float64; the results are 0...1 and add up to 1 within 2e-7 relative. A logit of -infinity
    /// has probability 0. Complexity: two passes.
    /// - Returns: false, with the values untouched, if there is no distribution: a NaN, a +infinity, or no finite
    ///   logit.
    package static func apply(to values: inout MutableSpan<Float>) -> Bool {
        var highest = -Float.infinity
        for index in values.indices {
            let value = values[index]
            guard value < .infinity else { return false }
            highest = max(highest, value)
        }
        guard highest > -.infinity else { return false }

        var sum = 0.0
        for index in values.indices {
            let power = exponential(values[index] - highest)
            values[index] = power
            sum += Double(power)
        }
        let divisor = Float(sum)
        for index in values.indices { values[index] /= divisor }
        return true
    }

    /// e^x for x <= 0, -infinity included.
    ///
    /// With n = round(x / ln 2) and r = x - n ln 2, |r| <= 0.3466, e^x = 2^n e^r; e^r is its Taylor polynomial of
    /// degree 7, whose remainder is below r^8 / 8! < 6e-9. ln 2 is subtracted in two parts of which the first has
    /// 9 significant bits, so that n times it is exact. The result is within 2 units in the last place of e^x;
    /// it is 0 for x below -87.33654, where e^x would be subnormal.
    package static func exponential(_ x: Float) -> Float {
        guard x >= -87.33654 else { return 0 }
        // Adding 1.5 * 2^23 leaves no fraction bits: the sum is rounded to an integer, half to even.
        let roundToInteger: Float = 12_582_912
        let n = (x * 1.442695041 + roundToInteger) - roundToInteger
        let r = (x - n * 0.693359375) + n * 2.1219444005e-4
        var power: Float = 1 / 5040
        power = power * r + 1 / 720
        power = power * r + 1 / 120
        power = power * r + 1 / 24
        power = power * r + 1 / 6
        power = power * r + 0.5
        power = power * r * r + r + 1
        return power * Float(bitPattern: UInt32(Int32(n) + 127) << 23)
    }
}

/// The inputs of a stream's recognition in every slot. Other thresholds can be tried on it without running networks again.
package struct RecognitionTrace: Sendable {
    private enum Step: Sendable {
        case slot(logits: ContiguousArray<Float>, shares: ContiguousArray<Float>, kept: Int?, ended: Int?, time: Int64)
        case flush(time: Int64)
    }

    private let labels: [String]
    private let nullIndex: Int
    private let modelCount: Int
    private let momentary: Int?
    private let taught: [Int]
    private var steps: [Step] = []

    /// - modelCount, momentary: see `RecognitionRules.init`.
    /// - taught: see `Recognizer.init`.
    package init(labels: [String], nullIndex: Int, modelCount: Int, momentary: Int?, taught: [Int]) {
        (self.labels, self.nullIndex, self.modelCount) = (labels, nullIndex, modelCount)
        (self.momentary, self.taught) = (momentary, taught)
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
                labels: labels, nullIndex: nullIndex, configuration: configuration, modelCount: modelCount,
                momentary: momentary),
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
