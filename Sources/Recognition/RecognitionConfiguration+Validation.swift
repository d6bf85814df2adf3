extension RecognitionConfiguration {
    /// Checks everything that can be checked without a model. Labels and indices of `overrides` are checked when the
    /// configuration meets the model's labels.
    /// With several faults the first one is thrown: the configuration's own values in the order of their declaration,
    /// then the overrides by index, then those by label, each ascending.
    public func validate() throws(RecognitionConfigurationError) {
        guard Self.allowedMedianLengths.contains(medianLength) else {
            throw .medianLengthOutOfRange(medianLength, allowed: Self.allowedMedianLengths)
        }
        guard medianLength % 2 == 1 else { throw .medianLengthEven(medianLength) }
        try Self.check(beginFrames, .beginFrames, of: nil)
        try Self.check(beginConfidence, of: nil)
        try Self.check(endFrames, .endFrames, of: nil)
        try Self.check(unsureEndFrames, .unsureEndFrames, of: nil)
        guard unsureEndFrames >= endFrames else {
            throw .unsureEndFramesBelowEndFrames(unsure: unsureEndFrames, end: endFrames, of: nil)
        }
        _ = try refractoryNanoseconds()
        _ = try maximumDurationNanoseconds()
        for (key, override) in orderedOverrides() {
            if let frames = override.beginFrames { try Self.check(frames, .beginFrames, of: key) }
            if let confidence = override.beginConfidence { try Self.check(confidence, of: key) }
            if let frames = override.endFrames {
                try Self.check(frames, .endFrames, of: key)
                guard unsureEndFrames >= frames else {
                    throw .unsureEndFramesBelowEndFrames(unsure: unsureEndFrames, end: frames, of: key)
                }
            }
        }
    }

    /// Overrides in an order that does not depend on hashing, so that the same fault is always the one reported.
    func orderedOverrides() -> [(key: ClassKey, value: ClassOverride)] {
        overrides.sorted { $0.key < $1.key }
    }

    /// The refractory time in whole nanoseconds, fractions dropped.
    func refractoryNanoseconds() throws(RecognitionConfigurationError) -> Int64 {
        guard refractory >= .zero, let nanoseconds = Self.nanoseconds(refractory) else {
            throw .timeOutOfRange(.refractory, refractory)
        }
        return nanoseconds
    }

    /// The maximum duration in whole nanoseconds, fractions dropped; nil without a limit.
    func maximumDurationNanoseconds() throws(RecognitionConfigurationError) -> Int64? {
        guard let maximumDuration else { return nil }
        guard let nanoseconds = Self.nanoseconds(maximumDuration), nanoseconds >= 1 else {
            throw .timeOutOfRange(.maximumDuration, maximumDuration)
        }
        return nanoseconds
    }

    private static func nanoseconds(_ duration: Duration) -> Int64? {
        let (seconds, attoseconds) = duration.components
        let (whole, overflowed) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        let (total, overflowedAgain) = whole.addingReportingOverflow(attoseconds / 1_000_000_000)
        return overflowed || overflowedAgain ? nil : total
    }

    private static func check(
        _ frames: Int, _ name: RecognitionConfigurationError.FrameCount, of key: ClassKey?
    ) throws(RecognitionConfigurationError) {
        guard allowedFrameCounts.contains(frames) else {
            throw .frameCountOutOfRange(name, frames, allowed: allowedFrameCounts, of: key)
        }
    }

    private static func check(_ confidence: Float, of key: ClassKey?) throws(RecognitionConfigurationError) {
        guard !confidence.isNaN else { throw .confidenceNotANumber(of: key) }
        guard confidence >= 0, confidence < 1 else { throw .confidenceOutOfRange(confidence, of: key) }
    }
}

/// By index, then by label: an order that does not depend on hashing.
extension ClassKey: Comparable {
    /// Indices come before labels.
    public static func < (left: ClassKey, right: ClassKey) -> Bool {
        switch (left, right) {
        case (.index(let a), .index(let b)): a < b
        case (.index, .label): true
        case (.label, .index): false
        case (.label(let a), .label(let b)): a < b
        }
    }
}
