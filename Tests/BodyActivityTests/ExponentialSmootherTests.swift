import BodyPose
import Foundation
import Testing

/// The moving average adopts the same share in the same time at every frame rate.
@Suite struct ExponentialSmootherTests {
    private typealias Point = SIMD3<Float>

    private func smooth(
        _ smoother: inout ExponentialSmoother, _ points: [SIMD3<Float>], of identity: Int = 0, at seconds: Double
    ) -> [SIMD3<Float>] {
        var points = points
        var span = points.mutableSpan
        smoother.smooth(&span, of: identity, at: .nanoseconds(Int64((seconds * 1e9).rounded())))
        return points
    }

    /// After n steps of 1/30 s, 0.65 to the power of n of a jump is left.
    @Test func closedFormAtThirtyHertz() {
        var smoother = ExponentialSmoother()
        #expect(smooth(&smoother, [Point(0, 1, -2)], at: 0) == [Point(0, 1, -2)])
        for step in 1...20 {
            let found = smooth(&smoother, [Point(1, -1, 2)], at: Double(step) / 30)[0]
            let left = Float(pow(0.65, Double(step)))
            #expect(found.isNear(Point(1 - left, -1 + 2 * left, 2 - 4 * left), within: 2e-6), "step \(step): \(found)")
        }
    }

    @Test(arguments: [0.05, 0.35, 0.9]) func theRateDoesNotMatter(_ alpha: Double) {
        for seconds in [0.1, 0.5, 1] {
            let reached = [10.0, 30, 120].map { rate in
                var smoother = ExponentialSmoother(alpha: alpha)
                var found = smooth(&smoother, [.zero], at: 0)
                for frame in 1...Int((seconds * rate).rounded()) {
                    found = smooth(&smoother, [Point(repeating: 1)], at: Double(frame) / rate)
                }
                return found[0].x
            }
            let expected = Float(1 - pow(1 - alpha, 30 * seconds))
            for (rate, value) in zip([10, 30, 120], reached) {
                #expect(abs(value - expected) < 1e-5, "\(rate) Hz, alpha \(alpha), \(seconds) s: \(value), \(expected)")
            }
        }
    }

    @Test func theFirstPointsPass() {
        var smoother = ExponentialSmoother()
        let points = [Point(1, 2, 3), Point(-4, 5, 6)]
        #expect(smooth(&smoother, points, at: 7) == points)
        smoother.reset()
        #expect(smooth(&smoother, [.zero, .zero], at: 7.1) == [.zero, .zero])
    }

    @Test func anotherNumberOfPointsBeginsAnew() {
        var smoother = ExponentialSmoother()
        for count in [0, 3, 0, 2, 33, 1] {
            let far = [Point](repeating: Point(repeating: Float(count)), count: count)
            #expect(smooth(&smoother, far, at: Double(count)) == far, "\(count) points")
            // And that is remembered: the next of as many are averaged.
            let next = smooth(&smoother, [Point](repeating: .zero, count: count), at: Double(count) + 1 / 30.0)
            #expect(next.allSatisfy { abs($0.x - 0.65 * Float(count)) < 1e-5 }, "\(count) points: \(next)")
        }
    }

    @Test func anotherPersonBeginsAnew() {
        var smoother = ExponentialSmoother()
        _ = smooth(&smoother, [.zero], of: 4, at: 0)
        #expect(smooth(&smoother, [Point(1, 1, 1)], of: 5, at: 1 / 30.0) == [Point(1, 1, 1)])
        #expect(smooth(&smoother, [Point(9, 9, 9)], of: 4, at: 2 / 30.0) == [Point(9, 9, 9)])
    }

    /// 1 lets everything pass; others are clamped to 0.001...1, and NaN counts as 1.
    @Test(arguments: [
        (1.0, 1.0), (1.5, 1), (.infinity, 1), (.nan, 1), (-.nan, 1), (0, 0.001), (-1, 0.001), (1e-9, 0.001),
        (-.infinity, 0.001),
    ]) func alphaIsClamped(_ alpha: Double, _ clamped: Double) {
        var (smoother, other) = (ExponentialSmoother(alpha: alpha), ExponentialSmoother(alpha: clamped))
        for frame in 0..<5 {
            let points = [Point(Float(frame), 0, -Float(frame))]
            let found = smooth(&smoother, points, at: Double(frame) / 30)
            #expect(found == (clamped == 1 ? points : smooth(&other, points, at: Double(frame) / 30)), "frame \(frame)")
        }
    }

    /// Neither does a long gap overshoot.
    @Test func timeThatDoesNotGoOnAdoptsNothing() {
        var smoother = ExponentialSmoother()
        _ = smooth(&smoother, [.zero], at: 5)
        for time in [5, 4.9, -3, -3.0] {
            #expect(smooth(&smoother, [Point(1, 1, 1)], at: time) == [.zero], "\(time) s")
        }
        #expect(smooth(&smoother, [Point(1, 1, 1)], at: 1e9) == [Point(1, 1, 1)])
    }
}
