package import Tracking
public import Vocabulary

/// How hands are found and tracked. The defaults are those of MediaPipe's hand tracker where it has the same parameter.
public struct HandTrackingConfiguration: Codable, Sendable, Hashable {
    /// Palms with a score below this are ignored, 0.01...0.99.
    public var minimumPalmScore: Float

    /// A hand is lost when its presence is not above this, 0.01...0.99.
    public var minimumPresence: Float

    /// Boxes of the detector that overlap by more than this (intersection over union) are one palm, 0...1.
    package var palmOverlap: Float

    /// Regions that overlap by more than this (intersection over union) show the same hand, 0...1.
    package var regionOverlap: Double

    /// The minimum time from one palm detection to the next, 0...10 s; while a hand is tracked and another may be, at least
    /// 90 ms. By default 30 ms: every frame of a camera of 30 a second, until a hand is found. With zero, the detector runs in
    /// every frame while fewer than `GestureEngine.Configuration.maximumHands` are tracked, as in MediaPipe.
    public var detectionInterval: Duration

    /// The change of luma that ends the stillness of a scene, 0...255. It is the change of the mean of one of 192
    /// blocks since the last detection, less the change of the other blocks. In a frame with little contrast, such as in
    /// dim light, as little as a quarter of it is enough. In a still scene the palm detector runs every half second. With
    /// nil, no scene counts as still. If the app reports whether the scene has changed, that is used instead.
    public var stillness: Double?

    /// The time from one palm detection to the next in a still scene, 0...10 s: a detection without a result may have
    /// missed a hand that is held still. It is also the minimum time from one detection in a tile of the frame to the
    /// next, which finds hands that are small in the frame. With nil, the tracker waits for a change and uses no tiles.
    package var stillDetectionInterval: Duration?

    /// A hand that is found again in the same position within this time after it was lost keeps its identity, and is
    /// searched for in nearly every frame, 0...10 s. Of the hands lost last, two are remembered for each of
    /// `GestureEngine.Configuration.maximumHands`.
    package var identityHold: Duration

    /// Smooths the landmarks; nil leaves them as the network gives them.
    package var smoothing: HandTrackingConfiguration.Smoothing?

    /// Whether landmarks are smoothed. The default is false: recognition is trained on unfiltered landmarks and
    /// tolerates their noise, while a filter delays fast movements such as gestures. Drawings are calmer with a filter.
    public var isSmoothed: Bool {
        get { smoothing != nil }
        set { smoothing = newValue ? smoothing ?? Smoothing() : nil }
    }

    /// Accepts any values; `validate()` rejects those that cannot be used.
    public init(
        minimumPalmScore: Float = 0.5, minimumPresence: Float = 0.5, detectionInterval: Duration = .milliseconds(30),
        stillness: Double? = 3, isSmoothed: Bool = false
    ) {
        self.init(
            minimumPalmScore: minimumPalmScore, minimumPresence: minimumPresence, detectionInterval: detectionInterval,
            stillness: stillness, smoothing: isSmoothed ? Smoothing() : nil)
    }

    /// Chooses every value.
    @_disfavoredOverload
    package init(
        minimumPalmScore: Float = 0.5, minimumPresence: Float = 0.5, palmOverlap: Float = 0.3,
        regionOverlap: Double = 0.5, detectionInterval: Duration = .milliseconds(30), stillness: Double? = 3,
        stillDetectionInterval: Duration? = .milliseconds(500), identityHold: Duration = .milliseconds(500),
        smoothing: HandTrackingConfiguration.Smoothing? = nil
    ) {
        self.minimumPalmScore = minimumPalmScore
        self.minimumPresence = minimumPresence
        self.palmOverlap = palmOverlap
        self.regionOverlap = regionOverlap
        self.detectionInterval = detectionInterval
        self.stillness = stillness
        self.stillDetectionInterval = stillDetectionInterval
        self.identityHold = identityHold
        self.smoothing = smoothing
    }

    /// The allowed minimum scores: those that differ from 0 and 1 in single precision after the logistic function.
    package static let allowedScores: ClosedRange<Float> = 0.01...0.99

    /// The allowed times.
    package static let allowedTimes = Duration.zero...Duration.seconds(10)

    /// Checks every value and throws the first fault, in the order of declaration.
    public func validate() throws(ConfigurationError) {
        try ConfigurationError.check(
            minimumPalmScore, "HandTrackingConfiguration.minimumPalmScore", in: Self.allowedScores)
        try ConfigurationError.check(
            minimumPresence, "HandTrackingConfiguration.minimumPresence", in: Self.allowedScores)
        try ConfigurationError.check(Double(palmOverlap), "HandTrackingConfiguration.palmOverlap", in: 0...1)
        try ConfigurationError.check(regionOverlap, "HandTrackingConfiguration.regionOverlap", in: 0...1)
        try ConfigurationError.check(
            detectionInterval, "HandTrackingConfiguration.detectionInterval", in: Self.allowedTimes)
        if let stillness { try ConfigurationError.check(stillness, "HandTrackingConfiguration.stillness", in: 0...255) }
        if let stillDetectionInterval {
            try ConfigurationError.check(
                stillDetectionInterval, "HandTrackingConfiguration.stillDetectionInterval", in: Self.allowedTimes)
        }
        try ConfigurationError.check(identityHold, "HandTrackingConfiguration.identityHold", in: Self.allowedTimes)
        if let smoothing {
            try smoothing.landmarks.validate("HandTrackingConfiguration.smoothing.landmarks")
            try smoothing.worldLandmarks.validate("HandTrackingConfiguration.smoothing.worldLandmarks")
        }
    }
}

extension HandTrackingConfiguration {
    /// How landmarks are smoothed: by one-euro filters, one for each coordinate (Casiez, Roussel and Vogel, CHI 2012).
    ///
    /// MediaPipe's hand tracker does not smooth. The defaults are those of its body tracker, which uses the same
    /// filter.
    package struct Smoothing: Codable, Sendable, Hashable {
        /// For the points in the frame. Speeds are in sides of the hand's region a second.
        package var landmarks: OneEuroParameters

        /// For the points in metres. Speeds are in metres a second.
        package var worldLandmarks: OneEuroParameters

        /// Creates filters with the default for each omitted argument.
        package init(
            landmarks: OneEuroParameters = OneEuroParameters(
                minimumCutoff: 0.05, speedCoefficient: 80, speedCutoff: 1),
            worldLandmarks: OneEuroParameters = OneEuroParameters(
                minimumCutoff: 0.1, speedCoefficient: 40, speedCutoff: 1)
        ) {
            self.landmarks = landmarks
            self.worldLandmarks = worldLandmarks
        }
    }
}
