import ModelFile

/// Layout of a graph's value in a plan's arena: rows of pixels, channels innermost, surrounded by zeros where a
/// consumer needs them. Distances are in elements, offsets from the arena's start in bytes.
///
/// In a padded layout zeros follow the channels up to `pixel`, a multiple of 8, or of 16 for quantised values, so that
/// kernels with as many lanes need no remainder. A vector is a map of one pixel.
struct MapPlace: Equatable {
    let height, width, channels: Int
    /// From a pixel to the next of its row.
    let pixel: Int
    /// From a row to the next. If there is a border, rows are spread over the sets of the first-level cache.
    let rowStride: Int
    let border: MapBorder
    /// Quantisation of the elements, one byte each; nil if they are floats.
    let quantisation: GraphFile.Quantisation?
    /// From the arena's start to the border's first element, in bytes.
    var offset = 0

    /// - shape: one to four dimensions; the first of four is 1. Without `isPadded` pixels follow one another without a
    ///   gap, as the caller of the graph sees them.
    init(shape: [Int], quantisation: GraphFile.Quantisation? = nil, isPadded: Bool, border: MapBorder = MapBorder()) {
        let channels = shape.last ?? 1
        let rows = shape.count > 3 ? shape[shape.count - 3] : 1
        self.channels = channels
        height = rows
        width = shape.reduce(1, *) / (channels * rows)
        let lanes = quantisation == nil ? 8 : 16
        pixel = isPadded ? (channels + lanes - 1) / lanes * lanes : channels
        let elements = (border.left + width + border.right) * pixel
        let elementSize = quantisation == nil ? MemoryLayout<Float>.stride : 1
        rowStride = border == MapBorder() ? elements : Self.spread(elements, of: elementSize)
        self.border = border
        self.quantisation = quantisation
    }

    /// Bytes of an element.
    var elementSize: Int { quantisation == nil ? MemoryLayout<Float>.stride : 1 }
    /// The byte that stands for zero.
    var zero: UInt8 { UInt8(quantisation?.zeroPoint ?? 0) }
    /// The smallest distance, at least `elements`, that is an odd number of cache lines.
    ///
    /// A kernel reads five rows at once. If the distance were a multiple of 4 KB, as with 16 pixels of 256 bytes, the
    /// pixels at the same x would share one set of the first-level cache, which holds eight cache lines or fewer.
    static func spread(_ elements: Int, of elementSize: Int) -> Int {
        ((elements * elementSize + 63) / 64 | 1) * 64 / elementSize
    }

    /// From the arena's start to pixel (0, 0), in bytes.
    var origin: Int { offset + (border.top * rowStride + border.left * pixel) * elementSize }
    /// Bytes of the layout, border included.
    var byteCount: Int { (border.top + height + border.bottom) * rowStride * elementSize }
    /// True if the value's elements follow one another without a gap.
    var isDense: Bool { pixel == channels && border == MapBorder() }

    /// A pixel in an arena.
    @unsafe @inline(__always)
    func pixel(_ arena: UnsafeMutableRawPointer, _ y: Int, _ x: Int) -> UnsafeMutableRawPointer {
        unsafe arena + origin + (y * rowStride + x * pixel) * elementSize
    }

    /// A pixel of floats in an arena.
    @unsafe @inline(__always)
    func floats(_ arena: UnsafeMutableRawPointer, _ y: Int, _ x: Int) -> UnsafeMutablePointer<Float> {
        unsafe pixel(arena, y, x).assumingMemoryBound(to: Float.self)
    }

    /// A pixel of quantised values in an arena.
    @unsafe @inline(__always)
    func bytes(_ arena: UnsafeMutableRawPointer, _ y: Int, _ x: Int) -> UnsafeMutablePointer<UInt8> {
        unsafe pixel(arena, y, x).assumingMemoryBound(to: UInt8.self)
    }
}

/// Rows and pixels of zeros around a map.
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
    /// Elements that follow one another without a gap: a pixel, a row, or the whole map. There are `rows` times
    /// `columns` runs of `count` elements each; run (y, x) begins at pixel (y, x).
    struct Runs: Equatable {
        let rows, columns, count: Int
    }

    /// The longest runs of this map.
    var runs: Runs { runs(in: self) }

    /// The longest runs of this map that are runs in `other`, too, which has the map's pixels as a part.
    func runs(in other: MapPlace) -> Runs {
        guard pixel == channels, other.pixel == channels else {
            return Runs(rows: height, columns: width, count: channels)
        }
        let row = width * channels
        guard rowStride == row, other.rowStride == row else { return Runs(rows: height, columns: 1, count: row) }
        return Runs(rows: 1, columns: 1, count: height * row)
    }

    /// Sets the border to zero: values use the arena's memory one after another.
    func clearBorder(in arena: UnsafeMutableRawPointer) {
        guard border != MapBorder() else { return }
        func clear(_ start: UnsafeMutableRawPointer, _ elements: Int) {
            unsafe start.initializeMemory(as: UInt8.self, repeating: zero, count: elements * elementSize)
        }
        unsafe clear(arena + offset, border.top * rowStride + border.left * pixel)
        // From the last pixel of a row to the first of the next.
        let gap = rowStride - width * pixel
        for y in 0..<height {
            let last = y == height - 1
            unsafe clear(pixel(arena, y, width), last ? border.right * pixel + border.bottom * rowStride : gap)
        }
    }
}

extension GraphSteps {
    /// A dimension of a row-major value: `outer` runs of `extent` times `inner` elements.
    package struct Axis {
        package let outer, extent, inner: Int

        init(_ axis: Int, of shape: [Int]) {
            outer = shape[..<axis].reduce(1, *)
            extent = shape[axis]
            inner = shape[(axis + 1)...].reduce(1, *)
        }
    }

    /// How the second operand of `arithmetic` is repeated. A row is the elements along the last dimension.
    package struct Repetition {
        /// For every dimension but the last, innermost first: its extent, and the rows of the second operand from one
        /// index to the next.
        private let dimensions: [(extent: Int, step: Int)]
        /// Elements of the second operand from one element of a row to the next: 0 or 1.
        package let step: Int

        init(_ shape: [Int], _ other: [Int]) {
            var dimensions: [(extent: Int, step: Int)] = []
            var rows = 1
            for (extent, own) in zip(shape, other).dropLast().reversed() {
                dimensions.append((extent, own == 1 ? 0 : rows))
                rows *= own
            }
            self.dimensions = dimensions
            step = other.last == 1 ? 0 : 1
        }

        /// The row of the second operand that goes with a row of the first.
        package func row(_ row: Int) -> Int {
            var (rest, result) = (row, 0)
            for (extent, step) in dimensions {
                result += rest % extent * step
                rest /= extent
            }
            return result
        }
    }
}
