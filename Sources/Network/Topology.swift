import Vocabulary

/// What a layer computes. Every kind except `.classifier` is followed by a folded BatchNorm bias and ReLU6.
package enum LayerKind: Sendable, Equatable {
    /// 3x3 convolution over the one luma channel, stride 2, zero padding 1.
    case stem
    /// 3x3 convolution of each channel by itself, zero padding 1.
    case depthwise3x3
    /// 1x1 convolution: a matrix product over channels at every position.
    case pointwise
    /// 7x7 convolution of each channel by itself over the whole 7x7 map, no padding: one value per channel.
    case depthwise7x7
    /// Causal 1-D convolution over time with three taps, `dilation` columns apart.
    case temporal
    /// Affine map from the last temporal column to logits, with its own bias and no activation.
    case classifier
}

/// One convolution of the network, with everything that its parameters must agree with.
package struct LayerSpec: Sendable, Equatable {
    /// The convolution's name in checkpoints and models, such as `b1.dw`.
    package let name: String
    package let kind: LayerKind
    package let inputChannels: Int
    package let outputChannels: Int
    /// Side of the square input map in pixels; 1 for layers over columns.
    package let inputSize: Int
    /// Side of the square output map in pixels; 1 for layers over columns.
    package let outputSize: Int
    package let stride: Int
    /// Columns between two taps of a temporal layer; 1 elsewhere.
    package let dilation: Int

    /// Number of values in the weighted sum of an output channel.
    package var depth: Int {
        switch kind {
        case .stem, .depthwise3x3: 9
        case .depthwise7x7: 49
        case .pointwise, .classifier: inputChannels
        case .temporal: 3 * inputChannels
        }
    }

    /// Shape of the weight tensor as PyTorch has it: OIHW, `[C, 1, k, k]`, OIK or `[O, I]`.
    package var weightShape: [Int] {
        switch kind {
        case .stem: [outputChannels, inputChannels, 3, 3]
        case .depthwise3x3: [outputChannels, 1, 3, 3]
        case .depthwise7x7: [outputChannels, 1, 7, 7]
        case .pointwise: [outputChannels, inputChannels, 1, 1]
        case .temporal: [outputChannels, inputChannels, 3]
        case .classifier: [outputChannels, inputChannels]
        }
    }

    package var weightCount: Int { outputChannels * depth }

    /// Number of output values per frame.
    package var outputCount: Int { outputSize * outputSize * outputChannels }

    /// Number of values that the layer reads per frame.
    package var inputCount: Int { kind == .temporal ? depth : inputSize * inputSize * inputChannels }

    /// Multiply-accumulates per frame when streaming.
    package var macs: Int { outputCount * depth }

    /// Prefix of the BatchNorm tensors in a checkpoint that is not folded; nil for the classifier.
    package var batchNormPrefix: String? {
        switch kind {
        case .stem, .temporal: String(name.dropLast(".conv".count)) + ".bn"
        case .depthwise3x3, .depthwise7x7, .pointwise: name + "_bn"
        case .classifier: nil
        }
    }

    /// True if a tensor of a model or checkpoint belongs to this layer or its BatchNorm.
    package func owns(tensor: String) -> Bool {
        tensor.hasPrefix(name + ".") || batchNormPrefix.map { tensor.hasPrefix($0 + ".") } ?? false
    }
}

extension Collection where Element == LayerSpec {
    /// Number of columns that the last output of these layers depends on, the newest included.
    package var receptiveField: Int { reduce(1) { $0 + ($1.kind == .temporal ? 2 * $1.dilation : 0) } }
}

