/// A report over time as one drawing: frames processed, temperature, clock, latency, battery, the unit, the conditions
/// of the device, and the decisions, each in its own band above one time axis.
struct SimulationPicture {
    private static let width = 1040.0
    private static let left = 72.0
    private static let right = 150.0
    private static let gap = 30.0
    private static let laneHeight = 13.0
    private static let laneGap = 5.0
    private static let eventGap = 8.0
    /// The trace is drawn in at most this many columns, each the mean of its samples.
    private static let columnLimit = 500
    private static let markLimit = 3000

    private let report: SimulationReport
    private let columns: [Column]
    private var canvas: SVGCanvas
    private var y: Double

    init(_ report: SimulationReport) {
        self.report = report
        columns = Column.of(report.trace, limit: Self.columnLimit)
        canvas = SVGCanvas(
            width: Self.width, height: Self.top + Self.bandsHeight(of: report) + 44, title: report.scenario.name,
            paper: nil)
        y = Self.top
    }

    var document: String {
        var drawing = self
        drawing.drawAll()
        return drawing.canvas.document
    }

    private static let panelHeights = (rate: 90.0, heat: 110.0, clock: 60.0, latency: 120.0, battery: 70.0)

    private static let top = 18.0

    /// The height of the bands with curves, without the gap below them.
    private static func curvesHeight(of report: SimulationReport) -> Double {
        let heights = panelHeights
        let battery = report.scenario.device.battery == nil ? 0 : heights.battery + gap
        return heights.rate + heights.heat + heights.clock + heights.latency + 3 * gap + battery
    }

    /// The height of all bands.
    private static func bandsHeight(of report: SimulationReport) -> Double {
        let bars = Double(lanes(of: report).count) * (laneHeight + laneGap)
        return curvesHeight(of: report) + gap + bars + eventGap + Double(topics.count) * (laneHeight + 3)
    }

    private var plotWidth: Double { Self.width - Self.left - Self.right }

    private func x(_ seconds: Double) -> Double {
        Self.left + plotWidth * min(max(seconds / report.scenario.seconds, 0), 1)
    }

    private mutating func drawAll() {
        let top = y
        drawAxis(from: top, to: top + Self.bandsHeight(of: report))
        let rate = Double(report.scenario.rate)
        panel(
            "encoded frames, 1/s", Self.panelHeights.rate, 0...rate,
            ticks: [0, rate / 6, rate / 3, rate / 2, rate],
            [.init("encoded", "var(--blue)", columns.map(\.encoded))])
        let celsius = report.trace.map(\.celsius)
        let coolest = min(30, celsius.min() ?? 30)
        let hottest = max(44, celsius.max() ?? 44)
        panel(
            "temperature, °C", Self.panelHeights.heat, coolest...hottest, ticks: Self.ticks(coolest...hottest),
            [.init("device", "var(--red)", columns.map(\.celsius))],
            limits: report.scenario.device.hasSensor ? [("pace down: 42", 42), ("pace up: 38", 38)] : [])
        let device = report.scenario.device
        panel(
            "clock, GHz", Self.panelHeights.clock, 0...device.fullGigahertz,
            ticks: [0, device.floorGigahertz, device.fullGigahertz],
            [.init("clock", "var(--green)", columns.map(\.gigahertz))])
        let slowest = columns.flatMap { [$0.p95 ?? 0, $0.deadline] }.reduce(18, max)
        panel(
            "step latency, ms", Self.panelHeights.latency, 0...slowest, ticks: Self.ticks(0...slowest),
            [
                .init("deadline", "var(--faint)", columns.map(\.deadline), dash: [4, 3]),
                .init("95th percentile", "var(--orange)", columns.map(\.p95)),
                .init("median", "var(--blue)", columns.map(\.p50)),
            ])
        if device.battery != nil {
            panel(
                "battery, %", Self.panelHeights.battery, 0...100, ticks: [0, 20, 50, 100],
                [.init("charge", "var(--purple)", columns.map { $0.battery.map { 100 * $0 } })])
        }
        drawLanes()
        drawEvents()
        drawNotes(from: top)
    }

    private struct Curve {
        let name: String
        let colour: String
        let values: [Double?]
        let dash: [Double]

        init(_ name: String, _ colour: String, _ values: [Double?], dash: [Double] = []) {
            (self.name, self.colour, self.values, self.dash) = (name, colour, values, dash)
        }
    }

