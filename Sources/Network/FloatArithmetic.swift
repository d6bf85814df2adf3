import KernelInterface

#if canImport(Accelerate)
    import Accelerate
#else
    import CBLAS
#endif

/// The network in float32: matrix products through BLAS, the rest through one tier's kernels.
///
/// Runs a model of any precision; float16 and int8 weights are widened when it is made.
@safe
struct FloatArithmetic: Arithmetic {
    typealias Element = Float

    /// Parameters of one layer inside the arena. Matrix weights are `[output][depth]`, convolutions `[depth][channel]`.
    ///
    /// Sendable because the arena is only read once its owner is made.
    @unsafe
    private struct Layer: @unchecked Sendable {
        let spec: LayerSpec
        let weights: UnsafePointer<Float>
        let bias: UnsafePointer<Float>
    }

    /// All parameters in one block of memory. Written by `init` alone and only read afterwards, from any thread: that
    /// is what makes it Sendable.
    private final class Arena: @unchecked Sendable {
        let values: AlignedBuffer<Float>
        init(count: Int) { values = AlignedBuffer(count: count) }
    }

    /// The largest depthwise output (112x112 in, 56x56x32 out) and the largest pointwise output before its bias.
    private static let productOffset = 56 * 56 * 32
    var scratchCount: Int { 2 * Self.productOffset }
    static let strideTwoLayout = MapLayout.dense

    let classCount: Int
    private let arena: Arena
    private let layers: [Layer]
    private let kernels: FloatKernels
    private let firstTemporal = GestureTCN.encoder.count

    init(_ weights: NetworkWeights, kernels: FloatKernels) {
        self.kernels = kernels
        classCount = weights.classCount
        arena = Arena(count: weights.layers.reduce(0) { $0 + $1.spec.weightCount + $1.spec.outputChannels })
        var cursor = unsafe arena.values.base
        var packed: [Layer] = unsafe []
        for layer in weights.layers {
            let spec = layer.spec
            let bias = unsafe cursor + spec.weightCount
            let floats = layer.floats
            for channel in 0..<spec.outputChannels {
                for k in 0..<spec.depth {
                    let value = floats[spec.checkpointOffset(channel: channel, k: k)]
                    let offset = Self.offset(spec, channel: channel, k: k)
                    unsafe cursor[offset] = value
                }
                unsafe bias[channel] = layer.bias[channel]
            }
            unsafe packed.append(Layer(spec: spec, weights: cursor, bias: bias))
            unsafe cursor = bias + spec.outputChannels
        }
        unsafe layers = packed
        #if !canImport(Accelerate)
            openblas_set_num_threads(1)
        #endif
    }

    /// Matrices stay `[output][depth]`, except that each temporal tap is a matrix of its own; kernels read
    /// convolution weights channels-last.
    private static func offset(_ spec: LayerSpec, channel: Int, k: Int) -> Int {
        switch spec.kind {
        case .pointwise, .classifier: channel * spec.depth + k
        case .temporal:
            (k / spec.inputChannels * spec.outputChannels + channel) * spec.inputChannels + k % spec.inputChannels
        case .stem, .depthwise3x3, .depthwise7x7: k * spec.outputChannels + channel
        }
    }

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
        unsafe kernels.depthwise3x3(
            input.halo(above: 0), input.rowStride, dw.spec.stride, width, width, input.channels,
            dw.weights, dw.bias, scratch, rowCount)
        unsafe observer.observe(
            layer: layer, firstRow: 0, rows: width, values: scratch, count: rowCount, rowStride: rowCount,
            isSplit: false)
        observer.finish(layer: layer)
        let product = unsafe scratch + Self.productOffset
        unsafe Self.multiply(
            scratch, rows: width * width, depth: input.channels, by: pw.weights, columns: output.channels,
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
        let product = unsafe scratch + Self.productOffset
        unsafe Self.apply(pw.weights, rows: GestureTCN.featureCount, depth: input.channels, to: scratch, sum: product)
        unsafe kernels.biasReLU6(product, 1, GestureTCN.featureCount, pw.bias, column)
        observer.finish(layer: layer + 1)
    }

    func temporal(
        _ layer: Int, oldest: UnsafePointer<Float>, tapStride: Int, to column: UnsafeMutablePointer<Float>
    ) {
        let p = unsafe layers[firstTemporal + layer]
        let depth = unsafe p.spec.inputChannels
        let width = GestureTCN.temporalWidth
        for tap in 0..<3 {
            unsafe Self.apply(
                p.weights + tap * depth * width, rows: width, depth: depth, to: oldest + tap * tapStride,
                sum: column, adding: tap > 0)
        }
        unsafe kernels.biasReLU6(column, 1, width, p.bias, column)
    }

    func classify(_ column: UnsafePointer<Float>, logits: UnsafeMutablePointer<Float>) {
        let p = unsafe layers[layers.count - 1]
        unsafe Self.apply(p.weights, rows: classCount, depth: GestureTCN.temporalWidth, to: column, sum: logits)
        for index in 0..<classCount { unsafe logits[index] += p.bias[index] }
    }

    func realValue(_ element: Float, layer: Int) -> Float { element }

    // MARK: BLAS

    /// `c[m, n] = sum over k of a[m, k] * w[n, k]`, all contiguous.
    private static func multiply(
        _ a: UnsafePointer<Float>, rows: Int, depth: Int, by w: UnsafePointer<Float>, columns: Int,
        to c: UnsafeMutablePointer<Float>
    ) {
        unsafe cblas_sgemm(
            CblasRowMajor, CblasNoTrans, CblasTrans, Dimension(rows), Dimension(columns), Dimension(depth), 1,
            a, Dimension(depth), w, Dimension(depth), 0, c, Dimension(columns))
    }

    /// `sum[n] = (adding ? sum[n] : 0) + sum over k of w[n, k] * x[k]`.
    private static func apply(
        _ w: UnsafePointer<Float>, rows: Int, depth: Int, to x: UnsafePointer<Float>,
        sum: UnsafeMutablePointer<Float>, adding: Bool = false
    ) {
        unsafe cblas_sgemv(
            CblasRowMajor, CblasNoTrans, Dimension(rows), Dimension(depth), 1, w, Dimension(depth), x, 1,
            adding ? 1 : 0, sum, 1)
    }

    /// BLAS takes 32-bit dimensions; every one of this network's is far below that.
    private typealias Dimension = Int32
}
