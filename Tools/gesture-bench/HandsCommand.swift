import ArgumentParser
import BodyPose
import Clips
import FileOutput
import Frames
import GestureEngine
import Platform
import ToolSupport

/// The hands of a clip, frame by frame.
struct HandsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "hands",
        abstract: "Track the hands of a recorded clip.",
        discussion: """
            Prints a line of text a frame: its time, and of each hand which one it is, its number, presence and pose, and where \
            the wrist is. With --json it is one JSON object a frame and line: x and y are normalised to the frame's width and \
            height, from its top left; z is normalised to its width, away from the camera, from the wrist. Points are numbered as MediaPipe's; `pose` has a score \
            of each pose by MediaPipe's names. With --columns also \
            what the temporal layers see of the frame, as codes, and its width over its height: the door for training.
            """)

    @Argument(help: "A video file, a directory of images, or - for Y4M on standard input.")
    var clip: String

    @OptionGroup var model: ModelOptions
    @OptionGroup var clips: ClipOptions

    @Option(help: "Hands that are followed at once: 1 to 4.") var maximumHands = 1
    @Flag(help: "Smooth the landmarks as MediaPipe does.") var smoothed = false
    @Option(help: "Least milliseconds from one palm detection to the next, 0...10000.") var detectionInterval = 30
    @Option(help: "An MP4 file to write the clip to with its hands drawn in.") var overlay: String?
    @Flag(help: "One JSON object a frame and line; without it a line of text a frame.") var json = false
    @Flag(help: "With --json, one hand and no smoothing: the column of 128 codes of each frame.") var columns = false

    @Flag(help: "Look for hands about the wrists of people, too: finds hands that are small in the frame.")
    var withBody = false
    @Flag(help: "With --json: how many milliseconds each frame took, and of them the body.") var timing = false
    @OptionGroup var progress: ProgressOptions

    func validate() throws {
        guard GestureEngine.Configuration.allowedHands.contains(maximumHands) else {
            throw ValidationError("--maximum-hands must be from 1 to 4, not \(maximumHands)")
        }
        guard json || !timing else { throw ValidationError("--timing needs --json.") }
        guard !columns || (json && maximumHands == 1 && !smoothed) else {
            throw ValidationError("--columns needs --json and one hand, and cannot be used with --smoothed.")
        }
        guard (0...10_000).contains(detectionInterval) else {
            throw ValidationError("--detection-interval must be from 0 to 10000, not \(detectionInterval)")
        }
    }

    func run() async throws {
        try await Terminal.reporting("gesture-bench") { try await work() }
    }

    private func work() async throws {
        let target = try overlay.map { try OutputTarget($0, besides: InputFiles([clip] + model.files)) }
        let engine = try model.makeEngine(defaultFrontEnd: .landmarks)
        let source = try await clips.source(for: "gesture-bench", listsFramesFirst: false).open(clip)
        var configuration = model.configuration
        configuration.maximumHands = maximumHands
        configuration.advanced.hands.isSmoothed = smoothed
        configuration.advanced.hands.detectionInterval = .milliseconds(detectionInterval)
        Interruption.listen()
        let video = try target.map { try OverlayVideo($0, rate: source.info.rate, stallLimit: clips.stallLimit) }
        let tracker = try naming(model.model ?? "") { try engine.makeHandStream(configuration) }
        let bodies =
            withBody ? try BodyPoseEngine(excludedTiers: configuration.advanced.excludedTiers).makeStream() : nil
        let shown = progress.progressBesideLines("hands", total: source.info.duration?.inSeconds)
        var index = 0
        var sighting = Sighting(of: .hand)
        try await source.forEachFrame { frame in
            shown.update(frame.time.inSeconds)
            let begun = Stopwatch.now()
            bodies?.track(try frame.colorView(), at: frame.time)
            let tracked = Stopwatch.now()
            tracker.track(try frame.colorView(), at: frame.time, near: bodies?.handRegions ?? [])
            let ended = Stopwatch.now()
            sighting.add(try frame.colorView(), isFound: !tracker.hands.isEmpty)
            var line = Line(frame: index, time_s: frame.time.inSeconds, hands: tracker.hands.map(Line.Hand.init))
            if timing {
                line.step_ms = Double(ended - begun) / 1e6
                line.body_ms = withBody ? Double(tracked - begun) / 1e6 : nil
            }
            if columns {
                let made = tracker.column(of: try frame.colorView(), at: frame.time)
                (line.column, line.aspect) = (made.values, made.aspect)
            }
            try Terminal.print(json ? try Terminal.json(line) : line.text)
            index += 1
            guard let video else { return true }
            var picture = OverlayPicture(try frame.colorView())
            for (place, hand) in tracker.hands.enumerated() {
                picture.draw(hand)
                let said = "\(hand.handedness.rawValue) \(hand.identity) \(decimals(Double(hand.presence), 2))"
                picture.write([said, hand.pose?.caption].compactMap(\.self).joined(separator: " "), line: place)
            }
            try await video.add(picture)
            return true
        }
        shown.finish()
        try await video?.finish()
        sighting.report(quiet: progress.quiet)
    }

    /// The printed line; property names are the JSON keys.
    private struct Line: Encodable {
        struct Hand: Encodable {
            let id: Int
            let handedness: String
            let right_handedness: Float
            let presence: Float
            let pose: [String: Float]?
            let landmarks: [[Float]]
            let world_landmarks: [[Float]]

            init(_ hand: TrackedHand) {
                pose = hand.pose.map { pose in
                    Dictionary(uniqueKeysWithValues: TrackedHand.Pose.Name.allCases.map { ($0.rawValue, pose[$0]) })
                }
                id = hand.identity
                handedness = hand.handedness.rawValue
                right_handedness = hand.rightHandedness
                presence = hand.presence
                landmarks = Self.rows(hand.landmarks)
                world_landmarks = Self.rows(hand.worldLandmarks)
            }

            private static func rows(_ points: TrackedHand.Points) -> [[Float]] {
                (0..<TrackedHand.Points.count).map { [points[$0].x, points[$0].y, points[$0].z] }
            }
        }

        let frame: Int
        let time_s: Double
        let hands: [Hand]
        var column: [UInt8]?
        var aspect: Float?
        var step_ms: Double?
        var body_ms: Double?

        var text: String {
            let list = hands.map {
                let pose = $0.pose?.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key ?? "no pose"
                return
                    "\($0.handedness) hand \($0.id), presence \(decimals(Double($0.presence), 2)), \(pose), wrist at "
                    + "\(decimals(Double($0.landmarks[0][0]), 3)), \(decimals(Double($0.landmarks[0][1]), 3))"
            }
            return "\(decimals(time_s, 3)) s  \(list.isEmpty ? "-" : list.joined(separator: "; "))"
        }
    }
}
