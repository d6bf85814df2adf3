import KernelInterface
import Vocabulary

/// The first half of the pixel network: from a 224x224 image to a feature column, over any arithmetic.
struct FrameEncoder<A: Arithmetic>: ~Copyable {
    typealias Element = A.Element

    private let arithmetic: A
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

    /// - arenas: what the encoder runs in, shared with others of the same arithmetic.
    init(_ arithmetic: A, arenas: Arenas) {
        self.arithmetic = arithmetic
        self.arenas = arenas
        arenas.reserve(byteCount: Self.mapBytes + arithmetic.scratchCount * MemoryLayout<Element>.stride)
    }

    deinit { arenas.release() }

    /// Writes the feature column of `image`, which has `GestureTCN.frameBytes` luma values.
    func encode<Observer: LayerObserver>(
        _ image: UnsafePointer<UInt8>, to column: UnsafeMutablePointer<Element>, observer: inout Observer
    ) where Observer.Element == Element {
        let arena = arenas.take()
        defer { arenas.giveBack(arena) }
        let base = unsafe UnsafeMutableRawPointer(arena.base)
        let large = unsafe base.assumingMemoryBound(to: Element.self)
        let scratch = unsafe (base + Self.mapBytes).assumingMemoryBound(to: Element.self)
        let small = unsafe large + Self.largeMap
        var input = unsafe FeatureMap(base: large, size: 112, channels: 16, layout: A.strideTwoLayout)
        unsafe input.clearBorder()
        unsafe arithmetic.stem(image, to: input)
        observer.finish(layer: 0)
        unsafe observer.observeMap(0, input)
        var intoLarge = false
        for layer in stride(from: 1, to: GestureTCN.encoder.count - 2, by: 2) {
            let spec = GestureTCN.encoder[layer + 1]
            let output = unsafe FeatureMap(
                base: intoLarge ? large : small, size: spec.outputSize, channels: spec.outputChannels,
                layout: Self.layout(readBy: GestureTCN.encoder[layer + 2]))
            unsafe output.clearBorder()
            unsafe arithmetic.separable(layer, from: input, to: output, scratch: scratch, observer: &observer)
            unsafe observer.observeMap(layer + 1, output)
            unsafe input = output
            intoLarge.toggle()
        }
        let collapse = GestureTCN.encoder.count - 2
        unsafe arithmetic.collapse(collapse, from: input, to: column, scratch: scratch, observer: &observer)
        unsafe observer.observeColumn(collapse + 1, column, GestureTCN.featureCount)
    }

    /// The layout of a map that `next` reads.
    private static func layout(readBy next: LayerSpec) -> MapLayout {
        guard next.kind == .depthwise3x3 else { return .plain }
        return next.stride == 1 ? .dense : A.strideTwoLayout
    }
}

extension LayerObserver where Element: Numeric {
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
