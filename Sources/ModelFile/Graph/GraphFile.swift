/// A graph and its parameters, checked against each other, as stored in a graph file.
package struct GraphFile: Sendable {
    package let graph: NetworkGraph
    /// Each parameter tensor by name, row-major in the layout that `NetworkGraph.Operation` defines.
    package let parameters: [String: Parameter]
    /// For an int8 file the quantisation of the quantised values by their names: `value = scale * (q - zeroPoint)` with
    /// q in 0...255. All other values are floats.
    package let quantisation: [String: Quantisation]
    /// The graph's origin, and the precision of the file's weights.
    package let manifest: GraphManifest

    /// A constant tensor.
    package struct Parameter: Sendable, Equatable {
        package enum Values: Sendable, Equatable {
            case float([Float])
            /// Integers in -127...127 and one scale per output channel: the first dimension of the weights of a
            /// convolution or fully connected layer, the last dimension of depthwise weights.
            case int8([Int8], scales: [Float])
        }

        package var shape: [Int]
        package var values: Values

        package init(shape: [Int], values: Values) {
            self.shape = shape
            self.values = values
        }

        /// The values as floats. `channelsLast`: whether the scales belong to the last dimension of int8 weights.
        package func floats(channelsLast: Bool = false) -> [Float] {
            switch values {
            case .float(let floats): return floats
            case .int8(let quantised, let scales):
                let run = quantised.count / max(scales.count, 1)
                return quantised.indices.map {
                    Float(quantised[$0]) * scales[channelsLast ? $0 % scales.count : $0 / run]
                }
            }
        }
    }

    package struct Quantisation: Sendable, Equatable {
        package var scale: Float
        package var zeroPoint: Int

        package init(scale: Float, zeroPoint: Int) {
            self.scale = scale
            self.zeroPoint = zeroPoint
        }
    }

    package init(
        graph: NetworkGraph, parameters: [String: Parameter], quantisation: [String: Quantisation] = [:],
        manifest: GraphManifest = GraphManifest()
    ) {
        self.graph = graph
        self.parameters = parameters
        self.quantisation = quantisation
        self.manifest = manifest
    }

    /// The file with only some of its outputs, and without the operators that only the others need.
    /// - Parameter outputs: indices into `graph.outputs`, in the order of the result.
    package func keeping(outputs: [Int]) -> GraphFile {
        var kept = graph
        kept.outputs = outputs.map { graph.outputs[$0] }
        var isNeeded = [Bool](repeating: false, count: graph.values.count)
        for output in kept.outputs { isNeeded[output] = true }
        for node in graph.nodes.reversed() where isNeeded[node.output] {
            for input in node.inputs { isNeeded[input] = true }
        }
        kept.nodes = graph.nodes.filter { isNeeded[$0.output] }
        return GraphFile(graph: kept, parameters: parameters, quantisation: quantisation, manifest: manifest)
    }
}
