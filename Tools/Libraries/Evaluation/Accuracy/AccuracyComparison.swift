import Foundation

/// Several engines, or one in several number formats, on the same clips.
package struct AccuracyComparison: Codable, Sendable, Equatable {
    package struct Entry: Codable, Sendable, Equatable {
        package let name: String
        package let report: AccuracyReport

        package init(name: String, report: AccuracyReport) {
            self.name = name
            self.report = report
        }
    }

    /// At least one; the others are compared with the first.
    package let entries: [Entry]

    /// - Throws: if the reports are not of the same clips with the same labels; their numbers would not be comparable.
    package init(_ entries: [Entry]) throws(AccuracyComparisonError) {
        guard let first = entries.first else { throw .empty }
        var names: Set<String> = []
        for entry in entries {
            guard names.insert(entry.name).inserted else { throw .repeatedName(entry.name) }
            guard entry.report.labels == first.report.labels else { throw .otherLabels(entry.name) }
            guard entry.report.footage == first.report.footage else { throw .otherClips(entry.name) }
        }
        self.entries = entries
    }

    /// Every measure in a row with one column for each entry; then the difference of each entry's frame top-1 from the
    /// first, in points; then each class's F1 and found events.
    package var tables: [ReportTable] {
        let names = entries.map(\.name)
        let lines = entries.map(\.report.overall.lines)
        var rows = lines[0].indices.map { row in [lines[0][row].name] + lines.map { $0[row].value } }
        rows.append(["frame top-1, points above \(names[0])"] + entries.map { pointsAboveFirst($0) })
        let labels = entries[0].report.labels
        func classRows(_ value: (ClassMeasures?) -> String) -> [[String]] {
            labels.map { label in [label] + entries.map { value($0.report.classes[label]) } }
        }
        let rates = Set(entries.flatMap(\.report.groups.rate.keys))
        let rateRows = rates.sorted { $0.compare($1, options: .numeric) == .orderedAscending }.map { rate in
            [rate] + entries.map { percentText($0.report.groups.rate[rate]?.frames.top1) }
        }
        return [
            ReportTable("All clips", first: "measure", numbers: names, rows: rows),
            ReportTable("Frame F1", first: "class", numbers: names, rows: classRows { percentText($0?.all.f1) }),
            ReportTable(
                "Events found by the SHREC rule", first: "class", numbers: names,
                rows: classRows { measures in
                    measures?.events.map { "\($0.shrec_found) of \($0.truths)" } ?? "–"
                }),
            ReportTable("Frame top-1 by rate of the grid, Hz", first: "rate", numbers: names, rows: rateRows),
        ]
    }

    private func pointsAboveFirst(_ entry: Entry) -> String {
        guard let base = entries[0].report.overall.frames.top1, let top1 = entry.report.overall.frames.top1 else {
            return "–"
        }
        return signedText(100 * (top1 - base), places: 2)
    }
}

/// Why reports cannot be compared.
package enum AccuracyComparisonError: Error, Sendable, Equatable {
    case empty
    case repeatedName(String)
    case otherLabels(String)
    case otherClips(String)
}

extension AccuracyReport {
    /// The footage that comparable reports must share: the clips with their numbers of true events.
    fileprivate var footage: [String: Int] { groups.clip.mapValues(\.shrec.truths) }
}
