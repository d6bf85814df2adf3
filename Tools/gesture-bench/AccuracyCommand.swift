import ArgumentParser
import Evaluation
import FileOutput
import Foundation
import GestureEngine
import Network
import Platform
import Recognition
import Scheduling
import ToolSupport

/// Runs labelled clips through the engine and measures its accuracy.
struct AccuracyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "accuracy",
        abstract: "Measure the model on a directory of labelled clips, or of recordings with truth.",
        discussion: """
            The directory holds videos and, beside each, a JSON file of the same name as Tools/lab/training writes it. \
            Events count by two rules. SHREC 2022: the reported interval has the true label, is at most twice as long \
            as the true one and covers at least half of it. Lenient: the begin is decided between the true onset and \
            half a second after the true end. Either way a true event is found once. A clip that lacks frames ends the \
            measurement: the clips before it are shown, and the status is 65.

            Or the directory holds folders, each of a recording and its truth.csv: a row with the names start, end and \
            label, then a row for each run of frames, the last frame included. Where the label is other or null nothing may \
            be reported, and where it is skip what is reported does not count. A gesture is found by a begin of its label from 5 \
            frames before its start to 10 frames after its end; every other begin is false. Recordings are recognised by \
            landmarks, unless --front-end or the model says otherwise, and --sweep tries settings on them.
            """)

    @Argument(help: "A directory of clips with label files, or of folders with truth.csv.") var directory: String
    @OptionGroup var model: ModelOptions
    @OptionGroup var stream: StreamOptions
    @OptionGroup var events: EventOptions
    @OptionGroup var clipOptions: ClipOptions
    @Option(
        name: .customLong("compare"), parsing: .upToNextOption,
        help: ArgumentHelp(
            "Further models on the same clips, side by side with the first: FILE, FILE@int8 or FILE@float; the file may "
                + "be called bundled.", valueName: "model"))
    var others: [ComparedModel] = []
    @Option(
        help: ArgumentHelp("Write pictures here: confusion matrices and a timeline of every clip.", valueName: "folder")
    )
    var svg: String?
    @Option(
        help: ArgumentHelp(
            "Write a page with confusion, found against false, and every clip here.", valueName: "file"))
    var html: String?
    @Flag(help: "Print one JSON object instead of tables.") var json = false
    @Flag(help: "Show the groups of every hand and every clip, too.") var everyGroup = false
    @Flag(help: "Of recordings with truth: try settings of recognition, and print the curve of found against false.")
    var sweep = false
    @Option(
        help: ArgumentHelp("With --sweep: recordings with truth that each setting is tried on, too.", valueName: "dir"))
    var also: String?
    @OptionGroup var progress: ProgressOptions

    func validate() throws {
        guard html == nil || !sweep else { throw ValidationError("--html and --sweep cannot be used together.") }
        guard also == nil || sweep else { throw ValidationError("--also needs --sweep.") }
    }

    func run() async throws {
        try await Terminal.reporting("gesture-bench") { try await work() }
    }

    private func work() async throws {
        Interruption.listen()
        let clips = try LabelledClip.all(in: directory)
        guard !clips.isEmpty else {
            let recordings = try TruthClip.all(in: directory)
            guard !recordings.isEmpty else { throw BenchFailure.noLabelledClips(directory: directory) }
            return try await measure(recordings)
        }
        guard !sweep else { throw ValidationError("--sweep needs folders with truth.csv.") }
        let source = clipOptions.source(for: "gesture-bench")
        let first = AccuracyRun(
            name: ComparedModel(path: model.model, backend: model.backend).name, engine: try model.makeEngine(),
            model: model, stream: stream, events: events, source: source)
        let read =
            clips.flatMap { [$0.video.path, $0.labels.path] } + model.files + events.files + others.compactMap(\.path)
        let target = try html.map { try OutputTarget($0, besides: InputFiles(read)) }
        let pictures = try svg.map { try PictureFolder($0, of: clips, besides: InputFiles(read)) }
        let shown = progress.progress("accuracy", total: clips.count * (1 + others.count), unit: "clips")
        let (report, failure, timelines) = try await first.report(
            of: clips, picturesIn: pictures, drawing: target != nil
        ) { shown.update($0) }
        try target?.write(
            Array(AccuracyPage(name: page, report: report, timelines: timelines).document.utf8))
        guard !others.isEmpty else {
            try show(report, report.tables(everyGroup: everyGroup))
            if let failure { throw failure }
            return
        }

        var entries = [AccuracyComparison.Entry(name: first.name, report: report)]
        for (place, other) in others.enumerated() where !Interruption.hasCome {
            var options = model
            options.model = other.path
            options.backend = other.backend
            let run = AccuracyRun(
                name: other.name, engine: try options.makeEngine(), model: options, stream: stream, events: events,
                source: source)
            let found = try await run.report(of: clips, picturesIn: nil, drawing: false) {
                shown.update((1 + place) * clips.count + $0)
            }
            // Models are compared on the same clips alone.
            guard !Interruption.hasCome else { break }
            entries.append(.init(name: run.name, report: found.report))
        }
        let comparison = try AccuracyComparison(entries)
        try show(comparison, comparison.tables)
        if let failure { throw failure }
    }

    /// What a page is about.
    private var page: String {
        "\(visible(ComparedModel(path: model.model, backend: model.backend).name)) on \(visible(directory))"
    }

    private func measure(_ recordings: [TruthClip]) async throws {
        guard others.isEmpty, svg == nil, !everyGroup else {
            throw ValidationError(
                "--compare, --svg and --every-group cannot be used with folders that have a truth.csv.")
        }
        let run = TruthRun(
            engine: try model.makeEngine(defaultFrontEnd: .landmarks, watchesArms: true), model: model, stream: stream,
            events: events, source: clipOptions.source(for: "gesture-bench"))
        let clips = try run.read(recordings)
        let read = recordings.flatMap { [$0.video, $0.truth.path] } + model.files + events.files
        let target = try html.map { try OutputTarget($0, besides: InputFiles(read)) }
        guard sweep else {
            let shown = progress.progress("accuracy", total: clips.count, unit: "recordings")
            let (report, failure) = try await run.report(of: clips) { shown.update($0) }
            try target?.write(Array(report.page(name: page).utf8))
            let lines = report.lines.map { Self.colored(visible($0)) }
            try Terminal.print(json ? try Terminal.json(report) : lines.joined(separator: "\n"))
            if let failure { throw failure }
            return
        }
        let others = try also.map { try run.read(TruthClip.all(in: $0)) }
        let shown = progress.progress("record", total: clips.count + (others?.count ?? 0), unit: "recordings")
        let recorded = try await run.record(clips) { shown.update($0) }
        var alsoRecorded: [TruthRun.Recording]?
        if let others { alsoRecorded = try await run.record(others) { shown.update(clips.count + $0) } }
        // A curve over some of the recordings would be that of other recordings.
        guard !Interruption.hasCome else { return }
        func trial(_ settings: SweepReport.Settings?) throws -> SweepReport.Trial {
            func configuration(_ rate: PacingConfiguration.Rate) -> RecognitionConfiguration {
                let own = run.engine.defaultRecognition(at: rate, sensitivity: stream.sensitivity)
                return settings?.configuration(own, at: rate) ?? own
            }
            return SweepReport.Trial(
                settings: settings, count: try run.count(recorded, by: configuration),
                also: try alsoRecorded.map { try run.count($0, by: configuration) })
        }
        let settings = SweepReport.Settings.all
        let trying = progress.progress("sweep", total: settings.count, unit: "settings")
        var trials: [SweepReport.Trial] = []
        for setting in settings {
            guard !Interruption.hasCome else { return }
            trials.append(try trial(setting))
            trying.update(trials.count)
        }
        let report = SweepReport(model: try trial(nil), trials: trials)
        try Terminal.print(json ? try Terminal.json(report) : report.lines.joined(separator: "\n"))
    }

    /// A line of a report of recordings, by what it tells.
    private static func colored(_ line: String) -> String {
        let kinds: [(word: String, style: TextStyle)] = [
            ("    found ", .green), ("    missed ", .yellow), ("    false ", .red), ("    skipped ", .faint),
        ]
        return kinds.first { line.hasPrefix($0.word) }?.style(line) ?? line
    }

    private func show(_ value: some Encodable, _ tables: [ReportTable]) throws {
        if json { return try Terminal.print(try Terminal.json(value)) }
        for (index, table) in tables.enumerated() {
            var text = TextTable(table.columns.map { ($0.title, $0.isNumber ? .right : .left) })
            for row in table.rows { text.add(row) }
            let lines = [(index == 0 ? "" : "\n") + table.title] + text.lines
            try Terminal.print(lines.joined(separator: "\n"))
        }
    }
}

/// A model to compare with another: a file and its backend.
struct ComparedModel: ExpressibleByArgument {
    /// Nil is the bundled model.
    let path: String?
    /// Nil is the model's own choice.
    let backend: Backend?

    init(path: String?, backend: Backend?) {
        self.path = path
        self.backend = backend
    }

    init?(argument: String) {
        var path = argument
        var backend: Backend?
        if let at = argument.lastIndex(of: "@"), let named = Backend(rawValue: String(argument[at...].dropFirst())) {
            path = String(argument[..<at])
            backend = named
        }
        guard !path.isEmpty else { return nil }
        self.init(path: path == "bundled" ? nil : path, backend: backend)
    }

    /// As given on the command line.
    var name: String { (path ?? "bundled") + (backend.map { "@" + $0.rawValue } ?? "") }
}
