package import ModelFile

/// Makes a graph of a TFLite file, strictly and independent of the file's storage: sparse and float16 constants become
/// plain numbers, padding becomes counts, operators that lead to no output are left out, and an unknown operator is
/// rejected by its name.
package enum TFLiteGraph {
    /// The graph, with its parameters in float32. Inputs and outputs keep their names in the file; other values and the
    /// parameters are named after their operator and its index in the graph: `convolution_7`, `convolution_7.weights`.
    package static func read(_ bytes: [UInt8]) throws(TFLiteError) -> GraphFile {
        let model = try TFLiteModel(bytes: bytes)
        var conversion = GraphConversion(model)
        return try conversion.graph()
    }
}

/// The state of the conversion of a TFLite file to a graph.
private struct GraphConversion {
    let model: TFLiteModel
    private var constants: TFLiteConstants
    private var values: [NetworkGraph.Value] = []
    private var nodes: [NetworkGraph.Node] = []
    /// From the index of a tensor to that of its value.
    private var valueIndices: [Int: Int] = [:]
    private var parameters: [String: GraphFile.Parameter] = [:]
    /// Name of the parameter for a constant in this shape.
    private var parameterNames: [Constant: String] = [:]
    private var parameterElements = 0

    private struct Constant: Hashable {
        let tensor: Int
        let shape: [Int]
    }

    init(_ model: TFLiteModel) {
        self.model = model
        constants = TFLiteConstants(model)
    }

    mutating func graph() throws(TFLiteError) -> GraphFile {
        for tensor in model.inputs + model.outputs {
            guard model.tensors.indices.contains(tensor), !constants.isConstant(tensor) else {
                throw .ends(tensor: tensor)
            }
        }
        var inputs: [Int] = []
        for tensor in model.inputs { inputs.append(try value(tensor, named: model.tensors[tensor].name)) }
        for index in model.operators.indices {
            let reader = OperatorReader(model: model, constants: constants, index: index)
            try add(reader)
        }
        var outputs: [Int] = []
        for tensor in model.outputs {
            guard let value = valueIndices[tensor] else { throw .ends(tensor: tensor) }
            outputs.append(value)
        }
        let graph = NetworkGraph(values: values, nodes: nodes, inputs: inputs, outputs: outputs).pruned()
        let used = Set(graph.nodes.flatMap { node in node.operation.parameters.map(\.name) })
        parameters = parameters.filter { used.contains($0.key) }
        do throws(ModelFileError.GraphFault) {
            try graph.validate(parameterShapes: parameters.mapValues(\.shape))
        } catch {
            throw .graph(error)
        }
        return GraphFile(graph: graph, parameters: parameters)
    }

    // MARK: Operators

    private mutating func add(_ reader: OperatorReader) throws(TFLiteError) {
        switch reader.name {
        case "DEQUANTIZE", "DENSIFY": try fold(reader)
        case "CONV_2D": try addConvolution(reader, isDepthwise: false)
        case "DEPTHWISE_CONV_2D": try addConvolution(reader, isDepthwise: true)
        case "FULLY_CONNECTED": try addFullyConnected(reader)
        case "ADD": try addAddition(reader)
        case "MUL": try addMultiplication(reader)
        case "SUB": try addArithmetic(.subtract, reader.options(28), reader)
        case "DIV": try addArithmetic(.divide, reader.options(29), reader)
        case "MAXIMUM": try addArithmetic(.maximum, nil, reader)
        case "MINIMUM": try addArithmetic(.minimum, nil, reader)
        case "MAX_POOL_2D": try addMaxPool(reader)
        case "MEAN": try addMean(reader)
        case "REDUCE_MAX": try addReduction(.maximum, reader)
        case "REDUCE_MIN": try addReduction(.minimum, reader)
        case "GATHER": try addGather(reader)
        case "UNPACK": try addUnpack(reader)
        case "STRIDED_SLICE": try addSlice(reader)
        case "SOFTMAX": try addSoftmax(reader)
        case "PAD": try addPad(reader)
        case "RESIZE_BILINEAR": try addResize(reader)
        case "RESHAPE": try addReshape(reader)
        case "CONCATENATION": try addConcatenation(reader)
        case "DEPTH_TO_SPACE":
            try reader.requireOperands(1...1)
            let block = try reader.requiredOptions(94).integer(0, Int32.self)
            try append(.depthToSpace(block: block), inputs: [reader.operand(0)], reader)
        case "PRELU":
            try reader.requireOperands(2...2)
            let channels = model.tensors[try reader.operand(0)].shape.last ?? 0
            let slope = try parameter(reader, operand: 1, "slope", vector: channels)
            try append(.prelu(slope: slope), inputs: [reader.operand(0)], reader)
        case "LOGISTIC": try addUnary(.logistic, reader)
        case "RELU": try addUnary(.relu, reader)
        case "RELU6": try addUnary(.relu6, reader)
        default: throw reader.fault(.unsupported)
        }
    }

