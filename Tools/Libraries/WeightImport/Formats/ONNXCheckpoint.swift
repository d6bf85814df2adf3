/// The weights of an ONNX model, under the names that PyTorch gives them.
///
/// Exporters fold and rename: the weights of a convolution with its BatchNorm are called `onnx::Conv_12`, but the
/// operator's name says which module they are from (`/b1/dw/Conv`). So a weight whose own name is a counter's is called
/// after its operator. Matrices are stored as PyTorch has them, a row for each output. Operators on weights alone are
/// computed. Constants that only set operators, such as the bounds of Clip, are left out.
struct ONNXCheckpoint {
    let tensors: [String: Checkpoint.Tensor]
    /// The model's `metadata_props`.
    let metadata: [String: String]
    /// The part that each weight has in the network; nil for a file without operators.
    let places: Result<NetworkPlaces, ONNXFault>?

    /// - Parameter files: what may have the values of large constants.
    init(_ bytes: [UInt8], files: ONNXDataFiles = ONNXDataFiles()) throws(ImportError) {
        let model: ONNXModel
        let weights: ONNXWeights
        do throws(ONNXFault) {
            model = try ONNXModel(bytes, files: files)
            weights = try ONNXWeights(model)
        } catch {
            throw .onnx(error)
        }
        var gathered = TensorCollection()
        for tensor in weights.weights {
            try gathered.add(
                tensor.name,
                Checkpoint.Tensor(shape: tensor.shape, type: tensor.type.name, values: tensor.floats))
        }
        tensors = gathered.tensors
        metadata = model.metadata
        guard !model.nodes.isEmpty else {
            places = nil
            return
        }
        do throws(ONNXFault) { places = .success(try ONNXNetwork(model, weights).places) } catch {
            places = .failure(error)
        }
    }
}

/// A place where an operator takes a value.
struct ONNXInput: Hashable {
    let node: Int
    let index: Int
}

/// The constants of a graph that are weights, and their names.
struct ONNXWeights {
    /// In the order of the operators that use them, those of none last.
    private(set) var weights: [ONNXTensor] = []
    /// The weight that an operator takes at a place.
    private(set) var names: [ONNXInput: String] = [:]
    private(set) var constants = ONNXConstants()

    /// Constants that an operator uses as a weight or as an operand.
    private var used: Set<String> = []
    /// Constants that only set an operator, or that another constant is made of.
    private var settings: Set<String> = []
    /// The constant that gives the weight of this name.
    private var sources: [String: String] = [:]

    init(_ model: ONNXModel) throws(ONNXFault) {
        for tensor in model.initialisers { try constants.add(tensor, as: tensor.name) }
        for (index, node) in model.nodes.enumerated() { try add(node, index) }
        for tensor in model.initialisers where !used.contains(tensor.name) && !settings.contains(tensor.name) {
            try keep(tensor, of: tensor.name, as: tensor.name)
        }
    }

    private mutating func add(_ node: ONNXModel.Node, _ index: Int) throws(ONNXFault) {
        if try constants.fold(node) {
            settings.formUnion(node.inputs)
            return
        }
        switch node.operation {
        case "Conv", "ConvTranspose": try weigh(node, index, ["weight", "bias"])
        case "Gemm": try weigh(node, index, ["weight", "bias"], transposing: node.integers["transB"] != 1)
        case "MatMul":
            // A matrix before the values has a row for each output, one behind them a column.
            if node.inputs.count == 2, constants[node.inputs[0]] != nil {
                try weigh(node, index, ["weight"], from: 0)
            } else {
                try weigh(node, index, ["weight"], transposing: true)
            }
        case "BatchNormalization":
            let epsilon = node.floats["epsilon"] ?? Float(FoldedNetwork.batchNormEpsilon)
            guard epsilon == Float(FoldedNetwork.batchNormEpsilon) else { throw .epsilon(node.name, epsilon) }
            try weigh(node, index, ["weight", "bias", "running_mean", "running_var"])
        case "QLinearConv", "QLinearMatMul", "ConvInteger", "MatMulInteger", "QGemm":
            throw .quantisedOperator(node.operation)
        case "Add", "Sub", "Mul", "Div", "PRelu":
            for (place, input) in node.inputs.enumerated() {
                guard let tensor = constants[input], tensor.floats != nil else { continue }
                guard tensor.shape.reduce(1, *) != 1 else {
                    settings.insert(input)
                    continue
                }
                let isBias = node.operation == "Add" && Self.isCounted(tensor.name)
                names[ONNXInput(node: index, index: place)] = try keep(
                    tensor, of: input, as: (isBias ? node.scope.map { $0 + ".bias" } : nil) ?? tensor.name)
            }
        default:
            // What sets an operator comes behind its first input: bounds, shapes, axes, scales.
            for input in node.inputs.dropFirst() where constants[input] != nil { settings.insert(input) }
        }
    }

    /// Takes the constants at the inputs from `from` on as weights.
    private mutating func weigh(
        _ node: ONNXModel.Node, _ index: Int, _ suffixes: [String], from: Int = 1, transposing: Bool = false
    ) throws(ONNXFault) {
        for (place, suffix) in suffixes.enumerated() where from + place < node.inputs.count {
            let input = node.inputs[from + place]
            guard var tensor = constants[input] else { continue }
            var name = tensor.name
            if Self.isCounted(name), let scope = node.scope {
                name = scope + "." + suffix
            } else if suffix == "bias", name.hasSuffix(Self.foldedBias) {
                // The bias that folding gives a convolution without one is called after its weights.
                name = name.dropLast(Self.foldedBias.count) + ".bias"
            }
            if transposing, suffix == "weight", tensor.shape.count == 2 { tensor = tensor.transposed([1, 0]) }
            names[ONNXInput(node: index, index: from + place)] = try keep(tensor, of: input, as: name)
        }
    }

    /// The name of the weight that this constant becomes.
    @discardableResult
    private mutating func keep(_ tensor: ONNXTensor, of constant: String, as name: String) throws(ONNXFault) -> String {
        var name = name
        // A weight of two operators stays one weight, unless they call it differently.
        if let source = sources[name] {
            if source == constant { return name }
            // The name of an operator's module may be taken; the constant's own is not.
            guard name != tensor.name, sources[tensor.name] == nil else { throw .nameTwice(name) }
            name = tensor.name
        }
        sources[name] = constant
        guard weights.count < CheckpointLimit.tensors else { throw .tooMany("weights", limit: CheckpointLimit.tensors) }
        try constants.count(tensor)
        used.insert(constant)
        weights.append(tensor.named(name))
        return name
    }

    private static let foldedBias = ".weight_bias"

    /// Whether an exporter has made the name of a counter.
    private static func isCounted(_ name: String) -> Bool {
        let digits = name.hasPrefix("val_") ? name.dropFirst(4) : name[...]
        return name.contains("::") || name.contains("Constant_") || digits.allSatisfy(\.isNumber)
    }
}
