import ArgumentParser
import Clips
import Frames
import GestureEngine
import GestureHands
import GesturePixels
import PixelFrontEnd
import Scheduling
import ToolSupport

/// Counts the heap allocations of pushed frames, with all optional stages enabled.
struct AllocationsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "allocations",
        abstract: "Count heap allocations a frame on the synchronous path; status 1 if there are any.",
        discussion: """
            Frames are 1280x720 NV12, some late, some with a time that is refused, after a warm-up of 200. Events are \
            read and not kept. By landmarks, the default, they are those of --clip or of the package's demo clip, with a \
            hand and without one in turn; with --front-end pixels they are synthetic; with --body, with people and without in turn, so that they are found, held and lost.
            """)

    @OptionGroup var clips: ClipOptions
    @Option(help: "landmarks or pixels: what is counted. By default landmarks.") var frontEnd: FrontEnd?
    @Option(help: "A model of landmarks made by gesture-import, for landmarks; the bundled one by default.")
    var model: String?
    @Flag(help: "Count those of following people instead of gestures.") var body = false
    @Option(help: "A clip that shows a hand, for landmarks, by default \(DemoClip.path); or a person, for bodies.")
    var clip: String?
    @Option(help: "Frames to count in each configuration, 100...1000000.") var frames = 3000
    @OptionGroup var progress: ProgressOptions

    func validate() throws {
        guard (100...1_000_000).contains(frames) else {
            throw ValidationError("--frames must be from 100 to 1000000, not \(frames)")
        }
        guard !(body && frontEnd != nil) else { throw ValidationError("--front-end cannot be used with --body.") }
        guard model == nil || !body && frontEnd != .pixels else { throw ValidationError("--model needs landmarks.") }
    }

    func run() async throws {
        try await Terminal.reporting("gesture-bench") { try await work() }
    }

    private func work() async throws {
        if body {
            guard let clip else { throw BenchFailure.noBodyClip }
            return try countBodies(try await CameraFrames(clips.source(for: "gesture-bench").open(clip)))
        }
        if frontEnd != .pixels { return try countLandmarks(try await DemoClip.frames(clip, clips)) }
        let engine = try GestureEngine(pixels: .bundled)
        let images = SyntheticFrames(width: 1280, height: 720)
        for (name, configuration, pixels) in Self.configurations {
            let stream = try engine.makeStream(configuration, pixels: pixels)
            try count(name) { index in
                // Every 50th frame is missing, every 70th has a time before the previous one.
                guard !index.isMultiple(of: 50) else { return }
                let time = index.isMultiple(of: 70) ? 0 : index * 1_000_000_000 / 120
                _ = stream.push(try images.view(index), at: .nanoseconds(time))
            }
        }
    }

    /// Counts the allocations of frames after the first 200 and prints them.
    /// - Parameters:
    ///   - push: takes in the frame with this index.
    ///   - look: runs after each frame, and is not counted.
    ///   - result: what the line says besides; it throws if the frames did not show what they had to.
    /// - Throws: if there were any.
    func count(
        _ name: String, push: (_ index: Int) throws -> Void, look: (_ index: Int) -> Void = { _ in },
        result: () throws -> String = { "" }
    ) throws {
        var counted = 0
        let shown = progress.progress(name, total: 200 + frames, unit: "frames")
        for index in 0..<200 + frames {
            shown.update(index)
            guard let before = heapAllocations else { throw BenchFailure.allocationsUncounted }
            try push(index)
            if index >= 200, let after = heapAllocations { counted += after - before }
            look(index)
        }
        try Terminal.print("\(name): \(counted) allocations in \(frames) frames\(try result())")
        guard counted == 0 else { throw BenchFailure.allocations(count: counted) }
    }

    /// The last 20 of every 60 frames are gray and show no hand, so that the hand is lost and found again.
    private func countLandmarks(_ images: CameraFrames) throws {
        let engine = try naming(model ?? "") {
            try GestureEngine(hands: .lite(gestures: model.map { .file(path: $0) }))
        }
        let empty = SyntheticFrames(width: CameraFrames.width, height: CameraFrames.height)
        for (name, configuration) in Self.landmarkConfigurations {
            let stream = try engine.makeStream(configuration)
            let places = configuration.maximumHands == 2 ? Self.handRegions : []
            var hands = 0
            try count(name) { index in
                let time = Duration.nanoseconds(index * 1_000_000_000 / 30)
                if index % 60 < 40 {
                    _ = stream.push(try images.view(index), at: time, near: places)
                } else {
                    _ = stream.push(try empty.view(index), at: time, near: places)
                }
            } look: { index in
                if index % 60 < 40, !stream.hands.isEmpty { hands += 1 }
            } result: {
                guard 6 * hands >= frames else {
                    throw BenchFailure.fewHands(clip: images.path, frames: hands, of: frames)
                }
                return ", \(hands) with a hand"
            }
        }
    }

    private static let handRegions = [
        TrackedRegion(centerX: 640, centerY: 360, side: 500, rotation: 0.2),
        TrackedRegion(centerX: 200, centerY: 600, side: 200),
    ]

    private static var landmarkConfigurations: [(String, GestureEngine.Configuration)] {
        var smooth = GestureEngine.Configuration()
        smooth.advanced.hands.isSmoothed = true
        smooth.maximumHands = 2
        smooth.gesturingHand = .right
        smooth.pointer = HandPointer.Configuration()
        return [
            ("landmarks", GestureEngine.Configuration()),
            ("two hands near regions, smoothed, pointers, a right one gestures", smooth),
        ]
    }

    private static var configurations: [(String, GestureEngine.Configuration, PixelConfiguration)] {
        let all = GestureEngine.Configuration(
            orientation: .right, scheduling: SchedulingConfiguration(),
            advanced: GestureEngine.Configuration.Advanced(directions: .upMirrored))
        let options = PixelConfiguration(
            isMirrored: true, crop: .fit, units: ["int8", "float"], evensExposure: true)
        return [
            ("defaults", GestureEngine.Configuration(), PixelConfiguration()),
            ("float", GestureEngine.Configuration(), PixelConfiguration(backend: .float)),
            ("all on: schedule, two units, exposure, quality, directions, turned and fitted", all, options),
        ]
    }
}
