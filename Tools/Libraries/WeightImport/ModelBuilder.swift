package import ModelFile
package import Network

/// Builds a model's bytes from folded parameters.
package struct ModelBuilder: Sendable {
    /// The most bytes of an int8 model.
    package static let int8Limit = 380_000

    /// The classes of the project's own model, in the order of its logits.
    package static let defaultLabels = [
        "swipeLeft", "swipeRight", "swipeUp", "swipeDown", "zoomIn", "zoomOut", "grab", "tap", "point", "openPalm",
        "thumbsUp", "thumbsDown", "null",
    ]

    package var precision: ModelManifest.Precision
    package var labels: [String]
    /// The label of the class for no gesture.
    package var nullLabel: String
    /// Scale of every layer's output but the classifier's; required for an int8 model, absent in a float model.
    package var activationScales: [String: Float]
    /// Counts of frames are written in milliseconds if the network's columns have a rate.
    package var postProcessing = ModelManifest.PostProcessing()
    package var calibration: String?
    package var training: String?
    package var sourceSHA256: String?

    package init(
        precision: ModelManifest.Precision, labels: [String] = defaultLabels, nullLabel: String = "null",
        activationScales: [String: Float] = [:]
    ) {
        self.precision = precision
        self.labels = labels
        self.nullLabel = nullLabel
        self.activationScales = activationScales
    }

    /// A finished model: its bytes, and the model read back from them and checked like in the engine.
    package struct Product: Sendable {
        package let bytes: [UInt8]
        package let model: ModelFile
        package let weights: NetworkWeights
    }

    /// The same arguments always give the same bytes.
    package func build(_ network: FoldedNetwork) throws(ImportError) -> Product {
        guard let nullIndex = labels.firstIndex(of: nullLabel), labels.count == network.classCount else {
            throw .labels(labels, nullLabel: nullLabel)
        }
        let isInt8 = precision == .int8
        let manifest = ModelManifest(
            network: network.frontEnd.networkName, precision: precision, labels: labels, nullIndex: nullIndex,
            activationScales: isInt8 ? activationScales : [:],
            postProcessing: postProcessing.inMilliseconds(columnRate: network.frontEnd.columnRate),
            calibration: isInt8 ? calibration : nil, training: training, sourceSHA256: sourceSHA256)
        let tensors = try tensors(of: network)
        let bytes = try importing { () throws(ModelFileError) in
            try ModelFile.bytes(manifest: manifest, tensors: tensors)
        }
        let model = try importing { () throws(ModelFileError) in try ModelFile(bytes: bytes) }
        let weights = try importing { () throws(ModelFileError) in try NetworkWeights(model: model) }
        guard !isInt8 || bytes.count < Self.int8Limit else {
            throw .modelTooLarge(bytes: bytes.count, limit: Self.int8Limit)
        }
        return Product(bytes: bytes, model: model, weights: weights)
    }

    private func tensors(of network: FoldedNetwork) throws(ImportError) -> [TensorPayload] {
        var tensors: [TensorPayload] = []
        var inputScale = network.frontEnd.inputScale
        for layer in network.layers {
            let spec = layer.spec
            let (weight, bias) = (spec.name + ".weight", spec.name + ".bias")
            switch precision {
            case .float32:
                tensors.append(.float32(weight, shape: spec.weightShape, layer.weights))
                tensors.append(.float32(bias, shape: [spec.outputChannels], layer.bias))
            case .float16:
                let weightBits = try HalfTensor.bits(of: layer.weights, tensor: weight)
                let biasBits = try HalfTensor.bits(of: layer.bias, tensor: bias)
                tensors.append(.float16(weight, shape: spec.weightShape, bits: weightBits))
                tensors.append(.float16(bias, shape: [spec.outputChannels], bits: biasBits))
            case .int8:
                let parameters = try QuantisedParameters(layer, inputScale: inputScale)
                tensors.append(.int8(weight, shape: spec.weightShape, parameters.codes))
                tensors.append(.float16(spec.name + ".scale", shape: [spec.outputChannels], bits: parameters.scaleBits))
                tensors.append(.float16(bias, shape: [spec.outputChannels], bits: parameters.biasBits))
                guard spec.kind != .classifier else { continue }
                guard let scale = activationScales[spec.name] else { throw .calibrationRequired }
                inputScale = scale
            }
        }
        return tensors
    }
}
