import KernelInterface

/// The network in int8: packed parameters and one tier's kernels.
///
/// Quantised values per output channel, all in float32 and in this order: bias `roundHalfEven(b / (s_in * s_w))`,
/// multiplier `(s_in * s_w) / s_out`. The classifier's sums are multiplied by `s_in * s_w` to logits.
/// Bias is at most 2^30 and a sum of products at most 480 * 255 * 127 < 2^24, so int32 never overflows.
@safe
struct Int8Arithmetic: Arithmetic {
    typealias Element = UInt8

    /// Parameters of one layer inside the arena.
    ///
    /// Sendable because the arena is only read once its owner is made.
    @unsafe
    private struct Layer: @unchecked Sendable {
        let spec: LayerSpec
        let weights: UnsafePointer<Int8>
        let bias: UnsafePointer<Int32>
        let multiplier: UnsafePointer<Float>
        let outputScale: Float
    }

    /// All packed parameters in one block of memory. Written by `init` alone and only read afterwards, from any
    /// thread: that is what makes it Sendable.
    private final class Arena: @unchecked Sendable {
        let bytes: AlignedBuffer<UInt8>
        init(byteCount: Int) { bytes = AlignedBuffer(count: byteCount) }
    }

    /// The depthwise rows kept between the two halves of a block: a band that stays in the L1 cache.
    private static let bandBytes = 16 * 1024
    static let scratchCount = bandBytes

    let classCount: Int
    private let arena: Arena
    private let layers: [Layer]
    private let kernels: Int8Kernels
    private let firstTemporal = GestureTCN.encoder.count

    init(_ weights: NetworkWeights, kernels: Int8Kernels) throws(NetworkError) {
        self.kernels = kernels
        classCount = weights.classCount
        var byteCount = 0
        for layer in weights.layers { byteCount += Self.packedByteCount(layer.spec) }
        arena = Arena(byteCount: byteCount)
        var cursor = unsafe UnsafeMutableRawPointer(arena.bytes.base)
        var packed: [Layer] = unsafe []
        var inputScale = NetworkWeights.inputScale
        for layer in weights.layers {
            guard case .int8(let codes, let scales) = layer.values else { throw .notQuantised }
            unsafe packed.append(Self.pack(layer, codes, scales, inputScale: inputScale, at: cursor))
            unsafe cursor += Self.packedByteCount(layer.spec)
            inputScale = layer.outputScale ?? inputScale
        }
        unsafe layers = packed
    }

    // MARK: Packing

    /// Whether the layer is run as a matrix product over a packed panel.
    private static func isPanel(_ spec: LayerSpec) -> Bool {
        switch spec.kind {
        case .pointwise, .temporal, .classifier: true
        case .stem, .depthwise3x3, .depthwise7x7: false
        }
    }

    /// Bytes of the weights, a multiple of 64.
    private static func weightBytes(_ spec: LayerSpec) -> Int {
        let count =
            isPanel(spec)
            ? PackedPanel.byteCount(depth: spec.depth, columns: spec.outputChannels) : spec.weightCount
        return (count + 63) / 64 * 64
    }

    /// Bytes of bias or multipliers, a multiple of 64.
    private static func channelBytes(_ spec: LayerSpec) -> Int {
        PackedPanel.paddedColumns(spec.outputChannels) * 4
    }

    private static func packedByteCount(_ spec: LayerSpec) -> Int { weightBytes(spec) + 2 * channelBytes(spec) }

    private static func pack(
        _ layer: NetworkWeights.Layer, _ codes: [Int8], _ scales: [Float], inputScale: Float,
        at start: UnsafeMutableRawPointer
    ) -> Layer {
        let spec = layer.spec
        let weights = unsafe start.assumingMemoryBound(to: Int8.self)
        let biasStart = unsafe start + weightBytes(spec)
        let bias = unsafe biasStart.assumingMemoryBound(to: Int32.self)
        let multiplier = unsafe (biasStart + channelBytes(spec)).assumingMemoryBound(to: Float.self)
        let outputScale = layer.outputScale ?? 1
        for channel in 0..<spec.outputChannels {
            for k in 0..<spec.depth {
                let code = codes[spec.checkpointOffset(channel: channel, k: k)]
                let offset =
                    isPanel(spec)
                    ? PackedPanel.offset(depth: spec.depth, k: k, n: channel) : k * spec.outputChannels + channel
                unsafe weights[offset] = code
            }
            let scale = inputScale * scales[channel]
            unsafe bias[channel] = Int32((layer.bias[channel] / scale).rounded(.toNearestOrEven))
            unsafe multiplier[channel] = scale / outputScale
        }
        return unsafe Layer(
            spec: spec, weights: weights, bias: bias, multiplier: multiplier, outputScale: outputScale)
    }

