import ArgumentParser
import Evaluation
import FileOutput
import Foundation
import ToolSupport

/// Runs a simulated device through the engine's pacing and shows its decisions.
struct SimulateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "simulate",
        abstract: "Simulate a device that heats up, stutters or is short of power, and log what the engine decides.",
        discussion: """
            Camera, device and time are simulated; frame grid, scheduler and choice of the compute unit are the engine's \
            own. The same scenario and seed give the same log on every machine. A scenario's file holds the object that \
            --json prints under "scenario"; what it leaves out is default. With --body it is a live stream of bodies: \
            30 frames a second of which heat and battery leave every one, every second or every third, and 19.2 ms of \
            networks for each. A file's own rate and first unit stand.

            Scenarios:
            \(Scenario.builtIn.map { "  \($0.name): \($0.about)" }.joined(separator: "\n"))
            """)

    @Argument(help: "The name of a scenario, or a JSON file of one's own.") var scenario: String
    @Option(help: "Seed of everything random.") var seed: UInt64 = 1
    @Option(help: "Seconds to simulate instead of the scenario's own.") var duration: Double?
    @Option(help: "Slots in a second: 30, 60 or 120; cameras are scaled with it.") var rate: Int?
    @Flag(help: "Simulate a live stream of bodies instead of gestures.") var body = false
    @Option(help: ArgumentHelp("Write a page with a picture here.", valueName: "file")) var html: String?
    @Flag(help: "Print one JSON object instead of text.") var json = false

    func run() async throws {
        try await Terminal.reporting("gesture-bench") { try work() }
    }

    private func work() throws {
        let read = InputFiles(Scenario.named(scenario) == nil ? [scenario] : [])
        let target = try html.map { try OutputTarget($0, besides: read) }
        let chosen = try chosen()
        let report =
            body ? try BodySimulation(chosen, seed: seed).run() : try Simulation(chosen, seed: seed).run()
        try target?.write(Array(report.page.utf8))
        if json { return try Terminal.print(try Terminal.json(report)) }
        var lines = report.log.map(visible)
        if report.summary.log_lines > report.log.count {
            lines.append("and \(grouped(report.summary.log_lines - report.log.count)) more")
        }
        var table = TextTable([(visible(report.scenario.name), .left), ("", .left)])
        for row in report.summary.rows { table.add([row.name, row.value]) }
        try Terminal.print((lines + [""] + table.lines).joined(separator: "\n"))
    }

    private func chosen() throws -> Scenario {
        let builtIn = Scenario.named(scenario).map { body ? $0.ofBodies : $0 }
        var chosen = try builtIn ?? naming(scenario) { try Scenario(contentsOf: URL(fileURLWithPath: scenario)) }
        if let duration { chosen.seconds = duration }
        return rate.map(chosen.paced) ?? chosen
    }
}
