/// The one-euro filters of the 21 points of a hand.
///
/// With t since the sample before, alpha(c) = 1 / (1 + 1 / (2 pi c t)) and `scale` the unit of speed:
///
///     speed += alpha(speedCutoff) * (|x - x before|, signed, / scale / t - speed)
///     out += alpha(minimumCutoff + speedCoefficient * |speed|) * (x - out)
///
/// where x before is unfiltered, as in MediaPipe. The first sample is passed on as it is. So is one whose time is not after that of
/// the one before, which changes nothing.
struct OneEuroFilter: Sendable {
    private let minimumCutoff: Float
    private let speedCoefficient: Float
    private let speedCutoff: Float
    private var time: Int64?
    private var raw = TrackedHand.Points()
    private var filtered = TrackedHand.Points()
    private var speed = TrackedHand.Points()

    init(_ configuration: HandTrackingConfiguration.Smoothing.Filter) {
        minimumCutoff = Float(configuration.minimumCutoff)
        speedCoefficient = Float(configuration.speedCoefficient)
        speedCutoff = Float(configuration.speedCutoff)
    }

    /// Forgets all samples.
    mutating func reset() { time = nil }

    /// Filters a sample of finite numbers.
    /// - Parameters:
    ///   - points: replaced by the filtered ones.
    ///   - time: nanoseconds.
    ///   - scale: the unit of speed, in the units of the points; above 0.
    mutating func filter(_ points: inout TrackedHand.Points, at time: Int64, scale: Float) {
        guard let before = self.time else {
            self.time = time
            (raw, filtered, speed) = (points, points, TrackedHand.Points())
            return
        }
        guard time > before else { return }
        self.time = time
        // As real numbers: the difference of any two times is one.
        let elapsed = Float((Double(time) - Double(before)) / 1e9)
        let speedShare = Self.share(SIMD3(repeating: speedCutoff), elapsed)
        for index in 0..<TrackedHand.Points.count {
            let new = points[index]
            let momentary = (new - raw[index]) / (scale * elapsed)
            speed[index] += speedShare * (momentary - speed[index])
            let magnitude = speed[index].replacing(with: -speed[index], where: speed[index] .< 0)
            let share = Self.share(minimumCutoff + speedCoefficient * magnitude, elapsed)
            filtered[index] += share * (new - filtered[index])
            raw[index] = new
            points[index] = filtered[index]
        }
        // Numbers so large that they overflowed here would stay for ever.
        if !points.isFinite || !speed.isFinite {
            points = raw
            (filtered, speed) = (raw, TrackedHand.Points())
        }
    }

    /// What a low-pass filter adopts of a new value.
    private static func share(_ cutoff: SIMD3<Float>, _ elapsed: Float) -> SIMD3<Float> {
        1 / (1 + 1 / (2 * .pi * elapsed * cutoff))
    }
}