    /// One band with its scale at the left and the names of its curves at the right.
    private mutating func panel(
        _ title: String, _ height: Double, _ range: ClosedRange<Double>, ticks: [Double], _ curves: [Curve],
        limits: [(name: String, value: Double)] = []
    ) {
        let bottom = y + height
        func level(_ value: Double) -> Double {
            bottom - height * min(max((value - range.lowerBound) / (range.upperBound - range.lowerBound), 0), 1)
        }
        canvas.text(title, x: Self.left, y: y - 6, size: 11, fill: "var(--ink)")
        for tick in ticks {
            canvas.line(
                from: (Self.left, level(tick)), to: (Self.left + plotWidth, level(tick)), stroke: "var(--grid)")
            canvas.text(
                fixed(tick, tick == tick.rounded() ? 0 : 1), x: Self.left - 8, y: level(tick) + 4, size: 11,
                anchor: .end, fill: "var(--faint)")
        }
        for limit in limits where range.contains(limit.value) {
            let height = level(limit.value)
            canvas.line(
                from: (Self.left, height), to: (Self.left + plotWidth, height), stroke: "var(--faint)", dash: [2, 3])
            canvas.text(
                limit.name, x: Self.left + plotWidth + 8, y: height + 4, size: 11, fill: "var(--faint)")
        }
        for (index, curve) in curves.enumerated() {
            for stretch in Self.stretches(curve.values) {
                var points = stretch.map { (x(columns[$0].seconds), level(curve.values[$0] ?? 0)) }
                if let first = points.first { points.insert((x(columns[stretch.lowerBound].begin), first.1), at: 0) }
                canvas.polyline(points, stroke: curve.colour, width: 1.5, dash: curve.dash)
            }
            guard curves.count > 1 else { continue }
            let place = y + 10 + 17 * Double(index)
            canvas.line(
                from: (Self.left + plotWidth + 8, place - 4), to: (Self.left + plotWidth + 28, place - 4),
                stroke: curve.colour, width: 2, dash: curve.dash)
            canvas.text(curve.name, x: Self.left + plotWidth + 34, y: place, size: 11, fill: "var(--ink)")
        }
        y = bottom + Self.gap
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

    private static func ticks(_ range: ClosedRange<Double>) -> [Double] {
        let steps: [Double] = [1, 2, 4, 5, 10, 20, 50, 100, 1000]
        let step = steps.first { (range.upperBound - range.lowerBound) / $0 <= 5 } ?? 10_000
        return Array(stride(from: (range.lowerBound / step).rounded(.up) * step, through: range.upperBound, by: step))
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
                note: "\(phase.condition.words), \(clockText(phase.from)) to \(clockText(phase.to))")
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
                    note: "\(report.scenario.device.units[unit].name), \(clockText(since)) to \(clockText(time))"))
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
            canvas.rectangle(x: Self.left, y: y, width: plotWidth, height: Self.laneHeight, fill: "var(--band)")
            for bar in lane.bars {
                canvas.rectangle(
                    x: x(bar.from), y: y, width: max(1.5, x(bar.to) - x(bar.from)), height: Self.laneHeight,
                    fill: bar.colour, note: bar.note)
            }
            if lane.name == "unit" { drawUnitLegend() }
            y += Self.laneHeight + Self.laneGap
        }
    }

    private mutating func drawUnitLegend() {
        for (index, unit) in report.scenario.device.units.enumerated() {
            let place = y + 15 * Double(index)
            canvas.rectangle(
                x: Self.left + plotWidth + 8, y: place + 1, width: 11, height: 11, fill: Self.colour(ofUnit: index))
            canvas.text(
                String(unit.name.prefix(18)), x: Self.left + plotWidth + 25, y: place + 10, size: 11,
                fill: "var(--ink)")
        }
    }

    private mutating func label(_ text: String) {
        canvas.text(text, x: Self.left - 8, y: y + 10, size: 11, anchor: .end, fill: "var(--ink)")
    }

    private static let topics = [
        ("pace", "var(--blue)"), ("budget", "var(--red)"), ("scene", "var(--green)"), ("unit", "var(--orange)"),
        ("frames", "var(--purple)"),
    ]

    /// The decisions, one row for each kind.
    private mutating func drawEvents() {
        y += Self.eventGap
        for (topic, colour) in Self.topics {
            label(topic == "unit" ? "switch" : topic)
            canvas.line(
                from: (Self.left, y + Self.laneHeight / 2), to: (Self.left + plotWidth, y + Self.laneHeight / 2),
                stroke: "var(--grid)")
            for event in report.events.filter({ $0.kind.topic == topic }).prefix(Self.markLimit) {
                canvas.rectangle(
                    x: x(seconds(event.time)) - 1.5, y: y, width: 3, height: Self.laneHeight, fill: colour,
                    note: event.line)
            }
            y += Self.laneHeight + 3
        }
    }

    private mutating func drawAxis(from top: Double, to bottom: Double) {
        let total = report.scenario.seconds
        let step = [1.0, 5, 10, 30, 60, 120, 300, 600, 1800, 3600, 7200].first { total / $0 <= 13 } ?? 14_400
        for time in stride(from: 0, through: total, by: step) {
            canvas.line(from: (x(time), top), to: (x(time), bottom), stroke: "var(--grid)")
            canvas.text(
                Self.clockText(time), x: x(time), y: bottom + 16, size: 11, anchor: .middle, fill: "var(--faint)")
        }
        canvas.text(
            "time, minutes:seconds", x: Self.left + plotWidth / 2, y: bottom + 34, size: 11, anchor: .middle,
            fill: "var(--ink)")
    }

    /// Invisible columns that show their numbers under the pointer, above the bands that have their own notes.
    private mutating func drawNotes(from top: Double) {
        let height = Self.curvesHeight(of: report)
        for column in columns {
            canvas.rectangle(
                x: x(column.begin), y: top, width: x(column.seconds) - x(column.begin), height: height,
                fill: "transparent", note: column.note)
        }
    }

    static func clockText(_ seconds: Double) -> String {
        let tenths = Int((seconds * 10).rounded())
        let rest = tenths % 600
        let text = rest % 10 == 0 ? fixed(Double(rest / 10), 0) : fixed(Double(rest) / 10, 1)
        return "\(tenths / 600):" + (rest < 100 ? "0" : "") + text
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
            \(SimulationPicture.clockText(begin)) to \(SimulationPicture.clockText(last.seconds))
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
