/// A graph with its parameters, checked against each other, as a file of ours carries them.
package struct GraphFile: Sendable {
    package let graph: NetworkGraph
    /// Each parameter tensor by name, row-major in the layout that `NetworkGraph.Operation` tells.
    package let parameters: [String: Parameter]
    /// Of an int8 file: the quantisation of the values that are codes by their names, `real = scale * (code - zeroPoint)`, codes
    /// 0...255. Values that are not here are real numbers.
    package let quantisation: [String: Quantisation]
    /// Where the graph comes from, and how the file stores its weights.
    package let manifest: GraphManifest

    /// A constant tensor.
    package struct Parameter: Sendable, Equatable {
        package enum Values: Sendable, Equatable {
            case float([Float])
            /// Integers in -127...127 and one scale an output channel: the first dimension of a convolution's or fully
            /// connected layer's weights, the last of a depthwise one's.
            case int8([Int8], scales: [Float])
        }

        package var shape: [Int]
        package var values: Values

        package init(shape: [Int], values: Values) {
            self.shape = shape
            self.values = values
        }

        /// The values as real numbers. `channelsLast` tells which dimension of int8 weights has the scales.
        package func floats(channelsLast: Bool = false) -> [Float] {
            switch values {
            case .float(let floats): return floats
            case .int8(let codes, let scales):
                let run = codes.count / max(scales.count, 1)
                return codes.indices.map {
                    Float(codes[$0]) * scales[channelsLast ? $0 % scales.count : $0 / run]
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

    /// The same file as if it had only some of its outputs, without what nobody else needs.
    /// - Parameter outputs: indices into `graph.outputs`, in the order in which they are wanted.
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
