import ModelFile

/// Writes small TFLite files. Codes, slots and union members are those of the schema.
struct TFLiteWriter {
    var tensors: [FlatPart] = []
    var buffers: [FlatPart] = [.table([:])]
    var codes: [FlatPart] = []
    var operators: [FlatPart] = []
    var inputs: [Int] = []
    var outputs: [Int] = []
    var version = 3
    var subgraphCount = 1
    var identifier = "TFL3"
    /// Values by buffer that lie behind the flatbuffer, found by an offset and a size.
    private var external: [Int: [UInt8]] = [:]
    /// A false description of the first of these in the file.
    var externalPlace: (offset: UInt64, size: UInt64)?

    /// A value, or with `data` a constant.
    /// - type: 0 float32, 1 float16, 2 int32, 9 int8.
    mutating func tensor(
        _ name: String, _ shape: [Int], type: Int = 0, data: [UInt8]? = nil, sparsity: FlatPart? = nil,
        isVariable: Bool = false, isExternal: Bool = false
    ) -> Int {
        var fields: [Int: FlatPart] = [0: .int32s(shape), 1: .int8(type), 3: .string(name)]
        if let data {
            if isExternal { external[buffers.count] = data }
            buffers.append(.table([0: .bytes(data)]))
            fields[2] = .int32(buffers.count - 1)
        }
        if isVariable { fields[5] = .int8(1) }
        fields[6] = sparsity
        tensors.append(.table(fields))
        return tensors.count - 1
    }

    mutating func floats(_ name: String, _ shape: [Int], _ values: [Float]) -> Int {
        tensor(
            name, shape,
            data: values.flatMap(Self.bytes))
    }

    static func bytes(_ value: Float) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: value.bitPattern >> (8 * $0)) }
    }

    mutating func halves(_ name: String, _ shape: [Int], _ values: [Float], sparsity: FlatPart? = nil) -> Int {
        tensor(name, shape, type: 1, data: Self.halfBytes(values), sparsity: sparsity)
    }

    mutating func integers(_ name: String, _ shape: [Int], _ values: [Int]) -> Int {
        tensor(
            name, shape, type: 2,
            data: values.flatMap { value in (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) } })
    }

    static func halfBytes(_ values: [Float]) -> [UInt8] {
        values.flatMap { value in
            let bits = HalfPrecision.bits(value)
            return [UInt8(truncatingIfNeeded: bits), UInt8(truncatingIfNeeded: bits >> 8)]
        }
    }

    /// An operator by its code; `options` are the member of the union and the slots of its table.
    mutating func operation(
        _ code: Int, _ inputs: [Int], _ outputs: [Int], options: (type: Int, slots: [Int: FlatPart])? = nil,
        custom: String? = nil
    ) {
        var codeFields: [Int: FlatPart] = [0: .int8(min(code, 127)), 3: .int32(code)]
        codeFields[1] = custom.map { .string($0) }
        codes.append(.table(codeFields))
        var fields: [Int: FlatPart] = [
            0: .int32(codes.count - 1), 1: .int32s(inputs), 2: .int32s(outputs),
        ]
        if let options {
            fields[3] = .int8(options.type)
            fields[4] = .table(options.slots)
        }
        operators.append(.table(fields))
    }

    var bytes: [UInt8] {
        // The numbers have a fixed width, so that they do not move what comes behind.
        let length = flatBuffer(buffers(behind: 0)).count
        return external.sorted { $0.key < $1.key }.reduce(flatBuffer(buffers(behind: length))) { $0 + $1.value }
    }

    private func buffers(behind length: Int) -> [FlatPart] {
        var (buffers, offset) = (buffers, length)
        for (index, data) in external.sorted(by: { $0.key < $1.key }) {
            let place = offset == length ? externalPlace : nil
            buffers[index] = .table([
                1: .uint64(place?.offset ?? UInt64(offset)), 2: .uint64(place?.size ?? UInt64(data.count)),
            ])
            offset += data.count
        }
        return buffers
    }

    private func flatBuffer(_ buffers: [FlatPart]) -> [UInt8] {
        let subgraph = FlatPart.table([
            0: .tables(tensors), 1: .int32s(inputs), 2: .int32s(outputs), 3: .tables(operators),
        ])
        return FlatBufferWriter.bytes(
            .table([
                0: .int32(version), 1: .tables(codes),
                2: .tables([FlatPart](repeating: subgraph, count: subgraphCount)), 4: .tables(buffers),
            ]), identifier: identifier)
    }

    // MARK: Operators

    /// Padding: 0 SAME, 1 VALID. Activation: 0 none, 1 ReLU, 3 ReLU6, 4 tanh.
    mutating func convolution(
        _ input: Int, weights: Int, bias: Int?, to output: Int, padding: Int = 0, strideY: Int = 1, strideX: Int = 1,
        activation: Int = 0, dilation: Int = 1
    ) {
        operation(
            3, [input, weights] + (bias.map { [$0] } ?? []), [output],
            options: (
                1,
                [
                    0: .int8(padding), 1: .int32(strideX), 2: .int32(strideY), 3: .int8(activation),
                    4: .int32(dilation), 5: .int32(dilation),
                ]
            ))
    }

    mutating func depthwise(
        _ input: Int, weights: Int, bias: Int?, to output: Int, padding: Int = 0, stride: Int = 1, activation: Int = 0,
        multiplier: Int = 1
    ) {
        operation(
            4, [input, weights] + (bias.map { [$0] } ?? []), [output],
            options: (
                2,
                [
                    0: .int8(padding), 1: .int32(stride), 2: .int32(stride), 3: .int32(multiplier),
                    4: .int8(activation), 5: .int32(1), 6: .int32(1),
                ]
            ))
    }
}
