package import Frames
import Vocabulary

/// A picture that a page sends or is sent: a binary message of a header and the pixels, without padding.
///
/// | bytes | value |
/// |---|---|
/// | 0, 1 | `GP` |
/// | 2 | version, 1 |
/// | 3 | format: 1 for RGBA; 2 and 3 for I420, 4 and 5 for NV12, of full range and of video range; 6 for BGRA. With 16 more, luma
/// and chroma are those of BT.709 instead of BT.601 |
/// | 4, 5 | width, 16...4096, little-endian |
/// | 6, 7 | height, 16...4096 |
/// | 8...15 | time in microseconds on the sender's clock, little-endian, below 2^53 |
/// | 16... | RGBA, BGRA: 4 bytes a pixel. I420: luma, then blue and red difference of half the sides, rounded up. NV12: luma, then
/// both differences interleaved |
package struct CameraPicture: Sendable, Equatable {
    package enum Format: UInt8, Sendable {
        case rgba = 1
        case i420 = 2
        case i420Video = 3
        case nv12 = 4
        case nv12Video = 5
        case bgra = 6

        var hasChroma: Bool { self != .rgba && self != .bgra }

        /// Bytes of a picture.
        func byteCount(width: Int, height: Int) -> Int {
            switch self {
            case .rgba, .bgra: 4 * width * height
            case .i420, .i420Video, .nv12, .nv12Video: width * height + 2 * ((width + 1) / 2) * ((height + 1) / 2)
            }
        }
    }

    package let format: Format
    /// Of formats with chroma.
    package let matrix: PixelView.ColorMatrix
    package let width: Int
    package let height: Int
    /// On the sender's clock.
    package let time: Duration
    /// The whole message.
    package let message: [UInt8]

    package static let headerBytes = 16
    package static let sides = 16...4096
    private static let signature = Array("GP".utf8)
    private static let version: UInt8 = 1
    /// The bit of the format's byte.
    private static let bt709: UInt8 = 16
    private static let timeLimit: UInt64 = 1 << 53

    /// Checks a message.
    package init(_ message: [UInt8]) throws(PictureError) {
        guard message.count >= Self.headerBytes else {
            throw .byteCount(message.count, expected: Self.headerBytes)
        }
        guard message.starts(with: Self.signature) else { throw .signature }
        guard message[2] == Self.version else { throw .version(message[2]) }
        let isBT709 = message[3] & Self.bt709 != 0
        guard let format = Format(rawValue: message[3] & ~Self.bt709), format.hasChroma || !isBT709 else {
            throw .format(message[3])
        }
        func number(_ range: Range<Int>) -> UInt64 { message[range].reversed().reduce(0) { $0 << 8 | UInt64($1) } }
        let (width, height, time) = (Int(number(4..<6)), Int(number(6..<8)), number(8..<16))
        guard Self.sides.contains(width), Self.sides.contains(height) else {
            throw .size(width: width, height: height)
        }
        guard time < Self.timeLimit else { throw .time(time) }
        let expected = Self.headerBytes + format.byteCount(width: width, height: height)
        guard message.count == expected else { throw .byteCount(message.count, expected: expected) }
        self.format = format
        matrix = isBT709 ? .bt709 : .bt601
        self.width = width
        self.height = height
        self.time = .microseconds(Int64(time))
        self.message = message
    }

    /// Makes the message of a picture.
    /// - Parameters:
    ///   - time: not negative.
    ///   - pixels: as many bytes as format and size ask for.
    package init(_ format: Format, width: Int, height: Int, time: Duration, pixels: [UInt8]) {
        precondition(pixels.count == format.byteCount(width: width, height: height))
        let fields = [(UInt64(width), 2), (UInt64(height), 2), (UInt64(max(0, microseconds(time))), 8)]
        let numbers = fields.flatMap { value, bytes in (0..<UInt64(bytes)).map { UInt8(value >> (8 * $0) & 0xFF) } }
        self.format = format
        matrix = .bt601
        (self.width, self.height, self.time) = (width, height, time)
        message = Self.signature + [Self.version, format.rawValue] + numbers + pixels
    }

    /// The picture for the engine.
    @_lifetime(borrow self)
    package func pixelView() throws(PixelView.FrameError) -> PixelView {
        // All bytes of the array are initialised, so all may be read raw.
        let pixels = unsafe message.span.bytes.extracting(droppingFirst: Self.headerBytes)
        let luma = PixelView.LumaRange(isVideo: format == .i420Video || format == .nv12Video)
        switch format {
        case .rgba, .bgra:
            return try PixelView(
                pixels, format: format == .rgba ? .rgba : .bgra, width: width, height: height, bytesPerRow: 4 * width)
        case .i420, .i420Video:
            let chroma = pixels.extracting(droppingFirst: width * height)
            let planes = PixelView.ChromaPlanes(
                blue: chroma.extracting(first: chroma.byteCount / 2),
                red: chroma.extracting(last: chroma.byteCount / 2),
                bytesPerRow: (width + 1) / 2)
            return try PixelView(
                pixels, chroma: planes, format: .i420(luma), width: width, height: height, bytesPerRow: width,
                matrix: matrix)
        case .nv12, .nv12Video:
            let planes = PixelView.ChromaPlanes(
                interleaved: pixels.extracting(droppingFirst: width * height), bytesPerRow: (width + 1) / 2 * 2)
            return try PixelView(
                pixels, chroma: planes, format: .nv12(luma), width: width, height: height, bytesPerRow: width,
                matrix: matrix)
        }
    }
}

extension PixelView.LumaRange {
    fileprivate init(isVideo: Bool) { self = isVideo ? .video : .full }
}

/// Why a picture is refused.
package enum PictureError: Error, Sendable, Equatable {
    /// Too few bytes for a header, or not those that size and format ask for.
    case byteCount(Int, expected: Int)
    case signature
    case version(UInt8)
    case format(UInt8)
    case size(width: Int, height: Int)
    case time(UInt64)

    package var sentence: String {
        switch self {
        case .byteCount(let found, let expected): "The picture has \(found) bytes instead of \(expected)."
        case .signature: "The message is not a picture."
        case .version(let version): "The picture's version is \(version); 1 is needed."
        case .format(let format): "The picture's format is \(format); 1 to 6 and 18 to 21 are known."
        case .size(let width, let height):
            "The picture has \(width)x\(height) pixels; its sides must be from 16 to 4096."
        case .time(let time): "The picture's time is \(time) microseconds; it must be below 2^53."
        }
    }
}
