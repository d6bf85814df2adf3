package import KernelInterface
import Vocabulary

/// The network in int8: packed parameters and one tier's kernels.
///
/// Parameters per output channel, computed in float32 and in this order: bias `roundHalfEven(b / (s_in * s_w))`,
/// multiplier `(s_in * s_w) / s_out`. The classifier's sums times `s_in * s_w` are the logits.
/// The bias is at most 2^30 and a sum of products at most 480 * 255 * 127 < 2^24, so int32 never overflows.
@safe
struct Int8Arithmetic: Arithmetic {
    typealias Element = UInt8

    /// Parameters of one layer inside the arena, packed as the tier's kernel reads them.
    ///
    /// Sendable because the arena is only read once its owner is made.
    @unsafe
    private struct Layer: @unchecked Sendable {
        let spec: LayerSpec
        let packed: UnsafeRawPointer
        let outputScale: Float
    }

    /// All packed parameters in one block of memory. Sendable because only `init` writes it; afterwards any thread may
    /// read it.
    private final class Arena: @unchecked Sendable {
        let bytes: AlignedBuffer<UInt8>
        init(byteCount: Int) { bytes = AlignedBuffer(count: byteCount) }
    }

    static let strideTwoLayout = MapLayout.split

    let classCount: Int
    let specs: [LayerSpec]
    let scratchCount: Int
    /// Bytes of scratch for the depthwise rows between the two halves of a block; the kernel's own scratch follows.
    private let bandBytes: Int
    private let arena: Arena
    private let layers: [Layer]
    private let kernels: Int8Kernels
    let frontEnd: FrontEnd
    let firstTemporal: Int
    private let inputScale: Float

    /// Depthwise rows of a block that are made before the pointwise product reads them: a band that stays in the L1
    /// cache. Even, because kernels of stride 1 make two rows at once.
    private static let bandRows = 2

    init(_ weights: NetworkWeights, kernels: Int8Kernels) throws(NetworkError) {
        self.kernels = kernels
        classCount = weights.classCount
        specs = weights.layers.map { $0.spec }
        frontEnd = weights.frontEnd
        firstTemporal = frontEnd.encoder.count
        inputScale = weights.frontEnd.inputScale
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
        let blocks = weights.layers.map { $0.spec }.filter { $0.kind == .depthwise3x3 }
        let band = blocks.map { Self.bandRows * $0.outputSize * $0.outputChannels }.max() ?? 0
        bandBytes = (band + 63) / 64 * 64
        scratchCount =
            bandBytes + (blocks.map { kernels.depthwiseScratch($0.outputSize, $0.outputChannels) }.max() ?? 0)
    }

    // MARK: Packing

    /// Packs with the kernel family of the layer's kind, or returns the size if `packed` is nil.
    private static func pack(
        _ spec: LayerSpec, _ kernels: Int8Kernels, _ weights: UnsafePointer<Int8>?, _ bias: UnsafePointer<Int32>?,
        _ multiplier: UnsafePointer<Float>?, _ packed: UnsafeMutableRawPointer?
    ) -> Int {
        unsafe kernels.pack(for: spec.kind)(weights, bias, multiplier, spec.outputChannels, spec.depth, packed)
    }

    /// Packs one layer and returns the number of its bytes.
    private static func pack(
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

    // MARK: Layers

    func stem(_ frame: UnsafePointer<UInt8>, to output: FeatureMap<UInt8>) {
        unsafe kernels.stem(frame, 0, output.size, layers[0].packed, output.row(0), output.rowStride)
    }

    func separable<Observer: LayerObserver>(
        _ layer: Int, from input: FeatureMap<UInt8>, to output: FeatureMap<UInt8>,
        scratch: UnsafeMutablePointer<UInt8>, observer: inout Observer
    ) where Observer.Element == UInt8 {
        let dw = unsafe layers[layer]
        let pw = unsafe layers[layer + 1]
        let width = unsafe output.size
        let rowBytes = unsafe width * input.channels
        var y = 0
        while y < width {
            let rows = min(Self.bandRows, width - y)
            unsafe kernels.depthwise3x3(
                input.halo(above: dw.spec.stride * y), input.rowStride, dw.spec.stride, rows, width, input.channels,
                dw.packed, scratch, scratch + bandBytes)
            unsafe observer.observe(
                layer: layer, firstRow: y, rows: rows, values: scratch, count: rowBytes, rowStride: rowBytes,
                isSplit: false)
            observer.finish(layer: layer)
            for row in 0..<rows {
                unsafe multiply(scratch + row * rowBytes, by: pw, depth: input.channels, to: output, row: y + row)
            }
            observer.finish(layer: layer + 1)
            y += rows
        }
    }

    /// The pointwise product of one row of pixels, written in the order of the output's layout.
    @inline(__always)
    private func multiply(
        _ pixels: UnsafePointer<UInt8>, by p: Layer, depth: Int, to output: FeatureMap<UInt8>, row: Int
    ) {
        let channels = unsafe output.channels
        guard unsafe output.layout == .split else {
            unsafe kernels.gemm(
                pixels, depth, output.size, 1, 0, depth, channels, p.packed, output.row(row), channels)
            return
        }
        let half = unsafe output.size / 2
        unsafe kernels.gemm(
            pixels + depth, 2 * depth, half, 1, 0, depth, channels, p.packed, output.row(row), channels)
        unsafe kernels.gemm(
            pixels, 2 * depth, half, 1, 0, depth, channels, p.packed, output.row(row) + half * channels, channels)
    }

    func collapse<Observer: LayerObserver>(
        _ layer: Int, from input: FeatureMap<UInt8>, to column: UnsafeMutablePointer<UInt8>,
        scratch: UnsafeMutablePointer<UInt8>, observer: inout Observer
    ) where Observer.Element == UInt8 {
        let dw = unsafe layers[layer]
        let pw = unsafe layers[layer + 1]
        unsafe kernels.depthwise7x7(input.row(0), input.channels, dw.packed, scratch)
        unsafe observer.observeColumn(layer, scratch, input.channels)
        observer.finish(layer: layer)
        unsafe kernels.gemm(
            scratch, input.channels, 1, 1, 0, input.channels, GestureTCN.featureCount, pw.packed, column,
            GestureTCN.featureCount)
        observer.finish(layer: layer + 1)
    }

    func temporal(
        _ layer: Int, oldest: UnsafePointer<UInt8>, tapStride: Int, to column: UnsafeMutablePointer<UInt8>
    ) {
        let p = unsafe layers[firstTemporal + layer]
        unsafe kernels.gemm(
            oldest, 0, 1, 3, tapStride, p.spec.inputChannels, GestureTCN.temporalWidth, p.packed, column,
            GestureTCN.temporalWidth)
    }

    func classify(_ column: UnsafePointer<UInt8>, logits: UnsafeMutablePointer<Float>) {
        let padded = (classCount + 15) / 16 * 16
        unsafe withUnsafeTemporaryAllocation(of: Float.self, capacity: padded) { values in
            guard let out = values.baseAddress else { return }
            unsafe kernels.classify(
                column, GestureTCN.temporalWidth, classCount, layers[layers.count - 1].packed, out)
            unsafe logits.update(from: out, count: classCount)
        }
    }

    func floatValue(_ element: UInt8, layer: Int) -> Float {
        unsafe Float(element) * (layer < 0 ? inputScale : layers[layer].outputScale)
    }

    func element(ofColumn code: UInt8) -> UInt8 { code }
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
