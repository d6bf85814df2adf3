package import Vocabulary

/// The parameters of a one-euro filter, a low-pass filter whose cutoff grows with speed: points at rest do not tremble
/// and moving points do not lag.
public struct OneEuroParameters: Codable, Sendable, Hashable {
    /// Cutoff at rest, in Hz, 0.0001...1000. Lower is calmer.
    public var minimumCutoff: Double

    /// The growth of the cutoff with each unit of speed, in Hz, 0...100000. Higher lags less. Called beta in the paper.
    public var speedCoefficient: Double

    /// Cutoff of the filter of the speed itself, in Hz, 0.0001...1000.
    public var speedCutoff: Double

    /// Accepts any values; the configuration that contains them rejects those that cannot be used.
    public init(minimumCutoff: Double, speedCoefficient: Double, speedCutoff: Double) {
        self.minimumCutoff = minimumCutoff
        self.speedCoefficient = speedCoefficient
        self.speedCutoff = speedCutoff
    }

    /// Checks every value.
    /// - Parameter path: the configuration's name of this filter.
    package func validate(_ path: String) throws(ConfigurationError) {
        try ConfigurationError.check(minimumCutoff, path + ".minimumCutoff", in: 0.000_1...1_000)
        try ConfigurationError.check(speedCoefficient, path + ".speedCoefficient", in: 0...100_000)
        try ConfigurationError.check(speedCutoff, path + ".speedCutoff", in: 0.000_1...1_000)
    }
}
