package import ModelFile
import Network

/// Measures the ranges of a graph's values on pictures and makes an int8 graph of it.
///
/// Which values are codes follows from the graph alone:
/// - Values that only `reshape`, `concatenation` and `logistic` lead from to an output are real numbers: they are the answer,
///   and the convolution before them has exact sums. So is what `mean` makes, and what no convolution's kin makes of elements one
///   by one or along a dimension, and all after it: it is next to no work.
/// - `max_pool`, `pad`, `reshape`, `depth_to_space` and `resize_bilinear` have the codes of their input, whose range is never
///   the smaller one, so that codes move as they are.
/// - All others, inputs included, have codes of their own over the range from the smallest to the largest element seen, with
///   0 in it and exact. Nothing is clipped: a narrower range costs these networks, which nothing bounds, far more than it gains.
package struct GraphQuantiser {
    /// Largest code of a value.
    static let largestCode: Float = 255
    /// Largest magnitude of a weight's code.
    static let largestWeightCode: Float = 127

    private let file: GraphFile
    private let reference: ReferenceGraph
    private let isCoded: [Bool]
    private let inputRange: ClosedRange<Float>
    /// Of each value, by channel.
    private var ranges: [ChannelRanges]
    /// Pictures seen.
    package private(set) var pictureCount = 0

    /// - Parameter inputRange: what every input lies in, whatever the pictures hold.
    package init(_ file: GraphFile, inputRange: ClosedRange<Float>) {
        self.file = file
        self.inputRange = inputRange
        reference = ReferenceGraph(file)
        isCoded = Self.codedValues(file.graph)
        ranges = file.graph.values.map { ChannelRanges(channels: $0.shape[$0.shape.count - 1]) }
        for input in file.graph.inputs { ranges[input].include(inputRange) }
    }

    /// Runs the graph on a picture and widens the ranges by what comes out.
    /// - Parameter inputs: one array an input of the graph.
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

    /// The int8 graph. Throws `calibrationRequired` before any picture was measured.
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
            // A constant that two operators share is quantised by the first; its scales suit both, being the weights' own.
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

    /// The codes 0...255 that hold a range, widened to hold 0, with one code exactly 0.
    package static func codes(_ range: ClosedRange<Float>) -> GraphFile.Quantisation {
        let (smallest, largest) = (min(range.lowerBound, 0), max(range.upperBound, 0))
        guard largest > smallest else { return GraphFile.Quantisation(scale: 1, zeroPoint: 0) }
        // The exact zero point lies between two codes, and either makes one side need a larger step than the range itself.
        let exact = -Double(smallest) * 255 / (Double(largest) - Double(smallest))
        // A side that has anything needs a code, or its step is infinite.
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

    /// The codes of an input that pictures of 0...255 are written to as they are: 255ths of its range, with the zero at the nearest
    /// code, so that what a code stands for is off by half a code at most.
    private static func pictureCodes(_ range: ClosedRange<Float>) -> GraphFile.Quantisation {
        let step = (range.upperBound - range.lowerBound) / 255
        guard range.contains(0), step >= Float.leastNormalMagnitude else { return codes(range) }
        return GraphFile.Quantisation(scale: step, zeroPoint: Int((-range.lowerBound / step).rounded()))
    }

    /// Weights as codes -127...127 with one scale an output channel: the smallest with which no weight is clipped and the bias
    /// in steps of `inputScale * scale` stays within `NetworkWeights.biasLimit`. A channel without weights has the scale 1.
    private static func quantised(
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

    /// Which values are codes, by the rules above.
    private static func codedValues(_ graph: NetworkGraph) -> [Bool] {
        var isCoded = [Bool](repeating: true, count: graph.values.count)
        for node in graph.nodes {
            if node.operation.makesNumbers || node.inputs.contains(where: { !isCoded[$0] }) {
                isCoded[node.output] = false
            }
        }
        // From the end: real where it is an output, and where all that read it only move it to one.
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
    /// True where the output has the codes of the input.
    fileprivate var keepsCodes: Bool {
        switch self {
        case .maxPool, .pad, .reshape, .depthToSpace, .resizeBilinear: true
        default: false
        }
    }

    /// True where the output has real numbers, whatever the input has.
    fileprivate var makesNumbers: Bool {
        switch self {
        case .mean, .arithmetic, .scale, .shift, .reduce, .gather, .softmax: true
        default: false
        }
    }

    /// True where the operator only carries an answer to its output.
    fileprivate var leadsOut: Bool {
        switch self {
        case .reshape, .concatenation, .logistic: true
        default: false
        }
    }
}
