import ModelFile

/// One array in NumPy's format (`numpy.lib.format`, versions 1 to 3).
///
/// A header states the type, the order and the shape as the text of a Python dictionary, which is read by a grammar of
/// its own: nothing of Python is evaluated. Arrays of objects, records and text are refused.
struct NumPyArray {
    let shape: [Int]
    /// The type as in the header, such as `<f4`.
    let type: String
    /// Row-major; nil if the elements are not floats.
    let values: [Float]?
    /// The elements of one byte each, row-major; nil if they have more, or another order.
    let bytes: ArraySlice<UInt8>?

    init(_ bytes: ArraySlice<UInt8>) throws(NumPyFault) {
        let header = try Header(bytes)
        guard let (element, isBigEndian) = Self.element(header.type) else { throw .type(header.type) }
        guard header.shape.count <= CheckpointLimit.rank else {
            throw .tooManyDimensions(header.shape.count, limit: CheckpointLimit.rank)
        }
        guard let count = CheckpointLimit.elementCount(header.shape) else { throw .shape(header.shape) }
        let data = bytes[header.end...]
        guard data.count == count * element.byteCount else {
            throw .size(expected: count * element.byteCount, found: data.count)
        }
        shape = header.shape
        type = header.type
        self.bytes = element.byteCount == 1 && !header.isFortranOrder ? data : nil
        let floats = FloatElements(data, type: element, isBigEndian: isBigEndian)
        // In Fortran's order the first dimension is innermost.
        let strides = Array(FloatElements.rowMajor(shape.reversed()).reversed())
        values = header.isFortranOrder ? floats?.values(shape: shape, offset: 0, strides: strides) : floats?.values
    }

    /// The element type that NumPy's name stands for. Byte order `=` depends on the machine and is never written.
    private static func element(_ name: String) -> (TensorType, isBigEndian: Bool)? {
        let types: [Substring: TensorType] = [
            "b1": .bool, "i1": .int8, "u1": .uint8, "i2": .int16, "u2": .uint16, "i4": .int32, "u4": .uint32,
            "i8": .int64, "u8": .uint64, "f2": .float16, "f4": .float32, "f8": .float64,
        ]
        guard let order = name.first, let type = types[name.dropFirst()] else { return nil }
        switch order {
        case "<": return (type, false)
        case ">": return (type, true)
        case "|": return type.byteCount == 1 ? (type, false) : nil
        default: return nil
        }
    }
}

/// Why an array was refused.
package enum NumPyFault: Error, Sendable, Equatable {
    /// A member of an archive of arrays whose name does not end in `.npy`.
    case member
    case signature
    case version(major: Int, minor: Int)
    case headerTooLong(bytes: Int, limit: Int)
    case truncated
    /// The header is not the text of the expected dictionary; the offset is that in the file.
    case header(offset: Int)
    /// A type that is not read: objects (which are pickles), records, text, complex numbers.
    case type(String)
    case tooManyDimensions(Int, limit: Int)
    /// The shape's product is beyond the limit.
    case shape([Int])
    /// The bytes after the header are more or fewer than type and shape need.
    case size(expected: Int, found: Int)
}

/// What stands before the elements.
private struct Header {
    let type: String
    let isFortranOrder: Bool
    let shape: [Int]
    /// The index of the first byte after the header.
    let end: Int

    /// NumPy's own limit against hostile headers.
    private static let limit = 10_000

