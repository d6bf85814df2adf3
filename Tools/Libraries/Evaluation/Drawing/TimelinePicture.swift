import Foundation

extension ClipObservation {
    /// The clip over time as an SVG file, in three bands: the true gestures, with undecided frames in grey below them;
    /// the leading class of every frame, fainter with less confidence; and the reported gestures, with a line where the
    /// begin was decided and a red edge if it is false by the lenient rule.
    package func timelinePicture(rules: EvaluationRules = EvaluationRules()) -> String {
        timelinePicture(rules: rules, .file)
    }

    /// The same for a page, with its colours.
    package func pageTimeline(rules: EvaluationRules = EvaluationRules()) -> String {
        timelinePicture(rules: rules, .page)
    }

    private func timelinePicture(rules: EvaluationRules, _ colours: PictureColours) -> String {
        Timeline(self, rules, colours).document
    }
}

private struct Timeline {
    private static let band = 30.0
    private static let left = 90.0
    private static let top = 44.0
    private static let rows = (truth: 0.0, frames: 44.0, events: 88.0, axis: 128.0)

    private let clip: ClipObservation
    private let classes: ClassNames
    private let rules: EvaluationRules
    private let seconds: Double
    private let scale: Double
    private let legend: [(classIndex: Int, x: Double, line: Int)]
    private let legendLines: Int
    private let colours: PictureColours
    private var canvas: SVGCanvas

    init(_ clip: ClipObservation, _ rules: EvaluationRules, _ colours: PictureColours) {
        self.clip = clip
        classes = clip.truth.classes
        self.rules = rules
        self.colours = colours
        let ends = [clip.seconds, clip.frames.last?.time ?? 0] + clip.truth.events.map(\.end)
        seconds = min(1e6, max(0.1, ends.max() ?? 0))
        scale = min(4000, max(600, 90 * seconds)) / seconds
        (legend, legendLines) = Self.legend(of: clip, width: scale * seconds)
        canvas = SVGCanvas(
            width: Self.left + scale * seconds + 20,
            height: Self.top + Self.rows.axis + 36 + 18 * Double(legendLines), title: clip.name,
            paper: colours.background)
    }

    /// Position of a time in the drawing.
    private func x(_ time: Double) -> Double { Self.left + scale * min(seconds, max(0, time)) }

    private func name(_ classIndex: Int) -> String { classes.labels[classIndex] }

    private func interval(_ begin: Double, _ end: Double) -> String { String(format: "%.3f to %.3f s", begin, end) }

    private func colour(_ classIndex: Int) -> String {
        SVGCanvas.colour(ofClass: classIndex, nullIndex: classes.nullIndex)
    }

    var document: String {
        var drawing = self
        drawing.canvas.text(clip.name, x: 12, y: 24, size: 16, fill: colours.ink)
        drawing.drawTruth()
        drawing.drawFrames()
        drawing.drawEvents()
        drawing.drawAxis()
        drawing.drawLegend()
        return drawing.canvas.document
    }

    private mutating func drawTruth() {
        let y = Self.top + Self.rows.truth
        canvas.text("truth", x: 12, y: y + 20, fill: colours.ink)
        canvas.rectangle(x: Self.left, y: y, width: scale * seconds, height: Self.band, fill: colours.band)
        for event in clip.truth.events {
            canvas.rectangle(
                x: x(event.onset), y: y, width: x(event.end) - x(event.onset), height: Self.band,
                fill: colour(event.classIndex),
                note: "\(name(event.classIndex)) \(interval(event.onset, event.end))")
        }
        for frames in clip.truth.undecided {
            let (begin, end) = (
                Double(frames.lowerBound) / clip.truth.rate, Double(frames.upperBound) / clip.truth.rate
            )
            canvas.rectangle(
                x: x(begin), y: y + Self.band + 2, width: x(end) - x(begin), height: 5, fill: colours.faint,
                note: "undecided frames \(frames.lowerBound) to \(frames.upperBound - 1)")
        }
    }

