public import Frames
import Tracking
public import Vocabulary

/// How hands are found and followed. The defaults are those of MediaPipe's hand tracker where it has them.
public struct HandTrackingConfiguration: Codable, Sendable, Hashable {
    /// Hands that are followed at once, 1...2. While fewer are there, the detector goes on looking for the others.
    public var maximumHands: Int

    /// Palms below this score are not looked at, 0.01...0.99.
    public var minimumPalmScore: Float

    /// A hand is lost when its presence is not above this, 0.01...0.99.
    public var minimumPresence: Float

    /// The detector's boxes that overlap by more than this (intersection over union) are one palm, 0...1.
    public var palmOverlap: Float

    /// Regions that overlap by more than this (intersection over union) show the same hand, 0...1.
    public var regionOverlap: Double

    /// The least time from one palm detection to the next, 0...10 s. Zero detects in every frame in which a hand is wanted, as
    /// MediaPipe does.
    public var detectionInterval: Duration

    /// A scene is still, and palms are looked for at `stillDetectionInterval` alone, until the mean luma of one of 12 x 12 blocks has
    /// changed since the last detection by more than this many codes against the change of the others, 0...255. In a picture of
    /// little contrast, as in dim light, a quarter of it is enough. Nil looks for palms however still it is. What the app
    /// says of the scene counts instead.
    public var stillness: Double?

    /// The time from one palm detection to the next in a still scene, 0...10 s: a look that found nothing may have missed a hand
    /// that is held still. It is the least time, too, from one look at a tile of the frame to the next: hands that are small in the
    /// frame show there. Nil waits for a change and looks at no tiles.
    public var stillDetectionInterval: Duration?

    /// For how long after it was lost a hand that is found in the same place keeps its identity, and is looked for in nearly every
    /// frame, 0...10 s.
    public var identityHold: Duration

    /// How the frames are stored. Everything that comes out is in the upright frame.
    public var orientation: ImageOrientation

    /// Smooths the landmarks. Nil, the default, leaves them as the network gives them: recognition is trained on such, takes
    /// their noise into account, and a filter delays what is quick, which gestures are. Drawing looks calmer with it.
    public var smoothing: HandTrackingConfiguration.Smoothing?

    /// Any values; `validate()` tells which of them cannot be used.
    public init(
        maximumHands: Int = 1, minimumPalmScore: Float = 0.5, minimumPresence: Float = 0.5, palmOverlap: Float = 0.3,
        regionOverlap: Double = 0.5, detectionInterval: Duration = .milliseconds(100), stillness: Double? = 3,
        stillDetectionInterval: Duration? = .milliseconds(500), identityHold: Duration = .milliseconds(500),
        orientation: ImageOrientation = .up,
        smoothing: HandTrackingConfiguration.Smoothing? = nil
    ) {
        self.maximumHands = maximumHands
        self.minimumPalmScore = minimumPalmScore
        self.minimumPresence = minimumPresence
        self.palmOverlap = palmOverlap
        self.regionOverlap = regionOverlap
        self.detectionInterval = detectionInterval
        self.stillness = stillness
        self.stillDetectionInterval = stillDetectionInterval
        self.identityHold = identityHold
        self.orientation = orientation
        self.smoothing = smoothing
    }

    /// Numbers of hands that are accepted.
    public static let allowedHands = 1...2

    /// Least scores that are accepted: those that single precision tells from 0 and 1 after the logistic function.
    public static let allowedScores = Double(Float(0.01))...Double(Float(0.99))

    /// Times that are accepted.
    public static let allowedTimes = Duration.zero...Duration.seconds(10)

    /// Checks every value; with several faults the first in the order of declaration is thrown.
    public func validate() throws(ConfigurationError) {
        try ConfigurationError.check(maximumHands, "HandTrackingConfiguration.maximumHands", in: Self.allowedHands)
        try ConfigurationError.check(
            Double(minimumPalmScore), "HandTrackingConfiguration.minimumPalmScore", in: Self.allowedScores)
        try ConfigurationError.check(
            Double(minimumPresence), "HandTrackingConfiguration.minimumPresence", in: Self.allowedScores)
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
