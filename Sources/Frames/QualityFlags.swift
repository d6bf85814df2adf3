public import Vocabulary

/// What is wrong with a picture, as far as can be told without understanding it. Advice for the app: the engine recognises
/// on, whatever is set.
public struct QualityFlags: OptionSet, Sendable, Hashable {
    /// One bit a flag.
    public let rawValue: UInt8

    /// Flags by their bits; bits without a name are kept.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Hardly anything in the picture is lit.
    public static let lowLight = QualityFlags(rawValue: 1 << 0)
    /// Too much of the picture is clipped at white.
    public static let overexposed = QualityFlags(rawValue: 1 << 1)
    /// The picture as a whole is soft: out of focus, a moving camera, a smeared lens, or scaled up from few pixels. A hand
    /// that alone is smeared before a sharp background does not show.
    public static let blurred = QualityFlags(rawValue: 1 << 2)
    /// The subject whose box the app gave is too far away.
    public static let subjectTooSmall = QualityFlags(rawValue: 1 << 3)
    /// The picture has become much darker or brighter than in the stream's first seconds: the camera's exposure, once
    /// locked, no longer suits the light.
    public static let exposureDrift = QualityFlags(rawValue: 1 << 4)
}

extension QualityConfiguration {
    /// Where a flag is set and where it is cleared again; between the two it stays as it is.
    public struct Threshold: Codable, Sendable, Hashable {
        /// Beyond this value the flag is set.
        public var set: Double
        /// Beyond this one, on the other side, it is cleared.
        public var clear: Double

        /// Both values.
        public init(set: Double, clear: Double) { (self.set, self.clear) = (set, clear) }
    }
}

/// From when on a picture is called bad.
///
/// The defaults are where training ends: a flag means that the network has hardly seen such frames.
public struct QualityConfiguration: Codable, Sendable, Hashable {
    /// `lowLight` below this mean plus standard deviation, in codes. One in twenty training frames is below 50, one in ten
    /// below 63.
    public var lowLight: QualityConfiguration.Threshold

    /// `overexposed` above this share of pixels at code 250 or more. One in a hundred training frames has 0.15 or more.
    public var overexposed: QualityConfiguration.Threshold

    /// `blurred` below this sharpness, which lies between 1/16 (soft) and 1/4 (crisp) whatever contrast and noise. Training
    /// softens by a Gaussian of up to 1.3 pixels of the 224, which hardly ever comes below 0.1; one of 2 gives 0.09 and
    /// one of 3 gives 0.08.
    public var blurred: QualityConfiguration.Threshold

    /// `subjectTooSmall` below this share of the frame's height. A third is what Apple advises for body poses.
    public var subjectTooSmall: QualityConfiguration.Threshold

    /// `exposureDrift` above this ratio of the mean to that of the stream's first seconds, or of that to the mean. 1.6 is
    /// the whole range of light that training calls normal.
    public var exposureDrift: QualityConfiguration.Threshold

    /// The first seconds whose mean `exposureDrift` compares with.
    public var exposureLockDuration: Duration

    /// How long a value must stay beyond its threshold until a flag is set: longer than a window of the network.
    public var onset: Duration

    /// How long until it is cleared.
    public var release: Duration

    /// A configuration; what is not named has its default.
    public init(
        lowLight: QualityConfiguration.Threshold = QualityConfiguration.Threshold(set: 50, clear: 60),
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

    /// Checks every value against its range; with several faults the first in the order of declaration is thrown.
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

    /// Zero to an hour, in nanoseconds, fractions dropped.
    static func nanoseconds(
        _ duration: Duration, _ name: String
    ) throws(ConfigurationError) -> Int64 {
        guard let nanoseconds = duration.upToAnHour else {
            throw ConfigurationError("QualityConfiguration.\(name)", duration, mustBe: "from none to an hour")
        }
        return nanoseconds
    }
}
