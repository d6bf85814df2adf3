import ArgumentParser
import BodyPose
import Clips
import FileOutput
import GestureEngine
import Platform
import ToolSupport

/// The people of a clip, frame by frame.
struct BodyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "body",
        abstract: "Track the people of a recorded clip.",
        discussion: """
            One JSON object a frame and line: x and y are normalised to the frame's width and height, from its top left, z is \
            normalised to its width, away from the camera, from the hips, and the fourth number is how likely the point is visible. \
            Points are numbered as MediaPipe's; world_landmarks are metres. joints are the 19 of Apple's Vision by name: x, y \
            and confidence, from the top left like the landmarks (Vision's y is 1 less this one); those that were not \
            recognised are left out.
            """)

    @Argument(help: "A video file, a directory of images, or - for Y4M on standard input.")
    var clip: String

    @OptionGroup var clips: ClipOptions

    @Option(help: "People that are followed at once: 1 to 4.") var maximumBodies = 1
    @Flag(inversion: .prefixedNo, help: "Smooth the points.") var smoothed = true
    @Option(help: "Least milliseconds from one detection to the next, 0...10000.") var detectionInterval = 100
    @Option(help: "Milliseconds for which a person who is not seen is held, 0...10000.") var hold = 1_000
    @Option(help: "A graph of a pose-landmark network, lite, full or heavy, made by gesture-import.") var model: String?
    @Option(help: "A graph of a pose detector, made by gesture-import.") var detector: String?
    @Option(help: ArgumentHelp("A kernel tier not to use; may be repeated.", valueName: "tier"))
    var excludeTier: [TierName] = []
    @Option(help: "Count the movements of the largest person.")
    var activity: ActivityName?
    @Option(help: "An MP4 file to write the clip to with its people drawn in.") var overlay: String?
    @Flag(help: "One JSON object a frame and line; without it a line of text a frame.") var json = false
    @Flag(help: "With --json: how many milliseconds each frame took.") var timing = false
    @OptionGroup var progress: ProgressOptions

    func validate() throws {
        guard BodyTrackingConfiguration.allowedBodies.contains(maximumBodies) else {
            throw ValidationError("--maximum-bodies must be from 1 to 4, not \(maximumBodies)")
        }
        guard (0...10_000).contains(detectionInterval) else {
            throw ValidationError("--detection-interval must be from 0 to 10000, not \(detectionInterval)")
        }
        guard (0...10_000).contains(hold) else { throw ValidationError("--hold must be from 0 to 10000, not \(hold)") }
        guard json || !timing else { throw ValidationError("--timing needs --json.") }
    }

    func run() async throws {
        try await Terminal.reporting("gesture-bench") { try await work() }
    }

    private func work() async throws {
        let files = InputFiles([clip] + [model, detector].compactMap(\.self))
        let target = try overlay.map { try OutputTarget($0, besides: files) }
        let engine = BodyPoseEngine(
            try BodyModels(detection: detector, landmarks: model), excludedTiers: Set(excludeTier.map(\.name)))
        let source = try await clips.source(for: "gesture-bench", listsFramesFirst: false).open(clip)
        let stream = try engine.makeStream(
            BodyTrackingConfiguration(
                maximumBodies: maximumBodies, detectionInterval: .milliseconds(detectionInterval),
                hold: .milliseconds(hold),
                smoothing: smoothed ? BodyTrackingConfiguration.Smoothing() : nil))
        Interruption.listen()
        let video = try target.map { try OverlayVideo($0, rate: source.info.rate, stallLimit: clips.stallLimit) }
        var watch = try activity.map { try ActivityWatch($0.activity) }
        let shown = progress.progressBesideLines("body", total: source.info.duration?.inSeconds)
        var index = 0
        var sighting = Sighting(of: .person)
        try await source.forEachFrame { frame in
            shown.update(frame.time.inSeconds)
            let begun = Stopwatch.now()
            stream.track(try frame.colorView(), at: frame.time)
            let elapsed = Stopwatch.now() - begun
            sighting.add(try frame.colorView(), isFound: !stream.bodies.isEmpty)
            try watch?.step(stream, frame, .nanoseconds(Int64(elapsed)))
            let line = Line(
                frame: index, time_s: frame.time.inSeconds, people: stream.bodies.map(Line.Person.init),
                step_back_in: stream.isBodyLost, step_ms: timing ? Double(elapsed) / 1e6 : nil,
                activity: watch?.state)
            try Terminal.print(json ? try Terminal.json(line) : line.text + (watch?.state.map { "  " + $0.text } ?? ""))
            index += 1
            guard let video else { return true }
            var picture = OverlayPicture(try frame.colorView())
            for (place, body) in stream.bodies.enumerated() {
                picture.draw(body)
                picture.write("person \(body.identity) \(decimals(Double(body.presence), 2))", line: place)
            }
            if let state = watch?.state { picture.write(state.text, line: stream.bodies.count) }
            try await video.add(picture)
            return true
        }
        shown.finish()
        try await video?.finish()
        sighting.report(quiet: progress.quiet)
        if !json, let watch { try Terminal.print(watch.summary) }
    }

    /// The printed line; property names are the JSON keys.
    private struct Line: Encodable {
        struct Person: Encodable {
            let id: Int
            let state: TrackedBody.State
            let presence: Float
            let landmarks: [[Float]]
            let world_landmarks: [[Float]]
            let joints: [String: [Float]]

            init(_ body: TrackedBody) {
                id = body.identity
                state = body.state
                presence = body.presence
                landmarks = Self.rows(body.landmarks, body.visibility)
                world_landmarks = Self.rows(body.worldLandmarks, body.visibility)
                var joints: [String: [Float]] = [:]
                for (name, point) in body.joints {
                    let place = point.topLeftLocation
                    joints[name.rawValue] = [place.x, place.y, point.confidence]
                }
                self.joints = joints
            }

            private static func rows(_ points: TrackedBody.Points, _ visibility: TrackedBody.Scores) -> [[Float]] {
                (0..<TrackedBody.Points.count).map { [points[$0].x, points[$0].y, points[$0].z, visibility[$0]] }
            }
        }

        let frame: Int
        let time_s: Double
        let people: [Person]
        let step_back_in: Bool
        let step_ms: Double?
        let activity: ActivityWatch.State?

        var text: String {
            let list = people.map {
                "person \($0.id) \($0.state.rawValue), presence \(decimals(Double($0.presence), 2)), nose at "
                    + "\(decimals(Double($0.landmarks[0][0]), 3)), \(decimals(Double($0.landmarks[0][1]), 3))"
            }
            let rest = step_back_in ? "step back into the picture" : "-"
            return "\(decimals(time_s, 3)) s  \(list.isEmpty ? rest : list.joined(separator: "; "))"
        }
    }
}
