import ArgumentParser
import BodyPose
import Evaluation
import FileOutput
import Foundation
import GestureEngine
import GestureHands
import LivePage
import PageSession
import Platform
import ToolSupport
import TrackerInference

/// Runs live streams for hours under faults, and checks that nothing grows and nothing is lost.
struct SoakCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "soak",
        abstract: "Run live streams of all kinds for hours under faults; status 1 if something grows or is lost.",
        discussion: """
            Six live streams, two each of landmarks, pixels and bodies, get frames of recorded clips at a modest rate. Every \
            cycle has each fault once, at times that the seed decides: \
            \(SoakFault.allCases.map(\.rawValue).joined(separator: ", ")). Then everything is measured in a quiet stretch. \
            Judged are exact counts of frames, results and events, open descriptors, threads, the slope of the memory, heap \
            allocations of a push, and the drift of the latency. SIGINT and SIGTERM end the run before its time, with its \
            page.
            """)

    @Option(help: "Hours to run, above 0 and at most 1000.") var hours: Double?
    @Option(help: "Minutes to run instead, above 0 and at most 60000.") var minutes: Double?
    @Option(help: "Seconds of a cycle, 5...3600.") var cycle = 30.0
    @Option(help: "Seed of the faults.") var seed: UInt64 = 1
    @Option(help: "A clip that shows a hand; by default \(DemoClip.path).") var clip: String?
    @Option(help: "A clip that shows a person; by default \(DemoClip.bodyPath).") var bodyClip: String?
    @OptionGroup var clips: ClipOptions
    @Option(help: "A text that names the build on the page, such as a commit.") var revision: String?
    @Option(help: ArgumentHelp("Write a page with curves here, anew after every tenth cycle.", valueName: "file"))
    var html: String?
    @Flag(help: "One JSON object at the end instead of lines.") var json = false

    private var seconds: Double { minutes.map { 60 * $0 } ?? hours.map { 3600 * $0 } ?? 0 }

    func validate() throws {
        guard (hours == nil) != (minutes == nil) else { throw ValidationError("Give --hours or --minutes.") }
        guard seconds > 0, seconds <= 3_600_000 else {
            throw ValidationError("The run must be longer than 0 and at most 1000 hours.")
        }
        guard (5...3600).contains(cycle) else { throw ValidationError("--cycle must be from 5 to 3600, not \(cycle)") }
    }

    func run() async throws {
        try await Terminal.reporting("gesture-bench") { try await work() }
    }

    private func work() async throws {
        let inputs = InputFiles([clip, bodyClip].compactMap { $0 })
        let target = try html.map { try OutputTarget($0, besides: inputs) }
        let frames = try await StreamFrames(clip, bodyClip: bodyClip, clips)
        Interruption.listen()
        let engine = try GestureEngine(hands: .lite())
        let server = try PageServer(
            port: 0,
            PageSetup(
                engine: engine, settings: PageSettings(), gestures: engine.noUserGestures(), readSensors: nil,
                loadBodies: { () throws(EngineError) in try BodyPoseEngine() }))
        let serving = Task { try await server.run() }
        defer { serving.cancel() }
        let empty = SoakReport(
            seed: seed, planned: seconds, cycle: cycle, began: ISO8601DateFormatter().string(from: Date()),
            cpu: Machine.cpuModel, cores: ProcessInfo.processInfo.activeProcessorCount, revision: revision)
        let report = try await onOwnThread { [plan = SoakPlan(seed: seed, cycle: cycle), json, port = server.port] in
            var run = try SoakRun(plan, empty, frames: frames, page: port)
            return try run.run { report in
                if !json { try Terminal.print(Self.line(report)) }
                if report.cycles.count.isMultiple(of: 10) { try target?.write(Array(report.page.utf8)) }
            }
        }
        try target?.write(Array(report.page.utf8))
        try Terminal.print(json ? try Terminal.json(report) : Self.text(report))
        guard report.failures.isEmpty else { throw BenchFailure.soak(report.failures) }
    }

    /// The latest cycle.
    private static func line(_ report: SoakReport) -> String {
        guard let cycle = report.cycles.last else { return "" }
        let latencies = cycle.latencies.keys.sorted().map { kind in
            "\(kind) \(decimals(cycle.latencies[kind].map { 1000 * $0.p50 }, 1)) ms"
        }
        return String(format: "%7.0f s", cycle.time)
            + "  \(decimals(cycle.resident_bytes.map { Double($0) / 1_048_576 }, 1)) MiB"
            + "  \(cycle.descriptors.map(String.init) ?? "-") descriptors"
            + "  \(cycle.stream_threads.map(String.init) ?? "-") threads"
            + "  \(cycle.allocations.map(String.init) ?? "-") allocations in \(cycle.pushes) pushes"
            + "  " + latencies.joined(separator: ", ") + "  load \(decimals(cycle.load, 1))"
    }

    private static func text(_ report: SoakReport) -> String {
        var table = TextTable([("", .left), ("limit", .left), ("found", .left), ("", .left)])
        for check in report.checks { table.add([check.name, check.limit, check.found, check.verdict.rawValue]) }
        return "\n\(decimals(report.seconds, 0)) s, \(report.marks.count) faults\n"
            + table.lines.joined(separator: "\n")
    }
}
