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

            Every row of the table gets the same landmarks. The last three are public scripts for a mouse in the air. "jitter" is the \
            deviation of a hand held still from a parabola in time, root mean square, in pixels of a screen 1920 wide: the median, and the \
            maximum. "lag" is by how much the position is behind the unfiltered one where that moves by more than a quarter of a screen a \
            second, by least squares: the median of the recordings, and the maximum. "found" are labelled pinches with a press, "in time" \
            those whose press and release are within 100 ms of the label, "made up" other presses. "shift" is the way of the position in \
            the 150 ms before a press that was found, in the same pixels: the median, and the maximum. "cost" is the median of a frame.

            The second table tells what HandPointer finds and makes up in each recording with pinches when its two gaps are chosen on all \
            other recordings, by most found less made up.
            """)

    @Argument(help: "Folders with recordings.") var folders: [String]
    @Option(help: "The labels.") var labels: String
    @Flag(help: "Also print each recording's presses.") var details = false
    @Flag(help: "Print one JSON object instead of tables.") var json = false
    @OptionGroup var model: ModelOptions
    @OptionGroup var clips: ClipOptions
    @OptionGroup var progress: ProgressOptions

    func run() async throws {
        try await Terminal.reporting("gesture-bench") { try await work() }
    }

    private func work() async throws {
        Interruption.listen()
        let labelled: PointerLabels
        do throws(ClipTruthError) {
            labelled = try PointerLabels(contentsOf: fileURL(labels))
        } catch {
            throw BenchFailure.truth(path: labels, error)
        }
        let recordings = try await track(labelled.recordings)
        let results = try PointerMethod.all.map { method in try recordings.map { try Self.timed(method, $0) } }
        let report = PointerReport(
            methods: zip(PointerMethod.all, results).map { method, timed in
                PointerMeasures(method, recordings, timed.map(\.samples), costs: timed.map(\.cost))
            },
            left_out: try PointerLeftOut(recordings), recordings: recordings)
        if json { return try Terminal.print(try Terminal.json(report)) }
        for (method, timed) in zip(PointerMethod.all, results) where details && method.presses {
            for (recording, timed) in zip(recordings, timed) {
                let presses = Self.list(PressMatch.presses(timed.samples))
                let pinches = Self.list(recording.labels.pinches)
                try Terminal.print("\(recording.labels.name), \(method.name): [\(presses)], labelled [\(pinches)]")
            }
        }
        try Terminal.print((report.methodTable.lines + [""] + report.leftOutTable.lines).joined(separator: "\n"))
    }

    /// What a method says of a recording, and its microseconds a frame.
    private static func timed(
        _ method: PointerMethod, _ recording: PointerRecording
    ) throws -> (samples: [PointerSample], cost: Double) {
        let begin = Stopwatch.now()
        let samples = try method.samples(recording.frames)
        return (samples, Double(Stopwatch.now() - begin) / 1e3 / Double(max(samples.count, 1)))
    }

    /// The recordings with their landmarks; those before an interruption.
    private func track(_ labelled: [PointerLabels.Recording]) async throws -> [PointerRecording] {
        // A recording that is missing is told before the first one takes its time.
        let paths = try labelled.map { try path(of: $0.name) }
        let engine = try model.makeEngine(defaultFrontEnd: .landmarks)
        let shown = progress.progress("pointer", total: labelled.count, unit: "clips")
        var recordings: [PointerRecording] = []
        for (labels, path) in zip(labelled, paths) where !Interruption.hasCome {
            let source = try await clips.source(for: "gesture-bench", listsFramesFirst: false).open(path)
            var configuration = model.configuration
            configuration.maximumHands = 1
            let tracker = try engine.makeHandStream(configuration)
            var frames: [PointerRecording.Frame] = []
            var aspect: Float = 1
            try await source.forEachFrame { frame in
                let view = try frame.colorView()
                aspect = Float(view.region.height) / Float(view.region.width)
                tracker.track(view, at: frame.time)
                frames.append(PointerRecording.Frame(time: frame.time.inSeconds, hand: tracker.hands.first))
                return true
            }
            recordings.append(PointerRecording(labels: labels, frames: frames, aspect: aspect))
            shown.update(recordings.count)
        }
        return recordings
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

    private static func list(_ ranges: [ClosedRange<Double>]) -> String {
        ranges.map { "\(decimals($0.lowerBound, 2))-\(decimals($0.upperBound, 2))" }.joined(separator: " ")
    }
}

extension PointerReport {
    fileprivate var methodTable: TextTable {
        var table = TextTable([
            ("method", .left), ("jitter px", .right), ("lag ms", .right), ("found", .right), ("in time", .right),
            ("made up", .right), ("shift px", .right), ("cost us", .right),
        ])
        for measures in methods {
            var cells = [measures.method, Self.pair(measures.jitter_px, 1), Self.pair(measures.lag_ms, 0)]
            if let presses = measures.presses {
                cells += ["\(presses.found) of \(pinches)", "\(presses.in_time)", "\(presses.made_up)"]
                cells.append(Self.pair(presses.shift_px, 0))
            } else {
                cells += ["-", "-", "-", "-"]
            }
            table.add(cells + [decimals(measures.cost_us, 2)])
        }
        return table
    }

    fileprivate var leftOutTable: TextTable {
        var table = TextTable([
            ("judged on", .left), ("gaps chosen on", .left), ("press", .right), ("release", .right), ("found", .right),
            ("made up", .right),
        ])
        func cells(_ count: PointerLeftOut.Count) -> [String] { ["\(count.found)", "\(count.made_up)"] }
        func gaps(_ choice: PointerLeftOut.Choice) -> [String] {
            [choice.gaps.press, choice.gaps.release].map { decimals($0, 2) }
        }
        table.add(["all", "all"] + gaps(left_out.all) + cells(left_out.all.count))
        for choice in left_out.recordings {
            table.add([choice.recording ?? "", "the others"] + gaps(choice) + cells(choice.count))
        }
        table.add(["each recording", "the others", "-", "-"] + cells(left_out.sum))
        return table
    }

    private static func pair(_ spread: PointerMeasures.Spread?, _ places: Int) -> String {
        spread.map { "\(decimals($0.median, places)), \(decimals($0.maximum, places))" } ?? "-"
    }
}
