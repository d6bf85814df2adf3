import Foundation

/// The course of a soak as one drawing: memory, descriptors, latency, load and faults above one time axis.
struct SoakPicture {
    private static let laneHeight = 10.0
    private static let laneGap = 5.0
    /// Points of a curve, and marks of all faults; of more, every so many are drawn.
    private static let pointLimit = 400
    private static let markLimit = 700
    private static let panelHeights = [110.0, 60, 120, 60]
    private static let height =
        panelHeights.reduce(0) { $0 + $1 + BandedChart.gap } + Double(SoakFault.allCases.count) * (laneHeight + laneGap)

    private let report: SoakReport
    private var chart: BandedChart

    init(_ report: SoakReport) {
        self.report = report
        chart = BandedChart("The course of the soak", seconds: max(report.seconds, 1), height: Self.height)
    }

    var document: String {
        var drawing = self
        drawing.drawAll()
        return drawing.chart.canvas.document
    }

    private typealias Point = (x: Double, y: Double)
    private typealias Curve = (name: String, colour: String, points: [Point])

    private mutating func drawAll() {
        chart.drawAxis(to: BandedChart.top + Self.height)
        let mebibyte = 1_048_576.0
        panel(
            "resident memory, MiB", Self.panelHeights[0],
            [
                (
                    "under faults", "var(--outside)",
                    report.samples.compactMap { sample in
                        sample.resident_bytes.map { (sample.time, Double($0) / mebibyte) }
                    }
                ),
                (
                    "quiet", "var(--blue)",
                    report.cycles.compactMap { cycle in
                        cycle.resident_bytes.map { (cycle.time, Double($0) / mebibyte) }
                    }
                ),
            ])
        panel(
            "open descriptors and threads of streams, quiet", Self.panelHeights[1],
            [
                ("descriptors", "var(--purple)", points { $0.descriptors.map(Double.init) }),
                ("threads", "var(--green)", points { $0.stream_threads.map(Double.init) }),
            ])
        let colours = ["landmarks": "var(--blue)", "pixels": "var(--green)"]
        panel(
            "from push to result, ms, quiet: the median and the 99th percentile of a cycle", Self.panelHeights[2],
            report.counts.map(\.kind).flatMap { kind -> [Curve] in
                let colour = colours[kind] ?? "var(--orange)"
                return [
                    (kind, colour, points { $0.latencies[kind].map { 1000 * $0.p50 } }),
                    ("", colour, points { $0.latencies[kind].map { 1000 * $0.p99 } }),
                ]
            })
        panel(
            "load average of the machine", Self.panelHeights[3],
            [("", "var(--red)", report.samples.compactMap { sample in sample.load.map { (sample.time, $0) } })])
        drawFaults()
    }

    private func points(_ value: (SoakReport.Cycle) -> Double?) -> [Point] {
        report.cycles.compactMap { cycle in value(cycle).map { (cycle.time, $0) } }
    }

    /// One band from 0 up to the first tick at or above all values.
    private mutating func panel(_ title: String, _ height: Double, _ curves: [Curve]) {
        let most = curves.flatMap { $0.points.map(\.y) }.max() ?? 1
        let step = BandedChart.ticks(0...max(most, 1e-3)).dropFirst().first ?? 1
        let top = (most / step).rounded(.up) * step
        chart.panel(
            title, height, 0...max(top, step), ticks: Array(stride(from: 0, through: max(top, step), by: step)),
            curves.map { curve in
                let every = max(1, curve.points.count / Self.pointLimit)
                let taken = stride(from: 0, to: curve.points.count, by: every).map { curve.points[$0] }
                return BandedChart.Curve(name: curve.name, colour: curve.colour, lines: [taken])
            })
    }

    /// A lane for each fault. What lasted no time is two points wide.
    private mutating func drawFaults() {
        let step = max(1, (report.marks.count + Self.markLimit - 1) / Self.markLimit)
        chart.canvas.text(
            step == 1 ? "faults" : "faults, one of \(step) drawn", x: BandedChart.left, y: chart.y - 6, size: 11,
            fill: "var(--ink)")
        for fault in SoakFault.allCases {
            chart.canvas.text(
                fault.rawValue, x: BandedChart.right + 8, y: chart.y + Self.laneHeight - 1, size: 11, fill: "var(--ink)"
            )
            let marks = report.marks.filter { $0.fault == fault }
            for index in stride(from: 0, to: marks.count, by: step) {
                let mark = marks[index]
                chart.canvas.rectangle(
                    x: chart.x(mark.begin), y: chart.y, width: max(2, chart.x(mark.end) - chart.x(mark.begin)),
                    height: Self.laneHeight,
                    fill: "var(--outside)")
            }
            chart.y += Self.laneHeight + Self.laneGap
        }
    }
}
