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
    }

    package let classCount: Int
    package let nullIndex: Int
    package let medianLength: Int
    package let unsureEndFrames: Int
    /// Nanoseconds, 0 or more.
    package let refractory: Int64
    /// Nanoseconds, 1 or more, or nil without a limit.
    package let maximumDuration: Int64?
    /// One entry per class, in the order of the model's labels; the null class's entry is never read.
    package let thresholds: [Thresholds]

    /// Class counts that are accepted. The upper bound keeps a damaged model description from asking for memory.
    package static let allowedClassCounts = 2...1024

    /// Resolves `configuration` against a model's labels, in the order of its logits.
    package init(
        labels: [String], nullIndex: Int, configuration: RecognitionConfiguration
    ) throws(RecognitionConfigurationError) {
        try self.init(classCount: labels.count, labels: labels, nullIndex: nullIndex, configuration: configuration)
    }

    /// Resolves `configuration` for a model without labels: an override by label throws `unknownLabel`.
    package init(
        classCount: Int, nullIndex: Int, configuration: RecognitionConfiguration
    ) throws(RecognitionConfigurationError) {
        try self.init(classCount: classCount, labels: [], nullIndex: nullIndex, configuration: configuration)
    }

    private init(
        classCount: Int, labels: [String], nullIndex: Int, configuration: RecognitionConfiguration
    ) throws(RecognitionConfigurationError) {
        guard Self.allowedClassCounts.contains(classCount) else {
            throw .classCountOutOfRange(classCount, allowed: Self.allowedClassCounts)
        }
        guard (0..<classCount).contains(nullIndex) else {
            throw .nullIndexOutOfRange(nullIndex, classCount: classCount)
        }
        try configuration.validate()

        let allowed = try Self.allowed(configuration, labels, classCount, nullIndex)
        var thresholds = allowed.map { isAllowed in
            Thresholds(
                beginFrames: configuration.beginFrames, beginConfidence: configuration.beginConfidence,
                endFrames: configuration.endFrames, isAllowed: isAllowed)
        }
        var overridden = [Bool](repeating: false, count: classCount)
        for (key, override) in configuration.orderedOverrides() {
            let index = try Self.classIndex(of: key, labels: labels, classCount: classCount)
            guard index != nullIndex else { throw .overrideOfNull(key) }
            guard !overridden[index] else { throw .duplicateOverride(classIndex: index) }
            overridden[index] = true
            thresholds[index] = Thresholds(
                beginFrames: override.beginFrames ?? configuration.beginFrames,
                beginConfidence: override.beginConfidence ?? configuration.beginConfidence,
                endFrames: override.endFrames ?? configuration.endFrames, isAllowed: allowed[index])
        }

        self.classCount = classCount
        self.nullIndex = nullIndex
        self.medianLength = configuration.medianLength
        self.unsureEndFrames = configuration.unsureEndFrames
        self.refractory = try configuration.refractoryNanoseconds()
        self.maximumDuration = try configuration.maximumDurationNanoseconds()
        self.thresholds = thresholds
    }

    /// Whether each class may begin.
    private static func allowed(
        _ configuration: RecognitionConfiguration, _ labels: [String], _ classCount: Int, _ nullIndex: Int
    ) throws(RecognitionConfigurationError) -> [Bool] {
        var allowed = [Bool](repeating: configuration.allowedClasses == nil, count: classCount)
        for key in (configuration.allowedClasses ?? []).sorted() {
            allowed[try classIndex(of: key, labels: labels, classCount: classCount)] = true
        }
        for key in configuration.deniedClasses.sorted() {
            let index = try classIndex(of: key, labels: labels, classCount: classCount)
            guard index != nullIndex else { throw .overrideOfNull(key) }
            allowed[index] = false
        }
        allowed[nullIndex] = true
        return allowed
    }

    private static func classIndex(
        of key: ClassKey, labels: [String], classCount: Int
    ) throws(RecognitionConfigurationError) -> Int {
        switch key {
        case .index(let index):
            guard (0..<classCount).contains(index) else {
                throw .classIndexOutOfRange(index, classCount: classCount)
            }
            return index
        case .label(let label):
            guard let index = labels.firstIndex(of: label) else { throw .unknownLabel(label) }
            guard labels.lastIndex(of: label) == index else { throw .ambiguousLabel(label) }
            return index
        }
    }
}
