extension FrameGeometry {
    /// How a region of any shape becomes the square image.
    public enum CropMode: Codable, Sendable, Hashable {
        /// Both sides are scaled to 224 by their own factor; nothing is cut and the aspect ratio is not kept.
        case stretch
        /// The longer side is scaled to 224 and the shorter by the same factor. The rest is `FrameGeometry.padding`,
        /// equally at both ends (the second end has the odd pixel).
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
public struct FrameGeometry: Codable, Sendable, Hashable {
    /// The luma of the parts that `FrameGeometry.CropMode.fit` leaves empty: black, like the network's own zero
    /// padding, so that for every layer the image simply ends.
    public static let padding: UInt8 = 0

    /// How the region becomes the square image.
    public var crop: FrameGeometry.CropMode
    /// How the frame is stored.
    public var orientation: ImageOrientation
    /// Whether the upright frame is flipped horizontally.
    public var mirrored: Bool
    /// Whether an output pixel is the mean of all stored pixels that it covers, where a side shrinks to less than half.
    /// Otherwise it is interpolated from the four nearest to its middle. That is faster for large frames, but fine
    /// detail becomes noise that no training clip has.
    public var antialiased: Bool

    /// By default stretched, upright, not mirrored and antialiased.
    public init(
        crop: FrameGeometry.CropMode = .stretch, orientation: ImageOrientation = .up, mirrored: Bool = false,
        antialiased: Bool = true
    ) {
        self.crop = crop
        self.orientation = orientation
        self.mirrored = mirrored
        self.antialiased = antialiased
    }
}

/// Orientation and mirror combined: the upright axes in terms of the stored ones.
struct AxisMap: Equatable {
    /// Whether down in the upright frame is along stored rows.
    var transposed: Bool
    /// Whether stored rows are read from their last pixel to their first.
    var reversesX: Bool
    /// Whether stored rows are read from the last to the first.
    var reversesY: Bool

    init(_ geometry: FrameGeometry) {
        switch geometry.orientation {
        case .up: (transposed, reversesX, reversesY) = (false, false, false)
        case .upMirrored: (transposed, reversesX, reversesY) = (false, true, false)
        case .down: (transposed, reversesX, reversesY) = (false, true, true)
        case .downMirrored: (transposed, reversesX, reversesY) = (false, false, true)
        case .leftMirrored: (transposed, reversesX, reversesY) = (true, false, false)
        case .right: (transposed, reversesX, reversesY) = (true, false, true)
        case .rightMirrored: (transposed, reversesX, reversesY) = (true, true, true)
        case .left: (transposed, reversesX, reversesY) = (true, true, false)
        }
        guard geometry.mirrored else { return }
        if transposed {
            reversesY.toggle()
        } else {
            reversesX.toggle()
        }
    }
}

/// Which stored pixels become which of the 224 x 224 pixels, in whole pixels.
struct Placement: Equatable {
    /// The part of the stored frame that is sampled.
    var source: PixelView.Region
    /// Size and position of the content in the image; the rest is padding.
    var width: Int
    var height: Int
    var x: Int
    var y: Int

    init(_ region: PixelView.Region, crop: FrameGeometry.CropMode, transposed: Bool) {
        let side = Preprocessor.side
        source = region
        (width, height, x, y) = (side, side, 0, 0)
        switch crop {
        case .stretch:
            break
        case .fill:
            let square = min(region.width, region.height)
            source.x += (region.width - square) / 2
            source.y += (region.height - square) / 2
            (source.width, source.height) = (square, square)
        case .fit:
            let upright = transposed ? (region.height, region.width) : (region.width, region.height)
            let longer = max(upright.0, upright.1)
            width = max(1, (2 * side * upright.0 + longer) / (2 * longer))
            height = max(1, (2 * side * upright.1 + longer) / (2 * longer))
            (x, y) = ((side - width) / 2, (side - height) / 2)
        }
    }
}

/// The content of an image as output lines, which run in the direction of the stored rows, as the kernels do.
struct LineLayout {
    /// Number of lines: the content's height, or its width if the orientation transposes.
    var count: Int
    /// Pixels in a line.
    var pixelCount: Int
    /// Whether lines are vertical in the image.
    var isTransposed: Bool
    private let reversesX: Bool
    private let reversesY: Bool

    init(_ placement: Placement, _ axes: AxisMap) {
        count = axes.transposed ? placement.width : placement.height
        pixelCount = axes.transposed ? placement.height : placement.width
        isTransposed = axes.transposed
        reversesX = axes.reversesX
        reversesY = axes.reversesY
    }

    /// A line's index in the order of the stored rows.
    func row(_ line: Int) -> Int { reversesY ? count - 1 - line : line }

    /// A pixel's index within its line, in the order of the stored pixels.
    func x(_ pixel: Int) -> Int { reversesX ? pixelCount - 1 - pixel : pixel }
}
