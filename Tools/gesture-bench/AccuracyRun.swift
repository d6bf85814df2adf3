import Clips
import Evaluation
import Foundation
import GestureEngine
import Pacing

/// A video with a label file beside it.
struct LabelledClip {
    let name: String
    let video: URL
    let labels: URL

    /// In the order of their names. A JSON file without a video of the same name is passed over.
    static func all(in directory: String) throws(BenchFailure) -> [LabelledClip] {
        let folder = URL(fileURLWithPath: directory, isDirectory: true)
        let names = try self.names(in: folder)
        return names.filter { $0.hasSuffix(".json") }.compactMap { name in
            let stem = String(name.dropLast(".json".count))
            guard let video = names.first(where: { $0.hasPrefix(stem + ".") && $0 != name }) else { return nil }
            return LabelledClip(
                name: stem, video: folder.appendingPathComponent(video), labels: folder.appendingPathComponent(name))
        }
    }

    /// What is in a folder, in the order of the names.
    static func names(in folder: URL) throws(BenchFailure) -> [String] {
        do { return try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() } catch {
            throw .noDirectory(folder.path)
        }
    }
}

/// One model on a set of clips.
struct AccuracyRun {
    let name: String
    let engine: GestureEngine
    let model: ModelOptions
    let stream: StreamOptions

    func report(of clips: [LabelledClip], picturesIn folder: String?) async throws -> AccuracyReport {
        let classes = try ClassNames(engine.labels, nullIndex: engine.nullIndex)
        let pictures = folder.map { URL(fileURLWithPath: $0, isDirectory: true) }
        if let pictures { try FileManager.default.createDirectory(at: pictures, withIntermediateDirectories: true) }
        var evaluator = Evaluator(classes: classes)
        for clip in clips {
            let observation = try await observe(clip, classes)
            evaluator.add(observation)
            if let pictures {
                try write(observation.timelinePicture(), to: pictures.appendingPathComponent(clip.name + ".svg"))
            }
        }
        let report = evaluator.report
        if let pictures {
            try write(report.confusionPicture(), to: pictures.appendingPathComponent("confusion.svg"))
            try write(
                report.confusionPicture(decided: true, title: "Confusion of decided frames"),
                to: pictures.appendingPathComponent("confusion-decided.svg"))
        }
        return report
    }

    private func observe(_ clip: LabelledClip, _ classes: ClassNames) async throws -> ClipObservation {
        let truth: ClipLabels
        do {
            truth = try ClipLabels(contentsOf: clip.labels, classes: classes)
        } catch {
            throw BenchFailure.labels(path: clip.labels.path, error)
        }
        let video = try await ClipSource().open(clip.video.path)
        let rate = stream.nominalRate(for: video.info)
        let gestures = try stream.makeStream(engine, model, rate: rate)
        var frames: [FramePrediction] = []
        var events: [ObservedEvent] = []
        var last = Duration.zero
        try await video.forEachFrame { frame in
            let result = gestures.push(try frame.pixelView(), at: frame.time)
            events += result.events.map(ObservedEvent.init)
            if let prediction = result.prediction {
                frames.append(
                    FramePrediction(
                        frame: frame.index, time: frame.time.inSeconds, classIndex: prediction.classIndex,
                        confidence: prediction.confidence, probabilities: gestures.probabilities))
            }
            last = frame.time
            return true
        }
        events += gestures.finish().map(ObservedEvent.init)
        return try ClipObservation(
            name: clip.name, truth: truth, seconds: last.inSeconds + 1 / truth.rate, frames: frames, events: events)
    }

    private func write(_ picture: String, to url: URL) throws {
        try picture.write(to: url, atomically: true, encoding: .utf8)
    }
}

extension ObservedEvent {
    init(_ event: GestureEvent) {
        self.init(
            kind: event.kind == .begin ? .begin : .end, classIndex: event.classIndex, onset: event.onset.inSeconds,
            decision: event.decision.inSeconds, sequence: event.sequence)
    }
}
