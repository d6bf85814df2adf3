/// Why a message in the wire format of protocol buffers was refused; offsets are in the file.
package enum ProtobufFault: Error, Sendable, Equatable {
    /// A number of more than ten bytes or 64 bits.
    case number(offset: Int)
    /// A field with the number 0 or beyond the format's, or of an unknown kind or one that is not read (groups).
    case field(offset: Int)
    /// A field of another kind than the message's definition says.
    case kind(field: Int, offset: Int)
    /// A length beyond the end of the message.
    case length(offset: Int)
    /// A text that is not UTF-8.
    case text(offset: Int)
}

/// The fields of a message in the wire format of protocol buffers, one after the other.
///
/// Nothing is copied: messages inside are ranges of the same bytes.
struct ProtobufReader {
    enum Value: Equatable {
        case number(UInt64)
        case fixed64(UInt64)
        case fixed32(UInt32)
        /// The position of a text, of bytes, of a message or of packed numbers.
        case bytes(Range<Int>)
    }

    struct Field {
        let number: Int
        let value: Value
        /// Of its first byte.
        let offset: Int
    }

    private let bytes: [UInt8]
    private var position: Int
    private let end: Int

    /// Reads a message at `range` of `bytes`.
    init(_ bytes: [UInt8], _ range: Range<Int>) {
        self.bytes = bytes
        position = range.lowerBound
        end = range.upperBound
    }

    /// The next field; nil at the end of the message.
    mutating func next() throws(ProtobufFault) -> Field? {
        guard position < end else { return nil }
        let offset = position
        let tag = try varint()
        let number = tag >> 3
        guard (1...Self.largestField).contains(number) else { throw .field(offset: offset) }
        let value: Value
        switch tag & 7 {
        case 0: value = .number(try varint())
        case 1: value = .fixed64(try fixed(8))
        case 2:
            let count = try varint()
            guard count <= UInt64(end - position) else { throw .length(offset: offset) }
            value = .bytes(position..<position + Int(count))
            position += Int(count)
        case 5: value = .fixed32(UInt32(truncatingIfNeeded: try fixed(4)))
        default: throw .field(offset: offset)
        }
        return Field(number: Int(number), value: value, offset: offset)
    }

    /// The numbers of a field that may be packed, each passed to `body` as its bits.
    /// - Parameter width: bytes of a number of fixed size; 0 for one of variable size.
    static func forEachNumber(
        of field: Field, in bytes: [UInt8], width: Int, _ body: (UInt64) -> Void
    ) throws(ProtobufFault) {
        switch field.value {
        case .number(let number) where width == 0: body(number)
        case .fixed32(let number) where width == 4: body(UInt64(number))
        case .fixed64(let number) where width == 8: body(number)
        case .bytes(let range):
            var reader = ProtobufReader(bytes, range)
            while reader.position < reader.end { body(width == 0 ? try reader.varint() : try reader.fixed(width)) }
        default: throw .kind(field: field.number, offset: field.offset)
        }
    }

    private static let largestField: UInt64 = 1 << 29 - 1

    private mutating func varint() throws(ProtobufFault) -> UInt64 {
        let start = position
        var value: UInt64 = 0
        for index in 0..<10 {
            guard position < end else { throw .length(offset: start) }
            let byte = bytes[position]
            position += 1
            // The tenth byte has the last of 64 bits.
            guard index < 9 || byte <= 1 else { throw .number(offset: start) }
            value |= UInt64(byte & 0x7F) << UInt64(7 * index)
            if byte & 0x80 == 0 { return value }
        }
        throw .number(offset: start)
    }

    private mutating func fixed(_ width: Int) throws(ProtobufFault) -> UInt64 {
        guard end - position >= width else { throw .length(offset: position) }
        defer { position += width }
        return (0..<width).reduce(0) { $0 | UInt64(bytes[position + $1]) << UInt64(8 * $1) }
    }
}

extension ProtobufReader.Field {
    /// The position of a message, of bytes or of a text.
    func range() throws(ProtobufFault) -> Range<Int> {
        guard case .bytes(let range) = value else { throw .kind(field: number, offset: offset) }
        return range
    }

    func text(in bytes: [UInt8]) throws(ProtobufFault) -> String {
        guard let text = String(validating: bytes[try range()], as: UTF8.self) else { throw .text(offset: offset) }
        return text
    }

    /// A signed number of variable size.
    func integer() throws(ProtobufFault) -> Int {
        guard case .number(let bits) = value else { throw .kind(field: number, offset: offset) }
        return Int(truncatingIfNeeded: bits)
    }

    func float() throws(ProtobufFault) -> Float {
        guard case .fixed32(let bits) = value else { throw .kind(field: number, offset: offset) }
        return Float(bitPattern: bits)
    }
}
