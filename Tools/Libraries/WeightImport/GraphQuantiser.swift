package import ModelFile
import Network

/// Measures the ranges of a graph's values on images and makes an int8 graph of it.
///
/// The graph alone determines which values are quantised:
/// - Values from which only `reshape`, `concatenation` and `logistic` lead to an output are floats: they are the
///   result, and the convolution before them has exact sums. Floats are also the outputs of `mean`, of element-wise
///   operators and of operators along a dimension, and all values after them: these operators take hardly any time.
/// - Outputs of `max_pool`, `pad`, `reshape`, `depth_to_space` and `resize_bilinear` have the quantisation of their
///   input, whose range is never smaller, so that quantised values are moved unchanged.
/// - All others, including inputs, have their own quantisation over the range from the smallest to the largest measured
///   element, with 0 in it and exact. Nothing is clipped: a narrower range costs these networks, whose values are
///   unbounded, far more accuracy than it gains.
package struct GraphQuantiser {
    /// Largest quantised value.
    static let largestCode: Float = 255
    /// Largest magnitude of a quantised weight.
    static let largestWeightCode: Float = 127

    private let file: GraphFile
    private let reference: ReferenceGraph
    private let isCoded: [Bool]
    private let inputRange: ClosedRange<Float>
    /// For each value, by channel.
    private var ranges: [ChannelRanges]
    /// Images measured.
    package private(set) var pictureCount = 0

    /// - Parameter inputRange: the range of every input, whatever the images contain.
    package init(_ file: GraphFile, inputRange: ClosedRange<Float>) {
        self.file = file
        self.inputRange = inputRange
        reference = ReferenceGraph(file)
        isCoded = Self.codedValues(file.graph)
        ranges = file.graph.values.map { ChannelRanges(channels: $0.shape[$0.shape.count - 1]) }
        for input in file.graph.inputs { ranges[input].include(inputRange) }
    }

    /// Runs the graph on an image and extends the ranges by the measured values.
    /// - Parameter inputs: one array for each input of the graph.
    package mutating func measure(_ inputs: [[Float]]) throws(ImportError) {
        var ranges = ranges
        var fault: Int?
        _ = try reference.run(inputs) { value, elements in
            if !ranges[value].include(elements), fault == nil { fault = value }
        }
        if let fault { throw .activationNotFinite(layer: file.graph.values[fault].name) }
        self.ranges = ranges
        pictureCount += 1
    }

    /// Adds what another of the same graph has measured of other images.
    package mutating func merge(_ other: GraphQuantiser) {
        for value in ranges.indices { ranges[value].merge(other.ranges[value]) }
        pictureCount += other.pictureCount
    }

    /// The int8 graph. Throws `calibrationRequired` if no image has been measured.
    package func quantised() throws(ImportError) -> GraphFile {
        guard pictureCount > 0 else { throw .calibrationRequired }
        let graph = file.graph
        var codes = [GraphFile.Quantisation?](repeating: nil, count: graph.values.count)
        let balance = ChannelBalance(file, ranges: ranges, isCoded: isCoded)
        for value in graph.values.indices where isCoded[value] {
            codes[value] = Self.codes(ranges[value].whole(dividedBy: balance.factors[value]))
        }
        for input in graph.inputs where isCoded[input] && ranges[input].whole(dividedBy: nil) == inputRange {
            codes[input] = Self.pictureCodes(inputRange)
        }
        for node in graph.nodes where node.operation.keepsCodes && isCoded[node.output] {
            codes[node.output] = codes[node.inputs[0]]
        }

        var parameters = balance.parameters
        for node in graph.nodes {
            let uses = node.operation.parameters
            guard let (name, use) = uses.first, use != .perChannel, let parameter = parameters[name] else { continue }
            // A constant that two operators share is quantised by the first; its scales suit both, because they depend
            // on the weights alone.
            guard case .float(let weights) = parameter.values else { continue }
            let bias = uses.count > 1 ? parameters[uses[1].name]?.floats() : nil
            parameters[name] = try Self.quantised(
                weights, shape: parameter.shape, use, name: name, bias: bias, inputScale: codes[node.inputs[0]]?.scale)
        }
        var manifest = file.manifest
        manifest.precision = .int8
        manifest.calibration = "minimum and maximum over \(pictureCount) pictures"
        var quantisation: [String: GraphFile.Quantisation] = [:]
        for (value, codes) in zip(graph.values, codes) { quantisation[value.name] = codes }
        return GraphFile(graph: graph, parameters: parameters, quantisation: quantisation, manifest: manifest)
    }

    /// The quantisation of a range, extended to contain 0, with a value that stands exactly for 0.
    package static func codes(_ range: ClosedRange<Float>) -> GraphFile.Quantisation {
        let (smallest, largest) = (min(range.lowerBound, 0), max(range.upperBound, 0))
        guard largest > smallest else { return GraphFile.Quantisation(scale: 1, zeroPoint: 0) }
        // The exact zero point lies between two integers; either one makes the step larger on one side than the range
        // needs.
        let exact = -Double(smallest) * 255 / (Double(largest) - Double(smallest))
        // A side that is not empty needs at least one step, or the step would be infinite.
        let allowed = (smallest < 0 ? 1.0 : 0)...(largest > 0 ? 254.0 : 255)
        let candidates = [exact.rounded(.down), exact.rounded(.up)].map { candidate in
            let zeroPoint = min(max(candidate, allowed.lowerBound), allowed.upperBound)
            let below = smallest < 0 ? -Double(smallest) / zeroPoint : 0
            let above = largest > 0 ? Double(largest) / (255 - zeroPoint) : 0
            return (zeroPoint: zeroPoint, scale: max(below, above))
        }
        let (zeroPoint, scale) = candidates[0].scale < candidates[1].scale ? candidates[0] : candidates[1]
        let rounded = max(Float(scale), Float.leastNormalMagnitude)
        return GraphFile.Quantisation(scale: rounded, zeroPoint: Int(zeroPoint))
    }

    /// The quantisation of an input to which images of 0...255 are written unchanged: 255ths of its range, with 0 at
    /// the nearest step, so that values are off by at most half a step.
    private static func pictureCodes(_ range: ClosedRange<Float>) -> GraphFile.Quantisation {
        let step = (range.upperBound - range.lowerBound) / 255
        guard range.contains(0), step >= Float.leastNormalMagnitude else { return codes(range) }
        return GraphFile.Quantisation(scale: step, zeroPoint: Int((-range.lowerBound / step).rounded()))
    }

    /// Weights quantised to -127...127 with one scale per output channel: the smallest with which no weight is clipped
    /// and the bias in steps of `inputScale * scale` stays within `NetworkWeights.biasLimit`. A channel without weights
    /// has the scale 1.
    static func quantised(
        _ weights: [Float], shape: [Int], _ use: ParameterUse, name: String, bias: [Float]?, inputScale: Float?
    ) throws(ImportError) -> GraphFile.Parameter {
        let isLast = use == .depthwiseWeights
        let channels = isLast ? shape[shape.count - 1] : shape[0]
        let run = weights.count / channels
        var scales = [Float](repeating: 0, count: channels)
        for (index, weight) in weights.enumerated() {
            let channel = isLast ? index % channels : index / run
            scales[channel] = max(scales[channel], abs(weight))
        }
        for channel in scales.indices {
            var scale = scales[channel] == 0 ? 1 : scales[channel] / largestWeightCode
            if let bias, let inputScale {
                scale = max(scale, abs(bias[channel]) / (inputScale * NetworkWeights.biasLimit))
            }
            scale = max(scale, Float.leastNormalMagnitude)
            guard scale.isFinite else { throw .scaleOverflow(layer: name, channel: channel) }
            scales[channel] = scale
        }
        let codes = weights.indices.map { index in
            let code = (weights[index] / scales[isLast ? index % channels : index / run]).rounded(.toNearestOrEven)
            return Int8(max(-largestWeightCode, min(largestWeightCode, code)))
        }
        return GraphFile.Parameter(shape: shape, values: .int8(codes, scales: scales))
    }

    /// Which values are quantised, by the rules above.
    private static func codedValues(_ graph: NetworkGraph) -> [Bool] {
        var isCoded = [Bool](repeating: true, count: graph.values.count)
        for node in graph.nodes {
            if node.operation.makesNumbers || node.inputs.contains(where: { !isCoded[$0] }) {
                isCoded[node.output] = false
            }
        }
        // Backwards from the end: a value is float if it is an output, or if all its readers only move it to one.
        var readers = [[NetworkGraph.Node]](repeating: [], count: graph.values.count)
        for node in graph.nodes { for input in node.inputs { readers[input].append(node) } }
        for node in graph.nodes.reversed() {
            let (value, readers) = (node.output, readers[node.output])
            let isAnswer = readers.isEmpty || readers.allSatisfy { $0.operation.leadsOut && !isCoded[$0.output] }
            if isAnswer { isCoded[value] = false }
        }
        return isCoded
    }
}

extension NetworkGraph.Operation {
    /// Whether the output has the quantisation of the input.
    fileprivate var keepsCodes: Bool {
        switch self {
        case .maxPool, .pad, .reshape, .depthToSpace, .resizeBilinear: true
        default: false
        }
    }

    /// Whether the output is float, for any input.
    fileprivate var makesNumbers: Bool {
        switch self {
        case .mean, .arithmetic, .scale, .shift, .reduce, .gather, .softmax: true
        default: false
        }
    }

    /// Whether the operator only moves a result to its output.
    fileprivate var leadsOut: Bool {
        switch self {
        case .reshape, .concatenation, .logistic: true
        default: false
        }
    }
}
