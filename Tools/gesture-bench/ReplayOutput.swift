import Clips
import Foundation
import GestureEngine
import Scheduling
import ToolSupport

/// The output of a replay's events.
protocol ReplayOutput {
    mutating func start() throws
    mutating func event(_ event: GestureEvent) throws
    /// The pointers of a frame.
    mutating func pointer(_ result: HandPointer.Result) throws
    /// A change in how the stream runs.
    mutating func change(_ change: StreamChange) throws
    mutating func finish(at time: Duration, counts: FrameCounts) throws
}

/// One JSON object per event and line, and one with the key `change` per change in how the stream runs, with `armed` where
/// a wake pose changed it; property names are the keys.
struct JSONReplayOutput: ReplayOutput {
    private struct Line: Encodable {
        let event: String
        let label: String
        let confidence: Double
        let onset_s: Double
        let decision_s: Double
        let sequence: UInt64
        /// Shares of the upright frame's width and height from its top left.
        let point: [Double]?
    }

    private let encoder: JSONEncoder = {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        return encoder
    }()

    func start() {}

    func event(_ event: GestureEvent) throws {
        let line = Line(
            event: event.kind == .begin ? "begin" : "end", label: event.label,
            confidence: Self.rounded(Double(event.confidence), places: 4),
            onset_s: Self.rounded(event.onset.inSeconds, places: 6),
            decision_s: Self.rounded(event.decision.inSeconds, places: 6), sequence: event.sequence,
            point: event.point.map { point in
                [point.x, point.y].map { Self.rounded(Double($0), places: 4) }
            })
        try Terminal.print(visibleJSON(String(decoding: try encoder.encode(line), as: UTF8.self)))
    }

    /// The pointers of a frame. Those of absent hands are left out, unless they bring events.
    private struct PointerLine: Encodable {
        struct Pointer: Encodable {
            let id: Int?
            let handedness: String?
            /// Shares of the screen's width and height from its top left.
            let position: [Double]
            let state: String
            let confidence: Double
            let events: [String]
            let scroll: [Double]?

            init?(_ pointer: HandPointer.Pointer) {
                guard pointer.state != .absent || !pointer.events.isEmpty else { return nil }
                (id, handedness) = (pointer.identity, pointer.handedness?.rawValue)
                position = JSONReplayOutput.numbers(pointer.position)
                state = pointer.state.rawValue
                confidence = JSONReplayOutput.rounded(Double(pointer.confidence), places: 4)
                events = pointer.events.map(\.name)
                scroll =
                    pointer.events.compactMap { event -> [Double]? in
                        guard case .scrolled(let way) = event else { return nil }
                        return JSONReplayOutput.numbers(way)
                    }.first
            }
        }

        struct Pair: Encodable { let distance, angle, zoom, rotation: Double }

        let time_s: Double
        let pointers: [Pointer]
        let pair: Pair?
    }

    func pointer(_ result: HandPointer.Result) throws {
        let pointers = [result.first, result.second].compactMap { PointerLine.Pointer($0) }
        guard !pointers.isEmpty else { return }
        let line = PointerLine(
            time_s: Self.rounded(result.time.inSeconds, places: 6), pointers: pointers,
            pair: result.pair.map { pair in
                PointerLine.Pair(
                    distance: Self.rounded(Double(pair.distance), places: 4),
                    angle: Self.rounded(Double(pair.angle), places: 4),
                    zoom: Self.rounded(Double(pair.zoom), places: 4),
                    rotation: Self.rounded(Double(pair.rotation), places: 4))
            })
        try Terminal.print(visibleJSON(String(decoding: try encoder.encode(line), as: UTF8.self)))
    }

    fileprivate static func numbers(_ point: SIMD2<Float>) -> [Double] {
        [point.x, point.y].map { rounded(Double($0), places: 4) }
    }

    private struct Change: Encodable {
        let change: String
        var armed: Bool?
        var time_s: Double?
    }

    func change(_ change: StreamChange) throws {
        var line = Change(change: change.sentence)
        switch change {
        case .armed(let time): (line.armed, line.time_s) = (true, Self.rounded(time.inSeconds, places: 6))
        case .disarmed(let time): (line.armed, line.time_s) = (false, Self.rounded(time.inSeconds, places: 6))
        default: break
        }
        try Terminal.print(visibleJSON(String(decoding: try encoder.encode(line), as: UTF8.self)))
    }

    func finish(at time: Duration, counts: FrameCounts) {}

    fileprivate static func rounded(_ value: Double, places: Int) -> Double {
        let scale = pow(10, Double(places))
        return (value * scale).rounded() / scale
    }
}

/// Events as they happen, as text, and a timeline of the whole clip at the end.
struct TimelineReplayOutput: ReplayOutput {
    private struct Span {
        let label: String
        let begin: Duration
        var end: Duration?
    }

    private let info: ClipInfo
    private let rate: PacingConfiguration.Rate
    private let engine: GestureEngine
    private var spans: [Span] = []

