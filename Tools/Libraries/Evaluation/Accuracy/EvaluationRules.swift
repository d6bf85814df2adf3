/// The constants of the measures.
package struct EvaluationRules: Sendable, Equatable, Codable {
    /// Bins of equal width over 0...1 for the calibration error.
    package var calibrationBins = 15
    /// Calibration is also measured over the frames strictly above this confidence, at which a gesture begins.
    package var confidenceThreshold: Float = 0.85
    /// SHREC 2022: the largest ratio of a found gesture's length to the true one's.
    package var longestRatio = 2.0
    /// SHREC 2022: a found gesture covers at least this share of the true one.
    package var leastOverlap = 0.5
    /// Seconds by which an interval may miss the two rules above: label files round times to a tenth of a millisecond.
    package var roundingSlack = 1e-4
    /// By the lenient rule, a begin may be decided until this many seconds after the gesture's end.
    package var tolerance = 0.5

    package init() {}

    private enum CodingKeys: String, CodingKey {
        case calibrationBins = "calibration_bins"
        case confidenceThreshold = "confidence_threshold"
        case longestRatio = "longest_ratio"
        case leastOverlap = "least_overlap"
        case roundingSlack = "rounding_slack_s"
        case tolerance = "tolerance_s"
    }
}