    private mutating func addUnary(_ operation: NetworkGraph.Operation, _ reader: OperatorReader) throws(TFLiteError) {
        try reader.requireOperands(1...1)
        try append(operation, inputs: [reader.operand(0)], reader)
    }

    /// DEQUANTIZE of a float16 constant, or DENSIFY of any constant: the output is the constant.
    private mutating func fold(_ reader: OperatorReader) throws(TFLiteError) {
        try reader.requireOperands(1...1)
        let (input, output) = (try reader.operand(0), try reader.output())
        let (from, to) = (model.tensors[input], model.tensors[output])
        guard constants.isConstant(input) else { throw reader.fault(.notConstant(from.name)) }
        let source = model.tensors[constants.source(of: input)]
        guard source.type == .float16 || source.type == .float32 else {
            throw .tensor(from.name, .type(found: source.type.name, expected: "FLOAT32 or FLOAT16"))
        }
        let expected = reader.name == "DENSIFY" ? from.type : .float32
        guard to.type == expected else {
            throw .tensor(to.name, .type(found: to.type.name, expected: expected.name))
        }
        guard to.shape == from.shape, !constants.isConstant(output) else {
            throw .tensor(to.name, .shape(to.shape))
        }
        constants.fold(output, into: input)
    }

    private mutating func addConvolution(_ reader: OperatorReader, isDepthwise: Bool) throws(TFLiteError) {
        let options = try reader.requiredOptions(isDepthwise ? 2 : 1)
        try reader.requireOperands(2...3)
        // The depthwise options have a depth multiplier before the activation.
        let slot = isDepthwise ? 4 : 3
        let dilationX = try options.integer(slot + 1, Int32.self, default: 1)
        let dilationY = try options.integer(slot + 2, Int32.self, default: 1)
        guard dilationX == 1, dilationY == 1 else { throw reader.fault(.dilation(dilationY, dilationX)) }
        let shape = model.tensors[try reader.operand(1)].shape
        let input = model.tensors[try reader.operand(0)].shape
        guard shape.count == 4, input.count == 4 else { throw reader.fault(.constantOperand("weights")) }
        if isDepthwise {
            // The shapes determine the multiplier; old files may lack the option.
            guard shape[3] == input[3] else {
                throw reader.fault(.depthMultiplier(try options.integer(3, Int32.self)))
            }
        }
        let strideX = try options.integer(1, Int32.self)
        let strideY = try options.integer(2, Int32.self)
        let padding = try reader.padding(
            options, slot: 0, input: input, window: (shape[1], shape[2]), stride: (strideY, strideX))
        let activation = try reader.activation(options, slot: slot)
        let weights = try parameter(reader, operand: 1, "weights", shape: shape)
        let bias = try bias(reader, channels: isDepthwise ? shape[3] : shape[0])
        try append(
            isDepthwise
                ? .depthwiseConvolution(
                    weights: weights, bias: bias, strideY: strideY, strideX: strideX, padding: padding,
                    activation: activation)
                : .convolution(
                    weights: weights, bias: bias, strideY: strideY, strideX: strideX, padding: padding,
                    activation: activation),
            inputs: [reader.operand(0)], reader)
    }

    private mutating func addFullyConnected(_ reader: OperatorReader) throws(TFLiteError) {
        try reader.requireOperands(2...3)
        let options = try reader.options(8)
        let format = try options?.integer(1, Int8.self) ?? 0
        guard format == 0 else { throw reader.fault(.option("weights_format", format)) }
        let activation = try reader.activation(options, slot: 0)
        let shape = model.tensors[try reader.operand(1)].shape
        guard shape.count == 2 else { throw reader.fault(.constantOperand("weights")) }
        let weights = try parameter(reader, operand: 1, "weights", shape: shape)
        let bias = try bias(reader, channels: shape[0])
        try append(
            .fullyConnected(weights: weights, bias: bias, activation: activation), inputs: [reader.operand(0)], reader)
    }

