/// One camera frame in the caller's memory: a borrowed plane, its layout, and its region of interest.
///
/// The view holds no pixels and cannot outlive the span from which it was made. Everything is checked once, here; the
/// frame loop checks nothing again. Any stride of at least a row's bytes and any odd size are allowed, and the last row
/// may lack its padding. Padding bytes are never read.
public struct PixelView: ~Escapable, Sendable {
    /// The largest width and height: more than any camera has, small enough that no product overflows.
    public static let maximumSide = 16_384

    /// The layout of `plane`.
    public let format: PixelView.Format
    /// Pixels of a stored row.
    public let width: Int
    /// Rows of the stored frame.
    public let height: Int
    /// Bytes from one row to the next.
    public let bytesPerRow: Int
    /// The part that is examined: pixels outside are ignored, as if the frame had been cropped before.
    public let region: PixelView.Region
    /// How luma and chroma become colours; ignored for formats that store colours.
    public let matrix: PixelView.ColorMatrix
    /// The luma plane, or the only plane of a packed format.
    package let plane: RawSpan
    /// The chroma planes; nil if the format has none or they were not given.
    package let chroma: PixelView.ChromaPlanes?

    /// The bytes of `plane`.
    package var bytes: Span<UInt8> {
        @_lifetime(copy self)
        get { Span(_bytes: plane) }
    }

    /// A view of one frame.
    /// - Parameters:
    ///   - plane: the luma plane of gray8, NV12, NV21 and I420, or the only plane of the packed formats. Bytes after
    ///     the last row are ignored.
    ///   - format: how the plane's pixels are stored.
    ///   - width: pixels of a row, 1...`maximumSide`; may be odd, also for YUYV.
    ///   - height: rows, 1...`maximumSide`.
    ///   - bytesPerRow: at least `width * format.bytesPerPixel`.
    ///   - region: the part to examine, at any pixel; nil for all of it.
    ///   - matrix: how YUYV becomes colours.
    /// - Throws: the argument that does not fit, with its numbers.
    @_lifetime(copy plane)
    public init(
        _ plane: RawSpan, format: PixelView.Format, width: Int, height: Int, bytesPerRow: Int,
        region: PixelView.Region? = nil,
        matrix: PixelView.ColorMatrix = .bt601
    ) throws(PixelView.FrameError) {
        try self.init(
            plane, chroma: nil, format: format, width: width, height: height, bytesPerRow: bytesPerRow, region: region,
            matrix: matrix)
    }

    /// A view of one frame in colour, in a format with separate chroma planes.
    /// - Parameters:
    ///   - plane: the luma plane.
    ///   - chroma: the chroma planes; nil makes a view without colour.
    ///   - format: NV12 or NV21 with one chroma plane, I420 with two.
    ///   - width: pixels of a row, 1...`maximumSide`; may be odd.
    ///   - height: rows, 1...`maximumSide`; may be odd.
    ///   - bytesPerRow: bytes of a luma row, at least `width`.
    ///   - region: the part to examine, at any pixel; nil for all of it.
    ///   - matrix: how luma and chroma become colours. The default is OpenCV's for every video.
    /// - Throws: the argument that does not fit, with its numbers.
    @_lifetime(copy plane, copy chroma)
    public init(
        _ plane: RawSpan, chroma: PixelView.ChromaPlanes?, format: PixelView.Format, width: Int, height: Int,
        bytesPerRow: Int,
        region: PixelView.Region? = nil, matrix: PixelView.ColorMatrix = .bt601
    ) throws(PixelView.FrameError) {
        let sides = 1...Self.maximumSide
        guard sides.contains(width), sides.contains(height) else {
            throw .size(width: width, height: height, maximum: Self.maximumSide)
        }
        let rowBytes = width * format.bytesPerPixel
        guard let required = Self.planeBytes(rows: height, rowBytes: rowBytes, bytesPerRow: bytesPerRow) else {
            throw .bytesPerRow(minimum: rowBytes, found: bytesPerRow)
        }
        guard plane.byteCount >= required else {
            throw .planeTooShort(required: required, found: plane.byteCount)
        }
        try chroma?.check(format, width: width, height: height)
        let region = region ?? PixelView.Region(x: 0, y: 0, width: width, height: height)
        guard Self.fits(region.x, region.width, in: width), Self.fits(region.y, region.height, in: height) else {
            throw .region(region, width: width, height: height)
        }
        self.format = format
        self.width = width
        self.height = height
        self.bytesPerRow = bytesPerRow
        self.region = region
        self.matrix = matrix
        self.plane = plane
        self.chroma = chroma
    }

    /// Bytes from the first to the last sample of a plane; nil if rows overlap or the size overflows.
    static func planeBytes(rows: Int, rowBytes: Int, bytesPerRow: Int) -> Int? {
        let (lastRow, overflow) = bytesPerRow.multipliedReportingOverflow(by: rows - 1)
        let (sum, overflowOfSum) = lastRow.addingReportingOverflow(rowBytes)
        return bytesPerRow >= rowBytes && !overflow && !overflowOfSum ? sum : nil
    }

    /// Whether the frame has colours: true for packed formats, and for planar ones with chroma.
    public var isColor: Bool {
        switch format {
        case .gray8: false
        case .nv12, .nv21, .i420: chroma != nil
        case .yuyv, .bgra, .rgba: true
        }
    }

    /// A view of bytes in an array or any other typed storage.
    /// - Throws: the same as `init(_:format:width:height:bytesPerRow:region:matrix:)`.
    @_lifetime(copy plane)
    public init(
        _ plane: Span<UInt8>, format: PixelView.Format, width: Int, height: Int, bytesPerRow: Int,
        region: PixelView.Region? = nil,
        matrix: PixelView.ColorMatrix = .bt601
    ) throws(PixelView.FrameError) {
        // Bytes have no padding, so all of them may be read.
        let plane = unsafe plane.bytes
        try self.init(
            plane, format: format, width: width, height: height, bytesPerRow: bytesPerRow, region: region,
            matrix: matrix)
    }

    /// A view of memory that a camera interface gives as an address.
    /// - Throws: the same as `init(_:format:width:height:bytesPerRow:region:matrix:)`.
    @unsafe
    @_lifetime(borrow bytes)
    public init(
        unsafeBytes bytes: UnsafeRawBufferPointer, format: PixelView.Format, width: Int, height: Int, bytesPerRow: Int,
        region: PixelView.Region? = nil, matrix: PixelView.ColorMatrix = .bt601
    ) throws(PixelView.FrameError) {
        // The caller guarantees the lifetime, as `unsafe` at the call states.
        let plane = unsafe RawSpan(_unsafeBytes: bytes)
        try self.init(
            plane, format: format, width: width, height: height, bytesPerRow: bytesPerRow, region: region,
            matrix: matrix)
    }

    private static func fits(_ origin: Int, _ length: Int, in side: Int) -> Bool {
        origin >= 0 && length >= 1 && length <= side && origin <= side - length
    }
}
