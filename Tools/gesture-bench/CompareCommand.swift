import ArgumentParser
import Clips
import Evaluation
import Foundation
import ModelFile
import Platform
import ToolSupport

/// Compares the latency of this build with a baseline, and fails where it has become worse.
struct CompareCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "compare",
        abstract: "Compare latency with a baseline; status 1 where a limit is exceeded.",
        discussion: """
            The baseline is a file that 'gesture-bench latency --json' wrote on this machine, and every run repeats its \
            options in a process of its own. With --baseline-binary the gesture-bench of another build runs in turns with \
            this one, and the ratio is the median of those of the turns: a machine that slows down slows both. With a file \
            alone this build runs several times, and its median is compared with the file's numbers, so the machine must be \
            as it was then. A file of another CPU, kernel tier or number of cores is refused.

            A limit names a stage, a number of it and by how much it may exceed the baseline's: step.p50+5%. The numbers \
            are min, mean, p50, p90, p95 and p99. In CI, build the base commit and this one on the same machine:

            gesture-bench compare --baseline-binary base/gesture-bench --fail-if step.p50+5% --fail-if step.p99+20%
            """)

    @Argument(help: "A file that 'gesture-bench latency --json' wrote.") var baseline: String?
    @Option(help: ArgumentHelp("The gesture-bench of another build, run in turns with this one.", valueName: "path"))
    var baselineBinary: String?
    @Option(
        name: .customLong("fail-if"),
        help: ArgumentHelp("A limit, as step.p50+5%; may be repeated.", valueName: "limit"))
    var limits: [MetricLimit] = []
    @Option(help: "Runs, or turns with --baseline-binary: 1...100.") var runs = 5
    @Flag(help: "Take a baseline of another machine, too.") var otherMachine = false
    @Flag(help: "Take a baseline that was measured with other options than those after --, too.")
    var otherOptions = false
    @Flag(help: "Print one JSON object instead of a table.") var json = false
    @OptionGroup var progress: ProgressOptions
    @Argument(
        parsing: .postTerminator,
        help: ArgumentHelp(
            "Options of 'gesture-bench latency', after --; by default those of the file.", valueName: "options"))
    var latencyOptions: [String] = []

    func validate() throws {
        guard baseline != nil || baselineBinary != nil else {
            throw ValidationError("Give a baseline file, --baseline-binary, or both.")
        }
        guard (1...100).contains(runs) else { throw ValidationError("--runs must be from 1 to 100, not \(runs)") }
        guard !latencyOptions.contains("--json"), !latencyOptions.contains("--csv") else {
            throw ValidationError("--json and --csv are not among the options after --.")
        }
    }

    func run() async throws {
        try await Terminal.reporting("gesture-bench") { try await work() }
    }

    private func work() async throws {
        Interruption.listen()
        let file = try baseline.map(Self.read)
        let own = try LatencyProgram.running()
        let other = baselineBinary.map { LatencyProgram(path: $0) }
        var options = latencyOptions
        if let file, options.isEmpty { options = file.conditions.options }

        var (before, after): ([LatencyBaseline], [LatencyBaseline]) = ([], [])
        let shown = progress.progress("compare", total: runs * (other == nil ? 1 : 2), unit: "runs")
        for turn in 0..<runs where !Interruption.hasCome {
            // Each goes first in every second turn, so that neither always finds the machine warmer.
            let order = [false, true]
            var (one, two): (LatencyBaseline?, LatencyBaseline?)
            for isOwn in turn.isMultiple(of: 2) ? order : order.reversed() {
                guard let program = isOwn ? own : other else { continue }
                guard let report = try await program.report(options) else { break }
                if isOwn { two = report } else { one = report }
                shown.update(before.count + after.count + 1)
            }
            guard let two, other == nil || one != nil else { break }
            if turn == 0, let file { try check(file, two) }
            if let one { before.append(one) }
            after.append(two)
        }
        shown.finish()
        guard !after.isEmpty else { return }
        try show(before.isEmpty ? file.map { [$0] } ?? [] : before, after)
    }

    /// Whether a file may be compared with what is measured now.
    private func check(_ file: LatencyBaseline, _ now: LatencyBaseline) throws {
        if !otherMachine, let difference = now.difference(from: file) {
            throw CompareFailure.otherMachine(path: baseline ?? "", difference: difference)
        }
        if !otherOptions, now.conditions.options != file.conditions.options {
            throw CompareFailure.otherOptions(
                path: baseline ?? "", stated: file.conditions.options, used: now.conditions.options)
        }
    }

    private func show(_ before: [LatencyBaseline], _ after: [LatencyBaseline]) throws {
        let comparison: LatencyComparison
        do throws(LatencyComparisonError) {
            comparison = try LatencyComparison(
                baselines: before.map(\.stages), now: after.map(\.stages), limits: limits)
        } catch {
            throw CompareFailure.comparison(error)
        }
        if json {
            try Terminal.print(try Terminal.json(comparison))
        } else {
            let table = comparison.table
            var text = TextTable(table.columns.map { ($0.title, $0.isNumber ? .right : .left) })
            for row in table.rows { text.add(row) }
            var lines = text.lines
            for (index, row) in comparison.rows.enumerated() where row.limit != nil {
                lines[index + 1] = (row.is_exceeded ? TextStyle.red : TextStyle.green)(lines[index + 1])
            }
            try Terminal.print((lines + [sentence(comparison)]).joined(separator: "\n"))
        }
        let noisy = (before.count > 1 ? before + after : after).filter(\.conditions.noise.is_noisy)
        if let first = noisy.first {
            Terminal.warn(
                "gesture-bench",
                "in \(noisy.count) of \(after.count + (before.count > 1 ? before.count : 0)) runs the machine was "
                    + "noisy: "
                    + first.conditions.noise.reasons.joined(separator: ", and ") + ".")
        }
        if comparison.isUncertain {
            Terminal.warn(
                "gesture-bench", "the runs differ by more than 10 %; more --runs, or a quieter machine, settle it.")
        }
        guard comparison.exceeded.isEmpty else { throw CompareFailure.exceeded(comparison.exceeded) }
    }

    private func sentence(_ comparison: LatencyComparison) -> String {
        if comparison.in_turns {
            return "\(comparison.runs) turns with \(visible(baselineBinary ?? "")); a ratio is the median of theirs"
        }
        let count = comparison.runs == 1 ? "1 run" : "the median of \(comparison.runs) runs"
        return baselineBinary == nil
            ? "\(count) against a file; --baseline-binary takes turns with another build, which a noisy machine "
                + "disturbs less"
            : "\(count), one turn"
    }

    private static func read(_ path: String) throws -> LatencyBaseline {
        let bytes = Data(try naming(path) { try FileBytes.read(path: path, limit: LatencyBaseline.sizeLimit) })
        do throws(LatencyBaselineError) { return try LatencyBaseline(json: bytes) } catch {
            throw CompareFailure.baseline(path: path, error)
        }
    }
}

