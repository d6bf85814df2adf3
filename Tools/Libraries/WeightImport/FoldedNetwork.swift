package import Network
package import Vocabulary

/// The network's parameters with BatchNorm folded into the convolutions, as float32.
package struct FoldedNetwork: Sendable {
    package struct Layer: Sendable, Equatable {
        package let spec: LayerSpec
        /// Row-major in `spec.weightShape`.
        package let weights: [Float]
        /// One for each output channel.
        package let bias: [Float]
        /// True if the checkpoint had BatchNorm, false if it was folded before.
        package let wasFoldedHere: Bool

        /// Output channels whose weights are all zero: their output is the same for every input.
        package var zeroChannels: [Int] {
            (0..<spec.outputChannels).filter { channel in
                weights[channel * spec.depth..<(channel + 1) * spec.depth].allSatisfy { $0 == 0 }
            }
        }
    }

    /// Added to BatchNorm's variance: PyTorch's default, with which the network is trained.
    package static let batchNormEpsilon = 1e-5

    /// The tensors of a BatchNorm: weight, bias, mean and variance.
    static func batchNormNames(_ prefix: String) -> [String] {
        ["weight", "bias", "running_mean", "running_var"].map { prefix + "." + $0 }
    }

    /// The source of the columns: pixels if the checkpoint has the encoder's first layer.
    package let frontEnd: FrontEnd
    /// Every layer in the order of execution.
    package let layers: [Layer]

    init(layers: [Layer]) {
        self.layers = layers
        frontEnd = layers.first?.spec.kind == .stem ? .pixels : .landmarks
    }

    package var classCount: Int { layers[layers.count - 1].spec.outputChannels }

    /// Takes the network's parameters from tensors with its names. A fourth temporal layer is part of a landmark
    /// network if any tensor of it is present.
    ///
    /// For each layer, BatchNorm may be present as four tensors, behind a convolution with or without a bias, or folded
    /// into `<conv>.weight` and `<conv>.bias`. All differences between the tensors and the network are collected into one error.
    /// - Parameter ignoringUnexpected: whether unknown tensors are ignored. Tensors of a temporal layer that the
    ///   network does not have are never ignored: without them it would be another network.
    package init(
        _ tensors: [String: Checkpoint.Tensor], classCount: Int, ignoringUnexpected: Bool = false
    ) throws(ImportError) {
        var source = TensorSource(tensors)
        let hasEncoder = GestureTCN.encoder.contains { spec in tensors.keys.contains { $0.hasPrefix(spec.name + ".") } }
        frontEnd = hasEncoder ? .pixels : .landmarks
        let temporal = frontEnd.temporal { spec in tensors.keys.contains { spec.owns(tensor: $0) } }
        let specs = frontEnd.layers(classCount: classCount, temporal: temporal)
        // Decides which names are reported as missing for a layer that has neither form.
        let expectsBatchNorm = specs.contains { spec in
            spec.batchNormPrefix.map { prefix in tensors.keys.contains { $0.hasPrefix(prefix + ".") } } ?? false
        }
        var pending: [(spec: LayerSpec, batchNorm: String?)] = []
        for spec in specs {
            let biasName = spec.name + ".bias"
            source.require(spec.name + ".weight", shape: spec.weightShape)
            let batchNorm = spec.batchNormPrefix.flatMap { prefix -> String? in
                let isPresent = Self.batchNormNames(prefix).contains { tensors[$0] != nil }
                return isPresent || (expectsBatchNorm && tensors[biasName] == nil) ? prefix : nil
            }
            if let batchNorm {
                for name in Self.batchNormNames(batchNorm) { source.require(name, shape: [spec.outputChannels]) }
                if tensors[biasName] != nil { source.require(biasName, shape: [spec.outputChannels]) }
            } else {
                source.require(biasName, shape: [spec.outputChannels])
            }
            pending.append((spec, batchNorm))
        }
        let foreign = GestureTCN.longTemporal.filter { !temporal.contains($0) }
        try source.finish { name in
            ignoringUnexpected && !foreign.contains { $0.owns(tensor: name) }
        }

        var layers: [Layer] = []
        for (spec, batchNorm) in pending {
            let weights = try source.values(spec.name + ".weight")
            let bias = try source.values(spec.name + ".bias")
            guard let batchNorm else {
                layers.append(Layer(spec: spec, weights: weights, bias: bias, wasFoldedHere: false))
                continue
            }
            let parameters = try BatchNorm(batchNorm, source)
            layers.append(try parameters.folded(into: weights, bias: bias, spec))
        }
        self.layers = layers
    }

    /// The parameters for the network's units.
    package func networkWeights() throws(ImportError) -> NetworkWeights {
        var parameters: [String: (weights: [Float], bias: [Float])] = [:]
        for layer in layers { parameters[layer.spec.name] = (layer.weights, layer.bias) }
        do {
            return try NetworkWeights(float: parameters, classCount: classCount, frontEnd: frontEnd)
        } catch {
            throw .file(error)
        }
    }
}

