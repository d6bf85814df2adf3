import ArgumentParser
import Foundation
import Frames
import GestureEngine
import KernelInterface
import Kernels
import Network
import Recognition
import ToolSupport

/// Times the stages of one frame's way, alternating them in one loop, on synthetic 1280x720 NV12 frames.
struct LatencyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "latency",
        abstract: "Time every stage of a frame's way from pixels to events.",
        discussion: """
            One thread, batch 1. For numbers worth quoting pin it to a core: taskset -c 1 gesture-bench latency. \
            'step' is the whole way of a 1280x720 NV12 frame; 'network' is encoder and temporal head alone, what \
            other inference engines do. 'window' recomputes all 16 frames without the cache.
            """)

    @OptionGroup var model: ModelOptions

    @Option(help: "Frames to time in streaming mode.") var frames = 2000
    @Option(help: "Whole windows to time.") var windows = 100
    @Flag(help: "Print one JSON object instead of a table.") var json = false

    func validate() throws {
        guard frames >= 100, windows >= 10 else {
            throw ValidationError("at least 100 frames and 10 windows are needed for percentiles")
        }
    }

    func run() async throws {
        try await Terminal.reporting("gesture-bench") { try work() }
    }

    private func work() throws {
        let report = try measure()
        if json {
            print(try Terminal.json(report))
        } else {
            print(report.table)
        }
    }

    private func measure() throws -> LatencyReport {
        let images = SyntheticFrames(width: 1280, height: 720)
        let configuration = model.configuration
        let clock = ContinuousClock()
        // As other engines are given them: frames that have the network's size already.
        let small = SyntheticFrames(width: Preprocessor.side, height: Preprocessor.side)
        let begin = clock.now
        let engine = try model.makeEngine()
        let first = try predictOnce(engine, configuration, small)
        let cold = withExtendedLifetime(first) { (clock.now - begin) / .microseconds(1) }
        let tier = KernelRegistry.select(excluding: configuration.excludedTiers)
        let count = frames + windows + 200

        let stream = try engine.makeStream(configuration)
        var whole = LatencySamples(capacity: count)
        let stages = try StageBench(engine: engine, configuration: configuration, kernels: tier, capacity: count)

        var allocations: Int?
        for index in 0..<200 + frames {
            if index == 200 {
                whole = LatencySamples(capacity: count)
                stages.forgetSamples(capacity: count)
            }
            let time = Duration.nanoseconds(index * 1_000_000_000 / 120)
            let view = try images.view(index)
            let before = heapAllocations
            let start = clock.now
            let result = stream.push(view, at: time)
            let elapsed = clock.now - start
            guard case .encoded = result.outcome else { throw BenchFailure.notEncoded(frame: index) }
            if index >= 200, let before, let after = heapAllocations {
                allocations = (allocations ?? 0) + after - before
            }
            whole.add(elapsed)
            stages.step(view, at: time, clock: clock)
        }
        for index in 0..<windows { stages.window(try images.view(index), clock: clock) }

        return LatencyReport(
            cpu: Machine.cpuModel, tier: tier.tier, backend: stages.backend.rawValue, threads: 1,
            streaming: .init(
                step: whole.summary, network: stages.network.summary, encoder: stages.encoder.summary,
                temporal: stages.temporal.summary, preprocess: stages.preprocess.summary,
                recognition: stages.recognition.summary),
            window: .init(step: stages.windowStep.summary, network: stages.windowNetwork.summary),
            cold_us: cold, allocations_per_frame: allocations.map { Double($0) / Double(frames) },
            peak_rss_bytes: Machine.peakResidentBytes)
    }

    /// A stream after its first sixteen frames.
    private func predictOnce(
        _ engine: GestureEngine, _ configuration: Configuration, _ images: SyntheticFrames
    ) throws -> GestureStream {
        let stream = try engine.makeStream(configuration)
        for index in 0..<GestureTCN.windowLength {
            let result = stream.push(try images.view(index), at: .nanoseconds(index * 1_000_000_000 / 120))
            guard case .encoded = result.outcome else { throw BenchFailure.notEncoded(frame: index) }
        }
        return stream
    }
}
