import Foundation
import GestureEngine
import ToolSupport

/// What `gesture-bench streams` has found; property names are the JSON keys.
struct StreamsReport: Encodable {
    /// The search for one kind and rate.
    struct Held: Encodable {
        /// The most streams that were held; absent if one stream was not.
        let held: StreamTrial?
        /// The fewest that were not; absent if all that were tried were held.
        let beyond: StreamTrial?
        /// Twice as many as were held.
        let doubled: StreamTrial?
    }

    let allowed: Double
    let revision: String?
    let date = ISO8601DateFormatter().string(from: Date())
    let cpu = Machine.cpuModel
    let cores = ProcessInfo.processInfo.activeProcessorCount
    var held: [Held] = []
    var trials: [StreamTrial] = []
    var memory: [StreamMemory] = []

    init(allowed: Double, revision: String?) {
        self.allowed = allowed
        self.revision = revision
    }

    var text: String { tables.map { $0.lines.joined(separator: "\n") }.joined(separator: "\n\n") }

    private var tables: [TextTable] {
        var tables: [TextTable] = []
        if !trials.isEmpty { tables.append(Self.table(Self.titles, trials.map(Self.cells))) }
        if !held.isEmpty {
            tables.append(Self.table(Self.titles, held.compactMap(\.held).map(Self.cells)))
            tables.append(Self.table(Self.titles, held.compactMap(\.doubled).map(Self.cells)))
        }
        if !memory.isEmpty { tables.append(Self.table(Self.memoryTitles, memory.map(Self.cells))) }
        return tables
    }

    /// The same as Markdown, with the date and the machine.
    var markdown: String {
        var parts = [
            "Measured by `gesture-bench streams` on \(date)\(revision.map { " at \($0)" } ?? ""), \(cores) cores of \(cpu)."
        ]
        func add(_ title: String, _ titles: [String], _ rows: [[String]]) {
            guard !rows.isEmpty else { return }
            let lines = [titles, titles.map { _ in "---" }] + rows
            parts.append(
                title + "\n\n" + lines.map { "| " + $0.joined(separator: " | ") + " |" }.joined(separator: "\n"))
        }
        let share = String(format: "%g", 100 * allowed)
        add("Streams that were fed at once:", Self.titles, trials.map(Self.cells))
        add(
            "The most streams of which at most \(share)% of the frames are missed:", Self.titles,
            held.compactMap(\.held).map(Self.cells))
        add("Twice as many:", Self.titles, held.compactMap(\.doubled).map(Self.cells))
        add("Memory of a stream:", Self.memoryTitles, memory.map(Self.cells))
        return parts.joined(separator: "\n\n")
    }

    private static func table(_ titles: [String], _ rows: [[String]]) -> TextTable {
        var table = TextTable(titles.enumerated().map { ($1, $0 == 0 ? .left : .right) })
        for row in rows { table.add(row) }
        return table
    }

    private static let titles = [
        "streams of", "frames/s", "streams", "missed", "processed", "replaced", "left out", "least", "most", "p50 ms",
        "p99 ms", "cores", "load",
    ]

    private static func cells(_ trial: StreamTrial) -> [String] {
        func share(_ count: Int) -> String { decimals(100 * Double(count) / Double(max(1, trial.due)), 1) + "%" }
        return [
            trial.kind.rawValue, String(trial.rate), String(trial.streams), share(trial.missed), share(trial.processed),
            share(trial.superseded), share(trial.skipped), String(trial.least_processed), String(trial.most_processed),
            decimals(trial.latency_p50_us / 1000, 1), decimals(trial.latency_p99_us / 1000, 1),
            decimals(trial.cores_used, 2), decimals(trial.load, 1),
        ]
    }

    private static let memoryTitles = ["streams of", "streams", "made KiB", "used KiB", "left KiB"]

    private static func cells(_ memory: StreamMemory) -> [String] {
        [memory.kind.rawValue, String(memory.streams)]
            + [memory.made_bytes, memory.used_bytes, memory.left_bytes].map { String($0 / 1024) }
    }
}
