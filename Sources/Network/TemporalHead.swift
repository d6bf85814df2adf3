/// The second half of the network over a stream: from feature columns to logits, over any arithmetic.
///
/// Every temporal layer is causal. Each layer's past before the first column after a reset is zeros, as if every
/// convolution were padded with zeros on the left.
struct TemporalHead<A: Arithmetic>: ~Copyable {
    typealias Element = A.Element

    private let arithmetic: A
    /// The input of each temporal layer, feature columns first, and then the input of the classifier.
    private var columns: ColumnRings<Element>
    /// Elements from one tap of each temporal layer to the next.
    private let tapStrides: [Int]
    /// Columns of the stream before the first prediction, and with it.
    private let firstPrediction: Int
    /// Columns since the last reset, saturating.
    private(set) var columnCount = 0

    /// - Parameters:
    ///   - columnStride: columns of the stream from one column of a window to the next.
    ///   - leastColumns: columns of a window before the first prediction, and with it.
    init(_ arithmetic: A, columnStride: Int, leastColumns: Int) {
        self.arithmetic = arithmetic
        firstPrediction = columnStride * leastColumns
        let temporal = arithmetic.specs.filter { $0.kind == .temporal }
        tapStrides = temporal.map { $0.dilation * columnStride * $0.inputChannels }
        columns = ColumnRings(
            temporal.map { ($0.inputChannels, 2 * $0.dilation * columnStride + 1) } + [(GestureTCN.temporalWidth, 1)])
    }

    /// The newest feature column.
    var newestColumn: UnsafePointer<Element> { unsafe UnsafePointer(columns.newest(0)) }

    /// The column that the classifier reads: the last temporal layer's newest output.
    var classified: UnsafeMutablePointer<Element> { unsafe columns.newest(tapStrides.count) }

    /// True when enough columns have been seen for a prediction.
    var isWarm: Bool { columnCount >= firstPrediction }

    /// Forgets every column.
    mutating func reset() {
        columns.reset()
        columnCount = 0
    }

    /// Where the next feature column goes: write `GestureTCN.featureCount` elements here, then `commit()`.
    var nextColumn: UnsafeMutablePointer<Element> { unsafe columns.next(0) }

    /// Makes the column written at `nextColumn` the newest.
    mutating func commit() {
        columns.commit(0)
        columnCount = min(columnCount + 1, firstPrediction)
    }

    /// Takes in a given column: `GestureTCN.featureCount` quantised values.
    mutating func append(_ values: UnsafePointer<UInt8>) {
        let column = unsafe nextColumn
        for index in 0..<GestureTCN.featureCount {
            unsafe column[index] = arithmetic.element(ofColumn: values[index])
        }
        commit()
    }

    /// Repeats the newest feature column as the next one, for a frame that never came.
    mutating func repeatColumn() {
        unsafe nextColumn.update(from: newestColumn, count: GestureTCN.featureCount)
        commit()
    }

    /// Advances the temporal layers over the newest feature column and writes the logits, which are meaningful only
    /// when `isWarm`.
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
        unsafe arithmetic.classify(classified, logits: logits)
        observer.finish(layer: base + tapStrides.count)
        for layer in tapStrides.indices {
            unsafe observer.observeColumn(base + layer, columns.newest(layer + 1), GestureTCN.temporalWidth)
        }
    }
}
