package import Vocabulary

/// A `RecognitionConfiguration` that has met a model: valid, its overrides resolved to class indices, its times in
/// nanoseconds. Immutable, so copies share storage and reading it never allocates.
package struct RecognitionRules: Sendable, Equatable {
    /// The thresholds that apply to one class.
    package struct Thresholds: Sendable, Equatable {
        package let beginFrames: Int
        package let beginConfidence: Float
        package let endFrames: Int
        /// Whether the class may begin; true of null.
        package let isAllowed: Bool
        /// The class that the way back of this one looks like.
        package let returnStroke: Int?
    }

    package let classCount: Int
    package let nullIndex: Int
    package let medianLength: Int
    package let unsureEndFrames: Int
    /// Nanoseconds, 0 or more.
    package let refractory: Int64
    /// Nanoseconds, 0 or more.
    package let returnTime: Int64
    /// Nanoseconds, 1 or more, or nil without a limit.
    package let maximumDuration: Int64?
    /// One entry per class, in the order of the model's labels; the null class's entry is never read.
    package let thresholds: [Thresholds]

    /// Class counts that are accepted. The upper bound keeps a damaged model description from asking for memory.
    package static let allowedClassCounts = 2...1024

    /// Resolves `configuration` against a model's labels, in the order of its logits.
    package init(
        labels: [String], nullIndex: Int, configuration: RecognitionConfiguration
    ) throws(ConfigurationError) {
        try self.init(classCount: labels.count, labels: labels, nullIndex: nullIndex, configuration: configuration)
    }

    /// Resolves `configuration` for a model without labels: an override by label throws `unknownLabel`.
    package init(
        classCount: Int, nullIndex: Int, configuration: RecognitionConfiguration
    ) throws(ConfigurationError) {
        try self.init(classCount: classCount, labels: [], nullIndex: nullIndex, configuration: configuration)
    }

    private init(
        classCount: Int, labels: [String], nullIndex: Int, configuration: RecognitionConfiguration
    ) throws(ConfigurationError) {
        try ConfigurationError.check(classCount, "labels.count", in: Self.allowedClassCounts)
        try ConfigurationError.check(nullIndex, "nullIndex", in: 0...classCount - 1)
        try configuration.validate()

        let allowed = try Self.allowed(configuration, labels, classCount, nullIndex)
        let returnStrokes = try Self.returnStrokes(configuration, labels, classCount, nullIndex)
        var thresholds = zip(allowed, returnStrokes).map { isAllowed, returnStroke in
            Thresholds(
                beginFrames: configuration.beginFrames, beginConfidence: configuration.beginConfidence,
                endFrames: configuration.endFrames, isAllowed: isAllowed, returnStroke: returnStroke)
        }
        var overridden = [Bool](repeating: false, count: classCount)
        let keys = "overrides.key"
        for (key, override) in configuration.orderedOverrides() {
            let index = try Self.classIndex(of: key, in: keys, labels: labels, classCount: classCount)
            guard index != nullIndex else {
                throw Self.fault(key, in: keys, "a class that begins, which the one that means no gesture never does")
            }
            guard !overridden[index] else {
                throw Self.fault(key, in: keys, "the only key of its class, which another names by its index")
            }
            overridden[index] = true
            thresholds[index] = Thresholds(
                beginFrames: override.beginFrames ?? configuration.beginFrames,
                beginConfidence: override.beginConfidence ?? configuration.beginConfidence,
                endFrames: override.endFrames ?? configuration.endFrames, isAllowed: allowed[index],
                returnStroke: returnStrokes[index])
        }

        self.classCount = classCount
        self.nullIndex = nullIndex
        self.medianLength = configuration.medianLength
        self.unsureEndFrames = configuration.unsureEndFrames
        self.refractory = try configuration.refractoryNanoseconds()
        self.returnTime = try configuration.returnNanoseconds()
        self.maximumDuration = try configuration.maximumDurationNanoseconds()
        self.thresholds = thresholds
    }

    /// Whether each class may begin.
    private static func allowed(
        _ configuration: RecognitionConfiguration, _ labels: [String], _ classCount: Int, _ nullIndex: Int
    ) throws(ConfigurationError) -> [Bool] {
        var allowed = [Bool](repeating: configuration.allowedClasses == nil, count: classCount)
        for key in (configuration.allowedClasses ?? []).sorted() {
            allowed[try classIndex(of: key, in: "allowedClasses", labels: labels, classCount: classCount)] = true
        }
        for key in configuration.deniedClasses.sorted() {
            let index = try classIndex(of: key, in: "deniedClasses", labels: labels, classCount: classCount)
            guard index != nullIndex else {
                throw fault(
                    key, in: "deniedClasses", "a class that begins, which the one that means no gesture never does")
            }
            allowed[index] = false
        }
        allowed[nullIndex] = true
        return allowed
    }

    /// The return stroke of each class.
    private static func returnStrokes(
        _ configuration: RecognitionConfiguration, _ labels: [String], _ classCount: Int, _ nullIndex: Int
    ) throws(ConfigurationError) -> [Int?] {
        var strokes = [Int?](repeating: nil, count: classCount)
        for (key, value) in configuration.returnStrokes.sorted(by: { $0.key < $1.key }) {
            let index = try classIndex(of: key, in: "returnStrokes.key", labels: labels, classCount: classCount)
            let back = try classIndex(of: value, in: "returnStrokes", labels: labels, classCount: classCount)
            guard index != nullIndex else {
                throw fault(
                    key, in: "returnStrokes.key", "a class that begins, which the one that means no gesture never does")
            }
            guard strokes[index] == nil else {
                throw fault(key, in: "returnStrokes.key", "the only key of its class, which another names by its index")
            }
            guard back != nullIndex, back != index else {
                throw fault(value, in: "returnStrokes", "a gesture other than its key")
            }
            strokes[index] = back
        }
        return strokes
    }

    private static func classIndex(
        of key: RecognitionConfiguration.ClassKey, in place: String, labels: [String], classCount: Int
    ) throws(ConfigurationError) -> Int {
        switch key {
        case .index(let index):
            guard (0..<classCount).contains(index) else {
                throw fault(key, in: place, "the index of a class, from 0 to \(classCount - 1)")
            }
            return index
        case .label(let label):
            guard let index = labels.firstIndex(of: label) else { throw fault(key, in: place, "a label of the model") }
            guard labels.lastIndex(of: label) == index else {
                throw fault(key, in: place, "the label of one class alone")
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
