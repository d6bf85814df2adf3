/// Counts over frames with a known class.
struct FrameTally: Sendable {
    let classCount: Int
    /// [truth][predicted], row after row.
    private(set) var confusion: [Int]
    private(set) var calibration: CalibrationHistogram
    /// Frames above the confidence threshold.
    private(set) var above = CalibrationBin()
    /// Of these, the frames in which a gesture leads.
    private(set) var aboveGestures = CalibrationBin()
    /// One for each class, over its probability in every frame that has a whole distribution.
    private(set) var classwise: [CalibrationHistogram]
    private(set) var invalidConfidences = 0
    private let nullIndex: Int
    private let threshold: Float

    init(classes: ClassNames, rules: EvaluationRules) {
        classCount = classes.count
        nullIndex = classes.nullIndex
        threshold = rules.confidenceThreshold
        confusion = Array(repeating: 0, count: classes.count * classes.count)
        calibration = CalibrationHistogram(bins: rules.calibrationBins)
        classwise = Array(repeating: CalibrationHistogram(bins: rules.calibrationBins), count: classes.count)
    }

    /// Requires both class indices within the classes.
    mutating func add(truth: Int, _ prediction: FramePrediction) {
        let isRight = truth == prediction.classIndex
        confusion[truth * classCount + prediction.classIndex] += 1
        let isValid = CalibrationHistogram.isValid(prediction.confidence)
        if isValid {
            calibration.add(prediction.confidence, isRight: isRight)
            if prediction.confidence > threshold {
                above.add(prediction.confidence, isRight: isRight)
                if prediction.classIndex != nullIndex { aboveGestures.add(prediction.confidence, isRight: isRight) }
            }
        }
        let distribution = prediction.probabilities ?? []
        if !isValid || !distribution.allSatisfy(CalibrationHistogram.isValid) {
            invalidConfidences += 1
            return
        }
        for (index, probability) in distribution.enumerated() {
            classwise[index].add(probability, isRight: index == truth)
        }
    }

    static func += (tally: inout Self, other: Self) {
        for index in tally.confusion.indices { tally.confusion[index] += other.confusion[index] }
        for index in tally.classwise.indices { tally.classwise[index] += other.classwise[index] }
        tally.calibration += other.calibration
        tally.above += other.above
        tally.aboveGestures += other.aboveGestures
        tally.invalidConfidences += other.invalidConfidences
    }

    var frames: Int { confusion.reduce(0, +) }

    /// For one class: correct frames, true frames, predicted frames.
    func counts(of index: Int) -> (right: Int, truth: Int, predicted: Int) {
        let row = confusion[(index * classCount)..<((index + 1) * classCount)]
        let column = (0..<classCount).reduce(0) { $0 + confusion[$1 * classCount + index] }
        return (confusion[index * classCount + index], row.reduce(0, +), column)
    }

    /// [truth][predicted].
    var matrix: [[Int]] {
        (0..<classCount).map { Array(confusion[($0 * classCount)..<(($0 + 1) * classCount)]) }
    }

    /// F1 of each class, 2 right / (truth + predicted); nil if a class is neither true nor predicted anywhere.
    var f1: [Double?] {
        (0..<classCount).map { index in
            let (right, truth, predicted) = counts(of: index)
            return share(2 * right, truth + predicted)
        }
    }

    var measures: FrameMeasures {
        let right = (0..<classCount).reduce(0) { $0 + confusion[$1 * classCount + $1] }
        let classErrors = classwise.compactMap(\.expectedError)
        return FrameMeasures(
            frames: frames, top1: share(right, frames), macro_f1: mean(f1.compactMap { $0 }),
            ece: calibration.expectedError, classwise_ece: mean(classErrors),
            above_threshold: ThresholdMeasures(above), above_threshold_gestures: ThresholdMeasures(aboveGestures),
            invalid_confidences: invalidConfidences)
    }
}

extension ThresholdMeasures {
    init(_ bin: CalibrationBin) {
        self.init(
            frames: bin.frames, right: share(bin.right, bin.frames),
            confidence: bin.frames == 0 ? nil : bin.confidence / Double(bin.frames), gap: bin.gap)
    }
}

/// Part of a whole; nil if the whole is 0.
func share(_ part: Int, _ whole: Int) -> Double? { whole == 0 ? nil : Double(part) / Double(whole) }

/// Nil without values.
func mean(_ values: [Double]) -> Double? {
    values.isEmpty ? nil : values.reduce(0, +) / Double(values.count)
}
