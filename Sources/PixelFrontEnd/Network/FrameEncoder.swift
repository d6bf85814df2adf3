import KernelInterface
import Network

/// The first half of the pixel network in one of the two arithmetics.
///
/// An enumeration, so that the compiler makes code for each arithmetic. Calls through a protocol would run the generic
/// code instead, which costs half of the time again.
enum ImageEncoder {
    case int8(FrameEncoder<Int8Layers>)
    case float(FrameEncoder<FloatLayers>)

    /// - arenas: what the encoder runs in, shared with others of the same layers.
    init(_ layers: PackedLayers, arenas: Arenas) {
        self =
            switch layers {
            case .int8(let layers): .int8(FrameEncoder(layers, arenas: arenas))
            case .float(let layers): .float(FrameEncoder(layers, arenas: arenas))
            }
    }

    /// Writes the column of `image`, which has `GestureTCN.frameBytes` luma values, in elements of the layers.
    func encode(_ image: UnsafePointer<UInt8>, to column: UnsafeMutableRawPointer) {
        switch self {
        case .int8(let encoder): unsafe encoder.encode(image, to: column)
        case .float(let encoder): unsafe encoder.encode(image, to: column)
        }
    }

    /// The same, and the outputs of all layers as floats, pixels row-major and channels innermost. It allocates.
    func trace(_ image: UnsafePointer<UInt8>, to column: UnsafeMutableRawPointer) -> [(LayerSpec, [Float])] {
        switch self {
        case .int8(let encoder): unsafe encoder.trace(image, to: column)
        case .float(let encoder): unsafe encoder.trace(image, to: column)
        }
    }

    /// The same as `encode`, and adds the time of each layer, by the clock `now`, to `times`.
    func profile(
        _ image: UnsafePointer<UInt8>, to column: UnsafeMutableRawPointer, now: @escaping () -> UInt64,
        _ times: inout [UInt64]
    ) {
        switch self {
        case .int8(let encoder): unsafe encoder.profile(image, to: column, now: now, &times)
        case .float(let encoder): unsafe encoder.profile(image, to: column, now: now, &times)
        }
    }
}

/// From a 224x224 image to a column of 128 features. It has the order of the layers.
final class FrameEncoder<Layers: EncoderLayers> {
    private typealias Element = Layers.Element

    private let layers: Layers
    private let arenas: Arenas

    /// Elements of the larger and the smaller map; the layers write to them in turn.
    private static var largeMap: Int {
        unsafe FeatureMap<Element>.elementCount(size: 112, channels: 16, layout: .dense)
    }
    private static var smallMap: Int {
        unsafe FeatureMap<Element>.elementCount(size: 56, channels: 32, layout: .dense)
    }

    /// Bytes of both maps, and with them the scratch of the layers behind them, which is aligned like an arena.
    private static var mapBytes: Int { ((largeMap + smallMap) * MemoryLayout<Element>.stride + 63) / 64 * 64 }

    /// - arenas: what the encoder runs in, shared with others of the same layers.
    init(_ layers: Layers, arenas: Arenas) {
        self.layers = layers
        self.arenas = arenas
        arenas.reserve(byteCount: Self.mapBytes + layers.scratchCount * MemoryLayout<Element>.stride)
    }

    deinit { arenas.release() }

    func encode(_ image: UnsafePointer<UInt8>, to column: UnsafeMutableRawPointer) {
        var none = NoObserver<Element>()
        unsafe encode(image, to: column.assumingMemoryBound(to: Element.self), observer: &none)
    }

    func trace(_ image: UnsafePointer<UInt8>, to column: UnsafeMutableRawPointer) -> [(LayerSpec, [Float])] {
        var recorder = LayerRecorder<Element>(layers: GestureTCN.encoder)
        unsafe encode(image, to: column.assumingMemoryBound(to: Element.self), observer: &recorder)
        return recorder.layers.enumerated().map { index, spec in
            (spec, recorder.outputs[index].map { layers.floatValue($0, layer: index) })
        }
    }

