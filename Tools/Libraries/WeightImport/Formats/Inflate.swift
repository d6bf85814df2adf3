/// Decompresses DEFLATE streams without a container, as zip archives have them (RFC 1951).
///
/// The caller states the size of the result. A stream that gives more, less, or ends before its own end is refused, and
/// memory for the result is never more than that size.
package enum Inflate {
    /// Why a stream was refused.
    package enum Fault: Error, Sendable, Equatable {
        /// The stream ends inside a block.
        case ended
        /// A block of the reserved kind.
        case blockKind
        /// The two copies of a stored block's length disagree.
        case storedLength
        /// The lengths of a Huffman code's words are no code.
        case codeLengths
        /// Bits that are no word of the code, or a symbol without meaning.
        case symbol
        /// A copy from before the first byte.
        case distance
        /// The result has another size than stated.
        case size(expected: Int, found: Int)
        /// Bytes follow the last block.
        case trailingBytes(Int)
    }

    /// The largest possible size of the result by the size of the stream: a word of one bit can copy 258 bytes from a
    /// distance whose word also has one bit.
    package static let largestRatio = 1032

    /// The bytes of `stream`, which must be exactly `count`.
    package static func bytes(_ stream: ArraySlice<UInt8>, count: Int) throws(Fault) -> [UInt8] {
        var inflater = Inflater(stream, count: count)
        try inflater.run()
        return inflater.output
    }
}

private struct Inflater {
    private var bits: BitReader
    private let count: Int
    private(set) var output: [UInt8] = []

    init(_ stream: ArraySlice<UInt8>, count: Int) {
        bits = BitReader(stream)
        self.count = count
        output.reserveCapacity(count)
    }

    mutating func run() throws(Inflate.Fault) {
        var isLast = false
        while !isLast {
            isLast = try bits.take(1) == 1
            switch try bits.take(2) {
            case 0: try stored()
            case 1: try block(Self.fixedLiterals, Self.fixedDistances)
            case 2:
                let (literals, distances) = try codes()
                try block(literals, distances)
            default: throw .blockKind
            }
        }
        guard output.count == count else { throw .size(expected: count, found: output.count) }
        guard bits.wholeBytesLeft == 0 else { throw .trailingBytes(bits.wholeBytesLeft) }
    }

    private mutating func stored() throws(Inflate.Fault) {
        bits.skipToByte()
        let length = try bits.take(16)
        guard try bits.take(16) == length ^ 0xFFFF else { throw .storedLength }
        try require(length)
        for _ in 0..<length { output.append(UInt8(truncatingIfNeeded: try bits.take(8))) }
    }

    private mutating func block(_ literals: HuffmanCode, _ distances: HuffmanCode) throws(Inflate.Fault) {
        while true {
            let symbol = try literals.next(&bits)
            if symbol < 256 {
                try require(1)
                output.append(UInt8(truncatingIfNeeded: symbol))
                continue
            }
            guard symbol > 256 else { return }
            guard symbol - 257 < Self.lengths.count else { throw .symbol }
            let (shortest, lengthBits) = Self.lengths[symbol - 257]
            let length = shortest + (try bits.take(lengthBits))
            let distanceSymbol = try distances.next(&bits)
            guard distanceSymbol < Self.distances.count else { throw .symbol }
            let (nearest, distanceBits) = Self.distances[distanceSymbol]
            let distance = nearest + (try bits.take(distanceBits))
            guard distance <= output.count else { throw .distance }
            try require(length)
            // Byte by byte: a copy may read what it has just written.
            for _ in 0..<length { output.append(output[output.count - distance]) }
        }
    }

    /// Refuses to add bytes beyond the stated size.
    private func require(_ more: Int) throws(Inflate.Fault) {
        guard output.count + more <= count else { throw .size(expected: count, found: output.count + more) }
    }

