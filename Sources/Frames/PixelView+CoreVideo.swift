extension PixelView.Format {
    /// The format behind a four-character code of Core Video: `420v` and `420f` (NV12 in video and full range), `BGRA` and
    /// `L008` (8-bit gray). Nil for every other.
    public init?(coreVideo code: UInt32) {
        switch code {
        case 0x3432_3076: self = .nv12(.video)
        case 0x3432_3066: self = .nv12(.full)
        case 0x4247_5241: self = .bgra
        case 0x4C30_3038: self = .gray8
        default: return nil
        }
    }
}

extension PixelView.FrameError {
    /// A four-character code as its characters, or as a number where they cannot be shown.
    static func text(ofCode code: UInt32) -> String {
        let bytes = (0..<4).map { UInt8(truncatingIfNeeded: code >> (24 - 8 * $0)) }
        guard bytes.allSatisfy({ (0x20..<0x7F).contains($0) }) else { return "0x" + String(code, radix: 16) }
        return "'" + String(decoding: bytes, as: UTF8.self) + "'"
    }
}

// Untried: no Apple system has compiled this.
#if canImport(CoreVideo)
    import CoreFoundation
    public import CoreVideo

    /// Lets `body` look at a camera's buffer in place, without a copy. The buffer is locked for reading meanwhile.
    ///
    /// Luma and chroma of `420v` and `420f` become colours by the matrix that the buffer's attachment names, BT.601 where it names
    /// none.
    /// - Parameter region: the part to look at; nil is all of it.
    /// - Throws: `PixelView.FrameError.pixelFormat` for a format other than those of `PixelView.Format.init(coreVideo:)`, `.notLocked`, and
    ///   what the initialisers of `PixelView` throw.
    public func withPixelView<Result>(
        of buffer: CVPixelBuffer, region: PixelView.Region? = nil, _ body: (borrowing PixelView) -> Result
    ) throws(PixelView.FrameError) -> Result {
        let code = CVPixelBufferGetPixelFormatType(buffer)
        guard let format = PixelView.Format(coreVideo: code) else { throw .pixelFormat(code) }
        let status = CVPixelBufferLockBaseAddress(buffer, .readOnly)
        guard status == kCVReturnSuccess else { throw .notLocked(code: status) }
        defer { CVPixelBufferUnlockBaseAddress(buffer, .readOnly) }

        let (width, height) = (CVPixelBufferGetWidth(buffer), CVPixelBufferGetHeight(buffer))
        // All that the views show lies in the buffer, which stays locked until `body` has returned.
        guard CVPixelBufferIsPlanar(buffer) else {
            guard let base = unsafe CVPixelBufferGetBaseAddress(buffer) else { throw .notLocked(code: 0) }
            let row = CVPixelBufferGetBytesPerRow(buffer)
            let plane = unsafe RawSpan(_unsafeStart: base, byteCount: row * height)
            let view = try PixelView(
                plane, format: format, width: width, height: height, bytesPerRow: row, region: region)
            return body(view)
        }
        guard let base = unsafe CVPixelBufferGetBaseAddressOfPlane(buffer, 0),
            let colorBase = unsafe CVPixelBufferGetBaseAddressOfPlane(buffer, 1)
        else { throw .notLocked(code: 0) }
        let row = CVPixelBufferGetBytesPerRowOfPlane(buffer, 0)
        let colorRow = CVPixelBufferGetBytesPerRowOfPlane(buffer, 1)
        let luma = unsafe RawSpan(_unsafeStart: base, byteCount: row * CVPixelBufferGetHeightOfPlane(buffer, 0))
        let color = unsafe RawSpan(
            _unsafeStart: colorBase, byteCount: colorRow * CVPixelBufferGetHeightOfPlane(buffer, 1))
        let view = try PixelView(
            luma, chroma: PixelView.ChromaPlanes(interleaved: color, bytesPerRow: colorRow), format: format,
            width: width,
            height: height, bytesPerRow: row, region: region, matrix: matrix(of: buffer))
        return body(view)
    }

    private func matrix(of buffer: CVPixelBuffer) -> PixelView.ColorMatrix {
        guard let name = CVBufferCopyAttachment(buffer, kCVImageBufferYCbCrMatrixKey, nil) else { return .bt601 }
        return CFEqual(name, kCVImageBufferYCbCrMatrix_ITU_R_709_2) ? .bt709 : .bt601
    }
#endif
