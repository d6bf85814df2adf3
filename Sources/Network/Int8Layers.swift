package import KernelInterface
package import Vocabulary

/// A network's layers in int8: packed parameters and one tier's kernels.
///
/// Parameters per output channel, computed in float32 and in this order: bias `roundHalfEven(b / (s_in * s_w))`,
/// multiplier `(s_in * s_w) / s_out`. The classifier's sums times `s_in * s_w` are the logits.
/// The bias is at most 2^30 and a sum of products at most 480 * 255 * 127 < 2^24, so int32 never overflows.
@safe
package struct Int8Layers: Sendable {
    /// Parameters of one layer inside the arena, packed as the tier's kernel reads them.
    ///
    /// Sendable because the arena is only read once its owner is made.
    @unsafe
    package struct Layer: @unchecked Sendable {
        package let spec: LayerSpec
        package let packed: UnsafeRawPointer
        package let outputScale: Float
    }

    /// All packed parameters in one block of memory. Sendable because only `init` writes it; afterwards any thread may
    /// read it.
    private final class Arena: @unchecked Sendable {
        let bytes: AlignedBuffer<UInt8>
        init(byteCount: Int) { bytes = AlignedBuffer(count: byteCount) }
    }

    package let specs: [LayerSpec]
    package let frontEnd: FrontEnd
    /// In the order of `specs`.
    package let layers: [Layer]
    package let kernels: Int8Kernels
    private let arena: Arena

    package init(_ weights: NetworkWeights, kernels: Int8Kernels) throws(NetworkError) {
        self.kernels = kernels
        specs = weights.layers.map { $0.spec }
        frontEnd = weights.frontEnd
        var byteCount = 0
        for layer in weights.layers { byteCount += unsafe Self.pack(layer.spec, kernels, nil, nil, nil, nil) }
        arena = Arena(byteCount: byteCount)
        var cursor = unsafe UnsafeMutableRawPointer(arena.bytes.base)
        var packed: [Layer] = unsafe []
        var inputScale = weights.frontEnd.inputScale
        for layer in weights.layers {
            guard case .int8(let values, let scales) = layer.values else { throw .notQuantised }
            let outputScale = layer.outputScale ?? 1
            unsafe packed.append(Layer(spec: layer.spec, packed: cursor, outputScale: outputScale))
            unsafe cursor += Self.pack(
                layer, values, scales, inputScale: inputScale, outputScale: outputScale, kernels, at: cursor)
            inputScale = outputScale
        }
        unsafe layers = packed
    }

    @unsafe
    func convolve(_ layer: Int, oldest: UnsafeRawPointer, tapStride: Int, to column: UnsafeMutableRawPointer) {
        let p = unsafe layers[frontEnd.encoder.count + layer]
        unsafe kernels.gemm(
            oldest.assumingMemoryBound(to: UInt8.self), 0, 1, 3, tapStride, p.spec.inputChannels,
            GestureTCN.temporalWidth, p.packed, column.assumingMemoryBound(to: UInt8.self), GestureTCN.temporalWidth)
    }

    @unsafe
    func classify(_ column: UnsafeRawPointer, logits: UnsafeMutablePointer<Float>) {
        let p = unsafe layers[layers.count - 1]
        let classCount = unsafe p.spec.outputChannels
        let padded = (classCount + 15) / 16 * 16
        unsafe withUnsafeTemporaryAllocation(of: Float.self, capacity: padded) { values in
            guard let out = values.baseAddress else { return }
            unsafe kernels.classify(
                column.assumingMemoryBound(to: UInt8.self), GestureTCN.temporalWidth, classCount, p.packed, out)
            unsafe logits.update(from: out, count: classCount)
        }
    }

    /// What a step of a layer's output stands for; with layer -1, of a given column.
    package func scale(ofOutput layer: Int) -> Float {
        unsafe layer < 0 ? frontEnd.inputScale : layers[layer].outputScale
    }
}
