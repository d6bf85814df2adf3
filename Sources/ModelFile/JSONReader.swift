/// A strict pull reader of JSON (RFC 8259) over bytes in memory.
///
/// The caller asks for the value that must come next, so only what a schema needs is built, and integers never pass
/// through a `Double`. Objects are read with `beginObject` and `nextKey` until nil, arrays with `beginArray` and
/// `nextElement` until false. Every failure is `ModelFileError.syntax` with the offset of the byte in question. The
/// caller refuses duplicate keys, because it stores the keys anyway.
package struct JSONReader {
    /// Maximum number of nested objects and arrays.
    package static let maximumDepth = 64

    private let bytes: [UInt8]
    private let end: Int
    /// For each open container, whether its first member has not been read yet.
    private var open: [Bool] = []
    /// Offset of the next byte to read.
    package private(set) var offset: Int

    /// Reads `bytes[range]`, by default everything. `range` must be within `bytes`.
    package init(_ bytes: [UInt8], in range: Range<Int>? = nil) {
        let range = range ?? 0..<bytes.count
        precondition(range.lowerBound >= 0 && range.upperBound <= bytes.count)
        self.bytes = bytes
        offset = range.lowerBound
        end = range.upperBound
    }

    // MARK: Containers

    package mutating func beginObject() throws(ModelFileError) {
        try begin(UInt8(ascii: "{"))
    }

    /// The key of the next member, with the reader before its value; nil after the object's closing brace.
    package mutating func nextKey() throws(ModelFileError) -> String? {
        guard try advance(closing: UInt8(ascii: "}")) else { return nil }
        try expect(UInt8(ascii: "\""))
        let key = try stringAfterQuote()
        try expect(UInt8(ascii: ":"))
        return key
    }

    package mutating func beginArray() throws(ModelFileError) {
        try begin(UInt8(ascii: "["))
    }

    /// True with the reader before the next element, false after the array's closing bracket.
    package mutating func nextElement() throws(ModelFileError) -> Bool {
        try advance(closing: UInt8(ascii: "]"))
    }

    /// Throws unless only spaces follow, with which safetensors pads its header.
    package mutating func finish() throws(ModelFileError) {
        while offset < end {
            guard bytes[offset] == 0x20 else { throw fault(.trailingContent) }
            offset += 1
        }
    }

    /// Throws unless only white space follows, as a whole JSON text allows.
    package mutating func finishText() throws(ModelFileError) {
        skipWhitespace()
        guard offset == end else { throw fault(.trailingContent) }
    }

    // MARK: Values

    package mutating func string() throws(ModelFileError) -> String {
        try expectValue(UInt8(ascii: "\""))
        return try stringAfterQuote()
    }

    /// Whether a string follows.
    package mutating func isString() -> Bool {
        skipWhitespace()
        return offset < end && bytes[offset] == UInt8(ascii: "\"")
    }

    /// Whether an object follows.
    package mutating func isObject() -> Bool {
        skipWhitespace()
        return offset < end && bytes[offset] == UInt8(ascii: "{")
    }

    private mutating func stringAfterQuote() throws(ModelFileError) -> String {
        let start = offset
        while offset < end {
            switch bytes[offset] {
            case UInt8(ascii: "\""):
                let text = try decode(bytes[start..<offset], at: start)
                offset += 1
                return text
            case UInt8(ascii: "\\"):
                return try stringWithEscapes(from: start)
            case 0x00..<0x20:
                throw fault(.unexpectedByte(bytes[offset]))
            default:
                offset += 1
            }
        }
        throw fault(.unexpectedEnd)
    }

    /// An integer from 0 to `Int.max`, written without sign, fraction or exponent.
    package mutating func integer() throws(ModelFileError) -> Int {
        skipWhitespace()
        let start = offset
        if offset < end, bytes[offset] == UInt8(ascii: "-") { throw fault(.notAnInteger) }
        var value = 0
        while let digit = digit() {
            let (product, productOverflow) = value.multipliedReportingOverflow(by: 10)
            let (sum, sumOverflow) = product.addingReportingOverflow(digit)
            guard !productOverflow, !sumOverflow else { throw fault(.notAnInteger, at: start) }
            value = sum
            offset += 1
        }
        guard offset > start else { throw unexpectedValue() }
        if offset - start > 1, bytes[start] == UInt8(ascii: "0") { throw fault(.invalidNumber, at: start) }
        if offset < end, [UInt8(ascii: "."), UInt8(ascii: "e"), UInt8(ascii: "E")].contains(bytes[offset]) {
            throw fault(.notAnInteger, at: start)
        }
        return value
    }

    package mutating func boolean() throws(ModelFileError) -> Bool {
        skipWhitespace()
        guard offset < end else { throw fault(.unexpectedEnd) }
        let value = bytes[offset] == UInt8(ascii: "t")
        guard value || bytes[offset] == UInt8(ascii: "f") else { throw unexpectedValue() }
        try literal(value ? "true" : "false")
        return value
    }

    /// A number of any form, to the nearest double.
    package mutating func number() throws(ModelFileError) -> Double {
        skipWhitespace()
        let start = offset
        try skipNumber()
        guard let value = Double(String(decoding: bytes[start..<offset], as: UTF8.self)) else {
            throw fault(.invalidNumber, at: start)
        }
        return value
    }

    /// Reads past `null`. False, with the reader where it was, if something else follows.
    package mutating func skipNull() throws(ModelFileError) -> Bool {
        skipWhitespace()
        guard offset < end, bytes[offset] == UInt8(ascii: "n") else { return false }
        try literal("null")
        return true
    }

    /// Reads past one value of any kind, checking its grammar.
    package mutating func skipValue() throws(ModelFileError) {
        skipWhitespace()
        guard offset < end else { throw fault(.unexpectedEnd) }
        switch bytes[offset] {
        case UInt8(ascii: "{"):
            try beginObject()
            while try nextKey() != nil { try skipValue() }
        case UInt8(ascii: "["):
            try beginArray()
            while try nextElement() { try skipValue() }
        case UInt8(ascii: "\""): _ = try string()
        case UInt8(ascii: "t"): try literal("true")
        case UInt8(ascii: "f"): try literal("false")
        case UInt8(ascii: "n"): try literal("null")
        default: try skipNumber()
        }
    }

    // MARK: Structure

    private mutating func begin(_ bracket: UInt8) throws(ModelFileError) {
        try expectValue(bracket)
        guard open.count < Self.maximumDepth else { throw fault(.tooDeep, at: offset - 1) }
        open.append(true)
    }

    private mutating func advance(closing bracket: UInt8) throws(ModelFileError) -> Bool {
        precondition(!open.isEmpty, "no container is open")
        skipWhitespace()
        guard offset < end else { throw fault(.unexpectedEnd) }
        if bytes[offset] == bracket {
            offset += 1
            open.removeLast()
            return false
        }
        if !open[open.count - 1] { try expect(UInt8(ascii: ",")) }
        open[open.count - 1] = false
        return true
    }

    private mutating func expect(_ byte: UInt8) throws(ModelFileError) {
        skipWhitespace()
        guard offset < end, bytes[offset] == byte else { throw unexpected() }
        offset += 1
    }

    /// Reads past the first byte of a value.
    private mutating func expectValue(_ byte: UInt8) throws(ModelFileError) {
        skipWhitespace()
        guard offset < end, bytes[offset] == byte else { throw unexpectedValue() }
        offset += 1
    }

    private mutating func skipWhitespace() {
        while offset < end {
            switch bytes[offset] {
            case 0x20, 0x09, 0x0A, 0x0D: offset += 1
            default: return
            }
        }
    }

    private func unexpected() -> ModelFileError {
        offset < end ? fault(.unexpectedByte(bytes[offset])) : fault(.unexpectedEnd)
    }

    /// The error where a value of another kind is needed.
    private func unexpectedValue() -> ModelFileError {
        guard offset < end, "{[\"-0123456789tfn".utf8.contains(bytes[offset]) else { return unexpected() }
        return fault(.otherKind)
    }

    private func fault(_ fault: ModelFileError.JSONFault, at position: Int? = nil) -> ModelFileError {
        .syntax(fault, offset: position ?? offset)
    }

    // MARK: Scalars

    private func digit() -> Int? {
        guard offset < end, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[offset]) else { return nil }
        return Int(bytes[offset] - UInt8(ascii: "0"))
    }

    private mutating func literal(_ word: StaticString) throws(ModelFileError) {
        for byte in word.description.utf8 {
            guard offset < end, bytes[offset] == byte else { throw unexpected() }
            offset += 1
        }
    }

    private mutating func skipNumber() throws(ModelFileError) {
        let start = offset
        if offset < end, bytes[offset] == UInt8(ascii: "-") { offset += 1 }
        let whole = offset
        guard skipDigits() > 0 else { throw unexpected() }
        if offset - whole > 1, bytes[whole] == UInt8(ascii: "0") { throw fault(.invalidNumber, at: start) }
        if offset < end, bytes[offset] == UInt8(ascii: ".") {
            offset += 1
            guard skipDigits() > 0 else { throw fault(.invalidNumber, at: start) }
        }
        if offset < end, bytes[offset] | 0x20 == UInt8(ascii: "e") {
            offset += 1
            if offset < end, [UInt8(ascii: "+"), UInt8(ascii: "-")].contains(bytes[offset]) { offset += 1 }
            guard skipDigits() > 0 else { throw fault(.invalidNumber, at: start) }
        }
    }

    private mutating func skipDigits() -> Int {
        let first = offset
        while digit() != nil { offset += 1 }
        return offset - first
    }

    // MARK: Strings

    private func decode(_ utf8: some Collection<UInt8>, at position: Int) throws(ModelFileError) -> String {
        guard let text = String(validating: utf8, as: UTF8.self) else { throw fault(.invalidUTF8, at: position) }
        return text
    }

    private mutating func stringWithEscapes(from start: Int) throws(ModelFileError) -> String {
        var utf8 = Array(bytes[start..<offset])
        while offset < end {
            let byte = bytes[offset]
            switch byte {
            case UInt8(ascii: "\""):
                let text = try decode(utf8, at: start)
                offset += 1
                return text
            case UInt8(ascii: "\\"):
                utf8.append(contentsOf: String(Character(try escape())).utf8)
            case 0x00..<0x20:
                throw fault(.unexpectedByte(byte))
            default:
                utf8.append(byte)
                offset += 1
            }
        }
        throw fault(.unexpectedEnd)
    }

    private mutating func escape() throws(ModelFileError) -> Unicode.Scalar {
        let start = offset
        offset += 1
        guard offset < end else { throw fault(.unexpectedEnd) }
        let kind = bytes[offset]
        offset += 1
        switch kind {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(kind)
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{C}"
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "u"): break
        default: throw fault(.invalidEscape, at: start)
        }
        let unit = try codeUnit(of: start)
        if let scalar = Unicode.Scalar(unit) { return scalar }
        guard unit < 0xDC00, end - offset >= 2, bytes[offset] == UInt8(ascii: "\\"),
            bytes[offset + 1] == UInt8(ascii: "u")
        else { throw fault(.invalidEscape, at: start) }
        offset += 2
        let low = try codeUnit(of: start)
        guard (0xDC00...0xDFFF).contains(low),
            let scalar = Unicode.Scalar(0x10000 + ((unit - 0xD800) << 10) + (low - 0xDC00))
        else { throw fault(.invalidEscape, at: start) }
        return scalar
    }

    private mutating func codeUnit(of escape: Int) throws(ModelFileError) -> UInt32 {
        guard end - offset >= 4 else { throw fault(.unexpectedEnd, at: end) }
        var unit: UInt32 = 0
        for _ in 0..<4 {
            let byte = bytes[offset]
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): unit = unit << 4 | UInt32(byte - UInt8(ascii: "0"))
            case UInt8(ascii: "a")...UInt8(ascii: "f"): unit = unit << 4 | UInt32(byte - UInt8(ascii: "a") + 10)
            case UInt8(ascii: "A")...UInt8(ascii: "F"): unit = unit << 4 | UInt32(byte - UInt8(ascii: "A") + 10)
            default: throw fault(.invalidEscape, at: escape)
            }
            offset += 1
        }
        return unit
    }
}
