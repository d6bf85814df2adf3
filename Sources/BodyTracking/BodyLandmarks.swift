import Platform
package import Tracking

/// The landmark network's outputs for one region, refined by its heat maps, in coordinates of the frame.
///
/// The network gives 39 points: 33 of the body, two that carry the region of the next frame, and four unused ones. A
/// point is refined if some cell of the 7 x 7 around it in its heat map is at least 0.5: it moves to the mean of those
/// cells, weighted by their values, as in MediaPipe's `RefineLandmarksFromHeatmapCalculator`.
package struct BodyLandmarks {
    /// Number of points that the network gives.
    package static let count = 39
    /// Numbers for each point.
    package static let numbersPerPoint = 5
    /// Side of a heat map, in cells.
    package static let mapSide = 64

    var points = TrackedBody.Points()
    var visibility = TrackedBody.Scores()
    var pointPresence = TrackedBody.Scores()
    var worldPoints = TrackedBody.Points()
    /// The middle of the hips and, below, a point on the circle around the body: x and y normalised to the frame, 0...1.
    var hips = SIMD2<Float>.zero
    var edge = SIMD2<Float>.zero

    private static let kernelReach = 3
    private static let minimumConfidence: Float = 0.5

    /// - Parameters:
    ///   - landmarks: for each of 39 points x, y and z in pixels of the image, and two logits.
    ///   - heatmaps: `mapSide` rows of `mapSide` cells of 39 logits.
    ///   - worldLandmarks: x, y and z of 39 points.
    ///   - side: side of the image that the network read.
    ///   - region: the part of the frame that the image shows.
    package init(
        _ landmarks: Span<Float>, heatmaps: Span<Float>, worldLandmarks: Span<Float>, side: Int, region: TrackedRegion,
        frame: FrameSize
    ) {
        precondition(
            landmarks.count == Self.count * Self.numbersPerPoint && worldLandmarks.count == Self.count * 3
                && heatmaps.count == Self.mapSide * Self.mapSide * Self.count)
        let (right, down) = region.axes
        let (width, height) = (Float(frame.width), Float(frame.height))
        let scale = Float(region.side)
        let across = SIMD2(Float(right.x) / width, Float(right.y) / height) * scale
        let along = SIMD2(Float(down.x) / width, Float(down.y) / height) * scale
        let center = SIMD2(Float(region.centerX) / width, Float(region.centerY) / height)
        func place(_ index: Int) -> SIMD3<Float> {
            let first = index * Self.numbersPerPoint
            let raw = SIMD3(landmarks[first], landmarks[first + 1], landmarks[first + 2]) / Float(side)
            let refined = Self.refine(SIMD2(raw.x, raw.y), index, heatmaps)
            return SIMD3(
                center + (refined.x - 0.5) * across + (refined.y - 0.5) * along, scale * raw.z / width)
        }
        let (turnedX, turnedY) = (SIMD2<Float>(right), SIMD2<Float>(down))
        points.points.withMutableSpan { points in
            for index in points.indices { points[index] = place(index) }
        }
        worldPoints.points.withMutableSpan { points in
            for index in points.indices {
                points[index] = SIMD3(
                    worldLandmarks[3 * index] * turnedX + worldLandmarks[3 * index + 1] * turnedY,
                    worldLandmarks[3 * index + 2])
            }
        }
        visibility.scores.withMutableSpan { scores in
            for index in scores.indices {
                scores[index] = Self.logistic(landmarks[index * Self.numbersPerPoint + 3])
            }
        }
        pointPresence.scores.withMutableSpan { scores in
            for index in scores.indices {
                scores[index] = Self.logistic(landmarks[index * Self.numbersPerPoint + 4])
            }
        }
        let (hips, edge) = (place(TrackedBody.Points.count), place(TrackedBody.Points.count + 1))
        self.hips = SIMD2(hips.x, hips.y)
        self.edge = SIMD2(edge.x, edge.y)
    }

    /// Whether all numbers are finite.
    var isFinite: Bool {
        var sum = (hips + edge) * 0
        for index in 0..<TrackedBody.Points.count { sum += SIMD2(visibility[index], pointPresence[index]) * 0 }
        return sum == .zero && points.isFinite && worldPoints.isFinite
    }

    static func logistic(_ logit: Float) -> Float { 1 / (1 + Math.exponential(-logit)) }

    /// A point normalised to the image, 0...1, refined by its heat map.
    private static func refine(_ point: SIMD2<Float>, _ index: Int, _ heatmaps: Span<Float>) -> SIMD2<Float> {
        let place = point * Float(mapSide)
        // NaN is outside the range.
        guard (0..<Float(mapSide)).contains(place.x), (0..<Float(mapSide)).contains(place.y) else { return point }
        let (column, row) = (Int(place.x), Int(place.y))
        var (sum, best, weighted) = (Float(0), Float(0), SIMD2<Float>.zero)
        for y in max(0, row - kernelReach)...min(mapSide - 1, row + kernelReach) {
            for x in max(0, column - kernelReach)...min(mapSide - 1, column + kernelReach) {
                let confidence = logistic(heatmaps[(y * mapSide + x) * count + index])
                sum += confidence
                best = max(best, confidence)
                weighted += confidence * SIMD2(Float(x), Float(y))
            }
        }
        // A NaN fails the comparison.
        guard best >= minimumConfidence, sum > 0 else { return point }
        return weighted / (Float(mapSide) * sum)
    }
}

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
        // Normalised by the width on both axes, so that speeds in all directions compare.
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
