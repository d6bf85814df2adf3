import ArgumentParser
import BodyPose
import Clips
import FileOutput
import Foundation
import Frames
import GestureEngine
import PixelFrontEnd
import Platform
import Scheduling
import Streams
import Synchronization
import ToolSupport

/// Plays a clip in a loop in real time through a live stream, like a camera, and accounts for every frame.
struct LiveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "live",
        abstract: "Run a live stream in real time for a while: pace, drops, latency and memory.",
        discussion: """
            The clip's frames are pushed at the camera's rate, stamped with the clock. --hog lets other threads take the \
            processor for part of the run; pin the whole to one core to make them share it: taskset -c 1 gesture-bench \
            live CLIP --duration 600 --hog 120...180. Ends with status 1 if the counts do not add up. SIGINT and SIGTERM end \
            the run before its time, with its summary and its log. With --body it is a live stream of bodies, whose pace \
            heat and battery alone decide.
            """)

    @Argument(help: "A video file; all of it is decoded into memory first.") var clip: String
    @OptionGroup var model: ModelOptions
    @OptionGroup var clips: ClipOptions
    @Flag(help: "Follow people instead of gestures.") var body = false
    @Option(help: "People that are followed at once, for bodies: 1 to 4.") var maximumBodies = 1
    @Option(help: "Frames a second that the camera gives, 1...240; its nominal rate is the next of 30, 60 and 120.")
    var rate = 120.0
    @Option(help: "Seconds to run, 1...86400.") var duration = 60.0
    @Option(help: "Seconds of the run in which others take the processor, as 120...180.") var hog: SecondRange?
    @Option(help: "Threads that take it.") var hogs = 2
    @Option(
        parsing: .unconditional,
        help: "Their nice value, -20...19; below 0 the scheduler prefers them, which takes the right to ask for it.")
    var hogNice: Int32 = 0
    @Option(help: "Seconds between lines of the table, 0.001...86400.") var every = 10.0
    @Option(help: "A second unit to fall back to when the first is too slow: int8 or float.") var fallback: String?
    @Option(help: "A CSV file to write the table to.") var log: String?
    @Flag(help: "Do not ask the system how warm it is and what its battery holds.") var noSensors = false
    @Flag(help: "One JSON object at the end instead of the table.") var json = false

    func validate() throws {
        guard (1...240).contains(rate) else { throw ValidationError("--rate must be from 1 to 240, not \(rate)") }
        guard (1...86_400).contains(duration) else {
            throw ValidationError("--duration must be from 1 to 86400, not \(duration)")
        }
        guard (0...64).contains(hogs) else { throw ValidationError("--hogs must be from 0 to 64, not \(hogs)") }
        guard (-20...19).contains(hogNice) else {
            throw ValidationError("--hog-nice must be from -20 to 19, not \(hogNice)")
        }
        guard (0.001...86_400).contains(every) else {
            throw ValidationError("--every must be from 0.001 to 86400, not \(every)")
        }
        guard BodyTrackingConfiguration.allowedBodies.contains(maximumBodies) else {
            throw ValidationError("--maximum-bodies must be from 1 to 4, not \(maximumBodies)")
        }
        guard !(body && fallback != nil) else { throw ValidationError("--fallback cannot be used with --body.") }
        try model.validate(besideBody: body)
    }

    func run() async throws {
        try await Terminal.reporting("gesture-bench") { try await work() }
    }

    private func work() async throws {
        let target = try log.map { try OutputTarget($0, besides: InputFiles([clip] + model.files)) }
        var frames: [KeptFrame] = []
        try await clips.source(for: "gesture-bench").open(clip).forEachFrame { frame in
            frames.append(try KeptFrame(frame))
            return true
        }
        guard !frames.isEmpty else { throw BenchFailure.tooFewFrames(found: 0, needed: 1) }
        if body { return try await followBodies(frames, log: target) }

        var configuration = model.configuration
        configuration.rate =
            PacingConfiguration.Rate.allCases.first { Double($0.rawValue) * 1.01 >= rate } ?? .hz120
        let engine = try model.makeEngine(
            defaultFrontEnd: fallback == nil ? .landmarks : .pixels, watchesArms: true)
        let sensors: DeviceSensors? = noSensors ? nil : .system
        let live: LiveGestureStream
        if engine.frontEnd == .pixels {
            let units = fallback.map { [model.backend?.rawValue ?? "int8", $0] }
            live = try engine.makeLiveStream(
                configuration, pixels: PixelConfiguration(backend: model.backend, units: units), sensors: sensors)
        } else {
            live = try engine.makeLiveStream(configuration, sensors: sensors)
        }
        let report = try LiveReport(table: !json, log: target, every: .seconds(every))

        let begins = Atomic(0)
        let listener = Task { [events = live.events] in
            for await event in events where event.kind == .begin { begins.add(1, ordering: .relaxed) }
        }
        let watcher = Task { [changes = live.changes] in
            for await change in changes where !change.isReportedAsWarning() { try report.change(change) }
        }

        let pushed = try await play(frames) { frame, now in
            live.push(frame, at: now)
        } tick: { now, isHogged in
            try report.tick(now, live, isHogged)
        } finish: {
            live.finish()
            try report.finishLog()
        }
        await listener.value
        try await watcher.value
        let summary = report.summary(pushed: pushed, begins: begins.load(ordering: .relaxed), of: live)
        try Terminal.print(json ? try Terminal.json(summary) : summary.text)
        guard summary.counts_add_up else { throw BenchFailure.countsDisagree }
    }

    /// Pushes frames at their times until the duration is over or a signal ends the run. Returns the number of frames.
    /// - finish: ends the stream and its log, also where the run failed.
    func play(
        _ frames: [KeptFrame], push: (borrowing PixelView, Duration) -> Void, tick: (Duration, Bool) throws -> Void,
        finish: () throws -> Void
    ) async throws -> Int {
        let pushed: Int
        do {
            pushed = try await play(frames, push: push, tick: tick)
        } catch {
            try finish()
            throw error
        }
        try finish()
        return pushed
    }

    private func play(
        _ frames: [KeptFrame], push: (borrowing PixelView, Duration) -> Void, tick: (Duration, Bool) throws -> Void
    ) async throws -> Int {
        let clock = ContinuousClock()
        let start = clock.now
        let hogging = Hog(threads: hogs, nice: hogNice)
        Interruption.listen()
        var index = 0
        while !Interruption.hasCome {
            let due = Duration.seconds(Double(index) / rate)
            guard due < .seconds(duration) else { break }
            try await clock.sleep(until: start + due, tolerance: .zero)
            let now = start.duration(to: clock.now)
            let frame = frames[index % frames.count]
            push(try frame.pixelView(), now)
            hogging.isOn = hog?.contains(now.inSeconds) ?? false
            try tick(now, hogging.isOn)
            index += 1
        }
        hogging.end()
        return index
    }
}

