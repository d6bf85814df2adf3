/// What stands before the elements of an `.npy` file (`numpy.lib.format`, versions 1.0, 2.0 and 3.0): a signature, a
/// version, and the text of a Python dictionary with the type, the order and the shape.
///
/// The text is read by a grammar of its own: nothing of Python is evaluated.
package struct NumPyHeader: Equatable {
    package static let signature: [UInt8] = [0x93] + Array("NUMPY".utf8)
    /// NumPy's own limit against hostile headers, in bytes of the dictionary.
    static let longest = 10_000
    /// The largest number of axes in NumPy.
    static let mostAxes = 64

    /// The element type as NumPy writes it, such as `<f4`.
    package var element: String
    /// Whether the first axis is innermost.
    package var isFortranOrder: Bool
    package var shape: [Int]

    package init(element: String, isFortranOrder: Bool, shape: [Int]) {
        self.element = element
        self.isFortranOrder = isFortranOrder
        self.shape = shape
    }

    /// Parses `{'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }`, padded with spaces and a line end.
    ///
    /// Three keys, each once, in any order; strings in either kind of quotes, without escapes; plain decimal integers;
    /// a comma before a closing bracket is allowed, and required in a tuple of one value.
    init(dictionary: some Collection<UInt8>) throws(NumPyHeaderFault) {
        var scanner = Scanner(Array(dictionary))
        var element: String?
        var isFortranOrder: Bool?
        var shape: [Int]?
        try scanner.expect("{")
        while !scanner.accept("}") {
            let key = try scanner.string()
            try scanner.expect(":")
            switch key {
            case "descr":
                guard element == nil else { throw .duplicateKey(key) }
                // A list of fields in the place of one type.
                guard !scanner.accept("[") else { throw .record }
                element = try scanner.string()
            case "fortran_order":
                guard isFortranOrder == nil else { throw .duplicateKey(key) }
                isFortranOrder = try scanner.boolean()
            case "shape":
                guard shape == nil else { throw .duplicateKey(key) }
                shape = try scanner.tuple()
            default:
                throw .unknownKey(key)
            }
            if scanner.accept(",") { continue }
            try scanner.expect("}")
            break
        }
        try scanner.expectEnd()
        guard let element else { throw .missingKey("descr") }
        guard let isFortranOrder else { throw .missingKey("fortran_order") }
        guard let shape else { throw .missingKey("shape") }
        self.init(element: element, isFortranOrder: isFortranOrder, shape: shape)
    }

    /// The beginning of a version 1.0 file up to the first element. It has 128 bytes for any number of rows, so that it
    /// can be overwritten when that number is known, and more only for rows with very many axes.
    package func encoded() -> [UInt8] {
        let axes = shape.map(String.init).joined(separator: ", ") + (shape.count == 1 ? "," : "")
        var text =
            "{'descr': '\(element)', 'fortran_order': \(isFortranOrder ? "True" : "False"), 'shape': (\(axes)), }"
        let fixed = Self.signature.count + 4
        let total = max(128, (fixed + text.utf8.count + 1 + 63) / 64 * 64)
        text += String(repeating: " ", count: total - fixed - text.utf8.count - 1) + "\n"
        let length = total - fixed
        return Self.signature + [1, 0, UInt8(length & 0xFF), UInt8(length >> 8)] + Array(text.utf8)
    }

    /// A cursor over the dictionary's text.
    private struct Scanner {
        private let bytes: [UInt8]
        private var offset = 0

        init(_ bytes: [UInt8]) { self.bytes = bytes }

        private var next: UInt8? { offset < bytes.count ? bytes[offset] : nil }

        private mutating func skipSpace() {
            while let next, [0x20, 0x09, 0x0A, 0x0D].contains(next) { offset += 1 }
        }

        mutating func accept(_ character: Unicode.Scalar) -> Bool {
            skipSpace()
            guard next == UInt8(ascii: character) else { return false }
            offset += 1
            return true
        }

        mutating func expect(_ character: Unicode.Scalar) throws(NumPyHeaderFault) {
            guard accept(character) else { throw .dictionary(offset: offset) }
        }

        mutating func expectEnd() throws(NumPyHeaderFault) {
            skipSpace()
            guard next == nil else { throw .dictionary(offset: offset) }
        }

        mutating func string() throws(NumPyHeaderFault) -> String {
            skipSpace()
            guard let quote = next, quote == UInt8(ascii: "'") || quote == UInt8(ascii: "\"") else {
                throw .dictionary(offset: offset)
            }
            offset += 1
            let start = offset
            while let byte = next, byte != quote {
                guard (0x20..<0x7F).contains(byte), byte != UInt8(ascii: "\\") else {
                    throw .dictionary(offset: offset)
                }
                offset += 1
            }
            guard next != nil else { throw .dictionary(offset: offset) }
            defer { offset += 1 }
            return String(decoding: bytes[start..<offset], as: UTF8.self)
        }

        mutating func boolean() throws(NumPyHeaderFault) -> Bool {
            skipSpace()
            for (word, value) in [("True", true), ("False", false)] where bytes[offset...].starts(with: word.utf8) {
                offset += word.utf8.count
                return value
            }
            throw .dictionary(offset: offset)
        }

        mutating func tuple() throws(NumPyHeaderFault) -> [Int] {
            try expect("(")
            var values: [Int] = []
            while !accept(")") {
                guard values.count < mostAxes else { throw .dictionary(offset: offset) }
                values.append(try integer())
                if accept(",") { continue }
                // A single value in brackets without a comma is not a tuple.
                guard values.count > 1 else { throw .dictionary(offset: offset) }
                try expect(")")
                break
            }
            return values
        }

        /// The digits from here on; no digits, or too many for an Int, are an error.
        private mutating func integer() throws(NumPyHeaderFault) -> Int {
            skipSpace()
            let start = offset
            while let byte = next, (0x30...0x39).contains(byte) { offset += 1 }
            guard let value = Int(String(decoding: bytes[start..<offset], as: UTF8.self)) else {
                throw .dictionary(offset: start)
            }
            return value
        }
    }
}

