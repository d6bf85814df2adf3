import ArgumentParser
import Foundation
import KernelInterface
import Kernels
import Network
import ToolSupport

/// Times every int8 kernel of every tier on the network's shapes, and checks that all tiers give the same bytes.
struct KernelsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "kernels",
        abstract: "Time and check each tier's int8 kernels on every layer of the network.",
        discussion: """
            Tiers are alternated; times are medians. G MAC/s counts multiply-accumulates that the layer needs, 'peak' is \
            the tier's own densest instruction on registers. The tier that the engine picks is marked with '*'. Fails \
            when two tiers disagree in one byte, or when the picked tier is not the fastest over the whole network.
            """)

    @Option(help: "Rounds over all tiers for each layer, 5...10000.") var rounds = 31
    @Flag(help: "Print one JSON object instead of a table.") var json = false
    @OptionGroup var progress: ProgressOptions

    func validate() throws {
        guard (5...10_000).contains(rounds) else {
            throw ValidationError("--rounds must be from 5 to 10000, not \(rounds)")
        }
    }

    func run() async throws {
        try await Terminal.reporting("gesture-bench") {
            let report = try measure()
            try Terminal.print(json ? try Terminal.json(report) : report.table)
        }
    }

    private func measure() throws -> KernelsReport {
        let tiers = KernelRegistry.available
        var layers: [KernelsReport.Layer] = []
        let specs = GestureTCN.layers()
        let shown = progress.progress("kernels", total: specs.count, unit: "layers")
        for (index, spec) in specs.enumerated() {
            shown.update(index)
            let layer = LayerRun(spec, seed: UInt64(index))
            let prepared = tiers.map { layer.prepare($0.int8) }
            let answers = prepared.map { one in
                layer.run(one)
                return layer.result
            }
            for (tier, answer) in zip(tiers, answers) where answer != answers[answers.count - 1] {
                throw BenchFailure.tiersDisagree(tier.tier, tiers[tiers.count - 1].tier, layer: spec.name)
            }
            let times = Stopwatch.medians(of: prepared.count, rounds: rounds) { layer.run(prepared[$0]) }
            layers.append(
                KernelsReport.Layer(
                    name: spec.name, macs: spec.macs, bytes: layer.byteCount,
                    us: Dictionary(uniqueKeysWithValues: zip(tiers.map(\.tier), times.map { $0 / 1000 }))))
        }
        let picked = KernelRegistry.select().tier
        let report = KernelsReport(
            cpu: Machine.cpuModel, picked: picked, tiers: tiers.map(\.tier),
            peak_gmacs: Dictionary(uniqueKeysWithValues: tiers.map { unsafe ($0.tier, Stopwatch.peak($0.peak)) }),
            layers: layers)
        if let fastest = report.tiers.min(by: { report.total($0) < report.total($1) }), fastest != picked {
            throw BenchFailure.slowerPick(picked: picked, fastest: fastest)
        }
        return report
    }
}

/// The report of `kernels`; property names are the JSON keys.
struct KernelsReport: Codable {
    struct Layer: Codable {
        let name: String
        let macs, bytes: Int
        /// Median microseconds by tier.
        let us: [String: Double]
    }

    let cpu, picked: String
    let tiers: [String]
    let peak_gmacs: [String: Double]
    let layers: [Layer]

    func total(_ tier: String) -> Double { layers.reduce(0) { $0 + ($1.us[tier] ?? 0) } }

    var table: String {
        var table = TextTable(
            [("layer", .left), ("kMAC", .right), ("KiB", .right)]
                + tiers.flatMap { tier in
                    [(tier + (tier == picked ? "* us" : " us"), .right), ("GMAC/s", .right), ("of peak", .right)]
                })
        func row(_ name: String, _ macs: Int, _ bytes: Int, _ us: (String) -> Double) {
            table.add(
                [name, grouped(macs / 1000), grouped((bytes + 1023) / 1024)]
                    + tiers.flatMap { tier in
                        let rate = Double(macs) / us(tier) / 1000
                        return [
                            decimals(us(tier), 2), decimals(rate, 1),
                            decimals(100 * rate / (peak_gmacs[tier] ?? .nan), 0) + " %",
                        ]
                    })
        }
        for layer in layers { row(layer.name, layer.macs, layer.bytes) { layer.us[$0] ?? .nan } }
        row("sum", layers.reduce(0) { $0 + $1.macs }, layers.reduce(0) { $0 + $1.bytes }, total)
        let peaks = tiers.map { "\($0) \(decimals(peak_gmacs[$0], 1))" }.joined(separator: ", ")
        return (["CPU \(cpu), 1 thread; peak in GMAC/s: \(peaks)"] + table.lines).joined(separator: "\n")
    }
}
