import ArgumentParser
import BodyPose
import Clips
import Evaluation
import Foundation
import Platform
import ToolSupport

/// Counts the repetitions of recordings whose true ones are known.
struct RepetitionsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "repetitions",
        abstract: "Compare counted repetitions with the true ones of recordings.",
        discussion: """
            The directory, or each of its folders, holds one clip and a truth.csv with the columns peak_frame and kind: a \
            row for each repetition, with the frame of its extreme from 0, and what was done. Every activity watches every \
            clip. A kind belongs to the activity whose word it begins with: squat, jumpingJack, punch, pushUp, bicepCurl \
            or curl, overheadPress or press, lateralRaise, lunge, sideLunge, sitUp; other kinds belong to none. "found" are true \
            repetitions whose extreme lies in a counted one, from rest to rest, which leaves out one that the end of the \
            clip cuts off; "seconds" is the mean time from rest to \
            rest; "others" are the counts of the activities that the clip does not show.
            """)

    @Argument(help: "A directory with a clip and a truth.csv, or of such folders.") var directory: String
    @OptionGroup var clips: ClipOptions
    @Flag(help: "Print one JSON object a clip and line.") var json = false
    @OptionGroup var progress: ProgressOptions

    func run() async throws {
        try await Terminal.reporting("gesture-bench") { try await work() }
    }

    private func work() async throws {
        let folders = try TruthClip.all(in: directory)
        guard !folders.isEmpty else { throw BenchFailure.noCountedClips(directory: directory) }
        let engine = try BodyPoseEngine()
        var table = TextTable([
            ("clip", .left), ("activity", .left), ("true", .right), ("counted", .right), ("found", .right),
            ("seconds", .right), ("others", .left),
        ])
        Interruption.listen()
        let shown = progress.progress("repetitions", total: folders.count, unit: "clips")
        for (index, folder) in folders.enumerated() where !Interruption.hasCome {
            for row in try await rows(of: folder, engine) {
                if json { try Terminal.print(try Terminal.json(row)) } else { table.add(row.cells) }
            }
            shown.update(index + 1)
        }
        if !json { try Terminal.print(table.lines.joined(separator: "\n")) }
    }

    /// A clip and an activity that it shows; property names are the JSON keys.
    private struct Row: Encodable {
        let clip: String
        /// Nil if the clip shows none.
        let activity: String?
        let truth: Int
        let counted: Int
        let found: Int
        let mean_s: Double?
        let others: [String: Int]

        var cells: [String] {
            [
                clip, activity ?? "-", "\(truth)", "\(counted)", "\(found)", mean_s.map { decimals($0, 2) } ?? "-",
                others.isEmpty ? "-" : otherNames,
            ]
        }

        private var otherNames: String {
            others.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }.joined(separator: ", ")
        }
    }

    /// The kinds of `truth.csv` by the beginning of their names.
    private static let kinds: [(start: String, activity: BodyActivity)] = [
        ("squat", .squat), ("jumpingJack", .jumpingJacks), ("punch", .punches), ("pushUp", .pushUp),
        ("bicepCurl", .curl), ("curl", .curl), ("overheadPress", .press), ("press", .press),
        ("lateralRaise", .lateralRaise), ("lunge", .lunge), ("sideLunge", .sideLunge),
        ("sitUp", .sitUp),
    ]

    private func rows(of folder: TruthClip, _ engine: BodyPoseEngine) async throws -> [Row] {
        let truth = try reading(folder) { url throws(ClipTruthError) in try RepetitionTruth(contentsOf: url) }
        var trackers = try ActivityName.counted.map { try BodyActivityTracker($0) }
        var counted = trackers.map { _ in [BodyRepetition]() }
        var times: [Duration] = []
        let stream = try engine.makeStream()
        try await clips.source(for: "gesture-bench").open(folder.video).forEachFrame { frame in
            times.append(frame.time)
            stream.track(try frame.colorView(), at: frame.time)
            for index in trackers.indices {
                let result = trackers[index].step(stream.bodies, at: frame.time, isBodyLost: stream.isBodyLost)
                if let repetition = result.completed, repetition.isCounted { counted[index].append(repetition) }
            }
            return true
        }
        guard !Interruption.hasCome else { return [] }
        try reading(folder) { _ throws(ClipTruthError) in try truth.check(frames: times.count) }
        var shown: [Int: [RepetitionTruth.Repetition]] = [:]
        for repetition in truth.repetitions {
            guard let kind = Self.kinds.first(where: { repetition.kind.hasPrefix($0.start) }),
                let index = ActivityName.counted.firstIndex(of: kind.activity)
            else { continue }
            shown[index, default: []].append(repetition)
        }
        var others: [String: Int] = [:]
        for index in trackers.indices where shown[index] == nil {
            let count = trackers[index].statistics.repetitions
            if count > 0 { others[trackers[index].activity.name] = count }
        }
        guard !shown.isEmpty else {
            return [Row(clip: folder.name, activity: nil, truth: 0, counted: 0, found: 0, mean_s: nil, others: others)]
        }
        return shown.sorted { $0.key < $1.key }.map { index, truths in
            let statistics = trackers[index].statistics
            let seconds = statistics.movements.reduce(0) { $0 + $1.mean.inSeconds * Double($1.count) }
            return Row(
                clip: folder.name, activity: trackers[index].activity.name, truth: truths.count,
                counted: statistics.repetitions,
                found: truths.filter { truth in
                    counted[index].contains { ($0.begin...$0.end).contains(times[truth.peak]) }
                }.count,
                mean_s: statistics.repetitions > 0 ? seconds / Double(statistics.repetitions) : nil, others: others)
        }
    }

    private func reading<Value>(
        _ folder: TruthClip, _ read: (URL) throws(ClipTruthError) -> Value
    ) throws(BenchFailure) -> Value {
        do { return try read(folder.truth) } catch { throw .truth(path: folder.truth.path, error) }
    }
}