/// Takes a header part by part, since each part says how long the next one is.
package struct NumPyHeaderParser {
    private enum Part {
        case prefix
        case length
        case dictionary
    }

    private var part = Part.prefix
    /// Bytes of the next part.
    package private(set) var neededBytes = NumPyHeader.signature.count + 2

    package init() {}

    /// Takes the next part.
    /// - Parameter bytes: `neededBytes` bytes.
    /// - Returns: the header after its last part, the third.
    package mutating func add(_ bytes: some BidirectionalCollection<UInt8>) throws(NumPyHeaderFault) -> NumPyHeader? {
        switch part {
        case .prefix:
            guard bytes.starts(with: NumPyHeader.signature) else { throw .signature }
            let version = bytes.suffix(2).map { Int($0) }
            guard (1...3).contains(version[0]), version[1] == 0 else {
                throw .version(major: version[0], minor: version[1])
            }
            (part, neededBytes) = (.length, version[0] == 1 ? 2 : 4)
            return nil
        case .length:
            let length = bytes.reversed().reduce(0) { $0 << 8 | Int($1) }
            guard length <= NumPyHeader.longest else { throw .tooLong(bytes: length, limit: NumPyHeader.longest) }
            (part, neededBytes) = (.dictionary, length)
            return nil
        case .dictionary:
            return try NumPyHeader(dictionary: bytes)
        }
    }
}

/// Why the header of an `.npy` file was refused.
package enum NumPyHeaderFault: Error, Sendable, Equatable {
    /// The first bytes are not those of an `.npy` file.
    case signature
    /// A version other than 1.0, 2.0 and 3.0.
    case version(major: Int, minor: Int)
    case tooLong(bytes: Int, limit: Int)
    /// Not the text of the expected dictionary; the offset is that of the first fault in the text.
    case dictionary(offset: Int)
    case missingKey(String)
    case duplicateKey(String)
    case unknownKey(String)
    /// The type is a list of named fields.
    case record
}

extension NumPyHeaderFault {
    /// What is wrong, to follow the array's name. A key that it names is printable ASCII, as the header's grammar allows
    /// nothing else.
    package var clause: String {
        switch self {
        case .signature: "is not a NumPy array"
        case .version(let major, let minor): "is a NumPy array of version \(major).\(minor), which is not supported"
        case .tooLong(let bytes, let limit): "has a header of \(bytes) bytes; \(limit) is the limit"
        case .dictionary(let offset): "has a header that is broken at byte \(offset) of its text"
        case .missingKey(let key): "has a header without \(key)"
        case .duplicateKey(let key): "has a header with \(key) twice"
        case .unknownKey(let key): "has a header with the unknown key \(key.prefix(100))"
        case .record: "has records as elements; only numbers can be read"
        }
    }
}
