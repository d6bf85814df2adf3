import ArgumentParser
import Evaluation
import Foundation
import GestureEngine
import KernelInterface
import Kernels
import ModelFile
import Network
import PixelFrontEnd
import Platform
import ToolSupport

/// Times every layer inside the streaming step, with the caches in the state that the layer before leaves.
struct LayersCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "layers",
        abstract: "Time every layer of the network inside the streaming step, or of a graph.",
        discussion: """
            Means over the frames of the middle half by time. The clock is read after every band of rows; 'clock' says \
            what that adds to the step. Shares of the peak only mean something for int8. With a model of landmarks, or \
            --front-end landmarks, it is the temporal layers and the classifier, over columns. With a graph made by \
            gesture-import as --model it is the layers of that, on noise. A second table has the percentiles of each layer \
            over all frames; a step misses its deadline when it takes longer than a frame at 120 a second, 8.33 ms.
            """)

    @OptionGroup var model: ModelOptions
    @Option(help: "Frames to time, 100...100000.") var frames = 1000
    @OptionGroup var timing: TimingOptions

    func validate() throws {
        guard (100...100_000).contains(frames) else {
            throw ValidationError("--frames must be from 100 to 100000, not \(frames)")
        }
    }

    func run() async throws {
        try await Terminal.reporting("gesture-bench") {
            Interruption.listen()
            if let graph = try graph() {
                if let report = try measure(graph) { try timing.show(report) }
                return
            }
            if let report = try measure() { try timing.show(report) }
        }
    }

    /// The file of `--model`, if it is a graph.
    private func graph() throws -> GraphFile? {
        guard let path = model.model else { return nil }
        return try naming(path) {
            let file = try SafetensorsFile.load(path: path, limit: GraphFile.sizeLimit)
            return file.metadata["format"] == GraphManifest.format ? try GraphFile(file: file) : nil
        }
    }

    /// The arguments that repeat the measurement.
    private var repeating: [String] {
        var words = model.model.map { ["--model", $0] } ?? []
        if let backend = model.backend { words += ["--backend", backend.rawValue] }
        if let frontEnd = model.frontEnd { words += ["--front-end", frontEnd.rawValue] }
        for tier in model.excludeTier { words += ["--exclude-tier", tier.name] }
        return words + ["--frames", "\(frames)"] + timing.repeating
    }

    private func conditions(_ loop: TimingLoop, _ steps: LatencySamples) -> TimingConditions {
        TimingConditions(
            options: repeating, cores: Machine.cores, pinnedCore: timing.pin, loop, steps: steps, rate: Self.rate)
    }

    /// Frames a second for the deadline of a step.
    static let rate = 120

    /// Nil if a signal came before the first timed run.
    private func measure(_ file: GraphFile) throws -> GraphLayers? {
        try timing.pinThread()
        guard model.backend == nil, model.frontEnd == nil else { throw BenchFailure.graphWithoutChoice }
        let tier = KernelRegistry.select(excluding: model.configuration.advanced.excludedTiers)
        let unit = GraphUnit(try GraphPlan(file, kernels: tier))
        for (index, value) in file.graph.inputs.enumerated() {
            let count = file.graph.values[value].shape.reduce(1, *)
            let noise = (0..<count).map { Float(UInt8(truncatingIfNeeded: $0 &* 2_654_435_761 >> 11)) / 255 }
            unit.setInput(noise, index: index)
        }
        var loop = timing.loop("layers", frames: frames)
        guard let samples = LayerSamples(of: unit, frames: frames, &loop) else { return nil }
        return GraphLayers(samples, unit.plan, file, tier: tier, conditions: conditions(loop, samples.steps))
    }

    /// Nil if a signal came before the first timed frame.
    private func measure() throws -> LayersReport? {
        try timing.pinThread()
        let engine = try model.makeEngine()
        let configuration = model.configuration
        let tier = KernelRegistry.select(excluding: configuration.advanced.excludedTiers)
        let unit = try engine.makeUnit(configuration, backend: model.backend)
        let specs = engine.model.weights.layers.map(\.spec)
        let frame = (0..<engine.frontEnd.inputCount).map { UInt8(truncatingIfNeeded: $0 &* 2_654_435_761 >> 11) }
        var logits = [Float](repeating: 0, count: unit.classCount)
        var samples = LayerSamples(layers: specs.count)
        var loop = timing.loop("layers", frames: frames)
        var index = 0
        while index < 100 || loop.goesOn() {
            index += 1
            var times = [UInt64](repeating: 0, count: specs.count)
            unit.profile(frame.span, now: Stopwatch.now, &times)
            let begin = Stopwatch.now()
            unit.encode(frame.span)
            var output = logits.mutableSpan
            unit.advance(&output)
            if index > 100 { samples.add(times, step: Stopwatch.now() - begin) }
        }
        guard loop.count > 0 else { return nil }
        let means = samples.middleMeans
        let layers = specs.enumerated().map { index, spec in
            LayersReport.Layer(
                name: spec.name, macs: spec.macs,
                bytes: (spec.inputCount + spec.weightCount + spec.outputCount) * (unit.backend == .int8 ? 1 : 4),
                us: means[index], times: samples.summary(ofLayer: index))
        }
        let step = samples.steps.summary
        return unsafe LayersReport(
            cpu: Machine.cpuModel, tier: tier.tier, backend: unit.backend.rawValue,
            peak_gmacs: Stopwatch.peak(tier.peak), step_us: step.p50_us, step: step, layers: layers,
            conditions: conditions(loop, samples.steps))
    }
}

