/// Runs of a program beside those of its baseline; property names are the JSON keys.
package struct LatencyComparison: Codable, Sendable, Equatable {
    /// A number of a stage.
    package struct Row: Codable, Sendable, Equatable {
        /// As `step.p50`.
        package let metric: String
        /// Medians over the runs, in microseconds.
        package let baseline_us: Double
        package let now_us: Double
        /// With runs in turns the median of their ratios, otherwise the ratio of the medians.
        package let ratio: Double
        /// The smallest and the largest ratio of a run.
        package let lowest: Double
        package let highest: Double
        /// The largest ratio that is allowed; absent without a limit.
        package let limit: Double?
        package let is_exceeded: Bool
    }

    /// Whether each run has one of the baseline beside it.
    package let in_turns: Bool
    package let runs: Int
    package let rows: [Row]

    /// The numbers that are shown of every stage; those with a limit are shown, too.
    package static let shown: [LatencyStatistic] = [.p50, .p95]
    /// Ratios of runs that differ by more than this do not settle small differences.
    package static let spreadLimit = 0.1

    package var exceeded: [Row] { rows.filter(\.is_exceeded) }

    /// Whether the runs differ so much that a limit cannot be judged by them.
    package var isUncertain: Bool {
        rows.contains { row in row.limit != nil && row.highest - row.lowest > Self.spreadLimit * row.ratio }
    }

    /// - baselines: one for each run, in the same order; or one for all.
    /// - now: at least one.
    /// - Throws: for a limit on a stage that one side lacks, or that has no samples.
    package init(
        baselines: [[String: LatencySummary]], now: [[String: LatencySummary]], limits: [MetricLimit]
    ) throws(LatencyComparisonError) {
        let isPaired = baselines.count == now.count && now.count > 1
        let common = now.reduce(Set(baselines.first?.keys.map { $0 } ?? [])) { $0.intersection($1.keys) }
        let stages = common.sorted { ($0 != "step" ? 1 : 0, $0) < ($1 != "step" ? 1 : 0, $1) }
        for limit in limits where !common.contains(limit.stage) {
            throw .noStage(limit.stage, known: stages)
        }
        var rows: [Row] = []
        for stage in stages {
            for statistic in LatencyStatistic.allCases {
                let limit = limits.filter { $0.stage == stage && $0.statistic == statistic }.map(\.ratio).min()
                guard limit != nil || Self.shown.contains(statistic) else { continue }
                func values(_ runs: [[String: LatencySummary]]) -> [Double] {
                    runs.compactMap { run in run[stage].map(statistic.value) }
                }
                let (old, new) = (values(baselines), values(now))
                guard old.count == baselines.count, old.allSatisfy({ $0 > 0 }), new.allSatisfy({ $0 > 0 }) else {
                    // A stage that never ran has no times.
                    guard limit == nil else { throw .noValue("\(stage).\(statistic.rawValue)") }
                    continue
                }
                let (before, after) = (Self.median(old), Self.median(new))
                let ratios = new.indices.map { new[$0] / (isPaired ? old[$0] : before) }
                let ratio = isPaired ? Self.median(ratios) : after / before
                rows.append(
                    Row(
                        metric: "\(stage).\(statistic.rawValue)", baseline_us: before, now_us: after, ratio: ratio,
                        lowest: ratios.min() ?? ratio, highest: ratios.max() ?? ratio, limit: limit,
                        is_exceeded: limit.map { ratio > $0 } ?? false))
            }
        }
        in_turns = isPaired
        runs = now.count
        self.rows = rows
    }

    private static func median(_ values: [Double]) -> Double { quantile(0.5, ascending: values.sorted()) ?? 0 }

    /// A table of the rows.
    package var table: ReportTable {
        ReportTable(
            "Against the baseline", first: "microseconds",
            numbers: ["baseline", "now", "ratio", "of runs", "limit"],
            rows: rows.map { row in
                [
                    row.metric, fixed(row.baseline_us, 1), fixed(row.now_us, 1), fixed(row.ratio, 3),
                    fixed(row.lowest, 3) + "–" + fixed(row.highest, 3), row.limit.map { fixed($0, 3) } ?? "",
                ]
            })
    }
}

package enum LatencyComparisonError: Error, Sendable, Equatable {
    /// One side has no stage of this name.
    case noStage(String, known: [String])
    /// A stage has no samples in one of the runs.
    case noValue(String)
}
