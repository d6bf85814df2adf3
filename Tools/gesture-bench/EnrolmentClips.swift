import Clips
import Evaluation
import Foundation
import GestureEngine
import ToolSupport

/// A clip with its truth.
struct TruthfulClip {
    let clip: LabelledClip
    let truth: ClipLabels
    /// Seconds in which events do not count.
    var skipped: [Range<Double>] = []

    /// The file behind all links, so that a clip in two directories counts once.
    var path: String { clip.video.resolvingSymlinksInPath().path }
}

/// The clips of an enrolment measurement by purpose.
struct EnrolmentClips {
    /// The model's classes, followed by the labels that it does not know, in alphabetical order.
    let classes: ClassNames
    /// The classes below this are the model's.
    let modelClasses: Int
    /// Those labels that have events.
    let newLabels: [String]
    /// Clips of which some are examples and all others are tested.
    let tested: [TruthfulClip]
    /// Clips without gestures that the enrolment may use.
    let background: [TruthfulClip]
    /// Clips of the model's classes that the enrolment may use.
    let bank: [TruthfulClip]

    init(
        directory: String, background: String?, bank: String?, null: String?, _ recorder: ClipRecorder
    ) async throws {
        let engine = recorder.engine
        func found(_ directory: String?) throws -> [LabelledClip] {
            guard let directory else { return [] }
            let labelled = try LabelledClip.below(directory)
            let clips = try labelled.isEmpty ? TruthClip.all(in: directory).map(LabelledClip.init) : labelled
            guard !clips.isEmpty else { throw BenchFailure.noLabelledClips(directory: directory) }
            return clips
        }
        let sets = try [directory, null, background, bank].map(found)

        var events: Set<String> = []
        var all: Set<String> = []
        for clip in sets.joined() {
            let names = try clip.names()
            events.formUnion(names.events)
            all.formUnion(names.events.union(names.runs))
        }
        let unknown = all.subtracting(engine.labels).sorted()
        let classes = try ClassNames(engine.labels + unknown, nullIndex: engine.nullIndex)
        self.classes = classes
        modelClasses = engine.labels.count
        newLabels = unknown.filter(events.contains)
        var read: [[TruthfulClip]] = []
        for set in sets {
            var clips: [TruthfulClip] = []
            for clip in set { clips.append(try await clip.truth(classes, recorder.source)) }
            read.append(clips)
        }
        self.background = Array(
            read[2].filter(\.truth.events.isEmpty).prefix(EnrolmentConfiguration.recordingLimit))
        self.bank = read[3].filter { clip in clip.truth.events.allSatisfy { $0.classIndex < engine.labels.count } }
        // No clip is tested twice, and no clip that the enrolment has seen is tested.
        var known = Set((self.background + self.bank).map(\.path))
        tested = (read[0] + read[1].filter(\.truth.events.isEmpty)).filter { known.insert($0.path).inserted }
    }

    /// Clips that show the gesture exactly once, with the event; none shows another new gesture. Resting hands may be a
    /// class of the model's.
    func candidates(_ label: String) -> [(clip: TruthfulClip, event: ClipLabels.Event)] {
        tested.compactMap { clip in
            let new = clip.truth.events.filter { $0.classIndex >= modelClasses }
            guard new.count == 1, let event = new.first, classes.labels[event.classIndex] == label else { return nil }
            return (clip, event)
        }
    }
}

extension LabelledClip {
    /// All clips in a directory and its folders; the folder's name is part of the clip's name.
    static func below(_ directory: String) throws -> [LabelledClip] {
        let folder = fileURL(directory)
        var clips = try all(in: directory)
        for name in try names(in: folder) {
            let inner = folder.appendingPathComponent(name)
            guard try inner.resolvingSymlinksInPath().resourceValues(forKeys: [.isDirectoryKey]).isDirectory == true
            else { continue }
            clips += try all(in: inner.path).map {
                LabelledClip(name: name + "/" + $0.name, video: $0.video, labels: $0.labels)
            }
        }
        return clips
    }

    /// A recording with its truth.csv.
    init(_ clip: TruthClip) {
        self.init(name: clip.name, video: fileURL(clip.video), labels: clip.truth)
    }

    private var hasTable: Bool { labels.lastPathComponent == ClipTruth.fileName }

    /// The labels of events and of runs, independent of a model's classes.
    fileprivate func names() throws(BenchFailure) -> (events: Set<String>, runs: Set<String>) {
        guard hasTable else {
            return try reading { url throws(ClipLabelsError) in try ClipLabels.names(contentsOf: url) }
        }
        return (try readingTable { url throws(ClipTruthError) in try ClipTruth.gestures(contentsOf: url) }, [])
    }

    fileprivate func truth(_ classes: ClassNames, _ source: ClipSource) async throws -> TruthfulClip {
        guard hasTable else {
            let truth = try reading { url throws(ClipLabelsError) in
                try ClipLabels(contentsOf: url, classes: classes)
            }
            return TruthfulClip(clip: self, truth: truth)
        }
        let table = try readingTable { url throws(ClipTruthError) in try ClipTruth(contentsOf: url, classes: classes) }
        let rate = try await source.open(video.path).info.rate?.hertz ?? 30
        return TruthfulClip(
            clip: self, truth: try reading { _ throws(ClipLabelsError) in try ClipLabels(table, rate: rate) },
            skipped: table.skipped.map { Double($0.lowerBound) / rate..<Double($0.upperBound + 1) / rate })
    }

    private func readingTable<Value>(
        _ read: (URL) throws(ClipTruthError) -> Value
    ) throws(BenchFailure) -> Value {
        do { return try read(labels) } catch { throw .truth(path: labels.path, error) }
    }

    /// The result of `read` for the label file; its error names the file.
    func reading<Value>(_ read: (URL) throws(ClipLabelsError) -> Value) throws(BenchFailure) -> Value {
        do { return try read(labels) } catch { throw .labels(path: labels.path, error) }
    }
}
