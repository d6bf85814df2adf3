import Vocabulary

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

    /// The gesture that the way back of a gesture looks like: a swipe to the right for a swipe to the left. After an
    /// end of the key's class, frames led by the value's class count as frames of null while `returnTime` lasts, and
    /// then for as long as that class leads without a break.
    package var returnStrokes: [ClassKey: ClassKey]

    /// Time after the release of a gesture in which a further run of its class belongs to it: the two are reported as
    /// one gesture. Zero switches it off.
    ///
    /// The further run brings no begin and no end. Its own release starts the time anew, so a pose whose confidence dips
    /// is reported once, however often it dips. The end is reported after the first run, and
    /// `GestureStream.activeGesture` is nil from then on. With landmarks, a pose also stays the same gesture while
    /// MediaPipe's scores show it. A gap of less than a quarter of a second does not end the pose.
    ///
    /// Two kinds of frame between the runs make them two gestures: a frame of another class above its threshold, and a
    /// frame led by the gesture's return stroke at any confidence. So two swipes with a way back between them are
    /// reported as two, although `returnTime` hides the way back. A gesture that `maximumDuration` ended is released
    /// when its class stops leading. The end of a stream and a gap in it also end this time.
    public var mergeWindow: Duration

    /// Longest time from the decision that began a gesture to its forced end, or nil for no limit.
    /// A gesture that ended this way can begin again only after it has been released.
    public var maximumDuration: Duration?

    /// Thresholds of single classes, by label or by index. A nil value in an override comes from the configuration.
    public var overrides: [RecognitionConfiguration.ClassKey: RecognitionConfiguration.Override]

    /// The classes that may begin, by label or by index; nil allows all. Frames led by any other class count as frames
    /// of null: they begin no gesture, and they count towards the end of an active one. Their logits stay in the softmax.
    public var allowedClasses: Set<ClassKey>?

    /// Classes that may not begin, even if `allowedClasses` names them. Their frames count as frames of null, too.
    public var deniedClasses: Set<ClassKey>

    /// Accepts any values; `validate()` rejects those that cannot be used.
    public init(
        medianLength: Int = 5,
        beginFrames: Int = 3,
        beginConfidence: Float = 0.85,
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
        medianLength: Int = 5, beginFrames: Int = 3, beginConfidence: Float = 0.85, endFrames: Int = 2,
        unsureEndFrames: Int = 12, refractory: Duration = .zero, returnTime: Duration = .zero,
        returnStrokes: [ClassKey: ClassKey], mergeWindow: Duration = .zero, maximumDuration: Duration? = nil,
        overrides: [ClassKey: Override] = [:], allowedClasses: Set<ClassKey>? = nil, deniedClasses: Set<ClassKey> = []
    ) {
        self.init(
            medianLength: medianLength, beginFrames: beginFrames, beginConfidence: beginConfidence,
            endFrames: endFrames, unsureEndFrames: unsureEndFrames, refractory: refractory, returnTime: returnTime,
            mergeWindow: mergeWindow, maximumDuration: maximumDuration, overrides: overrides,
            allowedClasses: allowedClasses,
            deniedClasses: deniedClasses)
        self.returnStrokes = returnStrokes
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