    init(_ info: ClipInfo, rate: PacingConfiguration.Rate, engine: GestureEngine) {
        self.info = info
        self.rate = rate
        self.engine = engine
    }

    func start() throws {
        let length =
            info.frameCount.map { "\($0) frames" } ?? info.duration.map { Self.seconds($0) + " s" }
            ?? (info.decoder == .y4m ? "a stream" : "of unknown length")
        let clipRate = info.rate.map { String(format: "%.4g fps", $0.hertz) } ?? "no stated rate"
        try Terminal.print(
            "\(visible(info.path)): \(info.width)x\(info.height), \(length), \(clipRate), on a \(rate.rawValue) Hz grid"
        )
    }

    mutating func event(_ event: GestureEvent) throws {
        let time = Self.seconds(event.decision)
        let confidence = String(format: "%.2f", event.confidence)
        switch event.kind {
        case .begin:
            spans.append(Span(label: event.label, begin: event.onset))
            try Terminal.print(
                "\(time) s  begin \(TextStyle.green(visible(event.label)))  confidence \(confidence), "
                    + "onset \(Self.seconds(event.onset)) s"
                    + (event.point.map { ", at \(decimals(Double($0.x), 3)), \(decimals(Double($0.y), 3))" } ?? ""))
        case .end(let cause):
            if let last = spans.indices.last { spans[last].end = event.onset }
            let why = cause == .released ? "" : "(\(cause)) "
            try Terminal.print(
                TextStyle.faint("\(time) s  end   \(visible(event.label))  \(why)peak \(confidence)"))
        }
    }

    func pointer(_ result: HandPointer.Result) throws {
        for pointer in [result.first, result.second] {
            // One that moves or drags has too many events for a reader.
            let names = pointer.events.filter { $0 != .moved && $0 != .dragged }.map(\.name)
            guard !names.isEmpty else { continue }
            let (x, y) = (decimals(Double(pointer.position.x), 3), decimals(Double(pointer.position.y), 3))
            try Terminal.print(
                "\(Self.seconds(result.time)) s  pointer \(names.joined(separator: ", ")) at \(x), \(y)")
        }
    }

    mutating func change(_ change: StreamChange) throws {
        try Terminal.print(TextStyle.yellow(change.sentence))
    }

    mutating func finish(at time: Duration, counts: FrameCounts) throws {
        let names = Set(spans.map(\.label)).sorted { (order($0), $0) < (order($1), $1) }
        if !names.isEmpty {
            let scale = String(repeating: " ", count: Self.nameWidth) + "0" + Self.leftPadded(Self.seconds(time) + " s")
            try Terminal.print(([""] + names.map { row($0, until: time) } + [scale]).joined(separator: "\n"))
        }
        try Terminal.print(
            "\(spans.count) gesture\(spans.count == 1 ? "" : "s") in \(Self.seconds(time)) s: \(counts.run) frames encoded, "
                + "\(counts.repeats) slots repeated, \(counts.surplus) surplus, \(counts.drops) dropped, "
                + "\(counts.resets) resets")
    }

    private static let nameWidth = 14
    private static let columns = 64

    /// One label's spans as a bar over the clip's time.
    private func row(_ name: String, until end: Duration) -> String {
        var cells = [Character](repeating: "·", count: Self.columns)
        let whole = max(end, .nanoseconds(1))
        for span in spans where span.label == name {
            let first = Self.column(span.begin / whole)
            let last = max(first, Self.column((span.end ?? end) / whole))
            for column in first...last { cells[column] = "█" }
        }
        return visible(name).padding(toLength: Self.nameWidth, withPad: " ", startingAt: 0) + Self.colored(cells)
    }

    /// Cells with their colours, one sequence for each run of equal ones.
    private static func colored(_ cells: [Character]) -> String {
        var (text, first) = ("", 0)
        for index in cells.indices where index + 1 == cells.count || cells[index + 1] != cells[index] {
            let style = cells[index] == "█" ? TextStyle.green : .faint
            text += style(String(cells[first...index]))
            first = index + 1
        }
        return text
    }

    private static func column(_ share: Double) -> Int {
        min(columns - 1, max(0, Int(share * Double(columns))))
    }

    private static func leftPadded(_ text: String) -> String {
        String(repeating: " ", count: max(1, columns - 1 - text.count)) + text
    }

    private func order(_ label: String) -> Int { engine.labels.firstIndex(of: label) ?? engine.labels.count }

    private static func seconds(_ time: Duration) -> String { String(format: "%7.3f", time.inSeconds) }
}

extension Duration {
    var inSeconds: Double {
        let (seconds, attoseconds) = components
        return Double(seconds) + Double(attoseconds) * 1e-18
    }
}

extension HandPointer.Event {
    /// Its name, with the reason of a release.
    fileprivate var name: String {
        switch self {
        case .entered: "entered"
        case .moved: "moved"
        case .dragged: "dragged"
        case .pressed: "pressed"
        case .released(let reason): "released:" + reason.rawValue
        case .clicked: "clicked"
        case .doubleClicked: "doubleClicked"
        case .scrolled: "scrolled"
        case .left: "left"
        }
    }
}
