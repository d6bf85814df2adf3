import Evaluation
import KernelInterface
import Kernels
import ModelFile
import Network
import ToolSupport

/// The times of a graph's layers as the plan runs them: one row per instruction, named by the value that it writes.
/// Property names are the JSON keys.
struct GraphLayers: Codable {
    struct Layer: Codable {
        let name: String
        let shape: [Int]
        let macs: Int
        let us: Double
    }

    let cpu, tier, precision: String
    /// Of runs without measuring layers.
    let p50_us, p99_us: Double
    let gmacs: Double
    let arena_bytes, parameter_bytes: Int
    let layers: [Layer]

    /// Runs the graph on the current contents of its input: a tenth of `runs` to warm up, `runs` as a whole, and `runs`
    /// layer by layer; the middle half of these, by time, is reported.
    init(_ unit: GraphUnit, _ file: GraphFile, runs: Int, tier: KernelTable) {
        for _ in 0..<runs / 10 + 1 { unit.run() }
        var whole: [Double] = []
        for _ in 0..<runs {
            let begin = Stopwatch.now()
            unit.run()
            whole.append(Double(Stopwatch.now() - begin) / 1000)
        }
        whole.sort()
        let plan = unit.plan
        var samples: [[UInt64]] = []
        for _ in 0..<runs {
            var times = [UInt64](repeating: 0, count: plan.instructionMACs.count)
            unit.profile(now: Stopwatch.now, &times)
            samples.append(times)
        }
        // The layers of a run stay together; otherwise their sum would not be the time of any run.
        samples.sort { $0.reduce(0, +) < $1.reduce(0, +) }
        let middle = samples[runs / 4..<runs - runs / 4]
        layers = plan.instructionMACs.enumerated().map { index, macs in
            let value = plan.graph.values[plan.instructionOutputs[index]]
            return Layer(
                name: value.name, shape: value.shape, macs: macs,
                us: middle.reduce(0) { $0 + Double($1[index]) } / Double(middle.count) / 1000)
        }
        cpu = Machine.cpuModel
        self.tier = tier.tier
        precision = file.manifest.precision.rawValue
        p50_us = percentile(50, ascending: whole) ?? 0
        p99_us = percentile(99, ascending: whole) ?? 0
        gmacs = Double(layers.reduce(0) { $0 + $1.macs }) / p50_us / 1000
        arena_bytes = plan.arenaBytes
        parameter_bytes = plan.parameterBytes
    }

    var table: String {
        let sum = layers.reduce(0) { $0 + $1.us }
        var table = TextTable([
            ("writes", .left), ("kMAC", .right), ("us", .right), ("of run", .right), ("GMAC/s", .right),
        ])
        for layer in layers {
            table.add([
                layer.name + " " + layer.shape.map(String.init).joined(separator: "x"), grouped(layer.macs / 1000),
                decimals(layer.us, 1), decimals(100 * layer.us / sum, 1) + " %",
                decimals(Double(layer.macs) / layer.us / 1000, 1),
            ])
        }
        let last =
            "CPU \(cpu), tier \(tier), \(precision), 1 thread; median \(decimals(p50_us, 0)) us, p99 \(decimals(p99_us, 0)) us, "
            + "\(decimals(gmacs, 1)) GMAC/s, arena \(grouped(arena_bytes)) bytes, parameters \(grouped(parameter_bytes)) bytes"
        return (table.lines + [last]).joined(separator: "\n")
    }
}
