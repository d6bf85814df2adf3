extension PixelView {
    /// The colour of a 4:2:0 frame beside its luma: blue and red difference for each two by two pixels, 128 for none. An odd
    /// width or height has samples of its own at its end.
    ///
    /// A borrowed view like `PixelView`, which checks it against its own size.
    public struct ChromaPlanes: ~Escapable, Sendable {
        /// How the samples of both differences lie.
        package enum Layout: Sendable, Hashable {
            /// One plane, both in turn in the order of the format.
            case interleaved
            /// A plane for each.
            case separate
        }

        package let layout: Layout
        /// The only plane, or that of the blue difference (Cb).
        package let blue: RawSpan
        /// The only plane, or that of the red difference (Cr).
        package let red: RawSpan
        /// Bytes from the start of one row to the start of the next, in both planes.
        public let bytesPerRow: Int

        /// The chroma plane of NV12, bytes Cb Cr in turn, or of NV21, bytes Cr Cb.
        /// - Parameters:
        ///   - plane: bytes after the last row are ignored.
        ///   - bytesPerRow: at least the frame's width, rounded up to an even number.
        @_lifetime(copy plane)
        public init(interleaved plane: RawSpan, bytesPerRow: Int) {
            layout = .interleaved
            blue = plane
            red = plane
            self.bytesPerRow = bytesPerRow
        }

        /// The chroma planes of I420.
        /// - Parameters:
        ///   - blue: Cb; bytes after the last row are ignored.
        ///   - red: Cr, likewise.
        ///   - bytesPerRow: of each, at least half of the frame's width, rounded up.
        @_lifetime(copy blue, copy red)
        public init(blue: RawSpan, red: RawSpan, bytesPerRow: Int) {
            layout = .separate
            self.blue = blue
            self.red = red
            self.bytesPerRow = bytesPerRow
        }

        /// Whether the planes belong to a frame.
        /// - Requires: a width and a height that a frame may have.
        func check(_ format: PixelView.Format, width: Int, height: Int) throws(PixelView.FrameError) {
            switch (format, layout) {
            case (.nv12, .interleaved), (.nv21, .interleaved), (.i420, .separate): break
            default: throw .chromaOfFormat(format)
            }
            let rowBytes = (width + 1) / 2 * (layout == .interleaved ? 2 : 1)
            guard
                let required = PixelView.planeBytes(
                    rows: (height + 1) / 2, rowBytes: rowBytes, bytesPerRow: bytesPerRow)
            else { throw .chromaBytesPerRow(minimum: rowBytes, found: bytesPerRow) }
            for found in [blue.byteCount, red.byteCount] where found < required {
                throw .chromaTooShort(required: required, found: found)
            }
        }
    }
}
