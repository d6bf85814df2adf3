/// Scores, events and hands of a replayed clip above one time axis, for a page.
struct ReplayPicture {
    private static let width = 1040.0
    private static let left = 96.0
    private static let right = 150.0
    private static let height = 220.0
    private static let lane = 14.0
    private static let laneGap = 4.0
    private static let top = 22.0
    /// Frames are drawn in at most this many columns, each with the highest of its scores.
    private static let columnLimit = 800
    private static let mostCurves = HTMLPage.colours.count

    private let record: ReplayRecord
    /// Classes with curves, and their colours.
    private let shown: [(classIndex: Int, colour: String)]

    init(_ record: ReplayRecord) {
        self.record = record
        let reported = Set(record.gestures.map(\.classIndex))
        let classes = record.classes.filter { reported.contains($0.classIndex) || ($0.highest ?? 0) >= 0.2 }
        let sorted = classes.sorted {
            (reported.contains($0.classIndex) ? 0 : 1) < (reported.contains($1.classIndex) ? 0 : 1)
        }
        shown = zip(sorted.prefix(Self.mostCurves), HTMLPage.colours).map { ($0.classIndex, $1) }
    }

    private var seconds: Double { max(record.seconds, 1e-3) }
    private var plotWidth: Double { Self.width - Self.left - Self.right }
    private func x(_ time: Double) -> Double { Self.left + plotWidth * min(max(time / seconds, 0), 1) }
    private func y(_ score: Double) -> Double { Self.top + Self.height * (1 - min(max(score, 0), 1)) }
    private func colour(_ classIndex: Int) -> String {
        shown.first { $0.classIndex == classIndex }?.colour ?? "var(--outside)"
    }

    var document: String {
        let lanes = record.frames.contains { $0.hasHand != nil } ? 3.0 : 2.0
        let bottom = Self.top + Self.height + 14 + lanes * (Self.lane + Self.laneGap)
        var canvas = SVGCanvas(width: Self.width, height: bottom + 40, title: "Scores over time", paper: nil)
        drawAxes(&canvas, to: bottom)
        drawCurves(&canvas)
        drawLanes(&canvas)
        return canvas.document
    }

    private func drawAxes(_ canvas: inout SVGCanvas, to bottom: Double) {
        canvas.text("score", x: Self.left, y: Self.top - 8, size: 11, fill: "var(--ink)")
        for tick in [0, 0.25, 0.5, 0.75, 1] {
            canvas.line(from: (Self.left, y(tick)), to: (Self.left + plotWidth, y(tick)), stroke: "var(--grid)")
            canvas.text(
                fixed(tick, 2), x: Self.left - 8, y: y(tick) + 4, size: 11, anchor: .end, fill: "var(--faint)")
        }
        let steps = [0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 120, 300, 600, 1800]
        let step = steps.first { seconds / $0 <= 13 } ?? 3600
        for index in 0...Int(min(1000, seconds / step)) {
            let time = Double(index) * step
            canvas.line(from: (x(time), Self.top), to: (x(time), bottom), stroke: "var(--grid)")
            canvas.text(
                decimalText(time, places: 1) + (index == 0 ? " s" : ""), x: x(time), y: bottom + 16, size: 11,
                anchor: .middle, fill: "var(--faint)")
        }
    }

