import Foundation
import ModelFile
import ToolSupport
import WeightImport

/// The description of a graph, operator by operator.
struct GraphInspection: Encodable {
    struct Operator: Encodable {
        let operation: String
        let inputs: [[Int]]
        let output: String
        let shape: [Int]
        /// Window, stride, padding and activation in words.
        let options: String
        let parameters: Int
        let multiplyAdds: Int
    }

    struct End: Encodable {
        let name: String
        let shape: [Int]
    }

    let bytes: Int
    let sha256: String
    let precision: String
    let source: String?
    let sourceSHA256: String?
    let calibration: String?
    let provenance: String?
    let inputs: [End]
    let outputs: [End]
    let operators: [Operator]
    let parameters: Int
    let multiplyAdds: Int

    /// - bytes: the contents of the file.
    init(_ file: GraphFile, bytes: [UInt8]) {
        let graph = file.graph
        let shapes = file.parameters.mapValues(\.shape)
        self.bytes = bytes.count
        sha256 = SHA256.hexadecimal(of: bytes)
        precision = file.manifest.precision.rawValue
        source = file.manifest.source
        sourceSHA256 = file.manifest.sourceSHA256
        calibration = file.manifest.calibration
        provenance = file.manifest.provenance
        func end(_ index: Int) -> End { End(name: graph.values[index].name, shape: graph.values[index].shape) }
        inputs = graph.inputs.map(end)
        outputs = graph.outputs.map(end)
        operators = graph.nodes.map { node in
            Operator(
                operation: node.operation.name, inputs: node.inputs.map { graph.values[$0].shape },
                output: graph.values[node.output].name, shape: graph.values[node.output].shape,
                options: Self.options(node.operation, shapes),
                parameters: node.operation.parameters.reduce(0) { $0 + (shapes[$1.name]?.reduce(1, *) ?? 0) },
                multiplyAdds: graph.multiplyAdds(of: node, parameterShapes: shapes) ?? 0)
        }
        parameters = shapes.values.reduce(0) { $0 + $1.reduce(1, *) }
        multiplyAdds = operators.reduce(0) { $0 + $1.multiplyAdds }
    }

    /// Opens a graph file, a TFLite file, or a network in a bundle; nil if the file is none of these.
    static func open(_ path: String, entry: String?) throws -> (file: GraphFile, bytes: [UInt8])? {
        let bytes = try FileBytes.read(path: path, limit: GraphSource.sizeLimit)
        switch GraphSource.Kind(bytes) {
        case .network, .bundle:
            let source = try GraphSource(
                bytes: bytes, fileName: URL(fileURLWithPath: path).lastPathComponent, entry: entry)
            return (try source.graph(), source.bytes)
        case nil:
            let file = try SafetensorsFile(bytes: bytes)
            guard file.metadata["format"] == GraphManifest.format else { return nil }
            return (try GraphFile(file: file), bytes)
        }
    }

    private static func options(_ operation: NetworkGraph.Operation, _ shapes: [String: [Int]]) -> String {
        func windows(
            _ height: Int, _ width: Int, _ strideY: Int, _ strideX: Int, _ padding: NetworkGraph.Padding
        ) -> [String] {
            let sides = [padding.top, padding.bottom, padding.left, padding.right]
            return ["\(height)x\(width)"] + (strideY == 1 && strideX == 1 ? [] : ["stride \(strideY)x\(strideX)"])
                + (sides.allSatisfy { $0 == 0 } ? [] : ["padding " + sides.map(String.init).joined(separator: " ")])
        }
        func words(_ activation: NetworkGraph.Activation) -> [String] {
            activation == .none ? [] : [activation.rawValue]
        }
        var parts: [String] = []
        switch operation {
        case .convolution(let weights, _, let strideY, let strideX, let padding, let activation),
            .depthwiseConvolution(let weights, _, let strideY, let strideX, let padding, let activation):
            if let shape = shapes[weights], shape.count == 4 {
                parts = windows(shape[1], shape[2], strideY, strideX, padding)
            }
            parts += words(activation)
        case .maxPool(let height, let width, let strideY, let strideX, let padding):
            parts = windows(height, width, strideY, strideX, padding)
        case .add(let activation), .fullyConnected(_, _, let activation), .scale(_, let activation),
            .shift(_, let activation):
            parts = words(activation)
        case .pad(let amounts): parts = [amounts.map { "\($0[0])+\($0[1])" }.joined(separator: " ")]
        case .resizeBilinear(let alignCorners, let halfPixelCenters):
            parts = [alignCorners ? "corners aligned" : halfPixelCenters ? "half-pixel centres" : "corners at 0"]
        case .concatenation(let axis), .reduce(_, let axis): parts = ["axis \(axis)"]
        case .gather(let axis, let indices):
            parts = ["axis \(axis)", indices.count == 1 ? "index \(indices[0])" : "\(indices.count) indices"]
        case .depthToSpace(let block): parts = ["block \(block)"]
        case .mean, .reshape, .logistic, .relu, .relu6, .prelu, .arithmetic, .softmax: break
        }
        return parts.joined(separator: ", ")
    }

    /// The description of the whole file.
    var summary: [String] {
        func text(_ ends: [End]) -> String {
            ends.map { "\(visible($0.name)) \(Self.text($0.shape))" }.joined(separator: ", ")
        }
        return [
            "file         \(grouped(bytes)) bytes, SHA-256 \(sha256)",
            "graph        \(operators.count) operators, \(grouped(parameters)) parameters in \(precision), "
                + "\(grouped(multiplyAdds)) multiply-adds",
            "inputs       \(text(inputs))",
            "outputs      \(text(outputs))",
            "calibration  \(visible(calibration ?? "-"))",
            "provenance   \(visible(provenance ?? "-"))",
            "source       \(visible(source ?? "-")), SHA-256 \(sourceSHA256 ?? "-")",
        ]
    }

    var text: String {
        var table = TextTable([
            ("", .right), ("operator", .left), ("inputs", .left), ("output", .left), ("options", .left),
            ("parameters", .right), ("multiply-adds", .right),
        ])
        for (index, row) in operators.enumerated() {
            table.add([
                "\(index)", row.operation, row.inputs.map(Self.text).joined(separator: " "), Self.text(row.shape),
                row.options, row.parameters == 0 ? "" : grouped(row.parameters),
                row.multiplyAdds == 0 ? "" : grouped(row.multiplyAdds),
            ])
        }
        return (summary + [""] + table.lines).joined(separator: "\n")
    }

    private static func text(_ shape: [Int]) -> String { shape.map(String.init).joined(separator: "x") }
}
