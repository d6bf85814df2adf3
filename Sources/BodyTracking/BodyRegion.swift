import Platform
package import Tracking

extension TrackedRegion {
    /// The region of a body; nil where the numbers make none.
    ///
    /// As MediaPipe: about the middle of the hips, 1.25 times the circle that holds the whole body, turned so that the point on
    /// the circle is above the hips.
    /// - Parameters:
    ///   - hips: middle of the hips, in pixels.
    ///   - edge: a point on the circle.
    package init?(hips: SIMD2<Double>, edge: SIMD2<Double>, frame: FrameSize) {
        let direction = edge - hips
        let radius = (direction * direction).sum().squareRoot()
        self.init(
            centerX: hips.x, centerY: hips.y, side: 2 * 1.25 * radius, rotation: Self.rotation(pointing: direction))
        guard isUsable(in: frame) else { return nil }
    }

    /// The region of a body that the detector found in the square around a frame; nil where the numbers make none.
    package init?(body: BoxDetection, frame: FrameSize) {
        let whole = TrackedRegion(around: frame)
        self.init(hips: whole.place(body.keyPoints[0]), edge: whole.place(body.keyPoints[1]), frame: frame)
    }

    /// How far the middles of two regions are apart, in radii of the larger body.
    func separation(_ other: TrackedRegion) -> Double {
        let offset = SIMD2(centerX - other.centerX, centerY - other.centerY)
        return (offset * offset).sum().squareRoot() / (max(side, other.side) / 2.5)
    }
}
