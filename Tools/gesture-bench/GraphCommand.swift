import ArgumentParser
import Clips
import Evaluation
import FileOutput
import KernelInterface
import Kernels
import ModelFile
import Network
import Platform
import ToolSupport

/// The outputs of a network graph on given inputs, for comparison with another runtime.
struct GraphCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "graph",
        abstract: "Compute all outputs of a network graph.",
        discussion: """
            Input: .npy float32 [N, height, width, channels] as the graph's input. Output: .npz with one float32 array an \
            output of the graph, by its name, [N, ...].
            """)

    @Argument(help: "A graph made by gesture-import graph.") var model: String
    @Option(help: "The inputs, float32 [N, height, width, channels].") var input: String
    @Option(help: "Where the outputs go.") var output: String?
    @Option(help: "Time this many runs over the inputs instead of writing outputs.") var time: Int?
    @Option(help: ArgumentHelp("A kernel tier not to use; may be repeated.", valueName: "tier"))
    var excludeTier: [String] = []
    @OptionGroup var progress: ProgressOptions

    func validate() throws {
        guard (output == nil) != (time == nil) else {
            throw ValidationError("Give exactly one of --output and --time.")
        }
        guard (time ?? 1) > 0 else { throw ValidationError("--time must be positive.") }
    }

    func run() async throws {
        try await Terminal.reporting("gesture-bench") { try work() }
    }

    private func work() throws {
        let target = try output.map { try OutputTarget($0, besides: InputFiles([model, input])) }
        let file = try naming(model) { try GraphFile(contentsOf: model) }
        let tier = KernelRegistry.select(excluding: Set(excludeTier))
        let plan = try GraphPlan(file, kernels: tier)
        let unit = GraphUnit(plan)
        let graph = plan.graph
        let shape = graph.values[graph.inputs[0]].shape
        do {
            var reader = try NPYReader(input, element: .float32, rowShape: Array(shape.dropFirst()))
            if let time { return try measure(unit, file, &reader, runs: time, tier: tier) }
            var outputs = graph.outputs.map { _ in [Float]() }
            var row = [Float](repeating: 0, count: reader.rowLength)
            for _ in 0..<reader.rowCount {
                try Self.read(&reader, &row)
                unit.setInput(row)
                unit.run()
                for index in outputs.indices { outputs[index] += unsafe Array(unit.output(index)) }
            }
            var archive = NPZArchive()
            for (index, value) in graph.outputs.enumerated() {
                archive.append(
                    graph.values[value].name, shape: [reader.rowCount] + graph.values[value].shape.dropFirst(),
                    outputs[index])
            }
            try target?.write(archive.encoded())
        } catch let error as NPYError {
            throw ArrayFailure(path: input, error)
        }
    }

    private func measure(
        _ unit: GraphUnit, _ file: GraphFile, _ reader: inout NPYReader, runs: Int, tier: KernelTable
    ) throws {
        var row = [Float](repeating: 0, count: reader.rowLength)
        guard reader.rowCount > 0 else { throw BenchFailure.tooFewFrames(found: 0, needed: 1) }
        try Self.read(&reader, &row)
        unit.setInput(row)
        Interruption.listen()
        var loop = TimingLoop(
            frames: runs, duration: nil, progress: progress.progress("graph", total: runs, unit: "runs"))
        guard let samples = LayerSamples(of: unit, frames: runs, &loop) else { return }
        let conditions = TimingConditions(
            options: [], cores: Machine.cores, pinnedCore: nil, loop, steps: samples.steps, rate: LayersCommand.rate)
        try Terminal.print(GraphLayers(samples, unit.plan, file, tier: tier, conditions: conditions).table)
    }

    private static func read(_ reader: inout NPYReader, _ row: inout [Float]) throws {
        var span = row.mutableSpan
        _ = try reader.next(into: &span)
    }
}
