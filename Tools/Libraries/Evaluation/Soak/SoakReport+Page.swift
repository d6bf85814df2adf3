import Foundation

extension SoakReport {
    /// The report as one HTML page.
    package var page: String {
        let failures = failures
        let share = String(format: "%.2f", processor_seconds / max(seconds, 1))
        var page = HTMLPage(
            "Soak of \(Self.length(seconds))",
            lead: "Live streams of landmarks, pixels and bodies in one process, under faults. Began \(began), "
                + (revision.map { $0 + ", " } ?? "") + "seed \(seed), \(Self.length(planned)) were planned, "
                + "in cycles of \(Int(cycle)) s. \(cores) cores of \(cpu), \(share) of a core used; "
                + "other programs ran beside it, as the load shows.")
        page.paragraph(
            failures.isEmpty ? "All limits were kept." : "Not kept: \(failures.joined(separator: ", ")).")
        page.heading("Limits")
        page.table(
            ReportTable(
                "Limits",
                columns: ["", "limit", "found", "verdict"].map { ReportTable.Column(title: $0, isNumber: false) },
                rows: checks.map { [$0.name, $0.limit, $0.found, $0.verdict.rawValue] })
        ) { row, column in
            guard column == 3 else { return nil }
            return switch checks[row].verdict {
            case .passed: .good
            case .failed: .bad
            case .notJudged: nil
            }
        }
        page.heading("Course")
        page.picture(SoakPicture(self).document)
        page.heading("Frames")
        page.table(
            ReportTable(
                "Frames", first: "streams of",
                numbers: [
                    "streams", "pushed", "processed", "left out", "replaced", "surplus", "refused", "after the end",
                    "gaps",
                ],
                rows: counts.map { counts in
                    [counts.kind]
                        + [
                            counts.streams, counts.pushed, counts.processed, counts.skipped, counts.superseded,
                            counts.surplus, counts.refused, counts.closed, counts.resets,
                        ].map(String.init)
                }))
        page.heading("Results and events")
        page.table(
            ReportTable(
                "Results and events", first: "streams of", numbers: ["sent to listeners", "read", "lost by slow ones"],
                rows: counts.map { counts in
                    [counts.kind] + [counts.sent, counts.received, counts.lost].map(String.init)
                }
            ))
        page.heading("Faults")
        page.table(
            ReportTable(
                "Faults", first: "", numbers: ["times"],
                rows: SoakFault.allCases.map { fault in [fault.rawValue, String(marks.count { $0.fault == fault })] }))
        return page.document
    }

    private static func length(_ seconds: Double) -> String {
        seconds < 120
            ? String(format: "%.0f seconds", seconds)
            : seconds < 7200
                ? String(format: "%.1f minutes", seconds / 60) : String(format: "%.2f hours", seconds / 3600)
    }
}
