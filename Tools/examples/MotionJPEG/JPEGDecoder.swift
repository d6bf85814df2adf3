package import GestureEngine

/// Decodes the baseline JPEG images of a camera's Motion JPEG to luma and chroma of half its sides.
///
/// It follows ITU-T T.81: sequential Huffman coding, 8 bits, restart markers, and chroma of 4:2:0, 4:2:2, 4:4:0 or 4:4:4, or
/// none. An image without Huffman tables has those of annex K.3, as cameras leave them out. Luma has full range and the
/// colours are those of BT.601 (JFIF). Keep a decoder for a stream: it keeps its memory.
package struct JPEGDecoder: Sendable {
    /// The longest accepted side.
    package static let longestSide = 8192
    /// The largest accepted area.
    package static let mostPixels = 1 << 24

    /// The width of the latest image; 0 before the first.
    package private(set) var width = 0
    /// The height of the latest image.
    package private(set) var height = 0
    /// The luma of the latest image, `width` bytes in a row of `lumaBytesPerRow`.
    package var luma: [UInt8] { planes.first?.samples ?? [] }
    /// Bytes from one row of luma to the next.
    package var lumaBytesPerRow: Int { planes.first?.bytesPerRow ?? 0 }
    /// The blue differences of the latest image, in rows of `(width + 1) / 2` bytes.
    package private(set) var blue: [UInt8] = []
    /// The red differences, likewise.
    package private(set) var red: [UInt8] = []

    /// The components as they are stored.
    private var planes: [JPEGPlane] = []
    private var tables = JPEGTables()

    /// Makes a decoder without memory.
    package init() {}

    /// Decodes an image. Bytes after its end are ignored.
    /// - Throws: what is wrong with the image. The decoder can be used for the next one; the latest image is lost.
    package mutating func decode(_ bytes: [UInt8]) throws(JPEGError) {
        (width, height) = (0, 0)
        tables = JPEGTables()
        var reader = SegmentReader(bytes)
        guard try reader.beginsImage() else { throw .noImage }
        var frame: JPEGFrame?
        while true {
            let segment = try reader.next()
            switch segment.marker {
            case 0xDB: try tables.readQuantisers(segment)
            case 0xC4: try tables.readHuffman(segment)
            case 0xDD: try tables.readRestartInterval(segment)
            case 0xC0, 0xC1: frame = try JPEGFrame(segment)
            case 0xC2, 0xC3, 0xC5...0xC7, 0xC9...0xCB, 0xCD...0xCF: throw .process(marker: segment.marker)
            case 0xDA:
                guard let frame else { throw .segment(marker: segment.marker) }
                var scan = try JPEGScan(segment, of: frame, tables, in: planes)
                // The scan alone has the memory, or each write would copy it.
                planes = []
                planes = try scan.decode(EntropyReader(bytes, at: reader.position))
                return keep(frame)
            default: continue
            }
        }
    }

    /// Lends the latest image to the engine.
    /// - Throws: `size` before the first image.
    package func withView<Result>(_ body: (borrowing PixelView) -> Result) throws(PixelView.FrameError) -> Result {
        // All bytes of the arrays are initialised, so all may be read raw.
        let (y, cb, cr) = unsafe (luma.span.bytes, blue.span.bytes, red.span.bytes)
        return body(
            try PixelView(
                y, chroma: PixelView.ChromaPlanes(blue: cb, red: cr, bytesPerRow: (width + 1) / 2),
                format: .i420(.full),
                width: width, height: height, bytesPerRow: lumaBytesPerRow))
    }

    private mutating func keep(_ frame: JPEGFrame) {
        (width, height) = (frame.width, frame.height)
        let count = (width + 1) / 2 * ((height + 1) / 2)
        if blue.count != count || planes.count == 1 {
            blue = [UInt8](repeating: 128, count: count)
            red = blue
        }
        guard planes.count == 3 else { return }
        planes[1].halve(into: &blue, of: frame)
        planes[2].halve(into: &red, of: frame)
    }
}
