package import Frames

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