/// The report of `layers`; property names are the JSON keys.
struct LayersReport: Codable, TimingReport {
    struct Layer: Codable {
        let name: String
        let macs: Int
        /// Input, weights and output.
        let bytes: Int
        /// The mean of the frames of the middle half.
        let us: Double
        /// Over all frames.
        let times: LatencySummary
    }

    let cpu, tier, backend: String
    let peak_gmacs: Double
    /// Median of the step without measuring its layers.
    let step_us: Double
    /// Of the step, likewise.
    let step: LatencySummary
    let layers: [Layer]
    let conditions: TimingConditions

    var stages: [LatencyStage] {
        [LatencyStage("step", "step", step)] + layers.map { LatencyStage($0.name, $0.name, $0.times) }
    }

    var table: String {
        let sum = layers.reduce(0) { $0 + $1.us }
        let macs = layers.reduce(0) { $0 + $1.macs }
        var table = TextTable([
            ("layer", .left), ("kMAC", .right), ("KiB", .right), ("us", .right), ("of step", .right),
            ("GMAC/s", .right),
            ("of peak", .right), ("limit us", .right),
        ])
        func row(_ name: String, _ macs: Int, _ bytes: Int, _ us: Double) {
            let rate = Double(macs) / us / 1000
            table.add([
                name, grouped(macs / 1000), grouped((bytes + 1023) / 1024), decimals(us, 2),
                decimals(100 * us / sum, 1) + " %", decimals(rate, 1),
                decimals(100 * rate / peak_gmacs, 0) + " %", decimals(Double(macs) / peak_gmacs / 1000, 2),
            ])
        }
        for layer in layers { row(layer.name, layer.macs, layer.bytes, layer.us) }
        row("sum", macs, layers.reduce(0) { $0 + $1.bytes }, sum)
        return
            ([
                "CPU \(cpu), tier \(tier), backend \(backend), 1 thread; int8 peak \(decimals(peak_gmacs, 1)) GMAC/s",
                "step without clock reads \(decimals(step_us, 1)) us; clock reads add \(decimals(sum - step_us, 1)) us",
            ] + table.lines + ["", LatencyStage.table(stages)]
            + [conditions.deadlineSentence(steps: step.n), conditions.noise.sentence]).joined(separator: "\n")
    }
}
