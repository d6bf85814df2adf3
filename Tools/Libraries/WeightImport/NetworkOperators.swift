import Network
import Vocabulary

/// The attributes of the ONNX convolution that computes a layer.
struct ConvolutionAttributes: Equatable {
    let kernel: [Int]
    let strides: [Int]
    let dilations: [Int]
    let groups: Int
    /// Zeros before each dimension, then behind each.
    let pads: [Int]
}

extension LayerSpec {
    /// Every layer but the classifier is a convolution. The convolutions over time are causal.
    var convolution: ConvolutionAttributes {
        let kernel = Array(weightShape.dropFirst(2))
        let (before, behind) =
            switch kind {
            case .stem, .depthwise3x3: (1, 1)
            case .temporal: (2 * dilation, 0)
            case .depthwise7x7, .pointwise, .classifier: (0, 0)
            }
        return ConvolutionAttributes(
            kernel: kernel, strides: kernel.map { _ in stride }, dilations: kernel.map { _ in dilation },
            groups: inputChannels / weightShape[1], pads: kernel.map { _ in before } + kernel.map { _ in behind })
    }

    /// ReLU6, behind every layer but the classifier.
    static let activation: ClosedRange<Float> = 0...6
}

extension FrontEnd {
    /// The convolutions of the longest network with this input.
    var longestConvolutions: [LayerSpec] { encoder + (temporalChoices.last ?? []) }

    /// Whether the classifier may follow this number of convolutions.
    func isComplete(_ convolutions: Int) -> Bool {
        temporalChoices.contains { encoder.count + $0.count == convolutions }
    }
}

/// What an operator of a graph would have to be.
package enum ExpectedOperator: Sendable, Equatable {
    /// The layer of this name, a convolution.
    case convolution(String)
    /// ReLU6 behind the layer of this name, or BatchNorm before it.
    case activation(String)
    /// The classifier, a matrix product.
    case classifier
    /// Nothing: the graph's output are the logits.
    case end
}

/// How an operator differs from the network's.
package enum OperatorDifference: Sendable, Equatable {
    /// An operator with an effect that the network does not have.
    case instead(of: ExpectedOperator)
    /// Numbers of an attribute.
    case attribute(String, found: [Int], expected: [Int], layer: String)
    /// The bounds of an activation; nil for none.
    case bounds(low: Float?, high: Float?, layer: String)
    /// Padding with values other than zero.
    case padding(layer: String)
    /// Two values of the network are combined, as in a residual connection.
    case combination
    /// Two inputs of the network.
    case secondInput(String)
    /// A layer of another name is where this one is expected.
    case order(found: String, expected: String)
    /// An axis is not what the operator needs: channels and time are mixed, or rows are missing.
    case layout(ExpectedOperator)
    /// A layer's parameters are computed from the input, or by operators that are not read.
    case notConstant(ExpectedOperator)
    /// An operator on constants that is not computed.
    case constantOperator
    /// An integer input that becomes other values than the network's.
    case inputScale(found: Double, expected: Double)
    /// Quantised values with another scale than what dequantises them.
    case quantisation
}

/// The weights of a checkpoint by their places in the network that its graph computes.
struct NetworkPlaces: Sendable, Equatable {
    /// The checkpoint's names by the network's.
    var weights: [String: String] = [:]
    /// The network's names of biases that the graph does not add, and their numbers of values.
    var zeros: [String: Int] = [:]
}

/// A graph of ONNX that computes something else than the network.
package struct OtherNetwork: Sendable, Equatable {
    /// Empty for the graph itself.
    package let operation: String
    package let node: String
    package let difference: OperatorDifference
}