extension MetricLimit: ExpressibleByArgument {
    /// A limit of the form `step.p50+5%`.
    public init?(argument: String) { self.init(argument) }
}

/// Failures of `compare`.
enum CompareFailure: Explained {
    /// A file is no report of latencies.
    case baseline(path: String, LatencyBaselineError)
    /// A file was measured on another machine, with a clause that says how it differs.
    case otherMachine(path: String, difference: String)
    case otherOptions(path: String, stated: [String], used: [String])
    case comparison(LatencyComparisonError)
    /// Limits were exceeded.
    case exceeded([LatencyComparison.Row])
    /// A program could not be started.
    case notStarted(path: String, reason: String)
    /// A program ended with an error, or by a signal if the status is nil.
    case failed(path: String, status: Int32?, messages: String)
    /// A program printed something else than a report.
    case otherOutput(path: String, LatencyBaselineError)

    var sentence: String {
        switch self {
        case .baseline(let path, .notJSON): "\(visible(path)) is not JSON."
        case .baseline(let path, .otherReport(let clause)):
            "\(visible(path)) is not what 'gesture-bench latency --json' of this version writes: \(visible(clause))."
        case .otherMachine(let path, let difference):
            "\(visible(path)) was measured on another machine: this one has \(visible(difference)). Measure the baseline "
                + "here, use --baseline-binary, or compare all the same with --other-machine."
        case .otherOptions(let path, let stated, let used):
            "\(visible(path)) was measured with \(visible(stated.joined(separator: " "))), and this build with "
                + "\(visible(used.joined(separator: " "))). --other-options compares all the same."
        case .comparison(.noStage(let name, let known)):
            "There is no stage \(visible(name)) to limit; there are \(known.map(visible).joined(separator: ", "))."
        case .comparison(.noValue(let metric)): "\(visible(metric)) has no time to compare: the stage never ran."
        case .exceeded(let rows):
            rows.map {
                "\(visible($0.metric)) is \(decimals($0.ratio, 3)) of the baseline's; the limit is "
                    + "\(decimals($0.limit, 3))."
            }.joined(separator: "\n")
        case .notStarted(let path, let reason): "\(visible(path)) cannot be run: \(visible(reason))"
        case .failed(let path, let status, let messages):
            "\(visible(path)) latency ended with "
                + "\(status.map { "status \($0)" } ?? "a signal"): \(visibleLines(messages))"
        case .otherOutput(let path, .notJSON): "\(visible(path)) latency --json printed no JSON."
        case .otherOutput(let path, .otherReport(let clause)):
            "\(visible(path)) latency --json printed a report of another version: \(visible(clause))."
        }
    }
}

/// A `gesture-bench` whose `latency` is run.
struct LatencyProgram {
    let path: String

    /// The one that runs now.
    static func running() throws -> LatencyProgram {
        guard let path = Bundle.main.executablePath else {
            throw CompareFailure.notStarted(path: "gesture-bench", reason: "the path of this program is not known.")
        }
        return LatencyProgram(path: path)
    }

    /// Measures once. Nil if a signal came meanwhile.
    func report(_ options: [String]) async throws -> LatencyBaseline? {
        // It prints nothing until it is done.
        let program = ChildProgram(name: fileURL(path).path, stallLimit: .seconds(86_400))
        let (outcome, text): (ChildProgram.Outcome, [UInt8])
        do {
            (outcome, text) = try await program.collect(["latency", "--json"] + options)
        } catch {
            throw CompareFailure.notStarted(path: path, reason: ToolSupport.sentence(for: error))
        }
        guard !Interruption.hasCome else { return nil }
        guard outcome.exitCode == 0 else {
            throw CompareFailure.failed(
                path: path, status: outcome.exitCode, messages: outcome.messageLines.joined(separator: "\n"))
        }
        do throws(LatencyBaselineError) { return try LatencyBaseline(json: Data(text)) } catch {
            throw CompareFailure.otherOutput(path: path, error)
        }
    }
}
