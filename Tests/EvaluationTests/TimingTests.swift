import Evaluation
import Foundation
import Testing

@Suite struct TimingTests {
    /// 1 to 100 microseconds.
    private static let hundred = LatencySummary(nanoseconds: (1...100).reversed().map { Int64($0 * 1000) })

    @Test func percentilesMeanAndDeviation() {
        let times = Self.hundred
        #expect(times.n == 100 && times.min_us == 1)
        #expect([times.p50_us, times.p90_us, times.p95_us, times.p99_us] == [50, 90, 95, 99])
        #expect(closeTo(times.mean_us, 50.5))
        // The variance of 1...n with n - 1 is n (n + 1) / 12.
        #expect(closeTo(times.deviation_us, (100.0 * 101 / 12).squareRoot(), within: 1e-9))
        #expect(LatencyStatistic.allCases.map { $0.value(in: times) } == [1, 50.5, 50, 90, 95, 99])
    }

    @Test func fewSamples() {
        let none = LatencySummary(nanoseconds: [])
        #expect(none.n == 0 && none.mean_us == 0 && none.deviation_us == 0 && none.p99_us == 0)
        let one = LatencySummary(nanoseconds: [2500])
        #expect(one.n == 1 && one.mean_us == 2.5 && one.deviation_us == 0 && one.p50_us == 2.5)
    }

    @Test func commaSeparatedValues() {
        let text = LatencyStage.csv([
            LatencyStage("step", "whole step", Self.hundred),
            LatencyStage("a,\"b\"", "", LatencySummary(nanoseconds: [1])),
        ])
        let lines = text.split(separator: "\n")
        #expect(lines[0] == "stage,n,mean_us,deviation_us,min_us,p50_us,p90_us,p95_us,p99_us")
        #expect(lines[1] == "step,100,50.500,29.011,1.000,50.000,90.000,95.000,99.000")
        #expect(lines[2].hasPrefix("\"a,\"\"b\"\"\",1,0.001,0.000"))
    }

    // MARK: Noise

    @Test func aQuietMachineIsNotNoisy() {
        let noise = MachineNoise(loop: [100, 101, 102, 103, 104], switches: 10, seconds: 2)
        #expect(!noise.is_noisy && noise.reasons.isEmpty && noise.switches_per_second == 5)
        #expect(closeTo(noise.loop_spread, 0.04))
        #expect(noise.sentence.hasPrefix("The machine was quiet"))
    }

    @Test func eachLimitMakesAMachineNoisy() {
        let slow = MachineNoise(loop: [100, 100, 100, 100, 112], switches: 0, seconds: 1)
        #expect(slow.is_noisy && slow.reasons.count == 1 && slow.sentence.contains("12 %"))
        let busy = MachineNoise(loop: [100], switches: 51, seconds: 1)
        #expect(busy.is_noisy && busy.reasons.count == 1 && busy.sentence.contains("51 times a second"))
        // Neither loops nor time nor counts: nothing is known, and nothing is said.
        let empty = MachineNoise(loop: [], switches: nil, seconds: 0)
        #expect(!empty.is_noisy && empty.switches_per_second == nil && empty.loop_spread == 0)
    }

    // MARK: Limits

