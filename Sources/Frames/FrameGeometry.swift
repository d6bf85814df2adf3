extension FrameGeometry {
    /// How a region of any shape becomes a square.
    public enum CropMode: Codable, Sendable, Hashable {
        /// Both sides are scaled to 224 by their own factor; nothing is cut and the aspect ratio is not kept.
        case stretch
        /// The longer side is scaled to 224 and the shorter by the same factor; what remains, the same at both ends (the
        /// second end has the odd pixel), is `FrameGeometry.padding`.
        case fit
        /// The largest centred square of the region is scaled to 224; what sticks out is cut off.
        case fill
    }
}

/// Where the stored picture's top and left side belong in the upright picture: the eight EXIF values.
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
    /// 6: to be turned by 90 degrees clockwise. The first row is the right side.
    case right
    /// 7: transposed along the other diagonal.
    case rightMirrored
    /// 8: to be turned by 90 degrees counterclockwise. The first row is the left side.
    case left
}

/// From the stored region to the upright 224 x 224 picture.
///
/// The order is: region of interest (in stored pixels), orientation, mirror, crop mode. The mirror is that of a
/// front camera's preview: left and right of the upright picture change places, whatever the orientation.
public struct FrameGeometry: Codable, Sendable, Hashable {
    /// The luma around a picture that `FrameGeometry.CropMode.fit` does not fill: black, which is also what the network's own
    /// zero padding is, so that to every layer the picture simply ends.
    public static let padding: UInt8 = 0

    /// How the region becomes a square.
    public var crop: FrameGeometry.CropMode
    /// How the picture is stored.
    public var orientation: ImageOrientation
    /// Whether the upright picture is flipped horizontally.
    public var mirrored: Bool
    /// Whether an output pixel is the mean of all the stored pixels it covers, where a side is more than twice as long as
    /// its result. Otherwise it shows the four nearest to its middle and passes over the others: faster on large
    /// frames, but their fine detail comes in as noise that no training clip has.
    public var antialiased: Bool

    /// Stretched, upright, not mirrored and antialiased, unless stated otherwise.
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

/// Orientation and mirror as one: the upright picture's axes in terms of the stored ones.
struct AxisMap: Equatable {
    /// What is down in the upright picture runs along stored rows.
    var transposed: Bool
    /// Stored rows are read from their last pixel to their first.
    var reversesX: Bool
    /// Stored rows are met from the last to the first.
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

/// Which stored pixels become which of the 224 x 224, all in whole pixels.
struct Placement: Equatable {
    /// The part of the stored frame that is sampled.
    var source: PixelView.Region
    /// The size and place of the picture in the square; the rest is padding.
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

/// A placed picture as lines: the stored rows' direction, which is also that of the kernels.
struct LineLayout {
    /// As many as the picture in the square is high, or wide when the orientation transposes.
    var count: Int
    /// Pixels in a line.
    var pixelCount: Int
    /// Whether lines stand upright in the square.
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

    /// A line's place among all, in the direction of the stored rows.
    func row(_ line: Int) -> Int { reversesY ? count - 1 - line : line }

    /// A pixel's place in its line, in the direction of the stored rows' pixels.
    func x(_ pixel: Int) -> Int { reversesX ? pixelCount - 1 - pixel : pixel }
}
