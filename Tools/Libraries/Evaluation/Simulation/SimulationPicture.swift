/// A report over time as one drawing: frames processed, temperature, clock, latency, battery, the unit, the conditions
/// of the device, and the decisions, each in its own band above one time axis.
struct SimulationPicture {
    private static let laneHeight = 13.0
    private static let laneGap = 5.0
    private static let eventGap = 8.0
    /// The trace is drawn in at most this many columns, each the mean of its samples.
    private static let columnLimit = 500
    private static let markLimit = 3000

    private let report: SimulationReport
    private let columns: [Column]
    private var chart: BandedChart

    init(_ report: SimulationReport) {
        self.report = report
        columns = Column.of(report.trace, limit: Self.columnLimit)
        chart = BandedChart(
            report.scenario.name, seconds: report.scenario.seconds, height: Self.bandsHeight(of: report))
    }

    var document: String {
        var drawing = self
        drawing.drawAll()
        return drawing.chart.canvas.document
    }

    private static let panelHeights = (rate: 90.0, heat: 110.0, clock: 60.0, latency: 120.0, battery: 70.0)

    /// The height of the bands with curves, without the gap below them.
    private static func curvesHeight(of report: SimulationReport) -> Double {
        let heights = panelHeights
        let battery = report.scenario.device.battery == nil ? 0 : heights.battery + BandedChart.gap
        return heights.rate + heights.heat + heights.clock + heights.latency + 3 * BandedChart.gap + battery
    }

    /// The height of all bands.
    private static func bandsHeight(of report: SimulationReport) -> Double {
        let bars = Double(lanes(of: report).count) * (laneHeight + laneGap)
        return curvesHeight(of: report) + BandedChart.gap + bars + eventGap + Double(topics.count) * (laneHeight + 3)
    }

    private mutating func drawAll() {
        let top = chart.y
        chart.drawAxis(to: top + Self.bandsHeight(of: report))
        let rate = Double(report.scenario.rate)
        chart.panel(
            "encoded frames, 1/s", Self.panelHeights.rate, 0...rate,
            ticks: [0, rate / 6, rate / 3, rate / 2, rate],
            [curve("encoded", "var(--blue)", columns.map(\.encoded))])
        let celsius = report.trace.map(\.celsius)
        let coolest = min(30, celsius.min() ?? 30)
        let hottest = max(44, celsius.max() ?? 44)
        chart.panel(
            "temperature, °C", Self.panelHeights.heat, coolest...hottest, ticks: BandedChart.ticks(coolest...hottest),
            [curve("device", "var(--red)", columns.map(\.celsius))],
            limits: report.scenario.device.hasSensor ? [("pace down: 42", 42), ("pace up: 38", 38)] : [])
        let device = report.scenario.device
        chart.panel(
            "clock, GHz", Self.panelHeights.clock, 0...device.fullGigahertz,
            ticks: [0, device.floorGigahertz, device.fullGigahertz],
            [curve("clock", "var(--green)", columns.map(\.gigahertz))])
        let slowest = columns.flatMap { [$0.p95 ?? 0, $0.deadline] }.reduce(18, max)
        chart.panel(
            "step latency, ms", Self.panelHeights.latency, 0...slowest, ticks: BandedChart.ticks(0...slowest),
            [
                curve("deadline", "var(--faint)", columns.map(\.deadline), dash: [4, 3]),
                curve("95th percentile", "var(--orange)", columns.map(\.p95)),
                curve("median", "var(--blue)", columns.map(\.p50)),
            ])
        if device.battery != nil {
            chart.panel(
                "battery, %", Self.panelHeights.battery, 0...100, ticks: [0, 20, 50, 100],
                [curve("charge", "var(--purple)", columns.map { $0.battery.map { 100 * $0 } })])
        }
        drawLanes()
        drawEvents()
        drawNotes(from: top)
    }

