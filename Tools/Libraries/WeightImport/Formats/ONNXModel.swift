/// What an import needs of an ONNX model (`ModelProto`): the constants of its graph, its operators, and its ends.
struct ONNXModel {
    /// The number of a type in `TensorProto.DataType`, and the dimensions; nil for one that is not fixed.
    struct Input {
        var name = ""
        var type = 0
        var shape: [Int?]?
    }

    struct Node {
        var name = ""
        var operation = ""
        var inputs: [String] = []
        var outputs: [String] = []
        var integers: [String: Int] = [:]
        var floats: [String: Float] = [:]
        var lists: [String: [Int]] = [:]
        var texts: [String: String] = [:]
        /// The attribute `value` of a constant, in whatever form.
        var value: ONNXTensor?
        /// The modules that the operator is in, outermost first, and the operation: `['', 'b1', 'b1.dw', 'conv2d']`.
        fileprivate(set) var scopes: String?

        /// The module that the operator is from. One of PyTorch's exporters names operators after it (`/b1/dw/Conv` is
        /// from `b1.dw`), the other has metadata.
        var scope: String? {
            if let scopes {
                let names = scopes.split(separator: "'", omittingEmptySubsequences: false).enumerated()
                    .filter { !$0.offset.isMultiple(of: 2) }.map { String($0.element) }
                return names.dropLast().last.flatMap { $0.isEmpty ? nil : $0 }
            }
            let parts = name.split(separator: "/")
            guard name.hasPrefix("/"), parts.count > 1 else { return nil }
            return parts.dropLast().joined(separator: ".")
        }
    }

    private(set) var initialisers: [ONNXTensor] = []
    private(set) var nodes: [Node] = []
    private(set) var inputs: [Input] = []
    private(set) var outputs: [String] = []
    private(set) var metadata: [String: String] = [:]

    static let nodeLimit = 1 << 16
    /// Inputs, outputs and attributes of all operators together.
    static let nameLimit = 1 << 20
    /// Bytes of an attribute's text that are read.
    private static let textLimit = 1 << 10

    private let bytes: [UInt8]
    private let files: ONNXDataFiles
    private var nameCount = 0
    private var elements = 0