    /// Consecutive frames of one class are one bar; bars too narrow to see are left out, so that the drawing of a long
    /// clip stays small.
    private mutating func drawFrames() {
        let y = Self.top + Self.rows.frames
        canvas.text("frames", x: 12, y: y + 20, fill: colours.ink)
        canvas.rectangle(
            x: Self.left, y: y, width: scale * seconds, height: Self.band, fill: colours.paper, stroke: colours.line)
        var first = 0
        while first < clip.frames.count {
            var next = first
            var confidence = 0.0
            while next < clip.frames.count, clip.frames[next].classIndex == clip.frames[first].classIndex {
                let value = clip.frames[next].confidence
                confidence += CalibrationHistogram.isValid(value) ? Double(value) : 0
                next += 1
            }
            let begin = x(clip.frames[first].time)
            let end = next < clip.frames.count ? x(clip.frames[next].time) : x(seconds)
            let mean = confidence / Double(next - first)
            if end - begin > 0.2 {
                canvas.rectangle(
                    x: begin, y: y, width: end - begin, height: Self.band, fill: colour(clip.frames[first].classIndex),
                    opacity: 0.2 + 0.8 * mean,
                    note: name(clip.frames[first].classIndex) + String(format: ", mean confidence %.2f", mean))
            }
            first = next
        }
    }

    private mutating func drawEvents() {
        let y = Self.top + Self.rows.events
        canvas.text("events", x: 12, y: y + 20, fill: colours.ink)
        canvas.rectangle(x: Self.left, y: y, width: scale * seconds, height: Self.band, fill: colours.band)
        let matching = EventMatching.lenient(clip.gestures, truth: clip.truth.events, rules: rules)
        for (index, gesture) in clip.gestures.enumerated() {
            let outcome =
                matching.falseGestures.contains(index)
                ? "false" : matching.repeats.contains(index) ? "fired again" : "found"
            canvas.rectangle(
                x: x(gesture.onset), y: y, width: max(1, x(gesture.end) - x(gesture.onset)), height: Self.band,
                fill: colour(gesture.classIndex), stroke: outcome == "false" ? "#d00000" : nil,
                note: "\(name(gesture.classIndex)) \(interval(gesture.onset, gesture.end)), decided at "
                    + String(format: "%.3f s: ", gesture.decision) + outcome)
            let decision = x(gesture.decision)
            canvas.line(from: (decision, y - 4), to: (decision, y + Self.band + 4), stroke: colours.ink, width: 1.5)
        }
    }

    private mutating func drawAxis() {
        let y = Self.top + Self.rows.axis
        let step = [0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 120, 300, 600].first { $0 * scale >= 50 } ?? seconds
        var tick = 0
        while Double(tick) * step <= seconds, tick <= 200 {
            let time = Double(tick) * step
            canvas.line(from: (x(time), y), to: (x(time), y + 5), stroke: colours.faint)
            canvas.text(
                decimalText(time, places: 1) + (tick == 0 ? " s" : ""), x: x(time), y: y + 18, size: 11,
                anchor: .middle, fill: colours.faint)
            tick += 1
        }
    }

    private mutating func drawLegend() {
        for entry in legend {
            let y = Self.top + Self.rows.axis + 30 + 18 * Double(entry.line)
            canvas.rectangle(x: Self.left + entry.x, y: y, width: 12, height: 12, fill: colour(entry.classIndex))
            canvas.text(name(entry.classIndex), x: Self.left + entry.x + 17, y: y + 10, size: 11, fill: colours.ink)
        }
    }

    /// The classes of all bands, in lines that are no wider than the bands if possible.
    private static func legend(
        of clip: ClipObservation, width: Double
    ) -> (entries: [(classIndex: Int, x: Double, line: Int)], lines: Int) {
        var present = Set(clip.frames.map(\.classIndex))
        present.formUnion(clip.truth.events.map(\.classIndex))
        present.formUnion(clip.gestures.map(\.classIndex))
        var entries: [(classIndex: Int, x: Double, line: Int)] = []
        var (x, line) = (0.0, 0)
        for index in present.sorted() {
            let needed = 35 + SVGCanvas.width(of: clip.truth.classes.labels[index], size: 11)
            if x > 0, x + needed > width { (x, line) = (0, line + 1) }
            entries.append((index, x, line))
            x += needed
        }
        return (entries, line + 1)
    }
}
