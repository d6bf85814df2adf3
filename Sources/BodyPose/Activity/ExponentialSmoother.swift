import Platform

/// An exponential moving average of points, independent of the frame rate.
///
/// The first points pass unchanged. A different number of points, or another person, starts it again. Of new points it
/// adopts the share `alpha` after a thirtieth of a second, and 1 - (1 - alpha)^(30 t) after t seconds.
public struct ExponentialSmoother: Sendable {
    private static let rate = 30.0

    private let keptLogarithm: Double
    private var points: [SIMD3<Float>] = []
    private var identity: Int?
    private var latest: Duration?

    /// - Parameter alpha: 0.001...1; 1 turns smoothing off. Other values are clamped to this range; NaN counts as 1.
    public init(alpha: Double = 0.35) {
        let alpha = alpha.isNaN ? 1 : min(max(alpha, 0.001), 1)
        keptLogarithm = alpha == 1 ? -.infinity : Math.logarithm(1 - alpha)
    }

    /// Replaces points, which must be finite, by their average. An empty span stays empty.
    /// - Parameters:
    ///   - identity: the person they belong to.
    ///   - time: the frame's time. If it is not later than the one before, nothing is adopted.
    public mutating func smooth(_ points: inout MutableSpan<SIMD3<Float>>, of identity: Int, at time: Duration) {
        smooth(&points, of: identity, at: time, passing: BodyJointSet())
    }

    /// The same, where the points in `passing` pass unchanged and start their average again.
    mutating func smooth(
        _ points: inout MutableSpan<SIMD3<Float>>, of identity: Int, at time: Duration, passing: BodyJointSet
    ) {
        let elapsed = latest.map { max(.zero, time - $0) / .seconds(1) } ?? 0
        latest = time
        guard self.points.count == points.count, self.identity == identity else {
            self.points.removeAll(keepingCapacity: true)
            for index in points.indices { self.points.append(points[index]) }
            self.identity = identity
            return
        }
        let adopted = elapsed > 0 ? Float(1 - Math.exponential(keptLogarithm * elapsed * Self.rate)) : 0
        for index in points.indices {
            if passing.contains(index) {
                self.points[index] = points[index]
            } else {
                self.points[index] += adopted * (points[index] - self.points[index])
                points[index] = self.points[index]
            }
        }
    }

    /// The next points pass unchanged.
    public mutating func reset() { identity = nil }
}
