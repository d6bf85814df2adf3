import KernelInterface

/// The network over a stream of frames: the wiring, once, over any arithmetic.
///
/// Streaming encodes only the newest frame and remembers columns. Every temporal layer is causal. Before the first column
/// after a reset each layer's past is zeros, as if every convolution were padded with zeros on the left.
///
/// The window mode, which only the pixel network has, encodes all sixteen frames. The receptive field of its three temporal
/// layers is 15 columns, so from the sixteenth column on both see exactly the same values: in int8 their logits are
/// equal bit for bit.
struct StreamingNetwork<A: Arithmetic>: ~Copyable {
    typealias Element = A.Element

    let arithmetic: A
    private let maps: AlignedBuffer<Element>
    private let scratch: AlignedBuffer<Element>
    /// What each temporal layer reads, feature columns first, and last what the classifier reads.
    private var columns: ColumnRings<Element>
    /// Elements from one tap to the next of each temporal layer.
    private let tapStrides: [Int]
    private let windowColumns: AlignedBuffer<Element>
    /// Columns from one tap to the next that the model was made for.
    private let columnStride: Int
    /// Columns since the last reset, saturating.
    private(set) var columnCount = 0

    /// Elements of the larger and the smaller of the two maps that layers write in turn.
    private static var largeMap: Int {
        unsafe FeatureMap<Element>.elementCount(size: 112, channels: 16, layout: .dense)
    }
    private static var smallMap: Int {
        unsafe FeatureMap<Element>.elementCount(size: 56, channels: 32, layout: .dense)
    }
    /// Columns of working memory of the window mode: sixteen features, seven and three temporal outputs.
    private static var windowCount: Int {
        GestureTCN.windowLength * GestureTCN.featureCount + (7 + 3) * GestureTCN.temporalWidth
    }

    /// - columnStride: a window's columns are this many apart, the others between them.
    init(_ arithmetic: A, columnStride: Int = 1) {
        self.arithmetic = arithmetic
        self.columnStride = columnStride
        let encodes = arithmetic.firstTemporal > 0
        maps = AlignedBuffer(count: encodes ? Self.largeMap + Self.smallMap : 0)
        scratch = AlignedBuffer(count: arithmetic.scratchCount)
        windowColumns = AlignedBuffer(count: encodes ? Self.windowCount : 0)
        let temporal = arithmetic.specs.filter { $0.kind == .temporal }
        tapStrides = temporal.map { $0.dilation * columnStride * $0.inputChannels }
        columns = ColumnRings(
            temporal.map { ($0.inputChannels, 2 * $0.dilation * columnStride + 1) } + [(GestureTCN.temporalWidth, 1)])
    }

    /// The newest feature column.
    var features: UnsafePointer<Element> { unsafe UnsafePointer(columns.newest(0)) }

    /// The column that the classifier reads: the last temporal layer's newest output.
    var lastTemporal: UnsafePointer<Element> { unsafe UnsafePointer(columns.newest(tapStrides.count)) }

    /// Columns of a full window.
    var windowColumnCount: Int { columnStride * GestureTCN.windowLength }

    /// True when enough columns have been seen for a prediction.
    var isWarm: Bool { columnCount >= windowColumnCount }

    /// Forgets every frame.
    mutating func reset() {
        columns.reset()
        columnCount = 0
    }

    /// Encodes the frame into the next feature column.
    mutating func encode<Observer: LayerObserver>(_ frame: UnsafePointer<UInt8>, observer: inout Observer)
    where Observer.Element == Element {
        let column = unsafe columns.next(0)
        unsafe encode(frame, to: column, observer: &observer)
        commitColumn()
    }

    /// Takes a column that is given: `GestureTCN.featureCount` codes.
    mutating func append(_ codes: UnsafePointer<UInt8>) {
        let column = unsafe columns.next(0)
        for index in 0..<GestureTCN.featureCount {
            unsafe column[index] = arithmetic.element(ofColumn: codes[index])
        }
        commitColumn()
    }

    private mutating func commitColumn() {
        columns.commit(0)
        columnCount = min(columnCount + 1, windowColumnCount)
    }

