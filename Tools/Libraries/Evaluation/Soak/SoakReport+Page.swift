import Foundation

extension SoakReport {
    /// The report as one HTML page without external references or scripts. It follows the reader's light or dark theme.
    package var page: String {
        let failures = failures
        let outcome = failures.isEmpty ? "All limits were kept." : "Not kept: \(failures.joined(separator: ", "))."
        let share = String(format: "%.2f", processor_seconds / max(seconds, 1))
        return """
            <!doctype html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width">
            <title>Soak of \(Self.length(seconds))</title>
            <style>\(SimulationReport.style)\(Self.style)</style>
            </head>
            <body>
            <h1>Soak of \(Self.length(seconds))</h1>
            <p>Live streams of landmarks, pixels and bodies in one process, under faults. Began \
            \(SVGCanvas.escaped(began)), \(revision.map { SVGCanvas.escaped($0) + ", " } ?? "")seed \(seed), \
            \(Self.length(planned)) were planned, in cycles of \(Int(cycle)) s. \(cores) cores of \
            \(SVGCanvas.escaped(cpu)), \(share) of a core used; other programs ran beside it, as the load shows.</p>
            <p class="\(failures.isEmpty ? "passed" : "failed")">\(SVGCanvas.escaped(outcome))</p>
            <h2>Limits</h2>
            \(Self.table(
                ["", "limit", "found", ""],
                checks.map { [$0.name, $0.limit, $0.found, $0.verdict.rawValue] },
                classes: checks.map { $0.verdict == .notJudged ? "" : $0.verdict.rawValue }))
            <h2>Course</h2>
            \(SoakPicture(self).document)
            <h2>Frames</h2>
            \(Self.table(
                ["streams of", "streams", "pushed", "processed", "left out", "replaced", "surplus", "refused",
                    "after the end", "gaps"],
                counts.map { counts in
                    [counts.kind]
                        + [counts.streams, counts.pushed, counts.processed, counts.skipped, counts.superseded,
                            counts.surplus, counts.refused, counts.closed, counts.resets].map(String.init)
                }))
            <h2>Results and events</h2>
            \(Self.table(
                ["streams of", "sent to listeners", "read", "lost by slow ones"],
                counts.map { [$0.kind] + [$0.sent, $0.received, $0.lost].map(String.init) }))
            <h2>Faults</h2>
            \(Self.table(
                ["", "times"],
                SoakFault.allCases.map { fault in
                    [fault.rawValue, String(marks.count { $0.fault == fault })]
                }))
            </body>
            </html>

            """
    }

    private static func length(_ seconds: Double) -> String {
        seconds < 120
            ? String(format: "%.0f seconds", seconds)
            : seconds < 7200
                ? String(format: "%.1f minutes", seconds / 60) : String(format: "%.2f hours", seconds / 3600)
    }

    /// - classes: of the last cell of each row.
    private static func table(_ titles: [String], _ rows: [[String]], classes: [String] = []) -> String {
        let head = titles.map { "<th scope=\"col\">\(SVGCanvas.escaped($0))</th>" }.joined()
        let lines = rows.enumerated().map { index, row in
            let cells = row.enumerated().map { place, cell in
                let text = SVGCanvas.escaped(cell)
                if place == 0 { return "<th scope=\"row\">\(text)</th>" }
                let isMarked = place == row.count - 1 && index < classes.count && !classes[index].isEmpty
                return isMarked ? "<td class=\"\(classes[index])\">\(text)</td>" : "<td>\(text)</td>"
            }
            return "<tr>\(cells.joined())</tr>"
        }
        return """
            <div class="wide"><table>
            <thead><tr>\(head)</tr></thead>
            <tbody>
            \(lines.joined(separator: "\n"))
            </tbody>
            </table></div>
            """
    }

    private static let style = """

        .passed { color: var(--green); }
        .failed { color: var(--red); font-weight: bold; }
        .wide { overflow-x: auto; }
        """
}
