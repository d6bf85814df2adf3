import ModelFile

/// The parts of a TFLite file (schema version 3, tensorflow/lite/schema/schema.fbs) that a graph needs, as in the file:
/// with bounds and types checked, but not yet against each other.
struct TFLiteModel {
    static let tensorLimit = 8192
    static let operatorLimit = 8192
    static let bufferLimit = 16384
    static let operandLimit = 256
    static let nameLimit = 4096
    /// Levels of sparse storage.
    static let levelLimit = 12
    /// Most entries of all lists of a sparse tensor together: two lists per level, each of as many as a value has
    /// elements.
    static let sparseEntryLimit = 2 * NetworkGraph.elementLimit

    struct Tensor {
        let name: String
        let shape: [Int]
        let type: TFLiteType
        let buffer: Int
        let isVariable: Bool
        let sparsity: FlatBuffer.Table?
    }

    struct Operator {
        let operation: TFLiteOperator
        /// -1 is an omitted operand.
        let inputs: [Int]
        let outputs: [Int]
        let optionsType: Int
        let options: FlatBuffer.Table?
    }

    enum Buffer {
        /// The position of the bytes in the file, in the flatbuffer or after it; empty if the tensor is not a constant.
        case bytes(Range<Int>)
        /// The buffer refers to bytes outside the file.
        case outside(offset: Int, size: Int)
    }

    let flatBuffer: FlatBuffer
    let tensors: [Tensor]
    let operators: [Operator]
    let buffers: [Buffer]
    let inputs: [Int]
    let outputs: [Int]

    init(bytes: [UInt8]) throws(TFLiteError) {
        guard bytes.count >= 8, bytes[4..<8].elementsEqual("TFL3".utf8) else { throw .notTFLite }
        // Offsets of a flatbuffer have 31 bits.
        guard bytes.count <= Int(Int32.max) else {
            throw .tooMany(.file, count: bytes.count, limit: Int(Int32.max))
        }
        flatBuffer = FlatBuffer(bytes: bytes)
        let model = try flatBuffer.root()
        let version = try model.integer(0, UInt32.self)
        guard version == 3 else { throw .version(version) }

        var operations: [TFLiteOperator] = []
        for code in try model.tables(1, .operatorCode, limit: Self.operatorLimit) {
            operations.append(try TFLiteOperator(code))
        }
        var buffers: [Buffer] = []
        for buffer in try model.tables(4, .buffer, limit: Self.bufferLimit) {
            buffers.append(try Self.buffer(buffer, fileSize: bytes.count))
        }
        self.buffers = buffers

        guard let list = try model.vector(2, width: 4), list.count == 4 else {
            throw .subgraphCount((try model.vector(2, width: 4)?.count ?? 0) / 4)
        }
        let subgraph = try model.tables(2, .subgraph, limit: 1)[0]
        var tensors: [Tensor] = []
        for tensor in try subgraph.tables(0, .tensor, limit: Self.tensorLimit) {
            tensors.append(try Self.tensor(tensor))
        }
        self.tensors = tensors
        inputs = try subgraph.integers(1, Int32.self, limit: Self.operandLimit)
        outputs = try subgraph.integers(2, Int32.self, limit: Self.operandLimit)
        var operators: [Operator] = []
        for node in try subgraph.tables(3, .operation, limit: Self.operatorLimit) {
            let code = try node.integer(0, UInt32.self)
            guard operations.indices.contains(code) else { throw .malformed(.operation, offset: node.offset) }
            operators.append(
                Operator(
                    operation: operations[code],
                    inputs: try node.integers(1, Int32.self, limit: Self.operandLimit),
                    outputs: try node.integers(2, Int32.self, limit: Self.operandLimit),
                    optionsType: try node.integer(3, UInt8.self), options: try node.table(4, .options)))
        }
        self.operators = operators
    }

    /// Bytes in the flatbuffer, or else those at an offset from the file's beginning with a size.
    private static func buffer(_ table: FlatBuffer.Table, fileSize: Int) throws(TFLiteError) -> Buffer {
        if let range = try table.vector(0, width: 1), !range.isEmpty { return .bytes(range) }
        let offset = try table.integer(1, UInt64.self)
        let size = try table.integer(2, UInt64.self)
        // Offset 1 means none, too: writers use it as a placeholder.
        guard offset > 1, size > 0 else { return .bytes(0..<0) }
        guard offset <= fileSize, size <= fileSize - offset else { return .outside(offset: offset, size: size) }
        return .bytes(offset..<offset + size)
    }

    private static func tensor(_ table: FlatBuffer.Table) throws(TFLiteError) -> Tensor {
        let name = try table.string(3, limit: nameLimit)
        let code = try table.integer(1, Int8.self)
        return Tensor(
            name: name, shape: try table.integers(0, Int32.self, limit: NetworkGraph.rankLimit),
            type: TFLiteType(code: code), buffer: try table.integer(2, UInt32.self),
            isVariable: try table.flag(5), sparsity: try table.table(6, .sparsity))
    }
}

/// An element type of the schema.
struct TFLiteType: Equatable {
    let code: Int

    static let float32 = TFLiteType(code: 0)
    static let float16 = TFLiteType(code: 1)
    static let int32 = TFLiteType(code: 2)

    private static let names = [
        "FLOAT32", "FLOAT16", "INT32", "UINT8", "INT64", "STRING", "BOOL", "INT16", "COMPLEX64", "INT8", "FLOAT64",
        "COMPLEX128", "UINT64", "RESOURCE", "VARIANT", "UINT32", "UINT16", "INT4", "BFLOAT16",
    ]

    var name: String { Self.names.indices.contains(code) ? Self.names[code] : "type \(code)" }
}
