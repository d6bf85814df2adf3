package import Frames
import Vocabulary

/// A picture in memory of its own: planes with padded rows, colours by chance about a mean.
package struct ColorPicture {
    package let format: PixelView.Format
    package let width: Int
    package let height: Int
    package let matrix: PixelView.ColorMatrix
    /// Luma or the only plane; then chroma.
    package private(set) var planes: [[UInt8]] = []
    private var rows: [Int] = []

    package static let formats: [PixelView.Format] = [
        .gray8, .rgba, .bgra, .yuyv(.video), .nv12(.video), .nv12(.full), .nv21(.video), .i420(.full),
    ]

    /// - color: of red, green and blue, or of luma, Cb and Cr.
    package init(
        _ format: PixelView.Format, _ width: Int, _ height: Int, padding: Int = 0,
        matrix: PixelView.ColorMatrix = .bt601,
        color: SIMD3<UInt8>, seed: UInt64, hasChroma: Bool = true
    ) {
        (self.format, self.width, self.height, self.matrix) = (format, width, height, matrix)
        var random = SplitMix64(seed: seed)
        func plane(_ columns: Int, _ lines: Int, _ codes: [UInt8]) {
            let row = columns + padding
            rows.append(row)
            // The last row lacks its padding.
            planes.append(
                (0..<(lines - 1) * row + columns).map { codes[$0 % row % codes.count] &+ UInt8(random.next() % 24) })
        }
        let half = ((width + 1) / 2, (height + 1) / 2)
        switch format {
        case .gray8: plane(width, height, [color.x])
        case .rgba: plane(4 * width, height, [color.x, color.y, color.z, 0])
        case .bgra: plane(4 * width, height, [color.z, color.y, color.x, 0])
        case .yuyv: plane(2 * width, height, [color.x, color.y, color.x, color.z])
        case .nv12:
            plane(width, height, [color.x])
            if hasChroma { plane(2 * half.0, half.1, [color.y, color.z]) }
        case .nv21:
            plane(width, height, [color.x])
            if hasChroma { plane(2 * half.0, half.1, [color.z, color.y]) }
        case .i420:
            plane(width, height, [color.x])
            if hasChroma {
                plane(half.0, half.1, [color.y])
                plane(half.0, half.1, [color.z])
            }
        }
    }

    package func withView<Result>(region: PixelView.Region? = nil, _ body: (borrowing PixelView) throws -> Result)
        throws
        -> Result
    {
        let buffers = unsafe planes.map { bytes in
            let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 16)
            unsafe copy.copyBytes(from: bytes)
            return unsafe copy
        }
        defer { unsafe buffers.forEach { unsafe $0.deallocate() } }
        // All buffers live until this returns.
        let luma = unsafe RawSpan(_unsafeBytes: UnsafeRawBufferPointer(buffers[0]))
        guard planes.count > 1 else { return try body(view(luma, nil, region)) }
        let blue = unsafe RawSpan(_unsafeBytes: UnsafeRawBufferPointer(buffers[1]))
        guard planes.count > 2 else {
            return try body(view(luma, PixelView.ChromaPlanes(interleaved: blue, bytesPerRow: rows[1]), region))
        }
        let red = unsafe RawSpan(_unsafeBytes: UnsafeRawBufferPointer(buffers[2]))
        return try body(view(luma, PixelView.ChromaPlanes(blue: blue, red: red, bytesPerRow: rows[1]), region))
    }

    @_lifetime(copy luma, copy chroma)
    private func view(_ luma: RawSpan, _ chroma: PixelView.ChromaPlanes?, _ region: PixelView.Region?) throws(PixelView
        .FrameError) -> PixelView
    {
        try PixelView(
            luma, chroma: chroma, format: format, width: width, height: height, bytesPerRow: rows[0], region: region,
            matrix: matrix)
    }
}
