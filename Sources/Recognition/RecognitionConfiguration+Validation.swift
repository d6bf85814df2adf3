public import Vocabulary

extension RecognitionConfiguration {
    /// Checks everything that can be checked without a model. Labels and indices of `overrides` are checked when the
    /// configuration meets the model's labels.
    /// If there are several faults, the first one is thrown: the configuration's own values in the order of their
    /// declaration, then the overrides by index, then those by label, each ascending.
    public func validate() throws(ConfigurationError) {
        let lengths = Self.allowedMedianLengths
        guard lengths.contains(medianLength), medianLength % 2 == 1 else {
            throw ConfigurationError(
                "RecognitionConfiguration.medianLength", medianLength,
                mustBe: "odd and from \(lengths.lowerBound) to \(lengths.upperBound)")
        }
        try Self.check(beginFrames, "beginFrames", of: nil)
        try Self.check(beginConfidence, of: nil)
        try Self.check(endFrames, "endFrames", of: nil)
        try Self.check(unsureEndFrames, "unsureEndFrames", of: nil)
        try checkUnsure(besides: endFrames, of: nil)
        _ = try refractoryNanoseconds()
        _ = try returnNanoseconds()
        _ = try mergeWindowNanoseconds()
        _ = try maximumDurationNanoseconds()
        for (key, override) in orderedOverrides() {
            if let frames = override.beginFrames { try Self.check(frames, "beginFrames", of: key) }
            if let confidence = override.beginConfidence { try Self.check(confidence, of: key) }
            if let frames = override.endFrames {
                try Self.check(frames, "endFrames", of: key)
                try checkUnsure(besides: frames, of: key)
            }
        }
    }

    /// Overrides in an order that does not depend on hashing, so that the same fault is always reported.
    func orderedOverrides() -> [(key: ClassKey, value: Override)] {
        overrides.sorted { $0.key < $1.key }
    }

    /// The refractory time in whole nanoseconds, fractions dropped.
    func refractoryNanoseconds() throws(ConfigurationError) -> Int64 {
        try Self.pause(refractory, "refractory")
    }

    /// The return time in whole nanoseconds, fractions dropped.
    func returnNanoseconds() throws(ConfigurationError) -> Int64 {
        try Self.pause(returnTime, "returnTime")
    }

    /// The merge window in whole nanoseconds, fractions dropped.
    func mergeWindowNanoseconds() throws(ConfigurationError) -> Int64 {
        try Self.pause(mergeWindow, "mergeWindow")
    }

    /// The maximum duration in whole nanoseconds, fractions dropped; nil without a limit.
    func maximumDurationNanoseconds() throws(ConfigurationError) -> Int64? {
        guard let maximumDuration else { return nil }
        guard let nanoseconds = Self.nanoseconds(maximumDuration), nanoseconds >= 1 else {
            throw ConfigurationError(
                "RecognitionConfiguration.maximumDuration", maximumDuration,
                mustBe: "a nanosecond or more and below 292 years")
        }
        return nanoseconds
    }

    private static func pause(_ duration: Duration, _ name: String) throws(ConfigurationError) -> Int64 {
        guard duration >= .zero, let nanoseconds = nanoseconds(duration) else {
            throw ConfigurationError(
                "RecognitionConfiguration.\(name)", duration, mustBe: "zero or more and below 292 years")
        }
        return nanoseconds
    }

    private static func nanoseconds(_ duration: Duration) -> Int64? {
        let (seconds, attoseconds) = duration.components
        let (whole, overflowed) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        let (total, overflowedAgain) = whole.addingReportingOverflow(attoseconds / 1_000_000_000)
        return overflowed || overflowedAgain ? nil : total
    }

    private func checkUnsure(besides frames: Int, of key: ClassKey?) throws(ConfigurationError) {
        guard unsureEndFrames >= frames else {
            throw ConfigurationError(
                "RecognitionConfiguration.unsureEndFrames", unsureEndFrames,
                mustBe: "at least \(Self.path("endFrames", of: key)), which is \(frames)")
        }
    }

    private static func check(_ frames: Int, _ name: String, of key: ClassKey?) throws(ConfigurationError) {
        try ConfigurationError.check(frames, path(name, of: key), in: allowedFrameCounts)
    }

    private static func check(_ confidence: Float, of key: ClassKey?) throws(ConfigurationError) {
        guard confidence >= 0, confidence < 1 else {
            throw ConfigurationError(path("beginConfidence", of: key), confidence, mustBe: "0 or more and below 1")
        }
    }

    /// The path of a value of the configuration, or of the override of a class.
    private static func path(_ name: String, of key: ClassKey?) -> String {
        switch key {
        case nil: "RecognitionConfiguration.\(name)"
        case .label(let label): "RecognitionConfiguration.overrides[\"\(label)\"].\(name)"
        case .index(let index): "RecognitionConfiguration.overrides[\(index)].\(name)"
        }
    }
}

/// By index, then by label: an order that does not depend on hashing.
extension RecognitionConfiguration.ClassKey: Comparable {
    /// Indices come before labels.
    public static func < (left: Self, right: Self) -> Bool {
        switch (left, right) {
        case (.index(let a), .index(let b)): a < b
        case (.index, .label): true
        case (.label, .index): false
        case (.label(let a), .label(let b)): a < b
        }
    }
}
