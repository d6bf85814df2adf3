package import Frames

/// One frame of a recorded clip. The clip reuses one frame for all of them.
///
/// Its pixels are square. Chroma of 4:2:0 stays as stored; every other layout is converted to red, green and blue, so
/// that no chroma resolution is lost.
package struct ClipFrame: ~Copyable {
    /// 0 for the first frame.
    package internal(set) var index = 0
    /// Since the first frame, which has time 0.
    package internal(set) var time = Duration.zero
    /// Pixels of a row.
    package let width: Int
    /// Rows.
    package let height: Int
    /// The range of the luma values.
    package let range: PixelView.LumaRange

    /// The contents of a stream's planes.
    enum Planes: Sendable, Hashable {
        /// Luma, blue and red difference.
        case lumaAndChroma
        /// Green, blue and red in full resolution.
        case greenBlueRed
    }

    private let stored: (width: Int, height: Int)
    private let subsampling: Y4MHeader.Subsampling?
    private let planes: Planes
    /// Luma as stored, `stored.width * stored.height` bytes.
    private var firstPlane: [UInt8]
    /// The other planes as stored.
    private var otherPlanes: [UInt8]
    /// Luma with square pixels; empty if `firstPlane` already is.
    private var luma: [UInt8] = []
    /// Blue and then red difference of 4:2:0 with square pixels; empty if `otherPlanes` already are.
    private var chroma: [UInt8] = []
    /// Four bytes a pixel; empty if the frame stays 4:2:0 or is gray.
    private var colours: [UInt8] = []

    init(_ header: Y4MHeader, planes: Planes = .lumaAndChroma) {
        (width, height) = header.pixelAspect.size(of: header.width, header.height)
        range = planes == .greenBlueRed ? .full : header.range
        stored = (header.width, header.height)
        subsampling = header.chroma
        self.planes = planes
        firstPlane = Array(repeating: 0, count: header.lumaBytes)
        otherPlanes = Array(repeating: 0, count: header.chromaBytes)
    }

    /// A frame of green, blue and red.
    init(width: Int, height: Int) {
        (self.width, self.height) = (width, height)
        range = .full
        stored = (width, height)
        subsampling = Y4MHeader.Subsampling(across: 1, down: 1)
        planes = .greenBlueRed
        firstPlane = Array(repeating: 0, count: width * height)
        otherPlanes = Array(repeating: 0, count: 2 * width * height)
    }

    /// Stores bytes of the first plane from `start` on.
    mutating func storeLuma(_ piece: RawSpan, at start: Int) { Self.copy(piece, to: &firstPlane, at: start) }

    /// Stores bytes of the other planes from `start` on.
    mutating func storeChroma(_ piece: RawSpan, at start: Int) { Self.copy(piece, to: &otherPlanes, at: start) }

    private static func copy(_ piece: RawSpan, to planes: inout [UInt8], at start: Int) {
        precondition(start + piece.byteCount <= planes.count)
        unsafe piece.withUnsafeBytes { source in
            unsafe planes.withUnsafeMutableBytes { target in
                unsafe UnsafeMutableRawBufferPointer(rebasing: target[start...]).copyMemory(from: source)
            }
        }
    }

    private var isAsStored: Bool { width == stored.width && height == stored.height }

    /// Converts the stored planes after the last byte of a frame.
    mutating func complete() {
        guard let subsampling else {
            if !isAsStored { luma = resampled(firstPlane, from: stored, to: (width, height)) }
            return
        }
        let size = subsampling.size(stored.width, stored.height)
        if planes == .lumaAndChroma, subsampling.isQuarter {
            guard !isAsStored else { return }
            luma = resampled(firstPlane, from: stored, to: (width, height))
            let target = subsampling.size(width, height)
            chroma = [0, 1].flatMap { resampled(plane($0, of: size), from: size, to: target) }
            return
        }
        let first = resampled(firstPlane, from: stored, to: (width, height))
        let second = resampled(plane(0, of: size), from: size, to: (width, height))
        let third = resampled(plane(1, of: size), from: size, to: (width, height))
        switch planes {
        case .greenBlueRed:
            colours = RGBA.interleaved(red: third, green: first, blue: second)
            luma = RGBA.luma(colours)
        case .lumaAndChroma:
            colours = RGBA.converted(luma: first, blue: second, red: third, range)
            luma = first
        }
    }

    private func plane(_ index: Int, of size: (width: Int, height: Int)) -> [UInt8] {
        let count = size.width * size.height
        return Array(otherPlanes[index * count..<(index + 1) * count])
    }

    /// Luma, rows from top to bottom without padding.
    package var pixels: Span<UInt8> {
        @_lifetime(borrow self)
        get { luma.isEmpty ? firstPlane.span : luma.span }
    }

    /// The frame for `Preprocessor`.
    /// - Throws: `PixelView.FrameError.region`, if the region is not inside the frame.
    @_lifetime(borrow self)
    package func pixelView(region: PixelView.Region? = nil) throws(PixelView.FrameError) -> PixelView {
        try PixelView(
            pixels, format: .i420(range), width: width, height: height, bytesPerRow: width, region: region)
    }

    /// The frame in colour for hand tracking: I420 or RGBA, or gray if the clip is gray. Chroma is always read as
    /// BT.601, as in OpenCV, which MediaPipe's users read files with.
    /// - Throws: `PixelView.FrameError.region`, if the region is not inside the frame.
    @_lifetime(borrow self)
    package func colorView(region: PixelView.Region? = nil) throws(PixelView.FrameError) -> PixelView {
        guard subsampling != nil else { return try pixelView(region: region) }
        guard colours.isEmpty else {
            return try PixelView(
                colours.span, format: .rgba, width: width, height: height, bytesPerRow: 4 * width, region: region)
        }
        // All bytes of the arrays are initialised, so all may be read raw.
        let luma = unsafe pixels.bytes
        let chroma = unsafe chroma.isEmpty ? otherPlanes.span.bytes : chroma.span.bytes
        let planes = PixelView.ChromaPlanes(
            blue: chroma.extracting(first: chroma.byteCount / 2), red: chroma.extracting(last: chroma.byteCount / 2),
            bytesPerRow: (width + 1) / 2)
        return try PixelView(
            luma, chroma: planes, format: .i420(range), width: width, height: height, bytesPerRow: width, region: region
        )
    }
}
