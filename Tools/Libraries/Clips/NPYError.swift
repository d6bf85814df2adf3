package import FileOutput
package import NumPyFormat

/// The fault of an `.npy` file.
package enum NPYError: Error, Sendable, Equatable {
    /// A system call failed; `code` is `errno`.
    case file(path: String, code: Int32)
    /// What stands before the elements cannot be read.
    case header(NumPyHeaderFault)
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
