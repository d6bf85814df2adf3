package import Frames

/// Which stored pixels become which of the 224 x 224 pixels, in whole pixels.
struct Placement: Equatable {
    /// The part of the stored frame that is sampled.
    var source: PixelView.Region
    /// Size and position of the content in the image; the rest is padding.
    var width: Int
    var height: Int
    var x: Int
    var y: Int

    init(_ region: PixelView.Region, crop: PixelView.CropMode, transposed: Bool) {
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

extension FrameGeometry {
    /// The part of the image that shows a region of this size; the rest is padding.
    package func content(of region: PixelView.Region) -> PixelView.Region {
        let place = Placement(region, crop: crop, transposed: AxisMap(self).transposed)
        return PixelView.Region(x: place.x, y: place.y, width: place.width, height: place.height)
    }
}
