package import ModelFile

/// Brings the answers of coarse fully connected layers in an int8 graph back to the float graph's.
///
/// A fully connected layer that reads floats, behind a `mean`, computes in floats, and only its weights are quantised,
/// with one scale per output. Where the weights of some inputs are far larger than those of the others, most weights get
/// hardly any steps. Their rounding then moves every output by nearly a constant. Two things are done about it, for
/// layers that make an output of the graph:
/// - Each input is multiplied by a factor, and its weights are divided by it, so that all inputs use the quantised range
///   evenly, as `ChannelBalance` does between convolutions.
/// - The mean difference from the float graph over the images is added to the bias (bias correction: Nagel et al.,
///   "Data-Free Quantization Through Weight Equalization and Bias Correction", 2019). It also holds what the layers
///   before contribute.
///
/// All other outputs keep their bits.
package struct LayerCorrection {
    /// A layer is coarse if its largest weight is more than this many times the largest weight of its median input: half
    /// of the inputs then have less than two steps.
    private static let coarseRatio: Float = 64
    /// Factors are at least this share of the largest.
    private static let smallestShare: Float = 1 / 1024

    private struct Layer {
        /// The layer's output, in both graphs.
        let value: Int
        let bias: String?
        /// The sum over the images of what the float graph's output is larger, for each channel.
        var difference: [Double]
    }

    private let reference: ReferenceGraph
    /// The int8 graph with evened inputs.
    private let evened: GraphFile
    private let simulation: ReferenceGraph
    private var layers: [Layer]
    private var pictureCount = 0

    /// - Parameters:
    ///   - float: the float graph.
    ///   - quantised: its int8 graph, without this correction.
    /// - Throws: `otherGraph` if the second was not made from the first.
    package init(_ float: GraphFile, quantised: GraphFile) throws(ImportError) {
        guard quantised.manifest.precision == .int8, quantised.graph == float.graph,
            quantised.manifest.sourceSHA256 == float.manifest.sourceSHA256
        else { throw .otherGraph }
        var (graph, parameters, layers) = (quantised.graph, quantised.parameters, [Layer]())
        for node in float.graph.nodes {
            guard case .fullyConnected(let weights, let bias, .none) = node.operation,
                graph.outputs.contains(node.output),
                quantised.quantisation[graph.values[node.inputs[0]].name] == nil,
                let factors = Self.factors(weights, of: node, float),
                let place = graph.nodes.firstIndex(where: { $0.output == node.output })
            else { continue }
            let (shape, divided) = Self.divided(weights, by: factors, float)
            parameters[weights] = try GraphQuantiser.quantised(
                divided, shape: shape, .weights, name: weights, bias: nil, inputScale: nil)
            parameters[weights + ".factors"] = .init(shape: [factors.count], values: .float(factors))
            graph.values.append(.init(name: weights + ".inputs", shape: graph.values[node.inputs[0]].shape))
            graph.nodes[place].inputs = [graph.values.count - 1]
            graph.nodes.insert(
                .init(
                    .scale(factors: weights + ".factors", activation: .none), inputs: node.inputs,
                    output: graph.values.count - 1), at: place)
            layers.append(Layer(value: node.output, bias: bias, difference: [Double](repeating: 0, count: shape[0])))
        }
        evened = GraphFile(
            graph: graph, parameters: parameters, quantisation: quantised.quantisation, manifest: quantised.manifest)
        reference = ReferenceGraph(float)
        simulation = ReferenceGraph(evened)
        self.layers = layers
    }

    /// Whether a layer is coarse. If none is, `corrected` is the int8 graph as it was.
    package var isNeeded: Bool { !layers.isEmpty }

    /// Runs both graphs on an image.
    /// - Parameter inputs: one array for each input of the graph.
    package mutating func measure(_ inputs: [[Float]]) throws(ImportError) {
        func outputs(_ graph: ReferenceGraph) throws(ImportError) -> [Int: [Float]] {
            Dictionary(uniqueKeysWithValues: zip(graph.graph.outputs, try graph.run(inputs)))
        }
        let (expected, found) = (try outputs(reference), try outputs(simulation))
        for index in layers.indices {
            let value = layers[index].value
            guard let expected = expected[value], let found = found[value] else { continue }
            for (channel, (expected, found)) in zip(expected, found).enumerated() {
                layers[index].difference[channel] += Double(expected) - Double(found)
            }
        }
        pictureCount += 1
    }

    /// The corrected int8 graph. Throws `calibrationRequired` if a layer is coarse and no image has been measured.
    package func corrected() throws(ImportError) -> GraphFile {
        guard isNeeded else { return evened }
        guard pictureCount > 0 else { throw .calibrationRequired }
        var parameters = evened.parameters
        for layer in layers {
            guard let name = layer.bias, let bias = parameters[name] else { continue }
            let sums = zip(bias.floats(), layer.difference).map { Float(Double($0) + $1 / Double(pictureCount)) }
            parameters[name]?.values = .float(sums)
        }
        var manifest = evened.manifest
        manifest.calibration = (manifest.calibration.map { $0 + "; " } ?? "") + "bias over \(pictureCount) pictures"
        return GraphFile(
            graph: evened.graph, parameters: parameters, quantisation: evened.quantisation, manifest: manifest)
    }

    /// A factor for each input of a coarse layer; nil if it is not coarse.
    private static func factors(_ weights: String, of node: NetworkGraph.Node, _ file: GraphFile) -> [Float]? {
        guard let parameter = file.parameters[weights],
            let columns = parameter.shape.last, columns == file.graph.values[node.inputs[0]].shape.last,
            !file.graph.nodes.contains(where: { other in
                // Converters let layers share their constants.
                other.output != node.output
                    && !Set(other.operation.parameters.map(\.name)).isDisjoint(
                        with: node.operation.parameters.map(\.name))
            })
        else { return nil }
        var largest = [Float](repeating: 0, count: columns)
        for (index, weight) in parameter.floats().enumerated() {
            largest[index % columns] = max(largest[index % columns], abs(weight))
        }
        guard let top = largest.max(), top > coarseRatio * largest.sorted()[columns / 2] else { return nil }
        return largest.map { max($0 / top, smallestShare) }
    }

    private static func divided(
        _ weights: String, by factors: [Float], _ file: GraphFile
    ) -> (shape: [Int], values: [Float]) {
        guard let parameter = file.parameters[weights] else { return ([], []) }
        let values = parameter.floats()
        return (parameter.shape, values.indices.map { values[$0] / factors[$0 % factors.count] })
    }
}
