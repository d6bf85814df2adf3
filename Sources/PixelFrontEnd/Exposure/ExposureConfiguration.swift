package import Vocabulary

/// How strongly and how fast the luma of frames is adjusted towards that of the training frames.
///
/// Levels are those of the 224 x 224 luma. Defaults that mention training are statistics of the composed training
/// frames.
package struct ExposureConfiguration: Codable, Sendable, Hashable {
    /// Means that are not adjusted; the mean of a darker or brighter image is moved to the nearer end. The default is
    /// the middle half of the training frames.
    package var targetMean: ClosedRange<Double>

    /// Standard deviation to which contrast is adjusted, with an offset that keeps the mean. Nil leaves contrast to the
    /// mean's gain, which undoes a change of exposure. Training frames have 36 on average.
    package var targetContrast: Double?

    /// The smallest and the largest gain. Half and double are one stop of display luma each way; more would amplify the
    /// noise of a dark image more than its content.
    package var gainRange: ClosedRange<Double>

    /// The largest offset up or down, in levels. Without `targetContrast` the offset is always 0.
    package var offsetLimit: Double

    /// Time constant with which the measured level follows the image. A quarter of a second reduces mains flicker,
    /// which beats with a camera at about 20 Hz, to a thirtieth.
    package var settlingTime: Duration

    /// The largest change per second, of the gain as a natural logarithm and of the offset in half ranges. The default
    /// is the fastest drift of light within training clips.
    package var maximumRate: Double

    /// How long after the first frame the gain may change at any rate and settles in a fifth of `settlingTime`. After
    /// this time an app should lock its camera's exposure.
    package var exposureLockDuration: Duration

    /// How far the gain may lag behind the wanted one, as a natural logarithm, and the offset, in half ranges, before
    /// it follows. The default is three levels of a mid-grey, and as much as light flickers within training clips.
    package var deadband: Double

    /// Makes a configuration; every argument has a default.
    package init(
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

    /// Checks every value and throws the first fault, in the order of declaration.
    package func validate() throws(ConfigurationError) {
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

    /// The duration in nanoseconds, fractions dropped; throws unless it is from zero to an hour.
    static func nanoseconds(
        _ duration: Duration, _ name: String
    ) throws(ConfigurationError) -> Int64 {
        guard let nanoseconds = duration.upToAnHour else {
            throw ConfigurationError("ExposureConfiguration.\(name)", duration, mustBe: "from 0 to 1 hour")
        }
        return nanoseconds
    }
}
