import ArgumentParser
import BodyPose
import Clips
import FileOutput
import Foundation
import Frames
import GestureEngine
import Network
import PixelFrontEnd
import Platform
import Scheduling
import ToolSupport

/// Runs a recorded clip through the engine and shows the events.
struct ReplayCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "replay",
        abstract: "Recognise the gestures of a recorded clip, or of Y4M on standard input.",
        discussion: """
            A video file of any format that ffmpeg reads and that keeps all frames in the one file. A webcam on Linux: \
            ffmpeg -f v4l2 -i /dev/video0 -f yuv4mpegpipe -pix_fmt yuv420p - | gesture-bench replay -
            """)

    @Argument(help: "A video file, a directory of images, or - for Y4M on standard input.")
    var clip: String

    @OptionGroup var model: ModelOptions
    @OptionGroup var stream: StreamOptions
    @OptionGroup var events: EventOptions
    @OptionGroup var clips: ClipOptions

    @Option(help: "An MP4 file to write the clip to with hand, gesture, confidence and pace drawn in.")
    var overlay: String?
    @Option(
        help: ArgumentHelp(
            "Write a page here: pictures with skeletons and pointers, scores, events, and why gestures were not reported.",
            valueName: "file"))
    var html: String?
    @Flag(help: "One JSON object per event and line.") var json = false
    @Flag(help: "Look for hands about the wrists of people, too: finds hands that are small in the frame.")
    var withBody = false
    @Flag(help: "Follow a hand as a pointer; with --json a line a frame.") var pointer = false
    @OptionGroup var progress: ProgressOptions

    func run() async throws {
        try await Terminal.reporting("gesture-bench") { try await work() }
    }

    private func work() async throws {
        let read = InputFiles([clip] + model.files + events.files)
        let target = try overlay.map { try OutputTarget($0, besides: read) }
        let page = try html.map { try OutputTarget($0, besides: read) }
        Interruption.listen()
        let engine = try model.makeEngine(defaultFrontEnd: .landmarks, watchesArms: true)
        let source = try await clips.source(for: "gesture-bench", listsFramesFirst: false).open(clip)
        let rate = stream.nominalRate(for: source.info)
        let pointing = HandPointer.Configuration()
        let gestures = try stream.makeStream(
            engine, model, rate: rate, events: events, pointer: pointer ? pointing : nil)
        let bodies =
            withBody ? try BodyPoseEngine(excludedTiers: model.configuration.advanced.excludedTiers).makeStream() : nil
        var output: any ReplayOutput =
            json ? JSONReplayOutput() : TimelineReplayOutput(source.info, rate: rate, engine: engine)

        var watch = try page.map { _ in try ReplayWatch(gestures, of: engine, rate: rate) }
        let shown = progress.progress("replay", total: source.info.duration?.inSeconds)
        let video = try target.map { try OverlayVideo($0, rate: source.info.rate, stallLimit: clips.stallLimit) }
        try output.start()
        var last = Duration.zero
        // The pixel network has no hands, so only the landmark front end can miss them.
        var sighting: Sighting? = engine.frontEnd == .landmarks ? Sighting(of: .hand) : nil
        var failure: (any Error)?
        do {
            try await source.forEachFrame { frame in
                bodies?.track(try frame.colorView(), at: frame.time)
                let result = gestures.push(
                    try frame.colorView(), at: frame.time, near: bodies?.handRegions ?? [])
                sighting?.add(try frame.colorView(), isFound: !gestures.hands.isEmpty)
                for change in result.changes where !change.isReportedAsWarning() { try output.change(change) }
                for event in result.events { try output.event(event) }
                if let pointers = result.pointer { try output.pointer(pointers) }
                try watch?.add(frame, result, of: gestures, pointing)
                shown.update(frame.time.inSeconds)
                last = frame.time
                guard let video else { return true }
                var picture = OverlayPicture(try frame.colorView())
                for hand in gestures.hands { picture.draw(hand) }
                if let pointers = result.pointer { picture.draw(pointers, isMirrored: pointing.isMirrored) }
                for (line, text) in Self.captions(of: gestures, result).enumerated() { picture.write(text, line: line) }
                try await video.add(picture)
                return true
            }
        } catch {
            // The results before the failure are shown before its reason.
            failure = error
        }
        shown.finish()
        let final = gestures.finish()
        for event in final { try output.event(event) }
        try output.finish(at: last, counts: gestures.counts)
        if let watch, let page {
            try page.write(Array(try await watch.page(of: source.info, final, gestures).utf8))
        }
        sighting?.report(quiet: progress.quiet)
        if let failure { throw failure }
        try await video?.finish()
    }

    /// The captions of a frame: the current gesture, the class of the newest frames, the state of the stream, and the
    /// hand's pose.
    private static func captions(of stream: GestureStream, _ result: FrameResult) -> [String] {
        let seen = result.prediction.map {
            "\(stream.labels[$0.classIndex]) \(decimals(Double($0.confidence), 2))"
        }
        let lines = [
            stream.activeGesture ?? "-", "sees " + (seen ?? "-"),
            "pace \(stream.schedulerState.pace), \(stream.activeUnit)",
        ]
        return lines + (stream.hands.first?.pose.map { ["pose " + $0.caption] } ?? [])
    }
}