    // MARK: Layers

    func stem(_ frame: UnsafePointer<UInt8>, to output: FeatureMap<UInt8>) {
        let p = unsafe layers[0]
        unsafe kernels.stem(
            frame, 0, output.size, p.weights, p.bias, p.multiplier, output.row(0), output.rowStride)
    }

    func separable<Observer: LayerObserver>(
        _ layer: Int, from input: FeatureMap<UInt8>, to output: FeatureMap<UInt8>,
        scratch: UnsafeMutablePointer<UInt8>, observer: inout Observer
    ) where Observer.Element == UInt8 {
        let dw = unsafe layers[layer]
        let pw = unsafe layers[layer + 1]
        let width = unsafe output.size
        let rowBytes = unsafe width * input.channels
        let band = max(1, min(width, Self.bandBytes / rowBytes))
        var y = 0
        while y < width {
            let rows = min(band, width - y)
            unsafe kernels.depthwise3x3(
                input.haloRow(dw.spec.stride * y), input.rowStride, dw.spec.stride, rows, width, input.channels,
                dw.weights, dw.bias, dw.multiplier, scratch, rowBytes)
            unsafe observer.observe(
                layer: layer, firstRow: y, rows: rows, values: scratch, count: rowBytes, rowStride: rowBytes)
            for row in 0..<rows {
                unsafe kernels.gemm(
                    scratch + row * rowBytes, input.channels, width, 1, 0, input.channels, output.channels,
                    pw.weights, pw.bias, pw.multiplier, output.row(y + row), output.channels)
            }
            y += rows
        }
    }

    func collapse<Observer: LayerObserver>(
        _ layer: Int, from input: FeatureMap<UInt8>, to column: UnsafeMutablePointer<UInt8>,
        scratch: UnsafeMutablePointer<UInt8>, observer: inout Observer
    ) where Observer.Element == UInt8 {
        let dw = unsafe layers[layer]
        let pw = unsafe layers[layer + 1]
        unsafe kernels.depthwise7x7(
            input.row(0), input.channels, dw.weights, dw.bias, dw.multiplier, scratch)
        unsafe observer.observeColumn(layer, scratch, input.channels)
        unsafe kernels.gemm(
            scratch, input.channels, 1, 1, 0, input.channels, GestureTCN.featureCount,
            pw.weights, pw.bias, pw.multiplier, column, GestureTCN.featureCount)
    }

    func temporal(
        _ layer: Int, oldest: UnsafePointer<UInt8>, tapStride: Int, to column: UnsafeMutablePointer<UInt8>
    ) {
        let p = unsafe layers[firstTemporal + layer]
        unsafe kernels.gemm(
            oldest, 0, 1, 3, tapStride, p.spec.inputChannels, GestureTCN.temporalWidth,
            p.weights, p.bias, p.multiplier, column, GestureTCN.temporalWidth)
    }

    func classify(_ column: UnsafePointer<UInt8>, logits: UnsafeMutablePointer<Float>) {
        let p = unsafe layers[layers.count - 1]
        let columns = PackedPanel.paddedColumns(classCount)
        unsafe withUnsafeTemporaryAllocation(of: Int32.self, capacity: columns) { sums in
            unsafe kernels.sums(
                column, GestureTCN.temporalWidth, columns, p.weights, p.bias, sums.baseAddress!)
            for index in 0..<classCount {
                unsafe logits[index] = Float(sums[index]) * p.multiplier[index]
            }
        }
    }

    func realValue(_ element: UInt8, layer: Int) -> Float {
        unsafe Float(element) * layers[layer].outputScale
    }
}

extension LayerSpec {
    /// Position in the checkpoint's weights of depth index `k` of an output channel.
    ///
    /// Depth runs over kernel positions in row-major order, over input channels, or, in temporal layers, over taps
    /// (oldest first) and then input channels, while the checkpoint has taps innermost.
    func checkpointOffset(channel: Int, k: Int) -> Int {
        guard kind == .temporal else { return channel * depth + k }
        return channel * depth + (k % inputChannels) * 3 + k / inputChannels
    }
}
