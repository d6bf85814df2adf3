import Evaluation
import Foundation
import GestureEngine
import ToolSupport

/// A clip with its truth.
struct TruthfulClip {
    let clip: LabelledClip
    let truth: ClipLabels

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

    init(directory: String, background: String?, bank: String?, null: String?, engine: GestureEngine) throws {
        let main = try LabelledClip.below(directory)
        guard !main.isEmpty else { throw BenchFailure.noLabelledClips(directory: directory) }
        func further(_ directory: String?) throws -> [LabelledClip] {
            guard let directory else { return [] }
            let clips = try LabelledClip.below(directory)
            guard !clips.isEmpty else { throw BenchFailure.noLabelledClips(directory: directory) }
            return clips
        }
        let sets = try [main, further(null), further(background), further(bank)]

        var events: Set<String> = []
        var all: Set<String> = []
        for clip in sets.joined() {
            let names = try clip.reading { url throws(ClipLabelsError) in try ClipLabels.names(contentsOf: url) }
            events.formUnion(names.events)
            all.formUnion(names.events.union(names.runs))
        }
        let unknown = all.subtracting(engine.labels).sorted()
        let classes = try ClassNames(engine.labels + unknown, nullIndex: engine.nullIndex)
        self.classes = classes
        modelClasses = engine.labels.count
        newLabels = unknown.filter(events.contains)
        let read = try sets.map { set in
            try set.map { clip in
                TruthfulClip(
                    clip: clip,
                    truth: try clip.reading { url throws(ClipLabelsError) in
                        try ClipLabels(contentsOf: url, classes: classes)
                    })
            }
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

    /// The result of `read` for the label file; its error names the file.
    func reading<Value>(_ read: (URL) throws(ClipLabelsError) -> Value) throws(BenchFailure) -> Value {
        do { return try read(labels) } catch { throw .labels(path: labels.path, error) }
    }
}
