import ArgumentParser
import Clips
import Evaluation
import Foundation
import GestureEngine
import Platform
import ToolSupport

/// Measures pointers on recordings with labelled pinches.
struct PointerCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pointer",
        abstract: "Measure how a hand points and presses in recordings with labelled pinches.",
        discussion: """
            The labels are a CSV file with the columns recording, kind, start_s and end_s. A recording is a file in one of the \
            folders, or a folder in it with one video. The kinds are pinch, from the first frame in which thumb and index finger touch to \
            the first in which they are apart; still, a hand that is held still; and none, a recording without pinches. Times are \
            those of the clip. The first hand is followed.

            Every row of the table gets the same landmarks. "jitter" is the deviation of a hand held still from a parabola in time, root \
            mean square, in pixels of a screen 1920 wide: the median, and the maximum. "lag" is by how much the position is behind the \
            unfiltered one where that moves by more than a quarter of a screen a second, by least squares: the median of the recordings, and \
            the maximum. "found" are labelled pinches with a press, "in time" those whose press and release are within 100 ms of the \
            label, "made up" other presses. "shift" is the way of the position in the 150 ms before a press that was found, in the same pixels: \
            the median, and the maximum. "cost" is the median of a frame.
            """)

    @Argument(help: "Folders with recordings.") var folders: [String]
    @Option(help: "The labels.") var labels: String
    @Flag(help: "Also print each recording's presses.") var details = false
    @OptionGroup var model: ModelOptions
    @OptionGroup var clips: ClipOptions
    @OptionGroup var progress: ProgressOptions

    func run() async throws {
        try await Terminal.reporting("gesture-bench") { try await work() }
    }

    private func work() async throws {
        Interruption.listen()
        let recordings = try PointerLabels(path: labels).recordings
        let engine = try model.makeEngine(defaultFrontEnd: .landmarks)
        let shown = progress.progress("pointer", total: recordings.count, unit: "clips")
        var reports = PointerMethod.all.map { PointerReport(method: $0) }
        for (index, recording) in recordings.enumerated() where !Interruption.hasCome {
            let source = try await clips.source(for: "gesture-bench", listsFramesFirst: false).open(
                try path(of: recording.name))
            var configuration = model.configuration
            configuration.maximumHands = 1
            let tracker = try engine.makeHandStream(configuration)
            var frames: [PointerFrame] = []
            var aspect: Float = 1
            try await source.forEachFrame { frame in
                let view = try frame.colorView()
                aspect = Float(view.region.height) / Float(view.region.width)
                tracker.track(view, at: frame.time)
                frames.append(PointerFrame(time: frame.time, hand: tracker.hands.first))
                return true
            }
            for place in reports.indices {
                let line = try reports[place].add(recording, frames, aspect: aspect)
                if details { try Terminal.print(line) }
            }
            shown.update(index + 1)
        }
        var table = TextTable([
            ("method", .left), ("jitter px", .right), ("lag ms", .right), ("found", .right), ("in time", .right),
            ("made up", .right), ("shift px", .right), ("cost us", .right),
        ])
        for report in reports { table.add(report.cells) }
        try Terminal.print(table.lines.joined(separator: "\n"))
    }

    /// The video of a recording.
    private func path(of name: String) throws -> String {
        for folder in folders {
            let url = fileURL(folder).appendingPathComponent(name)
            var isFolder: ObjCBool = false
            guard unsafe FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder) else { continue }
            guard isFolder.boolValue else { return url.path }
            let files = try LabelledClip.names(in: url).filter { file in
                ["mp4", "gif", "mkv", "webm", "mov", "avi"].contains((file.lowercased() as NSString).pathExtension)
            }
            if files.count == 1 { return url.appendingPathComponent(files[0]).path }
        }
        throw ValidationError("no recording \(name) in \(folders.joined(separator: ", "))")
    }
}

/// A frame of a recording, tracked.
struct PointerFrame {
    let time: Duration
    let hand: TrackedHand?
}

/// The labels of recordings, by name.
struct PointerLabels {
    struct Recording {
        let name: String
        var pinches: [ClosedRange<Double>] = []
        var still: [ClosedRange<Double>] = []
    }

    private(set) var recordings: [Recording] = []

    init(path: String) throws {
        let text = try String(contentsOf: fileURL(path), encoding: .utf8)
        for (number, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            let cells = line.split(separator: ",", omittingEmptySubsequences: false).map {
                $0.trimmingCharacters(in: .whitespaces)
            }
            guard number > 0, cells != [""] else { continue }
            let fault = ValidationError("\(path), line \(number + 1): \(line) is no label")
            guard cells.count == 4, !cells[0].isEmpty else { throw fault }
            if recordings.last?.name != cells[0] { recordings.append(Recording(name: cells[0])) }
            if cells[1] == "none" { continue }
            guard let start = Double(cells[2]), let end = Double(cells[3]), start < end else { throw fault }
            switch cells[1] {
            case "pinch": recordings[recordings.count - 1].pinches.append(start...end)
            case "still": recordings[recordings.count - 1].still.append(start...end)
            default: throw fault
            }
        }
    }
}

