package import FileOutput

/// The fault of an `.npy` file.
package enum NPYError: Error, Sendable, Equatable {
    /// A system call failed; `code` is `errno`.
    case file(path: String, code: Int32)
    /// The first bytes are not those of an `.npy` file.
    case signature
    /// A version other than 1.0, 2.0 and 3.0.
    case version(major: Int, minor: Int)
    /// The header is longer than the limit.
    case headerTooLong(limit: Int, found: Int)
    /// The header is not a dictionary of the expected form; the offset is that of the first fault.
    case header(offset: Int)
    case missingKey(String)
    case duplicateKey(String)
    case unknownKey(String)
    /// The elements have another type.
    case elementType(expected: String, found: String)
    /// The elements are in column-major order.
    case fortranOrder
    /// The number of bytes of the shape overflows.
    case shapeOverflow([Int])
    /// Not a list of rows with the expected shape.
    case shape(expectedRow: [Int], found: [Int])
    /// The file ends before its last element.
    case truncated(expected: Int, found: Int)
    /// The file continues after its last element, by at least this many bytes.
    case trailingBytes(Int)
    /// A row to be written has another length.
    case rowLength(expected: Int, found: Int)
    /// More or fewer rows were written than the header states.
    case rowCount(expected: Int, found: Int)
    /// The output could not be written.
    case output(OutputError)
}

/// Element types of the tools' array files, little-endian.
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

/// The dictionary at the beginning of an `.npy` file.
package struct NPYHeader: Equatable {
    static let signature: [UInt8] = [0x93] + Array("NUMPY".utf8)
    /// NumPy's own limit against hostile headers.
    static let longest = 10_000
    /// The largest number of axes in NumPy.
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
    /// Three keys, each once, in any order; strings in either kind of quotes, without escapes; plain decimal integers;
    /// a comma before a closing bracket is allowed, and required in a tuple of one value.
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
                // A single value in brackets without a comma is not a tuple.
                guard values.count > 1 else { throw .header(offset: offset) }
                try expect(")")
                break
            }
            return values
        }

        /// The digits from here on; no digits, or too many for an Int, are an error.
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
