extension PixelView {
    /// The chroma of a 4:2:0 frame: a blue and a red difference for each two by two pixels, 128 for none. An odd width
    /// or height has a sample of its own at its end.
    ///
    /// A borrowed view; `PixelView` checks it against the frame's size.
    public struct ChromaPlanes: ~Escapable, Sendable {
        /// How the samples of both differences are stored.
        package enum Layout: Sendable, Hashable {
            /// One plane with both in turn, in the order of the format.
            case interleaved
            /// One plane for each.
            case separate
        }

        package let layout: Layout
        /// The only plane, or the plane of the blue difference (Cb).
        package let blue: RawSpan
        /// The only plane, or the plane of the red difference (Cr).
        package let red: RawSpan
        /// Bytes from one row to the next, in both planes.
        public let bytesPerRow: Int

        /// The chroma plane of NV12, with bytes Cb Cr in turn, or of NV21, with Cr Cb.
        /// - Parameters:
        ///   - plane: the plane's bytes; those after the last row are ignored.
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
        ///   - blue: bytes of Cb; those after the last row are ignored.
        ///   - red: bytes of Cr, likewise.
        ///   - bytesPerRow: of each plane, at least half of the frame's width, rounded up.
        @_lifetime(copy blue, copy red)
        public init(blue: RawSpan, red: RawSpan, bytesPerRow: Int) {
            layout = .separate
            self.blue = blue
            self.red = red
            self.bytesPerRow = bytesPerRow
        }

        /// Throws if the planes do not fit a frame of this format and size.
        /// - Requires: an allowed width and height.
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