/// A way from landmarks to a position and a press.
struct PointerMethod {
    struct Sample {
        var time: Double
        /// Shares of the screen; nil without a hand.
        var position: SIMD2<Float>?
        /// What `position` follows, unfiltered.
        var target: SIMD2<Float>?
        var isPressed: Bool
    }

    let name: String
    /// The samples of frames.
    let run: ([PointerFrame]) throws -> [Sample]

    /// The region that maps to the screen, for all methods.
    private static let region = HandPointer.Configuration.Region()

    private static func onScreen(_ point: SIMD3<Float>) -> SIMD2<Float> {
        SIMD2((point.x - region.x) / region.width, (point.y - region.y) / region.height)
    }

    /// The pointer with its defaults; the palm alone, unfiltered or a mean; and the arithmetic of usual scripts: the tip of the index
    /// finger, unfiltered or a mean in which a new one has a weight of 0.2 or 1/7, and a press while the tips of
    /// thumb and index finger are nearer than 0.05, by shares of the frame, or than 40 pixels of a frame of 640 x 480.
    static var all: [PointerMethod] {
        [
            pointer("HandPointer"),
            palm("palm, no filter", weight: 1), palm("palm, mean of weight 0.2", weight: 0.2),
            script("fingertip, no filter, gap 0.05", weight: 1) { across, down in
                (across * across + down * down).squareRoot() < 0.05
            },
            script("fingertip, mean of weight 1/7, gap 40 pixels", weight: 1 / 7) { across, down in
                let (x, y) = (across * 640, down * 480)
                return (x * x + y * y).squareRoot() < 40
            },
        ]
    }

    private static func pointer(_ name: String) -> PointerMethod {
        PointerMethod(name: name) { frames in
            var pointer = try HandPointer(HandPointer.Configuration(isMirrored: false))
            return frames.map { frame in
                let result = pointer.update(frame.hand.map { [$0] } ?? [], at: frame.time).first
                return Sample(
                    time: frame.time.inSeconds, position: frame.hand == nil ? nil : result.position,
                    target: frame.hand.map(palm), isPressed: result.state.isPressed)
            }
        }
    }

    /// The palm with an exponential mean, which restarts when the hand was lost. It presses nothing.
    private static func palm(_ name: String, weight: Float) -> PointerMethod {
        PointerMethod(name: name) { frames in means(frames, weight, palm) { _ in false } }
    }

    private static func script(
        _ name: String, weight: Float, touches: @escaping (Float, Float) -> Bool
    ) -> PointerMethod {
        PointerMethod(name: name) { frames in
            means(frames, weight, { onScreen($0.landmarks[.indexTip]) }) { hand in
                let way = hand.landmarks[.thumbTip] - hand.landmarks[.indexTip]
                return touches(way.x, way.y)
            }
        }
    }

    private static func means(
        _ frames: [PointerFrame], _ weight: Float, _ target: (TrackedHand) -> SIMD2<Float>,
        _ presses: (TrackedHand) -> Bool
    ) -> [Sample] {
        var mean: SIMD2<Float>?
        return frames.map { frame in
            let target = frame.hand.map(target)
            mean = target.map { new in
                guard let mean else { return new }
                return mean + weight * (new - mean)
            }
            return Sample(
                time: frame.time.inSeconds, position: mean, target: target,
                isPressed: frame.hand.map(presses) ?? false)
        }
    }

    private static func palm(_ hand: TrackedHand) -> SIMD2<Float> {
        onScreen((hand.landmarks[.wrist] + hand.landmarks[.indexKnuckle] + hand.landmarks[.littleKnuckle]) / 3)
    }
}

/// The measures of one method over recordings.
struct PointerReport {
    let method: PointerMethod
    private var jitters: [Double] = []
    private var lags: [Double] = []
    private var shifts: [Double] = []
    private var costs: [Double] = []
    private var pinches = 0
    private var found = 0
    private var inTime = 0
    private var madeUp = 0

    private static let width: Float = 1920
    /// A press belongs to a pinch if it begins within this of it, in seconds.
    private static let reach = 0.3
    private static let tolerance = 0.1

    init(method: PointerMethod) { self.method = method }

