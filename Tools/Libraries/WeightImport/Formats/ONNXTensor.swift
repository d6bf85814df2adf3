import ModelFile

/// A constant of an ONNX graph (`TensorProto`).
struct ONNXTensor: Equatable {
    let name: String
    private(set) var shape: [Int]
    let type: ElementType
    /// Row-major; nil if the elements are integers.
    private(set) var floats: [Float]?
    /// Integers of at most 32 bits.
    let integers: [Int32]?

    /// The types with numbers of `TensorProto.DataType`.
    enum ElementType: Int {
        case float32 = 1
        case uint8, int8, uint16, int16, int32, int64
        case bool = 9
        case float16, float64, uint32, uint64
        case bfloat16 = 16

        var name: String {
            switch self {
            case .float32: "FLOAT"
            case .uint8: "UINT8"
            case .int8: "INT8"
            case .uint16: "UINT16"
            case .int16: "INT16"
            case .int32: "INT32"
            case .int64: "INT64"
            case .bool: "BOOL"
            case .float16: "FLOAT16"
            case .float64: "DOUBLE"
            case .uint32: "UINT32"
            case .uint64: "UINT64"
            case .bfloat16: "BFLOAT16"
            }
        }

        var element: TensorType {
            switch self {
            case .float32: .float32
            case .uint8: .uint8
            case .int8: .int8
            case .uint16: .uint16
            case .int16: .int16
            case .int32: .int32
            case .int64: .int64
            case .bool: .bool
            case .float16: .float16
            case .float64: .float64
            case .uint32: .uint32
            case .uint64: .uint64
            case .bfloat16: .bfloat16
            }
        }

        /// The field that has the values if `raw_data` does not, and the bytes of its numbers, 0 for variable size.
        var field: (number: Int, width: Int) {
            switch self {
            case .float32: (4, 4)
            case .float64: (10, 8)
            case .int64: (7, 0)
            case .uint32, .uint64: (11, 0)
            default: (5, 0)
            }
        }
    }

    /// The fields with values: float, int32, string, int64, raw, double and uint64.
    private static let dataFields: Set<Int> = [4, 5, 6, 7, 9, 10, 11]

    /// Reads the message at `range`. The name is `name` unless nil.
    init(_ bytes: [UInt8], _ range: Range<Int>, name given: String? = nil) throws(ONNXFault) {
        let header = try wire { () throws(ProtobufFault) in try Header(bytes, range) }
        let name = given ?? header.name
        self.name = name
        if header.isExternal { throw .tensor(name, .external) }
        if header.isSegment { throw .tensor(name, .segment) }
        guard let type = ElementType(rawValue: header.type) else { throw .tensor(name, .type(header.type)) }
        guard header.shape.count <= CheckpointLimit.rank else {
            throw .tensor(name, .tooManyDimensions(limit: CheckpointLimit.rank))
        }
        guard let count = CheckpointLimit.elementCount(header.shape) else {
            throw .tensor(name, .shape(header.shape))
        }
        self.type = type
        shape = header.shape
        guard header.fields.count <= 1, header.fields.isSubset(of: [9, type.field.number]),
            count == 0 || !header.fields.isEmpty
        else { throw .tensor(name, .dataField) }

        (floats, integers) =
            if let raw = header.raw {
                try Self.elements(bytes[raw], type, count: count, of: name)
            } else {
                try Self.elements(
                    wire { () throws(ProtobufFault) in
                        try Self.numbers(bytes, range, field: type.field, limit: count)
                    }, type, count: count, of: name)
            }
    }

    private typealias Elements = (floats: [Float]?, integers: [Int32]?)

    /// The elements of `raw_data`.
    private static func elements(
        _ raw: ArraySlice<UInt8>, _ type: ElementType, count: Int, of name: String
    ) throws(ONNXFault) -> Elements {
        let size = type.element.byteCount
        guard raw.count == count * size else {
            throw .tensor(name, .elementCount(expected: count, found: raw.count / size))
        }
        let floats = FloatElements(raw, type: type.element)?.values
        guard floats == nil, size <= 4 else { return (floats, nil) }
        // Bytes have no sign; the numbers of fields have.
        let integers = (0..<count).map { index in
            let bits = (0..<size).reduce(UInt64(0)) {
                $0 | UInt64(raw[raw.startIndex + index * size + $1]) << UInt64(8 * $1)
            }
            return signed(bits, type)
        }
        return (nil, integers)
    }

    /// The elements of the field of their type.
    private static func elements(
        _ numbers: [UInt64], _ type: ElementType, count: Int, of name: String
    ) throws(ONNXFault) -> Elements {
        guard numbers.count == count else {
            throw .tensor(name, .elementCount(expected: count, found: numbers.count))
        }
        switch type {
        case .float32: return (numbers.map { Float(bitPattern: UInt32(truncatingIfNeeded: $0)) }, nil)
        case .float64: return (numbers.map { Float(Double(bitPattern: $0)) }, nil)
        case .float16, .bfloat16:
            let values = try numbers.map { number throws(ONNXFault) in
                guard let bits = UInt16(exactly: number) else { throw .tensor(name, .range) }
                return type == .float16 ? HalfPrecision.float(bits) : HalfPrecision.float(brain: bits)
            }
            return (values, nil)
        case .int64, .uint32, .uint64: return (nil, nil)
        case .uint8, .int8, .uint16, .int16, .int32, .bool:
            let values = try numbers.map { number throws(ONNXFault) in
                let value = Int64(bitPattern: number)
                guard range(type).contains(value) else { throw .tensor(name, .range) }
                return Int32(truncatingIfNeeded: value)
            }
            return (nil, values)
        }
    }

