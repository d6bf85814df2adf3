package import KernelInterface
package import Vocabulary

/// A network's layers in float32: matrix products by the tier's own kernel or, if it has none, by `DenseProduct`; everything
/// else by the tier's kernels.
///
/// Runs a model of any precision; float16 and int8 weights are widened when the arithmetic is made.
@safe
package struct FloatLayers: Sendable {
    /// Parameters of one layer inside the arena. Matrix weights are packed by the tier's own product, bias included, or
    /// are `[output][depth]` for `DenseProduct`; convolution weights are `[depth][channel]`.
    ///
    /// Sendable because the arena is only read once its owner is made.
    @unsafe
    package struct Layer: @unchecked Sendable {
        package let spec: LayerSpec
        package let weights: UnsafePointer<Float>
        package let bias: UnsafePointer<Float>
    }

    /// All parameters in one block of memory. Sendable because only `init` writes it; afterwards any thread may read
    /// it.
    private final class Arena: @unchecked Sendable {
        let values: AlignedBuffer<Float>
        init(count: Int) { values = AlignedBuffer(count: count) }
    }

    package let specs: [LayerSpec]
    package let frontEnd: FrontEnd
    /// In the order of `specs`.
    package let layers: [Layer]
    package let kernels: FloatKernels
    private let arena: Arena

    package init(_ weights: NetworkWeights, kernels: FloatKernels) {
        self.kernels = kernels
        specs = weights.layers.map { $0.spec }
        frontEnd = weights.frontEnd
        let sizes = weights.layers.map { Self.floatCount($0.spec, kernels.matrix) }
        arena = Arena(count: sizes.reduce(0, +))
        var cursor = unsafe arena.values.base
        var packed: [Layer] = unsafe []
        for (layer, size) in zip(weights.layers, sizes) {
            unsafe packed.append(Self.pack(layer, kernels.matrix, at: cursor))
            unsafe cursor += size
        }
        unsafe layers = packed
        DenseProduct.useOneThread()
    }

    // MARK: Packing

    /// Whether the tier's own product runs a layer.
    private static func isOwn(_ spec: LayerSpec) -> Bool { spec.kind == .pointwise || spec.kind == .temporal }

    /// Floats of a layer's parameters, rounded up to a multiple of 64 bytes.
    private static func floatCount(_ spec: LayerSpec, _ matrix: FloatMatrix?) -> Int {
        if let matrix, isOwn(spec) { return matrix.pack(nil, nil, spec.outputChannels, spec.depth, nil) / 4 }
        return (spec.weightCount + spec.outputChannels + 15) / 16 * 16
    }

    private static func pack(
        _ layer: NetworkWeights.Layer, _ matrix: FloatMatrix?, at place: UnsafeMutablePointer<Float>
    ) -> Layer {
        let spec = layer.spec
        let floats = layer.floats
        let own = isOwn(spec) ? matrix : nil
        var ordered = [Float](repeating: 0, count: spec.weightCount)
        for channel in 0..<spec.outputChannels {
            for k in 0..<spec.depth {
                let offset = own == nil ? offset(spec, channel: channel, k: k) : channel * spec.depth + k
                ordered[offset] = floats[spec.checkpointOffset(channel: channel, k: k)]
            }
        }
        let bias = unsafe place + spec.weightCount
        if let own {
            _ = unsafe own.pack(ordered, layer.bias, spec.outputChannels, spec.depth, place)
        } else {
            unsafe place.update(from: ordered, count: ordered.count)
            unsafe bias.update(from: layer.bias, count: layer.bias.count)
        }
        return unsafe Layer(spec: spec, weights: place, bias: bias)
    }

    /// Matrices for `DenseProduct` stay `[output][depth]`, except that each temporal tap is a separate matrix; kernels
    /// read convolution weights channels-last.
    private static func offset(_ spec: LayerSpec, channel: Int, k: Int) -> Int {
        switch spec.kind {
        case .pointwise, .classifier: channel * spec.depth + k
        case .temporal:
            (k / spec.inputChannels * spec.outputChannels + channel) * spec.inputChannels + k % spec.inputChannels
        case .stem, .depthwise3x3, .depthwise7x7: k * spec.outputChannels + channel
        }
    }

    // MARK: Layers

    @unsafe
    func convolve(_ layer: Int, oldest: UnsafeRawPointer, tapStride: Int, to column: UnsafeMutableRawPointer) {
        let p = unsafe layers[frontEnd.encoder.count + layer]
        let oldest = unsafe oldest.assumingMemoryBound(to: Float.self)
        let column = unsafe column.assumingMemoryBound(to: Float.self)
        let depth = unsafe p.spec.inputChannels
        let width = GestureTCN.temporalWidth
        if let own = kernels.matrix {
            unsafe own.multiply(oldest, 0, 1, 3, tapStride, depth, width, p.weights, column, 0)
            return
        }
        for tap in 0..<3 {
            unsafe DenseProduct.apply(
                p.weights + tap * depth * width, rows: width, depth: depth, to: oldest + tap * tapStride,
                sum: column, adding: tap > 0)
        }
        unsafe kernels.biasReLU6(column, 1, width, p.bias, column)
    }

    @unsafe
    func classify(_ column: UnsafeRawPointer, logits: UnsafeMutablePointer<Float>) {
        let p = unsafe layers[layers.count - 1]
        let classCount = unsafe p.spec.outputChannels
        unsafe DenseProduct.apply(
            p.weights, rows: classCount, depth: GestureTCN.temporalWidth,
            to: column.assumingMemoryBound(to: Float.self), sum: logits)
        for index in 0..<classCount { unsafe logits[index] += p.bias[index] }
    }
}