    init(_ bytes: [UInt8], files: ONNXDataFiles = ONNXDataFiles()) throws(ONNXFault) {
        self.bytes = bytes
        self.files = files
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
            case 11: inputs.append(try input(try self.range(field)))
            case 12: outputs.append(try input(try self.range(field)).name)
            case 15: throw .sparse
            default: break
            }
        }
    }

    private mutating func node(_ range: Range<Int>) throws(ONNXFault) -> Node {
        var node = Node()
        var domain = ""
        var reader = ProtobufReader(bytes, range)
        while let field = try wire({ () throws(ProtobufFault) in try reader.next() }) {
            switch field.number {
            case 1: node.inputs.append(try name(field))
            case 2: node.outputs.append(try name(field))
            case 3: node.name = try name(field)
            case 4: node.operation = try name(field)
            case 5: try addAttribute(try self.range(field), to: &node)
            case 7: domain = try name(field)
            case 9:
                let (key, value) = try entry(try self.range(field))
                if key == "pkg.torch.onnx.name_scopes" { node.scopes = value }
            default: break
            }
        }
        // Operators of other sets have other meanings, but for those on quantised values.
        let isStandard = ["", "ai.onnx"].contains(domain) || node.operation.hasPrefix("Q")
        if !isStandard, node.operation != "DequantizeLinear" { node.operation = domain + "." + node.operation }
        return node
    }

    /// The name, type and shape of an end of the graph (`ValueInfoProto`).
    private mutating func input(_ range: Range<Int>) throws(ONNXFault) -> Input {
        var input = Input()
        var messages = [(range: range, depth: 0)]
        // Value, type, tensor type, shape, dimension: each inside the one before.
        while let (range, depth) = messages.popLast() {
            var reader = ProtobufReader(bytes, range)
            if depth == 3 { input.shape = input.shape ?? [] }
            while let field = try wire({ () throws(ProtobufFault) in try reader.next() }) {
                switch (depth, field.number) {
                case (0, 1): input.name = try name(field)
                case (2, 1): input.type = try wire { () throws(ProtobufFault) in try field.integer() }
                case (0, 2), (1, 1), (2, 2): messages.append((try self.range(field), depth + 1))
                case (3, 1):
                    guard input.shape?.count ?? 0 <= CheckpointLimit.rank else {
                        throw .structure("too many dimensions")
                    }
                    input.shape?.append(try self.dimension(try self.range(field)))
                default: break
                }
            }
        }
        return input
    }

    private func dimension(_ range: Range<Int>) throws(ONNXFault) -> Int? {
        var size: Int?
        var reader = ProtobufReader(bytes, range)
        while let field = try wire({ () throws(ProtobufFault) in try reader.next() }) {
            if field.number == 1 { size = try wire { () throws(ProtobufFault) in try field.integer() } }
        }
        return size.flatMap { $0 > 0 ? Self.limited($0) : nil }
    }

    /// Sums and differences of such numbers stay within 64 bits.
    private static func limited(_ number: Int) -> Int { Int(Int32(clamping: number)) }

    /// Reads numbers, lists of them, texts, and the tensor called `value`; other attributes are left out.
    private mutating func addAttribute(_ range: Range<Int>, to node: inout Node) throws(ONNXFault) {
        var (name, integer, float, text, tensor): (String, Int?, Float?, String?, Range<Int>?) = (
            "", nil, nil, nil, nil
        )
        var (list, floats): ([Int], [Float]) = ([], [])
        var reader = ProtobufReader(bytes, range)
        while let field = try wire({ () throws(ProtobufFault) in try reader.next() }) {
            switch field.number {
            case 1: name = try self.name(field)
            case 2: float = try wire { () throws(ProtobufFault) in try field.float() }
            case 3: integer = try wire { () throws(ProtobufFault) in try field.integer() }
            case 4: text = String(decoding: bytes[try self.range(field)].prefix(Self.textLimit), as: UTF8.self)
            case 5: tensor = try self.range(field)
            case 7: try numbers(field, width: 4) { floats.append(Float(bitPattern: UInt32(truncatingIfNeeded: $0))) }
            case 8: try numbers(field, width: 0) { list.append(Self.limited(Int(truncatingIfNeeded: $0))) }
            default: break
            }
        }
        if let integer { node.integers[name] = Self.limited(integer) }
        if let float { node.floats[name] = float }
        if let text { node.texts[name] = text }
        if !list.isEmpty { node.lists[name] = list }
        switch (name, tensor) {
        case ("value", let tensor?):
            do throws(ONNXFault) {
                node.value = try self.tensor(tensor, name: node.name)
            } catch {
                // Constants may hold text, which no weight is.
                guard case .tensor(_, .type) = error else { throw error }
            }
        case ("value_float", _): node.value = float.map { ONNXTensor(name: node.name, shape: [], floats: [$0]) }
        case ("value_floats", _): node.value = ONNXTensor(name: node.name, shape: [floats.count], floats: floats)
        case ("value_int", _): node.value = integer.map { ONNXTensor(name: node.name, shape: [], integers: [$0]) }
        case ("value_ints", _): node.value = ONNXTensor(name: node.name, shape: [list.count], integers: list)
        default: break
        }
    }

    /// Passes the numbers of a list to `body`; all lists are limited together.
    private mutating func numbers(
        _ field: ProtobufReader.Field, width: Int, _ body: (UInt64) -> Void
    ) throws(ONNXFault) {
        var count = 0
        let room = Self.nameLimit - nameCount
        let bytes = bytes
        try wire { () throws(ProtobufFault) in
            try ProtobufReader.forEachNumber(of: field, in: bytes, width: width) { number in
                count += 1
                if count <= room { body(number) }
            }
        }
        guard count <= room else { throw .tooMany("numbers of attributes", limit: Self.nameLimit) }
        nameCount += count
    }

    private mutating func tensor(_ range: Range<Int>, name: String?) throws(ONNXFault) -> ONNXTensor {
        guard initialisers.count < CheckpointLimit.tensors else {
            throw .tooMany("constants", limit: CheckpointLimit.tensors)
        }
        let tensor = try ONNXTensor(bytes, range, name: name, files: files)
        elements += tensor.shape.reduce(1, *)
        guard elements <= CheckpointLimit.elements else {
            throw .tooMany("elements of constants", limit: CheckpointLimit.elements)
        }
        return tensor
    }

    private mutating func addMetadata(_ range: Range<Int>) throws(ONNXFault) {
        let (key, value) = try entry(range)
        guard metadata.updateValue(value, forKey: key) == nil else { throw .nameTwice(key) }
    }

    /// A pair of texts (`StringStringEntryProto`).
    private mutating func entry(_ range: Range<Int>) throws(ONNXFault) -> (key: String, value: String) {
        var (key, value) = ("", "")
        var reader = ProtobufReader(bytes, range)
        while let field = try wire({ () throws(ProtobufFault) in try reader.next() }) {
            switch field.number {
            case 1: key = try name(field)
            case 2: value = try name(field)
            default: break
            }
        }
        return (key, value)
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
