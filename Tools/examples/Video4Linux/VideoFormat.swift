package import GestureEngine
internal import MotionJPEG

/// What a camera's frames are.
package struct VideoFormat: Sendable, Hashable {
    /// How pixels are stored, by the kernel's four-character code.
    package enum Pixels: UInt32, Sendable, CaseIterable {
        /// Luma, then chroma of 4:2:0 in one plane: `NV12`.
        case nv12 = 0x3231_564E
        /// Packed 4:2:2: `YUYV`.
        case yuyv = 0x5659_5559
        /// A JPEG image for each frame: `MJPG`.
        case mjpeg = 0x4750_4A4D
    }

    package let pixels: Pixels
    package let width: Int
    package let height: Int
    /// Bytes from one row to the next; not used for JPEG.
    package let bytesPerRow: Int
    package let range: PixelView.LumaRange
    package let matrix: PixelView.ColorMatrix

    /// Reads what the device answered to `VideoRequest.setFormat`.
    package init(_ answer: VideoStructure) throws(VideoError) {
        typealias Format = VideoLayout.Format
        guard let pixels = Pixels(rawValue: answer[Format.pixels]) else {
            throw .format(offered: answer.text(Format.pixels, 4))
        }
        self.pixels = pixels
        (width, height) = (Int(answer[Format.width]), Int(answer[Format.height]))
        bytesPerRow = Int(answer[Format.bytesPerRow])
        // A quantisation of 0 is the colour space's own.
        let quantisation = answer[Format.quantisation]
        let isJPEG = answer[Format.colorSpace] == Format.jpeg
        range = quantisation == Format.fullRange || quantisation == 0 && isJPEG ? .full : .video
        let encoding = answer[Format.encoding]
        let is709 = encoding == 0 && answer[Format.colorSpace] == Format.rec709 || encoding == Format.encoding709
        matrix = is709 ? .bt709 : .bt601
    }
}

/// Makes views of a camera's frames. It keeps the memory of the JPEG decoder from frame to frame.
package struct VideoFrames: Sendable {
    package let format: VideoFormat
    private var decoder = JPEGDecoder()

    package init(_ format: VideoFormat) { self.format = format }

    /// Lends a view of a frame.
    /// - Parameter bytes: the frame as the camera wrote it.
    /// - Throws: errors of one frame (`VideoError.isOfOneFrame`).
    package mutating func withView<Result>(
        of bytes: RawSpan, _ body: (borrowing PixelView) -> Result
    ) throws(VideoError) -> Result {
        let (width, height, bytesPerRow) = (format.width, format.height, format.bytesPerRow)
        switch format.pixels {
        case .mjpeg:
            do throws(JPEGError) {
                try decoder.decode(unsafe bytes.withUnsafeBytes { unsafe [UInt8]($0) })
            } catch {
                throw .jpeg(error)
            }
            return try Self.naming { () throws(PixelView.FrameError) in try decoder.withView(body) }
        case .yuyv:
            return try Self.naming { () throws(PixelView.FrameError) in
                body(
                    try PixelView(
                        bytes, format: .yuyv(format.range), width: width, height: height, bytesPerRow: bytesPerRow,
                        matrix: format.matrix))
            }
        case .nv12:
            let (lumaBytes, overflow) = bytesPerRow.multipliedReportingOverflow(by: height)
            guard !overflow, bytes.byteCount >= lumaBytes else { throw .damagedFrame }
            return try Self.naming { () throws(PixelView.FrameError) in
                let chroma = PixelView.ChromaPlanes(
                    interleaved: bytes.extracting(droppingFirst: lumaBytes), bytesPerRow: bytesPerRow)
                return body(
                    try PixelView(
                        bytes.extracting(first: lumaBytes), chroma: chroma, format: .nv12(format.range), width: width,
                        height: height, bytesPerRow: bytesPerRow, matrix: format.matrix))
            }
        }
    }

    private static func naming<Result>(
        _ make: () throws(PixelView.FrameError) -> Result
    ) throws(VideoError) -> Result {
        do { return try make() } catch { throw .frame(error) }
    }
}
