extension PixelView {
    /// Makes views of frames whose pixels the engine does not read where they lie: 24-bit RGB and BGR, as OpenCV has them, and UYVY, as
    /// capture cards give it. It copies the frame once into memory of its own, as RGBA or YUYV, and lends a view of that.
    ///
    /// Keep one for a stream: after the first frame of a size it allocates nothing.
    ///
    /// ```swift
    /// var unpacker = PixelView.Unpacker()
    /// try unpacker.withView(of: bgr.span.bytes, .bgr24, width: 640, height: 480, bytesPerRow: 1920) { frame in
    ///     stream.push(frame, at: time)
    /// }
    /// ```
    public struct Unpacker: ~Copyable, Sendable {
        /// How the pixels of the caller's plane lie, 8 bits a sample.
        public enum Layout: Sendable, Hashable {
            /// Bytes red, green, blue.
            case rgb24
            /// Bytes blue, green, red.
            case bgr24
            /// Packed 4:2:2, bytes U Y0 V Y1.
            case uyvy(PixelView.LumaRange)

            /// Bytes from one pixel to the next in a row.
            public var bytesPerPixel: Int {
                switch self {
                case .rgb24, .bgr24: 3
                case .uyvy: 2
                }
            }

            /// What the copy is.
            var format: PixelView.Format {
                switch self {
                case .rgb24: .rgba
                case .bgr24: .bgra
                case .uyvy(let range): .yuyv(range)
                }
            }
        }

        private var memory: [UInt8] = []

        /// Has no memory yet.
        public init() {}

        /// Lends a view of one frame to `body`.
        /// - Parameters:
        ///   - plane: of the frame; bytes after the last row are ignored.
        ///   - layout: how the plane's bytes are to be read.
        ///   - width: pixels of a row, 1...`PixelView.maximumSide`; may be odd.
        ///   - height: rows, 1...`PixelView.maximumSide`.
        ///   - bytesPerRow: at least `width * layout.bytesPerPixel`.
        ///   - region: the part to look at, at any pixel; nil is all of it.
        ///   - matrix: how UYVY becomes colours.
        /// - Throws: what does not fit, as the initialisers of `PixelView` do.
        public mutating func withView<Result: ~Copyable>(
            of plane: RawSpan, _ layout: Layout, width: Int, height: Int, bytesPerRow: Int,
            region: PixelView.Region? = nil, matrix: PixelView.ColorMatrix = .bt601,
            _ body: (borrowing PixelView) -> Result
        ) throws(PixelView.FrameError) -> Result {
            let sides = 1...PixelView.maximumSide
            guard sides.contains(width), sides.contains(height) else {
                throw .size(width: width, height: height, maximum: PixelView.maximumSide)
            }
            let rowBytes = width * layout.bytesPerPixel
            guard let required = PixelView.planeBytes(rows: height, rowBytes: rowBytes, bytesPerRow: bytesPerRow) else {
                throw .bytesPerRow(minimum: rowBytes, found: bytesPerRow)
            }
            guard plane.byteCount >= required else {
                throw .planeTooShort(required: required, found: plane.byteCount)
            }
            let format = layout.format
            let copiedRow = width * format.bytesPerPixel
            if memory.count < copiedRow * height { memory = [UInt8](repeating: 255, count: copiedRow * height) }
            unsafe plane.withUnsafeBytes { source in
                unsafe memory.withUnsafeMutableBytes { target in
                    for row in 0..<height {
                        // Both rows lie in their memory, by the checks above.
                        let from = unsafe UnsafeRawBufferPointer(
                            rebasing: source[row * bytesPerRow..<row * bytesPerRow + rowBytes])
                        let to = unsafe UnsafeMutableRawBufferPointer(
                            rebasing: target[row * copiedRow..<(row + 1) * copiedRow])
                        unsafe Self.copy(from, to, layout)
                    }
                }
            }
            // Bytes have no padding, so every one of them may be read raw.
            let view = try unsafe PixelView(
                memory.span.bytes, format: format, width: width, height: height, bytesPerRow: copiedRow, region: region,
                matrix: matrix)
            return body(view)
        }

        @unsafe
        private static func copy(_ from: UnsafeRawBufferPointer, _ to: UnsafeMutableRawBufferPointer, _ layout: Layout)
        {
            switch layout {
            case .rgb24, .bgr24:
                // The fourth byte has no influence, and stays what it was.
                for pixel in 0..<from.count / 3 {
                    unsafe to[4 * pixel] = from[3 * pixel]
                    unsafe to[4 * pixel + 1] = from[3 * pixel + 1]
                    unsafe to[4 * pixel + 2] = from[3 * pixel + 2]
                }
            case .uyvy:
                // Of an odd width the last pair lacks its second pixel.
                for pair in 0..<from.count / 2 {
                    unsafe to[2 * pair] = from[2 * pair + 1]
                    unsafe to[2 * pair + 1] = from[2 * pair]
                }
            }
        }
    }
}
