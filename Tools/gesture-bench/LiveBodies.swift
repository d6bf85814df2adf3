import BodyPose
import FileOutput
import Foundation
import GestureEngine
import Scheduling
import Synchronization
import ToolSupport
import Vocabulary

extension LiveCommand {
    /// Pushes the frames at their times to a live stream of bodies, and accounts for every one.
    func followBodies(_ frames: [KeptFrame], log: OutputTarget?) async throws {
        let live = try BodyPoseEngine(excludedTiers: Set(model.excludeTier.map(\.name))).makeLiveStream(
            BodyTrackingConfiguration(maximumBodies: maximumBodies), sensors: noSensors ? nil : .system)
        let report = try LiveReport(table: !json, log: log, every: .seconds(every), columns: LiveBodyTally.columns)
        let tally = LiveBodyTally()
        let listener = Task { [results = live.results] in
            for await result in results { tally.record(result) }
        }
        let pushed = try await play(frames) { frame, now in
            tally.record(live.push(frame, at: now))
        } tick: { now, isHogged in
            try report.tick(now) { tally.cells(isHogged: isHogged, superseded: live.superseded) }
        } finish: {
            live.finish()
            try report.finishLog()
        }
        await listener.value
        let (time, growth) = report.timeAndGrowth
        let summary = tally.summary(seconds: time.inSeconds, pushed: pushed, of: live, growth: growth)
        try Terminal.print(json ? try Terminal.json(summary) : summary.text)
        guard summary.counts_add_up else { throw BenchFailure.countsDisagree }
    }
}

/// The counts of a live run's frames.
private final class LiveBodyTally: Sendable {
    static let columns = [
        "time_s", "hog", "taken", "skipped", "superseded", "people", "detail", "p50_us", "p99_us", "max_us", "rss_kb",
    ]

    private struct State {
        var taken = 0
        var skipped = 0
        /// Results received.
        var results = 0
        /// Results with at least one person.
        var shown = 0
        /// The number of the latest result, from 1.
        var latest = 0
        /// People in the latest frame.
        var people = 0
        var detail = 2
        var isInOrder = true
        var latencies = QuantileSketch()
    }

    private let state = Mutex(State())

    func record(_ outcome: LiveBodyStream.Outcome) {
        state.withLock { state in
            switch outcome {
            case .taken: state.taken += 1
            case .skipped: state.skipped += 1
            case .closed: break
            }
        }
    }

    func record(_ result: LiveBodyStream.Result) {
        state.withLock { state in
            state.isInOrder = state.isInOrder && result.sequence >= state.latest
            state.results += 1
            state.latest = result.sequence + 1
            state.people = result.bodies.count { $0.state == .seen }
            if state.people > 0 { state.shown += 1 }
            state.detail = result.interfaceDetail
            state.latencies.record(result.latency.saturatedNanoseconds)
        }
    }

    /// A row of the table without its first and its last column.
    func cells(isHogged: Bool, superseded: Int) -> [String] {
        state.withLock { state in
            func us(_ nanoseconds: Int64?) -> String { nanoseconds.map { String($0 / 1_000) } ?? "" }
            return [
                isHogged ? "yes" : "", String(state.taken), String(state.skipped), String(superseded),
                String(state.people), String(state.detail), us(state.latencies.percentile(perMille: 500)),
                us(state.latencies.percentile(perMille: 990)),
                us(state.latencies.count > 0 ? state.latencies.maximum : nil),
            ]
        }
    }

    func summary(seconds: Double, pushed: Int, of live: LiveBodyStream, growth: Int?) -> LiveBodySummary {
        state.withLock { state in
            func us(_ nanoseconds: Int64?) -> Double? { nanoseconds.map { Double($0) / 1e3 } }
            let isEmpty = state.latencies.count == 0
            return LiveBodySummary(
                seconds: seconds, pushed: pushed, processed: state.latest, skipped: state.skipped,
                superseded: live.superseded, lost_results: live.lostResults, frames_with_people: state.shown,
                interface_detail: state.detail, latency_p50_us: us(state.latencies.percentile(perMille: 500)),
                latency_p99_us: us(state.latencies.percentile(perMille: 990)),
                latency_max_us: isEmpty ? nil : us(state.latencies.maximum), resident_growth_bytes: growth,
                counts_add_up: pushed == state.taken + state.skipped
                    && state.taken == state.latest + live.superseded
                    && state.latest == state.results + live.lostResults && state.isInOrder)
        }
    }
}

/// The summary of a live run of bodies; property names are the JSON keys.
private struct LiveBodySummary: Encodable {
    let seconds: Double
    let pushed: Int
    /// Frames that the networks processed.
    let processed: Int
    /// Frames that were skipped to spare heat and battery.
    let skipped: Int
    /// Frames that were replaced by newer ones.
    let superseded: Int
    let lost_results: Int
    let frames_with_people: Int
    /// The level of detail for the app's drawing at the end, 0...2.
    let interface_detail: Int
    let latency_p50_us: Double?
    let latency_p99_us: Double?
    let latency_max_us: Double?
    /// From the fifth second to the end; absent in a shorter run.
    let resident_growth_bytes: Int?
    /// Every pushed frame is accounted for exactly once, and results arrived in order.
    let counts_add_up: Bool

    var text: String {
        func us(_ value: Double?) -> String { value.map { String(format: "%.0f us", $0) } ?? "–" }
        let memory = resident_growth_bytes.map { "\nresident memory grew by \($0 / 1024) KiB after the fifth second" }
        return """

            \(String(format: "%.0f", seconds)) s, \(pushed) frames: \(processed) looked at, \(skipped) left out, \
            \(superseded) superseded; \(counts_add_up ? "every frame is accounted for" : "THE COUNTS DO NOT ADD UP")
            latency p50 \(us(latency_p50_us)), p99 \(us(latency_p99_us)), max \(us(latency_max_us)); \
            people in \(frames_with_people) frames; \(lost_results) results lost\(memory ?? "")
            """
    }
}
