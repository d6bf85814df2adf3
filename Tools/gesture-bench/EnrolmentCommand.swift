import ArgumentParser
import Evaluation
import Foundation
import GestureEngine
import Platform
import ToolSupport

/// Adds gestures that the model does not know, from a few clips each, and measures them on the other clips.
struct EnrolmentCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "enrolment",
        abstract: "Measure gestures of a user's own, learned from a few clips of a directory.",
        discussion: """
            The directory, or its folders, hold clips with label files, or folders with a truth.csv, as for accuracy. Every label of an event that the \
            model has no class for is enrolled from a few of the clips that show it once, drawn by the seed; all other \
            clips are then streamed through the engine with the new gesture. It is found where its begin is decided \
            between the true onset and half a second after the true end. Every other begin of it is false: in clips that \
            show it ("own"), that show another new label ("new"), that show the model's own gestures ("known"), and in \
            clips of nothing ("null"). Detection is the mean over the draws that were not refused; "model changed" is \
            the share of clips in which begins of the model's own classes are others than without the gesture. With \
            --together the new labels of a draw go into one set, in the order of the alphabet, each told apart from \
            those before; a clip that one of them was learned from is not tested. A tested clip that lacks frames ends the \
            measurement: what the clips before it gave is shown, and the status is 65.

            With --poses the directory holds a folder for each pose with images or clips of hands that hold it. The text \
            before the first - of a file's name is its person. Each pose is taught from one file, by --repeats draws, and \
            looked for in all others: "found" are files of other people that show it, "false" those that show another \
            pose, "most" the pose that is called most, "no hand" files in which none is held still. An image is shown for \
            two seconds.

            With --movements the directory holds such folders of movements, in clips or in .npy arrays of columns, uint8 \
            [frames, 128] at 30 Hz, as hands --columns prints them; an array shows the movement from its first column to \
            its last. Each movement of each person is taught from --examples takes, and looked for in all others. The \
            files in --null are takes of anything else; "own alone" and "beside" count the model's own begins in these, \
            without and with the movement.
            """)

    @Argument(help: "A directory of clips with label files, or of folders of them.") var directory: String
    @Option(help: "Numbers of examples, with commas between.") var examples = CountList(values: [1, 3, 5, 10])
    @Option(help: "Draws of examples for each number.") var repeats = 5
    @Option(help: "Of the draws.") var seed: UInt64 = 1
    @Option(
        help: ArgumentHelp(
            "Clips of nothing for the enrolment, the first 64 by name; they are not tested.", valueName: "directory"))
    var background: String?
    @Option(
        help: ArgumentHelp(
            "Clips of the model's own classes for the enrolment, from which new gestures are told apart; they are not "
                + "tested.", valueName: "directory"))
    var bank: String?
    @Option(help: ArgumentHelp("Further clips of nothing to test on.", valueName: "directory")) var null: String?
    @Option(help: "found or labelled: the engine finds the gesture in an example, or the label file says where it is.")
    var spans: ExampleSpans = .found
    @Flag(help: "Refuse nothing that can be fitted: what refused gestures would have been worth.") var permissive =
        false
    @Flag(help: "Enrol all new labels beside each other, not one at a time.") var together = false
    @Flag(help: "The directory holds poses: teach each from one person and look for it on the others.") var poses =
        false
    @Flag(help: "The directory holds movements: teach each from a few takes and look for it in all others.")
    var movements = false
    @OptionGroup var model: ModelOptions
    @OptionGroup var stream: StreamOptions
    @OptionGroup var clipOptions: ClipOptions
    @Flag(help: "Print one JSON object, with every trial.") var json = false
    @OptionGroup var progress: ProgressOptions

    func validate() throws {
        guard (1...1000).contains(repeats) else {
            throw ValidationError("--repeats must be from 1 to 1000, not \(repeats)")
        }
    }

    func run() async throws {
        try await Terminal.reporting("gesture-bench") { try await work() }
    }

    private func work() async throws {
        Interruption.listen()
        let engine = try model.makeEngine()
        let recorder = ClipRecorder(
            engine: engine, model: model, stream: stream, source: clipOptions.source(for: "gesture-bench"))
        if poses {
            let run = try PoseRun(directory: directory, recorder)
            let shown = progress.progress("poses", total: run.fileCount, unit: "files")
            let rows = try await run.rows(repeats: repeats, seed: seed, shown)
            if json {
                for row in rows { try Terminal.print(try Terminal.json(row)) }
            } else {
                try Terminal.print(PoseRun.table(rows).lines.joined(separator: "\n"))
            }
            return
        }
        if movements {
            let run = MovementRun(
                recorder: recorder, files: try PersonFile.all(in: directory),
                nothing: try null.map(MovementRun.takes) ?? [])
            let shown = progress.progress("movements", total: run.files.count + run.nothing.count, unit: "files")
            let rows = try await run.rows(counts: examples.values, repeats: repeats, seed: seed, shown)
            if json {
                for row in rows { try Terminal.print(try Terminal.json(row)) }
            } else {
                try Terminal.print(MovementRun.table(rows).lines.joined(separator: "\n"))
            }
            return
        }
        let clips = try await EnrolmentClips(
            directory: directory, background: background, bank: bank, null: null, recorder)
        guard !clips.newLabels.isEmpty else { throw BenchFailure.noNewLabels(directory: directory) }
        let run = EnrolmentRun(
            recorder: recorder, clips: clips, spans: spans,
            configuration: permissive ? .permissive : EnrolmentConfiguration(), together: together)
        let shown = progress.progress("enrolment", total: clips.tested.count, unit: "tested clips")
        let (trials, failure) = try await run.trials(
            counts: examples.values, repeats: repeats, seed: seed, shown)
        guard !trials.isEmpty || !Interruption.hasCome else { return }
        let summary = EnrolmentSummary(trials, labels: clips.newLabels, counts: examples.values)
        if json {
            try Terminal.print(
                try Terminal.json(
                    Output(
                        model: model.model ?? "bundled", spans: spans.rawValue, permissive: permissive,
                        together: together, seed: seed,
                        background_clips: clips.background.count, bank_clips: clips.bank.count, summary: summary)))
        } else {
            var text = TextTable(summary.table.columns.map { ($0.title, $0.isNumber ? .right : .left) })
            for row in summary.table.rows { text.add(row) }
            try Terminal.print(text.lines.joined(separator: "\n"))
        }
        if let failure { throw failure }
    }

    /// Property names are the keys.
    private struct Output: Encodable {
        let model: String
        let spans: String
        let permissive: Bool
        let together: Bool
        let seed: UInt64
        let background_clips: Int
        let bank_clips: Int
        let summary: EnrolmentSummary
    }
}

/// What determines the slots of an example that show the gesture.
enum ExampleSpans: String, ExpressibleByArgument {
    case found, labelled
}

/// Different numbers from 1 to 64, as `1,3,5,10`.
struct CountList: ExpressibleByArgument {
    let values: [Int]

    init(values: [Int]) { self.values = values }

    init?(argument: String) {
        let parts = argument.split(separator: ",", omittingEmptySubsequences: false).map { Int($0) }
        let values = parts.compactMap(\.self)
        guard values.count == parts.count, Set(values).count == values.count,
            values.allSatisfy((1...EnrolmentConfiguration.recordingLimit).contains)
        else { return nil }
        self.values = values
    }

    var defaultValueDescription: String { values.map(String.init).joined(separator: ",") }
}

extension EnrolmentConfiguration {
    /// The widest limits of collision and agreement.
    fileprivate static var permissive: EnrolmentConfiguration {
        EnrolmentConfiguration(firingLimit: 1, recognisedShare: 1, agreement: 0, agreeingShare: 0)
    }
}
