import Clips
import Evaluation
import FileOutput
import Foundation
import GestureEngine
import Platform
import Scheduling
import ToolSupport

/// A video with a label file beside it.
struct LabelledClip {
    let name: String
    let video: URL
    let labels: URL

    /// In the order of their names. A JSON file without a video of the same name is ignored.
    static func all(in directory: String) throws(BenchFailure) -> [LabelledClip] {
        let folder = fileURL(directory)
        let names = try self.names(in: folder)
        return names.filter { $0.hasSuffix(".json") }.compactMap { name in
            let stem = String(name.dropLast(".json".count))
            guard let video = names.first(where: { $0.hasPrefix(stem + ".") && $0 != name }) else { return nil }
            return LabelledClip(
                name: stem, video: folder.appendingPathComponent(video), labels: folder.appendingPathComponent(name))
        }
    }

    /// The names of a folder's contents, sorted.
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
    let events: EventOptions
    let source: ClipSource

    /// - Returns: the measures of all clips, or of those before the first clip that lacks frames, together with that
    ///   clip's error; or of those before the clip in which a signal came.
    /// - Parameters:
    ///   - isDrawing: whether the timelines for a page are returned, too, of as many clips as it takes.
    ///   - done: called with the number of clips that are done.
    func report(
        of clips: [LabelledClip], picturesIn pictures: PictureFolder?, drawing isDrawing: Bool, _ done: (Int) -> Void
    ) async throws -> (
        report: AccuracyReport, failure: ClipError?, timelines: [(clip: String, picture: String)]
    ) {
        var timelines: [(clip: String, picture: String)] = []
        let own = try self.events.userGestures(of: engine)?.labels ?? []
        let classes = try ClassNames(engine.labels + own, nullIndex: engine.nullIndex)
        var evaluator = Evaluator(classes: classes)
        var failure: ClipError?
        for (index, clip) in clips.enumerated() {
            guard !Interruption.hasCome else { break }
            let observation: ClipObservation
            do {
                guard let whole = try await observe(clip, classes) else { break }
                observation = whole
            } catch let error as ClipError where error.isFramesMissing && index > 0 {
                failure = error
                break
            }
            evaluator.add(observation)
            try pictures?.write(observation.timelinePicture(), as: clip.name)
            if isDrawing {
                let isShown = timelines.count < AccuracyPage.mostClips
                timelines.append((clip.name, isShown ? observation.pageTimeline() : ""))
            }
            done(index + 1)
        }
        let report = evaluator.report
        try pictures?.write(report.confusionPicture(), as: PictureFolder.confusion)
        try pictures?.write(
            report.confusionPicture(decided: true, title: "Confusion of decided frames"),
            as: PictureFolder.decidedConfusion)
        return (report, failure, timelines)
    }

    /// Nil if a signal came before its end.
    private func observe(_ clip: LabelledClip, _ classes: ClassNames) async throws -> ClipObservation? {
        let truth: ClipLabels
        do {
            truth = try ClipLabels(contentsOf: clip.labels, classes: classes)
        } catch {
            throw BenchFailure.labels(path: clip.labels.path, error)
        }
        let video = try await source.open(clip.video.path)
        let rate = stream.nominalRate(for: video.info)
        let gestures = try stream.makeStream(engine, model, rate: rate, events: self.events)
        var frames: [FramePrediction] = []
        var events: [ObservedEvent] = []
        var last = Duration.zero
        let seen = try await video.forEachFrame { frame in
            let result = gestures.push(try frame.colorView(), at: frame.time)
            events += result.events.map(ObservedEvent.init)
            if let prediction = FramePrediction(frame, result, of: gestures) { frames.append(prediction) }
            last = frame.time
            return true
        }
        guard !Interruption.hasCome else { return nil }
        guard seen == truth.frames || source.allowsMissingFrames && seen < truth.frames else {
            throw BenchFailure.labelledFrames(path: clip.video.path, stated: truth.frames, found: seen)
        }
        events += gestures.finish().map(ObservedEvent.init)
        return try ClipObservation(
            name: clip.name, truth: truth, seconds: last.inSeconds + 1 / truth.rate, frames: frames, events: events)
    }
}

/// The folder for the drawings of the clips and of their total.
struct PictureFolder {
    static let confusion = "confusion"
    static let decidedConfusion = "confusion-decided"

    private let path: String
    private let inputs: InputFiles

    /// Creates the folder, and checks that every drawing can be written before the first one is made.
    init(_ path: String, of clips: [LabelledClip], besides inputs: InputFiles) throws(OutputError) {
        self.path = path
        self.inputs = inputs
        try OutputFolder.create(path)
        for name in clips.map(\.name) + [Self.confusion, Self.decidedConfusion] { _ = try target(name) }
    }

    func write(_ picture: String, as name: String) throws(OutputError) {
        try target(name).write(Array(picture.utf8))
    }

    private func target(_ name: String) throws(OutputError) -> OutputTarget {
        try OutputTarget("\(path)/\(name).svg", besides: inputs)
    }
}

extension FramePrediction {
    /// What a stream says after a frame; nil before its first prediction.
    init?(_ frame: borrowing ClipFrame, _ result: FrameResult, of stream: GestureStream) {
        guard let prediction = result.prediction else { return nil }
        var probabilities = [Float](repeating: 0, count: stream.labels.count)
        var span = probabilities.mutableSpan
        _ = stream.copyProbabilities(to: &span)
        self.init(
            frame: frame.index, time: frame.time.inSeconds, classIndex: prediction.classIndex,
            confidence: prediction.confidence, probabilities: probabilities)
    }
}

extension ObservedEvent {
    init(_ event: GestureEvent) {
        self.init(
            kind: event.kind == .begin ? .begin : .end, classIndex: event.classIndex, onset: event.onset.inSeconds,
            decision: event.decision.inSeconds, sequence: event.sequence)
    }
}
