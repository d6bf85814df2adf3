import Platform

extension PixelView {
    /// Makes views of frames in formats that the engine cannot read directly: 24-bit RGB and BGR, as in OpenCV, and
    /// UYVY, as from capture cards.
    ///
    /// It copies the frame once into its own memory, as RGBA, BGRA or YUYV, and lends a view of that. Keep one for a
    /// stream: after the first frame of a size it does not allocate.
    ///
    /// ```swift
    /// var unpacker = PixelView.Unpacker()
    /// try unpacker.withView(of: bgr.span.bytes, .bgr24, width: 640, height: 480, bytesPerRow: 1920) { frame in
    ///     stream.push(frame, at: time)
    /// }
    /// ```
    public struct Unpacker: ~Copyable, Sendable {
        /// How the pixels of the caller's plane are stored, with 8 bits per sample.
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

            /// The format of the copy.
            var format: PixelView.Format {
                switch self {
                case .rgb24: .rgba
                case .bgr24: .bgra
                case .uyvy(let range): .yuyv(range)
                }
            }
        }

        private var memory: [UInt8] = []

        /// Makes an unpacker without memory.
        public init() {}

        /// Calls `body` with a view of one frame.
        /// - Parameters:
        ///   - plane: the frame's bytes; those after the last row are ignored.
        ///   - layout: how the plane's pixels are stored.
        ///   - width: pixels of a row, 1...`PixelView.maximumSide`; may be odd.
        ///   - height: rows, 1...`PixelView.maximumSide`.
        ///   - bytesPerRow: at least `width * layout.bytesPerPixel`.
        ///   - region: the part to examine, at any pixel; nil for all of it.
        ///   - matrix: how UYVY becomes colours.
        /// - Throws: the errors of `PixelView`'s initialisers.
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
                        // Both rows are within their memory, by the checks above.
                        let from = unsafe UnsafeRawBufferPointer(
                            rebasing: source[row * bytesPerRow..<row * bytesPerRow + rowBytes])
                        let to = unsafe UnsafeMutableRawBufferPointer(
                            rebasing: target[row * copiedRow..<(row + 1) * copiedRow])
                        unsafe Self.copy(from, to, layout)
                    }
                }
            }
            // Bytes have no padding, so all of them may be read.
            let view = try unsafe PixelView(
                memory.elementSpan.bytes, format: format, width: width, height: height, bytesPerRow: copiedRow,
                region: region,
                matrix: matrix)
            return body(view)
        }

        @unsafe
        private static func copy(_ from: UnsafeRawBufferPointer, _ to: UnsafeMutableRawBufferPointer, _ layout: Layout)
        {
            switch layout {
            case .rgb24, .bgr24:
                // The fourth byte is ignored, and is not written.
                for pixel in 0..<from.count / 3 {
                    unsafe to[4 * pixel] = from[3 * pixel]
                    unsafe to[4 * pixel + 1] = from[3 * pixel + 1]
                    unsafe to[4 * pixel + 2] = from[3 * pixel + 2]
                }
            case .uyvy:
                // With an odd width the last pair has no second pixel.
                for pair in 0..<from.count / 2 {
                    unsafe to[2 * pair] = from[2 * pair + 1]
                    unsafe to[2 * pair + 1] = from[2 * pair]
                }
            }
        }
    }
}
