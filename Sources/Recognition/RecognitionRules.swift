package import Vocabulary

/// A `RecognitionConfiguration` resolved for a model: valid, its overrides by class index, its times in nanoseconds.
/// Immutable, so copies share storage and reading it never allocates.
package struct RecognitionRules: Sendable, Equatable {
    /// The thresholds that apply to one class.
    package struct Thresholds: Sendable, Equatable {
        package let beginFrames: Int
        package let beginConfidence: Float
        /// Nil if nothing below `beginConfidence` supports a begin.
        package let steady: RecognitionConfiguration.Steady?
        package let endFrames: Int
        /// Whether the class may begin; true for null.
        package let isAllowed: Bool
        /// The class of the return stroke of this one; nil without one.
        package let returnStroke: Int?
        /// Whether the class begins and ends with its first frame, unless an override counts frames, and is reported each
        /// time: for evidence that needs no more confirmation.
        package let isMomentary: Bool
    }

    package let classCount: Int
    package let nullIndex: Int
    package let medianLength: Int
    package let unsureEndFrames: Int
    /// Nanoseconds, 0 or more.
    package let refractory: Int64
    /// Nanoseconds, 0 or more.
    package let returnTime: Int64
    /// Nanoseconds, 0 or more.
    package let mergeWindow: Int64
    /// Nanoseconds, 1 or more, or nil without a limit.
    package let maximumDuration: Int64?
    /// One entry per class, in the order of the model's labels; the null class's entry is never read.
    package let thresholds: [Thresholds]

    /// Accepted class counts. The upper bound keeps a damaged model description from asking for too much memory.
    package static let allowedClassCounts = 2...1024

    /// Resolves `configuration` against a model's labels, in the order of its logits.
    /// - modelCount: the number of the model's classes, which come before those that the stream adds; nil if all are.
    /// - momentary: the class that is `Thresholds.isMomentary`; nil without one.
    package init(
        labels: [String], nullIndex: Int, configuration: RecognitionConfiguration, modelCount: Int? = nil,
        momentary: Int? = nil
    ) throws(ConfigurationError) {
        let classCount = labels.count
        try ConfigurationError.check(classCount, "labels.count", in: Self.allowedClassCounts)
        try ConfigurationError.check(nullIndex, "nullIndex", in: 0...classCount - 1)
        try configuration.validate()

        let allowed = try Self.allowed(configuration, labels, nullIndex)
        let returnStrokes = try Self.returnStrokes(configuration, labels, nullIndex)
        let overrides = try Self.byClass(configuration.overrides, in: "overrides.key", labels, nullIndex)
        let addedConfidence = configuration.addedBeginConfidence ?? configuration.beginConfidence
        thresholds = (0..<classCount).map { index in
            let isAdded = index >= modelCount ?? classCount
            let own = overrides[index]?.beginConfidence
            return Thresholds(
                beginFrames: overrides[index]?.beginFrames ?? (index == momentary ? 1 : configuration.beginFrames),
                beginConfidence: own ?? (isAdded ? addedConfidence : configuration.beginConfidence),
                steady: own == nil && !isAdded ? configuration.steady : nil,
                endFrames: overrides[index]?.endFrames ?? (index == momentary ? 1 : configuration.endFrames),
                isAllowed: allowed[index], returnStroke: returnStrokes[index], isMomentary: index == momentary)
        }

        self.classCount = classCount
        self.nullIndex = nullIndex
        self.medianLength = configuration.medianLength
        self.unsureEndFrames = configuration.unsureEndFrames
        self.refractory = try configuration.refractoryNanoseconds()
        self.returnTime = try configuration.returnNanoseconds()
        self.mergeWindow = try configuration.mergeWindowNanoseconds()
        self.maximumDuration = try configuration.maximumDurationNanoseconds()
    }

    /// Whether each class may begin.
    private static func allowed(
        _ configuration: RecognitionConfiguration, _ labels: [String], _ nullIndex: Int
    ) throws(ConfigurationError) -> [Bool] {
        var allowed = [Bool](repeating: configuration.allowedClasses == nil, count: labels.count)
        for key in (configuration.allowedClasses ?? []).sorted() {
            allowed[try classIndex(of: key, in: "allowedClasses", labels)] = true
        }
        for key in configuration.deniedClasses.sorted() {
            allowed[try gestureIndex(of: key, in: "deniedClasses", labels, nullIndex)] = false
        }
        allowed[nullIndex] = true
        return allowed
    }

    /// The return stroke of each class.
    private static func returnStrokes(
        _ configuration: RecognitionConfiguration, _ labels: [String], _ nullIndex: Int
    ) throws(ConfigurationError) -> [Int?] {
        let keys = try byClass(configuration.returnStrokes, in: "returnStrokes.key", labels, nullIndex)
        var strokes = [Int?](repeating: nil, count: labels.count)
        for (index, key) in keys.enumerated() {
            guard let key else { continue }
            let back = try classIndex(of: key, in: "returnStrokes", labels)
            guard back != nullIndex, back != index else {
                throw fault(key, in: "returnStrokes", "a gesture other than its key")
            }
            strokes[index] = back
        }
        return strokes
    }

    /// The value of each class in a dictionary whose keys must name gestures, each at most once; nil without one.
    private static func byClass<Value>(
        _ values: [RecognitionConfiguration.ClassKey: Value], in place: String, _ labels: [String], _ nullIndex: Int
    ) throws(ConfigurationError) -> [Value?] {
        var result = [Value?](repeating: nil, count: labels.count)
        for (key, value) in values.sorted(by: { $0.key < $1.key }) {
            let index = try gestureIndex(of: key, in: place, labels, nullIndex)
            guard result[index] == nil else {
                throw fault(key, in: place, "the only key of its class; another key names the same class by its index")
            }
            result[index] = value
        }
        return result
    }

    private static func gestureIndex(
        of key: RecognitionConfiguration.ClassKey, in place: String, _ labels: [String], _ nullIndex: Int
    ) throws(ConfigurationError) -> Int {
        let index = try classIndex(of: key, in: place, labels)
        guard index != nullIndex else {
            throw fault(key, in: place, "the class of a gesture; the null class cannot begin")
        }
        return index
    }

    private static func classIndex(
        of key: RecognitionConfiguration.ClassKey, in place: String, _ labels: [String]
    ) throws(ConfigurationError) -> Int {
        switch key {
        case .index(let index):
            guard labels.indices.contains(index) else {
                throw fault(key, in: place, "the index of a class, from 0 to \(labels.count - 1)")
            }
            return index
        case .label(let label):
            guard let index = labels.firstIndex(of: label) else { throw fault(key, in: place, "a label of the model") }
            guard labels.lastIndex(of: label) == index else {
                throw fault(key, in: place, "a label that only one class has")
            }
            return index
        }
    }

    private static func fault(
        _ key: RecognitionConfiguration.ClassKey, in place: String, _ requirement: String
    ) -> ConfigurationError {
        switch key {
        case .label(let label):
            ConfigurationError("RecognitionConfiguration.\(place)", "\"\(label)\"", mustBe: requirement)
        case .index(let index):
            ConfigurationError("RecognitionConfiguration.\(place)", index, mustBe: requirement)
        }
    }
}
