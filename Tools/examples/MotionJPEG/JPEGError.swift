/// Why a JPEG image is refused.
package enum JPEGError: Error, Sendable, Equatable {
    /// The bytes do not begin as a JPEG image does.
    case noImage
    /// The bytes end before the image does.
    case truncated
    /// Between two segments is a byte that begins none.
    case noMarker(UInt8)
    /// A segment's length or one of its values is not allowed; the marker says which segment.
    case segment(marker: UInt8)
    /// The image is progressive, lossless or arithmetically coded; the marker says which.
    case process(marker: UInt8)
    /// Samples have other than 8 bits.
    case precision(Int)
    /// A side is 0 or too long, or the area too large.
    case size(width: Int, height: Int)
    /// The image has other than one or three components.
    case components(Int)
    /// Chroma is coarser than luma by other factors than 1 and 2, or finer.
    case sampling
    /// The components come in several scans.
    case scans
    /// The scan names a table that the image does not bring.
    case noTable
    /// The bits are no Huffman code, or more coefficients than a block has.
    case code
    /// A restart marker is missing.
    case restart
}

extension JPEGError: CustomStringConvertible {
    /// A sentence that says what is wrong.
    package var description: String {
        func hexadecimal(_ byte: UInt8) -> String { "0x" + String(byte, radix: 16, uppercase: true) }
        return switch self {
        case .noImage: "The frame is no JPEG image."
        case .truncated: "The JPEG image ends too early."
        case .noMarker(let byte): "The JPEG image has \(hexadecimal(byte)) where a segment should begin."
        case .segment(let marker): "The JPEG segment \(hexadecimal(marker)) has an impossible length or value."
        case .process(let marker): "The JPEG image is of kind \(hexadecimal(marker)); only baseline images are decoded."
        case .precision(let bits): "The JPEG image has \(bits) bits a sample; 8 are needed."
        case .size(let width, let height):
            "The JPEG image has \(width)x\(height) pixels; sides from 1 to \(JPEGDecoder.longestSide) and at most "
                + "\(JPEGDecoder.mostPixels) pixels are accepted."
        case .components(let count): "The JPEG image has \(count) components; 1 or 3 are needed."
        case .sampling: "The JPEG image's chroma is neither as fine as luma nor half as fine."
        case .scans: "The JPEG image's components come one after the other; they must be interleaved."
        case .noTable: "The JPEG image names a table that it does not bring."
        case .code: "The JPEG image's bits are no code of its tables."
        case .restart: "The JPEG image lacks a restart marker."
        }
    }
}
