import Foundation
import ModelFile

/// The smallest and largest element of each channel of a value, including 0.
struct ChannelRanges {
    private(set) var smallest: [Float]
    private(set) var largest: [Float]

    init(channels: Int) {
        smallest = [Float](repeating: 0, count: channels)
        largest = smallest
    }

    mutating func include(_ range: ClosedRange<Float>) {
        for channel in smallest.indices {
            smallest[channel] = min(smallest[channel], range.lowerBound)
            largest[channel] = max(largest[channel], range.upperBound)
        }
    }

    /// Extends the ranges by elements with the channels innermost. Returns false if one is not finite.
    mutating func include(_ elements: [Float]) -> Bool {
        let channels = smallest.count
        var isFinite = true
        for start in stride(from: 0, to: elements.count, by: channels) {
            for channel in 0..<channels {
                let element = elements[start + channel]
                smallest[channel] = min(smallest[channel], element)
                largest[channel] = max(largest[channel], element)
                if !element.isFinite { isFinite = false }
            }
        }
        return isFinite
    }

    mutating func merge(_ other: ChannelRanges) {
        for channel in smallest.indices {
            smallest[channel] = min(smallest[channel], other.smallest[channel])
            largest[channel] = max(largest[channel], other.largest[channel])
        }
    }

    /// The range of all channels once each is divided by its factor.
    func whole(dividedBy factors: [Float]?) -> ClosedRange<Float> {
        guard let factors else { return (smallest.min() ?? 0)...(largest.max() ?? 0) }
        return (zip(smallest, factors).map { $0 / $1 }.min() ?? 0)...(zip(largest, factors).map { $0 / $1 }.max() ?? 0)
    }

    /// The larger magnitude of each channel.
    var magnitudes: [Float] { zip(smallest, largest).map { max(-$0, $1) } }
}

/// Moves factors of channels from values into the adjacent weights, so that the channels of a value use the quantised
/// range evenly (cross-layer equalisation: Nagel et al., "Data-Free Quantization Through Weight Equalization and Bias
/// Correction", 2019).
///
/// A convolution's output can be divided channel by channel in its weights and bias, and multiplied again in the
/// weights of its consumers, if no operation between them depends on the scale. Additions, ReLU, PReLU, pooling,
/// padding and resizing do not, if all values that they join are divided alike. ReLU6 then clips a channel at 6 times
/// its factor, which is at least its measured magnitude. Intermediate values then differ from those of the float graph.
struct ChannelBalance {
    /// The share of the difference between channels that is evened out. With 1, a channel that the images hardly used
    /// would have no room beyond its measured range, and the weights of its consumers would carry all of the
    /// difference.
    private static let exponent: Float = 0.5
    /// A channel's range counts as at least this share of the largest channel's.
    private static let smallestShare: Float = 1 / 1024

    /// Divisors of the values' channels; nil if they stay unchanged.
    private(set) var factors: [[Float]?]
    /// The parameters, with the factors applied.
    private(set) var parameters: [String: GraphFile.Parameter]

    private let graph: NetworkGraph

    init(_ file: GraphFile, ranges: [ChannelRanges], isCoded: [Bool]) {
        graph = file.graph
        parameters = file.parameters
        factors = [[Float]?](repeating: nil, count: file.graph.values.count)
        let isClipped = Set(graph.nodes.filter { $0.operation.clipsAt6 }.map(\.output))
        for group in Self.groups(file, isCoded: isCoded) {
            let channels = group.map { ranges[$0].magnitudes.count }.max() ?? 0
            var magnitudes = [Float](repeating: 0, count: channels)
            for value in group {
                for (channel, magnitude) in ranges[value].magnitudes.enumerated() {
                    magnitudes[channel] = max(magnitudes[channel], magnitude)
                }
            }
            let top = magnitudes.max() ?? 0
            guard top > 0 else { continue }
            var factors = magnitudes.map { pow(max($0 / top, Self.smallestShare), Self.exponent) }
            for value in group where isClipped.contains(value) {
                for (channel, magnitude) in ranges[value].magnitudes.enumerated() {
                    factors[channel] = max(factors[channel], magnitude / 6)
                }
            }
            for value in group { self.factors[value] = Array(factors.prefix(ranges[value].magnitudes.count)) }
            apply(factors, to: Set(group))
        }
    }

