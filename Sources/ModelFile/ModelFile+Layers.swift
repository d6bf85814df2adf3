/// One layer of an int8 model.
package struct QuantisedLayer: Sendable, Equatable {
    /// Quantised weights from -127 to 127, row-major in the checkpoint's shape, the output channel outermost.
    package let weights: [Int8]
    /// Scale of each output channel, positive, finite and exact in binary16.
    package let scales: [Float]
    /// Bias of each output channel, finite and exact in binary16.
    package let bias: [Float]
}

/// One layer as floats.
package struct FloatLayer: Sendable, Equatable {
    /// Finite weights, row-major in the checkpoint's shape, the output channel outermost.
    package let weights: [Float]
    /// Finite bias of each output channel.
    package let bias: [Float]
}

extension ModelFile {
    /// Throws if the model lacks one of these layers or has others.
    package func requireLayers(_ names: [String]) throws(ModelFileError) {
        for name in names where file[name + Self.weightSuffix] == nil {
            throw .missingTensor(name + Self.weightSuffix)
        }
        let known = Set(names)
        for name in layerNames where !known.contains(name) { throw .unexpectedTensor(name + Self.weightSuffix) }
    }

    /// The scale of this layer's output activations.
    package func activationScale(of layer: String) throws(ModelFileError) -> Float {
        guard let scale = manifest.activationScales[layer] else {
            throw .missingMetadata(key: ModelManifest.activationScalePrefix + layer)
        }
        return scale
    }

    /// The number of a layer's weights; nil if the model lacks the layer.
    package func weightCount(of layer: String) -> Int? {
        guard layerNames.contains(layer) else { return nil }
        return file.tensors.first { $0.name == layer + Self.weightSuffix }?.shape.reduce(1, *) ?? 0
    }

    /// A layer of an int8 model; its weight must have this shape.
    package func quantisedLayer(_ name: String, shape: [Int]) throws(ModelFileError) -> QuantisedLayer {
        try requireWeight(of: name, shape: shape)
        let weights = try file.int8s(name + Self.weightSuffix)
        // A minimum vectorises; a search for the first match does not.
        if weights.reduce(0, min) == -128, let index = weights.firstIndex(of: -128) {
            throw .invalidValue(tensor: name + Self.weightSuffix, index: index)
        }
        let scales = try finiteFloats(name + Self.scaleSuffix)
        if let index = scales.firstIndex(where: { $0 <= 0 }) {
            throw .invalidValue(tensor: name + Self.scaleSuffix, index: index)
        }
        return QuantisedLayer(weights: weights, scales: scales, bias: try finiteFloats(name + Self.biasSuffix))
    }

    /// A layer of a model of any precision, as floats; its weight must have this shape.
    package func floatLayer(_ name: String, shape: [Int]) throws(ModelFileError) -> FloatLayer {
        guard manifest.precision == .int8 else {
            try requireWeight(of: name, shape: shape)
            return FloatLayer(
                weights: try finiteFloats(name + Self.weightSuffix), bias: try finiteFloats(name + Self.biasSuffix))
        }
        let layer = try quantisedLayer(name, shape: shape)
        let depth = layer.weights.count / layer.scales.count
        var weights: [Float] = []
        weights.reserveCapacity(layer.weights.count)
        for (channel, scale) in layer.scales.enumerated() {
            for index in channel * depth..<(channel + 1) * depth { weights.append(Float(layer.weights[index]) * scale) }
        }
        return FloatLayer(weights: weights, bias: layer.bias)
    }

    private func requireWeight(of layer: String, shape: [Int]) throws(ModelFileError) {
        let tensor = try file.tensor(named: layer + Self.weightSuffix)
        guard tensor.shape == shape else {
            throw .wrongShape(tensor: tensor.name, expected: shape, found: tensor.shape)
        }
    }

    private func finiteFloats(_ tensor: String) throws(ModelFileError) -> [Float] {
        let values = try file.floats(tensor)
        if let index = values.firstIndex(where: { !$0.isFinite }) { throw .invalidValue(tensor: tensor, index: index) }
        return values
    }
}
