import ModelFile

/// One operator of a TFLite file: its operands and options, each checked when it is read.
struct OperatorReader {
    let model: TFLiteModel
    let constants: TFLiteConstants
    let index: Int

    var node: TFLiteModel.Operator { model.operators[index] }
    var name: String { node.operation.name }

    func fault(_ fault: TFLiteError.OperationFault) -> TFLiteError {
        .operation(index, operation: name, fault)
    }

    // MARK: Operands

    /// Rejects an operator unless it has this number of inputs and one output.
    func requireOperands(_ inputs: ClosedRange<Int>) throws(TFLiteError) {
        guard inputs.contains(node.inputs.count), node.outputs.count == 1 else {
            throw fault(.operandCount(inputs: node.inputs.count, outputs: node.outputs.count))
        }
    }

    /// The tensor of a required input.
    func operand(_ position: Int) throws(TFLiteError) -> Int {
        let tensor = node.inputs[position]
        guard model.tensors.indices.contains(tensor) else { throw fault(.operand(tensor)) }
        return tensor
    }

    /// The tensor of the only output.
    func output() throws(TFLiteError) -> Int {
        guard node.outputs.count == 1 else {
            throw fault(.operandCount(inputs: node.inputs.count, outputs: node.outputs.count))
        }
        guard model.tensors.indices.contains(node.outputs[0]) else { throw fault(.operand(node.outputs[0])) }
        return node.outputs[0]
    }

    /// The tensor of one of several outputs.
    func output(_ position: Int) throws(TFLiteError) -> Int {
        guard node.outputs.indices.contains(position), model.tensors.indices.contains(node.outputs[position]) else {
            throw fault(.operand(position))
        }
        return node.outputs[position]
    }

    /// The numbers of an input that must be an int32 constant.
    func constantIntegers(_ position: Int) throws(TFLiteError) -> [Int] {
        let tensor = try operand(position)
        guard constants.isConstant(tensor) else { throw fault(.notConstant(model.tensors[tensor].name)) }
        return try constants.integers(tensor)
    }

    // MARK: Options

    /// The options, which must have this type in the schema's union; nil if the operator has none.
    func options(_ type: Int) throws(TFLiteError) -> FlatBuffer.Table? {
        guard let options = node.options else { return nil }
        guard node.optionsType == type else { throw fault(.optionsType(node.optionsType)) }
        return options
    }

    func requiredOptions(_ type: Int) throws(TFLiteError) -> FlatBuffer.Table {
        guard let options = try options(type) else { throw fault(.optionsType(0)) }
        return options
    }

    func activation(
        _ options: FlatBuffer.Table?, slot: Int
    ) throws(TFLiteError) -> NetworkGraph.Activation {
        let code = try options?.integer(slot, Int8.self) ?? 0
        switch code {
        case 0: return .none
        case 1: return .relu
        case 3: return .relu6
        default:
            let names = ["NONE", "RELU", "RELU_N1_TO_1", "RELU6", "TANH", "SIGN_BIT"]
            throw fault(.activation(names.indices.contains(code) ? names[code] : "activation \(code)"))
        }
    }

    func requireNoActivation(_ options: FlatBuffer.Table, slot: Int) throws(TFLiteError) {
        let activation = try activation(options, slot: slot)
        guard activation == .none else { throw fault(.activation(activation.rawValue.uppercased())) }
    }

    /// The schema's SAME or VALID as numbers (`ComputePaddingHeightWidth` of TFLite): SAME gives `ceil(extent /
    /// stride)` windows, and an odd row or column of padding is at the end.
    func padding(
        _ options: FlatBuffer.Table, slot: Int, input: [Int], window: (Int, Int), stride: (Int, Int)
    ) throws(TFLiteError) -> NetworkGraph.Padding {
        let limits = 1...NetworkGraph.extentLimit
        for number in [window.0, window.1] where !limits.contains(number) { throw fault(.option("window", number)) }
        for number in [stride.0, stride.1] where !limits.contains(number) { throw fault(.option("stride", number)) }
        func same(_ extent: Int, _ window: Int, _ stride: Int) -> (before: Int, after: Int) {
            let windows = (max(extent, 1) + stride - 1) / stride
            let total = max((windows - 1) * stride + window - extent, 0)
            return (total / 2, total - total / 2)
        }
        switch try options.integer(slot, Int8.self) {
        case 0:
            let (top, bottom) = same(input[1], window.0, stride.0)
            let (left, right) = same(input[2], window.1, stride.1)
            return NetworkGraph.Padding(top: top, bottom: bottom, left: left, right: right)
        case 1: return NetworkGraph.Padding()
        case let code: throw fault(.option("padding", code))
        }
    }
}