    /// Groups of values that must be divided alike, all written and read by convolutions or by operations that join
    /// them.
    private static func groups(_ file: GraphFile, isCoded: [Bool]) -> [[Int]] {
        let graph = file.graph
        var parent = Array(graph.values.indices)
        func root(_ value: Int) -> Int { parent[value] == value ? value : root(parent[value]) }
        var isFixed = isCoded.map { !$0 }
        for value in graph.inputs + graph.outputs { isFixed[value] = true }
        var uses: [String: Int] = [:]
        for node in graph.nodes { for (name, _) in node.operation.parameters { uses[name, default: 0] += 1 } }
        for node in graph.nodes {
            // Zeros do not change when they are scaled: converters let all layers without a bias share them.
            let isShared = node.operation.parameters.contains { name, _ in
                uses[name] != 1 && !(file.parameters[name]?.floats().allSatisfy { $0 == 0 } ?? false)
            }
            switch node.operation {
            case .convolution, .depthwiseConvolution:
                if isShared { isFixed[node.inputs[0]] = true; isFixed[node.output] = true }
            case .add, .relu6, .maxPool, .resizeBilinear, .relu, .prelu:
                for input in node.inputs { parent[root(input)] = root(node.output) }
            case .pad(let amounts):
                // Channels of zeros after the others leave the others' indices unchanged.
                if amounts.last?.first == 0 {
                    parent[root(node.inputs[0])] = root(node.output)
                } else {
                    isFixed[node.inputs[0]] = true
                    isFixed[node.output] = true
                }
            default:
                for value in node.inputs + [node.output] { isFixed[value] = true }
            }
        }
        var groups: [Int: [Int]] = [:]
        for value in graph.values.indices { groups[root(value), default: []].append(value) }
        return groups.sorted { $0.key < $1.key }.map(\.value).filter { group in
            !group.contains { isFixed[$0] }
        }
    }

    /// Divides the weights that produce the values of a group, and multiplies those that read them.
    private mutating func apply(_ factors: [Float], to group: Set<Int>) {
        for node in graph.nodes {
            let isMade = group.contains(node.output)
            let isRead = group.contains(node.inputs[0])
            switch node.operation {
            case .convolution(let weights, let bias, _, _, _, _):
                if isMade {
                    scale(weights) { index, shape in 1 / factors[index / (shape[1] * shape[2] * shape[3])] }
                    if let bias { scale(bias) { index, _ in 1 / factors[index] } }
                }
                if isRead { scale(weights) { index, shape in factors[index % shape[3]] } }
            case .depthwiseConvolution(let weights, let bias, _, _, _, _):
                if isMade {
                    scale(weights) { index, shape in 1 / factors[index % shape[3]] }
                    if let bias { scale(bias) { index, _ in 1 / factors[index] } }
                }
                if isRead { scale(weights) { index, shape in factors[index % shape[3]] } }
            default: break
            }
        }
    }

    private mutating func scale(_ name: String, by factor: (Int, [Int]) -> Float) {
        guard let parameter = parameters[name], case .float(let values) = parameter.values else { return }
        parameters[name]?.values = .float(values.indices.map { values[$0] * factor($0, parameter.shape) })
    }
}

extension NetworkGraph.Operation {
    fileprivate var clipsAt6: Bool {
        switch self {
        case .convolution(_, _, _, _, _, let activation), .depthwiseConvolution(_, _, _, _, _, let activation),
            .fullyConnected(_, _, let activation), .add(let activation):
            activation == .relu6
        case .relu6: true
        default: false
        }
    }
}
