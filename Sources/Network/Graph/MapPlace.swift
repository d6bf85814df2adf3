/// Where a value of a graph lies in a plan's arena: lines of pixels, channels innermost, with zeros around where a consumer
/// needs them. Distances are in elements.
///
/// Channels are followed by zeros up to `pixel`, a multiple of 8, so that kernels of eight lanes need no remainder. A vector is
/// a map of one pixel.
struct MapPlace: Equatable {
    let height, width, channels: Int
    /// From a pixel to the next of its line.
    let pixel: Int
    let border: MapBorder
    /// From the arena's start to the border's first element.
    var offset = 0

    /// - shape: of one to four dimensions, the first 1 where there are four. Without `isPadded` the channels of one pixel
    ///   follow those of the one before, as the caller of the graph sees them.
    init(shape: [Int], isPadded: Bool, border: MapBorder = MapBorder()) {
        let channels = shape.last ?? 1
        let lines = shape.count > 3 ? shape[shape.count - 3] : 1
        self.channels = channels
        height = lines
        width = shape.reduce(1, *) / (channels * lines)
        pixel = isPadded ? (channels + 7) / 8 * 8 : channels
        self.border = border
    }

    /// From a line to the next.
    var line: Int { (border.left + width + border.right) * pixel }
    /// From the arena's start to pixel (0, 0).
    var origin: Int { offset + border.top * line + border.left * pixel }
    /// Elements of the place, border included.
    var count: Int { (border.top + height + border.bottom) * line }
    /// True where the elements of the value follow one another without a gap.
    var isDense: Bool { pixel == channels && border == MapBorder() }
}

/// Lines and columns of zeros around a map.
struct MapBorder: Equatable {
    var top = 0
    var bottom = 0
    var left = 0
    var right = 0

    /// The smallest border that holds both.
    func union(_ other: MapBorder) -> MapBorder {
        MapBorder(
            top: max(top, other.top), bottom: max(bottom, other.bottom), left: max(left, other.left),
            right: max(right, other.right))
    }
}

extension MapPlace {
    /// Sets the border to zero: the arena's memory is used by one value after another.
    func clearBorder(in arena: UnsafeMutablePointer<Float>) {
        guard border != MapBorder() else { return }
        let base = unsafe arena + offset
        unsafe base.update(repeating: 0, count: border.top * line + border.left * pixel)
        // From the last pixel of a line to the first of the next.
        let gap = (border.right + border.left) * pixel
        for y in 0..<height {
            let end = unsafe arena + (origin + y * line + width * pixel)
            let last = y == height - 1
            unsafe end.update(repeating: 0, count: last ? border.right * pixel + border.bottom * line : gap)
        }
    }
}
