package import Frames
import Vocabulary

/// A stored frame of a test, in any layout, with padded rows that start at odd addresses, and the colours of its pixels in real
/// numbers.
package struct ColorFrame {
    package enum Layout: Hashable, CaseIterable {
        case gray, rgba, bgra, yuyv, nv12, nv21, i420, lumaOnly
    }

    package let layout: Layout
    package let range: PixelView.LumaRange
    package let matrix: PixelView.ColorMatrix
    package let width: Int
    package let height: Int
    private let padding: Int
    /// Luma or the only plane; then chroma.
    package private(set) var planes: [[UInt8]]
    package let rows: [Int]

    /// Bytes that are no sample are `poison`.
    package init(
        _ layout: Layout, _ range: PixelView.LumaRange, _ matrix: PixelView.ColorMatrix, _ width: Int, _ height: Int,
        padding: Int = 0, poison: UInt8 = 0xA5, value: (_ plane: Int, _ x: Int, _ y: Int) -> UInt8
    ) {
        self.layout = layout
        self.range = range
        self.matrix = matrix
        self.width = width
        self.height = height
        self.padding = padding
        let half = (width: (width + 1) / 2, height: (height + 1) / 2)
        let sizes: [(width: Int, height: Int)] =
            switch layout {
            case .gray, .lumaOnly: [(width, height)]
            case .rgba, .bgra: [(4 * width, height)]
            case .yuyv: [(2 * width, height)]
            case .nv12, .nv21: [(width, height), (2 * half.width, half.height)]
            case .i420: [(width, height), half, half]
            }
        rows = sizes.map { $0.width + padding }
        planes = sizes.enumerated().map { plane, size in
            let row = size.width + padding
            var bytes = [UInt8](repeating: poison, count: 1 + (size.height - 1) * row + size.width)
            for y in 0..<size.height {
                for x in 0..<size.width where !((layout == .rgba || layout == .bgra) && x % 4 == 3) {
                    bytes[1 + y * row + x] = value(plane, x, y)
                }
            }
            return bytes
        }
    }

    /// Any bytes, or such that no colour leaves 0...255.
    package static func random(
        _ layout: Layout, _ range: PixelView.LumaRange, _ matrix: PixelView.ColorMatrix, _ width: Int, _ height: Int,
        padding: Int = 0, poison: UInt8 = 0xA5, tame: Bool = false, seed: UInt64
    ) -> Self {
        var random = SplitMix64(seed: seed)
        return Self(layout, range, matrix, width, height, padding: padding, poison: poison) { plane, x, _ in
            let code = UInt8(truncatingIfNeeded: random.next())
            guard tame, layout != .rgba, layout != .bgra, layout != .gray else { return code }
            let isChroma = plane > 0 || layout == .yuyv && x % 2 == 1
            return isChroma ? 118 + code % 20 : 80 + code % 90
        }
    }

    package var format: PixelView.Format {
        switch layout {
        case .gray: .gray8
        case .rgba: .rgba
        case .bgra: .bgra
        case .yuyv: .yuyv(range)
        case .nv12: .nv12(range)
        case .nv21: .nv21(range)
        case .i420, .lumaOnly: .i420(range)
        }
    }

    /// Lends the frame; with pages, every plane ends where readable memory does.
    package func withView<Result>(
        region: PixelView.Region? = nil, pages: [GuardedPage] = [],
        _ body: (borrowing PixelView) throws -> Result
    ) throws -> Result {
        // From the second byte on: an odd address.
        let copies = unsafe planes.map { bytes in
            let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 16)
            unsafe copy.copyBytes(from: bytes)
            return unsafe copy
        }
        defer { unsafe copies.forEach { unsafe $0.deallocate() } }
        var buffers: [UnsafeRawBufferPointer] = unsafe []
        for index in planes.indices {
            // Both live until this returns.
            unsafe buffers.append(
                pages.isEmpty
                    ? UnsafeRawBufferPointer(rebasing: copies[index].dropFirst())
                    : pages[index].place(planes[index].dropFirst()))
        }
        let luma = unsafe RawSpan(_unsafeBytes: buffers[0])
        switch layout {
        case .nv12, .nv21:
            let chroma = unsafe PixelView.ChromaPlanes(
                interleaved: RawSpan(_unsafeBytes: buffers[1]), bytesPerRow: rows[1])
            return try body(view(luma, chroma, region))
        case .i420:
            let chroma = unsafe PixelView.ChromaPlanes(
                blue: RawSpan(_unsafeBytes: buffers[1]), red: RawSpan(_unsafeBytes: buffers[2]), bytesPerRow: rows[1])
            return try body(view(luma, chroma, region))
        case .gray, .rgba, .bgra, .yuyv, .lumaOnly:
            return try body(view(luma, nil, region))
        }
    }

    @_lifetime(copy luma, copy chroma)
    private func view(_ luma: RawSpan, _ chroma: PixelView.ChromaPlanes?, _ region: PixelView.Region?) throws(PixelView
        .FrameError) -> PixelView
    {
        try PixelView(
            luma, chroma: chroma, format: format, width: width, height: height, bytesPerRow: rows[0], region: region,
            matrix: matrix)
    }

    /// Red, green and blue of a pixel in real numbers, 0...255 or beyond, by the definitions of BT.601 and BT.709.
    package func color(_ x: Int, _ y: Int) -> SIMD3<Double> {
        func code(_ plane: Int, _ column: Int, _ row: Int) -> Double {
            Double(planes[plane][1 + row * rows[plane] + column])
        }
        let luma: Double
        var chroma: (blue: Double, red: Double) = (128, 128)
        switch layout {
        case .rgba: return SIMD3(code(0, 4 * x, y), code(0, 4 * x + 1, y), code(0, 4 * x + 2, y))
        case .bgra: return SIMD3(code(0, 4 * x + 2, y), code(0, 4 * x + 1, y), code(0, 4 * x, y))
        case .gray: return SIMD3(repeating: code(0, x, y))
        case .lumaOnly: luma = code(0, x, y)
        case .yuyv:
            luma = code(0, 2 * x, y)
            let pair = min(x / 2, width / 2 - 1)
            if pair >= 0 { chroma = (code(0, 4 * pair + 1, y), code(0, 4 * pair + 3, y)) }
        case .nv12:
            luma = code(0, x, y)
            chroma = (code(1, x / 2 * 2, y / 2), code(1, x / 2 * 2 + 1, y / 2))
        case .nv21:
            luma = code(0, x, y)
            chroma = (code(1, x / 2 * 2 + 1, y / 2), code(1, x / 2 * 2, y / 2))
        case .i420:
            luma = code(0, x, y)
            chroma = (code(1, x / 2, y / 2), code(2, x / 2, y / 2))
        }
        let level = range == .video ? (luma - 16) / 219 : luma / 255
        let scale = range == .video ? 224.0 : 255
        let (blue, red) = ((chroma.blue - 128) / scale, (chroma.red - 128) / scale)
        let (kr, kb) = matrix == .bt601 ? (0.299, 0.114) : (0.2126, 0.0722)
        let (r, b) = (level + 2 * (1 - kr) * red, level + 2 * (1 - kb) * blue)
        return 255 * SIMD3(r, (level - kr * r - kb * b) / (1 - kr - kb), b)
    }
}