    /// Adds a recording.
    /// - Returns: what was pressed, for a reader.
    mutating func add(
        _ recording: PointerLabels.Recording, _ frames: [PointerFrame], aspect: Float
    ) throws -> String {
        let begun = Stopwatch.now()
        let samples = try method.run(frames)
        costs.append(Double(Stopwatch.now() - begun) / 1e3 / Double(max(frames.count, 1)))
        let scale = SIMD2(Self.width, Self.width * aspect)
        for range in recording.still { jitters.append(Self.jitter(samples, range, scale)) }
        if let lag = Self.lag(samples) { lags.append(lag) }
        var presses = Self.presses(samples)
        let all = presses
        pinches += recording.pinches.count
        for pinch in recording.pinches {
            guard
                let place = presses.firstIndex(where: { press in
                    press.begin >= pinch.lowerBound - Self.reach && press.begin <= pinch.upperBound
                })
            else { continue }
            let press = presses.remove(at: place)
            found += 1
            // Frames are labelled, so a time between two frames may be missed by rounding.
            let tolerance = Self.tolerance + 0.001
            if abs(press.begin - pinch.lowerBound) <= tolerance, abs(press.end - pinch.upperBound) <= tolerance {
                inTime += 1
            }
            if let shift = Self.shift(samples, at: press.begin, scale) { shifts.append(shift) }
        }
        madeUp += presses.count
        let list = all.map { "\(decimals($0.begin, 2))-\(decimals($0.end, 2))" }.joined(separator: " ")
        let truth = recording.pinches.map { "\(decimals($0.lowerBound, 2))-\(decimals($0.upperBound, 2))" }
        return "\(recording.name), \(method.name): [\(list)], labelled [\(truth.joined(separator: " "))]"
    }

    var cells: [String] {
        func pair(_ values: [Double]) -> String {
            guard let median = percentile(50, ascending: values.sorted()), let most = values.max() else { return "-" }
            return "\(decimals(median, 1)), \(decimals(most, 1))"
        }
        return [
            method.name, pair(jitters), pair(lags), "\(found) of \(pinches)", "\(inTime)", "\(madeUp)", pair(shifts),
            percentile(50, ascending: costs.sorted()).map { decimals($0, 2) } ?? "-",
        ]
    }

    private static func presses(_ samples: [PointerMethod.Sample]) -> [(begin: Double, end: Double)] {
        var presses: [(begin: Double, end: Double)] = []
        var begin: Double?
        for sample in samples {
            if sample.isPressed {
                begin = begin ?? sample.time
            } else if let start = begin {
                presses.append((start, sample.time))
                begin = nil
            }
        }
        if let begin, let last = samples.last { presses.append((begin, last.time)) }
        return presses
    }

    /// The root mean square of the deviation from the parabola in time that fits best.
    private static func jitter(
        _ samples: [PointerMethod.Sample], _ range: ClosedRange<Double>, _ scale: SIMD2<Float>
    ) -> Double {
        let points = samples.compactMap { sample in
            sample.position.flatMap { range.contains(sample.time) ? (sample.time - range.lowerBound, $0 * scale) : nil }
        }
        let times = points.map(\.0)
        let squares = [points.map { Double($0.1.x) }, points.map { Double($0.1.y) }].map { values in
            residual(times, values)
        }
        return (squares.reduce(0, +) / Double(max(points.count, 1))).squareRoot()
    }

    /// The sum of squares that remains after orthogonal polynomials of degrees 0 to 2 are taken away.
    private static func residual(_ times: [Double], _ values: [Double]) -> Double {
        func dot(_ a: [Double], _ b: [Double]) -> Double { zip(a, b).map(*).reduce(0, +) }
        var basis: [[Double]] = []
        var rest = values
        for degree in 0...2 {
            var next = times.map { time in (0..<degree).reduce(1.0) { power, _ in power * time } }
            for other in basis {
                let share = dot(next, other) / max(dot(other, other), 1e-12)
                next = zip(next, other).map { $0 - share * $1 }
            }
            basis.append(next)
            let share = dot(rest, next) / max(dot(next, next), 1e-12)
            rest = zip(rest, next).map { $0 - share * $1 }
        }
        return dot(rest, rest)
    }

    /// The delay in milliseconds that explains the difference of position and target best; nil with fewer than five moving frames.
    private static func lag(_ samples: [PointerMethod.Sample]) -> Double? {
        var (sum, squares, count) = (0.0, 0.0, 0)
        for index in samples.indices.dropFirst().dropLast() {
            guard let position = samples[index].position, let target = samples[index].target,
                let before = samples[index - 1].target, let after = samples[index + 1].target
            else { continue }
            let speed = (after - before) / Float(samples[index + 1].time - samples[index - 1].time)
            let square = (speed * speed).sum()
            // Faster ones are another hand. A position at the edge of the screen cannot follow.
            guard square > 0.25 * 0.25, square < 36, position.min() > 0, position.max() < 1 else { continue }
            sum += Double(((target - position) * speed).sum())
            squares += Double(square)
            count += 1
        }
        return count < 5 ? nil : 1000 * sum / squares
    }

    /// The way of the position in the 150 ms before a time.
    private static func shift(_ samples: [PointerMethod.Sample], at time: Double, _ scale: SIMD2<Float>) -> Double? {
        guard let press = samples.first(where: { $0.time >= time })?.position,
            let before = samples.last(where: { $0.time <= time - 0.15 && $0.position != nil })?.position
        else { return nil }
        let way = (press - before) * scale
        return Double((way * way).sum().squareRoot())
    }
}
