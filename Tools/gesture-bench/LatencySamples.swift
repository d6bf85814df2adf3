import Evaluation
import ToolSupport
import Vocabulary

/// The times of one stage.
struct LatencySamples {
    private var nanoseconds: [Int64] = []

    /// Reserves room for `capacity` samples, so that adding them allocates nothing.
    init(capacity: Int) { nanoseconds.reserveCapacity(capacity) }

    mutating func add(nanoseconds count: Int64) { nanoseconds.append(count) }

    mutating func add(_ duration: Duration) { nanoseconds.append(duration.saturatedNanoseconds) }

    /// The average in microseconds, 0 without samples. It includes rare expensive steps, which percentiles hide.
    var mean: Double { nanoseconds.isEmpty ? 0 : Double(nanoseconds.reduce(0, +)) / Double(nanoseconds.count) / 1000 }

    /// Nearest-rank percentiles, 0 without samples.
    var summary: LatencySummary {
        let sorted = nanoseconds.sorted()
        func microseconds(_ percent: Int) -> Double {
            Double(percentile(percent, ascending: sorted) ?? 0) / 1000
        }
        return LatencySummary(
            p50_us: microseconds(50), p95_us: microseconds(95), p99_us: microseconds(99),
            min_us: Double(sorted.first ?? 0) / 1000, n: sorted.count)
    }
}

/// Percentiles of one stage in microseconds; the names are those of the JSON report.
struct LatencySummary: Codable {
    let p50_us: Double
    let p95_us: Double
    let p99_us: Double
    let min_us: Double
    let n: Int
}

extension LatencySummary {
    /// One line per stage, in microseconds.
    static func table(_ stages: [(name: String, times: LatencySummary)]) -> String {
        var table = TextTable([
            ("microseconds", .left), ("min", .right), ("p50", .right), ("p95", .right), ("p99", .right), ("n", .right),
        ])
        for (name, s) in stages {
            table.add([name] + [s.min_us, s.p50_us, s.p95_us, s.p99_us].map { decimals($0, 1) } + [String(s.n)])
        }
        return table.lines.joined(separator: "\n")
    }
}
