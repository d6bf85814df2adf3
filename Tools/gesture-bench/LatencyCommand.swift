import ArgumentParser
import BodyPose
import Clips
import Evaluation
import FileOutput
import Foundation
import Frames
import GestureEngine
import KernelInterface
import Kernels
import Network
import PixelFrontEnd
import Platform
import Recognition
import Scheduling
import ToolSupport

/// Times the stages of one frame of 1280x720 NV12: with landmarks on a clip, with pixels on synthetic frames, where the
/// stages alternate in one loop.
struct LatencyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "latency",
        abstract: "Time every stage of a frame's way from pixels to events.",
        discussion: """
            One thread, batch 1. For numbers worth quoting pin it to a core: gesture-bench latency --pin 1. \
            'step' is the whole way of a 1280x720 NV12 frame. By landmarks, the default, the stages are those of hand \
            tracking, on the frames of --clip or of the package's demo clip, decoded before and played forth and back at \
            --rate; 'palm' is the detector where it ran. With --empty-scene they are those of an engine that looks for a hand \
            and finds none. With --front-end pixels, or a model of pixels, 'network' is encoder and temporal head alone, \
            what other inference engines do, and 'window' recomputes all 16 frames without the cache. With --body they are those of following people on the frames of --clip: 'detection' is the \
            detector where it ran, 'crop' all but the two networks.

            A step that takes longer than the interval of frames (8.33 ms at 120 a second) misses its deadline. Between the \
            frames a fixed loop is timed, and a warning tells when the machine disturbs the times. --json writes what \
            'gesture-bench compare' takes as a baseline.
            """)

    @OptionGroup var model: ModelOptions

    @OptionGroup var clips: ClipOptions
    @Option(help: "A clip that shows a hand, for landmarks, by default \(DemoClip.path); or a person, for bodies.")
    var clip: String?
    @Flag(help: "Time the following of people instead of gestures.") var body = false
    @Option(help: "People that are followed at once, for bodies: 1 to 4.") var maximumBodies = 1
    @Option(help: "Frames a second that the clip is played at, for landmarks and bodies: 30, 60 or 120.") var rate = 30
    @Flag(help: "The clip shows no hand, for landmarks, or no person, for bodies.") var emptyScene = false
    @Option(help: "Frames to time in streaming mode, 100...1000000.") var frames = 2000
    @Option(help: "Whole windows to time, for pixels, 10...1000000.") var windows = 100
    @OptionGroup var timing: TimingOptions
    @Option(help: ArgumentHelp("Write a page with the steps over time and the stages here.", valueName: "file"))
    var html: String?

    func validate() throws {
        guard (100...1_000_000).contains(frames) else {
            throw ValidationError("--frames must be from 100 to 1000000, not \(frames)")
        }
        guard PacingConfiguration.Rate(rawValue: rate) != nil else {
            throw ValidationError("--rate must be 30, 60 or 120, not \(rate)")
        }
        guard (10...1_000_000).contains(windows) else {
            throw ValidationError("--windows must be from 10 to 1000000, not \(windows)")
        }
        guard BodyTrackingConfiguration.allowedBodies.contains(maximumBodies) else {
            throw ValidationError("--maximum-bodies must be from 1 to 4, not \(maximumBodies)")
        }
        try model.validate(besideBody: body)
    }

    func run() async throws {
        try await Terminal.reporting("gesture-bench") { try await work() }
    }

    private func work() async throws {
        let target = try html.map { try OutputTarget($0, besides: InputFiles((clip.map { [$0] } ?? []) + model.files)) }
        Interruption.listen()
        if body {
            guard let clip else { throw BenchFailure.noBodyClip }
            let images = try await CameraFrames(clips.source(for: "gesture-bench").open(clip))
            if let found = try measureBodies(on: images) { try show(found.report, found.steps, target) }
        } else if model.frontEnd(of: try model.file(), otherwise: .landmarks) == .landmarks {
            let images = try await DemoClip.frames(clip, clips)
            if let found = try measureLandmarks(images) { try show(found.report, found.steps, target) }
        } else if let found = try measure() {
            try show(found.report, found.steps, target)
        }
    }

    private func show(_ report: some PagedReport, _ steps: LatencySamples, _ target: OutputTarget?) throws {
        let page = LatencyPage(
            title: report.heading, facts: report.facts, stages: report.stages, steps: steps.nanoseconds,
            conditions: report.conditions)
        try target?.write(Array(page.document.utf8))
        try timing.show(report)
    }

    /// The arguments that repeat the measurement: those that are not the defaults.
    private var repeating: [String] {
        var words: [String] = []
        if let path = model.model { words += ["--model", path] }
        if let backend = model.backend { words += ["--backend", backend.rawValue] }
        if let frontEnd = model.frontEnd { words += ["--front-end", frontEnd.rawValue] }
        for tier in model.excludeTier { words += ["--exclude-tier", tier.name] }
        if let clip { words += ["--clip", clip] }
        if body { words += ["--body", "--maximum-bodies", "\(maximumBodies)"] }
        if emptyScene { words.append("--empty-scene") }
        if clips.allowMissingFrames { words.append("--allow-missing-frames") }
        return words + ["--rate", "\(rate)", "--frames", "\(frames)", "--windows", "\(windows)"] + timing.repeating
    }

    func conditions(_ loop: TimingLoop, rate: Int, step: LatencySamples) -> TimingConditions {
        TimingConditions(
            options: repeating, cores: Machine.cores, pinnedCore: timing.pin, loop, steps: step, rate: rate)
    }

    /// Frames that are pushed before the timed ones, by pixels.
    private static let warmUp = 200
    /// The rate of the synthetic frames.
    private static let pixelRate = 120

    /// Nil if a signal came before the first timed frame.
    private func measure() throws -> (report: LatencyReport, steps: LatencySamples)? {
        try timing.pinThread()
        let images = SyntheticFrames(width: 1280, height: 720)
        let configuration = model.configuration
        let clock = ContinuousClock()
        // Frames that already have the network's size, as in measurements of other engines.
        let small = SyntheticFrames(width: Preprocessor.side, height: Preprocessor.side)
        let begin = clock.now
        let engine = try model.makeEngine()
        let first = try predictOnce(engine, configuration, small)
        let cold = withExtendedLifetime(first) { (clock.now - begin) / .microseconds(1) }
        let tier = KernelRegistry.select(excluding: configuration.advanced.excludedTiers)
        let count = frames + windows

        let stream = try model.makeStream(engine, configuration)
        var whole = LatencySamples(capacity: count)
        let stages = try StageBench(
            engine: engine, configuration: configuration, backend: model.backend, kernels: tier, capacity: count)

        var allocations: Int?
        func push(_ index: Int, isTimed: Bool) throws {
            let time = Duration.nanoseconds(index * 1_000_000_000 / Self.pixelRate)
            let view = try images.view(index)
            let before = heapAllocations
            let start = clock.now
            let result = stream.push(view, at: time)
            let elapsed = clock.now - start
            guard case .encoded = result.outcome else { throw BenchFailure.notEncoded(frame: index) }
            if isTimed, let before, let after = heapAllocations {
                allocations = (allocations ?? 0) + after - before
            }
            whole.add(elapsed)
            stages.step(view, at: time, clock: clock)
        }
        for index in 0..<Self.warmUp { try push(index, isTimed: false) }
        whole = LatencySamples(capacity: count)
        stages.forgetSamples(capacity: count)
        var loop = timing.loop("latency", frames: frames)
        while loop.goesOn() { try push(Self.warmUp + loop.count - 1, isTimed: true) }
        guard loop.count > 0 else { return nil }
        for index in 0..<windows where !Interruption.hasCome { stages.window(try images.view(index), clock: clock) }

        let report = LatencyReport(
            cpu: Machine.cpuModel, tier: tier.tier, backend: stages.backend.rawValue, threads: 1,
            streaming: .init(
                step: whole.summary, network: stages.network.summary, encoder: stages.encoder.summary,
                temporal: stages.temporal.summary, preprocess: stages.preprocess.summary,
                recognition: stages.recognition.summary),
            window: .init(step: stages.windowStep.summary, network: stages.windowNetwork.summary),
            cold_us: cold, allocations_per_frame: allocations.map { Double($0) / Double(loop.count) },
            peak_rss_bytes: Machine.peakResidentBytes, conditions: conditions(loop, rate: Self.pixelRate, step: whole))
        return (report, whole)
    }

    /// Nil if a signal came before the first timed frame.
    private func measureLandmarks(_ images: CameraFrames) throws -> (
        report: LandmarkLatencyReport, steps: LatencySamples
    )? {
        try timing.pinThread()
        var configuration = model.configuration
        configuration.rate = PacingConfiguration.Rate(rawValue: rate) ?? .hz30
        let stream = try model.makeEngine(defaultFrontEnd: .landmarks).makeStream(configuration)
        var samples = LandmarkSamples(capacity: frames)
        let clock = ContinuousClock()
        var allocations: Int?
        var loop = timing.loop("latency", frames: frames)
        var index = -1
        while index + 1 < Self.landmarkWarmUp || loop.goesOn() {
            index += 1
            let view = try images.view(index)
            let before = heapAllocations
            let start = clock.now
            let result = stream.push(view, at: .nanoseconds(index * 1_000_000_000 / rate))
            let elapsed = clock.now - start
            guard case .encoded = result.outcome, let times = stream.stageTimes else {
                throw BenchFailure.notEncoded(frame: index)
            }
            guard index >= Self.landmarkWarmUp else { continue }
            if let before, let after = heapAllocations { allocations = (allocations ?? 0) + after - before }
            samples.add(times, step: elapsed, showsHand: !stream.hands.isEmpty)
        }
        let count = loop.count
        guard count > 0 else { return nil }
        let hands = samples.hands
        guard emptyScene ? hands == 0 : 2 * hands >= count else {
            throw emptyScene
                ? BenchFailure.someHands(clip: images.path, frames: hands)
                : .fewHands(clip: images.path, frames: hands, of: count)
        }
        // A stream that restarts has no hand to track.
        for index in 0..<max(20, count / 10) where !Interruption.hasCome {
            _ = stream.finish()
            let time = Duration.nanoseconds((Self.landmarkWarmUp + count + index) * 1_000_000_000 / rate)
            _ = stream.push(try images.view(index), at: time)
            if let times = stream.stageTimes { samples.addPalm(times) }
        }
        let step = samples.step.summary
        let report = LandmarkLatencyReport(
            cpu: Machine.cpuModel, tier: KernelRegistry.select(excluding: configuration.advanced.excludedTiers).tier,
            threads: 1, front_end: FrontEnd.landmarks.rawValue,
            streaming: samples.streaming(step, hasArms: model.arms == true), tracked: samples.tracked.summary,
            step_mean_us: step.mean_us, detections: samples.detections, frames_with_hands: hands,
            allocations_per_frame: allocations.map { Double($0) / Double(count) },
            peak_rss_bytes: Machine.peakResidentBytes, conditions: conditions(loop, rate: rate, step: samples.step))
        return (report, samples.step)
    }

    private static let landmarkWarmUp = 60

    /// A stream after its first sixteen frames.
    private func predictOnce(
        _ engine: GestureEngine, _ configuration: GestureEngine.Configuration, _ images: SyntheticFrames
    ) throws -> GestureStream {
        let stream = try model.makeStream(engine, configuration)
        for index in 0..<GestureTCN.windowLength {
            let result = stream.push(try images.view(index), at: .nanoseconds(index * 1_000_000_000 / 120))
            guard case .encoded = result.outcome else { throw BenchFailure.notEncoded(frame: index) }
        }
        return stream
    }
}

