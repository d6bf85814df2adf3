import Evaluation
import Foundation
import Testing

@Suite struct SoakPlanTests {
    @Test func theSeedDecidesEverything() {
        let plan = SoakPlan(seed: 5, cycle: 30)
        for cycle in [0, 1, 100] {
            #expect(plan.entries(ofCycle: cycle) == SoakPlan(seed: 5, cycle: 30).entries(ofCycle: cycle))
            #expect(plan.entries(ofCycle: cycle) != SoakPlan(seed: 6, cycle: 30).entries(ofCycle: cycle))
        }
        #expect(plan.entries(ofCycle: 0) != plan.entries(ofCycle: 1))
    }

    /// Every cycle has every fault once, in order, and all are over before the quiet stretch.
    @Test(arguments: [5.0, 30, 3600]) func everyFaultOnceACycle(cycle: Double) {
        for seed in 0..<200 as Range<UInt64> {
            let entries = SoakPlan(seed: seed, cycle: cycle).entries(ofCycle: Int(seed))
            #expect(Set(entries.map(\.fault)) == Set(SoakFault.allCases) && entries.count == SoakFault.allCases.count)
            #expect(entries.map(\.begin) == entries.map(\.begin).sorted())
            #expect(
                entries.allSatisfy {
                    $0.begin > 0 && $0.end >= $0.begin && $0.end <= SoakPlan.quietShare * cycle + 1e-9
                })
        }
    }
}

@Suite struct SoakReportTests {
    /// A run in which all is well, with a little noise.
    private static func report(cycles: Int = 30) -> SoakReport {
        var report = SoakReport(
            seed: 3, planned: 30 * Double(cycles), cycle: 30, began: "2026-11-26T12:00:00Z", cpu: "<CPU & co>",
            cores: 2,
            revision: "abc")
        report.seconds = 30 * Double(cycles)
        for kind in ["landmarks", "pixels", "bodies"] {
            var counts = SoakReport.Counts(kind: kind)
            (counts.streams, counts.pushed, counts.processed, counts.skipped) = (12, 1000, 900, 40)
            (counts.superseded, counts.surplus, counts.refused, counts.closed) = (30, 10, 8, 12)
            (counts.sent, counts.received, counts.lost) = (2000, 1900, 100)
            report.counts.append(counts)
        }
        for index in 0..<cycles {
            let time = 30 * Double(index + 1)
            report.cycles.append(
                SoakReport.Cycle(
                    time: time, resident: 300_000_000 + index * 7919 % 13 * 100_000, descriptors: index == 0 ? 9 : 11,
                    streamThreads: 6, liveStreams: 6, allocations: index == 0 ? 8 : 0, pushes: 200,
                    latencies: ["landmarks": [0.005, 0.006, 0.009], "pixels": [0.001], "bodies": [0.02, 0.03]]
                        .compactMapValues(SoakReport.Latency.init), load: 2)
            )
            report.samples.append(SoakReport.Sample(time: time - 10, resident: 340_000_000, load: 2.5))
            for (place, fault) in SoakFault.allCases.enumerated() {
                let begin = time - 30 + Double(place)
                report.marks.append(SoakReport.Mark(fault, begin: begin, end: begin + 1))
            }
        }
        (report.pages_answered, report.pages_failed) = (8 * cycles, 0)
        return report
    }

    private func verdict(_ name: String, _ report: SoakReport) -> SoakReport.Verdict? {
        report.checks.first { $0.name == name }?.verdict
    }

    @Test func aGoodRunPasses() {
        let report = Self.report()
        #expect(report.failures.isEmpty && report.checks.allSatisfy { $0.verdict == .passed }, "\(report.checks)")
    }

