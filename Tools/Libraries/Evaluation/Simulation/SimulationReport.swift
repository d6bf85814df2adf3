import Scheduling

/// The result of a simulation.
package struct SimulationReport: Encodable, Sendable {
    package let scenario: Scenario
    package let seed: UInt64
    package let summary: SimulationSummary
    package let trace: [TraceSample]
    /// The first 10,000; `summary.log_lines` counts them all.
    package let events: [SimulationEvent]

    private enum CodingKeys: String, CodingKey { case scenario, seed, summary, trace, log }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(scenario, forKey: .scenario)
        try container.encode(seed, forKey: .seed)
        try container.encode(summary, forKey: .summary)
        try container.encode(trace, forKey: .trace)
        try container.encode(log, forKey: .log)
    }

    /// The log: one line for each event. The same scenario and seed give the same lines on every machine.
    package var log: [String] { events.map(\.line) }
}

/// A simulated session in numbers; property names are the JSON keys.
///
/// `frames_in = run + surplus + dropped`, `run = encoded + superseded + unfinished + skips`.
package struct SimulationSummary: Encodable, Sendable, Equatable {
    package struct Skips: Encodable, Sendable, Equatable {
        package let heat, pace, battery, idle: Int

        package var total: Int { heat + pace + battery + idle }
    }

    /// Of steps that one unit took alone.
    package struct Latency: Encodable, Sendable, Equatable {
        package let p50_ms, p95_ms, p99_ms, maximum_ms: Double
    }

    package internal(set) var seconds: Double
    /// Frames that the camera delivered.
    package internal(set) var frames_in: Int
    /// Frames that the grid admitted.
    package internal(set) var run: Int
    package internal(set) var surplus: Int
    package internal(set) var dropped: Int
    package internal(set) var repeats: Int
    package internal(set) var resets: Int
    /// Frames whose step was done.
    package internal(set) var encoded: Int
    package internal(set) var superseded: Int
    /// Frames in progress when the time was over, at most 2.
    package internal(set) var unfinished: Int
    package internal(set) var skips: Skips
    package internal(set) var deadline_misses: Int
    /// Time at full, half, third and sixth pace.
    package internal(set) var seconds_at_pace: [Double]
    /// Times missed deadlines or temperature lowered the pace by a step.
    package internal(set) var paces_lowered: Int
    package internal(set) var paces_raised: Int
    package internal(set) var budget_changes: Int
    package internal(set) var idle_periods: Int
    package internal(set) var unit_switches: Int
    /// The most switches in any minute.
    package internal(set) var most_switches_a_minute: Int
    /// The time for which each unit answered.
    package internal(set) var seconds_on_unit: [Double]
    /// The longest time from a step down to the last missed deadline before the pace was raised again. Of steps down in
    /// a row the first counts. Nil without a step down.
    package internal(set) var stable_after_seconds: Double?
    /// The longest distance between two consecutive slots whose frames were to be processed, within one run of the
    /// grid.
    package internal(set) var longest_stride_slots: Int
    package internal(set) var hottest_celsius: Double
    package internal(set) var latency: Latency?
    package internal(set) var log_lines: Int
}

extension SimulationSummary.Skips {
    init(_ counts: SessionStatistics.SkipCounts) {
        self.init(heat: counts.heat, pace: counts.pace, battery: counts.battery, idle: counts.idle)
    }
}

extension SimulationSummary.Latency {
    init?(_ sketch: QuantileSketch) {
        guard let p50 = sketch.percentile(perMille: 500), let p95 = sketch.percentile(perMille: 950),
            let p99 = sketch.percentile(perMille: 990)
        else { return nil }
        self.init(
            p50_ms: Double(p50) / 1e6, p95_ms: Double(p95) / 1e6, p99_ms: Double(p99) / 1e6,
            maximum_ms: Double(sketch.maximum) / 1e6)
    }
}

extension SimulationSummary {
    /// Name, value and unit of each number, for a table.
    package var rows: [(name: String, value: String)] {
        func time(_ value: Double) -> String { fixed(value, 1) + " s" }
        var rows: [(name: String, value: String)] = [
            ("frames from the camera", "\(frames_in)"),
            ("admitted by the grid", "\(run)"),
            ("surplus", "\(surplus)"),
            ("dropped", "\(dropped)"),
            ("slots repeated for want of a frame", "\(repeats)"),
            ("resets", "\(resets)"),
            ("encoded", "\(encoded)"),
            (
                "skipped for heat, pace, battery, idleness",
                "\(skips.heat), \(skips.pace), \(skips.battery), \(skips.idle)"
            ),
            ("superseded by newer frames", "\(superseded)"),
            ("missed deadlines", "\(deadline_misses)"),
            ("at full, half, third, sixth pace", seconds_at_pace.map(time).joined(separator: ", ")),
            ("pace lowered, raised", "\(paces_lowered), \(paces_raised)"),
            ("changes of the budget", "\(budget_changes)"),
            ("idle periods", "\(idle_periods)"),
            ("unit switches, most in a minute", "\(unit_switches), \(most_switches_a_minute)"),
            ("time on each unit", seconds_on_unit.map(time).joined(separator: ", ")),
            ("stable after a step down within", stable_after_seconds.map(time) ?? "-"),
            ("longest way between encoded slots", "\(longest_stride_slots) slots"),
            ("highest temperature", fixed(hottest_celsius, 1) + " C"),
        ]
        if let latency {
            rows.append(
                (
                    "step, 50th, 95th, 99th percentile, maximum",
                    [latency.p50_ms, latency.p95_ms, latency.p99_ms, latency.maximum_ms].map { fixed($0, 1) }
                        .joined(separator: ", ") + " ms"
                ))
        }
        return rows
    }
}
