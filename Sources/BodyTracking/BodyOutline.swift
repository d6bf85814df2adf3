import Tracking

/// A body's rough position in pixels: the box around its points, and their mean, weighted by visibility.
struct BodyOutline {
    private let minimum: SIMD2<Float>
    private let maximum: SIMD2<Float>
    private let middle: SIMD2<Float>

    /// Largest distance between the middles of one person, in sides of the larger box.
    private static let distanceLimit: Float = 0.15

    init(_ body: TrackedBody, _ frame: FrameSize) {
        let sides = SIMD2(Float(frame.width), Float(frame.height))
        var (minimum, maximum) = (SIMD2<Float>(repeating: .infinity), SIMD2<Float>(repeating: -.infinity))
        var (sum, total) = (SIMD2<Float>.zero, Float(0))
        for index in 0..<TrackedBody.Points.count {
            let point = SIMD2(body.landmarks[index].x, body.landmarks[index].y) * sides
            minimum = pointwiseMin(minimum, point)
            maximum = pointwiseMax(maximum, point)
            // Never zero, even where nothing is visible.
            let weight = body.visibility[index] + 1e-3
            sum += weight * point
            total += weight
        }
        self.minimum = minimum
        self.maximum = maximum
        middle = sum / total
    }

    /// Whether two bodies of a frame are one person.
    func isSame(as other: BodyOutline, overlap: Double) -> Bool {
        let shared = pointwiseMin(maximum, other.maximum) - pointwiseMax(minimum, other.minimum)
        guard shared.x > 0, shared.y > 0 else { return false }
        let (size, otherSize) = (maximum - minimum, other.maximum - other.minimum)
        let area = shared.x * shared.y
        let union = size.x * size.y + otherSize.x * otherSize.y - area
        let distance = middle - other.middle
        let side = max(size.max(), otherSize.max())
        return Double(area) > overlap * Double(union)
            && (distance * distance).sum().squareRoot() < Self.distanceLimit * side
    }
}
