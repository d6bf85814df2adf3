/// A report as one HTML file without external references or scripts, which follows the reader's light or dark theme.
/// Text is escaped; drawings and elements come from `SVGCanvas` and this type.
package struct HTMLPage {
    private let title: String
    private var parts: [String] = []

    /// - Parameters:
    ///   - title: of the window and above the page.
    ///   - lead: a paragraph below it.
    package init(_ title: String, lead: String) {
        self.title = SVGCanvas.escaped(title)
        parts = ["<h1>\(self.title)</h1>", "<p>\(SVGCanvas.escaped(lead))</p>"]
    }

    package mutating func heading(_ text: String) { parts.append("<h2>\(SVGCanvas.escaped(text))</h2>") }

    package mutating func paragraph(_ text: String) { parts.append("<p>\(SVGCanvas.escaped(text))</p>") }

    /// - picture: the document of a drawing; inside the page its colours may be variables, as `var(--ink)`.
    package mutating func picture(_ picture: String) { parts.append(picture) }

    /// Pictures in rows, each with a caption below it.
    package mutating func pictures(_ pictures: [(picture: String, caption: String)]) {
        let figures = pictures.map {
            "<figure>\($0.picture)<figcaption>\(SVGCanvas.escaped($0.caption))</figcaption></figure>"
        }
        parts.append("<div class=\"film\">\n\(figures.joined(separator: "\n"))\n</div>")
    }

    /// Names and values.
    package mutating func facts(_ rows: [(name: String, value: String)]) {
        let rows = rows.map {
            "<tr><th scope=\"row\">\(SVGCanvas.escaped($0.name))</th><td>\(SVGCanvas.escaped($0.value))</td></tr>"
        }
        parts.append("<table>\n\(rows.joined(separator: "\n"))\n</table>")
    }

    /// A table with a row of titles. A cell may be marked as good or bad by its colour.
    /// - marks: of cells, by row and column.
    package mutating func table(_ table: ReportTable, mark: (_ row: Int, _ column: Int) -> Mark? = { _, _ in nil }) {
        func cell(_ tag: String, _ text: String, _ column: Int, _ mark: Mark?) -> String {
            let classes = [table.columns[column].isNumber ? "number" : nil, mark?.rawValue].compactMap(\.self)
            let attribute = classes.isEmpty ? "" : " class=\"\(classes.joined(separator: " "))\""
            return "<\(tag)\(attribute)>\(SVGCanvas.escaped(text))</\(tag)>"
        }
        func row(_ cells: [String]) -> String { "<tr>" + cells.joined() + "</tr>" }
        let head = row(table.columns.enumerated().map { cell("th", $1.title, $0, nil) })
        let rows = table.rows.enumerated().map { index, cells in
            row(cells.prefix(table.columns.count).enumerated().map { cell("td", $1, $0, mark(index, $0)) })
        }
        parts.append("<div class=\"wide\"><table>\n\(([head] + rows).joined(separator: "\n"))\n</table></div>")
    }

    package enum Mark: String { case good, bad, faint }

    /// Lines of text as they are.
    package mutating func log(_ lines: [String]) {
        parts.append("<pre>\(lines.map(SVGCanvas.escaped).joined(separator: "\n"))</pre>")
    }

    package var document: String {
        """
        <!doctype html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width">
        <title>\(title)</title>
        <style>\(Self.style)</style>
        </head>
        <body>
        \(parts.joined(separator: "\n"))
        </body>
        </html>

        """
    }

    private static let style = """
        :root {
          color-scheme: light dark;
          --paper: #ffffff; --ink: #1f2328; --faint: #59636e; --grid: #e1e5ea; --band: #f1f3f5; --outside: #8c959f;
          --blue: #0969da; --red: #cf222e; --green: #1a7f37; --orange: #bc4c00; --purple: #8250df;
          --teal: #0f7b8a; --pink: #bf3989; --olive: #7a6a00;
        }
        @media (prefers-color-scheme: dark) {
          :root {
            --paper: #0d1117; --ink: #e6edf3; --faint: #9198a1; --grid: #2a313c; --band: #1a2029; --outside: #6e7681;
            --blue: #58a6ff; --red: #ff7b72; --green: #3fb950; --orange: #f0883e; --purple: #bc8cff;
            --teal: #56d4dd; --pink: #f778ba; --olive: #d4bd3a;
          }
        }
        body {
          background: var(--paper); color: var(--ink); font: 14px/1.5 Helvetica, Arial, sans-serif;
          max-width: 1040px; margin: 24px auto; padding: 0 16px;
        }
        h1 { font-size: 20px; margin: 0 0 4px; overflow-wrap: anywhere; }
        h2 { font-size: 16px; margin: 24px 0 8px; overflow-wrap: anywhere; }
        p { color: var(--faint); margin: 0 0 16px; }
        svg { max-width: 100%; height: auto; display: block; }
        table { border-collapse: collapse; }
        th, td { text-align: left; padding: 2px 24px 2px 0; border-bottom: 1px solid var(--grid); }
        th { font-weight: normal; color: var(--faint); }
        td { font-variant-numeric: tabular-nums; }
        .number { text-align: right; }
        .good { color: var(--green); }
        .bad { color: var(--red); }
        .faint { color: var(--faint); }
        .wide { overflow-x: auto; }
        .film { display: grid; grid-template-columns: repeat(auto-fill, minmax(190px, 1fr)); gap: 10px; }
        figure { margin: 0; }
        figcaption { font-size: 12px; color: var(--faint); font-variant-numeric: tabular-nums; }
        pre { background: var(--band); padding: 12px; overflow-x: auto; font-size: 12px; line-height: 1.45; }
        """

    /// Variables of the page for curves and bars, in the order in which they are easiest to tell apart.
    package static let colours = ["blue", "orange", "green", "purple", "red", "teal", "pink", "olive"].map {
        "var(--\($0))"
    }
}