/// A frame of the clip that is kept in memory.
struct KeptFrame {
    private let luma: [UInt8]
    /// Both planes, one after the other; empty for a clip without chroma and for one in RGBA.
    private let chroma: [UInt8]
    /// Four bytes a pixel; empty for a clip whose chroma is 4:2:0.
    private let colours: [UInt8]
    private let width: Int
    private let height: Int
    private let range: PixelView.LumaRange

    init(_ frame: borrowing ClipFrame) throws {
        let pixels = frame.pixels
        luma = pixels.indices.map { pixels[$0] }
        let view = try frame.colorView()
        colours = view.format == .rgba ? CameraFrames.array(view.plane) : []
        if let planes = view.chroma {
            chroma = CameraFrames.array(planes.blue) + CameraFrames.array(planes.red)
        } else {
            chroma = []
        }
        (width, height, range) = (frame.width, frame.height, frame.range)
    }

    @_lifetime(borrow self)
    func pixelView() throws(PixelView.FrameError) -> PixelView {
        guard colours.isEmpty else {
            return try PixelView(
                colours.span, format: .rgba, width: width, height: height, bytesPerRow: 4 * width)
        }
        guard !chroma.isEmpty else {
            return try PixelView(luma.span, format: .i420(range), width: width, height: height, bytesPerRow: width)
        }
        // All bytes of the arrays are initialised, so all may be read raw.
        let (luma, chroma) = unsafe (luma.span.bytes, chroma.span.bytes)
        let planes = PixelView.ChromaPlanes(
            blue: chroma.extracting(first: chroma.byteCount / 2), red: chroma.extracting(last: chroma.byteCount / 2),
            bytesPerRow: (width + 1) / 2)
        return try PixelView(
            luma, chroma: planes, format: .i420(range), width: width, height: height, bytesPerRow: width)
    }
}

/// A range of seconds on the command line, `120...180`.
struct SecondRange: ExpressibleByArgument {
    private let range: ClosedRange<Double>

    init?(argument: String) {
        let ends = argument.components(separatedBy: "...").compactMap { Double($0) }
        guard ends.count == 2, ends[0] >= 0, ends[0] <= ends[1] else { return nil }
        range = ends[0]...ends[1]
    }

    func contains(_ second: Double) -> Bool { range.contains(second) }
}

/// Threads that occupy the processor while they are switched on.
final class Hog: Sendable {
    private let state = Atomic(false)
    private let ended = Atomic(false)

    init(threads: Int, nice: Int32) {
        for _ in 0..<threads {
            Thread { [self] in
                CurrentThread.setNiceness(nice)
                var sum: UInt64 = 1
                while !ended.load(ordering: .relaxed) {
                    if state.load(ordering: .relaxed) {
                        for _ in 0..<100_000 { sum = sum &* 6_364_136_223_846_793_005 &+ 1 }
                    } else {
                        usleep(10_000)
                    }
                }
                withExtendedLifetime(sum) {}
            }.start()
        }
    }

    var isOn: Bool {
        get { state.load(ordering: .relaxed) }
        set { state.store(newValue, ordering: .relaxed) }
    }

    func end() { ended.store(true, ordering: .relaxed) }
}
