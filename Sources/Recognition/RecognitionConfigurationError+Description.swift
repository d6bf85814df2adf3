extension RecognitionConfigurationError: CustomStringConvertible {
    /// One sentence for a person.
    public var description: String {
        switch self {
        case .medianLengthOutOfRange(let found, let allowed):
            "The recognition's medianLength is \(found); it must be odd and from \(allowed.lowerBound) to "
                + "\(allowed.upperBound)."
        case .medianLengthEven(let found): "The recognition's medianLength is \(found); it must be odd."
        case .frameCountOutOfRange(let name, let found, let allowed, let key):
            "The recognition's \(name)\(Self.place(key)) is \(found); it must be from \(allowed.lowerBound) to "
                + "\(allowed.upperBound)."
        case .unsureEndFramesBelowEndFrames(let unsure, let end, let key):
            "The recognition's unsureEndFrames is \(unsure), less than endFrames\(Self.place(key)), which is \(end)."
        case .confidenceNotANumber(let key):
            "The recognition's beginConfidence\(Self.place(key)) is not a number."
        case .confidenceOutOfRange(let found, let key):
            "The recognition's beginConfidence\(Self.place(key)) is \(found); it must be 0 or more and below 1."
        case .timeOutOfRange(.refractory, let found):
            "The recognition's refractory time is \(found); it must not be negative, and be below 292 years."
        case .timeOutOfRange(.maximumDuration, let found):
            "The recognition's maximumDuration is \(found); it must be a nanosecond or more, and below 292 years."
        case .unknownLabel(let label): "The recognition names \(label), which the model does not have."
        case .ambiguousLabel(let label):
            "The recognition names \(label), which several of the model's classes are called."
        case .classIndexOutOfRange(let index, let classCount):
            "The recognition names class \(index); the model has \(classCount) classes, from 0 on."
        case .overrideOfNull(let key):
            "The recognition has an override\(Self.place(key)), or denies it, which means no gesture."
        case .duplicateOverride(let classIndex):
            "The recognition has two overrides of class \(classIndex), one by its label and one by its index."
        case .classCountOutOfRange(let found, let allowed):
            "The model has \(found) classes; recognition takes from \(allowed.lowerBound) to \(allowed.upperBound)."
        case .nullIndexOutOfRange(let found, let classCount):
            "The null class has the index \(found); the model has \(classCount) classes, from 0 on."
        }
    }

    private static func place(_ key: ClassKey?) -> String {
        switch key {
        case nil: ""
        case .label(let label): " of \(label)"
        case .index(let index): " of class \(index)"
        }
    }
}
