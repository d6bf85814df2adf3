/// Writes a message in the wire format of protocol buffers.
struct ProtobufWriter {
    private(set) var bytes: [UInt8] = []

    mutating func number(_ field: Int, _ value: Int) {
        varint(UInt64(field << 3))
        varint(UInt64(bitPattern: Int64(value)))
    }

    mutating func float(_ field: Int, _ value: Float) {
        varint(UInt64(field << 3 | 5))
        for shift in stride(from: 0, to: 32, by: 8) {
            bytes.append(UInt8(truncatingIfNeeded: value.bitPattern >> UInt32(shift)))
        }
    }

    mutating func bytes(_ field: Int, _ content: [UInt8]) {
        varint(UInt64(field << 3 | 2))
        varint(UInt64(content.count))
        bytes += content
    }

    mutating func text(_ field: Int, _ text: String) { bytes(field, Array(text.utf8)) }

    mutating func message(_ field: Int, _ write: (inout ProtobufWriter) -> Void) {
        var writer = ProtobufWriter()
        write(&writer)
        bytes(field, writer.bytes)
    }

    private mutating func varint(_ value: UInt64) {
        var rest = value
        while rest > 127 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 128)
            rest >>= 7
        }
        bytes.append(UInt8(truncatingIfNeeded: rest))
    }
}
