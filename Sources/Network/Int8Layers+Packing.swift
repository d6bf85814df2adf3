package import KernelInterface

extension Int8Layers {
    /// Packs with the kernel family of the layer's kind, or returns the size if `packed` is nil.
    static func pack(
        _ spec: LayerSpec, _ kernels: Int8Kernels, _ weights: UnsafePointer<Int8>?, _ bias: UnsafePointer<Int32>?,
        _ multiplier: UnsafePointer<Float>?, _ packed: UnsafeMutableRawPointer?
    ) -> Int {
        unsafe kernels.pack(for: spec.kind)(weights, bias, multiplier, spec.outputChannels, spec.depth, packed)
    }

    /// Packs one layer and returns the number of its bytes.
    static func pack(
        _ layer: NetworkWeights.Layer, _ values: [Int8], _ scales: [Float], inputScale: Float, outputScale: Float,
        _ kernels: Int8Kernels, at packed: UnsafeMutableRawPointer
    ) -> Int {
        let spec = layer.spec
        var ordered = values
        if spec.kind == .temporal {
            // The order of `checkpointOffset`, without a division for each of 215,000 weights at every start.
            let inputs = spec.inputChannels
            for row in stride(from: 0, to: values.count, by: spec.depth) {
                for tap in 0..<3 {
                    for input in 0..<inputs { ordered[row + tap * inputs + input] = values[row + 3 * input + tap] }
                }
            }
        }
        let bias = scales.indices.map {
            Int32((layer.bias[$0] / (inputScale * scales[$0])).rounded(.toNearestOrEven))
        }
        let multiplier = scales.map { (inputScale * $0) / outputScale }
        return unsafe pack(spec, kernels, ordered, bias, multiplier, packed)
    }
}

extension Int8Kernels {
    /// The function that packs the parameters of this kind of layer.
    package func pack(for kind: LayerKind) -> Pack {
        switch kind {
        case .stem: unsafe packStem
        case .depthwise3x3: unsafe packDepthwise3x3
        case .depthwise7x7: unsafe packDepthwise7x7
        case .pointwise, .temporal: unsafe packGEMM
        case .classifier: unsafe packClassifier
        }
    }
}

extension LayerSpec {
    /// Position in the checkpoint's weights of depth index `k` of an output channel.
    ///
    /// Depth runs over kernel positions in row-major order or over input channels; in temporal layers over taps (oldest
    /// first) and then input channels, while the checkpoint has taps innermost.
    func checkpointOffset(channel: Int, k: Int) -> Int {
        guard kind == .temporal else { return channel * depth + k }
        return channel * depth + (k % inputChannels) * 3 + k / inputChannels
    }
}
