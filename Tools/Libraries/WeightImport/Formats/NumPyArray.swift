import ModelFile
package import NumPyFormat

/// One array in NumPy's format. Arrays of objects, records and text are refused.
struct NumPyArray {
    let shape: [Int]
    /// The type as in the header, such as `<f4`.
    let type: String
    /// Row-major; nil if the elements are not floats.
    let values: [Float]?
    /// The elements of one byte each, row-major; nil if they have more, or another order.
    let bytes: ArraySlice<UInt8>?

    init(_ bytes: ArraySlice<UInt8>) throws(NumPyFault) {
        let (header, data) = try Self.parse(bytes)
        guard let (element, isBigEndian) = Self.element(header.element) else { throw .type(header.element) }
        guard header.shape.count <= CheckpointLimit.rank else {
            throw .tooManyDimensions(header.shape.count, limit: CheckpointLimit.rank)
        }
        guard let count = CheckpointLimit.elementCount(header.shape) else { throw .shape(header.shape) }
        guard data.count == count * element.byteCount else {
            throw .size(expected: count * element.byteCount, found: data.count)
        }
        shape = header.shape
        type = header.element
        self.bytes = element.byteCount == 1 && !header.isFortranOrder ? data : nil
        let floats = FloatElements(data, type: element, isBigEndian: isBigEndian)
        // In Fortran's order the first dimension is innermost.
        let strides = Array(FloatElements.rowMajor(shape.reversed()).reversed())
        values = header.isFortranOrder ? floats?.values(shape: shape, offset: 0, strides: strides) : floats?.values
    }

    /// The header, and the bytes after it.
    private static func parse(_ bytes: ArraySlice<UInt8>) throws(NumPyFault) -> (NumPyHeader, ArraySlice<UInt8>) {
        var parser = NumPyHeaderParser()
        var rest = bytes
        while true {
            let part = rest.prefix(parser.neededBytes)
            guard part.count == parser.neededBytes else { throw .truncated }
            rest = rest[part.endIndex...]
            do throws(NumPyHeaderFault) {
                if let header = try parser.add(part) { return (header, rest) }
            } catch {
                throw .header(error)
            }
        }
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
    /// What stands before the elements cannot be read.
    case header(NumPyHeaderFault)
    /// The array ends inside its header.
    case truncated
    /// A type that is not read: objects (which are pickles), text, complex numbers.
    case type(String)
    case tooManyDimensions(Int, limit: Int)
    /// The shape's product is beyond the limit.
    case shape([Int])
    /// The bytes after the header are more or fewer than type and shape need.
    case size(expected: Int, found: Int)
}