    private func drawCurves(_ canvas: inout SVGCanvas) {
        let group = max(1, (record.frames.count + Self.columnLimit - 1) / Self.columnLimit)
        let columns = stride(from: 0, to: record.frames.count, by: group).map {
            $0..<min($0 + group, record.frames.count)
        }
        func draw(_ classIndex: Int, _ colour: String, _ width: Double) {
            var points: [(x: Double, y: Double)] = []
            for column in columns {
                let scores = column.compactMap { index -> Float? in
                    let scores = record.frames[index].scores
                    return scores.indices.contains(classIndex) ? scores[classIndex] : nil
                }
                if let highest = scores.max() {
                    points.append((x(record.frames[column.lowerBound].time), y(Double(highest))))
                } else {
                    canvas.polyline(points, stroke: colour, width: width)
                    points = []
                }
            }
            canvas.polyline(points, stroke: colour, width: width)
        }
        draw(record.nullIndex, "var(--outside)", 1)
        // A threshold that several classes have is one line.
        for threshold in Set(shown.map { record.rules[$0.classIndex].threshold }).sorted() {
            let names = shown.filter { record.rules[$0.classIndex].threshold == threshold }
            let colour = names.count == 1 ? names[0].colour : "var(--faint)"
            canvas.line(
                from: (Self.left, y(threshold)), to: (Self.left + plotWidth, y(threshold)), stroke: colour,
                dash: [4, 3])
            canvas.text(
                "above " + fixed(threshold, 2), x: Self.left + 4, y: y(threshold) - 3, size: 10, fill: "var(--faint)")
        }
        for (classIndex, colour) in shown { draw(classIndex, colour, 1.75) }
        let legend = shown.map { (record.rules[$0.classIndex].label, $0.colour) }
        for (line, entry) in (legend + [("nothing", "var(--outside)")]).enumerated() {
            let place = Self.top + 10 + 17 * Double(line)
            let left = Self.left + plotWidth + 8
            canvas.line(from: (left, place - 4), to: (left + 20, place - 4), stroke: entry.1, width: 2)
            canvas.text(String(entry.0.prefix(18)), x: left + 26, y: place, size: 11, fill: "var(--ink)")
        }
    }

    private func drawLanes(_ canvas: inout SVGCanvas) {
        var top = Self.top + Self.height + 14
        func lane(_ name: String) {
            canvas.text(name, x: Self.left - 8, y: top + 11, size: 11, anchor: .end, fill: "var(--ink)")
            canvas.rectangle(x: Self.left, y: top, width: plotWidth, height: Self.lane, fill: "var(--band)")
        }
        lane("reported")
        for gesture in record.gestures {
            let (begin, end) = (x(gesture.onset), x(gesture.end ?? seconds))
            canvas.rectangle(
                x: begin, y: top, width: max(2, end - begin), height: Self.lane, fill: colour(gesture.classIndex),
                opacity: 0.85,
                note: "\(record.rules[gesture.classIndex].label), begun \(fixed(gesture.onset, 2)) s, reported "
                    + "\(fixed(gesture.decision, 2)) s at \(fixed(gesture.confidence, 2))")
            let decision = x(gesture.decision)
            canvas.line(
                from: (decision, top - 3), to: (decision, top + Self.lane + 3), stroke: "var(--ink)", width: 1.5)
        }
        top += Self.lane + Self.laneGap
        lane("not reported")
        for attempt in record.attempts where attempt.outcome != .reported {
            canvas.rectangle(
                x: x(attempt.begin), y: top, width: max(2, x(attempt.end) - x(attempt.begin)), height: Self.lane,
                fill: colour(attempt.classIndex), opacity: 0.45,
                note: "\(record.rules[attempt.classIndex].label), \(fixed(attempt.begin, 2)) to "
                    + "\(fixed(attempt.end, 2)) s: \(record.sentence(attempt))")
        }
        guard record.frames.contains(where: { $0.hasHand != nil }) else { return }
        top += Self.lane + Self.laneGap
        lane("a hand")
        var first: Int?
        for index in 0...record.frames.count {
            let hasHand = index < record.frames.count && record.frames[index].hasHand == true
            if hasHand { first = first ?? index }
            guard !hasHand, let begin = first else { continue }
            let end = index < record.frames.count ? record.frames[index].time : seconds
            canvas.rectangle(
                x: x(record.frames[begin].time), y: top, width: max(1, x(end) - x(record.frames[begin].time)),
                height: Self.lane, fill: "var(--green)", opacity: 0.6)
            first = nil
        }
    }
}
