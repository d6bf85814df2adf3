package import KernelInterface
import Platform
package import Vocabulary

/// The second half of a network over a stream: from columns of 128 features to logits.
///
/// Every temporal layer is causal. Each layer's past before the first column after a reset is zeros, as if every
/// convolution were padded with zeros on the left.
package struct TemporalHead: ~Copyable {
    package let layers: PackedLayers
    /// The input of each temporal layer, feature columns first, and then the input of the classifier.
    private var columns: ColumnRings
    /// Elements from one tap of each temporal layer to the next.
    private let tapStrides: [Int]
    private let classCount: Int
    private let firstTemporal: Int
    /// Columns of the stream before the first prediction, and with it.
    private let firstPrediction: Int
    /// Columns since the last reset, saturating.
    private var columnCount = 0

    /// - Parameters:
    ///   - columnStride: columns of the stream from one column of a window to the next; see `FrontEnd.columnStride(rate:)`.
    ///   - minimumColumns: columns of a window before the first prediction, and with it; see `FrontEnd.minimumColumns`.
    package init(_ layers: PackedLayers, columnStride: Int = 1, minimumColumns: Int = GestureTCN.windowLength) {
        self.layers = layers
        firstPrediction = columnStride * minimumColumns
        classCount = layers.classCount
        firstTemporal = layers.firstTemporal
        let temporal = layers.specs.filter { $0.kind == .temporal }
        tapStrides = temporal.map { $0.dilation * columnStride * $0.inputChannels }
        columns = ColumnRings(
            temporal.map { ($0.inputChannels * layers.elementBytes, 2 * $0.dilation * columnStride + 1) }
                + [(GestureTCN.temporalWidth * layers.elementBytes, 1)])
    }

    /// True when enough columns have been appended for a prediction.
    package var isWarm: Bool { columnCount >= firstPrediction }

    /// Forgets every column.
    package mutating func reset() {
        columns.reset()
        columnCount = 0
    }

    /// Where an encoder writes the next feature column, in elements of the layers' arithmetic; `commit` follows.
    @unsafe
    package var nextColumn: UnsafeMutableRawPointer { unsafe columns.next(0) }

    /// Makes the column at `nextColumn` the newest.
    package mutating func commit() {
        columns.commit(0)
        columnCount = min(columnCount + 1, firstPrediction)
    }

    /// Appends a column: 128 quantised values, 0...255.
    package mutating func append(_ column: Span<UInt8>) {
        precondition(column.count == GestureTCN.featureCount)
        // The ring's column has as many elements.
        unsafe layers.writeColumn(column, to: nextColumn)
        commit()
    }

    /// Repeats the newest column as the next one, for a frame that never came or was left out.
    package mutating func repeatColumn() {
        unsafe nextColumn.copyMemory(
            from: columns.newest(0), byteCount: GestureTCN.featureCount * layers.elementBytes)
        commit()
    }

    /// Advances every layer over the newest column and writes its logits, one for each class, which mean nothing before
    /// `isWarm`.
    package mutating func advance(_ logits: inout MutableSpan<Float>) { advance(&logits) { _ in } }

    /// The same, and calls `layerDone` after each layer with its index among all layers of the network.
    package mutating func advance(_ logits: inout MutableSpan<Float>, layerDone: (Int) -> Void) {
        precondition(logits.count == classCount)
        for layer in tapStrides.indices {
            let stride = tapStrides[layer]
            // The ring of each layer remembers the columns of all three taps.
            unsafe layers.convolve(
                layer, oldest: columns.newest(layer) - 2 * stride * layers.elementBytes, tapStride: stride,
                to: columns.next(layer + 1))
            columns.commit(layer + 1)
            layerDone(firstTemporal + layer)
        }
        unsafe logits.withUnsafeMutableBufferPointer { logits in
            guard let start = logits.baseAddress else { return }
            unsafe layers.classify(columns.newest(tapStrides.count), logits: start)
        }
        layerDone(firstTemporal + tapStrides.count)
    }

    /// Writes the classifier's input in the latest `advance`: 160 floats, 0...6.
    package func copyFeatures(to output: inout MutableSpan<Float>) {
        precondition(output.count == GestureTCN.temporalWidth)
        unsafe layers.read(columns.newest(tapStrides.count), layer: layers.specs.count - 2, to: &output)
    }

    /// Writes the newest column as 128 floats, 0...6.
    package func copyColumn(to output: inout MutableSpan<Float>) {
        precondition(output.count == GestureTCN.featureCount)
        unsafe layers.read(columns.newest(0), layer: firstTemporal - 1, to: &output)
    }

    /// The newest output of each temporal layer as floats, for calibration and comparison.
    package var outputs: [(LayerSpec, [Float])] {
        tapStrides.indices.map { layer in
            var values = [Float](repeating: 0, count: GestureTCN.temporalWidth)
            let index = firstTemporal + layer
            var output = values.mutableElementSpan
            unsafe layers.read(columns.newest(layer + 1), layer: index, to: &output)
            return (layers.specs[index], values)
        }
    }
}

/// The arithmetic that runs a network.
public enum Backend: String, Codable, Sendable, Hashable, CaseIterable {
    /// int8 kernels of this package; needs an int8 model.
    case int8
    /// float32, with matrix products by the tier's own kernel or, where it has none, by BLAS or plain Swift; runs a
    /// model of any precision.
    case float
}

