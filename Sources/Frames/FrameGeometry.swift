extension PixelView {
    /// How a region of any shape becomes the pixel network's square image, and how a frame fills a view.
    public enum CropMode: Codable, Sendable, Hashable {
        /// Both sides are scaled to 224 by their own factor; nothing is cut and the aspect ratio is not kept.
        case stretch
        /// The longer side is scaled to 224 and the shorter by the same factor. The rest is black, equally
        /// at both ends (the second end has the odd pixel).
        case fit
        /// The largest centred square of the region is scaled to 224; the rest is cut off.
        case fill
    }
}

/// How a frame is stored, by the positions of its top and left side: the eight EXIF values.
public enum ImageOrientation: Int, Codable, Sendable, Hashable, CaseIterable {
    /// 1: stored upright.
    case up = 1
    /// 2: flipped horizontally.
    case upMirrored
    /// 3: turned by 180 degrees.
    case down
    /// 4: flipped vertically.
    case downMirrored
    /// 5: transposed.
    case leftMirrored
    /// 6: to be turned by 90 degrees clockwise. The first stored row is the right side.
    case right
    /// 7: transposed along the other diagonal.
    case rightMirrored
    /// 8: to be turned by 90 degrees counterclockwise. The first stored row is the left side.
    case left
}

/// The transform from the stored region to the upright 224 x 224 image.
///
/// It consists of, in this order: region of interest (in stored pixels), orientation, mirror, crop mode. The mirror is
/// that of a front camera's preview: it swaps left and right of the upright frame, whatever the orientation.
package struct FrameGeometry: Codable, Sendable, Hashable {
    /// Width and height of the square image.
    package static let side = 224
    /// The luma of the parts that `PixelView.CropMode.fit` leaves empty: black, like the network's own zero
    /// padding, so that for every layer the image simply ends.
    package static let padding: UInt8 = 0

    /// How the region becomes the square image.
    package var crop: PixelView.CropMode
    /// How the frame is stored.
    package var orientation: ImageOrientation
    /// Whether the upright frame is flipped horizontally.
    package var mirrored: Bool
    /// Whether an output pixel is the mean of all stored pixels that it covers, where a side shrinks to less than half.
    /// Otherwise it is interpolated from the four nearest to its middle. That is faster for large frames, but fine
    /// detail becomes noise that no training clip has.
    package var antialiased: Bool

    /// By default stretched, upright, not mirrored and antialiased.
    package init(
        crop: PixelView.CropMode = .stretch, orientation: ImageOrientation = .up, mirrored: Bool = false,
        antialiased: Bool = true
    ) {
        self.crop = crop
        self.orientation = orientation
        self.mirrored = mirrored
        self.antialiased = antialiased
    }
}
