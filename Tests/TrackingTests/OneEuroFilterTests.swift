import Platform
import TestSupport
import Testing
import Tracking
import Vocabulary

@Suite struct OneEuroFilterTests {
    /// Of two points.
    private typealias Filter = OneEuroFilter<(SIMD3<Float>, SIMD3<Float>)>

    private static let parameters = OneEuroParameters(minimumCutoff: 0.5, speedCoefficient: 20, speedCutoff: 1)

    @Test(arguments: [Float(1), 250]) func agreesWithRealNumbers(_ scale: Float) {
        var filter = Filter(Self.parameters)
        var references = (0..<6).map { _ in OneEuroReference(Self.parameters) }
        var random = SplitMix64(seed: 32)
        var time: Int64 = -3_000_000_000
        for step in 0..<200 {
            let elapsed = 5_000_000 + Int64(random.next(below: 60_000_000))
            time += elapsed
            var points = Filter.Points(repeating: .zero)
            for index in 0..<6 { points[index / 3][index % 3] = scale * Float(random.unit() - 0.5) }
            let raw = points
            filter.filter(&points, at: time, scale: scale)
            for index in 0..<6 {
                let expected = references[index].filter(
                    Double(raw[index / 3][index % 3]), elapsed: Double(elapsed) / 1e9, scale: Double(scale))
                #expect(abs(Double(points[index / 3][index % 3]) - expected) < 1e-5 * Double(scale), "step \(step)")
            }
        }
    }

    /// A sample whose time is not after the one before is passed on, and leaves no trace.
    @Test(arguments: [Int64(1_000), 999, .min]) func timeStandsStill(_ time: Int64) {
        var (filter, other) = (Filter(Self.parameters), Filter(Self.parameters))
        func filtered(_ filter: inout Filter, _ value: Float, at time: Int64) -> SIMD3<Float> {
            var points = Filter.Points(repeating: SIMD3(repeating: value))
            filter.filter(&points, at: time, scale: 1)
            return points[1]
        }
        #expect(filtered(&filter, 1, at: 1_000) == SIMD3(repeating: 1))
        #expect(filtered(&other, 1, at: 1_000) == SIMD3(repeating: 1))
        #expect(filtered(&filter, 9, at: time) == SIMD3(repeating: 9))
        let next = filtered(&filter, 2, at: 33_000_000)
        #expect(next == filtered(&other, 2, at: 33_000_000) && next.x < 2)
        // After a reset the first sample is adopted, whenever it comes.
        filter.reset()
        #expect(filtered(&filter, 5, at: 0) == SIMD3(repeating: 5))
    }

    /// A speed that overflows passes the sample on, and the filter starts again from it.
    @Test func restartsAfterAnOverflow() {
        var filter = Filter(Self.parameters)
        var points = Filter.Points(repeating: .zero)
        filter.filter(&points, at: 0, scale: 1)
        for value: Float in [3e38, -3e38] {
            points = Filter.Points(repeating: SIMD3(repeating: value))
            filter.filter(&points, at: value > 0 ? 1_000 : 2_000, scale: 1e-3)
            #expect(points[0] == SIMD3(repeating: value))
        }
        points = Filter.Points(repeating: SIMD3(repeating: 1))
        filter.filter(&points, at: 1_000_000_000, scale: 1)
        #expect(points[0].x.isFinite)
    }
}