/// A network's layers, packed for one arithmetic and one tier, and shared by all streams.
package enum PackedLayers: Sendable {
    /// Kernels of this package; needs int8 weights.
    case int8(Int8Layers)
    /// float32, of weights of any precision.
    case float(FloatLayers)

    /// Packs the parameters. Throws if the backend is int8 and the weights are not.
    package init(_ weights: NetworkWeights, backend: Backend, kernels: KernelTable) throws(NetworkError) {
        self =
            switch backend {
            case .int8: .int8(try Int8Layers(weights, kernels: kernels.int8))
            case .float: .float(FloatLayers(weights, kernels: kernels.float))
            }
    }

    /// The arithmetic.
    package var backend: Backend { if case .int8 = self { .int8 } else { .float } }

    /// Bytes of an activation.
    package var elementBytes: Int { if case .int8 = self { 1 } else { 4 } }

    /// Every layer in the order of execution; the classifier is the last.
    package var specs: [LayerSpec] {
        switch self {
        case .int8(let layers): layers.specs
        case .float(let layers): layers.specs
        }
    }

    /// The front end that makes the columns.
    package var frontEnd: FrontEnd {
        switch self {
        case .int8(let layers): layers.frontEnd
        case .float(let layers): layers.frontEnd
        }
    }

    package var classCount: Int { specs[specs.count - 1].outputChannels }

    /// Index of the first temporal layer among all layers: 0 if the network is given columns and has no encoder.
    package var firstTemporal: Int { frontEnd.encoder.count }

    /// Temporal layer `layer`: from three columns `tapStride` elements apart, the oldest at `oldest`, to one column.
    @unsafe
    package func convolve(
        _ layer: Int, oldest: UnsafeRawPointer, tapStride: Int, to column: UnsafeMutableRawPointer
    ) {
        switch self {
        case .int8(let layers): unsafe layers.convolve(layer, oldest: oldest, tapStride: tapStride, to: column)
        case .float(let layers): unsafe layers.convolve(layer, oldest: oldest, tapStride: tapStride, to: column)
        }
    }

    /// The classifier: from the last temporal layer's column to logits.
    @unsafe
    package func classify(_ column: UnsafeRawPointer, logits: UnsafeMutablePointer<Float>) {
        switch self {
        case .int8(let layers): unsafe layers.classify(column, logits: logits)
        case .float(let layers): unsafe layers.classify(column, logits: logits)
        }
    }

    /// Writes a column's quantised values as activations.
    @unsafe
    fileprivate func writeColumn(_ values: Span<UInt8>, to column: UnsafeMutableRawPointer) {
        switch self {
        case .int8:
            for index in values.indices {
                unsafe column.storeBytes(of: values[index], toByteOffset: index, as: UInt8.self)
            }
        case .float:
            let scale = frontEnd.inputScale
            for index in values.indices {
                unsafe column.storeBytes(of: Float(values[index]) * scale, toByteOffset: 4 * index, as: Float.self)
            }
        }
    }

    /// Writes activations of a layer's output as floats; with layer -1 those of a given column.
    @unsafe
    package func read(_ column: UnsafeRawPointer, layer: Int, to output: inout MutableSpan<Float>) {
        switch self {
        case .int8(let layers):
            let scale = layers.scale(ofOutput: layer)
            for index in output.indices {
                output[index] = unsafe Float(column.load(fromByteOffset: index, as: UInt8.self)) * scale
            }
        case .float:
            for index in output.indices {
                output[index] = unsafe column.load(fromByteOffset: 4 * index, as: Float.self)
            }
        }
    }
}

/// The newest columns of several layers over time, stored so that the taps of a convolution lie one fixed stride apart.
///
/// Every column is written twice, one ring capacity apart. The columns that are still remembered end at the second copy
/// of the newest one, oldest first and contiguous. So a dilated convolution reads them with one stride and no
/// gathering.
@safe
struct ColumnRings: ~Copyable {
    private struct Ring {
        /// Bytes of a column.
        let width: Int
        /// Number of remembered columns.
        let capacity: Int
        /// Where the ring begins in the storage.
        let start: Int
        var position = 0
    }

    private let memory: MemoryOwner
    private let byteCount: Int
    private var rings: [Ring]

    /// Makes one ring for each of `shapes`: the bytes of a column and the number of columns to remember.
    init(_ shapes: [(width: Int, capacity: Int)]) {
        var rings: [Ring] = []
        var count = 0
        for (width, capacity) in shapes {
            rings.append(Ring(width: width, capacity: capacity, start: count))
            // Every ring begins at a multiple of 64 bytes.
            count += (2 * capacity * width + 63) / 64 * 64
        }
        self.rings = rings
        byteCount = count
        memory = MemoryOwner(byteCount: count)
        zero()
    }

    private func zero() { unsafe memory.base.initializeMemory(as: UInt8.self, repeating: 0, count: byteCount) }

    /// The newest column of a ring. The `capacity - 1` earlier ones lie before it, `width` bytes apart.
    func newest(_ index: Int) -> UnsafeMutableRawPointer {
        let ring = rings[index]
        return unsafe memory.base + ring.start + (ring.position + ring.capacity) * ring.width
    }

    /// Where the next column of a ring goes: write `width` bytes here, then `commit(_:)`. It replaces the oldest.
    func next(_ index: Int) -> UnsafeMutableRawPointer {
        let ring = rings[index]
        let position = (ring.position + 1) % ring.capacity + ring.capacity
        return unsafe memory.base + ring.start + position * ring.width
    }

    /// Makes the column written at `next(_:)` the newest.
    mutating func commit(_ index: Int) {
        rings[index].position = (rings[index].position + 1) % rings[index].capacity
        let ring = rings[index]
        let column = unsafe newest(index)
        unsafe (column - ring.capacity * ring.width).copyMemory(from: column, byteCount: ring.width)
    }

    /// Forgets every column: all of them become zeros.
    mutating func reset() {
        zero()
        for index in rings.indices { rings[index].position = 0 }
    }
}
