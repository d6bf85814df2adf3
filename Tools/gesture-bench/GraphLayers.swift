import Evaluation
import KernelInterface
import Kernels
import ModelFile
import Network
import ToolSupport

/// The times of a graph's layers as the plan runs them: one row per instruction, named by the value that it writes.
/// Property names are the JSON keys.
struct GraphLayers: Codable, TimingReport {
    struct Layer: Codable {
        let name: String
        let shape: [Int]
        let macs: Int
        /// The mean of the runs of the middle half.
        let us: Double
        /// Over all runs.
        let times: LatencySummary
    }

    let cpu, tier, precision: String
    /// Of runs without measuring layers.
    let p50_us, p99_us: Double
    /// Likewise.
    let step: LatencySummary
    let gmacs: Double
    let arena_bytes, parameter_bytes: Int
    let layers: [Layer]
    let conditions: TimingConditions

    init(
        _ samples: LayerSamples, _ plan: GraphPlan, _ file: GraphFile, tier: KernelTable, conditions: TimingConditions
    ) {
        let means = samples.middleMeans
        layers = plan.instructionMACs.enumerated().map { index, macs in
            let value = plan.graph.values[plan.instructionOutputs[index]]
            return Layer(
                name: value.name, shape: value.shape, macs: macs, us: means[index],
                times: samples.summary(ofLayer: index))
        }
        cpu = Machine.cpuModel
        self.tier = tier.tier
        precision = file.manifest.precision.rawValue
        step = samples.steps.summary
        p50_us = step.p50_us
        p99_us = step.p99_us
        gmacs = Double(layers.reduce(0) { $0 + $1.macs }) / p50_us / 1000
        arena_bytes = plan.arenaBytes
        parameter_bytes = plan.parameterBytes
        self.conditions = conditions
    }

    var stages: [LatencyStage] {
        [LatencyStage("step", "run", step)] + layers.map { LatencyStage($0.name, $0.name, $0.times) }
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
        return
            (table.lines + [last, "", LatencyStage.table(stages)]
            + [conditions.deadlineSentence(steps: step.n), conditions.noise.sentence]).joined(separator: "\n")
    }
}
