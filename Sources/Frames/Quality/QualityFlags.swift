public import Vocabulary

/// Faults of an image that can be detected without understanding it. This is advice for the app: the engine continues
/// to recognise gestures.
public struct QualityFlags: OptionSet, Sendable, Hashable {
    /// One bit for each flag.
    public let rawValue: UInt8

    /// Makes flags from their bits; bits without a name are kept.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Hardly anything in the image is lit.
    public static let lowLight = QualityFlags(rawValue: 1 << 0)
    /// Too much of the image is clipped at white.
    public static let overexposed = QualityFlags(rawValue: 1 << 1)
    /// The image as a whole is soft: out of focus, a moving camera, a smeared lens, or scaled up from few pixels. A
    /// blurred hand before a sharp background is not detected.
    public static let blurred = QualityFlags(rawValue: 1 << 2)
    /// The subject whose box the app gave is too far away.
    public static let subjectTooSmall = QualityFlags(rawValue: 1 << 3)
    /// The image has become much darker or brighter than in the stream's first seconds: the camera's locked exposure no
    /// longer suits the light.
    public static let exposureDrift = QualityFlags(rawValue: 1 << 4)
}

extension QualityConfiguration {
    /// The values at which a flag is set and cleared; between the two it does not change.
    package struct Threshold: Codable, Sendable, Hashable {
        /// The flag is set beyond this value.
        package var set: Double
        /// The flag is cleared beyond this value, on the other side.
        package var clear: Double

        /// Makes a threshold.
        package init(set: Double, clear: Double) { (self.set, self.clear) = (set, clear) }
    }
}

/// When the quality of an image counts as bad.
///
/// The defaults are the limits of training: a flag means that the network has hardly seen such frames.
public struct QualityConfiguration: Codable, Sendable, Hashable {
    /// `lowLight` is set below this mean plus standard deviation, in luma levels. One in twenty training frames is
    /// below 50, one in ten below 63.
    package var lowLight: QualityConfiguration.Threshold

    /// `overexposed` is set above this share of pixels at level 250 or more. One in a hundred training frames has 0.15
    /// or more.
    package var overexposed: QualityConfiguration.Threshold

    /// `blurred` is set below this sharpness, which is between 1/16 (soft) and 1/4 (crisp) for any contrast and noise.
    /// Training blurs with a Gaussian of up to 1.3 pixels of the 224, which rarely gives less than 0.1; one of 2 gives
    /// 0.09 and one of 3 gives 0.08.
    package var blurred: QualityConfiguration.Threshold

    /// `subjectTooSmall` is set below this share of the frame's height. A third is Apple's advice for body poses.
    package var subjectTooSmall: QualityConfiguration.Threshold

    /// `exposureDrift` is set if the current mean and that of the stream's first seconds differ by more than this
    /// factor. 1.6 is the whole range of light that is normal in training.
    package var exposureDrift: QualityConfiguration.Threshold

    /// The time from a stream's begin over which the reference for `exposureDrift` is averaged. Set it to the time after
    /// which the app locks its camera's exposure.
    public var exposureLockDuration: Duration

    /// How long a value must stay beyond its threshold before a flag is set: longer than a window of the network.
    package var onset: Duration

    /// The same before a flag is cleared.
    package var release: Duration

    /// Makes a configuration.
    public init(exposureLockDuration: Duration = .seconds(2)) {
        self.init(lowLight: Self.standardLowLight, exposureLockDuration: exposureLockDuration)
    }

    package static let standardLowLight = QualityConfiguration.Threshold(set: 50, clear: 60)

    /// Chooses every value.
    @_disfavoredOverload
    package init(
        lowLight: QualityConfiguration.Threshold = Self.standardLowLight,
        overexposed: QualityConfiguration.Threshold = QualityConfiguration.Threshold(set: 0.15, clear: 0.1),
        blurred: QualityConfiguration.Threshold = QualityConfiguration.Threshold(set: 0.09, clear: 0.1),
        subjectTooSmall: QualityConfiguration.Threshold = QualityConfiguration.Threshold(set: 1.0 / 3, clear: 0.36),
        exposureDrift: QualityConfiguration.Threshold = QualityConfiguration.Threshold(set: 1.6, clear: 1.4),
        exposureLockDuration: Duration = .seconds(2),
        onset: Duration = .milliseconds(250), release: Duration = .milliseconds(500)
    ) {
        self.lowLight = lowLight
        self.overexposed = overexposed
        self.blurred = blurred
        self.subjectTooSmall = subjectTooSmall
        self.exposureDrift = exposureDrift
        self.exposureLockDuration = exposureLockDuration
        self.onset = onset
        self.release = release
    }

    /// Checks every value and throws the first fault, in the order of declaration.
    public func validate() throws(ConfigurationError) {
        try Self.check(lowLight, "lowLight", in: 0...383, setsBelow: true)
        try Self.check(overexposed, "overexposed", in: 0...1, setsBelow: false)
        try Self.check(blurred, "blurred", in: 0...1, setsBelow: true)
        try Self.check(subjectTooSmall, "subjectTooSmall", in: 0...1, setsBelow: true)
        try Self.check(exposureDrift, "exposureDrift", in: 1...255, setsBelow: false)
        _ = try Self.nanoseconds(exposureLockDuration, "exposureLockDuration")
        _ = try Self.nanoseconds(onset, "onset")
        _ = try Self.nanoseconds(release, "release")
    }

    private static func check(
        _ threshold: QualityConfiguration.Threshold, _ name: String, in allowed: ClosedRange<Double>,
        setsBelow: Bool
    ) throws(ConfigurationError) {
        let path = "QualityConfiguration.\(name)"
        try ConfigurationError.check(threshold.set, path + ".set", in: allowed)
        try ConfigurationError.check(threshold.clear, path + ".clear", in: allowed)
        guard setsBelow ? threshold.set <= threshold.clear : threshold.set >= threshold.clear else {
            throw ConfigurationError(
                path + ".set", threshold.set,
                mustBe: "at \(setsBelow ? "most" : "least") clear, which is \(threshold.clear)")
        }
    }

    /// The duration in nanoseconds, fractions dropped; throws unless it is from zero to an hour.
    static func nanoseconds(
        _ duration: Duration, _ name: String
    ) throws(ConfigurationError) -> Int64 {
        guard let nanoseconds = duration.upToAnHour else {
            throw ConfigurationError("QualityConfiguration.\(name)", duration, mustBe: "from 0 to 1 hour")
        }
        return nanoseconds
    }
}
