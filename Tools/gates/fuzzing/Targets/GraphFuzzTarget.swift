import KernelInterface
import Kernels
import ModelFile
import Network
import Vocabulary
import WeightImport

/// Graphs as JSON: the graph's in the first line, its quantisation's in the second. Without a second line the graph has
/// floats.
///
/// A parameter's name is its shape, as `4x3x3x2`, with anything after a dot. So every graph finds its parameters, and their values
/// follow from the name.
enum GraphFuzzTarget {
    /// The most elements of a parameter, and of all values of a graph that is run.
    private static let elementLimit = 4096
    private static let runLimit = 50_000
    private static let multiplyAddLimit = 2_000_000

    static func enter(_ bytes: [UInt8]) -> Bool {
        let lines = bytes.split(separator: UInt8(ascii: "\n"), maxSplits: 1, omittingEmptySubsequences: false)
        guard let text = lines.first.flatMap({ String(validating: $0, as: UTF8.self) }),
            let graph = try? NetworkGraph(json: text)
        else { return false }
        precondition((try? NetworkGraph(json: graph.json)) == graph, "a graph changes when it is written and read")
        var quantisation: String?
        if lines.count > 1 {
            guard let text = String(validating: lines[1], as: UTF8.self) else { return false }
            quantisation = text
        }
        guard let file = try? file(graph, text, quantisation) else { return false }
        run(file)
        return true
    }

    /// The file of a graph, as an attacker writes it: its hash is right.
    private static func file(
        _ graph: NetworkGraph, _ text: String, _ quantisation: String?
    ) throws -> GraphFile {
        var tensors: [TensorPayload] = []
        for (name, use) in graph.parameterUses.sorted(by: { $0.key < $1.key }) {
            let sides = name.prefix { $0 != "." }.split(separator: "x").map { Int($0) ?? 0 }
            let shape = sides.isEmpty ? [1] : sides
            let count = shape.reduce(1) { $0.multipliedReportingOverflow(by: $1).partialValue }
            guard shape.allSatisfy({ (1...elementLimit).contains($0) }), (1...elementLimit).contains(count) else {
                throw ModelFileError.missingTensor(name)
            }
            var random = SplitMix64(seed: name.utf8.reduce(0) { $0 &* 31 &+ UInt64($1) })
            if quantisation != nil, use != .perChannel {
                let channels = (use == .weights ? shape.first : shape.last) ?? 1
                tensors.append(
                    .int8(name, shape: shape, (0..<count).map { _ in Int8.random(in: -127...127, using: &random) }))
                tensors.append(
                    .float32(
                        name + ".scale", shape: [channels],
                        (0..<channels).map { _ in Float.random(in: 1e-4...0.1, using: &random) }))
            } else {
                tensors.append(
                    .float32(name, shape: shape, (0..<count).map { _ in Float.random(in: -1...1, using: &random) }))
            }
        }
        var metadata = [
            "format": GraphManifest.format, "format_version": String(GraphManifest.version),
            "precision": quantisation == nil ? "float32" : "int8", "graph": text,
        ]
        metadata["quantisation"] = quantisation
        metadata[ContentHash.key] = ContentHash(metadata: metadata, tensors: tensors).digits
        return try GraphFile(bytes: SafetensorsWriter.bytes(tensors: tensors, metadata: metadata))
    }

    /// Plans and runs an accepted graph on every tier. What a tier refuses, all refuse; an int8 graph gives the same bits.
    static func run(_ file: GraphFile) {
        let shapes = file.parameters.mapValues(\.shape)
        do { try file.graph.validate(parameterShapes: shapes) } catch {
            preconditionFailure("an accepted graph is not valid: \(error)")
        }
        // What has grown to be legal but slow is left out.
        let elements =
            file.graph.values.reduce(0) { $0 + $1.count } + shapes.values.reduce(0) { $0 + $1.reduce(1, *) }
        let work = file.graph.nodes.reduce(0) {
            $0 + (file.graph.multiplyAdds(of: $1, parameterShapes: shapes) ?? multiplyAddLimit)
        }
        guard elements <= runLimit, work <= multiplyAddLimit else { return }
        let inputs = file.graph.inputs.map { index in
            (0..<file.graph.values[index].count).map { Float($0 % 17) / 8 - 1 }
        }
        let counts = file.graph.outputs.map { file.graph.values[$0].count }
        var first: [[Float]]?
        for (index, kernels) in KernelRegistry.available.enumerated() {
            let plan: GraphPlan
            do throws(GraphError) { plan = try GraphPlan(file, kernels: kernels) } catch {
                precondition(index == 0, "a tier refuses what another runs: \(error)")
                return
            }
            let unit = GraphUnit(plan)
            for (index, values) in inputs.enumerated() { unit.setInput(values, index: index) }
            unit.run()
            let found = counts.indices.map { index in unsafe Array(unit.output(index)) }
            precondition(found.map(\.count) == counts, "an output of another size")
            guard !file.quantisation.isEmpty else { continue }
            let isSame = first?.elementsEqual(found) { $0.map(\.bitPattern) == $1.map(\.bitPattern) } ?? true
            precondition(isSame, "\(kernels.tier) gives other bits")
            first = found
        }
        let expected = try? ReferenceGraph(file).run(inputs)
        precondition(expected?.map(\.count) == counts, "the reference's outputs are of another size")
    }
}
