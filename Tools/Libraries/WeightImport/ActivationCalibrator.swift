import Kernels
import Network
import PixelFrontEnd
import Vocabulary

/// Measures the range of every layer's output while the float network runs over frames.
package struct ActivationCalibrator: ~Copyable, FrameMeasure {
    /// The measured range of one layer's output.
    package struct Range: Sendable, Equatable {
        package let layer: String
        package let largest: Float
        /// The scale of the layer's uint8 values.
        package let scale: Float
        /// The share of all outputs that exceed 255 steps and clip.
        package let clippedShare: Double
        /// Output channels that were never above zero.
        package let silentChannels: [Int]
    }

    /// ReLU6's bound: outputs never exceed it, so scales need not cover more.
    package static let bound: Float = 6

    private let unit: NetworkUnit
    private let frontEnd: FrontEnd
    private let usesHistogram: Bool
    private var layers: [LayerStatistics]
    private var columnsSinceReset = 0
    private var failedLayer: String?
    package private(set) var frameCount = 0
    package private(set) var sequenceCount = 0

    /// - Parameter countingValues: whether a percentile below 100 will be used, which costs time and 200 KB a layer.
    package init(_ network: FoldedNetwork, countingValues: Bool) throws(ImportError) {
        unit = NetworkUnit(float: try network.networkWeights(), kernels: KernelRegistry.select())
        frontEnd = network.frontEnd
        usesHistogram = countingValues
        layers = LayerDelay.activated(network.layers.map(\.spec)).map {
            LayerStatistics($0, countsValues: countingValues)
        }
    }

    /// Runs one frame of 224x224 luma bytes, or one column for a landmark network. The first frame of a sequence resets
    /// the network. A temporal layer is measured as soon as all columns that it depends on belong to the sequence, and
    /// no later than when a window is full.
    package mutating func push(_ frame: Span<UInt8>, startsSequence: Bool) throws(ImportError) {
        guard frame.count == frontEnd.inputCount else { throw .frameSize(found: frame.count) }
        if startsSequence || frameCount == 0 {
            unit.reset()
            columnsSinceReset = 0
            sequenceCount += 1
        }
        columnsSinceReset += 1
        frameCount += 1
        var index = 0
        let columns = columnsSinceReset
        // The closure cannot capture the noncopyable self.
        var layers = exchange(&layers, with: [])
        _ = unit.trace(frame) { _, outputs in
            if index < layers.count, columns > layers[index].delayed.columns { layers[index].add(outputs) }
            index += 1
        }
        self.layers = layers
        if failedLayer == nil { failedLayer = layers.first { $0.sawInvalid }?.delayed.spec.name }
    }

    package mutating func merge(_ other: borrowing ActivationCalibrator) {
        for index in layers.indices { layers[index].merge(other.layers[index]) }
        frameCount += other.frameCount
        sequenceCount += other.sequenceCount
        failedLayer = layers.first { $0.sawInvalid }?.delayed.spec.name
    }

    /// The ranges of every layer but the classifier, in the order of execution.
    /// - Parameter percentile: the share in percent, 50 to 100, of a layer's outputs that must not clip. With 100 the
    ///   largest output is used itself; below 100, the bound of the percentile's histogram bin (6 / 24,576 wide).
    package func ranges(percentile: Double = 100) throws(ImportError) -> [Range] {
        guard (50...100).contains(percentile) else { throw .percentile(percentile) }
        precondition(percentile == 100 || usesHistogram, "values were not counted")
        guard frameCount > 0 else { throw .calibrationRequired }
        if let failedLayer { throw .activationNotFinite(layer: failedLayer) }
        return layers.map { $0.range(percentile: percentile) }
    }
}

/// Returns `value` and replaces it by `replacement`, so that an array is changed in place and not copied.
private func exchange<T>(_ value: inout T, with replacement: T) -> T {
    let old = value
    value = replacement
    return old
}

/// A layer, and the number of columns of a sequence after which its output counts.
///
/// A layer counts once everything that it depends on belongs to the sequence, and no later than the first prediction: a
/// fourth temporal layer looks back further than a window, but predictions do not wait for it.
struct LayerDelay {
    let spec: LayerSpec
    let columns: Int

    /// Every layer with an activation, in the order of execution.
    static func activated(_ layers: [LayerSpec]) -> [LayerDelay] {
        layers.indices.dropLast().map { index in
            let field = layers[...index].receptiveField
            return LayerDelay(spec: layers[index], columns: min(field, GestureTCN.windowLength) - 1)
        }
    }
}

private struct LayerStatistics {
    let delayed: LayerDelay
    private(set) var sawInvalid = false
    private var channelLargest: [Float]
    private var bins: [Int]
    private var valueCount = 0

    private static let binsPerUnit: Float = 4096
    /// Below this an output counts as zero: the network accepts no scale under 2^-40.
    private static let silence: Float = 255 * 0x1p-39
    private static let binCount = Int(ActivationCalibrator.bound * binsPerUnit) + 1

    init(_ delayed: LayerDelay, countsValues: Bool) {
        self.delayed = delayed
        channelLargest = [Float](repeating: 0, count: delayed.spec.outputChannels)
        bins = countsValues ? [Int](repeating: 0, count: Self.binCount) : []
    }

    /// - Parameter outputs: channels innermost.
    mutating func add(_ outputs: [Float]) {
        let channels = channelLargest.count
        var channel = 0
        for value in outputs {
            if value > channelLargest[channel] { channelLargest[channel] = value }
            // False for NaN and for values that ReLU6 cannot produce.
            if !(value >= 0 && value <= ActivationCalibrator.bound) { sawInvalid = true }
            channel = channel + 1 == channels ? 0 : channel + 1
        }
        valueCount += outputs.count
        guard !bins.isEmpty, !sawInvalid else { return }
        for value in outputs { bins[Int(value * Self.binsPerUnit)] += 1 }
    }

    mutating func merge(_ other: LayerStatistics) {
        sawInvalid = sawInvalid || other.sawInvalid
        for channel in channelLargest.indices {
            channelLargest[channel] = max(channelLargest[channel], other.channelLargest[channel])
        }
        for bin in bins.indices { bins[bin] += other.bins[bin] }
        valueCount += other.valueCount
    }

    func range(percentile: Double) -> ActivationCalibrator.Range {
        let largest = channelLargest.reduce(0, max)
        var limit = largest
        var clipped = 0
        if percentile < 100 {
            let allowed = Int((Double(valueCount) * (100 - percentile) / 100).rounded(.down))
            // From the top down, bin by bin, while the values above may clip. A bin's lower edge is the next one's
            // bound.
            var bin = Self.binCount - 1
            while bin > 0, clipped + bins[bin] <= allowed {
                clipped += bins[bin]
                bin -= 1
            }
            limit = min(largest, Float(bin + 1) / Self.binsPerUnit)
        }
        limit = min(limit, ActivationCalibrator.bound)
        // A layer that is almost always zero needs no resolution and gets the largest scale.
        let scale = limit < Self.silence ? NetworkWeights.largestActivationScale : limit / 255
        return ActivationCalibrator.Range(
            layer: delayed.spec.name, largest: largest, scale: min(scale, NetworkWeights.largestActivationScale),
            clippedShare: valueCount == 0 ? 0 : Double(clipped) / Double(valueCount),
            silentChannels: channelLargest.indices.filter { channelLargest[$0] == 0 })
    }
}
