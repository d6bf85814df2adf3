/// Bands above one time axis, drawn from the top down: curves with their scales, and lanes of bars. Colours are those of a page.
struct BandedChart {
    static let width = 1040.0
    static let left = 72.0
    static let plotWidth = width - left - 150
    static let right = left + plotWidth
    static let top = 18.0
    /// Below a panel.
    static let gap = 30.0

    /// One or several lines of one colour. A curve without a name is thin and has no place in the legend.
    struct Curve {
        let name: String
        let colour: String
        /// Lines of points: seconds, and values of the panel's range.
        let lines: [[(x: Double, y: Double)]]
        var dash: [Double] = []
    }

    private let seconds: Double
    var canvas: SVGCanvas
    /// The top of the next band.
    var y = Self.top

    /// - Parameters:
    ///   - seconds: the time at the right end.
    ///   - height: of all bands, in points.
    init(_ title: String, seconds: Double, height: Double) {
        self.seconds = seconds
        canvas = SVGCanvas(width: Self.width, height: Self.top + height + 44, title: title, paper: nil)
    }

    func x(_ time: Double) -> Double { Self.left + Self.plotWidth * min(max(time / seconds, 0), 1) }

    /// Lines through all bands, and their times below.
    mutating func drawAxis(to bottom: Double) {
        let steps: [Double] = [1, 5, 10, 30, 60, 120, 300, 600, 1800, 3600, 7200]
        let step = steps.first { seconds / $0 <= 13 } ?? 14_400
        for time in stride(from: 0, through: seconds, by: step) {
            canvas.line(from: (x(time), Self.top), to: (x(time), bottom), stroke: "var(--grid)")
            canvas.text(
                Self.clockText(time), x: x(time), y: bottom + 16, size: 11, anchor: .middle, fill: "var(--faint)")
        }
        canvas.text(
            "time, minutes:seconds", x: Self.left + Self.plotWidth / 2, y: bottom + 34, size: 11, anchor: .middle,
            fill: "var(--ink)")
    }

    /// A band with its scale at the left and the names of its curves at the right.
    /// - limits: dashed lines with names.
    mutating func panel(
        _ title: String, _ height: Double, _ range: ClosedRange<Double>, ticks: [Double], _ curves: [Curve],
        limits: [(name: String, value: Double)] = []
    ) {
        let bottom = y + height
        func level(_ value: Double) -> Double {
            bottom - height * min(max((value - range.lowerBound) / (range.upperBound - range.lowerBound), 0), 1)
        }
        canvas.text(title, x: Self.left, y: y - 6, size: 11, fill: "var(--ink)")
        for tick in ticks {
            canvas.line(from: (Self.left, level(tick)), to: (Self.right, level(tick)), stroke: "var(--grid)")
            canvas.text(
                fixed(tick, tick == tick.rounded() ? 0 : 1), x: Self.left - 8, y: level(tick) + 4, size: 11,
                anchor: .end, fill: "var(--faint)")
        }
        for limit in limits where range.contains(limit.value) {
            let height = level(limit.value)
            canvas.line(from: (Self.left, height), to: (Self.right, height), stroke: "var(--faint)", dash: [2, 3])
            canvas.text(limit.name, x: Self.right + 8, y: height + 4, size: 11, fill: "var(--faint)")
        }
        var place = y + 10
        for curve in curves {
            for line in curve.lines {
                canvas.polyline(
                    line.map { (x($0.x), level($0.y)) }, stroke: curve.colour, width: curve.name.isEmpty ? 0.8 : 1.5,
                    dash: curve.dash)
            }
            guard curves.count > 1, !curve.name.isEmpty else { continue }
            canvas.line(
                from: (Self.right + 8, place - 4), to: (Self.right + 28, place - 4), stroke: curve.colour, width: 2,
                dash: curve.dash)
            canvas.text(curve.name, x: Self.right + 34, y: place, size: 11, fill: "var(--ink)")
            place += 17
        }
        y = bottom + Self.gap
    }

    /// Round values within a range, six at most.
    static func ticks(_ range: ClosedRange<Double>) -> [Double] {
        let steps: [Double] = [0.2, 0.5, 1, 2, 4, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000]
        let step = steps.first { (range.upperBound - range.lowerBound) / $0 <= 5 } ?? 10_000
        return Array(stride(from: (range.lowerBound / step).rounded(.up) * step, through: range.upperBound, by: step))
    }

    /// Minutes and seconds.
    static func clockText(_ seconds: Double) -> String {
        let tenths = Int((seconds * 10).rounded())
        let rest = tenths % 600
        let text = rest % 10 == 0 ? fixed(Double(rest / 10), 0) : fixed(Double(rest) / 10, 1)
        return "\(tenths / 600):" + (rest < 100 ? "0" : "") + text
    }
}
