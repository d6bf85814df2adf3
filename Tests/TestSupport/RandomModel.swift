package import Network
import Vocabulary

/// Random parameters whose activations neither die nor saturate, for tests of the units.
package enum RandomModel {
    /// Float parameters: weights uniform with the variance of He initialisation, biases around 0.3.
    /// - layers: of another network than the one over pixels.
    package static func floats(
        seed: UInt64, classCount: Int = 13, layers: [LayerSpec]? = nil
    ) -> [String: (weights: [Float], bias: [Float])] {
        var generator = SplitMix64(seed: seed)
        var result: [String: (weights: [Float], bias: [Float])] = [:]
        for spec in layers ?? GestureTCN.layers(classCount: classCount) {
            let bound = (6 / Float(spec.depth)).squareRoot()
            let weights = (0..<spec.weightCount).map { _ in Float.random(in: -bound...bound, using: &generator) }
            let bias = (0..<spec.outputChannels).map { _ in Float.random(in: -0.2...0.8, using: &generator) }
            result[spec.name] = (weights, bias)
        }
        return result
    }

    /// Frames of 224x224 codes: soft moving shapes under noise.
    package static func frames(seed: UInt64, count: Int) -> [[UInt8]] {
        var generator = SplitMix64(seed: seed)
        return (0..<count).map { index in
            let cx = 60 + 6 * index
            let cy = 110 + (index % 5) * 4
            return (0..<GestureTCN.frameBytes).map { position in
                let dx = position % 224 - cx
                let dy = position / 224 - cy
                let shape = max(0, 160 - (dx * dx + dy * dy) / 12)
                return UInt8(min(255, shape + Int(generator.next() & 63)))
            }
        }
    }
}
