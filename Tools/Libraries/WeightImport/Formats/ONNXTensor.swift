import ModelFile

/// A constant of an ONNX graph (`TensorProto`).
struct ONNXTensor: Equatable {
    let name: String
    private(set) var shape: [Int]
    let type: ElementType
    /// Row-major; nil if the elements are integers.
    private(set) var floats: [Float]?
    /// Row-major; those of 64 bits are limited to 32.
    private(set) var integers: [Int32]?

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
    init(
        _ bytes: [UInt8], _ range: Range<Int>, name given: String? = nil, files: ONNXDataFiles = ONNXDataFiles()
    ) throws(ONNXFault) {
        let header = try wire { () throws(ProtobufFault) in try Header(bytes, range) }
        let name = given ?? header.name
        self.name = name
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
        if header.isExternal {
            guard header.fields.isEmpty else { throw .tensor(name, .dataField) }
            let data = try files.content(header.external, of: name)
            (floats, integers) = try Self.elements(data, type, count: count, of: name)
            return
        }
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
        guard floats == nil else { return (floats, nil) }
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
        case .int64: return (nil, numbers.map { Int32(clamping: Int64(bitPattern: $0)) })
        case .uint32, .uint64: return (nil, numbers.map { Int32(clamping: $0) })
        case .uint8, .int8, .uint16, .int16, .int32, .bool:
            let values = try numbers.map { number throws(ONNXFault) in
                let value = Int64(bitPattern: number)
                guard range(type).contains(value) else { throw .tensor(name, .range) }
                return Int32(truncatingIfNeeded: value)
            }
            return (nil, values)
        }
    }

    static func range(_ type: ElementType) -> ClosedRange<Int64> {
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
        case .int64: Int32(clamping: Int64(bitPattern: bits))
        case .uint32, .uint64: Int32(clamping: bits)
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

    /// The same tensor under another name.
    func named(_ name: String) -> ONNXTensor {
        ONNXTensor(name: name, shape: shape, type: type, floats: floats, integers: integers)
    }

    /// The same elements in another shape of as many.
    func reshaped(_ shape: [Int]) -> ONNXTensor {
        ONNXTensor(name: name, shape: shape, type: type, floats: floats, integers: integers)
    }

    /// The elements that these strides lead to, which must exist.
    func strided(_ shape: [Int], offset: Int = 0, strides: [Int]) -> ONNXTensor {
        let indices = FloatElements.indices(shape: shape, offset: offset, strides: strides)
        return ONNXTensor(
            name: name, shape: shape, type: type, floats: floats.map { values in indices.map { values[$0] } },
            integers: integers.map { values in indices.map { values[$0] } })
    }

    /// The dimensions in another order, each index once.
    func transposed(_ order: [Int]) -> ONNXTensor {
        let strides = FloatElements.rowMajor(shape)
        return strided(order.map { shape[$0] }, strides: order.map { strides[$0] })
    }

    /// The elements as floats or as integers, whose fractions are cut off; nil for another type than these.
    func cast(to number: Int) -> ONNXTensor? {
        guard let type = ElementType(rawValue: number) else { return nil }
        switch type {
        case .float32, .float16, .bfloat16, .float64:
            return ONNXTensor(
                name: name, shape: shape, type: type, floats: floats ?? integers.map { $0.map { Float($0) } },
                integers: nil)
        default:
            return ONNXTensor(
                name: name, shape: shape, type: type, floats: nil,
                integers: integers
                    ?? floats.map { $0.map { Int32(clamping: Int64(exactly: $0.rounded(.towardZero)) ?? 0) } })
        }
    }

    /// The elements of a tensor that is broadcast to this shape.
    func repeated(_ shape: [Int]) -> ONNXTensor {
        guard shape != self.shape else { return self }
        let own = FloatElements.rowMajor(self.shape)
        let missing = shape.count - self.shape.count
        return strided(
            shape,
            strides: shape.indices.map { $0 < missing || self.shape[$0 - missing] == 1 ? 0 : own[$0 - missing] })
    }

    /// What DequantizeLinear makes of it: `(x - zero point) * scale`, with one scale or one for each index of `axis`.
    func dequantised(scale: ONNXTensor, zeroPoint: ONNXTensor?, axis: Int) throws(ONNXFault) -> ONNXTensor {
        guard let integers, let channels = QuantisedChannels(shape, scale, zeroPoint, axis) else {
            throw .tensor(name, .dequantisation)
        }
        let values = integers.indices.map { index in
            let channel = channels.channel(of: index)
            return Float(Int64(integers[index]) - Int64(channels.zeros[channel])) * channels.scales[channel]
        }
        return ONNXTensor(name: name, shape: shape, floats: values)
    }

    /// What QuantizeLinear makes of it: `x / scale + zero point`, rounded to even and limited to the zero point's type.
    func quantised(scale: ONNXTensor, zeroPoint: ONNXTensor?, axis: Int) -> ONNXTensor? {
        let type = zeroPoint?.type ?? .uint8
        guard let floats, floats.allSatisfy(\.isFinite),
            let channels = QuantisedChannels(shape, scale, zeroPoint, axis), channels.scales.allSatisfy({ $0 > 0 })
        else { return nil }
        let range = Self.range(type)
        let values = floats.indices.map { index in
            let channel = channels.channel(of: index)
            let value = Double((floats[index] / channels.scales[channel]).rounded(.toNearestOrEven))
            let limited = min(
                max(value + Double(channels.zeros[channel]), Double(range.lowerBound)), Double(range.upperBound))
            return Int32(limited)
        }
        return ONNXTensor(name: name, shape: shape, type: type, floats: nil, integers: values)
    }

    /// The scales and zero points of a tensor's elements.
    private struct QuantisedChannels {
        let scales: [Float]
        let zeros: [Int32]
        private let inner: Int

        init?(_ shape: [Int], _ scale: ONNXTensor, _ zeroPoint: ONNXTensor?, _ axis: Int) {
            guard let scales = scale.floats, scale.shape.count <= 1, !scales.isEmpty else { return nil }
            let zeros = zeroPoint?.integers ?? [Int32](repeating: 0, count: scales.count)
            guard zeros.count == scales.count, zeroPoint == nil || zeroPoint?.integers != nil else { return nil }
            var inner = shape.reduce(1, *)
            if scales.count > 1 {
                let index = axis < 0 ? axis + shape.count : axis
                guard shape.indices.contains(index), scales.count == shape[index] else { return nil }
                inner = shape[(index + 1)...].reduce(1, *)
            }
            guard inner > 0 else { return nil }
            (self.scales, self.zeros, self.inner) = (scales, zeros, inner)
        }

        func channel(of index: Int) -> Int { scales.count == 1 ? 0 : index / inner % scales.count }
    }

    /// A constant that is not in the file.
    init(name: String, shape: [Int], floats: [Float]) {
        self.init(name: name, shape: shape, type: .float32, floats: floats, integers: nil)
    }

    init(name: String, shape: [Int], integers: [Int]) {
        self.init(
            name: name, shape: shape, type: .int64, floats: nil, integers: integers.map { Int32(clamping: $0) })
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
        /// The keys `location`, `offset` and `length` of values in another file.
        var external: [String: String] = [:]
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
                case 13:
                    isExternal = true
                    var entry = ProtobufReader(bytes, try field.range())
                    var (key, value) = ("", "")
                    while let part = try entry.next() {
                        if part.number == 1 { key = try part.text(in: bytes) }
                        if part.number == 2 { value = try part.text(in: bytes) }
                    }
                    external[key] = value
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
