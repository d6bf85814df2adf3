import KernelInterface
import Vocabulary

/// The network in float32: matrix products by the tier's own kernel or, if it has none, by `DenseProduct`; everything
/// else by the tier's kernels.
///
/// Runs a model of any precision; float16 and int8 weights are widened when the arithmetic is made.
@safe
struct FloatArithmetic: Arithmetic {
    typealias Element = Float

    /// Parameters of one layer inside the arena. Matrix weights are packed by the tier's own product, bias included, or
    /// are `[output][depth]` for `DenseProduct`; convolution weights are `[depth][channel]`.
    ///
    /// Sendable because the arena is only read once its owner is made.
    @unsafe
    private struct Layer: @unchecked Sendable {
        let spec: LayerSpec
        let weights: UnsafePointer<Float>
        let bias: UnsafePointer<Float>
    }

    /// All parameters in one block of memory. Sendable because only `init` writes it; afterwards any thread may read
    /// it.
    private final class Arena: @unchecked Sendable {
        let values: AlignedBuffer<Float>
        init(count: Int) { values = AlignedBuffer(count: count) }
    }

    /// Offset in scratch of a pointwise output before its bias, for `DenseProduct`. The largest depthwise output,
    /// 56x56x32, lies before it.
    private static let productOffset = 56 * 56 * 32
    /// Depthwise rows that are made before the tier's own product reads them: they stay in the L1 cache.
    private static let bandRows = 2
    var scratchCount: Int { 2 * Self.productOffset }
    static let strideTwoLayout = MapLayout.dense

    let classCount: Int
    let specs: [LayerSpec]
    private let arena: Arena
    private let layers: [Layer]
    private let kernels: FloatKernels
    let frontEnd: FrontEnd
    let firstTemporal: Int
    private let inputScale: Float

    init(_ weights: NetworkWeights, kernels: FloatKernels) {
        self.kernels = kernels
        classCount = weights.classCount
        specs = weights.layers.map { $0.spec }
        frontEnd = weights.frontEnd
        firstTemporal = frontEnd.encoder.count
        inputScale = weights.frontEnd.inputScale
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

    func stem(_ frame: UnsafePointer<UInt8>, to output: FeatureMap<Float>) {
        let p = unsafe layers[0]
        unsafe kernels.stem(frame, p.weights, p.bias, output.row(0), output.rowStride)
    }

    func separable<Observer: LayerObserver>(
        _ layer: Int, from input: FeatureMap<Float>, to output: FeatureMap<Float>,
        scratch: UnsafeMutablePointer<Float>, observer: inout Observer
    ) where Observer.Element == Float {
        let dw = unsafe layers[layer]
        let pw = unsafe layers[layer + 1]
        let width = unsafe output.size
        let rowCount = unsafe width * input.channels
        if let own = kernels.matrix {
            var y = 0
            while y < width {
                let rows = min(Self.bandRows, width - y)
                unsafe kernels.depthwise3x3(
                    input.halo(above: dw.spec.stride * y), input.rowStride, dw.spec.stride, rows, width,
                    input.channels, dw.weights, dw.bias, scratch, rowCount)
                unsafe observer.observe(
                    layer: layer, firstRow: y, rows: rows, values: scratch, count: rowCount, rowStride: rowCount,
                    isSplit: false)
                observer.finish(layer: layer)
                for row in 0..<rows {
                    unsafe own.multiply(
                        scratch + row * rowCount, input.channels, width, 1, 0, input.channels, output.channels,
                        pw.weights, output.row(y + row), output.channels)
                }
                observer.finish(layer: layer + 1)
                y += rows
            }
            return
        }
        unsafe kernels.depthwise3x3(
            input.halo(above: 0), input.rowStride, dw.spec.stride, width, width, input.channels,
            dw.weights, dw.bias, scratch, rowCount)
        unsafe observer.observe(
            layer: layer, firstRow: 0, rows: width, values: scratch, count: rowCount, rowStride: rowCount,
            isSplit: false)
        observer.finish(layer: layer)
        let product = unsafe scratch + Self.productOffset
        unsafe DenseProduct.multiply(
            scratch, rows: width * width, depth: input.channels, by: pw.weights, outputs: output.channels,
            to: product)
        for y in 0..<width {
            unsafe kernels.biasReLU6(
                product + y * width * output.channels, width, output.channels, pw.bias, output.row(y))
        }
        observer.finish(layer: layer + 1)
    }

    func collapse<Observer: LayerObserver>(
        _ layer: Int, from input: FeatureMap<Float>, to column: UnsafeMutablePointer<Float>,
        scratch: UnsafeMutablePointer<Float>, observer: inout Observer
    ) where Observer.Element == Float {
        let dw = unsafe layers[layer]
        let pw = unsafe layers[layer + 1]
        unsafe kernels.depthwise7x7(input.row(0), input.channels, dw.weights, dw.bias, scratch)
        unsafe observer.observeColumn(layer, scratch, input.channels)
        observer.finish(layer: layer)
        if let own = kernels.matrix {
            unsafe own.multiply(
                scratch, 0, 1, 1, 0, input.channels, GestureTCN.featureCount, pw.weights, column, 0)
            observer.finish(layer: layer + 1)
            return
        }
        let product = unsafe scratch + Self.productOffset
        unsafe DenseProduct.apply(
            pw.weights, rows: GestureTCN.featureCount, depth: input.channels, to: scratch, sum: product)
        unsafe kernels.biasReLU6(product, 1, GestureTCN.featureCount, pw.bias, column)
        observer.finish(layer: layer + 1)
    }

    func temporal(
        _ layer: Int, oldest: UnsafePointer<Float>, tapStride: Int, to column: UnsafeMutablePointer<Float>
    ) {
        let p = unsafe layers[firstTemporal + layer]
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

    func classify(_ column: UnsafePointer<Float>, logits: UnsafeMutablePointer<Float>) {
        let p = unsafe layers[layers.count - 1]
        unsafe DenseProduct.apply(p.weights, rows: classCount, depth: GestureTCN.temporalWidth, to: column, sum: logits)
        for index in 0..<classCount { unsafe logits[index] += p.bias[index] }
    }

    func floatValue(_ element: Float, layer: Int) -> Float { element }

    func element(ofColumn code: UInt8) -> Float { Float(code) * inputScale }
}
