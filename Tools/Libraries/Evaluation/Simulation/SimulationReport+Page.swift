extension SimulationReport {
    /// The report as one HTML page without external references or scripts: the drawing, the numbers and the log. It
    /// follows the reader's light or dark theme.
    package var page: String {
        let title = SVGCanvas.escaped(scenario.name)
        let rows = summary.rows.map {
            "<tr><th scope=\"row\">\(SVGCanvas.escaped($0.name))</th><td>\(SVGCanvas.escaped($0.value))</td></tr>"
        }
        let lines = log.map(SVGCanvas.escaped).joined(separator: "\n")
        return """
            <!doctype html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width">
            <title>Simulation: \(title)</title>
            <style>\(Self.style)</style>
            </head>
            <body>
            <h1>Simulation: \(title)</h1>
            <p>\(SVGCanvas.escaped(scenario.about)) \
            \(scenario.rate) slots a second, \(SimulationPicture.clockText(scenario.seconds)) long, seed \(seed). \
            The device is simulated, the decisions are the engine's.</p>
            \(SimulationPicture(self).document)
            <h2>Numbers</h2>
            <table>
            \(rows.joined(separator: "\n"))
            </table>
            <h2>Log</h2>
            <pre>\(lines)</pre>
            </body>
            </html>

            """
    }

    static let style = """
        :root {
          color-scheme: light dark;
          --paper: #ffffff; --ink: #1f2328; --faint: #59636e; --grid: #e1e5ea; --band: #f1f3f5; --outside: #8c959f;
          --blue: #0969da; --red: #cf222e; --green: #1a7f37; --orange: #bc4c00; --purple: #8250df;
        }
        @media (prefers-color-scheme: dark) {
          :root {
            --paper: #0d1117; --ink: #e6edf3; --faint: #9198a1; --grid: #2a313c; --band: #1a2029; --outside: #6e7681;
            --blue: #58a6ff; --red: #ff7b72; --green: #3fb950; --orange: #f0883e; --purple: #bc8cff;
          }
        }
        body {
          background: var(--paper); color: var(--ink); font: 14px/1.5 Helvetica, Arial, sans-serif;
          max-width: 1040px; margin: 24px auto; padding: 0 16px;
        }
        h1 { font-size: 20px; margin: 0 0 4px; }
        h2 { font-size: 16px; margin: 24px 0 8px; }
        p { color: var(--faint); margin: 0 0 16px; }
        svg { max-width: 100%; height: auto; display: block; }
        table { border-collapse: collapse; }
        th, td { text-align: left; padding: 2px 24px 2px 0; border-bottom: 1px solid var(--grid); }
        th { font-weight: normal; color: var(--faint); }
        td { font-variant-numeric: tabular-nums; }
        pre { background: var(--band); padding: 12px; overflow-x: auto; font-size: 12px; line-height: 1.45; }
        """
}
