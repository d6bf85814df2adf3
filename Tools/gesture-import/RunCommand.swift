import ArgumentParser
import FileOutput
import ModelFile
import ToolSupport
import WeightImport

struct RunCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Runs a graph on an array with plain loops, as a reference to compare with.",
        discussion: """
            Takes a graph file, a TFLite file or a bundle. Input: .npy float32 [N, height, width, channels] as the graph's \
            input. Output: .npz with one float32 array an output of the graph, by its name, [N, ...]. An int8 graph is simulated: what the engine keeps as codes is rounded to them, sums are in float32.
            """)

    @Argument(help: "The graph.")
    var graph: String

    @Option(help: "Which network of a .task bundle.")
    var entry: String?

    @Option(help: "The inputs, float32 [N, height, width, channels].")
    var input: String

    @Option(name: .shortAndLong, help: "Where the outputs go.")
    var output: String

    func run() async throws {
        try await Terminal.reporting("gesture-import") { try work() }
    }

    private func work() throws {
        let target = try OutputTarget(output, besides: InputFiles([graph, input]))
        let file = try naming(graph) {
            guard let file = try GraphInspection.open(graph, entry: entry)?.file else {
                throw ImportError.file(.notAGraph)
            }
            return file
        }
        let reference = ReferenceGraph(file)
        let shape = file.graph.values[file.graph.inputs[0]].shape
        var results = [[[Float]]](repeating: [], count: file.graph.outputs.count)
        try Pictures.forEachFloat(input, rowShape: Array(shape.dropFirst())) { picture in
            for (index, elements) in try reference.run([picture]).enumerated() { results[index].append(elements) }
        }
        var archive = NPZArchive()
        for (index, rows) in zip(file.graph.outputs, results) {
            let value = file.graph.values[index]
            archive.append(value.name, shape: [rows.count] + value.shape.dropFirst(), rows.flatMap { $0 })
        }
        try target.write(archive.encoded())
    }
}
