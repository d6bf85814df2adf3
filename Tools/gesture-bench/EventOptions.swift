import ArgumentParser
import GestureEngine
import Recognition
import ToolSupport

/// Options that add events to those of the model's classes, or hold them back.
struct EventOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "fist, victory, iLoveYou, pinch: poses that are gestures when they are held; several with commas.",
            valueName: "poses"))
    var heldPoses: String?

    @Option(
        help: ArgumentHelp(
            "Report these gestures alone, several with commas, as swipeLeft,grab.", valueName: "gestures")
    )
    var allowedClasses: String?

    @Option(
        help: ArgumentHelp(
            "Tell gestures only after this pose was held for half a second, such as openPalm or victory, and for so many "
                + "seconds afterwards, 1...3600 (by default 8).",
            valueName: "pose[:seconds]"))
    var wakePose: WakePose?

    @Option(
        help: ArgumentHelp("Gestures of one's own, as enrol, serve and the page write them.", valueName: "file"))
    var userGestures: String?

    func validate() throws {
        for label in poseLabels
        where label != Self.pinch && !HeldPoseConfiguration.defaultGestures.values.contains(label) {
            throw ValidationError("--held-poses takes fist, victory, iLoveYou and pinch, not \(label)")
        }
    }

    private static let pinch = "pinch"

    private var poseLabels: [String] { heldPoses?.split(separator: ",").map(String.init) ?? [] }

    /// The files that are read.
    var files: [String] { userGestures.map { [$0] } ?? [] }

    /// The gestures of the file; nil without one.
    func userGestures(of engine: GestureEngine) throws -> UserGestures? {
        try userGestures.map { path in try naming(path) { try engine.userGestures(path: path) } }
    }

    func apply(to configuration: inout GestureEngine.Configuration, of engine: GestureEngine) throws {
        configuration.userGestures = try userGestures(of: engine)
        configuration.advanced.wake = wakePose?.configuration
        if let allowedClasses {
            var recognition =
                configuration.recognition
                ?? engine.defaultRecognition(at: configuration.rate, sensitivity: configuration.sensitivity)
            recognition.allowedClasses = Set(allowedClasses.split(separator: ",").map { .label(String($0)) })
            configuration.recognition = recognition
        }
        guard heldPoses != nil else { return }
        configuration.heldPoses = HeldPoseConfiguration(
            gestures: HeldPoseConfiguration.defaultGestures.filter { poseLabels.contains($0.value) },
            pinch: poseLabels.first { $0 == Self.pinch })
    }
}
