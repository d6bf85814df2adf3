/// The times of one stage; times are microseconds, and property names are the JSON keys.
package struct LatencySummary: Codable, Sendable, Equatable {
    /// The number of samples.
    package let n: Int
    package let mean_us: Double
    /// The standard deviation of the samples, with n - 1; 0 for fewer than two.
    package let deviation_us: Double
    package let min_us: Double
    package let p50_us: Double
    package let p90_us: Double
    package let p95_us: Double
    package let p99_us: Double

    /// Nearest-rank percentiles; zeros without samples.
    package init(nanoseconds: [Int64]) {
        let sorted = nanoseconds.sorted()
        func microseconds(_ percent: Int) -> Double {
            Double(percentile(percent, ascending: sorted) ?? 0) / 1000
        }
        n = sorted.count
        let mean = sorted.isEmpty ? 0 : sorted.reduce(0) { $0 + Double($1) } / Double(n)
        let squares = sorted.reduce(0) { $0 + (Double($1) - mean) * (Double($1) - mean) }
        mean_us = mean / 1000
        deviation_us = n > 1 ? (squares / Double(n - 1)).squareRoot() / 1000 : 0
        min_us = Double(sorted.first ?? 0) / 1000
        p50_us = microseconds(50)
        p90_us = microseconds(90)
        p95_us = microseconds(95)
        p99_us = microseconds(99)
    }
}

/// A number of a `LatencySummary` by which two are compared.
package enum LatencyStatistic: String, Sendable, Hashable, CaseIterable {
    case min, mean, p50, p90, p95, p99

    /// In microseconds.
    package func value(in summary: LatencySummary) -> Double {
        switch self {
        case .min: summary.min_us
        case .mean: summary.mean_us
        case .p50: summary.p50_us
        case .p90: summary.p90_us
        case .p95: summary.p95_us
        case .p99: summary.p99_us
        }
    }
}

/// A stage with its times, as a row of a report.
package struct LatencyStage: Sendable, Equatable {
    /// Its name for programs, as `step` or `window.step`.
    package let key: String
    /// Its name for people, indented below the stage that it is a part of.
    package let title: String
    package let times: LatencySummary

    package init(_ key: String, _ title: String, _ times: LatencySummary) {
        (self.key, self.title, self.times) = (key, title, times)
    }

    /// The titles of `cells`, in microseconds but for the last.
    package static let columns = ["min", "p50", "p90", "p95", "p99", "mean", "deviation", "n"]

    /// The numbers as text, with so many decimals.
    package func cells(decimals: Int = 1) -> [String] {
        [
            times.min_us, times.p50_us, times.p90_us, times.p95_us, times.p99_us, times.mean_us, times.deviation_us,
        ].map { fixed($0, decimals) } + ["\(times.n)"]
    }

    /// The stages as comma-separated values by RFC 4180, with a first line of names.
    package static func csv(_ stages: [LatencyStage]) -> String {
        let names = ["stage", "n", "mean_us", "deviation_us", "min_us", "p50_us", "p90_us", "p95_us", "p99_us"]
        let rows = stages.map { stage in
            let times = stage.times
            return [csvCell(stage.key), "\(times.n)"]
                + [
                    times.mean_us, times.deviation_us, times.min_us, times.p50_us, times.p90_us, times.p95_us,
                    times.p99_us,
                ].map { fixed($0, 3) }
        }
        return ([names] + rows).map { $0.joined(separator: ",") }.joined(separator: "\n")
    }
}

/// A cell of comma-separated values, in quotes where it needs them.
package func csvCell(_ text: String) -> String {
    let isPlain = text.allSatisfy { !",\"\r\n".contains($0) }
    return isPlain ? text : "\"" + text.replacing("\"", with: "\"\"") + "\""
}
