extension NetworkGraph {
    /// Longest JSON text of a graph, in bytes.
    package static let textLimit = 4 << 20

    /// The graph as JSON without line breaks, always the same text for the same graph.
    ///
    ///     {"inputs":[0],"outputs":[2],
    ///      "values":[{"name":"input","shape":[1,8,8,3]},...],
    ///      "nodes":[{"operation":"convolution","inputs":[0],"output":1,"weights":"a","bias":"b","stride":[1,1],
    ///                "padding":[0,1,0,1],"activation":"relu6"},...]}
    ///
    /// `stride` is vertical and horizontal, `window` is height and width, `padding` is top, bottom, left and right. A
    /// node has the fields of its operation: `axis`, `block`, `amounts` (one pair per dimension), `slope`, `factors`,
    /// `offsets`, `indices`, `align_corners` and `half_pixel_centers`; `bias` may be absent.
    package var json: String {
        let values = values.map { "{\"name\":\(JSONText.quoted($0.name)),\"shape\":\(Self.text($0.shape))}" }
        let nodes = nodes.map { node in
            let fields = [
                "\"operation\":\"\(node.operation.name)\"", "\"inputs\":\(Self.text(node.inputs))",
                "\"output\":\(node.output)",
            ]
            return "{" + (fields + node.operation.fields).joined(separator: ",") + "}"
        }
        return """
            {"inputs":\(Self.text(inputs)),"outputs":\(Self.text(outputs)),"values":[\(values.joined(separator: ","))],\
            "nodes":[\(nodes.joined(separator: ","))]}
            """
    }

    /// Reads the text that `json` writes, with the fields in any order. Whether the graph can be run is checked by
    /// `validate`.
    package init(json text: String) throws(ModelFileError) {
        guard text.utf8.count <= Self.textLimit else { throw .graph(.tooMany(.bytes, limit: Self.textLimit)) }
        var reader = GraphReader(JSONReader(Array(text.utf8)))
        self = try reader.graph()
    }

    static func text(_ numbers: [Int]) -> String { "[" + numbers.map(String.init).joined(separator: ",") + "]" }
}

extension NetworkGraph.Operation {
    /// The operation's own fields, as members of a JSON object.
    fileprivate var fields: [String] {
        func layer(_ weights: String, _ bias: String?) -> [String] {
            ["\"weights\":\(JSONText.quoted(weights))"] + (bias.map { ["\"bias\":\(JSONText.quoted($0))"] } ?? [])
        }
        func windows(_ strideY: Int, _ strideX: Int, _ padding: NetworkGraph.Padding) -> [String] {
            [
                "\"stride\":[\(strideY),\(strideX)]",
                "\"padding\":[\(padding.top),\(padding.bottom),\(padding.left),\(padding.right)]",
            ]
        }
        func activated(_ activation: NetworkGraph.Activation) -> [String] {
            ["\"activation\":\"\(activation.rawValue)\""]
        }
        switch self {
        case .convolution(let weights, let bias, let strideY, let strideX, let padding, let activation),
            .depthwiseConvolution(let weights, let bias, let strideY, let strideX, let padding, let activation):
            return layer(weights, bias) + windows(strideY, strideX, padding) + activated(activation)
        case .add(let activation): return activated(activation)
        case .maxPool(let height, let width, let strideY, let strideX, let padding):
            return ["\"window\":[\(height),\(width)]"] + windows(strideY, strideX, padding)
        case .pad(let amounts):
            return ["\"amounts\":[" + amounts.map(NetworkGraph.text).joined(separator: ",") + "]"]
        case .resizeBilinear(let alignCorners, let halfPixelCenters):
            return ["\"align_corners\":\(alignCorners)", "\"half_pixel_centers\":\(halfPixelCenters)"]
        case .concatenation(let axis): return ["\"axis\":\(axis)"]
        case .fullyConnected(let weights, let bias, let activation):
            return layer(weights, bias) + activated(activation)
        case .prelu(let slope): return ["\"slope\":\(JSONText.quoted(slope))"]
        case .depthToSpace(let block): return ["\"block\":\(block)"]
        case .scale(let factors, let activation):
            return ["\"factors\":\(JSONText.quoted(factors))"] + activated(activation)
        case .shift(let offsets, let activation):
            return ["\"offsets\":\(JSONText.quoted(offsets))"] + activated(activation)
        case .reduce(_, let axis): return ["\"axis\":\(axis)"]
        case .gather(let axis, let indices):
            return ["\"axis\":\(axis)", "\"indices\":\(NetworkGraph.text(indices))"]
        case .mean, .reshape, .logistic, .relu, .relu6, .arithmetic, .softmax: return []
        }
    }
}