    /// Each limit, and a run that is like the good one but for what the limit is about.
    @Test func eachLimitIsHeld() {
        let faults: [(String, (inout SoakReport) -> Void)] = [
            ("frames", { $0.counts[1].processed -= 1 }),
            ("frames", { $0.counts[2].inexact = 1 }),
            ("results", { $0.counts[0].received += 1 }),
            ("page", { $0.pages_failed = 1 }),
            ("faults", { report in report.marks.removeAll { $0.fault == .burst } }),
            ("descriptors", { $0.cycles[20].descriptors = 12 }),
            ("threads", { $0.cycles[0].stream_threads = 7 }),
            ("allocations", { $0.cycles[9].allocations = 1 }),
            (
                "memory",
                { report in
                    for index in report.cycles.indices { report.cycles[index].resident_bytes! += 400_000 * index }
                }
            ),
            (
                "latency of pixels",
                { report in
                    for index in 20..<30 { report.cycles[index].latencies["pixels"] = .init([0.001, 0.013]) }
                }
            ),
        ]
        for (name, spoil) in faults {
            var report = Self.report()
            spoil(&report)
            #expect(report.failures == [name], "\(report.checks)")
        }
    }

    @Test func latenciesAreNearestRanks() {
        #expect(SoakReport.Latency([]) == nil)
        let latency = SoakReport.Latency((1...100).map(Double.init).reversed())
        #expect(latency?.p50 == 50 && latency?.p99 == 99)
    }

    /// A few cycles that are slower, as when something else takes the cores, are no drift.
    @Test func aFewSlowCyclesAreNoDrift() throws {
        var report = Self.report()
        for index in [24, 26, 28] { report.cycles[index].latencies["bodies"] = .init([0.02, 0.9]) }
        #expect(report.failures.isEmpty)
        #expect(try #require(report.drift(of: "bodies")) == (0.03, 0.03))
    }

    /// A few cycles with much more memory are no slope.
    @Test func outliersAreNoSlope() throws {
        var report = Self.report()
        for index in [25, 27, 29] { report.cycles[index].resident_bytes = 900_000_000 }
        #expect(report.failures.isEmpty)
        for index in report.cycles.indices { report.cycles[index].resident_bytes = 100_000_000 + 3000 * index }
        #expect(abs(try #require(report.memorySlope) - 100) < 1e-6)
    }

    @Test func aShortRunIsNotJudgedBySlopes() {
        let report = Self.report(cycles: 3)
        #expect(report.failures.isEmpty && report.memorySlope == nil && report.drift(of: "pixels") == nil)
        #expect(verdict("memory", report) == .notJudged && verdict("latency of bodies", report) == .notJudged)
        #expect(verdict("descriptors", report) == .passed && verdict("frames", report) == .passed)
        var none = Self.report(cycles: 0)
        for index in none.counts.indices {
            (none.counts[index].sent, none.counts[index].received, none.counts[index].lost) = (0, 0, 0)
        }
        #expect(none.failures.isEmpty && verdict("results", none) == .notJudged)
        #expect(verdict("descriptors", none) == .notJudged && verdict("threads", none) == .notJudged)
        #expect(none.page.contains("</html>"))
    }

    /// A run of a day is a page as small as that of an hour.
    @Test(arguments: [0, 3, 30, 2880]) func thePageStandsAlone(cycles: Int) throws {
        var report = Self.report(cycles: cycles)
        if cycles > 3 { report.cycles[3].descriptors = 99 }
        let page = report.page
        #expect(page.utf8.count < 120_000, "\(page.utf8.count) bytes")
        #expect(!page.contains("<script") && !page.contains("<link") && page.contains("prefers-color-scheme: dark"))
        // Nothing outside is named but SVG itself.
        #expect(page.components(separatedBy: "http").count == 2)
        #expect(page.contains("&lt;CPU &amp; co&gt;") && page.contains("12:00:00Z") && page.contains("abc"))
        for fault in SoakFault.allCases { #expect(page.contains(fault.rawValue)) }
        #expect(page.contains("Not kept: descriptors") == (cycles > 3))
        let begin = try #require(page.range(of: "<svg"))
        let end = try #require(page.range(of: "</svg>"))
        #expect(!page[begin.lowerBound..<end.upperBound].contains("NaN"))
    }

    @Test func jsonComesBackAsItWent() throws {
        let report = Self.report(cycles: 2)
        let data = try JSONEncoder().encode(report)
        let back = try JSONDecoder().decode(SoakReport.self, from: data)
        #expect(back.checks == report.checks && back.page == report.page)
    }
}
