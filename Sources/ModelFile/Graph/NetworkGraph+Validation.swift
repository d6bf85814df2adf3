extension NetworkGraph {
    /// Maximum number of values, and of operators.
    package static let countLimit = 4096
    /// Maximum number of dimensions of a value.
    package static let rankLimit = 6
    /// Maximum number of elements of one value.
    package static let elementLimit = 1 << 24
    /// Maximum number of elements of all values together, and of all parameters.
    package static let totalElementLimit = 1 << 27
    /// Maximum number of multiply-adds of one run, with other work converted to them (`work(of:parameterShapes:)`).
    package static let multiplyAddLimit = Int(clamping: 1 << 36 as Int64)
    /// Largest stride, window side, kernel side or block.
    package static let extentLimit = 256
    /// Longest name, in UTF-8 bytes.
    package static let nameLimit = SafetensorsFile.nameLimit

    /// Checks that the graph can be run: every index and shape, and that each operator's output has the shape that
    /// follows from its inputs and parameters. Afterwards no product of a shape's dimensions overflows.
    ///
    /// An executor only has to refuse the operations that it does not implement.
    /// - Parameter parameterShapes: the shape of every parameter tensor by name; those that no operator uses are
    ///   ignored.
    package func validate(parameterShapes: [String: [Int]]) throws(ModelFileError.GraphFault) {
        try checkValues()
        try checkOrder()
        var uses: [String: ParameterUse] = [:]
        var total = 0
        for (index, node) in nodes.enumerated() {
            do throws(ModelFileError.GraphFault.NodeFault.Failure) {
                for (name, use) in node.operation.parameters {
                    guard uses.updateValue(use, forKey: name) ?? use == use else {
                        throw .init(.parameterUse(name))
                    }
                }
                let check = NodeCheck(node: node, graph: self, parameterShapes: parameterShapes)
                try check.run()
            } catch {
                throw .node(index, operation: node.operation.name, error.fault)
            }
            let (sum, overflow) = total.addingReportingOverflow(
                work(of: node, parameterShapes: parameterShapes) ?? .max)
            guard !overflow, sum <= Self.multiplyAddLimit else {
                throw .tooMany(.multiplyAdds, limit: Self.multiplyAddLimit)
            }
            total = sum
        }
    }

    /// Multiply-adds of a convolution or fully connected layer, 0 for other operators. Nil if the number overflows.
    package func multiplyAdds(of node: Node, parameterShapes: [String: [Int]]) -> Int? {
        switch node.operation {
        case .convolution(let weights, _, _, _, _, _):
            return taps(of: node, parameterShapes[weights], channels: parameterShapes[weights]?.first)
        case .depthwiseConvolution(let weights, _, _, _, _, _):
            return taps(of: node, parameterShapes[weights], channels: parameterShapes[weights]?.last)
        case .fullyConnected(let weights, _, _): return parameterShapes[weights].flatMap(Self.product)
        default: return 0
        }
    }

    /// An operator's rough cost, in multiply-adds of a convolution. Nil if the number overflows.
    private func work(of node: Node, parameterShapes: [String: [Int]]) -> Int? {
        /// Multiply-adds in the time of one element-wise step, and of one exponential.
        let (step, function) = (16, 256)
        let written = values[node.output].count
        let read = node.inputs.reduce(0) { $0 + values[$1].count }
        func times(_ count: Int, _ factors: Int...) -> Int? { Self.product([count] + factors) }
        switch node.operation {
        case .convolution, .depthwiseConvolution, .fullyConnected:
            return multiplyAdds(of: node, parameterShapes: parameterShapes)
        case .maxPool(let height, let width, _, _, _): return times(written, height, width, step)
        case .logistic, .softmax: return times(written, function)
        case .resizeBilinear: return times(written, 4, step)
        // The positions of elements are computed one by one.
        case .arithmetic, .reduce, .gather: return times(max(read, written), 4, step)
        default: return times(max(read, written), step)
        }
    }

    /// Multiply-adds of a convolution: each element of the output sums the weights of one output channel.
    private func taps(of node: Node, _ shape: [Int]?, channels: Int?) -> Int? {
        guard let count = shape.flatMap(Self.product), let channels else { return nil }
        let (product, overflow) = values[node.output].count.multipliedReportingOverflow(by: count / channels)
        return overflow ? nil : product
    }

    /// The product of positive dimensions; nil if one is not positive or the product overflows.
    static func product(_ shape: [Int]) -> Int? {
        var result = 1
        for dimension in shape {
            guard dimension > 0 else { return nil }
            let (product, overflow) = result.multipliedReportingOverflow(by: dimension)
            if overflow { return nil }
            result = product
        }
        return result
    }

    private func checkValues() throws(ModelFileError.GraphFault) {
        guard values.count <= Self.countLimit else { throw .tooMany(.values, limit: Self.countLimit) }
        guard nodes.count <= Self.countLimit else { throw .tooMany(.operators, limit: Self.countLimit) }
        var names: Set<String> = []
        var total = 0
        for value in values {
            guard value.name.utf8.count <= Self.nameLimit else {
                throw .value(value.name.excerpt(), .nameTooLong(bytes: value.name.utf8.count, limit: Self.nameLimit))
            }
            guard !value.name.isEmpty, names.insert(value.name).inserted else { throw .value(value.name, .name) }
            guard (1...Self.rankLimit).contains(value.shape.count), value.shape[0] == 1,
                value.shape.allSatisfy({ $0 > 0 })
            else { throw .value(value.name, .shape(value.shape)) }
            guard let count = Self.product(value.shape), count <= Self.elementLimit else {
                throw .tooMany(.elements, limit: Self.elementLimit)
            }
            total += count
            guard total <= Self.totalElementLimit else { throw .tooMany(.elements, limit: Self.totalElementLimit) }
        }
        for (end, indices) in [(ModelFileError.GraphFault.End.inputs, inputs), (.outputs, outputs)] {
            guard !indices.isEmpty, indices.allSatisfy(values.indices.contains), Set(indices).count == indices.count
            else { throw .ends(end, indices: indices) }
        }
    }

    /// Checks that every value is written once and before it is read, and that it is read or is an output.
    private func checkOrder() throws(ModelFileError.GraphFault) {
        var isWritten = [Bool](repeating: false, count: values.count)
        var isRead = isWritten
        for index in inputs { isWritten[index] = true }
        for index in outputs { isRead[index] = true }
        for (index, node) in nodes.enumerated() {
            func fault(_ fault: ModelFileError.GraphFault.NodeFault) -> ModelFileError.GraphFault {
                .node(index, operation: node.operation.name, fault)
            }
            for value in node.inputs + [node.output] where !values.indices.contains(value) {
                throw fault(.valueIndex(value))
            }
            for value in node.inputs {
                guard isWritten[value] else { throw fault(.notYetWritten(value: values[value].name)) }
                isRead[value] = true
            }
            guard !isWritten[node.output] else { throw .value(values[node.output].name, .writtenTwice) }
            isWritten[node.output] = true
        }
        for (index, value) in values.enumerated() {
            guard isWritten[index] else { throw .value(value.name, .neverWritten) }
            guard isRead[index] else { throw .value(value.name, .neverRead) }
        }
    }
}

