/// Parses a YUV4MPEG2 stream as its bytes arrive, in pieces of any size, from a file or a program.
///
/// It holds only the pixels of one frame and the line being read. A frame is complete when its last byte has arrived.
package struct Y4MStream: ~Copyable {
    private enum State {
        case header
        case frameLine
        case luma(filled: Int)
        case chroma(left: Int)
    }

    private(set) var header: Y4MHeader?
    private let planes: ClipFrame.Planes
    /// The latest completed frame; nil before the header.
    var frame: ClipFrame?
    /// Frames completed.
    private(set) var frameCount = 0
    private var state = State.header
    private var line: [UInt8] = []

    /// A stream of luma and chroma.
    package init() { self.init(planes: .lumaAndChroma) }

    init(planes: ClipFrame.Planes) { self.planes = planes }

    /// Processes bytes from `offset` on, up to the end of a frame or of the bytes.
    /// - Parameter offset: moved past the bytes used.
    /// - Returns: whether a frame was completed, which `frame` then holds. If false, all bytes are used.
    package mutating func consume(_ bytes: RawSpan, from offset: inout Int) throws(Y4MError) -> Bool {
        while offset < bytes.byteCount {
            switch state {
            case .header:
                guard try takeLine(bytes, from: &offset) else { return false }
                let header = try Y4MHeader(line: line)
                self.header = header
                frame = ClipFrame(header, planes: planes)
                beginLine()
            case .frameLine:
                guard try takeLine(bytes, from: &offset) else { return false }
                // Parameters of a frame (interlacing, comments) have no effect here.
                guard line == Self.frameSignature || line.starts(with: Self.frameWithParameters) else {
                    throw .frameSignature(frame: frameCount)
                }
                state = .luma(filled: 0)
            case .luma(let filled):
                takeLuma(bytes, from: &offset, filled: filled)
            case .chroma(let left):
                takeChroma(bytes, from: &offset, left: left)
            }
            if case .chroma(left: 0) = state {
                frame?.complete()
                frameCount += 1
                beginLine()
                return true
            }
        }
        return false
    }

    /// Declares the end of the stream.
    /// - Throws: if the stream ends inside the header or a frame.
    package func finish() throws(Y4MError) {
        switch state {
        case .header:
            guard line.starts(with: Y4MHeader.signature.prefix(line.count)) else { throw .signature }
            throw .truncatedHeader(found: line.count)
        case .frameLine:
            guard line.isEmpty else {
                let known = line.prefix(Self.frameSignature.count)
                guard Self.frameSignature.starts(with: known) else { throw .frameSignature(frame: frameCount) }
                throw .truncatedFrame(frame: frameCount, expected: frameBytes, found: 0)
            }
        case .luma(let filled):
            throw .truncatedFrame(frame: frameCount, expected: frameBytes, found: filled)
        case .chroma(let left):
            throw .truncatedFrame(frame: frameCount, expected: frameBytes, found: frameBytes - left)
        }
    }

    /// Lends the latest completed frame, after `consume` has returned true.
    package mutating func withFrame(_ body: (borrowing ClipFrame) -> Void) {
        guard frame != nil else { return }
        body(frame!)
    }

    private static let frameSignature = Array("FRAME".utf8)
    private static let frameWithParameters = Array("FRAME ".utf8)

    private var frameBytes: Int { header.map { $0.lumaBytes + $0.chromaBytes } ?? 0 }

    private mutating func beginLine() {
        line.removeAll(keepingCapacity: true)
        state = .frameLine
    }

    /// - Returns: whether the line is complete; its line end is consumed and not kept.
    private mutating func takeLine(_ bytes: RawSpan, from offset: inout Int) throws(Y4MError) -> Bool {
        while offset < bytes.byteCount {
            let byte = bytes.byte(at: offset)
            offset += 1
            if byte == UInt8(ascii: "\n") { return true }
            guard line.count < Y4MHeader.longestLine else {
                throw .lineTooLong(frame: header == nil ? nil : frameCount, limit: Y4MHeader.longestLine)
            }
            line.append(byte)
            // Data in another format is rejected at once, not after four thousand bytes.
            if header == nil, line.count <= Y4MHeader.signature.count {
                guard Y4MHeader.signature[line.count - 1] == byte else { throw .signature }
            }
        }
        return false
    }

    private mutating func takeLuma(_ bytes: RawSpan, from offset: inout Int, filled: Int) {
        guard let header else { return }
        let taken = min(header.lumaBytes - filled, bytes.byteCount - offset)
        frame?.storeLuma(bytes.extracting(offset..<(offset + taken)), at: filled)
        offset += taken
        let now = filled + taken
        state = now == header.lumaBytes ? .chroma(left: header.chromaBytes) : .luma(filled: now)
    }

    private mutating func takeChroma(_ bytes: RawSpan, from offset: inout Int, left: Int) {
        guard let header else { return }
        let taken = min(left, bytes.byteCount - offset)
        frame?.storeChroma(bytes.extracting(offset..<(offset + taken)), at: header.chromaBytes - left)
        offset += taken
        state = .chroma(left: left - taken)
    }
}

extension RawSpan {
    /// One byte, bounds-checked.
    func byte(at offset: Int) -> UInt8 {
        unsafe unsafeLoad(fromByteOffset: offset, as: UInt8.self)
    }
}
