public import Vocabulary

/// How strongly and how fast the luma of frames is drawn towards what the network was trained on.
///
/// Codes are those of the 224 x 224 luma. Defaults that name training are the statistics of the frames it composes.
public struct ExposureConfiguration: Codable, Sendable, Hashable {
    /// Means that are left alone; a darker or brighter picture is drawn to the nearer end. The default is the middle half
    /// of training frames.
    public var targetMean: ClosedRange<Double>

    /// Standard deviation that contrast is drawn to, with the mean held by an offset; nil leaves contrast to the gain that
    /// the mean asks for, which is what undoes a change of exposure. Training frames have 36 on average.
    public var targetContrast: Double?

    /// The smallest and the largest gain. Half and double are one stop of display luma each way; more would rather show the
    /// noise of a dark picture than its content.
    public var gainRange: ClosedRange<Double>

    /// The largest offset either way, in codes. Without `targetContrast` there is none.
    public var offsetLimit: Double

    /// Time constant at which the measured level follows the picture. A quarter of a second averages mains flicker, which
    /// beats with a camera at some 20 Hz, to a thirtieth.
    public var settlingTime: Duration

    /// The largest change of the gain in a second, as a natural logarithm, and of the offset, in half ranges of the code.
    /// Half is the fastest drift of light within training clips.
    public var maximumRate: Double

    /// For how long from the first frame on the gain may change at any rate and settles in a fifth of `settlingTime`. It is
    /// the time after which an app is advised to lock its camera's exposure.
    public var exposureLockDuration: Duration

    /// How far the gain may lag behind the wanted one, as a natural logarithm, and the offset, in half ranges, before it is
    /// dragged along. The default is three codes of a mid-grey, and as much as light flickers within training clips.
    public var deadband: Double

    /// A configuration; what is not named has its default.
    public init(
        targetMean: ClosedRange<Double> = 60...125, targetContrast: Double? = nil,
        gainRange: ClosedRange<Double> = 0.5...2, offsetLimit: Double = 64,
        settlingTime: Duration = .milliseconds(250), maximumRate: Double = 0.5,
        exposureLockDuration: Duration = .seconds(2), deadband: Double = 0.025
    ) {
        self.targetMean = targetMean
        self.targetContrast = targetContrast
        self.gainRange = gainRange
        self.offsetLimit = offsetLimit
        self.settlingTime = settlingTime
        self.maximumRate = maximumRate
        self.exposureLockDuration = exposureLockDuration
        self.deadband = deadband
    }

    /// Checks every value against its range; with several faults the first in the order of declaration is thrown.
    public func validate() throws(ConfigurationError) {
        try ConfigurationError.check(targetMean.lowerBound, "ExposureConfiguration.targetMean", in: 1...254)
        try ConfigurationError.check(targetMean.upperBound, "ExposureConfiguration.targetMean", in: 1...254)
        if let targetContrast {
            try ConfigurationError.check(targetContrast, "ExposureConfiguration.targetContrast", in: 1...127)
        }
        try ConfigurationError.check(gainRange.lowerBound, "ExposureConfiguration.gainRange", in: 0.25...2)
        try ConfigurationError.check(gainRange.upperBound, "ExposureConfiguration.gainRange", in: 0.25...2)
        try ConfigurationError.check(offsetLimit, "ExposureConfiguration.offsetLimit", in: 0...128)
        _ = try Self.nanoseconds(settlingTime, "settlingTime")
        try ConfigurationError.check(maximumRate, "ExposureConfiguration.maximumRate", in: 0...100)
        _ = try Self.nanoseconds(exposureLockDuration, "exposureLockDuration")
        try ConfigurationError.check(deadband, "ExposureConfiguration.deadband", in: 0.005...1)
    }

    /// Zero to an hour, in nanoseconds, fractions dropped.
    static func nanoseconds(
        _ duration: Duration, _ name: String
    ) throws(ConfigurationError) -> Int64 {
        guard let nanoseconds = duration.upToAnHour else {
            throw ConfigurationError("ExposureConfiguration.\(name)", duration, mustBe: "from none to an hour")
        }
        return nanoseconds
    }
}

extension Duration {
    /// Whole nanoseconds, fractions dropped, or nil below zero or above an hour.
    var upToAnHour: Int64? {
        guard self >= .zero, self <= .seconds(3_600) else { return nil }
        let (seconds, attoseconds) = components
        return seconds * 1_000_000_000 + attoseconds / 1_000_000_000
    }
}
