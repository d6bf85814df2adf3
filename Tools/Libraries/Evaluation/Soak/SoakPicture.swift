import Foundation

/// The course of a soak as one drawing: memory, descriptors, latency, load and faults above one time axis.
struct SoakPicture {
    private static let width = 1040.0
    private static let left = 72.0
    private static let right = 150.0
    private static let top = 18.0
    private static let gap = 30.0
    private static let laneHeight = 10.0
    private static let laneGap = 5.0
    /// Points of a curve, and marks of all faults; of more, every so many are drawn.
    private static let pointLimit = 400
    private static let markLimit = 700

    private let report: SoakReport
    private var canvas: SVGCanvas
    private var y = Self.top

    private static let panelHeights = [110.0, 60, 120, 60]

    init(_ report: SoakReport) {
        self.report = report
        let panels = Self.panelHeights.reduce(0) { $0 + $1 + Self.gap }
        let lanes = Double(SoakFault.allCases.count) * (Self.laneHeight + Self.laneGap)
        canvas = SVGCanvas(
            width: Self.width, height: Self.top + panels + lanes + 40, title: "The course of the soak", paper: nil)
    }

    var document: String {
        var drawing = self
        drawing.drawAll()
        return drawing.canvas.document
    }

    private var plotWidth: Double { Self.width - Self.left - Self.right }

    private func x(_ seconds: Double) -> Double {
        Self.left + plotWidth * min(max(seconds / max(report.seconds, 1), 0), 1)
    }

    private typealias Point = (x: Double, y: Double)
    private typealias Curve = (name: String, colour: String, points: [Point])

    private mutating func drawAll() {
        let bottom =
            Self.top + Self.panelHeights.reduce(0) { $0 + $1 + Self.gap }
            + Double(SoakFault.allCases.count) * (Self.laneHeight + Self.laneGap)
        drawAxis(to: bottom)
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

    private mutating func drawAxis(to bottom: Double) {
        let steps: [Double] = [1, 2, 5, 10, 30, 60, 120, 300, 600, 1200, 1800, 3600, 7200, 14_400, 43_200]
        let step = steps.first { report.seconds / $0 <= 10 } ?? 86_400
        for time in stride(from: 0, through: report.seconds, by: step) {
            canvas.line(from: (x(time), Self.top), to: (x(time), bottom), stroke: "var(--grid)")
            canvas.text(
                SimulationPicture.clockText(time), x: x(time), y: bottom + 18, size: 11, anchor: .middle,
                fill: "var(--faint)")
        }
    }

    /// One band from 0 up, with its scale at the left and the names of its curves at the right.
    private mutating func panel(_ title: String, _ height: Double, _ curves: [Curve]) {
        let bottom = y + height
        let most = curves.flatMap { $0.points.map(\.y) }.max() ?? 1
        let ticks = Self.ticks(most)
        let top = max(ticks.last ?? 1, most)
        func level(_ value: Double) -> Double { bottom - height * min(max(value / top, 0), 1) }
        canvas.text(title, x: Self.left, y: y - 6, size: 11, fill: "var(--ink)")
        for tick in ticks {
            canvas.line(
                from: (Self.left, level(tick)), to: (Self.left + plotWidth, level(tick)), stroke: "var(--grid)")
            canvas.text(
                fixed(tick, tick == tick.rounded() ? 0 : 1), x: Self.left - 8, y: level(tick) + 4, size: 11,
                anchor: .end, fill: "var(--faint)")
        }
        var place = y + 10
        for curve in curves {
            let step = max(1, curve.points.count / Self.pointLimit)
            let taken = stride(from: 0, to: curve.points.count, by: step).map { curve.points[$0] }
            canvas.polyline(
                taken.map { (x($0.x), level($0.y)) }, stroke: curve.colour, width: curve.name.isEmpty ? 0.8 : 1.5)
            guard !curve.name.isEmpty else { continue }
            canvas.line(
                from: (Self.left + plotWidth + 8, place - 4), to: (Self.left + plotWidth + 28, place - 4),
                stroke: curve.colour, width: 2)
            canvas.text(curve.name, x: Self.left + plotWidth + 34, y: place, size: 11, fill: "var(--ink)")
            place += 17
        }
        y = bottom + Self.gap
    }

    /// A lane for each fault. What lasted no time is two points wide.
    private mutating func drawFaults() {
        let step = max(1, (report.marks.count + Self.markLimit - 1) / Self.markLimit)
        canvas.text(
            step == 1 ? "faults" : "faults, one of \(step) drawn", x: Self.left, y: y - 6, size: 11, fill: "var(--ink)")
        for fault in SoakFault.allCases {
            canvas.text(
                fault.rawValue, x: Self.left + plotWidth + 8, y: y + Self.laneHeight - 1, size: 11, fill: "var(--ink)")
            let marks = report.marks.filter { $0.fault == fault }
            for index in stride(from: 0, to: marks.count, by: step) {
                let mark = marks[index]
                canvas.rectangle(
                    x: x(mark.begin), y: y, width: max(2, x(mark.end) - x(mark.begin)), height: Self.laneHeight,
                    fill: "var(--outside)")
            }
            y += Self.laneHeight + Self.laneGap
        }
    }

    /// At most six round values from 0 to the first one at or above `most`.
    private static func ticks(_ most: Double) -> [Double] {
        let steps: [Double] = [0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000]
        let step = steps.first { most / $0 <= 5 } ?? 10_000
        return (0...max(1, Int((most / step).rounded(.up)))).map { Double($0) * step }
    }
}
