/// The bits of a scan, up to the next marker. After the last bit come zeros, which `isExhausted` reports once they are used.
struct EntropyReader {
    private let bytes: [UInt8]
    /// The next byte that is not in `bits` yet.
    private var position: Int
    /// The next bits, from the highest one on.
    private var bits: UInt64 = 0
    private var count = 0
    /// Bits at the end of `bits` that the scan does not have.
    private var padding = 0

    init(_ bytes: [UInt8], at position: Int) {
        self.bytes = bytes
        self.position = position
    }

    /// Whether more bits were taken than there are.
    var isExhausted: Bool { count < padding }

    private mutating func fill() {
        while count <= 56 {
            var byte: UInt8 = 0
            if position < bytes.count, bytes[position] != 0xFF {
                byte = bytes[position]
                position += 1
            } else if position + 1 < bytes.count, bytes[position + 1] == 0 {
                // A byte of 0xFF is followed by a zero, which tells it from a marker.
                byte = 0xFF
                position += 2
            } else {
                padding += 8
            }
            bits |= UInt64(byte) << UInt64(56 - count)
            count += 8
        }
    }

    private mutating func skip(_ length: Int) {
        bits <<= UInt64(length)
        count -= length
    }

    /// The next symbol.
    mutating func symbol(_ table: HuffmanTable) throws(JPEGError) -> UInt8 {
        // Enough for a code and its value.
        if count < 32 { fill() }
        guard let (symbol, length) = table.symbol(UInt32(bits >> 48)) else { throw isExhausted ? .truncated : .code }
        skip(length)
        return symbol
    }

    /// The value of 1 to 15 bits after a symbol (T.81, figure F.12): without its first bit it is negative.
    mutating func value(_ length: Int) -> Int32 {
        let value = Int32(bits >> UInt64(64 - length))
        skip(length)
        return value < 1 << (length - 1) ? value - 1 << length + 1 : value
    }

    /// Goes on after a restart marker.
    mutating func restart() throws(JPEGError) {
        // Whole bytes that were not used: the marker is not where it should be.
        guard count - padding < 8 else { throw .restart }
        while position + 1 < bytes.count, bytes[position] == 0xFF, bytes[position + 1] == 0xFF { position += 1 }
        guard position + 1 < bytes.count else { throw .truncated }
        guard bytes[position] == 0xFF, 0xD0...0xD7 ~= bytes[position + 1] else { throw .restart }
        position += 2
        (bits, count, padding) = (0, 0, 0)
    }
}
