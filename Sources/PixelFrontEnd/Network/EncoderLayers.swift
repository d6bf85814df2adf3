import KernelInterface
import Network

/// Runs the layers of the pixel network's encoder in one arithmetic. `FrameEncoder` has their order, once for both.
///
/// Conformers hold packed parameters and kernels, and nothing that changes. The caller passes in all state and scratch
/// memory.
protocol EncoderLayers: Sendable {
    associatedtype Element: BitwiseCopyable & Numeric

    /// Every layer in the order of execution.
    var specs: [LayerSpec] { get }

    /// Elements of scratch memory that a layer may use besides its input and output.
    var scratchCount: Int { get }

    /// Layout of a map that a convolution of stride 2 reads next.
    static var strideTwoLayout: MapLayout { get }

    /// From a 224x224 image of quantised values to the stem's map.
    func stem(_ frame: UnsafePointer<UInt8>, to output: FeatureMap<Element>)

    /// Layers `layer` (depthwise 3x3) and `layer + 1` (pointwise). `observe` gets the depthwise rows while they exist.
    func separable<Observer: LayerObserver>(
        _ layer: Int, from input: FeatureMap<Element>, to output: FeatureMap<Element>,
        scratch: UnsafeMutablePointer<Element>, observer: inout Observer
    ) where Observer.Element == Element

    /// Layers `layer` (depthwise 7x7) and `layer + 1` (pointwise): from the 7x7 map to one column.
    func collapse<Observer: LayerObserver>(
        _ layer: Int, from input: FeatureMap<Element>, to column: UnsafeMutablePointer<Element>,
        scratch: UnsafeMutablePointer<Element>, observer: inout Observer
    ) where Observer.Element == Element

    /// The float that `element` stands for in the output of `layer`.
    func floatValue(_ element: Element, layer: Int) -> Float
}

/// Gets the rows of every layer's output as they are made. The frame path uses `NoObserver`, which does nothing.
protocol LayerObserver<Element> {
    associatedtype Element: BitwiseCopyable & Numeric
    /// - layer: index into the network's layers.
    /// - values: `rows` rows of `count` elements each, `rowStride` elements apart, from row `firstRow` of the map.
    /// - isSplit: the rows have their odd pixels first, as with `MapLayout.split`.
    mutating func observe(
        layer: Int, firstRow: Int, rows: Int, values: UnsafePointer<Element>, count: Int, rowStride: Int,
        isSplit: Bool)

    /// Reports that another part of `layer` is done; a layer that is computed in bands reports each band.
    mutating func finish(layer: Int)
}

extension LayerObserver {
    @inline(__always)
    mutating func finish(layer: Int) {}

    /// Reports a whole map.
    @inline(__always)
    mutating func observeMap(_ layer: Int, _ map: FeatureMap<Element>) {
        unsafe observe(
            layer: layer, firstRow: 0, rows: map.size, values: map.row(0), count: map.size * map.channels,
            rowStride: map.rowStride, isSplit: map.layout == .split)
    }

    /// Reports a single column.
    @inline(__always)
    mutating func observeColumn(_ layer: Int, _ column: UnsafePointer<Element>, _ count: Int) {
        unsafe observe(
            layer: layer, firstRow: 0, rows: 1, values: column, count: count, rowStride: count, isSplit: false)
    }
}

struct NoObserver<Element: BitwiseCopyable & Numeric>: LayerObserver {
    @inline(__always)
    mutating func observe(
        layer: Int, firstRow: Int, rows: Int, values: UnsafePointer<Element>, count: Int, rowStride: Int,
        isSplit: Bool
    ) {}
}

// MARK: int8

/// Depthwise rows of a block that are made before the pointwise product reads them: a band that stays in the L1 cache.
/// Even, because int8 kernels of stride 1 make two rows at once.
private let bandRows = 2

extension Int8Layers: EncoderLayers {
    typealias Element = UInt8

    static var strideTwoLayout: MapLayout { .split }

    private static var blocks: [LayerSpec] { GestureTCN.encoder.filter { $0.kind == .depthwise3x3 } }

    /// Bytes of scratch for the depthwise rows between the two halves of a block; the kernel's own scratch follows.
    private static let bandBytes =
        ((blocks.map { bandRows * $0.outputSize * $0.outputChannels }.max() ?? 0) + 63) / 64 * 64

    var scratchCount: Int {
        Self.bandBytes + (Self.blocks.map { kernels.depthwiseScratch($0.outputSize, $0.outputChannels) }.max() ?? 0)
    }

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
            let rows = min(bandRows, width - y)
            unsafe kernels.depthwise3x3(
                input.halo(above: dw.spec.stride * y), input.rowStride, dw.spec.stride, rows, width, input.channels,
                dw.packed, scratch, scratch + Self.bandBytes)
            unsafe observer.observe(
                layer: layer, firstRow: y, rows: rows, values: scratch, count: rowBytes, rowStride: rowBytes,
                isSplit: false)
            observer.finish(layer: layer)
            for row in 0..<rows {
                unsafe multiplyRow(scratch + row * rowBytes, by: pw, depth: input.channels, to: output, row: y + row)
            }
            observer.finish(layer: layer + 1)
            y += rows
        }
    }

    /// The pointwise product of one row of pixels, written in the order of the output's layout.
    @inline(__always)
    private func multiplyRow(
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

    func floatValue(_ element: UInt8, layer: Int) -> Float { Float(element) * scale(ofOutput: layer) }
}

// MARK: float

extension FloatLayers: EncoderLayers {
    typealias Element = Float

    /// Offset in scratch of a pointwise output before its bias, for `DenseProduct`. The largest depthwise output,
    /// 56x56x32, lies before it.
    private static let productOffset = 56 * 56 * 32
    var scratchCount: Int { 2 * Self.productOffset }
    static var strideTwoLayout: MapLayout { .dense }

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
                let rows = min(bandRows, width - y)
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

    func floatValue(_ element: Float, layer: Int) -> Float { element }
}