extension ModelFileError.GraphFault.NodeFault {
    /// Carries a fault to the loop that has the operator's index.
    struct Failure: Error {
        let fault: ModelFileError.GraphFault.NodeFault
        init(_ fault: ModelFileError.GraphFault.NodeFault) { self.fault = fault }
    }
}

/// How an operator uses a parameter.
package enum ParameterUse: Sendable, Equatable {
    /// Weights whose first dimension is the output channel.
    case weights
    /// Weights whose last dimension is the output channel.
    case depthwiseWeights
    /// One number per channel.
    case perChannel
}

extension NetworkGraph.Operation {
    /// The operation's name in a graph's JSON and in messages.
    package var name: String {
        switch self {
        case .convolution: "convolution"
        case .depthwiseConvolution: "depthwise_convolution"
        case .add: "add"
        case .maxPool: "max_pool"
        case .mean: "mean"
        case .pad: "pad"
        case .resizeBilinear: "resize_bilinear"
        case .reshape: "reshape"
        case .concatenation: "concatenation"
        case .fullyConnected: "fully_connected"
        case .logistic: "logistic"
        case .relu: "relu"
        case .relu6: "relu6"
        case .prelu: "prelu"
        case .depthToSpace: "depth_to_space"
        case .arithmetic(let arithmetic): arithmetic.rawValue
        case .scale: "scale"
        case .shift: "shift"
        case .reduce(let reduction, _): "reduce_" + reduction.rawValue
        case .gather: "gather"
        case .softmax: "softmax"
        }
    }

    /// The parameters of the operation, and how it uses them.
    package var parameters: [(name: String, use: ParameterUse)] {
        switch self {
        case .convolution(let weights, let bias, _, _, _, _), .fullyConnected(let weights, let bias, _):
            [(weights, .weights)] + (bias.map { [($0, .perChannel)] } ?? [])
        case .depthwiseConvolution(let weights, let bias, _, _, _, _):
            [(weights, .depthwiseWeights)] + (bias.map { [($0, .perChannel)] } ?? [])
        case .prelu(let slope): [(slope, .perChannel)]
        case .scale(let factors, _): [(factors, .perChannel)]
        case .shift(let offsets, _): [(offsets, .perChannel)]
        default: []
        }
    }
}