    private mutating func addResize(_ reader: OperatorReader) throws(TFLiteError) {
        try reader.requireOperands(2...2)
        let size = try reader.constantIntegers(1)
        let shape = model.tensors[try reader.output()].shape
        guard shape.count == 4, size == Array(shape[1...2]) else { throw reader.fault(.constantOperand("size")) }
        let options = try reader.options(15)
        try append(
            .resizeBilinear(
                alignCorners: options?.flag(2) ?? false, halfPixelCenters: options?.flag(3) ?? false),
            inputs: [reader.operand(0)], reader)
    }

    private mutating func addReshape(_ reader: OperatorReader) throws(TFLiteError) {
        try reader.requireOperands(1...2)
        // The output's shape is sufficient; a second operand may only confirm it, so it must be a constant.
        if reader.node.inputs.count == 2, reader.node.inputs[1] != -1 { _ = try reader.constantIntegers(1) }
        try append(.reshape, inputs: [reader.operand(0)], reader)
    }

    private mutating func addConcatenation(_ reader: OperatorReader) throws(TFLiteError) {
        let options = try reader.requiredOptions(10)
        try reader.requireOperands(1...TFLiteModel.operandLimit)
        try reader.requireNoActivation(options, slot: 1)
        let rank = model.tensors[try reader.operand(0)].shape.count
        let axis = try options.integer(0, Int32.self)
        var inputs: [Int] = []
        for index in reader.node.inputs.indices { inputs.append(try reader.operand(index)) }
        try append(.concatenation(axis: axis < 0 ? axis + rank : axis), inputs: inputs, reader)
    }

    private mutating func addMaxPool(_ reader: OperatorReader) throws(TFLiteError) {
        let options = try reader.requiredOptions(5)
        try reader.requireOperands(1...1)
        try reader.requireNoActivation(options, slot: 5)
        let input = model.tensors[try reader.operand(0)].shape
        guard input.count == 4 else { throw .tensor(model.tensors[try reader.operand(0)].name, .shape(input)) }
        let (strideX, strideY) = (try options.integer(1, Int32.self), try options.integer(2, Int32.self))
        let (width, height) = (try options.integer(3, Int32.self), try options.integer(4, Int32.self))
        let padding = try reader.padding(
            options, slot: 0, input: input, window: (height, width), stride: (strideY, strideX))
        try append(
            .maxPool(height: height, width: width, strideY: strideY, strideX: strideX, padding: padding),
            inputs: [reader.operand(0)], reader)
    }

    private mutating func addPad(_ reader: OperatorReader) throws(TFLiteError) {
        try reader.requireOperands(2...2)
        let rank = model.tensors[try reader.operand(0)].shape.count
        let numbers = try reader.constantIntegers(1)
        guard numbers.count == 2 * rank, model.tensors[try reader.operand(1)].shape == [rank, 2],
            numbers.allSatisfy({ $0 >= 0 })
        else { throw reader.fault(.constantOperand("paddings")) }
        let amounts: [[Int]] = (0..<rank).map { [numbers[2 * $0], numbers[2 * $0 + 1]] }
        try append(.pad(amounts), inputs: [reader.operand(0)], reader)
    }

    // MARK: Element by element, and along a dimension

    /// The value and the parameter of an operator that combines a value with a constant, one number per channel; nil if
    /// neither operand is a constant.
    private mutating func constantOperand(
        _ reader: OperatorReader, _ role: String
    ) throws(TFLiteError) -> (input: Int, parameter: String)? {
        try reader.requireOperands(2...2)
        let operands = [try reader.operand(0), try reader.operand(1)]
        guard let position = operands.indices.first(where: { constants.isConstant(operands[$0]) }) else { return nil }
        let input = operands[1 - position]
        let channels = model.tensors[input].shape.last ?? 0
        // A single number has no dimension.
        if channels == 1, model.tensors[operands[position]].shape.isEmpty {
            return (input, try parameter(reader, operand: position, role, shape: [1]))
        }
        return (input, try parameter(reader, operand: position, role, vector: channels))
    }

    private mutating func addAddition(_ reader: OperatorReader) throws(TFLiteError) {
        let activation = try reader.activation(reader.options(11), slot: 0)
        if let (input, offsets) = try constantOperand(reader, "offsets") {
            try append(.shift(offsets: offsets, activation: activation), inputs: [input], reader)
        } else {
            try append(.add(activation), inputs: [reader.operand(0), reader.operand(1)], reader)
        }
    }

    private mutating func addMultiplication(_ reader: OperatorReader) throws(TFLiteError) {
        let options = try reader.options(21)
        if let (input, factors) = try constantOperand(reader, "factors") {
            let activation = try reader.activation(options, slot: 0)
            try append(.scale(factors: factors, activation: activation), inputs: [input], reader)
        } else {
            try addArithmetic(.multiply, options, reader)
        }
    }

