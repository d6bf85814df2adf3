/// A report of latencies as a page: the steps over time, how they are spread, and the stages.
package struct LatencyPage {
    private static let width = 1040.0
    private static let left = 72.0
    private static let right = 150.0
    /// Steps are drawn in at most this many columns, each with its median and its longest.
    private static let columnLimit = 500

    private let title: String
    private let facts: [(name: String, value: String)]
    private let stages: [LatencyStage]
    private let steps: [Int64]
    private let conditions: TimingConditions

    /// - steps: the times of all steps in their order, in nanoseconds.
    package init(
        title: String, facts: [(name: String, value: String)], stages: [LatencyStage], steps: [Int64],
        conditions: TimingConditions
    ) {
        (self.title, self.facts, self.stages, self.steps) = (title, facts, stages, steps)
        self.conditions = conditions
    }

    package var document: String {
        var page = HTMLPage(
            "Latency: \(title)",
            lead: conditions.deadlineSentence(steps: steps.count) + ". " + conditions.noise.sentence)
        page.facts(facts)
        page.heading("Steps over time")
        page.paragraph("Of each column the longest and the median step. Dashed: the interval of frames, if it is near.")
        page.picture(series)
        page.heading("Stages")
        page.paragraph(
            "From the shortest to the 99th percentile; the box from the median to the 95th, the line at the mean.")
        page.picture(boxes)
        page.table(
            ReportTable(
                "Stages", first: "microseconds", numbers: LatencyStage.columns,
                rows: stages.map { [$0.title.drop { $0 == " " }.description] + $0.cells() }))
        return page.document
    }

    private var plotWidth: Double { Self.width - Self.left - Self.right }

    private var series: String {
        let (top, height) = (18.0, 180.0)
        var canvas = SVGCanvas(width: Self.width, height: top + height + 40, title: "Steps over time", paper: nil)
        let group = max(1, (steps.count + Self.columnLimit - 1) / Self.columnLimit)
        let columns = stride(from: 0, to: steps.count, by: group).map {
            steps[$0..<min($0 + group, steps.count)].sorted().map { Double($0) / 1000 }
        }
        // A single disturbance must not flatten all else.
        let longest = columns.compactMap(\.last).sorted()
        let limit = max(1, 1.2 * (quantile(0.98, ascending: longest) ?? 1))
        let step = Self.step(limit)
        func y(_ value: Double) -> Double { top + height * (1 - min(1, max(0, value / limit))) }
        func x(_ column: Int) -> Double {
            Self.left + plotWidth * Double(column) / Double(max(1, columns.count - 1))
        }
        canvas.text("step, microseconds", x: Self.left, y: top - 6, size: 11, fill: "var(--ink)")
        for tick in stride(from: 0, through: limit, by: step) {
            canvas.line(from: (Self.left, y(tick)), to: (Self.left + plotWidth, y(tick)), stroke: "var(--grid)")
            canvas.text(
                decimalText(tick, places: 1), x: Self.left - 8, y: y(tick) + 4, size: 11, anchor: .end,
                fill: "var(--faint)")
        }
        if conditions.deadline_us <= limit {
            canvas.line(
                from: (Self.left, y(conditions.deadline_us)), to: (Self.left + plotWidth, y(conditions.deadline_us)),
                stroke: "var(--red)", dash: [4, 3])
        }
        let curves = [
            ("longest", "var(--orange)", columns.map { $0.last ?? 0 }),
            ("median", "var(--blue)", columns.map { quantile(0.5, ascending: $0) ?? 0 }),
        ]
        for (line, curve) in curves.enumerated() {
            canvas.polyline(curve.2.enumerated().map { (x($0), y($1)) }, stroke: curve.1, width: 1.5)
            let place = top + 10 + 17 * Double(line)
            let left = Self.left + plotWidth + 8
            canvas.line(from: (left, place - 4), to: (left + 20, place - 4), stroke: curve.1, width: 2)
            canvas.text(curve.0, x: left + 26, y: place, size: 11, fill: "var(--ink)")
        }
        for part in 0...4 {
            canvas.text(
                "\(steps.count * part / 4)", x: Self.left + plotWidth * Double(part) / 4, y: top + height + 16,
                size: 11,
                anchor: .middle, fill: "var(--faint)")
        }
        canvas.text(
            "frame", x: Self.left + plotWidth / 2, y: top + height + 34, size: 11, anchor: .middle, fill: "var(--ink)")
        return canvas.document
    }

    private var boxes: String {
        let (lane, top) = (24.0, 18.0)
        let shown = stages.filter { $0.times.n > 0 }
        let left = 16 + (shown.map { SVGCanvas.width(of: $0.title, size: 11) }.max() ?? 0)
        let width = Self.width - left - 40
        let limit = max(1e-3, shown.map(\.times.p99_us).max() ?? 1) * 1.05
        func x(_ value: Double) -> Double { left + width * min(1, max(0, value / limit)) }
        let bottom = top + lane * Double(shown.count)
        var canvas = SVGCanvas(width: Self.width, height: bottom + 24, title: "Stages", paper: nil)
        for tick in stride(from: 0, through: limit, by: Self.step(limit, parts: 10)) {
            canvas.line(from: (x(tick), top - 6), to: (x(tick), bottom), stroke: "var(--grid)")
            canvas.text(
                decimalText(tick, places: 1), x: x(tick), y: bottom + 16, size: 11, anchor: .middle,
                fill: "var(--faint)")
        }
        for (row, stage) in shown.enumerated() {
            let (y, times) = (top + lane * Double(row), stage.times)
            canvas.text(
                stage.title.drop { $0 == " " }.description, x: left - 8, y: y + 12, size: 11, anchor: .end,
                fill: "var(--ink)")
            canvas.line(
                from: (x(times.min_us), y + 8), to: (x(times.p99_us), y + 8), stroke: "var(--outside)", width: 2)
            canvas.rectangle(
                x: x(times.p50_us), y: y + 1, width: max(2, x(times.p95_us) - x(times.p50_us)), height: 14,
                fill: "var(--blue)", opacity: 0.75,
                note: zip(LatencyStage.columns, stage.cells()).map { "\($0) \($1)" }.joined(separator: ", "))
            canvas.line(
                from: (x(times.mean_us), y - 1), to: (x(times.mean_us), y + 17), stroke: "var(--ink)", width: 1.5)
        }
        return canvas.document
    }

    /// A round distance of ticks, of which so many at most fit.
    private static func step(_ limit: Double, parts: Double = 5) -> Double {
        var step = 0.1
        while true {
            for factor in [1.0, 2, 5] where limit / (step * factor) <= parts { return step * factor }
            step *= 10
        }
    }
}
