import ModelFile
import Network

/// What an import did, and its accuracy. Written as JSON with its property names; absent values are left out.
package struct ImportReport: Sendable, Equatable, Codable {
    package struct Layer: Sendable, Equatable, Codable {
        package let name: String
        package let shape: [Int]
        package let batchNormFolded: Bool
        /// Of the stored weights compared with the folded float32 ones; absent if they are equal.
        package let weightDecibels: Double?
        package let weightLargestError: Float
        package let biasLargestError: Float
        /// Output channels whose weights are all zero.
        package let zeroChannels: [Int]
        /// Output channels that were never above zero in calibration.
        package var silentChannels: [Int]?
        package var activationLargest: Float?
        package var activationScale: Float?
        package var clippedShare: Double?
        /// Of the model's output compared with the float network's, on calibration frames; absent if equal or not
        /// compared.
        package var outputDecibels: Double?
        package var outputLargestError: Float?
    }

    package struct Calibration: Sendable, Equatable, Codable {
        package let description: String
        package let frames: Int
        package let sequences: Int
        package let percentile: Double

        package init(description: String, frames: Int, sequences: Int, percentile: Double) {
            self.description = description
            self.frames = frames
            self.sequences = sequences
            self.percentile = percentile
        }
    }

    package struct Comparison: Sendable, Equatable, Codable {
        package let frames: Int
        package let windows: Int
        /// Absent if no window was complete.
        package let top1Agreement: Double?
        package let logitLargestError: Float?
    }

    /// The differences between a replaced classifier's classes and the project's.
    package struct Head: Sendable, Equatable, Codable {
        package let before: [String]
        package let after: [String]
        package let added: [String]
        package let dropped: [String]
        /// Of the model, compared with the same network with the project's classes.
        package let addedBytes: Int
    }

    package let sourceFormat: String
    package let sourceBytes: Int
    package let sourceSHA256: String
    package let network: String
    package let precision: String
    package let labels: [String]
    package let parameters: Int
    package let multiplyAddsPerFrame: Int
    package let modelBytes: Int
    package let modelSHA256: String
    package private(set) var head: Head?
    package private(set) var layers: [Layer]
    package private(set) var calibration: Calibration?
    package private(set) var comparison: Comparison?

    /// Compares what a model stores with its source.
    package init(checkpoint: Checkpoint, network: FoldedNetwork, product: ModelBuilder.Product) {
        sourceFormat = checkpoint.format.rawValue
        sourceBytes = checkpoint.byteCount
        sourceSHA256 = checkpoint.sha256
        self.network = product.model.manifest.network
        precision = product.model.manifest.precision.rawValue
        labels = product.model.manifest.labels
        parameters = network.layers.reduce(0) { $0 + $1.spec.parameterCount }
        multiplyAddsPerFrame = network.layers.reduce(0) { $0 + $1.spec.macs }
        modelBytes = product.bytes.count
        modelSHA256 = SHA256.hexadecimal(of: product.bytes)
        layers = zip(network.layers, product.weights.layers).map { folded, stored in
            var ratio = SignalToNoise()
            var largest: Float = 0
            for (signal, value) in zip(folded.weights, stored.floats) {
                ratio.add(signal: signal, found: value)
                largest = max(largest, abs(value - signal))
            }
            return Layer(
                name: folded.spec.name, shape: folded.spec.weightShape, batchNormFolded: folded.wasFoldedHere,
                weightDecibels: ratio.decibels, weightLargestError: largest,
                biasLargestError: zip(folded.bias, stored.bias).reduce(0) { max($0, abs($1.0 - $1.1)) },
                zeroChannels: folded.zeroChannels, activationScale: stored.outputScale)
        }
    }

    /// Adds the classes of a replaced classifier and their cost.
    package mutating func add(_ replacement: HeadReplacement, addedBytes: Int) {
        head = Head(
            before: ModelBuilder.defaultLabels, after: replacement.labels, added: replacement.added,
            dropped: replacement.dropped, addedBytes: addedBytes)
    }

    /// Adds the results of calibration.
    /// - Parameter scaledByThem: whether the model has the scales of `ranges`, so that their clipping is the model's.
    package mutating func add(
        _ calibration: Calibration, _ ranges: [ActivationCalibrator.Range], scaledByThem: Bool
    ) {
        self.calibration = calibration
        for range in ranges {
            guard let index = layers.firstIndex(where: { $0.name == range.layer }) else { continue }
            layers[index].activationLargest = range.largest
            if scaledByThem { layers[index].clippedShare = range.clippedShare }
            layers[index].silentChannels = range.silentChannels
        }
    }

    /// Adds the differences between the outputs of the model and of the float network.
    package mutating func add(_ result: NetworkComparison.Result) {
        let hasWindows = result.windowCount > 0
        comparison = Comparison(
            frames: result.frameCount, windows: result.windowCount,
            top1Agreement: hasWindows ? Double(result.agreeingWindows) / Double(result.windowCount) : nil,
            logitLargestError: hasWindows ? result.largestLogitError : nil)
        for layer in result.layers {
            guard let index = layers.firstIndex(where: { $0.name == layer.layer }) else { continue }
            layers[index].outputDecibels = layer.decibels
            layers[index].outputLargestError = layer.largestError
        }
    }
}

extension LayerSpec {
    /// Trained parameters: weights, plus two per channel for BatchNorm or one for the classifier's bias.
    package var parameterCount: Int { weightCount + outputChannels * (kind == .classifier ? 1 : 2) }
}
