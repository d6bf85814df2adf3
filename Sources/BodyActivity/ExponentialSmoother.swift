import Platform

/// An exponential moving average of points, whatever the frame rate.
///
/// The first points pass as they are. Another number of points, or another person, begins anew. Of new points the share `alpha` is
/// adopted a thirtieth of a second after those before, and 1 - (1 - alpha)^(30 t) after t seconds.
public struct ExponentialSmoother: Sendable {
    private static let rate = 30.0

    private let keptLogarithm: Double
    private var points: [SIMD3<Float>] = []
    private var identity: Int?
    private var latest: Duration?

    /// - Parameter alpha: above 0...1; 1 lets everything pass. What is not is taken as the nearer end, not a number as 1.
    public init(alpha: Double = 0.35) {
        let alpha = alpha.isNaN ? 1 : min(max(alpha, 0.001), 1)
        keptLogarithm = alpha == 1 ? -.infinity : Math.logarithm(1 - alpha)
    }

    /// Replaces points by their average; finite numbers. No points stay none.
    /// - Parameters:
    ///   - identity: of the person they belong to.
    ///   - time: of the frame; one that is not after the time before adopts nothing.
    public mutating func smooth(_ points: inout MutableSpan<SIMD3<Float>>, of identity: Int, at time: Duration) {
        smooth(&points, of: identity, at: time, passing: BodyJointSet())
    }

    /// The same, where some points pass as they are and begin anew.
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

    /// The next points are the first.
    public mutating func reset() { identity = nil }
}
