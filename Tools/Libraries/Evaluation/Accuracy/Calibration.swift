/// Frames whose confidences fall together: how many there are, how many are right, and how sure they are.
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

    /// Share of right frames less mean confidence, or nil of no frames. Negative: too sure.
    var gap: Double? {
        frames == 0 ? nil : (Double(right) - confidence) / Double(frames)
    }
}

/// Bins of equal width over 0...1: bin b holds what lies above b / n and not above (b + 1) / n; 0 is in the first.
///
/// The expected calibration error is the mean, over all frames, of the distance between share right and mean confidence
/// of their bin (Guo, Pleiss, Sun, Weinberger: On Calibration of Modern Neural Networks, 2017, equation 3).
struct CalibrationHistogram: Sendable {
    private(set) var bins: [CalibrationBin]

    /// - bins: taken as 1 when it is less.
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

    /// Nil of no frames.
    var expectedError: Double? {
        let frames = bins.reduce(0) { $0 + $1.frames }
        guard frames > 0 else { return nil }
        return bins.reduce(0) { $0 + abs(Double($1.right) - $1.confidence) } / Double(frames)
    }
}
