extension PixelView.Format {
    /// The format for a four-character code of Core Video: `420v` and `420f` (NV12 in video and full range), `BGRA` and
    /// `L008` (8-bit grey). Nil for all others.
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
    /// A four-character code as characters, or as a number if they cannot be shown.
    static func text(ofCode code: UInt32) -> String {
        let bytes = (0..<4).map { UInt8(truncatingIfNeeded: code >> (24 - 8 * $0)) }
        guard bytes.allSatisfy({ (0x20..<0x7F).contains($0) }) else { return "0x" + String(code, radix: 16) }
        return "'" + String(decoding: bytes, as: UTF8.self) + "'"
    }
}

// Never run on an Apple system; Tools/gates/apple compiles it.
#if canImport(CoreVideo)
    import CoreFoundation
    public import CoreVideo

    /// Calls `body` with a view of a camera's buffer, without a copy. The buffer is locked for reading meanwhile.
    ///
    /// Luma and chroma of `420v` and `420f` become colours by the matrix of the buffer's attachment, or by BT.601
    /// without one.
    /// - Parameter region: the part to examine; nil for all of it.
    /// - Throws: `PixelView.FrameError.pixelFormat` for a format that `PixelView.Format.init(coreVideo:)` does not
    ///   have, `.notLocked`, and the errors of `PixelView`'s initialisers.
    public func withPixelView<Result>(
        of buffer: CVPixelBuffer, region: PixelView.Region? = nil, _ body: (borrowing PixelView) -> Result
    ) throws(PixelView.FrameError) -> Result {
        let code = CVPixelBufferGetPixelFormatType(buffer)
        guard let format = PixelView.Format(coreVideo: code) else { throw .pixelFormat(code) }
        let status = CVPixelBufferLockBaseAddress(buffer, .readOnly)
        guard status == kCVReturnSuccess else { throw .notLocked(code: status) }
        defer { CVPixelBufferUnlockBaseAddress(buffer, .readOnly) }

        let (width, height) = (CVPixelBufferGetWidth(buffer), CVPixelBufferGetHeight(buffer))
        // All memory of the views is in the buffer, which stays locked until `body` has returned.
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
