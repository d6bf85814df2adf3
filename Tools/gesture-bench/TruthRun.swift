import Clips
import Evaluation
import FileOutput
import Foundation
import GestureEngine
import Platform
import Recognition
import Scheduling
import ToolSupport

/// A folder with a recording and its `truth.csv`.
struct TruthClip {
    let name: String
    /// A video file, or the folder itself if it contains numbered images.
    let video: String
    let truth: URL

    private static let otherKinds: Set<String> = ["csv", "json", "md", "txt"]

    /// The folders in a folder that have a truth, sorted by name; or the folder itself if it has one.
    static func all(in directory: String) throws(BenchFailure) -> [TruthClip] {
        let folder = fileURL(directory)
        let names = try LabelledClip.names(in: folder)
        if names.contains(ClipTruth.fileName) {
            return [try TruthClip(folder, name: folder.standardizedFileURL.lastPathComponent)]
        }
        var clips: [TruthClip] = []
        for name in names {
            let inner = folder.appendingPathComponent(name)
            guard FileManager.default.fileExists(atPath: inner.appendingPathComponent(ClipTruth.fileName).path) else {
                continue
            }
            clips.append(try TruthClip(inner, name: name))
        }
        return clips
    }

    private init(_ folder: URL, name: String) throws(BenchFailure) {
        let files = try LabelledClip.names(in: folder).filter { file in
            let kind = (file.lowercased() as NSString).pathExtension
            return !file.hasPrefix(".") && !Self.otherKinds.contains(kind)
        }
        self.name = name
        truth = folder.appendingPathComponent(ClipTruth.fileName)
        if files.count == 1 {
            video = folder.appendingPathComponent(files[0]).path
        } else if files.count > 1,
            files.allSatisfy({ InputFiles.imageExtensions.contains(($0.lowercased() as NSString).pathExtension) })
        {
            video = folder.path
        } else {
            throw .clipsBesideTruth(directory: folder.path, found: files.count)
        }
    }
}

/// One model on recordings with truth.
struct TruthRun {
    let engine: GestureEngine
    let model: ModelOptions
    let stream: StreamOptions
    let events: EventOptions
    let source: ClipSource

    /// The clips with their truth.
    func read(_ clips: [TruthClip]) throws -> [(clip: TruthClip, truth: ClipTruth)] {
        let own = try events.userGestures(of: engine)?.labels ?? []
        let classes = try ClassNames(engine.labels + own, nullIndex: engine.nullIndex)
        var read: [(clip: TruthClip, truth: ClipTruth)] = []
        for clip in clips {
            do throws(ClipTruthError) {
                read.append((clip, try ClipTruth(contentsOf: clip.truth, classes: classes)))
            } catch {
                throw BenchFailure.truth(path: clip.truth.path, error)
            }
        }
        return read
    }

    /// - Returns: the measures of all clips, or of those before the first clip that lacks frames, together with that
    ///   clip's error; or of those before the clip in which a signal came.
    /// - Parameter done: called with the number of clips that are done.
    func report(of clips: [(clip: TruthClip, truth: ClipTruth)], _ done: (Int) -> Void) async throws -> (
        report: TruthReport, failure: ClipError?
    ) {
        var report = TruthReport()
        for (index, (clip, truth)) in clips.enumerated() {
            do {
                guard !Interruption.hasCome, let seen = try await observe(clip, truth) else { break }
                report.add(seen)
                done(index + 1)
            } catch let error as ClipError where error.isFramesMissing && index > 0 {
                return (report, error)
            }
        }
        return (report, nil)
    }

    /// Nil if a signal came before the clip's end.
    private func observe(_ clip: TruthClip, _ truth: ClipTruth) async throws -> TruthReport.Observation? {
        let video = try await source.open(clip.video)
        let gestures = try stream.makeStream(
            engine, model, rate: stream.nominalRate(for: video.info), events: events)
        var seen = TruthReport.Observation(name: clip.name, truth: truth)
        var hands: [Bool] = []
        var last = Duration.zero
        seen.frames = try await video.forEachFrame { frame in
            let result = gestures.push(try frame.colorView(), at: frame.time)
            hands.append(!gestures.hands.isEmpty)
            for event in result.events where event.kind == .begin {
                seen.begins.append(
                    ReportedBegin(classIndex: event.classIndex, frame: frame.index, confidence: event.confidence))
            }
            if let prediction = FramePrediction(frame, result, of: gestures) { seen.predictions.append(prediction) }
            last = frame.time
            return true
        }
        guard !Interruption.hasCome else { return nil }
        try check(truth, of: clip, frames: seen.frames)
        seen.rate = video.info.rate?.hertz
        seen.seconds = last.inSeconds + 1 / (seen.rate ?? 30)
        if engine.frontEnd == .landmarks { seen.hands = hands }
        return seen
    }

    private func check(_ truth: ClipTruth, of clip: TruthClip, frames: Int) throws {
        guard !source.allowsMissingFrames else { return }
        do throws(ClipTruthError) {
            try truth.check(frames: frames)
        } catch {
            throw BenchFailure.truth(path: clip.truth.path, error)
        }
    }

    // MARK: Sweep

    /// What recognition read of a recording, so that the networks run once for many settings.
    struct Recording {
        let truth: ClipTruth
        let rate: PacingConfiguration.Rate
        let trace: RecognitionTrace
        /// The frame of each step of the trace.
        let frames: [Int]
    }

    /// - Parameter done: called with the number of clips that are done.
    /// - Returns: those of all clips, or of those before the clip in which a signal came.
    func record(
        _ clips: [(clip: TruthClip, truth: ClipTruth)], _ done: (Int) -> Void
    ) async throws -> [Recording] {
        var recordings: [Recording] = []
        for (clip, truth) in clips {
            let video = try await source.open(clip.video)
            let rate = stream.nominalRate(for: video.info)
            let gestures = try stream.makeStream(engine, model, rate: rate, events: events)
            gestures.beginTrace()
            var frames: [Int] = []
            let seen = try await video.forEachFrame { frame in
                _ = gestures.push(try frame.colorView(), at: frame.time)
                while frames.count < gestures.trace?.stepCount ?? 0 { frames.append(frame.index) }
                return true
            }
            guard !Interruption.hasCome, let trace = gestures.trace else { break }
            try check(truth, of: clip, frames: seen)
            recordings.append(Recording(truth: truth, rate: rate, trace: trace, frames: frames))
            done(recordings.count)
        }
        return recordings
    }

    /// The numbers of gestures in the recordings that a configuration for each rate finds, with the false ones,.
    func count(
        _ recordings: [Recording], by configuration: (PacingConfiguration.Rate) -> RecognitionConfiguration
    ) throws -> SweepReport.Count {
        var count = SweepReport.Count()
        for recording in recordings {
            let begins = try recording.trace.begins(by: configuration(recording.rate)).map { begin in
                ReportedBegin(
                    classIndex: begin.event.classIndex, frame: recording.frames[begin.step],
                    confidence: begin.event.confidence)
            }
            let matching = TruthMatching(recording.truth, begins)
            count.gestures += matching.found.count + matching.missed.count
            count.found += matching.found.count
            count.false_positives += matching.falsePositives.count
        }
        return count
    }
}