/// The pixel network: GestureTCN-340K.
///
/// Ten spatial stages turn a 224x224 image of quantised luma values into a column of 128 features. Three causal
/// temporal layers and a classifier turn the last 15 columns into logits. A depthwise 7x7 convolution takes the place
/// of pooling: it keeps the position of the hand. The network over columns of landmarks has the same temporal layers
/// and may have a fourth (`longTemporal`).
package enum GestureTCN {
    package static let name = "GestureTCN-340K"
    /// Side of the square input in pixels.
    package static let inputSide = 224
    /// Bytes of one input image.
    package static let frameBytes = inputSide * inputSide
    /// Columns of a window.
    package static let windowLength = 16
    /// Values in the encoder's output column.
    package static let featureCount = 128
    /// Values in a temporal layer's output column.
    package static let temporalWidth = 160
    /// Classes of the shipped model, null included.
    package static let defaultClassCount = 13

    /// The encoder's layers in the order of execution.
    package static let encoder: [LayerSpec] =
        [
            LayerSpec(
                name: "stem.conv", kind: .stem, inputChannels: 1, outputChannels: 16, inputSize: 224, outputSize: 112,
                stride: 2, dilation: 1)
        ]
        + separable("b1", 16, 32, from: 112, stride: 2)
        + separable("b2", 32, 32, from: 56, stride: 1)
        + separable("b3", 32, 64, from: 56, stride: 2)
        + separable("b4", 64, 64, from: 28, stride: 1)
        + separable("b4b", 64, 64, from: 28, stride: 1)
        + separable("b5", 64, 128, from: 28, stride: 2)
        + separable("b6", 128, 128, from: 14, stride: 1)
        + separable("b7", 128, 256, from: 14, stride: 2)
        + [
            LayerSpec(
                name: "b8.dw", kind: .depthwise7x7, inputChannels: 256, outputChannels: 256, inputSize: 7,
                outputSize: 1, stride: 1, dilation: 1),
            LayerSpec(
                name: "b8.pw", kind: .pointwise, inputChannels: 256, outputChannels: featureCount, inputSize: 1,
                outputSize: 1, stride: 1, dilation: 1),
        ]

    /// The temporal layers in the order of execution. Their receptive field is 15 columns.
    package static let temporal: [LayerSpec] = [
        temporalLayer("t1.conv", from: featureCount, dilation: 1),
        temporalLayer("t2.conv", from: temporalWidth, dilation: 2),
        temporalLayer("t3.conv", from: temporalWidth, dilation: 4),
    ]

    /// The temporal layers of a landmark network with a longer memory. Their receptive field is 39 columns.
    ///
    /// One output of the third layer covers 15 columns. Taps 12 columns apart read outputs that overlap by three
    /// columns, so what they cover has no gaps.
    package static let longTemporal = temporal + [temporalLayer("t4.conv", from: temporalWidth, dilation: 12)]

    /// The classifier for `classCount` classes, null included.
    package static func classifier(classCount: Int) -> LayerSpec {
        LayerSpec(
            name: "fc", kind: .classifier, inputChannels: temporalWidth, outputChannels: classCount, inputSize: 1,
            outputSize: 1, stride: 1, dilation: 1)
    }

    /// Every layer in the order of execution, for `classCount` classes.
    package static func layers(classCount: Int = defaultClassCount) -> [LayerSpec] {
        FrontEnd.pixels.layers(classCount: classCount)
    }

    private static func separable(
        _ name: String, _ input: Int, _ output: Int, from size: Int, stride: Int
    ) -> [LayerSpec] {
        let outputSize = size / stride
        return [
            LayerSpec(
                name: name + ".dw", kind: .depthwise3x3, inputChannels: input, outputChannels: input, inputSize: size,
                outputSize: outputSize, stride: stride, dilation: 1),
            LayerSpec(
                name: name + ".pw", kind: .pointwise, inputChannels: input, outputChannels: output,
                inputSize: outputSize, outputSize: outputSize, stride: 1, dilation: 1),
        ]
    }

    private static func temporalLayer(_ name: String, from width: Int, dilation: Int) -> LayerSpec {
        LayerSpec(
            name: name, kind: .temporal, inputChannels: width, outputChannels: temporalWidth, inputSize: 1,
            outputSize: 1, stride: 1, dilation: dilation)
    }
}
