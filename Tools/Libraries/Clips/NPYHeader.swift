package import FileOutput

/// What is wrong with an `.npy` file.
package enum NPYError: Error, Sendable, Equatable {
    /// A call of the system failed; `code` is `errno`.
    case file(path: String, code: Int32)
    /// The first bytes are not those of an array file.
    case signature
    /// A version other than 1.0, 2.0 and 3.0.
    case version(major: Int, minor: Int)
    /// The header is longer than is sensible.
    case headerTooLong(limit: Int, found: Int)
    /// The header is no dictionary of the expected form; where in it that shows.
    case header(offset: Int)
    case missingKey(String)
    case duplicateKey(String)
    case unknownKey(String)
    /// The elements are of another type.
    case elementType(expected: String, found: String)
    /// The elements lie column by column.
    case fortranOrder
    /// The product of the shape is not a number of bytes.
    case shapeOverflow([Int])
    /// Not a list of rows of the expected shape.
    case shape(expectedRow: [Int], found: [Int])
    /// The file ends before its last element.
    case truncated(expected: Int, found: Int)
    /// The file goes on after its last element; at least this many bytes.
    case trailingBytes(Int)
    /// A row of another length was to be written.
    case rowLength(expected: Int, found: Int)
    /// More or fewer rows were written than the header says.
    case rowCount(expected: Int, found: Int)
    /// What was written did not get where it should.
    case output(OutputError)
}

/// Element types that the tools exchange, little-endian.
package enum NPYElement: String, Sendable, Hashable {
    case uint8 = "|u1"
    case float32 = "<f4"

    /// Bytes of one element.
    package var byteCount: Int {
        switch self {
        case .uint8: 1
        case .float32: 4
        }
    }
}

/// The dictionary at the beginning of an array file.
package struct NPYHeader: Equatable {
    static let signature: [UInt8] = [0x93] + Array("NUMPY".utf8)
    /// NumPy's own limit against hostile headers.
    static let longest = 10_000
    /// The most axes NumPy can have.
    static let mostAxes = 64

    var element: String
    var isFortranOrder: Bool
    var shape: [Int]

    package init(element: String, isFortranOrder: Bool, shape: [Int]) {
        self.element = element
        self.isFortranOrder = isFortranOrder
        self.shape = shape
    }

    /// Parses `{'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }`, padded with spaces and a line end.
    ///
    /// Three keys, each once, in any order; strings in either quote and without escapes; plain decimal integers; a comma
    /// before a closing bracket is allowed, and required in a tuple of one.
    init(dictionary: some Collection<UInt8>) throws(NPYError) {
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

    /// The whole beginning of a version 1.0 file, 128 bytes whatever the number of rows, so that it can be written again
    /// when that number is known. Longer only for rows of very many axes.
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

        mutating func expect(_ character: Unicode.Scalar) throws(NPYError) {
            guard accept(character) else { throw .header(offset: offset) }
        }

        mutating func expectEnd() throws(NPYError) {
            skipSpace()
            guard next == nil else { throw .header(offset: offset) }
        }

        mutating func string() throws(NPYError) -> String {
            skipSpace()
            guard let quote = next, quote == UInt8(ascii: "'") || quote == UInt8(ascii: "\"") else {
                throw .header(offset: offset)
            }
            offset += 1
            let start = offset
            while let byte = next, byte != quote {
                guard (0x20..<0x7F).contains(byte), byte != UInt8(ascii: "\\") else { throw .header(offset: offset) }
                offset += 1
            }
            guard next != nil else { throw .header(offset: offset) }
            defer { offset += 1 }
            return String(decoding: bytes[start..<offset], as: UTF8.self)
        }

        mutating func boolean() throws(NPYError) -> Bool {
            skipSpace()
            for (word, value) in [("True", true), ("False", false)] where bytes[offset...].starts(with: word.utf8) {
                offset += word.utf8.count
                return value
            }
            throw .header(offset: offset)
        }

        mutating func tuple() throws(NPYError) -> [Int] {
            try expect("(")
            var values: [Int] = []
            while !accept(")") {
                guard values.count < mostAxes else { throw .header(offset: offset) }
                values.append(try integer())
                if accept(",") { continue }
                // One value in brackets is not a tuple.
                guard values.count > 1 else { throw .header(offset: offset) }
                try expect(")")
                break
            }
            return values
        }

        /// Digits from here on, as many as there are: none, or more than fit, are no number.
        private mutating func integer() throws(NPYError) -> Int {
            let start = offset
            while let byte = next, (0x30...0x39).contains(byte) { offset += 1 }
            guard let value = Int(String(decoding: bytes[start..<offset], as: UTF8.self)) else {
                throw .header(offset: start)
            }
            return value
        }
    }
}
