/// What weights need of an ONNX model (`ModelProto`): the constants of its graph and the operators that use them.
struct ONNXModel {
    struct Node {
        var name = ""
        var operation = ""
        var inputs: [String] = []
        var outputs: [String] = []
        var integers: [String: Int] = [:]
        var floats: [String: Float] = [:]
        /// The attribute `value` of a constant.
        var value: ONNXTensor?

        /// The module that the operator is from, as PyTorch's exporters name operators: `/b1/dw/Conv` is from `b1.dw`.
        var scope: String? {
            let parts = name.split(separator: "/")
            guard name.hasPrefix("/"), parts.count > 1 else { return nil }
            return parts.dropLast().joined(separator: ".")
        }
    }

    private(set) var initialisers: [ONNXTensor] = []
    private(set) var nodes: [Node] = []
    private(set) var metadata: [String: String] = [:]

    static let nodeLimit = 1 << 16
    /// Inputs, outputs and attributes of all operators together.
    static let nameLimit = 1 << 20

    private let bytes: [UInt8]
    private var nameCount = 0
    private var elements = 0

    init(_ bytes: [UInt8]) throws(ONNXFault) {
        self.bytes = bytes
        var graph: Range<Int>?
        var reader = ProtobufReader(bytes, 0..<bytes.count)
        while let field = try wire({ () throws(ProtobufFault) in try reader.next() }) {
            switch field.number {
            case 7:
                guard graph == nil else { throw .structure("two graphs") }
                graph = try range(field)
            case 14: try addMetadata(try range(field))
            default: break
            }
        }
        guard let graph else { throw .structure("no graph") }
        try readGraph(graph)
    }

    private mutating func readGraph(_ range: Range<Int>) throws(ONNXFault) {
        var reader = ProtobufReader(bytes, range)
        while let field = try wire({ () throws(ProtobufFault) in try reader.next() }) {
            switch field.number {
            case 1:
                guard nodes.count < Self.nodeLimit else { throw .tooMany("operators", limit: Self.nodeLimit) }
                nodes.append(try node(try self.range(field)))
            case 5:
                let tensor = try tensor(try self.range(field), name: nil)
                guard !tensor.name.isEmpty else { throw .structure("a constant without a name") }
                initialisers.append(tensor)
            case 15: throw .sparse
            default: break
            }
        }
    }

    private mutating func node(_ range: Range<Int>) throws(ONNXFault) -> Node {
        var node = Node()
        var reader = ProtobufReader(bytes, range)
        while let field = try wire({ () throws(ProtobufFault) in try reader.next() }) {
            switch field.number {
            case 1: node.inputs.append(try name(field))
            case 2: node.outputs.append(try name(field))
            case 3: node.name = try name(field)
            case 4: node.operation = try name(field)
            case 5: try addAttribute(try self.range(field), to: &node)
            default: break
            }
        }
        return node
    }

    /// Reads numbers, and the tensor called `value`; other attributes are left out.
    private mutating func addAttribute(_ range: Range<Int>, to node: inout Node) throws(ONNXFault) {
        var (name, integer, float, tensor): (String, Int?, Float?, Range<Int>?) = ("", nil, nil, nil)
        var reader = ProtobufReader(bytes, range)
        while let field = try wire({ () throws(ProtobufFault) in try reader.next() }) {
            switch field.number {
            case 1: name = try self.name(field)
            case 2: float = try wire { () throws(ProtobufFault) in try field.float() }
            case 3: integer = try wire { () throws(ProtobufFault) in try field.integer() }
            case 5: tensor = try self.range(field)
            default: break
            }
        }
        if let integer { node.integers[name] = integer }
        if let float { node.floats[name] = float }
        guard let tensor, name == "value" else { return }
        do throws(ONNXFault) {
            node.value = try self.tensor(tensor, name: node.name)
        } catch {
            // Constants may hold text, which no weight is.
            guard case .tensor(_, .type) = error else { throw error }
        }
    }

    private mutating func tensor(_ range: Range<Int>, name: String?) throws(ONNXFault) -> ONNXTensor {
        guard initialisers.count < CheckpointLimit.tensors else {
            throw .tooMany("constants", limit: CheckpointLimit.tensors)
        }
        let tensor = try ONNXTensor(bytes, range, name: name)
        elements += tensor.shape.reduce(1, *)
        guard elements <= CheckpointLimit.elements else {
            throw .tooMany("elements of constants", limit: CheckpointLimit.elements)
        }
        return tensor
    }

    private mutating func addMetadata(_ range: Range<Int>) throws(ONNXFault) {
        var (key, value) = ("", "")
        var reader = ProtobufReader(bytes, range)
        while let field = try wire({ () throws(ProtobufFault) in try reader.next() }) {
            switch field.number {
            case 1: key = try name(field)
            case 2: value = try name(field)
            default: break
            }
        }
        guard metadata.updateValue(value, forKey: key) == nil else { throw .nameTwice(key) }
    }

    private func range(_ field: ProtobufReader.Field) throws(ONNXFault) -> Range<Int> {
        try wire { () throws(ProtobufFault) in try field.range() }
    }

    private mutating func name(_ field: ProtobufReader.Field) throws(ONNXFault) -> String {
        guard nameCount < Self.nameLimit else { throw .tooMany("names", limit: Self.nameLimit) }
        nameCount += 1
        let bytes = bytes
        return try wire { () throws(ProtobufFault) in try field.text(in: bytes) }
    }
}