    @Test func limitsAreRead() throws {
        let limit = try #require(MetricLimit("step.p50+5%"))
        #expect(limit.stage == "step" && limit.statistic == .p50 && closeTo(limit.ratio, 1.05))
        let inner = try #require(MetricLimit("window.step.mean+12.5%"))
        #expect(inner.stage == "window.step" && inner.statistic == .mean && closeTo(inner.ratio, 1.125))
        for text in [
            "", "step", "step.p50", "step.p50+5", "step.p50+%", "step.p50+-5%", "step.p51+5%", ".p50+5%",
            "step.p50+5%%",
            "step.p50+nan%", "step.p50+inf%", "step.p50+1e3%", "step.p50+99999%", "p50+5%", "step.p50+5%+5%",
        ] { #expect(MetricLimit(text) == nil, "\(text)") }
    }

    // MARK: Comparison

    private func run(_ microseconds: Int...) -> [String: LatencySummary] {
        ["step": LatencySummary(nanoseconds: microseconds.map { Int64($0 * 1000) })]
    }

    @Test func turnsAreComparedOneByOne() throws {
        // The machine became twice as slow in the third turn, for both.
        let comparison = try LatencyComparison(
            baselines: [run(100), run(100), run(200)], now: [run(110), run(108), run(216)],
            limits: [try #require(MetricLimit("step.p50+5%")), try #require(MetricLimit("step.p99+10%"))])
        #expect(comparison.in_turns && comparison.runs == 3)
        let row = try #require(comparison.rows.first { $0.metric == "step.p50" })
        #expect(closeTo(row.ratio, 1.08) && closeTo(row.lowest, 1.08) && closeTo(row.highest, 1.1))
        #expect(row.is_exceeded && row.baseline_us == 100 && row.now_us == 110)
        #expect(comparison.exceeded.map(\.metric) == ["step.p50"])
        #expect(!comparison.isUncertain)
    }

    @Test func aFileIsComparedWithTheMedian() throws {
        let comparison = try LatencyComparison(
            baselines: [run(100)], now: [run(90), run(104), run(300)],
            limits: [try #require(MetricLimit("step.p50+5%"))])
        #expect(!comparison.in_turns)
        let row = try #require(comparison.rows.first { $0.metric == "step.p50" })
        #expect(closeTo(row.ratio, 1.04) && !row.is_exceeded && closeTo(row.highest, 3))
        #expect(comparison.isUncertain && comparison.exceeded.isEmpty)
    }

    @Test func stagesThatAreNotThere() throws {
        let limit = try #require(MetricLimit("palm.p50+5%"))
        #expect(throws: LatencyComparisonError.noStage("palm", known: ["step"])) {
            try LatencyComparison(baselines: [run(1)], now: [run(1)], limits: [limit])
        }
        var (old, new) = (run(1), run(1))
        old["palm"] = LatencySummary(nanoseconds: [])
        new["palm"] = LatencySummary(nanoseconds: [1])
        #expect(throws: LatencyComparisonError.noValue("palm.p50")) {
            try LatencyComparison(baselines: [old], now: [new], limits: [limit])
        }
        // Without a limit it is left out.
        let comparison = try LatencyComparison(baselines: [old], now: [new], limits: [])
        #expect(comparison.rows.map(\.metric) == ["step.p50", "step.p95"])
        #expect(comparison.table.rows.allSatisfy { $0.count == comparison.table.columns.count })
    }

    // MARK: Baselines

    private static let report = #"""
        {"cpu": "C", "tier": "t", "threads": 1, "streaming": {"step": \#(times)}, "window": {"step": \#(times)},
         "tracked": \#(times),
         "conditions": {"options": ["--rate", "30"], "cores": 2, "seconds": 1, "deadline_us": 8333, "deadline_misses": 3,
          "noise": {"loop_p50_us": 20, "loop_spread": 0, "is_noisy": false}}}
        """#
    private static let times = #"""
        {"n": 1, "mean_us": 1, "deviation_us": 0, "min_us": 1, "p50_us": 1, "p90_us": 1, "p95_us": 1, "p99_us": 1}
        """#

    @Test func baselinesAreRead() throws {
        let baseline = try LatencyBaseline(json: Data(Self.report.utf8))
        #expect(baseline.cpu == "C" && baseline.conditions.options == ["--rate", "30"])
        #expect(baseline.stages.keys.sorted() == ["step", "tracked", "window.step"])
        #expect(baseline.difference(from: baseline) == nil)
        let sentence = baseline.conditions.deadlineSentence(steps: 100)
        #expect(sentence == "3 of 100 steps (3.00 %) took longer than a frame, 8.33 ms")
    }

    @Test(arguments: [("\"C\"", "\"D\"", "CPU"), ("\"t\"", "\"u\"", "tier"), ("\"cores\": 2", "\"cores\": 4", "cores")])
    func otherMachinesAreReported(_ old: String, _ new: String, _ word: String) throws {
        let baseline = try LatencyBaseline(json: Data(Self.report.utf8))
        let other = try LatencyBaseline(json: Data(Self.report.replacing(old, with: new).utf8))
        #expect(try #require(other.difference(from: baseline)).contains(word))
    }

    @Test func otherFilesAreRefused() {
        #expect(throws: LatencyBaselineError.notJSON) { try LatencyBaseline(json: Data("no".utf8)) }
        #expect(throws: LatencyBaselineError.otherReport("it lacks cpu")) { try LatencyBaseline(json: Data("{}".utf8)) }
        let old = Self.report.replacing(#""p90_us": 1, "#, with: "")
        #expect(throws: LatencyBaselineError.otherReport("it lacks streaming.step.p90_us")) {
            try LatencyBaseline(json: Data(old.utf8))
        }
        let wrong = Self.report.replacing(#""cores": 2"#, with: #""cores": "x""#)
        #expect(throws: LatencyBaselineError.otherReport("it has another kind of value at conditions.cores")) {
            try LatencyBaseline(json: Data(wrong.utf8))
        }
    }
}