/// Tensors by name, with a record of the requested ones and of their differences from what was expected.
private struct TensorSource {
    private let tensors: [String: Checkpoint.Tensor]
    private var wanted: Set<String> = []
    private var mismatch = TensorMismatch()

    init(_ tensors: [String: Checkpoint.Tensor]) { self.tensors = tensors }

    mutating func require(_ name: String, shape: [Int]) {
        wanted.insert(name)
        guard let tensor = tensors[name] else {
            mismatch.missing.append(name)
            return
        }
        if tensor.values == nil { mismatch.types.append(.init(tensor: name, found: tensor.type)) }
        if tensor.shape != shape {
            mismatch.shapes.append(.init(tensor: name, expected: shape, found: tensor.shape))
        }
    }

    /// - Parameter isIgnored: whether a tensor that was not requested is ignored.
    mutating func finish(_ isIgnored: (String) -> Bool) throws(ImportError) {
        mismatch.unexpected = tensors.keys.filter { !wanted.contains($0) && !isIgnored($0) }.sorted()
        guard mismatch.isEmpty else { throw .mismatch(mismatch) }
    }

    /// The values of a tensor that `require` has found valid.
    func values(_ name: String) throws(ImportError) -> [Float] {
        let values = tensors[name]?.values ?? []
        if let index = values.firstIndex(where: { !$0.isFinite }) { throw .notFinite(tensor: name, index: index) }
        return values
    }
}

/// One BatchNorm's parameters at inference: `y = (x - mean) / sqrt(variance + epsilon) * weight + bias`.
private struct BatchNorm {
    private let weight: [Float]
    private let bias: [Float]
    private let mean: [Float]
    private let variance: [Float]

    init(_ prefix: String, _ source: TensorSource) throws(ImportError) {
        let names = FoldedNetwork.batchNormNames(prefix)
        weight = try source.values(names[0])
        bias = try source.values(names[1])
        mean = try source.values(names[2])
        variance = try source.values(names[3])
        if let index = variance.firstIndex(where: { $0 < 0 }) {
            throw .negativeVariance(tensor: names[3], index: index)
        }
    }

    /// The convolution that includes BatchNorm, computed in Double: `w * g` and `bias + (own - mean) * g` with `g = weight
    /// / sqrt(...)`.
    /// - Parameter own: the convolution's bias before BatchNorm; empty for none.
    func folded(into weights: [Float], bias own: [Float], _ spec: LayerSpec) throws(ImportError) -> FoldedNetwork.Layer
    {
        var foldedWeights: [Float] = []
        var foldedBias: [Float] = []
        foldedWeights.reserveCapacity(weights.count)
        for channel in 0..<spec.outputChannels {
            let deviation = (Double(variance[channel]) + FoldedNetwork.batchNormEpsilon).squareRoot()
            let gain = Double(weight[channel]) / deviation
            let start = foldedWeights.count
            for index in channel * spec.depth..<(channel + 1) * spec.depth {
                foldedWeights.append(Float(Double(weights[index]) * gain))
            }
            let shift = (own.isEmpty ? 0 : Double(own[channel])) - Double(mean[channel])
            foldedBias.append(Float(Double(bias[channel]) + shift * gain))
            guard foldedBias[channel].isFinite, foldedWeights[start...].allSatisfy(\.isFinite) else {
                throw .foldOverflow(layer: spec.name, channel: channel)
            }
        }
        return FoldedNetwork.Layer(spec: spec, weights: foldedWeights, bias: foldedBias, wasFoldedHere: true)
    }
}
