import FileOutput
import Foundation
import GestureEngine
import Scheduling
import Synchronization
import ToolSupport

/// The output of a live run, while it runs and at its end. Counts and latencies of a row are totals since the start.
final class LiveReport: Sendable {
    private struct State: ~Copyable {
        var next = Duration.zero
        var time = Duration.zero
        var changes: [String] = []
        /// The resident set at the first frame from `settlingTime` on.
        var settledResident: Int?
        var log: OutputFile?
    }

    /// The time by which everything that is allocated once exists: threads, lazily made tables.
    private static let settlingTime = Duration.seconds(5)

    private let table: Bool
    private let every: Duration
    private let state: Mutex<State>

    static let gestureColumns = [
        "time_s", "pace", "limit", "unit", "hog", "encoded", "skipped", "superseded", "repeats", "misses", "p50_us",
        "p99_us", "max_us", "rss_kb",
    ]

    init(table: Bool, log: OutputTarget?, every: Duration, columns: [String] = gestureColumns) throws {
        self.table = table
        self.every = every
        var first = State()
        if let log { first.log = try OutputFile(log) }
        try first.log?.write(columns.joined(separator: ",") + "\n")
        state = Mutex(first)
        if table { try Terminal.print(columns.map { Self.padded($0) }.joined(separator: " ")) }
    }

    func change(_ change: StreamChange) throws {
        let line = change.sentence
        state.withLock { $0.changes.append(line) }
        if table { try Terminal.print("  " + line) }
    }

    /// Writes a row of gestures if one is due.
    func tick(_ now: Duration, _ live: LiveGestureStream, _ isHogged: Bool) throws {
        try tick(now) {
            let statistics = live.statistics
            let schedule = live.schedulerState
            func us(_ duration: Duration?) -> String { duration.map { String(Int($0.inSeconds * 1e6)) } ?? "" }
            return [
                "\(schedule.pace)", schedule.limit.map { "\($0)" } ?? "", live.activeUnit, isHogged ? "yes" : "",
                String(statistics.inference?.count ?? 0), String(statistics.scheduling.skips.total),
                String(statistics.superseded), String(statistics.frames.repeats),
                String(statistics.scheduling.deadlineMisses), us(statistics.frame?.p50), us(statistics.frame?.p99),
                us(statistics.frame?.maximum),
            ]
        }
    }

    /// Writes a row if one is due: the time, the cells, and the resident set.
    func tick(_ now: Duration, cells: () -> [String]) throws {
        try state.withLock { state in
            state.time = now
            if now >= Self.settlingTime, state.settledResident == nil { state.settledResident = Machine.residentBytes }
            guard now >= state.next else { return }
            state.next += every
            let resident = Machine.residentBytes.map { String($0 / 1024) } ?? ""
            let row = [String(format: "%.0f", now.inSeconds)] + cells() + [resident]
            try state.log?.write(row.joined(separator: ",") + "\n")
            if table { try Terminal.print(row.map { Self.padded($0) }.joined(separator: " ")) }
        }
    }

    /// Moves the log to its target.
    func finishLog() throws {
        try state.withLock { state in
            if let log = state.log.take() { try log.finish() }
        }
    }

    func summary(pushed: Int, begins: Int, of live: LiveGestureStream) -> LiveSummary {
        let statistics = live.statistics
        let (time, growth) = timeAndGrowth
        let changes = state.withLock { $0.changes }
        return LiveSummary(
            seconds: time.inSeconds, pushed: pushed, statistics: statistics, begins: begins, changes: changes,
            growth: growth)
    }

    /// The time of the latest frame, and the growth of the resident set in bytes since the first frame from
    /// `settlingTime` on.
    var timeAndGrowth: (Duration, Int?) {
        state.withLock { state in
            let resident = Machine.residentBytes
            return (state.time, state.settledResident.flatMap { settled in resident.map { $0 - settled } })
        }
    }

    private static func padded(_ text: String) -> String {
        String(repeating: " ", count: max(0, 10 - text.count)) + text
    }
}

/// The summary of a live run; property names are the JSON keys.
struct LiveSummary: Encodable {
    let seconds: Double
    let pushed: Int
    let encoded: Int
    let skipped: Int
    let superseded: Int
    let surplus: Int
    let dropped: Int
    let repeats: Int
    let deadline_misses: Int
    let begins: Int
    let changes: [String]
    let latency_p50_us: Double?
    let latency_p99_us: Double?
    let latency_max_us: Double?
    /// From the fifth second to the end; absent in a shorter run.
    let resident_growth_bytes: Int?
    /// Every pushed frame is accounted for exactly once.
    let counts_add_up: Bool

    init(
        seconds: Double, pushed: Int, statistics: SessionStatistics, begins: Int, changes: [String], growth: Int?
    ) {
        self.seconds = seconds
        self.pushed = pushed
        self.begins = begins
        self.changes = changes
        resident_growth_bytes = growth
        encoded = statistics.inference?.count ?? 0
        skipped = statistics.scheduling.skips.total
        superseded = statistics.superseded
        surplus = statistics.frames.surplus
        dropped = statistics.frames.drops
        repeats = statistics.frames.repeats
        deadline_misses = statistics.scheduling.deadlineMisses
        latency_p50_us = statistics.frame.map { $0.p50.inSeconds * 1e6 }
        latency_p99_us = statistics.frame.map { $0.p99.inSeconds * 1e6 }
        latency_max_us = statistics.frame.map { $0.maximum.inSeconds * 1e6 }
        counts_add_up =
            pushed == encoded + skipped + superseded + surplus + dropped
            && begins == statistics.begins.reduce(0, +)
    }

    var text: String {
        func us(_ value: Double?) -> String { value.map { String(format: "%.0f us", $0) } ?? "–" }
        let memory = resident_growth_bytes.map { "\nresident memory grew by \($0 / 1024) KiB after the fifth second" }
        return """

            \(String(format: "%.0f", seconds)) s, \(pushed) frames: \(encoded) encoded, \(skipped) left out, \
            \(superseded) superseded, \(surplus) surplus, \(dropped) dropped; \
            \(counts_add_up ? "every frame is accounted for" : "THE COUNTS DO NOT ADD UP")
            latency p50 \(us(latency_p50_us)), p99 \(us(latency_p99_us)), max \(us(latency_max_us)); \
            \(deadline_misses) deadlines missed; \(changes.count) changes; \(begins) gestures\(memory ?? "")
            """
    }
}
