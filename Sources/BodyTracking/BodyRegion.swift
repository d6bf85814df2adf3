import Platform
package import Tracking

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
