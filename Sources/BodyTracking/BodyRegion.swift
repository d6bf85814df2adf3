import Platform
public import Tracking

extension TrackedRegion {
    /// The region of a body; nil if it is not usable.
    ///
    /// As in MediaPipe: its centre is the middle of the hips, its side is 1.25 times the diameter of the circle that
    /// holds the whole body, and it is turned so that the point on the circle is above the hips.
    /// - Parameters:
    ///   - hips: middle of the hips, in pixels.
    ///   - edge: a point on the circle, in pixels.
    package init?(hips: SIMD2<Double>, edge: SIMD2<Double>, frame: FrameSize) {
        let direction = edge - hips
        let radius = (direction * direction).sum().squareRoot()
        self.init(
            centerX: hips.x, centerY: hips.y, side: 2 * 1.25 * radius, rotation: Self.rotation(pointing: direction))
        guard isUsable(in: frame) else { return nil }
    }

    /// The region of a body that the detector found in the square around a frame; nil if it is not usable.
    package init?(body: BoxDetection, frame: FrameSize) {
        let whole = TrackedRegion(around: frame)
        self.init(hips: whole.place(body.keyPoints[0]), edge: whole.place(body.keyPoints[1]), frame: frame)
    }

    /// Distance between the middles of two regions, in radii of the larger body.
    func separation(_ other: TrackedRegion) -> Double {
        let offset = SIMD2(centerX - other.centerX, centerY - other.centerY)
        return (offset * offset).sum().squareRoot() / (max(side, other.side) / 2.5)
    }
}

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

extension TrackedBody {
    /// Where the hands are, by the body's points: square regions in pixels of the upright frame.
    ///
    /// Each holds a hand with a margin and is turned as the hand points. They help a hand tracker, which misses hands
    /// that are small in the frame.
    ///
    /// As in MediaPipe's holistic graph: the middle finger's knuckle lies a third of the way from the index finger's to
    /// the little finger's. The centre is that knuckle, moved a tenth of the side away from the wrist; the side is 5.4
    /// times the distance from wrist to knuckle. That distance is foreshortened when the hand points at the camera, so
    /// it counts as at least 0.4 of the forearm.
    /// - Parameters:
    ///   - width: width of the upright frame, in pixels.
    ///   - height: height of the upright frame, in pixels.
    /// - Returns: the person's own left and right hand; nil where the wrist is not visible or the region is not usable,
    ///   and while the body is held.
    public func handRegions(width: Int, height: Int) -> (left: TrackedRegion?, right: TrackedRegion?) {
        handRegions(FrameSize(width: width, height: height))
    }

    package func handRegions(_ frame: FrameSize) -> (left: TrackedRegion?, right: TrackedRegion?) {
        (
            handRegion(.leftElbow, .leftWrist, .leftIndex, .leftPinky, frame),
            handRegion(.rightElbow, .rightWrist, .rightIndex, .rightPinky, frame)
        )
    }

    /// Minimum visibility of a wrist, as in MediaPipe's graph.
    private static let minimumVisibility: Float = 0.1
    private static let shareOfForearm = 0.4

    private func handRegion(
        _ elbow: Joint, _ wrist: Joint, _ index: Joint, _ pinky: Joint, _ frame: FrameSize
    ) -> TrackedRegion? {
        guard state == .seen, visibility[wrist] > Self.minimumVisibility, landmarks.isFinite else { return nil }
        func place(_ joint: Joint) -> SIMD2<Double> {
            SIMD2(Double(landmarks[joint].x) * frame.width, Double(landmarks[joint].y) * frame.height)
        }
        let knuckle = (2 * place(index) + place(pinky)) / 3
        let hand = knuckle - place(wrist)
        let forearm = place(wrist) - place(elbow)
        func length(_ way: SIMD2<Double>) -> Double { (way * way).sum().squareRoot() }
        let side = 5.4 * max(length(hand), Self.shareOfForearm * length(forearm))
        let rotation = TrackedRegion.rotation(pointing: hand)
        let center = knuckle - 0.1 * side * TrackedRegion.axes(rotation).down
        let region = TrackedRegion(centerX: center.x, centerY: center.y, side: side, rotation: rotation)
        return region.isUsable(in: frame) ? region : nil
    }
}