    init(_ bytes: ArraySlice<UInt8>) throws(NumPyFault) {
        let start = bytes.startIndex
        guard bytes.starts(with: [0x93] + Array("NUMPY".utf8)) else { throw .signature }
        guard bytes.count >= 8 else { throw .truncated }
        let (major, minor) = (Int(bytes[start + 6]), Int(bytes[start + 7]))
        guard (1...3).contains(major), minor == 0 else { throw .version(major: major, minor: minor) }
        let width = major == 1 ? 2 : 4
        guard bytes.count >= 8 + width else { throw .truncated }
        let length = (0..<width).reduce(0) { $0 | Int(bytes[start + 8 + $1]) << (8 * $1) }
        guard length <= Self.limit else { throw .headerTooLong(bytes: length, limit: Self.limit) }
        guard length <= bytes.count - 8 - width else { throw .truncated }
        end = start + 8 + width + length

        var scanner = Scanner(bytes[start + 8 + width..<end], origin: start)
        var (type, isFortranOrder, shape): (String?, Bool?, [Int]?)
        try scanner.expect("{")
        while !scanner.accept("}") {
            let place = scanner.offset
            let key = try scanner.string()
            try scanner.expect(":")
            switch key {
            case "descr" where type == nil:
                // A list here describes a record.
                type = scanner.accept("[") ? "[" : try scanner.string()
                if type == "[" { throw .type("a record") }
            case "fortran_order" where isFortranOrder == nil: isFortranOrder = try scanner.boolean()
            case "shape" where shape == nil: shape = try scanner.tuple()
            default: throw .header(offset: place)
            }
            guard !scanner.accept(",") else { continue }
            try scanner.expect("}")
            break
        }
        guard scanner.isAtEnd(), let type, let isFortranOrder, let shape else {
            throw .header(offset: scanner.offset)
        }
        (self.type, self.isFortranOrder, self.shape) = (type, isFortranOrder, shape)
    }
}

/// Reads the text of a dictionary: strings without escapes, True, False, and tuples of decimal integers.
private struct Scanner {
    private let text: ArraySlice<UInt8>
    private let origin: Int
    private var position: Int

    init(_ text: ArraySlice<UInt8>, origin: Int) {
        self.text = text
        self.origin = origin
        position = text.startIndex
    }

    var offset: Int { position - origin }

    private var next: UInt8? { position < text.endIndex ? text[position] : nil }

    mutating func isAtEnd() -> Bool {
        while let next, [0x20, 0x09, 0x0A, 0x0D].contains(next) { position += 1 }
        return next == nil
    }

    mutating func accept(_ character: Unicode.Scalar) -> Bool {
        guard !isAtEnd(), next == UInt8(ascii: character) else { return false }
        position += 1
        return true
    }

    mutating func expect(_ character: Unicode.Scalar) throws(NumPyFault) {
        guard accept(character) else { throw .header(offset: offset) }
    }

    mutating func string() throws(NumPyFault) -> String {
        let quote: UInt8 = accept("'") ? 0x27 : 0x22
        if quote == 0x22 { try expect("\"") }
        let start = position
        while let next, next != quote {
            guard (0x20..<0x7F).contains(next), next != UInt8(ascii: "\\") else { throw .header(offset: offset) }
            position += 1
        }
        guard next == quote else { throw .header(offset: offset) }
        defer { position += 1 }
        return String(decoding: text[start..<position], as: UTF8.self)
    }

    mutating func boolean() throws(NumPyFault) -> Bool {
        _ = isAtEnd()
        for (word, value) in [("True", true), ("False", false)] where text[position...].starts(with: word.utf8) {
            position += word.utf8.count
            return value
        }
        throw .header(offset: offset)
    }

    /// A single number in brackets needs a comma to be a tuple.
    mutating func tuple() throws(NumPyFault) -> [Int] {
        try expect("(")
        var values: [Int] = []
        while !accept(")") {
            values.append(try integer())
            guard !accept(",") else { continue }
            guard values.count > 1 else { throw .header(offset: offset) }
            try expect(")")
            break
        }
        return values
    }

    private mutating func integer() throws(NumPyFault) -> Int {
        _ = isAtEnd()
        let start = position
        while let next, (0x30...0x39).contains(next) { position += 1 }
        guard let value = Int(String(decoding: text[start..<position], as: UTF8.self)) else {
            throw .header(offset: start - origin)
        }
        return value
    }
}
