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
    package let range: LumaRange
    /// `width * height` bytes without padding.
    var luma: [UInt8]

    init(_ header: Y4MHeader) {
        width = header.width
        height = header.height
        range = header.range
        luma = Array(repeating: 0, count: header.lumaBytes)
    }

    /// The pixels, rows from top to bottom without padding.
    package var pixels: Span<UInt8> {
        @_lifetime(borrow self)
        get { luma.span }
    }

    /// The frame as `Preprocessor` takes it.
    /// - Throws: `FrameError.region`, if that is not inside the frame.
    @_lifetime(borrow self)
    package func pixelView(region: PixelRegion? = nil) throws(FrameError) -> PixelView {
        try PixelView(
            luma.span, format: .i420(range), width: width, height: height, bytesPerRow: width, region: region)
    }
}
