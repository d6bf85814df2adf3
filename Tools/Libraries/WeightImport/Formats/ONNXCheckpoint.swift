/// The weights of an ONNX model, under the names that PyTorch gives them.
///
/// Exporters fold and rename: the weights of a convolution with its BatchNorm are called `onnx::Conv_12`, but the
/// operator's name says which module they are from (`/b1/dw/Conv`). So a weight whose own name is a counter's is called
/// after its operator. Matrices are stored as PyTorch has them, a row for each output. Weights behind DequantizeLinear
/// are dequantised. Constants that only set operators, such as the bounds of Clip, are left out.
struct ONNXCheckpoint {
    let tensors: [String: Checkpoint.Tensor]
    /// The model's `metadata_props`.
    let metadata: [String: String]

    init(_ bytes: [UInt8]) throws(ImportError) {
        let model: ONNXModel
        let weights: [ONNXTensor]
        do throws(ONNXFault) {
            model = try ONNXModel(bytes)
            weights = try ONNXWeights(model).weights
        } catch {
            throw .onnx(error)
        }
        var gathered = TensorCollection()
        for tensor in weights {
            try gathered.add(
                tensor.name,
                Checkpoint.Tensor(shape: tensor.shape, type: tensor.type.name, values: tensor.floats))
        }
        tensors = gathered.tensors
        metadata = model.metadata
    }
}

/// The constants of a graph that are weights, and their names.
private struct ONNXWeights {
    /// In the order of the operators that use them, those of none last.
    private(set) var weights: [ONNXTensor] = []

    /// Constants by the name of their value.
    private var constants: [String: ONNXTensor]
    /// Constants that an operator uses as a weight or as an operand.
    private var used: Set<String> = []
    /// Constants that only set an operator.
    private var settings: Set<String> = []
    /// The constant that gives the weight of this name.
    private var names: [String: String] = [:]
    /// Elements of weights and of what has been dequantised.
    private var elements = 0

    init(_ model: ONNXModel) throws(ONNXFault) {
        var constants: [String: ONNXTensor] = [:]
        for tensor in model.initialisers {
            guard constants.updateValue(tensor, forKey: tensor.name) == nil else { throw .nameTwice(tensor.name) }
        }
        self.constants = constants
        for node in model.nodes { try add(node) }
        for tensor in model.initialisers where !used.contains(tensor.name) && !settings.contains(tensor.name) {
            try keep(tensor, as: tensor.name)
        }
    }

    private mutating func add(_ node: ONNXModel.Node) throws(ONNXFault) {
        switch node.operation {
        case "Constant":
            guard let value = node.value, let output = node.outputs.first else { return }
            guard constants.updateValue(value.named(output, transposing: false), forKey: output) == nil else {
                throw .nameTwice(output)
            }
        case "Identity":
            guard let input = node.inputs.first, let output = node.outputs.first, let tensor = constants[input] else {
                return
            }
            settings.insert(input)
            guard constants.updateValue(tensor.named(output, transposing: false), forKey: output) == nil else {
                throw .nameTwice(output)
            }
        case "DequantizeLinear": try dequantise(node)
        case "Conv", "ConvTranspose": try weigh(node, [(1, "weight"), (2, "bias")])
        case "Gemm": try weigh(node, [(1, "weight"), (2, "bias")], transposing: node.integers["transB"] != 1)
        case "MatMul": try weigh(node, [(0, "weight"), (1, "weight")], transposing: true)
        case "BatchNormalization":
            let epsilon = node.floats["epsilon"] ?? Float(FoldedNetwork.batchNormEpsilon)
            guard epsilon == Float(FoldedNetwork.batchNormEpsilon) else { throw .epsilon(node.name, epsilon) }
            try weigh(node, [(1, "weight"), (2, "bias"), (3, "running_mean"), (4, "running_var")])
        case "QLinearConv", "QLinearMatMul", "ConvInteger", "MatMulInteger", "QGemm":
            throw .quantisedOperator(node.operation)
        case "Add", "Sub", "Mul", "Div", "PRelu":
            for input in node.inputs {
                if let tensor = constants[input], tensor.floats != nil, !tensor.shape.isEmpty { try keep(tensor) }
            }
        default:
            // What sets an operator comes behind its first input: bounds, shapes, axes, scales.
            for input in node.inputs.dropFirst() where constants[input] != nil { settings.insert(input) }
        }
    }

    /// Takes the constants at these inputs as weights.
    private mutating func weigh(
        _ node: ONNXModel.Node, _ roles: [(index: Int, suffix: String)], transposing: Bool = false
    ) throws(ONNXFault) {
        for (index, suffix) in roles where index < node.inputs.count {
            guard let tensor = constants[node.inputs[index]] else { continue }
            var name = tensor.name
            if Self.isCounted(name), let scope = node.scope {
                name = scope + "." + suffix
            } else if suffix == "bias", name.hasSuffix(Self.foldedBias) {
                // The bias that folding gives a convolution without one is called after its weights.
                name = name.dropLast(Self.foldedBias.count) + ".bias"
            }
            try keep(tensor, as: name, transposing: transposing && suffix == "weight")
        }
    }

    private mutating func keep(
        _ tensor: ONNXTensor, as name: String? = nil, transposing: Bool = false
    ) throws(ONNXFault) {
        let name = name ?? tensor.name
        // A weight of two operators stays one weight, unless they call it differently.
        guard names.updateValue(tensor.name, forKey: name) != tensor.name else { return }
        guard !weights.contains(where: { $0.name == name }) else { throw .nameTwice(name) }
        guard weights.count < CheckpointLimit.tensors else { throw .tooMany("weights", limit: CheckpointLimit.tensors) }
        try count(tensor)
        used.insert(tensor.name)
        weights.append(tensor.named(name, transposing: transposing))
    }

    /// A few operators could make any number of copies of one constant.
    private mutating func count(_ tensor: ONNXTensor) throws(ONNXFault) {
        elements += tensor.shape.reduce(1, *)
        guard elements <= 2 * CheckpointLimit.elements else {
            throw .tooMany("elements of weights", limit: 2 * CheckpointLimit.elements)
        }
    }

    private mutating func dequantise(_ node: ONNXModel.Node) throws(ONNXFault) {
        for input in node.inputs.dropFirst() { settings.insert(input) }
        guard let input = node.inputs.first, let output = node.outputs.first, let tensor = constants[input] else {
            return
        }
        guard node.inputs.count > 1, let scale = constants[node.inputs[1]], node.integers["block_size"] ?? 0 == 0 else {
            throw .tensor(tensor.name, .dequantisation)
        }
        let zeroPoint = node.inputs.count > 2 && !node.inputs[2].isEmpty ? node.inputs[2] : nil
        guard zeroPoint == nil || constants[zeroPoint ?? ""] != nil else { throw .tensor(tensor.name, .dequantisation) }
        settings.insert(input)
        try count(tensor)
        let name =
            tensor.name.hasSuffix(Self.quantised) ? String(tensor.name.dropLast(Self.quantised.count)) : tensor.name
        let result = try tensor.dequantised(
            scale: scale, zeroPoint: zeroPoint.flatMap { constants[$0] }, axis: node.integers["axis"] ?? 1)
        guard constants.updateValue(result.named(name, transposing: false), forKey: output) == nil else {
            throw .nameTwice(output)
        }
    }

    private static let quantised = "_quantized"
    private static let foldedBias = ".weight_bias"

    /// Whether an exporter has made the name of a counter.
    private static func isCounted(_ name: String) -> Bool {
        name.contains("::") || name.contains("Constant_") || name.allSatisfy(\.isNumber)
    }
}
