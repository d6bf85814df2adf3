public import Vocabulary

/// How a user's gesture is fitted and when it is refused.
public struct EnrolmentConfiguration: Sendable, Equatable {
    /// Weight of the penalty on the new row, in units of one independent example; above 0. The row is a step away from
    /// null's, measured in standard deviations of features within a class.
    package var ridge: Double
    /// How much more frequent everything else is assumed to be than the new gesture, above 0. Columns without a gesture
    /// have half of it, and the other gestures share the other half evenly. A higher value gives fewer false positives
    /// and misses more.
    package var backgroundWeight: Double
    /// Probability above which a slot counts as recognised, from 0.5 to below 1. Set it to the streams' `beginConfidence`
    /// where an app changes that.
    public var confidence: Double
    /// Consecutive slots that make a recognition, 1...600. Set it to the streams' `beginFrames` where an app changes that.
    public var sustainedSlots: Int
    /// Maximum share of another class's columns, or of background, that the new row may win, 0...1.
    package var firingLimit: Double
    /// Maximum false events of a movement a minute, in the background that comes with the model, 0 or more.
    package var falseEventsPerMinute: Double
    /// Minimum share of the examples that must still be events then, each by a fit without it if there are several, 0...1.
    package var foundShare: Double
    /// Maximum share of the examples that an existing class may recognise, 0...1.
    package var recognisedShare: Double
    /// Minimum probability that an example must reach, in a fit without it, and in the fit of all; from 0 to below 1.
    package var agreement: Double
    /// Minimum share of the examples that must reach it, 0...1. The report names the others.
    package var agreeingShare: Double
    /// What is taught.
    public var kind: Kind
    /// Two hands show the same pose if the distance between their embeddings is at most this, above 0, at most 1. Examples
    /// that differ more widen it; poses in background recordings narrow it. In photographs of 218 people two hands in one
    /// pose are 0.4 apart at the median, in different poses 1.2.
    package var poseRadius: Double

    /// What a gesture of the user's own is.
    public enum Kind: String, Sendable, Hashable, CaseIterable, Codable {
        /// Decided for each recording: a hand that is held still shows a pose, anything else is a movement.
        case automatic
        /// Something that changes, recognised by the temporal layers.
        case movement
        /// A hand that is held still, recognised by its pose alone.
        case pose
    }

    /// Every argument has a default.
    public init(kind: Kind = .automatic, confidence: Double = 0.85, sustainedSlots: Int = 3) {
        self.init(ridge: Self.standardRidge, confidence: confidence, sustainedSlots: sustainedSlots, kind: kind)
    }

    package static let standardRidge = 2.0
    /// `backgroundWeight` where the background that comes with the model is among the columns: it shows much of what hands
    /// do. Of movements taught by one example 80 instead of 83 % are then found, and a third as many are made up.
    static let weightOfBackground = 30.0

    /// Chooses every value.
    @_disfavoredOverload
    package init(
        ridge: Double = Self.standardRidge, backgroundWeight: Double = 6, confidence: Double = 0.85,
        sustainedSlots: Int = 3,
        firingLimit: Double = 0.1, falseEventsPerMinute: Double = 1, foundShare: Double = 0.5,
        recognisedShare: Double = 0.5, agreement: Double = 0.5, agreeingShare: Double = 0.75,
        kind: Kind = .automatic, poseRadius: Double = 0.6
    ) {
        self.ridge = ridge
        self.backgroundWeight = backgroundWeight
        self.confidence = confidence
        self.sustainedSlots = sustainedSlots
        self.firingLimit = firingLimit
        self.falseEventsPerMinute = falseEventsPerMinute
        self.foundShare = foundShare
        self.recognisedShare = recognisedShare
        self.agreement = agreement
        self.agreeingShare = agreeingShare
        self.kind = kind
        self.poseRadius = poseRadius
    }

    /// Checks every value and throws the first fault.
    public func validate() throws(ConfigurationError) {
        try Self.check(ridge, "ridge", ridge > 0 && ridge < .infinity, "above 0 and finite")
        try Self.check(
            backgroundWeight, "backgroundWeight", backgroundWeight > 0 && backgroundWeight < .infinity,
            "above 0 and finite")
        try Self.check(confidence, "confidence", confidence >= 0.5 && confidence < 1, "0.5 or more and below 1")
        try ConfigurationError.check(sustainedSlots, "EnrolmentConfiguration.sustainedSlots", in: 1...600)
        try ConfigurationError.check(firingLimit, "EnrolmentConfiguration.firingLimit", in: 0...1)
        try Self.check(
            falseEventsPerMinute, "falseEventsPerMinute", falseEventsPerMinute >= 0 && falseEventsPerMinute < 1e6,
            "0 or more")
        try ConfigurationError.check(foundShare, "EnrolmentConfiguration.foundShare", in: 0...1)
        try ConfigurationError.check(recognisedShare, "EnrolmentConfiguration.recognisedShare", in: 0...1)
        try Self.check(agreement, "agreement", agreement >= 0 && agreement < 1, "0 or more and below 1")
        try ConfigurationError.check(agreeingShare, "EnrolmentConfiguration.agreeingShare", in: 0...1)
        try Self.check(poseRadius, "poseRadius", poseRadius > 0 && poseRadius <= 1, "above 0, at most 1")
    }

    private static func check(
        _ value: Double, _ name: String, _ isMet: Bool, _ requirement: String
    ) throws(ConfigurationError) {
        guard isMet else { throw ConfigurationError("EnrolmentConfiguration.\(name)", value, mustBe: requirement) }
    }

    /// Slots that one feature column covers.
    ///
    /// That many neighbours partly see the same frames, so they count as one independent example. In measurements that
    /// many slots beside a gesture count neither as the gesture nor as rest. The receptive field of three temporal
    /// layers; a fourth reaches further back, but the same number is used.
    package static let memory = 15
    /// Maximum number of recordings of a gesture.
    package static let recordingLimit = 64
}
