public import Vocabulary

/// How class scores become gesture events: the median before softmax and the hysteresis after it.
///
/// The defaults are those of the pipeline that this engine implements: a median over 5 frames, a begin after 3
/// consecutive frames of one class above 0.85, an end after 2 consecutive frames of anything else.
/// Frame counts are slots of the frame grid: 1 is 8.3 ms at 120 Hz and 33.3 ms at 30 Hz.
/// `GestureEngine.defaultRecognition(at:)` converts the milliseconds of a model's file to counts for a rate.
public struct RecognitionConfiguration: Codable, Sendable, Hashable {
    /// Length of the causal median over logit vectors, in frames: odd, 1...31. 1 switches the median off.
    /// A length of n delays every change of class by (n - 1) / 2 frames.
    public var medianLength: Int

    /// Consecutive frames of one class above its threshold that begin a gesture, 1...600.
    public var beginFrames: Int

    /// A frame supports a begin when its confidence is strictly above this; 0 or more, less than 1.
    public var beginConfidence: Float

    /// `beginConfidence` of the classes that a stream has beside its model's: held poses, pinches and the user's own
    /// gestures. They take part of null's probability, which is lower where the model's gestures are likely, too.
    /// Nil takes `beginConfidence`.
    public var addedBeginConfidence: Float?

    /// What also supports a begin: that its class keeps leading, at a lower confidence. Nil switches it off. It applies to
    /// the model's classes, but not to those whose override has a `beginConfidence`.
    public var steady: Steady?

    /// Consecutive frames of null, or of other classes above their thresholds, that end a gesture, 1...600. The begin
    /// of another class also ends it, however soon, without waiting for this count.
    public var endFrames: Int

    /// Consecutive frames led by other classes or null, at any confidence, that end a gesture; at least `endFrames`, at
    /// most 600. It limits how long a gesture lasts while its class does not lead.
    /// If it equals `endFrames`, every frame led by another class counts towards the end, whatever its confidence.
    public var unsureEndFrames: Int

    /// Time after an end during which no frame counts towards a begin, of any class. Zero switches it off.
    public var refractory: Duration

    /// Time after the end of a gesture during which its return stroke is not reported. The model's file names the return
    /// strokes: that of a swipe to the left is a swipe to the right. With zero, return strokes are reported.
    public var returnTime: Duration

    /// The return stroke of a gesture, by class: a swipe to the right for a swipe to the left. After an
    /// end of the key's class, frames led by the value's class count as frames of null while `returnTime` lasts, and
    /// then for as long as that class leads without a break.
    package var returnStrokes: [ClassKey: ClassKey]

    /// Time after the release of a gesture in which a further run of its class belongs to it: the two are reported as
    /// one gesture. Zero switches it off.
    ///
    /// The further run emits no event. Its own release starts the time anew, so a pose whose confidence dips
    /// is reported once, however often it dips. The end is reported after the first run, and
    /// `GestureStream.activeGesture` is nil from then on. With landmarks, a pose also stays the same gesture while
    /// MediaPipe's scores show it. A gap of less than a quarter of a second does not end the pose.
    ///
    /// Two kinds of frame between the runs make them two gestures: a frame of another class above its threshold, and a
    /// frame led by the gesture's return stroke at any confidence. So two swipes with a return stroke between them are
    /// reported as two, although `returnTime` hides the return stroke. A gesture that `maximumDuration` ended is released
    /// when its class stops leading. The end of a stream and a gap in it also end this time.
    public var mergeWindow: Duration

    /// Longest time from the decision that began a gesture to its forced end, or nil for no limit.
    /// A gesture that ended this way can begin again only after it has been released.
    public var maximumDuration: Duration?

    /// Thresholds of single classes, by label or by index. A nil value in an override comes from the configuration.
    public var overrides: [RecognitionConfiguration.ClassKey: RecognitionConfiguration.Override]

    /// The classes that may begin, by label or by index; nil allows all. Frames led by any other class count as frames
    /// of null: they begin no gesture, and they count towards the end of an active one. Their logits stay in the softmax.
    /// Their return strokes are not reported either: the way back of a swipe that is left out is no swipe.
    public var allowedClasses: Set<ClassKey>?

    /// Classes that may not begin, even if `allowedClasses` names them. Their frames count as frames of null, too.
    public var deniedClasses: Set<ClassKey>

    /// Accepts any values; `validate()` rejects those that cannot be used.
    public init(
        medianLength: Int = 5,
        beginFrames: Int = 3,
        beginConfidence: Float = 0.85,
        addedBeginConfidence: Float? = nil,
        steady: Steady? = nil,
        endFrames: Int = 2,
        unsureEndFrames: Int = 12,
        refractory: Duration = .zero,
        returnTime: Duration = .zero,
        mergeWindow: Duration = .zero,
        maximumDuration: Duration? = nil,
        overrides: [ClassKey: Override] = [:],
        allowedClasses: Set<ClassKey>? = nil,
        deniedClasses: Set<ClassKey> = []
    ) {
        self.medianLength = medianLength
        self.beginFrames = beginFrames
        self.beginConfidence = beginConfidence
        self.addedBeginConfidence = addedBeginConfidence
        self.steady = steady
        self.endFrames = endFrames
        self.unsureEndFrames = unsureEndFrames
        self.refractory = refractory
        self.returnTime = returnTime
        returnStrokes = [:]
        self.mergeWindow = mergeWindow
        self.maximumDuration = maximumDuration
        self.overrides = overrides
        self.allowedClasses = allowedClasses
        self.deniedClasses = deniedClasses
    }

