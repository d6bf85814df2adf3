public import Frames

/// How hands are found and followed. The defaults are those of MediaPipe's hand tracker where it has them.
public struct HandTrackingConfiguration: Sendable, Equatable {
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

    /// A scene is still, and no palm is looked for, until the mean luma of one of 12 x 12 blocks has changed since the last
    /// detection by more than this many codes against the change of the others, 0...255. Nil looks for palms however still
    /// it is. What the app says of the scene counts instead.
    public var stillness: Double?

    /// For how long after it was lost a hand that is found in the same place keeps its identity, 0...10 s.
    public var identityHold: Duration

    /// How the frames are stored. Everything that comes out is in the upright frame.
    public var orientation: ImageOrientation

    /// Smooths the landmarks. Nil, the default, leaves them as the network gives them: recognition is trained on such, takes
    /// their noise into account, and a filter delays what is quick, which gestures are. Drawing looks calmer with it.
    public var smoothing: LandmarkSmoothing?

    /// Any values; `validate()` tells which of them cannot be used.
    public init(
        maximumHands: Int = 1, minimumPalmScore: Float = 0.5, minimumPresence: Float = 0.5, palmOverlap: Float = 0.3,
        regionOverlap: Double = 0.5, detectionInterval: Duration = .milliseconds(100), stillness: Double? = 3,
        identityHold: Duration = .milliseconds(500), orientation: ImageOrientation = .up,
        smoothing: LandmarkSmoothing? = nil
    ) {
        self.maximumHands = maximumHands
        self.minimumPalmScore = minimumPalmScore
        self.minimumPresence = minimumPresence
        self.palmOverlap = palmOverlap
        self.regionOverlap = regionOverlap
        self.detectionInterval = detectionInterval
        self.stillness = stillness
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
    public func validate() throws(HandTrackingConfigurationError) {
        guard Self.allowedHands.contains(maximumHands) else {
            throw .handsOutOfRange(maximumHands, allowed: Self.allowedHands)
        }
        try Self.check(Double(minimumPalmScore), .minimumPalmScore, in: Self.allowedScores)
        try Self.check(Double(minimumPresence), .minimumPresence, in: Self.allowedScores)
        try Self.check(Double(palmOverlap), .palmOverlap, in: 0...1)
        try Self.check(regionOverlap, .regionOverlap, in: 0...1)
        try Self.check(detectionInterval, .detectionInterval)
        if let stillness { try Self.check(stillness, .stillness, in: 0...255) }
        try Self.check(identityHold, .identityHold)
        if let smoothing {
            try Self.check(smoothing.landmarks, .landmarks)
            try Self.check(smoothing.worldLandmarks, .worldLandmarks)
        }
    }

    private static func check(
        _ filter: OneEuroConfiguration, _ name: HandTrackingConfigurationError.Filter
    ) throws(HandTrackingConfigurationError) {
        try check(filter.minimumCutoff, .minimumCutoff(name), in: 0.000_1...1_000)
        try check(filter.speedCoefficient, .speedCoefficient(name), in: 0...100_000)
        try check(filter.speedCutoff, .speedCutoff(name), in: 0.000_1...1_000)
    }

    private static func check(
        _ value: Double, _ name: HandTrackingConfigurationError.Value, in allowed: ClosedRange<Double>
    ) throws(HandTrackingConfigurationError) {
        // A NaN is in no range.
        guard allowed.contains(value) else { throw .outOfRange(name, value, allowed: allowed) }
    }

    private static func check(
        _ time: Duration, _ name: HandTrackingConfigurationError.Time
    ) throws(HandTrackingConfigurationError) {
        guard allowedTimes.contains(time) else { throw .timeOutOfRange(name, time, allowed: allowedTimes) }
    }
}

/// Why a `HandTrackingConfiguration` cannot be used.
public enum HandTrackingConfigurationError: Error, Sendable, Equatable {
    /// A filter of the configuration.
    public enum Filter: Sendable, Hashable {
        case landmarks, worldLandmarks
    }

    /// A number of the configuration.
    public enum Value: Sendable, Hashable {
        case minimumPalmScore, minimumPresence, palmOverlap, regionOverlap, stillness
        case minimumCutoff(Filter)
        case speedCoefficient(Filter)
        case speedCutoff(Filter)
    }

    /// A time of the configuration.
    public enum Time: Sendable, Hashable {
        case detectionInterval, identityHold
    }

    /// Fewer than one hand, or more than can be followed.
    case handsOutOfRange(Int, allowed: ClosedRange<Int>)
    /// A number is not in the range allowed, or not a number.
    case outOfRange(Value, Double, allowed: ClosedRange<Double>)
    /// A time is negative or too long.
    case timeOutOfRange(Time, Duration, allowed: ClosedRange<Duration>)
}
