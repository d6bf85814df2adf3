import ArgumentParser
import Clips
import Foundation
import GestureEngine
import Pacing
import ToolSupport

/// Runs labelled clips through the engine and counts what it got right.
struct AccuracyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "accuracy",
        abstract: "Measure the model on a directory of labelled clips.",
        discussion: """
            The directory holds videos and, beside each, a JSON file of the same name as Tools/training writes it. An \
            event is found when its label begins between the true onset and half a second after the true end.
            """)

    @Argument(help: "A directory of clips with label files.") var directory: String
    @OptionGroup var model: ModelOptions
    @OptionGroup var stream: StreamOptions
    @Flag(help: "Print one JSON object instead of a table.") var json = false

    func run() async throws {
        try await Terminal.reporting("gesture-bench") { try await work() }
    }

    private func work() async throws {
        let engine = try model.makeEngine()
        let folder = URL(fileURLWithPath: directory, isDirectory: true)
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
        var score = AccuracyScore()
        for name in names where name.hasSuffix(".json") {
            let stem = String(name.dropLast(".json".count))
            guard let video = names.first(where: { $0.hasPrefix(stem + ".") && $0 != name }) else { continue }
            let labels = try ClipLabels(contentsOf: folder.appendingPathComponent(name))
            try await measure(folder.appendingPathComponent(video).path, labels, engine, &score)
        }
        guard score.clips > 0 else { throw BenchFailure.noLabelledClips(directory: directory) }
        if json {
            print(try Terminal.json(score.report))
        } else {
            print(score.report.table(labels: engine.labels))
        }
    }

    private func measure(
        _ path: String, _ labels: ClipLabels, _ engine: GestureEngine, _ score: inout AccuracyScore
    ) async throws {
        let clip = try await ClipSource().open(path)
        let rate = stream.nominalRate(for: clip.info)
        let gestures = try engine.makeStream(stream.configuration(model, rate: rate))
        var begins: [GestureEvent] = []
        var last = Duration.zero
        try await clip.forEachFrame { frame in
            let result = gestures.push(try frame.pixelView(), at: frame.time)
            begins += result.events.filter { $0.kind == .begin }
            if let prediction = result.prediction, let truth = labels.label(ofFrame: frame.index) {
                score.frame(truth: truth, predicted: engine.labels[prediction.classIndex])
            }
            last = frame.time
            return true
        }
        score.clip(begins: begins, truth: labels.events, seconds: last.inSeconds)
    }
}
