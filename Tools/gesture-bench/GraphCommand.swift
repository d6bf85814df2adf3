import ArgumentParser
import Clips
import Evaluation
import FileOutput
import KernelInterface
import Kernels
import ModelFile
import Network
import ToolSupport

/// The outputs of a network graph on given inputs: the door through which anybody checks the plan against another runtime.
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

    func validate() throws {
        guard (output == nil) != (time == nil) else { throw ValidationError("Give either --output or --time.") }
        guard (time ?? 1) > 0 else { throw ValidationError("--time must be positive.") }
    }

    func run() async throws {
        try await Terminal.reporting("gesture-bench") { try work() }
    }

    private func work() throws {
        let target = try output.map { try OutputTarget($0, besides: InputFiles([model, input])) }
        let file = try GraphFile(contentsOf: model)
        let tier = KernelRegistry.select(excluding: Set(excludeTier))
        let plan = try GraphPlan(file, kernels: tier)
        let unit = GraphUnit(plan)
        let graph = plan.graph
        let shape = graph.values[graph.inputs[0]].shape
        do {
            var reader = try NPYReader(input, element: .float32, rowShape: Array(shape.dropFirst()))
            if let time { return try measure(unit, &reader, runs: time, tier: tier.tier) }
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

    private func measure(_ unit: GraphUnit, _ reader: inout NPYReader, runs: Int, tier: String) throws {
        var row = [Float](repeating: 0, count: reader.rowLength)
        guard reader.rowCount > 0 else { throw BenchFailure.tooFewFrames(found: 0, needed: 1) }
        try Self.read(&reader, &row)
        unit.setInput(row)
        var times = [UInt64](repeating: 0, count: unit.plan.instructionMACs.count)
        for _ in 0..<runs / 10 + 1 { unit.run() }
        var samples: [Double] = []
        for _ in 0..<runs {
            let begin = Stopwatch.now()
            unit.run()
            samples.append(Double(Stopwatch.now() - begin) / 1000)
        }
        for _ in 0..<runs { unit.profile(now: Stopwatch.now, &times) }
        samples.sort()
        let (median, p99) = (percentile(50, ascending: samples) ?? 0, percentile(99, ascending: samples) ?? 0)
        var table = TextTable([("writes", .left), ("kMAC", .right), ("us", .right), ("GMAC/s", .right)])
        for (index, macs) in unit.plan.instructionMACs.enumerated() {
            let us = Double(times[index]) / Double(runs) / 1000
            let value = unit.plan.graph.values[unit.plan.instructionOutputs[index]]
            table.add([
                value.name + " " + value.shape.map(String.init).joined(separator: "x"), grouped(macs / 1000),
                decimals(us, 1), decimals(Double(macs) / us / 1000, 1),
            ])
        }
        let macs = unit.plan.instructionMACs.reduce(0, +)
        try Terminal.print(table.lines.joined(separator: "\n"))
        try Terminal.print(
            "tier \(tier), median \(decimals(median, 0)) us, p99 \(decimals(p99, 0)) us, "
                + "\(decimals(Double(macs) / median / 1000, 1)) GMAC/s, arena \(grouped(unit.plan.arenaBytes)) "
                + "bytes, parameters \(grouped(unit.plan.parameterBytes)) bytes")
    }

    private static func read(_ reader: inout NPYReader, _ row: inout [Float]) throws {
        var span = row.mutableSpan
        _ = try reader.next(into: &span)
    }
}
