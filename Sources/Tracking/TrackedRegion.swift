package import Frames
import Platform

/// A square of a frame, turned so that its object points up in it: what a network sees. In pixels of the upright frame
/// from its top left, so that frames of any shape are treated alike.
public struct TrackedRegion: Sendable, Hashable {
    /// Middle of the square.
    public var centerX: Double
    /// Middle of the square.
    public var centerY: Double
    /// Length of a side, above 0.
    public var side: Double
    /// The direction of the square's own right, in radians, clockwise in the frame. 0 is upright.
    public var rotation: Double

    /// Creates a square.
    public init(centerX: Double, centerY: Double, side: Double, rotation: Double = 0) {
        self.centerX = centerX
        self.centerY = centerY
        self.side = side
        self.rotation = rotation
    }

    /// The square around a whole frame: as large as the longer side, with a margin along the shorter one. MediaPipe
    /// calls it a letterbox.
    package init(around frame: FrameSize) {
        self.init(
            centerX: frame.width / 2, centerY: frame.height / 2, side: max(frame.width, frame.height))
    }

    /// Whether a crop of it can show something of a frame: all numbers finite, a side of at least a pixel and at most
    /// four frames, and not entirely outside.
    package func isUsable(in frame: FrameSize) -> Bool {
        guard rotation.isFinite, side >= 1, side <= 4 * max(frame.width, frame.height) else { return false }
        // The reach of any corner at any rotation.
        let reach = side * 0.5.squareRoot()
        return (-reach..<(frame.width + reach)).contains(centerX)
            && (-reach..<(frame.height + reach)).contains(centerY)
    }

    /// The angle by which an object that points in a direction is turned from pointing up, -pi..<pi.
    package static func rotation(pointing direction: SIMD2<Double>) -> Double {
        let angle = .pi / 2 - Math.atan2(y: -direction.y, x: direction.x)
        return angle - 2 * .pi * ((angle + .pi) / (2 * .pi)).rounded(.down)
    }

    /// Unit vectors of the square's own axes.
    package static func axes(_ rotation: Double) -> (right: SIMD2<Double>, down: SIMD2<Double>) {
        let (sine, cosine) = (Math.sine(rotation), Math.cosine(rotation))
        return (SIMD2(cosine, sine), SIMD2(-sine, cosine))
    }

    /// Unit vectors of the square's own axes, in pixels of the frame.
    package var axes: (right: SIMD2<Double>, down: SIMD2<Double>) { Self.axes(rotation) }

    /// Top left corner of the square as it is turned.
    package var corner: SIMD2<Double> { place(SIMD2<Float>.zero) }

    /// The position in the frame, in pixels, of a point that is normalised to the square.
    package func place(_ point: SIMD2<Float>) -> SIMD2<Double> {
        let (right, down) = axes
        let offset = side * (SIMD2(Double(point.x), Double(point.y)) - 0.5)
        return SIMD2(centerX, centerY) + offset.x * right + offset.y * down
    }

    /// Intersection over union of two squares as if neither were turned, as in MediaPipe's association. 0...1.
    package func overlap(_ other: TrackedRegion) -> Double {
        let width = shared(centerX, other.centerX, other)
        let height = shared(centerY, other.centerY, other)
        guard width > 0, height > 0 else { return 0 }
        return width * height / (side * side + other.side * other.side - width * height)
    }

    private func shared(_ center: Double, _ otherCenter: Double, _ other: TrackedRegion) -> Double {
        min(center + side / 2, otherCenter + other.side / 2) - max(center - side / 2, otherCenter - other.side / 2)
    }
}

/// Sides of the upright frame, in pixels, as floats.
package struct FrameSize: Sendable, Equatable {
    package var width: Double
    package var height: Double

    package init(width: Int, height: Int) {
        self.width = Double(width)
        self.height = Double(height)
    }

    /// The region of a frame that is used, upright.
    package init(_ region: PixelView.Region, _ orientation: ImageOrientation) {
        switch orientation {
        case .up, .upMirrored, .down, .downMirrored: self.init(width: region.width, height: region.height)
        case .left, .leftMirrored, .right, .rightMirrored: self.init(width: region.height, height: region.width)
        }
    }
}
