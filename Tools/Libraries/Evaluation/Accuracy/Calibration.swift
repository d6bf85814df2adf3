/// Frames with similar confidences: their number, the number of correct ones, and their confidence.
struct CalibrationBin: Sendable {
    var frames = 0
    var right = 0
    var confidence = 0.0

    mutating func add(_ confidence: Float, isRight: Bool) {
        frames += 1
        right += isRight ? 1 : 0
        self.confidence += Double(confidence)
    }

    static func += (bin: inout Self, other: Self) {
        bin.frames += other.frames
        bin.right += other.right
        bin.confidence += other.confidence
    }

    /// Share of correct frames minus mean confidence; nil without frames. Negative means overconfident.
    var gap: Double? {
        frames == 0 ? nil : (Double(right) - confidence) / Double(frames)
    }
}

/// Bins of equal width over 0...1: bin b holds values above b / n and up to (b + 1) / n; 0 is in the first.
///
/// The expected calibration error is the mean, over all frames, of the distance between the share of correct frames and
/// the mean confidence of their bin (Guo, Pleiss, Sun, Weinberger: On Calibration of Modern Neural Networks, 2017,
/// equation 3).
struct CalibrationHistogram: Sendable {
    private(set) var bins: [CalibrationBin]

    /// - bins: at least 1; smaller numbers count as 1.
    init(bins: Int) { self.bins = Array(repeating: CalibrationBin(), count: max(1, bins)) }

    /// Whether a confidence can be counted.
    static func isValid(_ confidence: Float) -> Bool { confidence >= 0 && confidence <= 1 }

    /// Requires a valid confidence.
    mutating func add(_ confidence: Float, isRight: Bool) {
        let place = Int((Double(confidence) * Double(bins.count)).rounded(.up)) - 1
        bins[min(bins.count - 1, max(0, place))].add(confidence, isRight: isRight)
    }

    static func += (histogram: inout Self, other: Self) {
        for index in histogram.bins.indices { histogram.bins[index] += other.bins[index] }
    }

    /// Nil without frames.
    var expectedError: Double? {
        let frames = bins.reduce(0) { $0 + $1.frames }
        guard frames > 0 else { return nil }
        return bins.reduce(0) { $0 + abs(Double($1.right) - $1.confidence) } / Double(frames)
    }
}
