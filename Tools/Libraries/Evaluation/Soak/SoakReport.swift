import Foundation

/// What a soak has measured, and whether it kept its limits; property names are the JSON keys.
package struct SoakReport: Codable, Sendable {
    /// The exact counts of all streams of one kind.
    package struct Counts: Codable, Sendable, Equatable {
        package var kind: String
        package var streams = 0
        package var pushed = 0
        package var processed = 0
        package var skipped = 0
        package var superseded = 0
        package var surplus = 0
        package var refused = 0
        package var closed = 0
        /// Times a stream began anew after a gap.
        package var resets = 0
        /// Events and results: sent to all listeners, read, and lost because a listener was slow.
        package var sent = 0
        package var received = 0
        package var lost = 0
        /// Streams whose counts do not add up.
        package var inexact = 0

        package init(kind: String) { self.kind = kind }
    }

    /// Seconds. Single times are not kept, because a soak must not grow by its own report.
    package struct Latency: Codable, Sendable, Equatable {
        package var p50: Double
        package var p99: Double

        /// Nil without times.
        package init?(_ times: [Double]) {
            let ascending = times.sorted()
            guard let p50 = percentile(50, ascending: ascending), let p99 = percentile(99, ascending: ascending) else {
                return nil
            }
            (self.p50, self.p99) = (p50, p99)
        }
    }

    /// The quiet stretch at the end of a cycle.
    package struct Cycle: Codable, Sendable {
        /// Seconds since the start.
        package var time: Double
        package var resident_bytes: Int?
        package var descriptors: Int?
        /// Threads of streams, and the streams that there are.
        package var stream_threads: Int?
        package var live_streams: Int
        /// Heap allocations of the thread that pushes, in this many pushes that left the schedule as it was.
        package var allocations: Int?
        package var pushes: Int
        /// Pushes that changed the schedule.
        package var schedule_changes: Int
        /// From a push to its result, by kind.
        package var latencies: [String: Latency]
        package var load: Double?

        package init(
            time: Double, resident: Int?, descriptors: Int?, streamThreads: Int?, liveStreams: Int, allocations: Int?,
            pushes: Int, scheduleChanges: Int = 0, latencies: [String: Latency], load: Double?
        ) {
            self.time = time
            resident_bytes = resident
            self.descriptors = descriptors
            stream_threads = streamThreads
            live_streams = liveStreams
            self.allocations = allocations
            self.pushes = pushes
            schedule_changes = scheduleChanges
            self.latencies = latencies
            self.load = load
        }
    }

    /// A reading in between, under faults.
    package struct Sample: Codable, Sendable {
        package var time: Double
        package var resident_bytes: Int?
        package var load: Double?

        package init(time: Double, resident: Int?, load: Double?) {
            self.time = time
            resident_bytes = resident
            self.load = load
        }
    }

    /// A fault that was injected.
    package struct Mark: Codable, Sendable {
        package var fault: SoakFault
        package var begin: Double
        package var end: Double

        package init(_ fault: SoakFault, begin: Double, end: Double) {
            (self.fault, self.begin, self.end) = (fault, begin, end)
        }
    }

    package enum Verdict: String, Codable, Sendable {
        case passed, failed
        /// The run was too short, or the system does not tell.
        case notJudged = "not judged"
    }

    /// A limit, and what was found.
    package struct Check: Codable, Sendable, Equatable {
        package let name: String
        package let limit: String
        package let found: String
        package let verdict: Verdict
    }

    package var seed: UInt64
    /// Seconds that were asked for, and that it ran.
    package var planned: Double
    package var seconds = 0.0
    package var cycle: Double
    /// When it began, in UTC.
    package var began: String
    package var cpu: String
    package var cores: Int
    package var revision: String?
    package var counts: [Counts] = []
    package var cycles: [Cycle] = []
    package var samples: [Sample] = []
    package var marks: [Mark] = []
    /// Connections to the page: answered as they should be, and otherwise.
    package var pages_answered = 0
    package var pages_failed = 0
    /// Seconds of processor time of the whole run.
    package var processor_seconds = 0.0

    package init(
        seed: UInt64, planned: Double, cycle: Double, began: String, cpu: String, cores: Int, revision: String?
    ) {
        self.seed = seed
        self.planned = planned
        self.cycle = cycle
        self.began = began
        self.cpu = cpu
        self.cores = cores
        self.revision = revision
    }

    /// The most bytes that the resident set may have grown, by its slope, over the judged cycles.
    package static let growthLimit = 8 << 20
    /// The fewest cycles after the first for a slope, and for a drift of the latency.
    package static let slopeCycles = 8
    package static let driftCycles = 6
    /// A 99th percentile may become this many times as long, and this many seconds more.
    package static let driftFactor = 2.0
    package static let driftAllowance = 0.010

    package var checks: [Check] {
        [countCheck, resultCheck, pageCheck, faultCheck, descriptorCheck, threadCheck, memoryCheck, allocationCheck]
            + counts.map(\.kind).map(driftCheck)
    }

    /// The names of the limits that were not kept.
    package var failures: [String] { checks.filter { $0.verdict == .failed }.map(\.name) }

    /// The first cycle warms up: pools, tables, the allocator.
    private var judged: ArraySlice<Cycle> { cycles.dropFirst() }

    private static func verdict(_ isKept: Bool) -> Verdict { isKept ? .passed : .failed }

    private var countCheck: Check {
        let inexact = counts.map(\.inexact).reduce(0, +)
        let pushed = counts.map(\.pushed).reduce(0, +)
        let parts = counts.map { $0.processed + $0.skipped + $0.superseded + $0.surplus + $0.refused + $0.closed }
        return Check(
            name: "frames",
            limit: "pushed = processed + left out + replaced + surplus + refused + after the end, in every stream",
            found:
                "\(pushed) = \(parts.reduce(0, +)); \(inexact) of \(counts.map(\.streams).reduce(0, +)) streams differ",
            verdict: Self.verdict(inexact == 0 && pushed == parts.reduce(0, +) && pushed > 0))
    }

    private var resultCheck: Check {
        let sent = counts.map(\.sent).reduce(0, +)
        let (read, lost) = (counts.map(\.received).reduce(0, +), counts.map(\.lost).reduce(0, +))
        return Check(
            name: "results", limit: "sent to listeners = read + lost", found: "\(sent) = \(read) + \(lost)",
            verdict: sent + read + lost == 0 ? .notJudged : Self.verdict(sent == read + lost))
    }

    private var pageCheck: Check {
        Check(
            name: "page", limit: "every connection is answered",
            found: "\(pages_answered) answered, \(pages_failed) not",
            verdict: pages_answered + pages_failed == 0 ? .notJudged : Self.verdict(pages_failed == 0))
    }

    private var faultCheck: Check {
        let missing = SoakFault.allCases.filter { fault in !marks.contains { $0.fault == fault } }
        return Check(
            name: "faults", limit: "each at least once",
            found: missing.isEmpty
                ? "\(marks.count) of \(SoakFault.allCases.count) kinds"
                : "without " + missing.map(\.rawValue).joined(separator: ", "),
            verdict: cycles.isEmpty ? .notJudged : Self.verdict(missing.isEmpty))
    }

    private var descriptorCheck: Check {
        let open = judged.compactMap(\.descriptors)
        let (least, most) = (open.min() ?? 0, open.max() ?? 0)
        return Check(
            name: "descriptors", limit: "the same after every cycle but the first",
            found: open.isEmpty ? "-" : least == most ? "\(least)" : "\(least) to \(most)",
            verdict: open.count < 2 ? .notJudged : Self.verdict(least == most))
    }

    private var threadCheck: Check {
        let cycles = cycles.filter { $0.stream_threads != nil }
        let wrong = cycles.filter { $0.stream_threads != $0.live_streams }
        return Check(
            name: "threads", limit: "as many as streams, after every cycle",
            found: wrong.first.map { "\($0.stream_threads ?? 0) for \($0.live_streams) streams" }
                ?? "in all \(cycles.count) cycles",
            verdict: cycles.isEmpty ? .notJudged : Self.verdict(wrong.isEmpty))
    }

    /// Bytes a second; nil if there are too few cycles.
    package var memorySlope: Double? {
        let points = judged.compactMap { cycle in cycle.resident_bytes.map { (cycle.time, Double($0)) } }
        return points.count < Self.slopeCycles ? nil : theilSenSlope(points)
    }

    private var memoryCheck: Check {
        let limit = "at most \(Self.growthLimit >> 20) MiB by the Theil-Sen slope after the first cycle"
        guard let slope = memorySlope, let first = judged.first, let last = judged.last else {
            return Check(
                name: "memory", limit: limit, found: "fewer than \(Self.slopeCycles) cycles", verdict: .notJudged)
        }
        let growth = slope * (last.time - first.time)
        return Check(
            name: "memory", limit: limit,
            found: String(
                format: "%+.2f MiB in %.0f minutes, %+.2f MiB an hour", growth / 1_048_576,
                (last.time - first.time) / 60, 3600 * slope / 1_048_576),
            verdict: Self.verdict(growth <= Double(Self.growthLimit)))
    }

    private var allocationCheck: Check {
        let counted = judged.filter { $0.allocations != nil }
        let (all, pushes) = (counted.compactMap(\.allocations).reduce(0, +), counted.map(\.pushes).reduce(0, +))
        let changes = counted.map(\.schedule_changes).reduce(0, +)
        return Check(
            name: "allocations",
            limit: "none by a push in a quiet stretch after the first cycle, unless it changes the schedule",
            found: pushes == 0 ? "-" : "\(all) in \(pushes) pushes; \(changes) more changed the schedule",
            verdict: pushes == 0 ? .notJudged : Self.verdict(all == 0))
    }

    /// The 99th percentile of a cycle, in seconds: the median of the first third of the judged cycles and of the last; nil
    /// if there are too few.
    package func drift(of kind: String) -> (first: Double, last: Double)? {
        let judged = Array(judged)
        guard judged.count >= Self.driftCycles else { return nil }
        func p99(_ cycles: ArraySlice<Cycle>) -> Double? {
            quantile(0.5, ascending: cycles.compactMap { $0.latencies[kind]?.p99 }.sorted())
        }
        guard let first = p99(judged.prefix(judged.count / 3)), let last = p99(judged.suffix(judged.count / 3)) else {
            return nil
        }
        return (first, last)
    }

    private func driftCheck(_ kind: String) -> Check {
        let limit = String(
            format: "p99 of a cycle: of the last third at most %.0f times that of the first and %.0f ms",
            Self.driftFactor,
            1000 * Self.driftAllowance)
        guard let (first, last) = drift(of: kind) else {
            return Check(
                name: "latency of \(kind)", limit: limit, found: "fewer than \(Self.driftCycles) cycles",
                verdict: .notJudged)
        }
        return Check(
            name: "latency of \(kind)", limit: limit,
            found: String(format: "%.1f to %.1f ms", 1000 * first, 1000 * last),
            verdict: Self.verdict(last <= Self.driftFactor * first + Self.driftAllowance))
    }
}

/// The median of the slopes between all pairs of points, which a quarter of outliers does not move (Sen, 1968); nil
/// without two different abscissas. Of more than 400 points every so many are taken.
func theilSenSlope(_ points: [(x: Double, y: Double)]) -> Double? {
    let step = max(1, points.count / 400)
    let taken = stride(from: 0, to: points.count, by: step).map { points[$0] }
    var slopes: [Double] = []
    for first in taken.indices {
        for second in taken.indices.dropFirst(first + 1) where taken[second].x != taken[first].x {
            slopes.append((taken[second].y - taken[first].y) / (taken[second].x - taken[first].x))
        }
    }
    return quantile(0.5, ascending: slopes.sorted())
}