    func profile(
        _ image: UnsafePointer<UInt8>, to column: UnsafeMutableRawPointer, now: @escaping () -> UInt64,
        _ times: inout [UInt64]
    ) {
        var timer = LayerTimer<Element>(times: times, now: now)
        unsafe encode(image, to: column.assumingMemoryBound(to: Element.self), observer: &timer)
        times = timer.times
    }

    private func encode<Observer: LayerObserver>(
        _ image: UnsafePointer<UInt8>, to column: UnsafeMutablePointer<Element>, observer: inout Observer
    ) where Observer.Element == Element {
        let arena = arenas.take()
        defer { arenas.giveBack(arena) }
        let base = unsafe UnsafeMutableRawPointer(arena.base)
        let large = unsafe base.assumingMemoryBound(to: Element.self)
        let scratch = unsafe (base + Self.mapBytes).assumingMemoryBound(to: Element.self)
        let small = unsafe large + Self.largeMap
        var input = unsafe FeatureMap(base: large, size: 112, channels: 16, layout: Layers.strideTwoLayout)
        unsafe input.clearBorder()
        unsafe layers.stem(image, to: input)
        observer.finish(layer: 0)
        unsafe observer.observeMap(0, input)
        var intoLarge = false
        for layer in stride(from: 1, to: GestureTCN.encoder.count - 2, by: 2) {
            let spec = GestureTCN.encoder[layer + 1]
            let output = unsafe FeatureMap(
                base: intoLarge ? large : small, size: spec.outputSize, channels: spec.outputChannels,
                layout: Self.layout(readBy: GestureTCN.encoder[layer + 2]))
            unsafe output.clearBorder()
            unsafe layers.separable(layer, from: input, to: output, scratch: scratch, observer: &observer)
            unsafe observer.observeMap(layer + 1, output)
            unsafe input = output
            intoLarge.toggle()
        }
        let collapse = GestureTCN.encoder.count - 2
        unsafe layers.collapse(collapse, from: input, to: column, scratch: scratch, observer: &observer)
        unsafe observer.observeColumn(collapse + 1, column, GestureTCN.featureCount)
    }

    /// The layout of a map that `next` reads.
    private static func layout(readBy next: LayerSpec) -> MapLayout {
        guard next.kind == .depthwise3x3 else { return .plain }
        return next.stride == 1 ? .dense : Layers.strideTwoLayout
    }
}

/// Adds up the time of each layer.
private struct LayerTimer<Element: BitwiseCopyable & Numeric>: LayerObserver {
    let now: () -> UInt64
    var times: [UInt64]
    private var last: UInt64

    init(times: [UInt64], now: @escaping () -> UInt64) {
        self.now = now
        self.times = times
        last = now()
    }

    mutating func observe(
        layer: Int, firstRow: Int, rows: Int, values: UnsafePointer<Element>, count: Int, rowStride: Int,
        isSplit: Bool
    ) {}

    mutating func finish(layer: Int) {
        let time = now()
        times[layer] += time - last
        last = time
    }
}

/// Keeps a copy of every layer's output.
private struct LayerRecorder<Element: BitwiseCopyable & Numeric>: LayerObserver {
    let layers: [LayerSpec]
    private(set) var outputs: [[Element]]

    init(layers: [LayerSpec]) {
        self.layers = layers
        outputs = layers.map { [Element](repeating: .zero, count: $0.outputCount) }
    }

    mutating func observe(
        layer: Int, firstRow: Int, rows: Int, values: UnsafePointer<Element>, count: Int, rowStride: Int,
        isSplit: Bool
    ) {
        let channels = layers[layer].outputChannels
        let half = count / channels / 2
        for row in 0..<rows {
            for index in 0..<count {
                let (pixel, channel) = (index / channels, index % channels)
                let x = isSplit ? (pixel < half ? 2 * pixel + 1 : 2 * (pixel - half)) : pixel
                outputs[layer][(firstRow + row) * count + x * channels + channel] = unsafe values[
                    row * rowStride + index]
            }
        }
    }
}
