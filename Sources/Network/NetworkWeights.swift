package import ModelFile
package import Vocabulary

/// The network's parameters, checked against its shape, with BatchNorm folded, in the layout of checkpoints.
package struct NetworkWeights: Sendable {
    /// The weights of one layer, row-major in `LayerSpec.weightShape`.
    package enum Values: Sendable {
        case float([Float])
        /// Integers in -127...127 and one scale per output channel.
        case int8([Int8], scales: [Float])
    }

    package struct Layer: Sendable {
        package let spec: LayerSpec
        package let values: Values
        /// One per output channel.
        package let bias: [Float]
        /// Scale of the layer's quantised output; nil in float models and for the classifier.
        package let outputScale: Float?

        /// The weights as floats.
        package var floats: [Float] {
            switch values {
            case .float(let floats): floats
            case .int8(let values, let scales):
                values.indices.map { Float(values[$0]) * scales[$0 / spec.depth] }
            }
        }
    }

    /// The front end that makes the columns.
    package let frontEnd: FrontEnd
    /// Every layer in the order of execution.
    package let layers: [Layer]

    package var classCount: Int { layers[layers.count - 1].spec.outputChannels }
    /// Number of columns that the logits depend on, the newest included.
    package var receptiveField: Int { layers.map { $0.spec }.receptiveField }

    /// ReLU6 bounds every activation, so no scale needs to be larger.
    package static let largestActivationScale: Float = 6 / 255
    /// A larger quantised bias could overflow the int32 sum together with the largest partial sum.
    package static let biasLimit: Float = 0x1p30
    /// A sum times its multiplier must fit int32 before the clamp; otherwise tiers would round it differently.
    package static let productLimit: Float = 0x1p31

    /// The largest absolute weight and bias with which no sum of a layer leaves the range of float32, for any frame and
    /// any order of addition, so that logits are finite. The products of a sum together stay within 2^126, and so does
    /// the bias. Inputs are at most 6, the stem's at most 255.
    package static func floatLimits(_ spec: LayerSpec) -> (weight: Float, bias: Float) {
        let largestInput: Float = spec.kind == .stem ? 255 : 6
        return (0x1p126 / (Float(spec.depth) * largestInput), 0x1p126)
    }

    /// Float parameters by layer name, for `classCount` classes. Throws if a parameter is missing or has another size,
    /// if a value is not finite or is beyond `floatLimits`, or if there is a temporal layer that the network does not
    /// have.
    package init(
        float parameters: [String: (weights: [Float], bias: [Float])], classCount: Int, frontEnd: FrontEnd = .pixels
    ) throws(ModelFileError) {
        self.frontEnd = frontEnd
        let temporal = frontEnd.temporal { parameters[$0.name] != nil }
        if let extra = GestureTCN.longTemporal.first(where: { parameters[$0.name] != nil && !temporal.contains($0) }) {
            throw .unexpectedTensor(extra.name + ".weight")
        }
        var layers: [Layer] = []
        for spec in frontEnd.layers(classCount: classCount, temporal: temporal) {
            guard let (weights, bias) = parameters[spec.name] else {
                throw .missingTensor(spec.name + ".weight")
            }
            guard weights.count == spec.weightCount else {
                throw .wrongShape(
                    tensor: spec.name + ".weight", expected: spec.weightShape, found: [weights.count])
            }
            guard bias.count == spec.outputChannels else {
                throw .wrongShape(tensor: spec.name + ".bias", expected: [spec.outputChannels], found: [bias.count])
            }
            try Self.requireBounded(weights, bias, spec)
            layers.append(Layer(spec: spec, values: .float(weights), bias: bias, outputScale: nil))
        }
        self.layers = layers
    }

    /// The parameters of a model file.
    ///
    /// Throws if the file is for another network, or if a tensor is missing, extra, or of another shape or type. Also
    /// throws for a value that could not be run: one that is not finite, a scale that is not positive, a bias beyond
    /// `biasLimit`, a multiplier that takes the largest possible sum to `productLimit`, a float parameter beyond
    /// `floatLimits`.
    package init(model: ModelFile) throws(ModelFileError) {
        let manifest = model.manifest
        guard let frontEnd = FrontEnd(networkName: manifest.network) else {
            throw .wrongNetwork(expected: GestureTCN.name, found: manifest.network)
        }
        self.frontEnd = frontEnd
        let names = Set(model.layerNames)
        let specs = frontEnd.layers(
            classCount: manifest.labels.count, temporal: frontEnd.temporal { names.contains($0.name) })
        try model.requireLayers(specs.map { $0.name })
        var layers: [Layer] = []
        var inputScale = frontEnd.inputScale
        for spec in specs {
            guard manifest.precision == .int8 else {
                let layer = try model.floatLayer(spec.name, shape: spec.weightShape)
                try Self.requireBounded(layer.weights, layer.bias, spec)
                layers.append(
                    Layer(spec: spec, values: .float(layer.weights), bias: layer.bias, outputScale: nil))
                continue
            }
            let layer = try model.quantisedLayer(spec.name, shape: spec.weightShape)
            if let index = layer.bias.indices.first(where: {
                !(abs(layer.bias[$0] / (inputScale * layer.scales[$0])) <= Self.biasLimit)
            }) {
                throw .invalidValue(tensor: spec.name + ".bias", index: index)
            }
            let outputScale = spec.kind == .classifier ? nil : try Self.outputScale(of: spec.name, model)
            if let outputScale,
                let index = layer.bias.indices.first(where: {
                    let scale = inputScale * layer.scales[$0]
                    let largestSum = Float(spec.depth * 255 * 127) + abs(layer.bias[$0] / scale)
                    return !(largestSum * (scale / outputScale) < Self.productLimit)
                })
            {
                throw .invalidValue(tensor: spec.name + ".scale", index: index)
            }
            layers.append(
                Layer(
                    spec: spec, values: .int8(layer.weights, scales: layer.scales), bias: layer.bias,
                    outputScale: outputScale))
            inputScale = outputScale ?? inputScale
        }
        self.layers = layers
    }

    /// The smallest accepted scale: far below any actual activation, and large enough that products and quotients of
    /// scales stay in the range of normal float32 numbers.
    private static let smallestActivationScale: Float = 0x1p-40

    private static func outputScale(of layer: String, _ model: ModelFile) throws(ModelFileError) -> Float {
        let scale = try model.activationScale(of: layer)
        guard scale >= smallestActivationScale, scale <= largestActivationScale else {
            throw .malformedMetadata(key: ModelManifest.activationScalePrefix + layer, value: "\(scale)")
        }
        return scale
    }

    private static func requireBounded(
        _ weights: [Float], _ bias: [Float], _ spec: LayerSpec
    ) throws(ModelFileError) {
        let limits = floatLimits(spec)
        for (values, limit, name) in [(weights, limits.weight, ".weight"), (bias, limits.bias, ".bias")] {
            // The comparison is false for NaN, too.
            guard let index = values.firstIndex(where: { !(abs($0) <= limit) }) else { continue }
            throw values[index].isFinite
                ? .overflow(tensor: spec.name + name, index: index)
                : .invalidValue(tensor: spec.name + name, index: index)
        }
    }
}