    /// Repeats the newest feature column as the next one, for a frame that never came.
    mutating func repeatColumn() {
        unsafe columns.next(0).update(from: features, count: GestureTCN.featureCount)
        commitColumn()
    }

    /// Advances the temporal layers over the newest feature column and writes the logits.
    /// The logits mean something only when `isWarm`.
    mutating func advance<Observer: LayerObserver>(
        logits: UnsafeMutablePointer<Float>, observer: inout Observer
    ) where Observer.Element == Element {
        let base = arithmetic.firstTemporal
        for layer in tapStrides.indices {
            let tapStride = tapStrides[layer]
            unsafe arithmetic.temporal(
                layer, oldest: columns.newest(layer) - 2 * tapStride, tapStride: tapStride, to: columns.next(layer + 1))
            columns.commit(layer + 1)
            observer.finish(layer: base + layer)
        }
        unsafe arithmetic.classify(lastTemporal, logits: logits)
        observer.finish(layer: base + tapStrides.count)
        for layer in tapStrides.indices {
            unsafe observer.observeColumn(base + layer, columns.newest(layer + 1), GestureTCN.temporalWidth)
        }
    }

    /// The logits of sixteen frames, oldest first and contiguous, without any memory of the stream.
    ///
    /// Of the three temporal layers only those positions are computed that reach the last step: 7, 3 and 1.
    mutating func window(_ frames: UnsafePointer<UInt8>, logits: UnsafeMutablePointer<Float>) {
        var none = NoObserver<Element>()
        let feature = GestureTCN.featureCount
        let width = GestureTCN.temporalWidth
        let inputs = unsafe windowColumns.base
        for index in 0..<GestureTCN.windowLength {
            unsafe encode(
                frames + index * GestureTCN.frameBytes, to: inputs + index * feature, observer: &none)
        }
        let first = unsafe inputs + GestureTCN.windowLength * feature
        for index in 0..<7 {
            unsafe arithmetic.temporal(
                0, oldest: inputs + (1 + 2 * index) * feature, tapStride: feature, to: first + index * width)
        }
        let second = unsafe first + 7 * width
        for index in 0..<3 {
            unsafe arithmetic.temporal(
                1, oldest: first + 2 * index * width, tapStride: width, to: second + index * width)
        }
        // The classifier alone reads this column, so the stream goes on as if there had been no window.
        let last = unsafe columns.newest(tapStrides.count)
        unsafe arithmetic.temporal(2, oldest: second, tapStride: width, to: last)
        unsafe arithmetic.classify(last, logits: logits)
    }

    /// How a map lies that `next` reads.
    private static func layout(readBy next: LayerSpec) -> MapLayout {
        guard next.kind == .depthwise3x3 else { return .plain }
        return next.stride == 1 ? .dense : A.strideTwoLayout
    }

    private func encode<Observer: LayerObserver>(
        _ frame: UnsafePointer<UInt8>, to column: UnsafeMutablePointer<Element>, observer: inout Observer
    ) where Observer.Element == Element {
        let large = unsafe maps.base
        let small = unsafe large + Self.largeMap
        var input = unsafe FeatureMap(base: large, size: 112, channels: 16, layout: A.strideTwoLayout)
        unsafe input.clearBorder()
        unsafe arithmetic.stem(frame, to: input)
        observer.finish(layer: 0)
        unsafe observer.observeMap(0, input)
        var intoLarge = false
        for layer in stride(from: 1, to: GestureTCN.encoder.count - 2, by: 2) {
            let spec = GestureTCN.encoder[layer + 1]
            let output = unsafe FeatureMap(
                base: intoLarge ? large : small, size: spec.outputSize, channels: spec.outputChannels,
                layout: Self.layout(readBy: GestureTCN.encoder[layer + 2]))
            unsafe output.clearBorder()
            unsafe arithmetic.separable(layer, from: input, to: output, scratch: scratch.base, observer: &observer)
            unsafe observer.observeMap(layer + 1, output)
            unsafe input = output
            intoLarge.toggle()
        }
        let collapse = GestureTCN.encoder.count - 2
        unsafe arithmetic.collapse(collapse, from: input, to: column, scratch: scratch.base, observer: &observer)
        unsafe observer.observeColumn(collapse + 1, column, GestureTCN.featureCount)
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
