public import Frames
public import Tracking
public import Vocabulary

/// How people are found and followed. The defaults are those of MediaPipe's body tracker where it has them.
public struct BodyTrackingConfiguration: Codable, Sendable, Hashable {
    /// People that are followed at once, 1...4. While fewer are there, the detector goes on looking for the others.
    public var maximumBodies: Int

    /// What the detector finds below this score is not looked at, 0.01...0.99.
    public var minimumDetectionScore: Float

    /// A body is no longer seen when its presence is not above this, 0.01...0.99.
    public var minimumPresence: Float

    /// Two bodies whose boxes overlap by more than this (intersection over union) and whose middles are close are one, 0...1. The
    /// middle is the mean of the points, weighted by their visibility.
    public var minimumOverlap: Double

    /// The least time from one detection to the next, 0...10 s. Zero detects in every frame while another body is wanted.
    public var detectionInterval: Duration

    /// A scene is still, and the detector rests, until the mean luma of one of 12 x 12 blocks has changed since the last
    /// detection by more than this many codes against the change of the others, 0...255. In a picture of little contrast, as in
    /// dim light, a quarter of it is enough. Nil looks for people however still it is. What the app says of the scene counts
    /// instead.
    public var stillness: Double?

    /// For how long a body that is not seen is held, 0...10 s. While it lasts, the last landmarks stand, no other body takes the
    /// place, and who comes back to it keeps the identity. Then the body is lost, and the user is to be asked to step back in.
    public var hold: Duration

    /// How the frames are stored. Everything that comes out is in the upright frame.
    public var orientation: ImageOrientation

    /// Smooths landmarks and visibility. Nil leaves them as the network gives them.
    public var smoothing: BodyTrackingConfiguration.Smoothing?

    /// Whether the network also says which pixels belong to the body, which takes a third more time.
    public var segmentation: Bool

    /// Any values; `validate()` tells which of them cannot be used.
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

    /// Numbers of people that are accepted.
    public static let allowedBodies = 1...4

    /// Least scores that are accepted: those that single precision tells from 0 and 1 after the logistic function.
    public static let allowedScores = Double(Float(0.01))...Double(Float(0.99))

    /// Times that are accepted.
    public static let allowedTimes = Duration.zero...Duration.seconds(10)

    /// Checks every value; with several faults the first in the order of declaration is thrown.
    public func validate() throws(ConfigurationError) {
        func name(_ parameter: String) -> String { "BodyTrackingConfiguration." + parameter }
        try ConfigurationError.check(maximumBodies, name("maximumBodies"), in: Self.allowedBodies)
        try ConfigurationError.check(
            Double(minimumDetectionScore), name("minimumDetectionScore"), in: Self.allowedScores)
        try ConfigurationError.check(Double(minimumPresence), name("minimumPresence"), in: Self.allowedScores)
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
    /// How landmarks are smoothed: by one-euro filters, one for each coordinate (Casiez, Roussel and Vogel, CHI 2012), and
    /// visibility by an exponential moving average. The defaults are those of MediaPipe's body tracker.
    public struct Smoothing: Codable, Sendable, Hashable {
        /// Of the points in the frame. Speeds count in diameters of the circle around the body a second.
        public var landmarks: OneEuroParameters

        /// Of the points in metres. Speeds count in metres a second.
        public var worldLandmarks: OneEuroParameters

        /// What an average adopts of a new visibility, 0...1.
        public var visibility: Float

        /// Filters; what is not named has its default.
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