    private static func range(_ type: ElementType) -> ClosedRange<Int64> {
        switch type {
        case .uint8: 0...255
        case .int8: -128...127
        case .uint16: 0...65535
        case .int16: -32768...32767
        case .bool: 0...1
        default: Int64(Int32.min)...Int64(Int32.max)
        }
    }

    /// The number of this type that has these bits.
    private static func signed(_ bits: UInt64, _ type: ElementType) -> Int32 {
        switch type {
        case .int8: Int32(Int8(truncatingIfNeeded: bits))
        case .int16: Int32(Int16(truncatingIfNeeded: bits))
        default: Int32(truncatingIfNeeded: bits)
        }
    }

    /// The numbers of a field, packed or not: at most one more than `limit`.
    private static func numbers(
        _ bytes: [UInt8], _ range: Range<Int>, field: (number: Int, width: Int), limit: Int
    ) throws(ProtobufFault) -> [UInt64] {
        var numbers: [UInt64] = []
        var reader = ProtobufReader(bytes, range)
        while let next = try reader.next() {
            guard next.number == field.number else { continue }
            try ProtobufReader.forEachNumber(of: next, in: bytes, width: field.width) { number in
                if numbers.count <= limit { numbers.append(number) }
            }
        }
        return numbers
    }

    // MARK: Other tensors of it

    /// The same tensor under another name, its two dimensions exchanged if `transposing`.
    func named(_ name: String, transposing: Bool) -> ONNXTensor {
        var tensor = ONNXTensor(name: name, shape: shape, type: type, floats: floats, integers: integers)
        guard transposing, shape.count == 2 else { return tensor }
        tensor.shape = shape.reversed()
        if let floats {
            tensor.floats = (0..<shape[1]).flatMap { column in
                (0..<shape[0]).map { row in floats[row * shape[1] + column] }
            }
        }
        return tensor
    }

    /// What DequantizeLinear makes of it: `(x - zero point) * scale`, with one scale or one for each index of `axis`.
    func dequantised(scale: ONNXTensor, zeroPoint: ONNXTensor?, axis: Int) throws(ONNXFault) -> ONNXTensor {
        let fault = ONNXFault.tensor(name, .dequantisation)
        guard let integers, let scales = scale.floats, scale.shape.count <= 1, !scales.isEmpty else { throw fault }
        let zeros = zeroPoint?.integers ?? [Int32](repeating: 0, count: scales.count)
        guard zeros.count == scales.count, zeroPoint == nil || zeroPoint?.integers != nil else { throw fault }
        var inner = integers.count
        if scales.count > 1 {
            let index = axis < 0 ? axis + shape.count : axis
            guard shape.indices.contains(index), scales.count == shape[index] else { throw fault }
            inner = shape[(index + 1)...].reduce(1, *)
        }
        guard inner > 0 else { throw fault }
        var tensor = self
        tensor.floats = integers.indices.map { index in
            let channel = scales.count == 1 ? 0 : index / inner % scales.count
            return Float(Int64(integers[index]) - Int64(zeros[channel])) * scales[channel]
        }
        return tensor
    }

    private init(name: String, shape: [Int], type: ElementType, floats: [Float]?, integers: [Int32]?) {
        (self.name, self.shape, self.type, self.floats, self.integers) = (name, shape, type, floats, integers)
    }

    /// What the message says of the values, before any of them is read.
    private struct Header {
        var name = ""
        var shape: [Int] = []
        var type = 0
        var isExternal = false
        var isSegment = false
        /// The fields with values.
        var fields: Set<Int> = []
        var raw: Range<Int>?

        init(_ bytes: [UInt8], _ range: Range<Int>) throws(ProtobufFault) {
            var reader = ProtobufReader(bytes, range)
            while let field = try reader.next() {
                switch field.number {
                case 1:
                    try ProtobufReader.forEachNumber(of: field, in: bytes, width: 0) { number in
                        // One more than the limit suffices to refuse it.
                        if shape.count <= CheckpointLimit.rank { shape.append(Int(truncatingIfNeeded: number)) }
                    }
                case 2: type = try field.integer()
                case 3: isSegment = true
                case 8: name = try field.text(in: bytes)
                case 13: isExternal = true
                case 14: if try field.integer() != 0 { isExternal = true }
                default: break
                }
                guard dataFields.contains(field.number) else { continue }
                if field.number == 9 {
                    // A second value of the same field would replace it.
                    guard raw == nil else { throw .kind(field: 9, offset: field.offset) }
                    raw = try field.range()
                }
                // An empty packed list is no value.
                if case .bytes(let range) = field.value, range.isEmpty, field.number != 9 { continue }
                fields.insert(field.number)
            }
        }
    }
}

/// Returns what `body` returns, and rethrows its errors as `ONNXFault`.
func wire<T>(_ body: () throws(ProtobufFault) -> T) throws(ONNXFault) -> T {
    do throws(ProtobufFault) {
        return try body()
    } catch {
        throw .wire(error)
    }
}