/// Options that define how a clip's frames become a stream.
struct StreamOptions: ParsableArguments {
    @Option(help: "The camera's nominal rate: 30, 60 or 120. By default the next one from the clip's own rate up.")
    var rate: Int?

    @Option(help: "stretch, fit or fill: how frames become square. The bundled model was trained on stretch.")
    var crop: PixelView.CropMode = .stretch

    @Option(
        help: "full, half, third or sixth: which slots are encoded, as under heat; the others repeat a column.")
    var pace: PaceName = .full

    @Option(help: "on or off: even out the exposure of the frames.") var exposure: Switch = .off

    @Option(help: "low, medium or high: how readily gestures begin.")
    var sensitivity: GestureEngine.Sensitivity = .medium

    func validate() throws {
        if let rate, PacingConfiguration.Rate(rawValue: rate) == nil {
            throw ValidationError("--rate must be 30, 60 or 120, not \(rate)")
        }
    }

    /// The nominal rate of a clip: the option, or the lowest grid on which none of its frames is surplus.
    func nominalRate(for info: ClipInfo) -> PacingConfiguration.Rate {
        if let rate, let nominal = PacingConfiguration.Rate(rawValue: rate) { return nominal }
        let clipRate = info.rate?.hertz ?? 30
        // Cameras run up to one per cent fast.
        return PacingConfiguration.Rate.allCases.first { Double($0.rawValue) * 1.01 >= clipRate } ?? .hz120
    }

    /// The part of the configuration that does not depend on the device.
    func configuration(_ model: ModelOptions, rate: PacingConfiguration.Rate) -> GestureEngine.Configuration {
        var configuration = model.configuration
        configuration.rate = rate
        configuration.sensitivity = sensitivity
        return configuration
    }

    func makeStream(
        _ engine: GestureEngine, _ model: ModelOptions, rate: PacingConfiguration.Rate, events: EventOptions,
        pointer: HandPointer.Configuration? = nil
    ) throws -> GestureStream {
        var configuration = configuration(model, rate: rate)
        configuration.pointer = pointer
        try events.apply(to: &configuration, of: engine)
        return try makeStream(engine, configuration, backend: model.backend)
    }

    /// - Parameters:
    ///   - backend: of the pixel network.
    ///   - network: replaces that of the engine.
    func makeStream(
        _ engine: GestureEngine, _ configuration: GestureEngine.Configuration, backend: Backend? = nil,
        network: (any FrameNetwork)? = nil
    ) throws -> GestureStream {
        var configuration = configuration
        // Only the requested pace: the results for a recording must not depend on the machine.
        if pace != .full {
            configuration.scheduling = SchedulingConfiguration(followsDeadlines: false, followsStillness: false)
        }
        let stream: GestureStream
        if engine.frontEnd == .pixels, network == nil {
            let pixels = PixelConfiguration(crop: crop, backend: backend, evensExposure: exposure == .on)
            stream = try engine.makeStream(configuration, pixels: pixels)
        } else {
            stream = try engine.makeStream(configuration, network: network, clock: .system)
        }
        switch pace {
        case .full: break
        case .half: stream.update(DeviceReading(thermal: .fair))
        case .third: stream.update(DeviceReading(thermal: .serious))
        case .sixth: stream.update(DeviceReading(thermal: .critical))
        }
        return stream
    }
}