    /// The same with return strokes, which a model's file has.
    package init(
        medianLength: Int = 5, beginFrames: Int = 3, beginConfidence: Float = 0.85,
        addedBeginConfidence: Float? = nil, steady: Steady? = nil, endFrames: Int = 2, unsureEndFrames: Int = 12,
        refractory: Duration = .zero,
        returnTime: Duration = .zero, returnStrokes: [ClassKey: ClassKey], mergeWindow: Duration = .zero,
        maximumDuration: Duration? = nil, overrides: [ClassKey: Override] = [:],
        allowedClasses: Set<ClassKey>? = nil, deniedClasses: Set<ClassKey> = []
    ) {
        self.init(
            medianLength: medianLength, beginFrames: beginFrames, beginConfidence: beginConfidence,
            addedBeginConfidence: addedBeginConfidence, steady: steady, endFrames: endFrames,
            unsureEndFrames: unsureEndFrames,
            refractory: refractory, returnTime: returnTime, mergeWindow: mergeWindow, maximumDuration: maximumDuration,
            overrides: overrides, allowedClasses: allowedClasses, deniedClasses: deniedClasses)
        self.returnStrokes = returnStrokes
    }

    /// Gives every class the same confidence, whether it is the model's or added, with an override or without. Nothing
    /// below it supports a begin.
    package mutating func setBeginConfidence(ofAllClasses confidence: Float) {
        beginConfidence = confidence
        addedBeginConfidence = nil
        steady = nil
        for key in overrides.keys { overrides[key]?.beginConfidence = nil }
    }

    /// Accepted median lengths; only the odd ones among them.
    package static let allowedMedianLengths = 1...31

    /// Accepted frame counts: up to five seconds at 120 Hz.
    package static let allowedFrameCounts = 1...600
}

extension RecognitionConfiguration {
    /// Names a class of the model, by its label or by its index in the model's list of labels.
    ///
    /// Both literals work: `["point": .init(beginConfidence: 0.7), 3: .init(endFrames: 4)]`.
    public enum ClassKey: Codable, Sendable, Hashable, ExpressibleByStringLiteral, ExpressibleByIntegerLiteral {
        /// The only class with this label.
        case label(String)
        /// The class at this index of the labels.
        case index(Int)

        /// A label as a string literal.
        public init(stringLiteral value: String) { self = .label(value) }
        /// An index as an integer literal.
        public init(integerLiteral value: Int) { self = .index(value) }
    }
}

extension RecognitionConfiguration {
    /// A frame supports a begin, although it is not above `beginConfidence`, if its class has led `frames` frames in a row,
    /// itself included, each strictly above `confidence`. So a gesture that the model is less sure of begins later.
    public struct Steady: Codable, Sendable, Hashable {
        /// 1...600.
        public var frames: Int
        /// 0 or more, less than 1.
        public var confidence: Float

        /// Accepts any values; `RecognitionConfiguration.validate()` rejects those that cannot be used.
        public init(frames: Int, confidence: Float) {
            self.frames = frames
            self.confidence = confidence
        }
    }
}

extension RecognitionConfiguration {
    /// Thresholds of one class; nil takes the value of `RecognitionConfiguration`.
    public struct Override: Codable, Sendable, Hashable {
        /// Frames of this class that begin it, 1...600.
        public var beginFrames: Int?

        /// Confidence that a frame of this class must exceed; 0 or more, less than 1.
        public var beginConfidence: Float?

        /// Frames of null or of other classes that end this class, 1...`unsureEndFrames`.
        public var endFrames: Int?

        /// Overrides the values that are given.
        public init(beginFrames: Int? = nil, beginConfidence: Float? = nil, endFrames: Int? = nil) {
            self.beginFrames = beginFrames
            self.beginConfidence = beginConfidence
            self.endFrames = endFrames
        }
    }
}

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
        try Self.check(beginConfidence, "beginConfidence", of: nil)
        if let addedBeginConfidence { try Self.check(addedBeginConfidence, "addedBeginConfidence", of: nil) }
        if let steady {
            try Self.check(steady.frames, "steady.frames", of: nil)
            try Self.check(steady.confidence, "steady.confidence", of: nil)
        }
        try Self.check(endFrames, "endFrames", of: nil)
        try Self.check(unsureEndFrames, "unsureEndFrames", of: nil)
        try checkUnsure(besides: endFrames, of: nil)
        _ = try refractoryNanoseconds()
        _ = try returnNanoseconds()
        _ = try mergeWindowNanoseconds()
        _ = try maximumDurationNanoseconds()
        for (key, override) in orderedOverrides() {
            if let frames = override.beginFrames { try Self.check(frames, "beginFrames", of: key) }
            if let confidence = override.beginConfidence { try Self.check(confidence, "beginConfidence", of: key) }
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

    private static func check(_ confidence: Float, _ name: String, of key: ClassKey?) throws(ConfigurationError) {
        guard confidence >= 0, confidence < 1 else {
            throw ConfigurationError(path(name, of: key), confidence, mustBe: "0 or more and below 1")
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
