import Foundation
import Kernels
package import Network
import PixelFrontEnd
import Vocabulary

/// Runs the float network and a model over the same frames and accumulates their differences.
package struct NetworkComparison: ~Copyable, FrameMeasure {
    package struct Layer: Sendable, Equatable {
        package let layer: String
        /// Signal to noise in decibels, with the float network's output as the signal; nil without differences.
        package let decibels: Double?
        package let largestError: Float
    }

    package struct Result: Sendable, Equatable {
        package let frameCount: Int
        /// Predictions compared: frames with fifteen others before them in their sequence.
        package let windowCount: Int
        package let agreeingWindows: Int
        package let largestLogitError: Float
        /// In the order of execution, the classifier's logits last. Empty if no window was complete.
        package let layers: [Layer]
    }

    private let frontEnd: FrontEnd
    private let reference: NetworkUnit
    private let model: NetworkUnit
    private var layers: [LayerError]
    private var columnsSinceReset = 0
    private var frameCount = 0
    private var windowCount = 0
    private var agreeingWindows = 0

    /// - Parameter model: parameters of any precision; int8 parameters run in int8.
    package init(reference network: FoldedNetwork, model weights: NetworkWeights) throws(ImportError) {
        frontEnd = network.frontEnd
        let kernels = KernelRegistry.select()
        reference = NetworkUnit(float: try network.networkWeights(), kernels: kernels)
        do throws(NetworkError) {
            model = try NetworkUnit(int8: weights, kernels: kernels)
        } catch {
            switch error {
            case .notQuantised: model = NetworkUnit(float: weights, kernels: kernels)
            }
        }
        let delays = LayerDelay.activated(network.layers.map(\.spec))
        layers = delays.map { LayerError(name: $0.spec.name, delay: $0.columns) }
        layers.append(LayerError(name: GestureTCN.classifier(classCount: 1).name, delay: GestureTCN.windowLength - 1))
    }

    /// Runs one frame of 224x224 luma bytes, or one column for a landmark network, through both. The first frame of a
    /// sequence resets both networks.
    package mutating func push(_ frame: Span<UInt8>, startsSequence: Bool) throws(ImportError) {
        guard frame.count == frontEnd.inputCount else { throw .frameSize(found: frame.count) }
        if startsSequence || frameCount == 0 {
            reference.reset()
            model.reset()
            columnsSinceReset = 0
        }
        columnsSinceReset += 1
        frameCount += 1
        var expected: [[Float]] = []
        let referenceLogits = reference.trace(frame) { _, outputs in expected.append(outputs) }
        var found: [[Float]] = []
        let modelLogits = model.trace(frame) { _, outputs in found.append(outputs) }
        for index in layers.indices where columnsSinceReset > layers[index].delay {
            layers[index].add(expected[index], found[index])
        }
        guard let referenceLogits, let modelLogits else { return }
        windowCount += 1
        if Self.indexOfLargest(referenceLogits) == Self.indexOfLargest(modelLogits) { agreeingWindows += 1 }
    }

    package mutating func merge(_ other: borrowing NetworkComparison) {
        for index in layers.indices { layers[index].merge(other.layers[index]) }
        frameCount += other.frameCount
        windowCount += other.windowCount
        agreeingWindows += other.agreeingWindows
    }

    package func result() -> Result {
        Result(
            frameCount: frameCount, windowCount: windowCount, agreeingWindows: agreeingWindows,
            largestLogitError: layers[layers.count - 1].largest,
            layers: layers.filter { $0.wasSeen }.map {
                Layer(layer: $0.name, decibels: $0.ratio.decibels, largestError: $0.largest)
            })
    }

    static func indexOfLargest(_ values: [Float]) -> Int {
        values.indices.reduce(0) { values[$1] > values[$0] ? $1 : $0 }
    }
}

private struct LayerError {
    let name: String
    let delay: Int
    private(set) var ratio = SignalToNoise()
    private(set) var largest: Float = 0
    private(set) var wasSeen = false

    init(name: String, delay: Int) {
        self.name = name
        self.delay = delay
    }

    mutating func merge(_ other: LayerError) {
        ratio.merge(other.ratio)
        largest = max(largest, other.largest)
        wasSeen = wasSeen || other.wasSeen
    }

    mutating func add(_ expected: [Float], _ found: [Float]) {
        wasSeen = true
        for (signal, value) in zip(expected, found) {
            ratio.add(signal: signal, found: value)
            largest = max(largest, abs(value - signal))
        }
    }
}

/// The power of a signal and of the noise that was added to it.
struct SignalToNoise {
    private var signalPower = 0.0
    private var noisePower = 0.0

    mutating func add(signal: Float, found: Float) {
        let (signal, noise) = (Double(signal), Double(found) - Double(signal))
        signalPower += signal * signal
        noisePower += noise * noise
    }

    mutating func merge(_ other: SignalToNoise) {
        signalPower += other.signalPower
        noisePower += other.noisePower
    }

    /// Nil without noise; at least -200, which is the result for a signal of power 0.
    var decibels: Double? {
        guard noisePower > 0 else { return nil }
        return max(-200, 10 * log10(signalPower / noisePower))
    }
}
