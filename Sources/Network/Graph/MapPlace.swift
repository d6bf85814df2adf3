import ModelFile

/// Where a value of a graph lies in a plan's arena: lines of pixels, channels innermost, with zeros around where a consumer
/// needs them. Distances are in elements, offsets from the arena's start in bytes.
///
/// Channels are followed by zeros up to `pixel`, a multiple of 8 and of 16 where they are codes, so that kernels of so many
/// lanes need no remainder. A vector is a map of one pixel.
struct MapPlace: Equatable {
    let height, width, channels: Int
    /// From a pixel to the next of its line.
    let pixel: Int
    /// From a line to the next. Where zeros stand around a map, lines are spread over the sets of the first-level cache.
    let line: Int
    let border: MapBorder
    /// What the elements stand for if they are codes of one byte; nil if they are floats.
    let codes: GraphFile.Quantisation?
    /// From the arena's start to the border's first element.
    var offset = 0

    /// - shape: of one to four dimensions, the first 1 where there are four. Without `isPadded` the channels of one pixel
    ///   follow those of the one before, as the caller of the graph sees them.
    init(shape: [Int], codes: GraphFile.Quantisation? = nil, isPadded: Bool, border: MapBorder = MapBorder()) {
        let channels = shape.last ?? 1
        let lines = shape.count > 3 ? shape[shape.count - 3] : 1
        self.channels = channels
        height = lines
        width = shape.reduce(1, *) / (channels * lines)
        let lanes = codes == nil ? 8 : 16
        pixel = isPadded ? (channels + lanes - 1) / lanes * lanes : channels
        let elements = (border.left + width + border.right) * pixel
        let elementSize = codes == nil ? MemoryLayout<Float>.stride : 1
        line = border == MapBorder() ? elements : Self.spread(elements, of: elementSize)
        self.border = border
        self.codes = codes
    }

    /// Bytes of an element.
    var elementSize: Int { codes == nil ? MemoryLayout<Float>.stride : 1 }
    /// The byte that zeros consist of.
    var zero: UInt8 { UInt8(codes?.zeroPoint ?? 0) }
    /// The least distance from `elements` on that is an odd number of cache lines.
    ///
    /// A kernel reads five lines at once. At a multiple of 4 KB, as 16 pixels of 256 bytes are, the same column of all of them
    /// would share one set of the first-level cache, which holds eight cache lines or fewer.
    static func spread(_ elements: Int, of elementSize: Int) -> Int {
        ((elements * elementSize + 63) / 64 | 1) * 64 / elementSize
    }

    /// From the arena's start to pixel (0, 0).
    var origin: Int { offset + (border.top * line + border.left * pixel) * elementSize }
    /// Bytes of the place, border included.
    var byteCount: Int { (border.top + height + border.bottom) * line * elementSize }
    /// True where the elements of the value follow one another without a gap.
    var isDense: Bool { pixel == channels && border == MapBorder() }

    /// A pixel in an arena.
    @unsafe @inline(__always)
    func pixel(_ arena: UnsafeMutableRawPointer, _ y: Int, _ x: Int) -> UnsafeMutableRawPointer {
        unsafe arena + origin + (y * line + x * pixel) * elementSize
    }

    /// A pixel of floats in an arena.
    @unsafe @inline(__always)
    func floats(_ arena: UnsafeMutableRawPointer, _ y: Int, _ x: Int) -> UnsafeMutablePointer<Float> {
        unsafe pixel(arena, y, x).assumingMemoryBound(to: Float.self)
    }

    /// A pixel of codes in an arena.
    @unsafe @inline(__always)
    func bytes(_ arena: UnsafeMutableRawPointer, _ y: Int, _ x: Int) -> UnsafeMutablePointer<UInt8> {
        unsafe pixel(arena, y, x).assumingMemoryBound(to: UInt8.self)
    }
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
    func clearBorder(in arena: UnsafeMutableRawPointer) {
        guard border != MapBorder() else { return }
        func clear(_ start: UnsafeMutableRawPointer, _ elements: Int) {
            unsafe start.initializeMemory(as: UInt8.self, repeating: zero, count: elements * elementSize)
        }
        unsafe clear(arena + offset, border.top * line + border.left * pixel)
        // From the last pixel of a line to the first of the next.
        let gap = line - width * pixel
        for y in 0..<height {
            let last = y == height - 1
            unsafe clear(pixel(arena, y, width), last ? border.right * pixel + border.bottom * line : gap)
        }
    }
}
