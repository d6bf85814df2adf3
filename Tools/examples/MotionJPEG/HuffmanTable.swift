/// A Huffman table of JPEG: canonical codes of 1 to 16 bits (ITU-T T.81, annex C).
struct HuffmanTable: Sendable {
    private static let fastBits = 9

    /// For each beginning of `fastBits` bits: the code's length times 256, and its symbol; 0 for a longer code.
    private var fast = [UInt16](repeating: 0, count: 1 << fastBits)
    /// For each length: the first 16 bits that no code of this length or a shorter one begins.
    private var limits = [UInt32](repeating: 0, count: 17)
    /// For each length: what leads from a code to its symbol's index.
    private var offsets = [Int](repeating: 0, count: 17)
    private let symbols: [UInt8]

    /// - Parameters:
    ///   - counts: 16 numbers of codes, from those of 1 bit to those of 16.
    ///   - symbols: in the order of the codes.
    /// - Returns: nil if there are more codes than bits allow, or another number of symbols.
    init?(counts: [UInt8], symbols: [UInt8]) {
        guard counts.count == 16, symbols.count == counts.reduce(0, { $0 + Int($1) }) else { return nil }
        self.symbols = symbols
        var code = 0
        var index = 0
        for length in 1...16 {
            offsets[length] = index - code
            for _ in 0..<counts[length - 1] {
                guard code < 1 << length else { return nil }
                if length <= Self.fastBits {
                    let first = code << (Self.fastBits - length)
                    for entry in first..<first + 1 << (Self.fastBits - length) {
                        fast[entry] = UInt16(length) << 8 | UInt16(symbols[index])
                    }
                }
                code += 1
                index += 1
            }
            limits[length] = UInt32(code) << (16 - length)
            code <<= 1
        }
    }

    /// The symbol and the length of the code at the beginning of 16 bits; nil if they begin with none.
    func symbol(_ bits: UInt32) -> (symbol: UInt8, length: Int)? {
        let entry = fast[Int(bits >> (16 - UInt32(Self.fastBits)))]
        if entry != 0 { return (UInt8(truncatingIfNeeded: entry), Int(entry >> 8)) }
        var length = Self.fastBits + 1
        while length <= 16 {
            if bits < limits[length] {
                let index = Int(bits >> UInt32(16 - length)) + offsets[length]
                return symbols.indices.contains(index) ? (symbols[index], length) : nil
            }
            length += 1
        }
        return nil
    }
}

extension HuffmanTable {
    /// The tables of annex K.3, which cameras leave out: luminance, then chrominance.
    static let standardDC = [
        make([0, 1, 5, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0], Array(0...11)),
        make([0, 3, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0], Array(0...11)),
    ]

    static let standardAC = [
        make(
            [0, 2, 1, 3, 3, 2, 4, 3, 5, 5, 4, 4, 0, 0, 1, 125],
            [
                0x01, 0x02, 0x03, 0x00, 0x04, 0x11, 0x05, 0x12, 0x21, 0x31, 0x41, 0x06, 0x13, 0x51, 0x61, 0x07, 0x22,
                0x71, 0x14, 0x32, 0x81, 0x91, 0xA1, 0x08, 0x23, 0x42, 0xB1, 0xC1, 0x15, 0x52, 0xD1, 0xF0, 0x24, 0x33,
                0x62, 0x72, 0x82, 0x09, 0x0A, 0x16, 0x17, 0x18, 0x19, 0x1A, 0x25, 0x26, 0x27, 0x28, 0x29, 0x2A,
            ] + rows([(0x34, 7), (0x43, 8), (0x53, 8), (0x63, 8), (0x73, 8), (0x83, 8), (0x92, 9), (0xA2, 9)])
                + rows([(0xB2, 9), (0xC2, 9), (0xD2, 9), (0xE1, 10), (0xF1, 10)])),
        make(
            [0, 2, 1, 2, 4, 4, 3, 4, 7, 5, 4, 4, 0, 1, 2, 119],
            [
                0x00, 0x01, 0x02, 0x03, 0x11, 0x04, 0x05, 0x21, 0x31, 0x06, 0x12, 0x41, 0x51, 0x07, 0x61, 0x71, 0x13,
                0x22, 0x32, 0x81, 0x08, 0x14, 0x42, 0x91, 0xA1, 0xB1, 0xC1, 0x09, 0x23, 0x33, 0x52, 0xF0, 0x15, 0x62,
                0x72, 0xD1, 0x0A, 0x16, 0x24, 0x34, 0xE1, 0x25, 0xF1, 0x17, 0x18, 0x19, 0x1A, 0x26, 0x27, 0x28, 0x29,
                0x2A,
            ] + rows([(0x35, 6), (0x43, 8), (0x53, 8), (0x63, 8), (0x73, 8), (0x82, 9), (0x92, 9), (0xA2, 9)])
                + rows([(0xB2, 9), (0xC2, 9), (0xD2, 9), (0xE2, 9), (0xF2, 9)])),
    ]

    private static func rows(_ runs: [(first: UInt8, count: UInt8)]) -> [UInt8] {
        runs.flatMap { run in run.first..<run.first + run.count }
    }

    private static func make(_ counts: [UInt8], _ symbols: [UInt8]) -> HuffmanTable {
        guard let table = HuffmanTable(counts: counts, symbols: symbols) else {
            preconditionFailure("the standard's own tables are complete")
        }
        return table
    }
}
