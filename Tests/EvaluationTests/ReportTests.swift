import Evaluation
import Foundation
import Testing

#if canImport(FoundationXML)
#endif

@Suite struct ReportTests {
    @Test func jsonComesBackAsItWent() throws {
        let report = report(try observation())
        let data = try JSONEncoder().encode(report)
        #expect(try JSONDecoder().decode(AccuracyReport.self, from: data) == report)
    }

    @Test func jsonKeysAreAsDocumented() throws {
        let data = try JSONEncoder().encode(report(try observation()))
        let root = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
        #expect(
            Set(root.keys) == [
                "calibration", "classes", "confusion", "decided_confusion", "groups", "labels", "null_label", "overall",
                "rules",
            ])
        let overall = try #require(root["overall"] as? [String: Any])
        #expect(
            Set(overall.keys) == [
                "clips", "decided_frames", "frames", "lenient", "levenshtein_accuracy", "minutes", "null_footage",
                "shrec", "unpredicted_frames",
            ])
        let shrec = try #require(overall["shrec"] as? [String: Any])
        #expect(shrec["detection_rate"] as? Double == 1)
        #expect(shrec["false_positive_rate"] as? Double == 0)
        let frames = try #require(overall["frames"] as? [String: Any])
        #expect(frames["top1"] as? Double == 0.75)
        // A mean of nothing is absent.
        #expect(frames["classwise_ece"] == nil)
        let rules = try #require(root["rules"] as? [String: Any])
        #expect(rules["tolerance_s"] as? Double == 0.5 && rules["least_overlap"] as? Double == 0.5)
    }

    @Test func tablesSayTheNumbers() throws {
        let tables = report(try observation()).tables(everyGroup: true)
        #expect(tables.map(\.title).count == 6)
        for table in tables { #expect(table.rows.allSatisfy { $0.count == table.columns.count }, "\(table.title)") }
        #expect(tables[0].rows.contains(["frame top-1", "75.0 %"]))
        #expect(tables[0].rows.contains(["frame top-1, decided", "100.0 %"]))
        #expect(tables[0].rows.contains(["null footage, false positives a minute", "–"]))
        // swipe: 2 frames, all right.
        #expect(tables[1].rows[0].prefix(5) == ["swipe", "2", "100.0 %", "100.0 %", "100.0 %"])
        #expect(tables[1].rows.map { $0[0] } == ["swipe", "tap", "null"])
        #expect(tables[2].rows.map { $0[0] } == ["10"])
        #expect(tables[5].rows.map { $0[0] } == ["a.mp4"])
    }

    @Test func groupsStandInTheOrderOfTheirNumbers() throws {
        var evaluator = Evaluator(classes: sample)
        for (rate, source) in [(120.0, 120.0), (30, 30), (120, 95), (60, 60), (7.5, 7.5)] {
            let labels = try ClipLabels(
                rate: rate, frames: 1, events: [], runs: [.init(frames: 0..<1, classIndex: 2)], sourceRate: source,
                classes: sample)
            evaluator.add(try ClipObservation(name: "c", truth: labels, seconds: 1, frames: [], events: []))
        }
        #expect(evaluator.report.tables()[2].rows.map { $0[0] } == ["7.5", "30", "60", "120", "120 jittered"])
    }

    @Test func markdownCellsCannotBreakTheTable() throws {
        let classes = try ClassNames(["a|b\n|c", "tap", "null"], nullIndex: 2)
        let markdown = report(try observation(classes: classes)).tables()[1].markdown
        let lines = markdown.split(separator: "\n")
        #expect(lines.count == 5)
        #expect(lines[2].hasPrefix("| a\\|b \\|c | 2 |"))
    }

    @Test func reportsSideBySide() throws {
        let comparison = try AccuracyComparison([
            .init(name: "float32", report: report(try observation(wrong: 0))),
            .init(name: "int8", report: report(try observation(wrong: 1))),
        ])
        let tables = comparison.tables
        for table in tables { #expect(table.rows.allSatisfy { $0.count == 3 && table.columns.count == 3 }) }
        #expect(tables[0].columns.map(\.title) == ["measure", "float32", "int8"])
        #expect(tables[0].rows.contains(["frame top-1", "100.0 %", "75.0 %"]))
        #expect(tables[0].rows.last == ["frame top-1, points above float32", "+0.00", "-25.00"])
        #expect(tables[2].rows[0] == ["swipe", "1 of 1", "1 of 1"])
        #expect(tables[3].rows == [["10", "100.0 %", "75.0 %"]])
    }

    @Test func reportsOfOtherClipsDoNotCompare() throws {
        let base = AccuracyComparison.Entry(name: "a", report: report(try observation()))
        #expect(throws: AccuracyComparisonError.empty) { try AccuracyComparison([]) }
        #expect(throws: AccuracyComparisonError.repeatedName("a")) { try AccuracyComparison([base, base]) }
        let elsewhere = AccuracyComparison.Entry(name: "b", report: report(try observation(name: "b.mp4")))
        #expect(throws: AccuracyComparisonError.otherClips("b")) { try AccuracyComparison([base, elsewhere]) }
        let classes = try ClassNames(["swipe", "grab", "null"], nullIndex: 2)
        let others = AccuracyComparison.Entry(name: "c", report: report(try observation(classes: classes)))
        #expect(throws: AccuracyComparisonError.otherLabels("c")) { try AccuracyComparison([base, others]) }
    }
}