    private mutating func addArithmetic(
        _ arithmetic: NetworkGraph.Arithmetic, _ options: FlatBuffer.Table?, _ reader: OperatorReader
    ) throws(TFLiteError) {
        try reader.requireOperands(2...2)
        if let options { try reader.requireNoActivation(options, slot: 0) }
        try append(.arithmetic(arithmetic), inputs: [reader.operand(0), reader.operand(1)], reader)
    }

    private mutating func addMean(_ reader: OperatorReader) throws(TFLiteError) {
        try reader.requireOperands(2...2)
        let rank = model.tensors[try reader.operand(0)].shape.count
        let axes = try reader.constantIntegers(1).map { $0 < 0 ? $0 + rank : $0 }
        if rank == 4, axes.sorted() == [1, 2] {
            try append(.mean, inputs: [reader.operand(0)], reader)
        } else {
            try addReduction(.mean, reader)
        }
    }

    private mutating func addSoftmax(_ reader: OperatorReader) throws(TFLiteError) {
        try reader.requireOperands(1...1)
        // A float, read by its bits; it multiplies the exponents of the sums.
        let beta = Float(bitPattern: UInt32(try reader.requiredOptions(9).integer(0, UInt32.self)))
        guard beta == 1 else { throw reader.fault(.option("beta", Int(exactly: beta.rounded()) ?? 0)) }
        try append(.softmax, inputs: [reader.operand(0)], reader)
    }

    private mutating func addReduction(
        _ reduction: NetworkGraph.Reduction, _ reader: OperatorReader
    ) throws(TFLiteError) {
        try reader.requireOperands(2...2)
        let rank = model.tensors[try reader.operand(0)].shape.count
        let axes = try reader.constantIntegers(1)
        guard axes.count == 1 else { throw reader.fault(.constantOperand("axes")) }
        // The output's shape shows whether the dimension is kept.
        try append(
            .reduce(reduction, axis: axes[0] < 0 ? axes[0] + rank : axes[0]), inputs: [reader.operand(0)], reader)
    }

    private mutating func addGather(_ reader: OperatorReader) throws(TFLiteError) {
        try reader.requireOperands(2...2)
        let options = try reader.options(23)
        let batchDimensions = try options?.integer(1, Int32.self) ?? 0
        guard batchDimensions == 0 else { throw reader.fault(.option("batch_dims", batchDimensions)) }
        guard model.tensors[try reader.operand(1)].shape.count <= 1 else {
            throw reader.fault(.constantOperand("indices"))
        }
        let rank = model.tensors[try reader.operand(0)].shape.count
        let axis = try options?.integer(0, Int32.self) ?? 0
        try append(
            .gather(axis: axis < 0 ? axis + rank : axis, indices: reader.constantIntegers(1)),
            inputs: [reader.operand(0)], reader)
    }

    /// Each output has the elements of one index.
    private mutating func addUnpack(_ reader: OperatorReader) throws(TFLiteError) {
        let options = try reader.requiredOptions(64)
        let (count, axis) = (try options.integer(0, Int32.self), try options.integer(1, Int32.self))
        guard reader.node.inputs.count == 1, reader.node.outputs.count == count else {
            throw reader.fault(.operandCount(inputs: reader.node.inputs.count, outputs: reader.node.outputs.count))
        }
        let input = try reader.operand(0)
        let shape = model.tensors[input].shape
        let dimension = axis < 0 ? axis + shape.count : axis
        guard shape.indices.contains(dimension), shape[dimension] == count else {
            throw reader.fault(.option("num", count))
        }
        for index in 0..<count {
            try append(.gather(axis: dimension, indices: [index]), inputs: [input], reader, output: index)
        }
    }

