import Foundation

/// A table of text for a terminal or a document. Cells contain text from files and must be escaped for their
/// destination.
package struct ReportTable: Sendable, Equatable {
    package struct Column: Sendable, Equatable {
        package let title: String
        /// Numbers are right-aligned.
        package let isNumber: Bool
    }

    package let title: String
    package let columns: [Column]
    /// Each as long as `columns`.
    package let rows: [[String]]

    init(_ title: String, columns: [Column], rows: [[String]]) {
        self.title = title
        self.columns = columns
        self.rows = rows
    }

    init(_ title: String, first: String, numbers: [String], rows: [[String]]) {
        self.init(
            title,
            columns: [Column(title: first, isNumber: false)] + numbers.map { Column(title: $0, isNumber: true) },
            rows: rows)
    }

    /// The table in Markdown.
    package var markdown: String {
        func line(_ cells: [String]) -> String { "| " + cells.joined(separator: " | ") + " |" }
        func cell(_ text: String) -> String {
            text.replacing("\\", with: "\\\\").replacing("|", with: "\\|").replacing("<", with: "&lt;")
                .split(separator: /[\n\r]+/, omittingEmptySubsequences: false).joined(separator: " ")
        }
        return
            ([line(columns.map { cell($0.title) }), line(columns.map { $0.isNumber ? "---:" : "---" })]
            + rows.map { line($0.map(cell)) }).joined(separator: "\n")
    }
}

extension Measures {
    /// The measures with their names, as text; the names are the same for every set of clips.
    package var lines: [(name: String, value: String)] {
        [
            ("clips", "\(clips)"),
            ("minutes", decimalText(minutes, places: 1)),
            ("frame top-1", percentText(frames.top1)),
            ("frame top-1, decided", percentText(decided_frames.top1)),
            ("frame macro F1", percentText(frames.macro_f1)),
            ("frame macro F1, decided", percentText(decided_frames.macro_f1)),
            ("ECE", fractionText(frames.ece)),
            ("right less confidence above threshold", fractionText(frames.above_threshold.gap, isSigned: true)),
            ("the same, gestures only", fractionText(frames.above_threshold_gestures.gap, isSigned: true)),
            ("SHREC detection rate", percentText(shrec.detection_rate)),
            ("SHREC false-positive rate", percentText(shrec.false_positive_rate)),
            ("SHREC Jaccard", percentText(shrec.jaccard)),
            ("SHREC delay, ms", decimalText(shrec.delay_ms, places: 0)),
            ("lenient detection rate", percentText(lenient.detection_rate)),
            ("lenient false positives a minute", decimalText(lenient.false_positives_per_minute, places: 2)),
            ("double fires", "\(lenient.double_fires)"),
            ("Levenshtein accuracy", percentText(levenshtein_accuracy)),
            ("onset to decision, median ms", decimalText(lenient.onset_to_decision.median_ms, places: 0)),
            ("onset to decision, p90 ms", decimalText(lenient.onset_to_decision.p90_ms, places: 0)),
            ("null footage, minutes", decimalText(null_footage.minutes, places: 1)),
            (
                "null footage, false positives a minute",
                decimalText(null_footage.false_positives_per_minute, places: 2)
            ),
        ]
    }
}

extension AccuracyReport {
    /// All clips, the classes, and the groups; the groups by hand and by clip only on request, because they are many.
    package func tables(everyGroup: Bool = false) -> [ReportTable] {
        var tables = [
            ReportTable(
                "All clips", first: "measure", numbers: ["value"], rows: overall.lines.map { [$0.name, $0.value] }),
            classTable, Self.table("By rate of the grid, Hz", groups.rate), Self.table("By light", groups.lighting),
        ]
        if everyGroup { tables += [Self.table("By hand", groups.hand), Self.table("By clip", groups.clip)] }
        return tables
    }

    private var classTable: ReportTable {
        let rows = labels.compactMap { label -> [String]? in
            guard let measures = classes[label] else { return nil }
            let events = measures.events
            return [
                label, "\(measures.all.frames)", percentText(measures.all.precision), percentText(measures.all.recall),
                percentText(measures.all.f1), percentText(measures.decided.f1), events.map { "\($0.truths)" } ?? "–",
                events.map { "\($0.shrec_found)" } ?? "–", events.map { "\($0.shrec_false_positives)" } ?? "–",
                events.map { "\($0.lenient_found)" } ?? "–", events.map { "\($0.lenient_false_positives)" } ?? "–",
                events.map { "\($0.double_fires)" } ?? "–",
                decimalText(events?.onset_to_decision.median_ms, places: 0),
            ]
        }
        return ReportTable(
            "Classes", first: "class",
            numbers: [
                "frames", "precision", "recall", "F1", "F1 decided", "events", "SHREC found", "SHREC false",
                "lenient found", "lenient false", "double", "delay ms",
            ], rows: rows)
    }

    private static func table(_ title: String, _ groups: [String: Measures]) -> ReportTable {
        let rows = groups.keys.sorted { $0.compare($1, options: .numeric) == .orderedAscending }.map { name in
            guard let all = groups[name] else { return [name] }
            return [
                name, "\(all.clips)", "\(all.frames.frames)", percentText(all.frames.top1),
                percentText(all.decided_frames.top1), percentText(all.frames.macro_f1), "\(all.shrec.truths)",
                percentText(all.shrec.detection_rate), percentText(all.shrec.jaccard),
                percentText(all.lenient.detection_rate), "\(all.lenient.false_positives)",
                "\(all.lenient.double_fires)", percentText(all.levenshtein_accuracy),
                decimalText(all.lenient.onset_to_decision.median_ms, places: 0),
            ]
        }
        return ReportTable(
            title, first: "group",
            numbers: [
                "clips", "frames", "top-1", "top-1 decided", "macro F1", "events", "SHREC det.", "SHREC Jaccard",
                "lenient det.", "lenient false", "double", "Levenshtein", "delay ms",
            ], rows: rows)
    }
}

/// `93.4 %`, or a dash for nil.
func percentText(_ share: Double?) -> String {
    share.map { String(format: "%.1f %%", 100 * $0) } ?? "–"
}

/// `0.0123`, or a dash for nil.
func fractionText(_ value: Double?, isSigned: Bool = false) -> String {
    value.map { String(format: isSigned ? "%+.4f" : "%.4f", $0) } ?? "–"
}

/// At most this many decimals, without trailing zeros; a dash for nil.
func decimalText(_ value: Double?, places: Int) -> String {
    guard let value else { return "–" }
    var text = String(format: "%.\(places)f", value)
    guard text.contains(".") else { return text }
    while text.hasSuffix("0") { text.removeLast() }
    if text.hasSuffix(".") { text.removeLast() }
    return text
}

/// `+0.30`.
func signedText(_ value: Double, places: Int) -> String { String(format: "%+.\(places)f", value) }