    /// The two codes at the beginning of a block (section 3.2.7).
    private mutating func codes() throws(Inflate.Fault) -> (literals: HuffmanCode, distances: HuffmanCode) {
        let literalCount = 257 + (try bits.take(5))
        let distanceCount = 1 + (try bits.take(5))
        let lengthCount = 4 + (try bits.take(4))
        guard literalCount <= 286, distanceCount <= 30 else { throw .codeLengths }
        var lengthLengths = [UInt8](repeating: 0, count: 19)
        for index in 0..<lengthCount {
            lengthLengths[Self.lengthOrder[index]] = UInt8(truncatingIfNeeded: try bits.take(3))
        }
        let lengthCode = try HuffmanCode(lengthLengths[...], mayBeIncomplete: false)
        var lengths: [UInt8] = []
        while lengths.count < literalCount + distanceCount {
            let symbol = try lengthCode.next(&bits)
            let (value, repetitions): (UInt8, Int)
            switch symbol {
            case 16:
                guard let last = lengths.last else { throw .codeLengths }
                (value, repetitions) = (last, 3 + (try bits.take(2)))
            case 17: (value, repetitions) = (0, 3 + (try bits.take(3)))
            case 18: (value, repetitions) = (0, 11 + (try bits.take(7)))
            default: (value, repetitions) = (UInt8(truncatingIfNeeded: symbol), 1)
            }
            guard lengths.count + repetitions <= literalCount + distanceCount else { throw .codeLengths }
            for _ in 0..<repetitions { lengths.append(value) }
        }
        // Without a word for the end a block could not end.
        guard lengths[256] > 0 else { throw .codeLengths }
        return (
            try HuffmanCode(lengths[..<literalCount], mayBeIncomplete: true),
            try HuffmanCode(lengths[literalCount...], mayBeIncomplete: true)
        )
    }

    private static let lengthOrder = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]

    /// The shortest copy of each symbol from 257 on, and the bits that are added to it (section 3.2.5).
    private static let lengths: [(Int, Int)] = {
        var table: [(Int, Int)] = []
        var length = 3
        for symbol in 0..<28 {
            let extra = symbol < 8 ? 0 : symbol / 4 - 1
            table.append((length, extra))
            length += 1 << extra
        }
        return table + [(258, 0)]
    }()

    /// The nearest distance of each symbol, and the bits that are added to it.
    private static let distances: [(Int, Int)] = {
        var table: [(Int, Int)] = []
        var distance = 1
        for symbol in 0..<30 {
            let extra = symbol < 4 ? 0 : symbol / 2 - 1
            table.append((distance, extra))
            distance += 1 << extra
        }
        return table
    }()

    private static let fixedLiterals = HuffmanCode(
        complete: (0..<288).map { symbol in symbol < 144 ? 8 : symbol < 256 ? 9 : symbol < 280 ? 7 : 8 })
    private static let fixedDistances = HuffmanCode(complete: [UInt8](repeating: 5, count: 32))
}

/// Bits of a stream, the lowest of each byte first.
private struct BitReader {
    private let bytes: ArraySlice<UInt8>
    private var position: Int
    private var buffer: UInt64 = 0
    private(set) var available = 0

    init(_ bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
        position = bytes.startIndex
    }

    /// Bytes that have not been read; up to seven bits of the last one read do not count.
    var wholeBytesLeft: Int { bytes.endIndex - position + available / 8 }

    /// The next bits, at least 15 unless the stream ends, the first one lowest; zeros after the end.
    mutating func peek() -> UInt64 {
        while available <= 56, position < bytes.endIndex {
            buffer |= UInt64(bytes[position]) << UInt64(available)
            available += 8
            position += 1
        }
        return buffer
    }

    mutating func skip(_ count: Int) throws(Inflate.Fault) {
        guard count <= available else { throw .ended }
        buffer >>= UInt64(count)
        available -= count
    }

    /// The next `count` bits, at most 16, as a number.
    mutating func take(_ count: Int) throws(Inflate.Fault) -> Int {
        let value = Int(truncatingIfNeeded: peek() & (1 << UInt64(count) - 1))
        try skip(count)
        return value
    }