/// The times of the stages by landmarks, over the timed frames.
private struct LandmarkSamples {
    private(set) var step, tracked: LatencySamples
    private var crop, landmark, palm, pose, arms, motion, features, temporal, recognition: LatencySamples
    /// Frames that show a hand, and frames in which the palm detector ran.
    private(set) var (hands, detections) = (0, 0)

    init(capacity: Int) {
        let empty = LatencySamples(capacity: capacity)
        (step, tracked, crop, landmark, palm, pose, arms) = (empty, empty, empty, empty, empty, empty, empty)
        (motion, features, temporal, recognition) = (empty, empty, empty, empty)
    }

    mutating func add(_ times: StageTimes, step elapsed: Duration, showsHand: Bool) {
        step.add(elapsed)
        crop.add(nanoseconds: times.column.crop)
        landmark.add(nanoseconds: times.column.landmark)
        if times.column.pose > 0 { pose.add(nanoseconds: times.column.pose) }
        addPalm(times)
        if times.column.arms > 0 { arms.add(nanoseconds: times.column.arms) }
        motion.add(nanoseconds: times.column.motion)
        features.add(nanoseconds: times.column.features)
        temporal.add(nanoseconds: times.temporal)
        recognition.add(nanoseconds: times.recognition)
        if times.column.palm > 0 { detections += 1 }
        guard showsHand else { return }
        hands += 1
        if times.column.palm == 0 { tracked.add(elapsed) }
    }

    /// Adds the time of the palm detector, where it ran.
    mutating func addPalm(_ times: StageTimes) {
        if times.column.palm > 0 { palm.add(nanoseconds: times.column.palm) }
    }

    func streaming(_ step: LatencySummary, hasArms: Bool) -> LandmarkLatencyReport.Streaming {
        .init(
            step: step, crop: crop.summary, landmark: landmark.summary, palm: palm.summary, pose: pose.summary,
            arms: hasArms ? arms.summary : nil, motion: motion.summary, features: features.summary,
            temporal: temporal.summary, recognition: recognition.summary)
    }
}
