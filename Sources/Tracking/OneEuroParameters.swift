package import Vocabulary

/// The three numbers of a one-euro filter: a low-pass filter whose cutoff grows with speed, so that what rests does not
/// tremble and what moves does not lag.
public struct OneEuroParameters: Codable, Sendable, Hashable {
    /// Cutoff of what rests, in Hz, 0.0001...1000. Lower is calmer.
    public var minimumCutoff: Double

    /// By how many Hz the cutoff grows with each unit of speed, 0...100000. Higher lags less. Called beta.
    public var speedCoefficient: Double

    /// Cutoff of the filter that speed itself goes through, in Hz, 0.0001...1000.
    public var speedCutoff: Double

    /// Any values; the configuration they are part of tells which cannot be used.
    public init(minimumCutoff: Double, speedCoefficient: Double, speedCutoff: Double) {
        self.minimumCutoff = minimumCutoff
        self.speedCoefficient = speedCoefficient
        self.speedCutoff = speedCutoff
    }

    /// Checks every value.
    /// - Parameter path: what the configuration calls this filter.
    package func validate(_ path: String) throws(ConfigurationError) {
        try ConfigurationError.check(minimumCutoff, path + ".minimumCutoff", in: 0.000_1...1_000)
        try ConfigurationError.check(speedCoefficient, path + ".speedCoefficient", in: 0...100_000)
        try ConfigurationError.check(speedCutoff, path + ".speedCutoff", in: 0.000_1...1_000)
    }
}
