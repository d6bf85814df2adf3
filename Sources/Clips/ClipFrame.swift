package import Frames

/// One frame of a recorded clip. The clip lends the same frame, with other pixels, again and again.
package struct ClipFrame: ~Copyable {
    /// 0 for the first frame.
    package internal(set) var index = 0
    /// Since the first frame, which has time 0.
    package internal(set) var time = Duration.zero
    /// Columns of luma.
    package let width: Int
    /// Rows of luma.
    package let height: Int
    /// What the luma codes stand for.
    package let range: PixelView.LumaRange
    /// `width * height` bytes without padding.
    var luma: [UInt8]
    /// Blue and then red difference of 4:2:0, at half the width and height, rounded up, without padding; empty where chroma is
    /// stored otherwise.
    var chroma: [UInt8]

    init(_ header: Y4MHeader) {
        width = header.width
        height = header.height
        range = header.range
        luma = Array(repeating: 0, count: header.lumaBytes)
        chroma = Array(repeating: 0, count: header.isQuarterChroma ? header.chromaBytes : 0)
    }

    /// The pixels, rows from top to bottom without padding.
    package var pixels: Span<UInt8> {
        @_lifetime(borrow self)
        get { luma.span }
    }

    /// The frame as `Preprocessor` takes it.
    /// - Throws: `PixelView.FrameError.region`, if that is not inside the frame.
    @_lifetime(borrow self)
    package func pixelView(region: PixelView.Region? = nil) throws(PixelView.FrameError) -> PixelView {
        try PixelView(
            luma.span, format: .i420(range), width: width, height: height, bytesPerRow: width, region: region)
    }

    /// The frame in colour, as hand tracking takes it. Without colour where the clip has none, and where it is a Y4M file whose
    /// chroma is not 4:2:0; other decoded files always come as that. Like OpenCV, which MediaPipe's users read files with, it
    /// takes every clip's colours for those of BT.601.
    /// - Throws: `PixelView.FrameError.region`, if that is not inside the frame.
    @_lifetime(borrow self)
    package func colorView(region: PixelView.Region? = nil) throws(PixelView.FrameError) -> PixelView {
        guard !chroma.isEmpty else { return try pixelView(region: region) }
        // Bytes have no padding, so every one of them may be read raw.
        let (luma, chroma) = unsafe (luma.span.bytes, chroma.span.bytes)
        let planes = PixelView.ChromaPlanes(
            blue: chroma.extracting(first: chroma.byteCount / 2), red: chroma.extracting(last: chroma.byteCount / 2),
            bytesPerRow: (width + 1) / 2)
        return try PixelView(
            luma, chroma: planes, format: .i420(range), width: width, height: height, bytesPerRow: width, region: region
        )
    }
}