    /// The values of all columns, with a line for each stretch of columns that have one.
    private func curve(_ name: String, _ colour: String, _ values: [Double?], dash: [Double] = []) -> BandedChart.Curve
    {
        let lines = Self.stretches(values).map { stretch in
            let points = stretch.map { (x: columns[$0].seconds, y: values[$0] ?? 0) }
            return points.prefix(1).map { (x: columns[stretch.lowerBound].begin, y: $0.y) } + points
        }
        return BandedChart.Curve(name: name, colour: colour, lines: lines, dash: dash)
    }

    /// Ranges of consecutive indices that have a value.
    private static func stretches(_ values: [Double?]) -> [Range<Int>] {
        var result: [Range<Int>] = []
        var first: Int?
        for index in 0...values.count {
            if index < values.count, values[index] != nil {
                first = first ?? index
            } else if let begin = first {
                result.append(begin..<index)
                first = nil
            }
        }
        return result
    }

    private struct Bar {
        let from, to: Double
        let colour: String
        let note: String
    }

    /// The conditions of the device, one row for each kind.
    private static func lanes(of report: SimulationReport) -> [(name: String, bars: [Bar])] {
        var lanes: [(name: String, bars: [Bar])] = []
        for phase in report.scenario.phases where phase.from < report.scenario.seconds {
            let bar = Bar(
                from: phase.from, to: phase.to, colour: "var(--outside)",
                note:
                    "\(phase.condition.words), \(BandedChart.clockText(phase.from)) to \(BandedChart.clockText(phase.to))"
            )
            if let index = lanes.firstIndex(where: { $0.name == phase.condition.kind }) {
                lanes[index].bars.append(bar)
            } else {
                lanes.append((phase.condition.kind, [bar]))
            }
        }
        return lanes + [("unit", unitBars(of: report))]
    }

    private static func unitBars(of report: SimulationReport) -> [Bar] {
        var bars: [Bar] = []
        var (since, unit) = (0.0, 0)
        func close(at time: Double) {
            bars.append(
                Bar(
                    from: since, to: time, colour: colour(ofUnit: unit),
                    note:
                        "\(report.scenario.device.units[unit].name), \(BandedChart.clockText(since)) to \(BandedChart.clockText(time))"
                ))
        }
        for event in report.events {
            guard case .unitAnswers(let next) = event.kind else { continue }
            close(at: seconds(event.time))
            (since, unit) = (seconds(event.time), next)
        }
        close(at: report.scenario.seconds)
        return bars
    }

    private static func colour(ofUnit index: Int) -> String {
        let colours = ["var(--blue)", "var(--orange)", "var(--green)", "var(--purple)"]
        return colours[index % colours.count]
    }

    private mutating func drawLanes() {
        for lane in Self.lanes(of: report) {
            label(lane.name)
            chart.canvas.rectangle(
                x: BandedChart.left, y: chart.y, width: BandedChart.plotWidth, height: Self.laneHeight,
                fill: "var(--band)")
            for bar in lane.bars {
                chart.canvas.rectangle(
                    x: chart.x(bar.from), y: chart.y, width: max(1.5, chart.x(bar.to) - chart.x(bar.from)),
                    height: Self.laneHeight,
                    fill: bar.colour, note: bar.note)
            }
            if lane.name == "unit" { drawUnitLegend() }
            chart.y += Self.laneHeight + Self.laneGap
        }
    }

    private mutating func drawUnitLegend() {
        for (index, unit) in report.scenario.device.units.enumerated() {
            let place = chart.y + 15 * Double(index)
            chart.canvas.rectangle(
                x: BandedChart.right + 8, y: place + 1, width: 11, height: 11, fill: Self.colour(ofUnit: index))
            chart.canvas.text(
                String(unit.name.prefix(18)), x: BandedChart.right + 25, y: place + 10, size: 11,
                fill: "var(--ink)")
        }
    }

    private mutating func label(_ text: String) {
        chart.canvas.text(text, x: BandedChart.left - 8, y: chart.y + 10, size: 11, anchor: .end, fill: "var(--ink)")
    }

