import ArgumentParser
import FileOutput
import Foundation
import GestureEngine
import Platform
import ToolSupport

/// Teaches a gesture by recorded clips, as an app does by its camera.
struct EnrolCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "enrol",
        abstract: "Teach a gesture of one's own by a few clips of it.",
        discussion: """
            Each clip shows the gesture once. For a movement it begins and ends with half a second of rest; for a pose a \
            hand is held still for a second, and an image will do. The file is for replay, accuracy and serve with \
            --user-gestures, and for apps. With --user-gestures the new one is added to those of a file. It is refused, with what to \
            record instead, if it cannot be told apart from what the model knows and from the background.
            """)

    @Argument(help: "The label of its events.") var label: String
    @Argument(help: ArgumentHelp("Videos or images that show it.", valueName: "clip")) var examples: [String]
    @Option(name: .shortAndLong, help: "Where the gestures go.") var output: String
    @Option(
        parsing: .upToNextOption,
        help: ArgumentHelp("Clips of anything else that hands do, in which it must not be told.", valueName: "clip"))
    var background: [String] = []
    @Option(help: "automatic, movement or pose: what the clips show. By default each clip's own content decides.")
    var kind: EnrolmentConfiguration.Kind = .automatic
    @Option(help: ArgumentHelp("Gestures of one's own to which it is added.", valueName: "file")) var userGestures:
        String?
    @OptionGroup var model: ModelOptions
    @OptionGroup var stream: StreamOptions
    @OptionGroup var clips: ClipOptions
    @Flag(help: "Print one JSON object.") var json = false
    @OptionGroup var progress: ProgressOptions

    func run() async throws {
        try await Terminal.reporting("gesture-bench") { try await work() }
    }

    private func work() async throws {
        Interruption.listen()
        let read = InputFiles(examples + background + model.files + (userGestures.map { [$0] } ?? []))
        let target = try OutputTarget(output, besides: read)
        let engine = try model.makeEngine(defaultFrontEnd: .landmarks)
        var taught =
            try userGestures.map { path in try naming(path) { try engine.userGestures(path: path) } }
            ?? engine.noUserGestures()
        let recorder = ClipRecorder(
            engine: engine, model: model, stream: stream, source: clips.source(for: "gesture-bench"))
        let shown = progress.progress("enrol", total: examples.count + background.count, unit: "clips")
        var recordings: [GestureRecording] = []
        for path in examples + background {
            recordings.append(try await recorder.record(path))
            guard !Interruption.hasCome else { return }
            shown.update(recordings.count)
        }
        shown.finish()
        let report = try engine.enrol(
            label, from: Array(recordings.prefix(examples.count)),
            background: Array(recordings.dropFirst(examples.count)), into: &taught,
            configuration: EnrolmentConfiguration(kind: kind))
        try target.write(taught.bytes())
        for warning in report.warnings { Terminal.warn("gesture-bench", warning) }
        try Terminal.print(json ? try Terminal.json(Output(label, report, taught)) : text(report, taught))
    }

    private func text(_ report: UserGestures.EnrolmentReport, _ taught: UserGestures) -> String {
        let kinds = [report.isPose ? "a pose" : nil, report.isMovement ? "a movement" : nil].compactMap(\.self)
        let tested = report.falseEventsPerMinute.map {
            ", made up \(decimals($0, 1)) times a minute where nothing is meant"
        }
        return
            "\(visible(label)) is taught as \(kinds.joined(separator: " and "))\(tested ?? ""); \(visible(output)) has "
            + taught.labels.map { visible($0) }.joined(separator: ", ") + "."
    }

    /// Property names are the keys.
    private struct Output: Encodable {
        let label: String
        let pose: Bool
        let movement: Bool
        let false_events_per_minute: Double?
        let warnings: [String]
        let gestures: [String]

        init(_ label: String, _ report: UserGestures.EnrolmentReport, _ taught: UserGestures) {
            self.label = label
            (pose, movement, warnings) = (report.isPose, report.isMovement, report.warnings)
            false_events_per_minute = report.falseEventsPerMinute
            gestures = taught.labels
        }
    }
}