    /// Leaves out the rest of a byte that has been read in part.
    mutating func skipToByte() {
        buffer >>= UInt64(available % 8)
        available -= available % 8
    }
}

/// A canonical Huffman code: words of one length are consecutive numbers in the order of their symbols, and words of
/// the next length follow (section 3.2.2).
private struct HuffmanCode {
    /// For the next bits: the symbol times 16 plus the word's length; 0 if the word is longer than the index.
    private let table: [UInt16]
    private let tableBits: Int
    /// The number of words of each length.
    private let counts: [Int]
    /// The symbols in the order of their words.
    private let symbols: [UInt16]

    private static let longestWord = 15
    /// Longer words are rare; a larger table would take longer to fill than it saves.
    private static let longestTable = 9

    /// - Parameter mayBeIncomplete: whether a code of no word, or of one word of one bit, is allowed.
    init(_ lengths: ArraySlice<UInt8>, mayBeIncomplete: Bool) throws(Inflate.Fault) {
        var counts = [Int](repeating: 0, count: Self.longestWord + 1)
        for length in lengths { counts[Int(length)] += 1 }
        let used = lengths.count - counts[0]
        counts[0] = 0
        // The words of a length that are free once shorter words have taken theirs.
        var free = 1
        for length in 1...Self.longestWord {
            free = free * 2 - counts[length]
            guard free >= 0 else { throw .codeLengths }
        }
        guard free == 0 || mayBeIncomplete && (used == 0 || used == 1 && counts[1] == 1) else { throw .codeLengths }
        self.init(lengths: lengths, counts: counts)
    }

    /// A code of which it is known that every sequence of bits is one of its words.
    init(complete lengths: [UInt8]) {
        var counts = [Int](repeating: 0, count: Self.longestWord + 1)
        for length in lengths { counts[Int(length)] += 1 }
        self.init(lengths: lengths[...], counts: counts)
    }

    private init(lengths: ArraySlice<UInt8>, counts: [Int]) {
        self.counts = counts
        // The first word of each length, and the place of its symbol.
        var words = [Int](repeating: 0, count: Self.longestWord + 2)
        var places = words
        for length in 1...Self.longestWord {
            words[length + 1] = (words[length] + counts[length]) << 1
            places[length + 1] = places[length] + counts[length]
        }
        let tableBits = min(Self.longestTable, counts.lastIndex { $0 > 0 } ?? 1)
        var table = [UInt16](repeating: 0, count: 1 << tableBits)
        var symbols = [UInt16](repeating: 0, count: counts.reduce(0, +))
        for (symbol, length) in lengths.enumerated() where length > 0 {
            let length = Int(length)
            symbols[places[length]] = UInt16(truncatingIfNeeded: symbol)
            places[length] += 1
            let word = words[length]
            words[length] += 1
            guard length <= tableBits else { continue }
            // A word's first bit is its highest, but the stream's first bit is the index's lowest.
            let first = (0..<length).reduce(0) { $0 | (word >> $1 & 1) << (length - 1 - $1) }
            for index in stride(from: first, to: table.count, by: 1 << length) {
                table[index] = UInt16(truncatingIfNeeded: symbol << 4 | length)
            }
        }
        self.table = table
        self.tableBits = tableBits
        self.symbols = symbols
    }

    /// The symbol of the next word.
    func next(_ bits: inout BitReader) throws(Inflate.Fault) -> Int {
        let window = bits.peek()
        let entry = table[Int(truncatingIfNeeded: window) & (table.count - 1)]
        if entry != 0 {
            try bits.skip(Int(entry & 15))
            return Int(entry >> 4)
        }
        var (word, first, place) = (0, 0, 0)
        for length in 1...Self.longestWord {
            word |= Int(truncatingIfNeeded: window >> UInt64(length - 1) & 1)
            let index = word - first
            if index < counts[length] {
                try bits.skip(length)
                return Int(symbols[place + index])
            }
            place += counts[length]
            first = (first + counts[length]) << 1
            word <<= 1
        }
        throw bits.available < Self.longestWord ? .ended : .symbol
    }
}