    private static let topics = [
        ("pace", "var(--blue)"), ("budget", "var(--red)"), ("scene", "var(--green)"), ("unit", "var(--orange)"),
        ("frames", "var(--purple)"),
    ]

    /// The decisions, one row for each kind.
    private mutating func drawEvents() {
        chart.y += Self.eventGap
        for (topic, colour) in Self.topics {
            label(topic == "unit" ? "switch" : topic)
            chart.canvas.line(
                from: (BandedChart.left, chart.y + Self.laneHeight / 2),
                to: (BandedChart.right, chart.y + Self.laneHeight / 2),
                stroke: "var(--grid)")
            for event in report.events.filter({ $0.kind.topic == topic }).prefix(Self.markLimit) {
                chart.canvas.rectangle(
                    x: chart.x(seconds(event.time)) - 1.5, y: chart.y, width: 3, height: Self.laneHeight, fill: colour,
                    note: event.line)
            }
            chart.y += Self.laneHeight + 3
        }
    }

    /// Invisible columns that show their numbers under the pointer, above the bands that have their own notes.
    private mutating func drawNotes(from top: Double) {
        let height = Self.curvesHeight(of: report)
        for column in columns {
            chart.canvas.rectangle(
                x: chart.x(column.begin), y: top, width: chart.x(column.seconds) - chart.x(column.begin),
                height: height,
                fill: "transparent", note: column.note)
        }
    }
}

/// Samples of a trace that are drawn as one.
private struct Column {
    let begin: Double
    /// Its end.
    let seconds: Double
    let encoded: Double
    let celsius: Double
    let gigahertz: Double
    let p50: Double?
    let p95: Double?
    let deadline: Double
    let battery: Double?
    let note: String

    static func of(_ trace: [TraceSample], limit: Int) -> [Column] {
        let group = max(1, (trace.count + limit - 1) / limit)
        var (columns, begin) = ([Column](), 0.0)
        for first in stride(from: 0, to: trace.count, by: group) {
            let samples = trace[first..<min(first + group, trace.count)]
            if let column = Column(samples, from: begin) { columns.append(column) }
            begin = samples.last?.seconds ?? begin
        }
        return columns
    }

    private init?(_ samples: ArraySlice<TraceSample>, from begin: Double) {
        guard let last = samples.last else { return nil }
        func mean(_ values: [Double]) -> Double? {
            values.isEmpty ? nil : values.reduce(0, +) / Double(values.count)
        }
        self.begin = begin
        seconds = last.seconds
        encoded = Double(samples.map(\.encoded).reduce(0, +)) / (last.seconds - begin)
        celsius = mean(samples.map(\.celsius)) ?? 0
        gigahertz = mean(samples.map(\.gigahertz)) ?? 0
        p50 = mean(samples.compactMap(\.p50_ms))
        p95 = samples.compactMap(\.p95_ms).max()
        deadline = samples.map(\.deadline_ms).min() ?? 0
        battery = last.battery
        func ordinal(_ interval: Int) -> String { [1: "", 2: "2nd ", 3: "3rd "][interval] ?? "\(interval)th " }
        func text(_ value: Double?) -> String { value.map { fixed($0, 1) } ?? "-" }
        note = """
            \(BandedChart.clockText(begin)) to \(BandedChart.clockText(last.seconds))
            \(text(encoded)) frames encoded a second, every \(ordinal(last.pace))slot
            \(text(celsius)) °C, \(fixed(gigahertz, 2)) GHz
            step \(text(p50)) ms median, \(text(p95)) ms 95th percentile
            """ + (last.battery.map { "\nbattery \(fixed(100 * $0, 0))%" } ?? "")
    }
}

extension Scenario.Condition {
    fileprivate var kind: String {
        switch self {
        case .camera: "camera"
        case .stalled: "stall"
        case .background: "background"
        case .contention: "contention"
        case .still: "stillness"
        case .ambient: "ambient"
        }
    }
}
