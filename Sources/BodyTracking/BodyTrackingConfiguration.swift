public import Frames
public import Tracking
public import Vocabulary

/// How people are found and followed. The defaults are those of MediaPipe's body tracker, where it has them.
public struct BodyTrackingConfiguration: Codable, Sendable, Hashable {
    /// Maximum number of people that are followed at once, 1...4. While there are fewer, the detector searches for others.
    public var maximumBodies: Int

    /// Detections with a lower score are ignored, 0.01...0.99.
    public var minimumDetectionScore: Float

    /// A body is seen while its presence is above this, 0.01...0.99.
    public var minimumPresence: Float

    /// Two bodies are one if their boxes overlap by more than this (intersection over union) and their middles are
    /// close, 0...1. The middle is the mean of the points, weighted by visibility.
    public var minimumOverlap: Double

    /// Minimum time between two detections, 0...10 s. With zero the detector runs in every frame while fewer bodies are seen.
    public var detectionInterval: Duration

    /// Change of luma from which a scene counts as changed, so that the detector runs again, 0...255.
    ///
    /// It is the change of the mean luma of one of 12 x 12 blocks since the last detection, compared with that of the
    /// other blocks. In a frame of low contrast, as in dim light, a quarter of it is enough. Nil runs the detector
    /// however still the scene is. If the app reports whether the scene changed, that is used instead.
    public var stillness: Double?

    /// How long an unseen body is held, 0...10 s. Meanwhile its last landmarks stay, no other body replaces it, and a
    /// person who comes back to its position keeps the identity. After that the body is lost, and the user should be
    /// asked to step back in.
    public var hold: Duration

    /// How frames are stored. All results are in the upright frame.
    public var orientation: ImageOrientation

    /// How landmarks and visibility are smoothed; nil leaves them as the network gives them.
    public var smoothing: BodyTrackingConfiguration.Smoothing?

    /// Whether the landmark network also computes masks, which takes a third more time.
    public var segmentation: Bool

    /// Takes any values; `validate()` reports those that cannot be used.
    public init(
        maximumBodies: Int = 1, minimumDetectionScore: Float = 0.5, minimumPresence: Float = 0.5,
        minimumOverlap: Double = 0.5, detectionInterval: Duration = .milliseconds(100), stillness: Double? = 3,
        hold: Duration = .seconds(1), orientation: ImageOrientation = .up,
        smoothing: BodyTrackingConfiguration.Smoothing? = BodyTrackingConfiguration.Smoothing(),
        segmentation: Bool = false
    ) {
        self.maximumBodies = maximumBodies
        self.minimumDetectionScore = minimumDetectionScore
        self.minimumPresence = minimumPresence
        self.minimumOverlap = minimumOverlap
        self.detectionInterval = detectionInterval
        self.stillness = stillness
        self.hold = hold
        self.orientation = orientation
        self.smoothing = smoothing
        self.segmentation = segmentation
    }

    /// Allowed numbers of people.
    public static let allowedBodies = 1...4

    /// Allowed minima of scores: those that differ from 0 and 1 in single precision after the logistic function.
    public static let allowedScores: ClosedRange<Float> = 0.01...0.99

    /// Allowed times.
    public static let allowedTimes = Duration.zero...Duration.seconds(10)

    /// Checks every value and throws the first fault, in the order of declaration.
    public func validate() throws(ConfigurationError) {
        func name(_ parameter: String) -> String { "BodyTrackingConfiguration." + parameter }
        try ConfigurationError.check(maximumBodies, name("maximumBodies"), in: Self.allowedBodies)
        try ConfigurationError.check(
            minimumDetectionScore, name("minimumDetectionScore"), in: Self.allowedScores)
        try ConfigurationError.check(minimumPresence, name("minimumPresence"), in: Self.allowedScores)
        try ConfigurationError.check(minimumOverlap, name("minimumOverlap"), in: 0...1)
        try ConfigurationError.check(detectionInterval, name("detectionInterval"), in: Self.allowedTimes)
        if let stillness { try ConfigurationError.check(stillness, name("stillness"), in: 0...255) }
        try ConfigurationError.check(hold, name("hold"), in: Self.allowedTimes)
        if let smoothing {
            try smoothing.landmarks.validate(name("smoothing.landmarks"))
            try smoothing.worldLandmarks.validate(name("smoothing.worldLandmarks"))
            try ConfigurationError.check(smoothing.visibility, name("smoothing.visibility"), in: 0...1)
        }
    }
}

extension BodyTrackingConfiguration {
    /// How landmarks and visibility are smoothed.
    ///
    /// Landmarks have one-euro filters, one for each coordinate (Casiez, Roussel and Vogel, CHI 2012), and visibility
    /// has an exponential moving average. The defaults are those of MediaPipe's body tracker.
    public struct Smoothing: Codable, Sendable, Hashable {
        /// Filter of the points in the frame, with speeds in diameters of the circle around the body per second.
        public var landmarks: OneEuroParameters

        /// Filter of the points in metres, with speeds in metres per second.
        public var worldLandmarks: OneEuroParameters

        /// Share of a new visibility that the average adopts, 0...1.
        public var visibility: Float

        /// Makes filters; each value has a default.
        public init(
            landmarks: OneEuroParameters = OneEuroParameters(minimumCutoff: 0.05, speedCoefficient: 80, speedCutoff: 1),
            worldLandmarks: OneEuroParameters = OneEuroParameters(
                minimumCutoff: 0.1, speedCoefficient: 40, speedCutoff: 1),
            visibility: Float = 0.1
        ) {
            self.landmarks = landmarks
            self.worldLandmarks = worldLandmarks
            self.visibility = visibility
        }
    }
}
