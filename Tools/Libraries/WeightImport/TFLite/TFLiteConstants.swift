import ModelFile

/// The constants of a TFLite file as numbers, including those that operators only unpack: sparse storage (DENSIFY) and
/// float16 (DEQUANTIZE).
struct TFLiteConstants {
    private let model: TFLiteModel
    /// For a tensor that an operator computes from a constant alone: the constant with the same values.
    private var sources: [Int: Int] = [:]

    init(_ model: TFLiteModel) { self.model = model }

    /// Whether a tensor has values in the file, or is folded into one that has.
    func isConstant(_ index: Int) -> Bool {
        guard sources[index] == nil else { return true }
        let buffer = model.tensors[index].buffer
        guard buffer != 0, model.buffers.indices.contains(buffer) else { return false }
        switch model.buffers[buffer] {
        case .bytes(let range): return !range.isEmpty
        case .outside: return true
        }
    }

    /// Records that the tensor `output` has the values of the constant `input`.
    mutating func fold(_ output: Int, into input: Int) { sources[output] = source(of: input) }

    /// The tensor of the file that holds the values.
    func source(of index: Int) -> Int { sources[index] ?? index }

    /// The floats of a float32 or float16 constant, row-major; all finite.
    func floats(_ index: Int) throws(TFLiteError) -> [Float] {
        let tensor = model.tensors[source(of: index)]
        let raw = try bytes(of: tensor)
        let start = raw.lowerBound
        let bytes = model.flatBuffer.bytes
        var values: [Float]
        switch tensor.type {
        case .float32:
            let count = try storedCount(tensor, raw, width: 4)
            values = (0..<count).map { index in
                let at = start + 4 * index
                let low = UInt32(bytes[at]) | UInt32(bytes[at + 1]) << 8
                return Float(bitPattern: low | UInt32(bytes[at + 2]) << 16 | UInt32(bytes[at + 3]) << 24)
            }
        case .float16:
            let count = try storedCount(tensor, raw, width: 2)
            values = (0..<count).map { index in
                let at = start + 2 * index
                return HalfPrecision.float(UInt16(bytes[at]) | UInt16(bytes[at + 1]) << 8)
            }
        default: throw .tensor(tensor.name, .type(found: tensor.type.name, expected: "FLOAT32 or FLOAT16"))
        }
        if let index = values.firstIndex(where: { !$0.isFinite }) {
            throw .tensor(tensor.name, .notFinite(index: index))
        }
        if let table = tensor.sparsity {
            let places = try SparseLayout(table, tensor).places(count: values.count)
            var dense = [Float](repeating: 0, count: try elementCount(tensor))
            for (place, value) in zip(places, values) { dense[Int(place)] = value }
            values = dense
        }
        return values
    }

    /// The numbers of an int32 constant, row-major.
    func integers(_ index: Int) throws(TFLiteError) -> [Int] {
        let tensor = model.tensors[source(of: index)]
        guard tensor.type == .int32, tensor.sparsity == nil else {
            throw .tensor(tensor.name, .type(found: tensor.type.name, expected: "INT32"))
        }
        let raw = try bytes(of: tensor)
        let count = try storedCount(tensor, raw, width: 4)
        var integers: [Int] = []
        for index in 0..<count {
            integers.append(Int(try model.flatBuffer.integer(Int32.self, at: raw.lowerBound + 4 * index, of: .buffer)))
        }
        return integers
    }

    private func bytes(of tensor: TFLiteModel.Tensor) throws(TFLiteError) -> Range<Int> {
        guard model.buffers.indices.contains(tensor.buffer) else { throw .tensor(tensor.name, .buffer(tensor.buffer)) }
        switch model.buffers[tensor.buffer] {
        case .bytes(let range): return range
        case .outside(let offset, let size):
            throw .tensor(
                tensor.name,
                .externalBuffer(offset: offset, size: size, fileSize: model.flatBuffer.bytes.count))
        }
    }

    /// Elements that the file stores; for a dense tensor, those of its shape.
    private func storedCount(
        _ tensor: TFLiteModel.Tensor, _ raw: Range<Int>, width: Int
    ) throws(TFLiteError) -> Int {
        let count = try elementCount(tensor)
        let found = raw.count
        guard tensor.sparsity == nil ? found == count * width : found <= count * width && found % width == 0 else {
            throw .tensor(tensor.name, .byteCount(expected: count * width, found: found))
        }
        return found / width
    }

    private func elementCount(_ tensor: TFLiteModel.Tensor) throws(TFLiteError) -> Int {
        var count = 1
        for dimension in tensor.shape {
            guard dimension > 0, dimension <= NetworkGraph.elementLimit / count else {
                throw .tensor(tensor.name, .shape(tensor.shape))
            }
            count *= dimension
        }
        return count
    }
}
