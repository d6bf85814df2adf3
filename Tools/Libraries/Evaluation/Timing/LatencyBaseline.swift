package import Foundation

/// A report of `gesture-bench latency --json`, as far as another is compared with it.
package struct LatencyBaseline: Sendable, Equatable {
    package let cpu: String
    package let tier: String
    package let conditions: TimingConditions
    /// The times by the names of their stages, as `step` and `window.step`.
    package let stages: [String: LatencySummary]

    /// Largest file read, in bytes.
    package static let sizeLimit = 1 << 20

    private struct File: Decodable {
        let cpu: String
        let tier: String
        let conditions: TimingConditions
        let streaming: [String: LatencySummary]
        let tracked: LatencySummary?
        let window: [String: LatencySummary]?
    }

    package init(json: Data) throws(LatencyBaselineError) {
        let file: File
        do { file = try JSONDecoder().decode(File.self, from: json) } catch {
            throw (try? JSONSerialization.jsonObject(with: json)) == nil ? .notJSON : .otherReport(Self.clause(error))
        }
        cpu = file.cpu
        tier = file.tier
        conditions = file.conditions
        var stages = file.streaming
        stages["tracked"] = file.tracked
        for (name, times) in file.window ?? [:] { stages["window." + name] = times }
        self.stages = stages
    }

    /// The first key that the report lacks.
    private static func clause(_ error: any Error) -> String {
        guard let error = error as? DecodingError else { return "\(error)" }
        switch error {
        case .keyNotFound(let key, let context):
            return "it lacks " + (context.codingPath + [key]).map(\.stringValue).joined(separator: ".")
        case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context):
            let place = context.codingPath.map(\.stringValue).joined(separator: ".")
            return "it has another kind of value at " + (place.isEmpty ? "its root" : place)
        @unknown default: return "it cannot be read"
        }
    }

    /// How another measurement differs, so that comparing the two says nothing about the code; nil if they are alike.
    package func difference(from other: LatencyBaseline) -> String? {
        if cpu != other.cpu { return "CPU \(cpu) instead of \(other.cpu)" }
        if tier != other.tier { return "kernel tier \(tier) instead of \(other.tier)" }
        if conditions.cores != other.conditions.cores {
            return "\(conditions.cores) cores instead of \(other.conditions.cores)"
        }
        return nil
    }
}

package enum LatencyBaselineError: Error, Sendable, Equatable {
    case notJSON
    /// A JSON file that is no report of latencies, with a clause that says why.
    case otherReport(String)
}

/// By how much a number of a stage may exceed the baseline's: `step.p50+5%`.
package struct MetricLimit: Sendable, Equatable {
    package let stage: String
    package let statistic: LatencyStatistic
    /// 5 for `+5%`.
    package let percent: Double

    /// As given.
    package let text: String

    /// The largest ratio to the baseline that is within the limit.
    package var ratio: Double { 1 + percent / 100 }

    /// Nil for a text of another form, and for more than 10,000 per cent.
    package init?(_ text: String) {
        let parts = text.split(separator: "+", omittingEmptySubsequences: false)
        guard parts.count == 2, parts[1].hasSuffix("%"), let dot = parts[0].lastIndex(of: "."),
            dot > parts[0].startIndex,
            let statistic = LatencyStatistic(rawValue: String(parts[0][parts[0].index(after: dot)...])),
            parts[1].dropLast().allSatisfy({ $0.isASCII && $0.isNumber || $0 == "." }),
            let percent = Double(parts[1].dropLast()), (0...10_000).contains(percent)
        else { return nil }
        stage = String(parts[0][..<dot])
        self.statistic = statistic
        self.percent = percent
        self.text = text
    }
}
