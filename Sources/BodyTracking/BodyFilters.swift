import Platform
import Tracking

/// Smooths one body's points from frame to frame.
///
/// The two points that carry the region are always filtered, and more strongly than the others, so that the network's
/// image of a person at rest does not tremble.
struct BodyFilters: Sendable {
    /// Filter of the points that carry the region, as in MediaPipe's graph.
    private static let regionParameters = OneEuroParameters(minimumCutoff: 0.01, speedCoefficient: 10, speedCutoff: 1)

    private var region = OneEuroFilter<SIMD8<Float>>(Self.regionParameters)
    private var landmarks: OneEuroFilter<TrackedBody.Points.Storage>?
    private var worldLandmarks: OneEuroFilter<TrackedBody.Points.Storage>?
    private let adopted: Float
    private var visibility: TrackedBody.Scores?

    init(_ smoothing: BodyTrackingConfiguration.Smoothing?) {
        landmarks = smoothing.map { OneEuroFilter($0.landmarks) }
        worldLandmarks = smoothing.map { OneEuroFilter($0.worldLandmarks) }
        adopted = smoothing?.visibility ?? 1
    }

    /// - Parameter found: finite landmarks; replaced by smoothed ones.
    mutating func filter(_ found: inout BodyLandmarks, at time: Int64, _ size: FrameSize) {
        // Shares of the width for both axes, so that speeds in all directions compare.
        let aspect = SIMD3<Float>(1, Float(size.height / size.width), 1)
        let flat = SIMD2(aspect.x, aspect.y)
        let offset = (found.edge - found.hips) * flat
        // The circle's diameter, which may be zero.
        let scale = max(2 * (offset * offset).sum().squareRoot(), 1e-6)

        var carriers = FixedArray<SIMD8<Float>, SIMD3<Float>>(repeating: .zero)
        carriers[0] = SIMD3(found.hips * flat, 0)
        carriers[1] = SIMD3(found.edge * flat, 0)
        region.filter(&carriers, at: time, scale: scale)
        found.hips = SIMD2(carriers[0].x, carriers[0].y) / flat
        found.edge = SIMD2(carriers[1].x, carriers[1].y) / flat

        found.points.scale(by: aspect)
        landmarks?.filter(&found.points.points, at: time, scale: scale)
        found.points.scale(by: 1 / aspect)
        worldLandmarks?.filter(&found.worldPoints.points, at: time, scale: 1)
        if var visibility {
            for index in 0..<TrackedBody.Points.count {
                visibility[index] += adopted * (found.visibility[index] - visibility[index])
            }
            found.visibility = visibility
        }
        visibility = found.visibility
    }
}