    /// A slice that takes every element and changes at most the shape.
    private mutating func addSlice(_ reader: OperatorReader) throws(TFLiteError) {
        try reader.requireOperands(4...4)
        let options = try reader.requiredOptions(32)
        let fault = reader.fault(.constantOperand("slice"))
        let (begins, ends) = (try reader.constantIntegers(1), try reader.constantIntegers(2))
        let strides = try reader.constantIntegers(3)
        let input = try reader.operand(0)
        let shape = model.tensors[input].shape
        guard begins.count <= 2 * NetworkGraph.rankLimit, ends.count == begins.count, strides.count == begins.count
        else { throw fault }
        func isSet(_ slot: Int, _ place: Int) throws(TFLiteError) -> Bool {
            try options.integer(slot, Int32.self) >> place & 1 == 1
        }
        var added = 0
        for place in begins.indices where try isSet(3, place) { added += 1 }
        var dimension = 0
        for place in begins.indices {
            if try isSet(2, place) {
                dimension += shape.count - (begins.count - 1 - added)
                continue
            }
            if try isSet(3, place) { continue }
            guard shape.indices.contains(dimension), strides[place] == 1,
                try isSet(0, place) || begins[place] == 0,
                try isSet(1, place) || ends[place] >= shape[dimension]
            else { throw fault }
            dimension += 1
        }
        try append(.reshape, inputs: [input], reader)
    }

    // MARK: Values and parameters

    /// - Parameter position: of the operator's output that the node writes.
    private mutating func append(
        _ operation: NetworkGraph.Operation, inputs: [Int], _ reader: OperatorReader, output position: Int? = nil
    ) throws(TFLiteError) {
        var indices: [Int] = []
        for tensor in inputs {
            guard !constants.isConstant(tensor) else { throw reader.fault(.constant(model.tensors[tensor].name)) }
            guard let value = valueIndices[tensor] else {
                throw .graph(
                    .node(
                        nodes.count, operation: operation.name, .notYetWritten(value: model.tensors[tensor].name)))
            }
            indices.append(value)
        }
        let tensor = if let position { try reader.output(position) } else { try reader.output() }
        guard valueIndices[tensor] == nil, !constants.isConstant(tensor) else {
            throw .graph(.value(model.tensors[tensor].name, .writtenTwice))
        }
        let name = model.outputs.contains(tensor) ? model.tensors[tensor].name : self.name(operation)
        let output = try value(tensor, named: name)
        nodes.append(NetworkGraph.Node(operation, inputs: indices, output: output))
    }

    /// A name for the next operator's output that is not the name of an input or output.
    private func name(_ operation: NetworkGraph.Operation) -> String {
        name(operation.name)
    }

    private func name(_ operation: String) -> String {
        let taken = (model.inputs + model.outputs).map { model.tensors[$0].name }
        var name = "\(operation)_\(nodes.count)"
        while taken.contains(name) { name += "_" }
        return name
    }

    private mutating func value(_ index: Int, named name: String) throws(TFLiteError) -> Int {
        let tensor = model.tensors[index]
        guard tensor.type == .float32 else {
            throw .tensor(tensor.name, .type(found: tensor.type.name, expected: TFLiteType.float32.name))
        }
        guard !tensor.isVariable else { throw .tensor(tensor.name, .variable) }
        values.append(NetworkGraph.Value(name: name, shape: tensor.shape))
        valueIndices[index] = values.count - 1
        return values.count - 1
    }

    private mutating func bias(_ reader: OperatorReader, channels: Int) throws(TFLiteError) -> String? {
        guard reader.node.inputs.count == 3, reader.node.inputs[2] != -1 else { return nil }
        return try parameter(reader, operand: 2, "bias", vector: channels)
    }

    /// The name of a parameter for a constant whose dimensions are 1 except the last, which is `count`.
    private mutating func parameter(
        _ reader: OperatorReader, operand: Int, _ role: String, vector count: Int
    ) throws(TFLiteError) -> String {
        let shape = model.tensors[try reader.operand(operand)].shape
        guard shape.last == count, shape.dropLast().allSatisfy({ $0 == 1 }) else {
            throw reader.fault(.constantOperand(role))
        }
        return try parameter(reader, operand: operand, role, shape: [count])
    }

    private mutating func parameter(
        _ reader: OperatorReader, operand: Int, _ role: String, shape: [Int]
    ) throws(TFLiteError) -> String {
        let tensor = try reader.operand(operand)
        guard constants.isConstant(tensor) else { throw reader.fault(.notConstant(model.tensors[tensor].name)) }
        let key = Constant(tensor: constants.source(of: tensor), shape: shape)
        if let name = parameterNames[key] { return name }
        let values = try constants.floats(tensor)
        parameterElements += values.count
        guard parameterElements <= NetworkGraph.totalElementLimit else {
            throw .graph(.tooMany(.elements, limit: NetworkGraph.totalElementLimit))
        }
        guard values.count == shape.reduce(1, *) else { throw reader.fault(.constantOperand(role)) }
        let name = name(reader.name.lowercased()) + "." + role
        parameterNames[key] = name
        parameters[name] = GraphFile.Parameter(shape: shape, values: .float(values))
        return name
    }
}
