import ModelFile

extension OtherNetwork: CustomStringConvertible {
    /// One sentence for the user, or more: the operator, how it differs, and what is right.
    package var description: String {
        let place =
            operation.isEmpty ? "The ONNX graph's output" : "The ONNX graph's operator \(operation.excerpt())"
        let clause: String
        switch difference {
        case .instead(let expected):
            clause =
                operation.isEmpty
                ? "comes too early: \(expected.clause) is missing before it."
                : "has no place in the network: here \(expected.clause) must come. \(expected.advice)"
        case .attribute(let name, let found, let expected, let layer):
            clause =
                "has \(name) \(Self.text(found)); \(layer) needs \(Self.text(expected))."
                + (name == "pads"
                    ? " Convolutions over time are causal: zeros come before the first column alone." : "")
        case .bounds(let low, let high, let layer):
            clause =
                "limits the values of \(layer) to \(low.map { "\($0)" } ?? "any") ... \(high.map { "\($0)" } ?? "any"); "
                + "\(ExpectedOperator.activation(layer).clause) must come here."
        case .padding(let layer): clause = "pads with other values than the zeros that \(layer) needs."
        case .combination:
            clause =
                "combines two values of the network, as a residual connection does. The network is one chain of layers."
        case .secondInput(let name):
            clause = "has a second input of the graph, \(name.excerpt()). The network has one input."
        case .order(let found, let expected):
            clause =
                "has the weights \(found.excerpt()) where those of \(expected) must come: the layers are in another order."
        case .layout(let expected):
            clause = "mixes channels and time, or leaves axes that do not fit \(expected.clause)."
        case .notConstant(let expected):
            clause =
                "has weights that are computed in the graph; \(expected.clause) needs constants. Export the model with "
                + "constant folding."
        case .constantOperator:
            clause = "computes a constant in a way that is not read. Export the model with constant folding."
        case .inputScale(let found, let expected):
            clause = "reads integers times \(Float(found)); the network's input is integers times \(Float(expected))."
        case .quantisation:
            clause =
                "quantises values and is not followed by a DequantizeLinear with the same constant scale and zero "
                + "point."
        }
        return place + (node.isEmpty ? " " : " (\(node.excerpt())) ") + clause
    }

    private static func text(_ numbers: [Int]) -> String {
        numbers.count == 1 ? "\(numbers[0])" : "[" + numbers.map { "\($0)" }.joined(separator: ", ") + "]"
    }
}

extension ExpectedOperator {
    fileprivate var clause: String {
        switch self {
        case .convolution(let name): "the convolution \(name)"
        case .activation(let name): "ReLU6 (Clip from 0 to 6) behind \(name), with BatchNorm before it or folded,"
        case .classifier: "the classifier fc, a Gemm or a MatMul,"
        case .end: "the end"
        }
    }

    fileprivate var advice: String {
        switch self {
        case .convolution, .activation: "Export the network as its layers are documented."
        case .classifier: "The classifier reads the rows of the last convolution over time."
        case .end: "The graph's output must be the logits."
        }
    }
}
