package import Network
import Vocabulary

/// The int8 network by its definition: NHWC arrays, plain loops, whole sequences, every temporal position. What lies before
/// a sequence is zeros at every temporal layer.
/// Shares no code with the units but the table of layers and the checked parameters.
package struct ReferenceNetwork {
    private struct Layer {
        let spec: LayerSpec
        let codes: [Int8]
        let bias: [Int]
        let multiplier: [Float]
    }

    private let layers: [Layer]

    /// Traps when the weights are not int8: tests decide that before.
    package init(_ weights: NetworkWeights) {
        var inputScale: Float = weights.frontEnd == .pixels ? 1 / 255 : 6 / 255
        layers = weights.layers.map { layer in
            guard case .int8(let codes, let scales) = layer.values else { fatalError("not an int8 model") }
            let outputScale = layer.outputScale ?? 1
            let bias = scales.indices.map {
                Int((layer.bias[$0] / (inputScale * scales[$0])).rounded(.toNearestOrEven))
            }
            let multiplier = scales.map { (inputScale * $0) / outputScale }
            inputScale = outputScale
            return Layer(spec: layer.spec, codes: codes, bias: bias, multiplier: multiplier)
        }
    }

    /// The column of 128 codes of one frame of 224x224 codes.
    package func encode(_ frame: [UInt8]) -> [UInt8] {
        var map = frame
        for layer in layers where layer.spec.kind != .temporal && layer.spec.kind != .classifier {
            let spec = layer.spec
            let sums: [Int]
            switch spec.kind {
            case .stem, .depthwise3x3:
                sums = ReferenceKernels.convolution(
                    map, size: spec.inputSize, inputChannels: spec.inputChannels, weights: layer.codes,
                    outputChannels: spec.outputChannels, kernel: 3, stride: spec.stride, padding: 1)
            case .depthwise7x7:
                sums = ReferenceKernels.convolution(
                    map, size: 7, inputChannels: spec.inputChannels, weights: layer.codes,
                    outputChannels: spec.outputChannels, kernel: 7, stride: 1, padding: 0)
            case .pointwise, .temporal, .classifier:
                sums = ReferenceKernels.product(
                    map, depth: spec.inputChannels, weights: layer.codes, columns: spec.outputChannels)
            }
            map = requantise(sums, layer)
        }
        return map
    }

    /// Logits of each full window of the frames: `frames.count - 15` rows.
    package func logits(_ frames: [[UInt8]]) -> [[Float]] {
        let columns = frames.map(encode)
        guard columns.count >= 16 else { return [] }
        return (15..<columns.count).compactMap { logits(ofColumns: Array(columns[$0 - 15...$0])).last }
    }

    /// Logits after each column of a sequence, the first included.
    /// - stride: columns from one of the network's to the next: taps are `stride` times as far apart as its dilations say.
    package func logits(ofColumns columns: [[UInt8]], stride: Int = 1) -> [[Float]] {
        var sequence = columns
        for layer in layers where layer.spec.kind == .temporal {
            sequence = sequence.indices.map { t in
                let spec = layer.spec
                var sums = [Int](repeating: 0, count: spec.outputChannels)
                for o in 0..<spec.outputChannels {
                    for tap in 0..<3 {
                        let source = t - (2 - tap) * spec.dilation * stride
                        guard source >= 0 else { continue }
                        for i in 0..<spec.inputChannels {
                            let weight = layer.codes[(o * spec.inputChannels + i) * 3 + tap]
                            sums[o] += Int(sequence[source][i]) * Int(weight)
                        }
                    }
                }
                return requantise(sums, layer)
            }
        }
        let classifier = layers[layers.count - 1]
        return sequence.map { column in
            let sums = ReferenceKernels.product(
                column, depth: classifier.spec.inputChannels, weights: classifier.codes,
                columns: classifier.spec.outputChannels)
            return sums.indices.map {
                Float(Int32(sums[$0] + classifier.bias[$0])) * classifier.multiplier[$0]
            }
        }
    }

    private func requantise(_ sums: [Int], _ layer: Layer) -> [UInt8] {
        let channels = layer.spec.outputChannels
        return sums.indices.map {
            ReferenceKernels.requantise(
                sums[$0] + layer.bias[$0 % channels], multiplier: layer.multiplier[$0 % channels])
        }
    }
}
