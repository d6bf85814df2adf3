import Evaluation
import Foundation
import GestureEngine
import Platform
import ToolSupport
import TrackerInference

/// Teaches poses from one file each and looks for them in the files of other people.
struct PoseRun {
    private let recorder: ClipRecorder
    private var engine: GestureEngine { recorder.engine }
    private let files: [PersonFile]

    /// The results of one pose; property names are the JSON keys.
    struct Row: Encodable {
        let pose: String
        /// Draws that were taught, and of those that were refused the reasons.
        var taught = 0
        var refused: [String: Int] = [:]
        /// Files of other people that show the pose, over all draws, and those in which it was held.
        var shown = 0
        var found = 0
        /// Files that show another pose, and those in which this one was called.
        var others = 0
        var called = 0
        /// Calls by the pose that was shown.
        var called_on: [String: Int] = [:]
        /// Files of this pose in which no hand is held still.
        var without_hand = 0
    }

    init(directory: String, _ recorder: ClipRecorder) throws {
        self.recorder = recorder
        files = try PersonFile.all(in: directory)
    }

    var fileCount: Int { files.count }

    /// - Returns: the rows of all poses, or of those before a signal came.
    func rows(repeats: Int, seed: UInt64, _ progress: WorkProgress) async throws -> [Row] {
        var recordings: [GestureRecording] = []
        for file in files {
            recordings.append(try await recorder.record(file.path))
            guard !Interruption.hasCome else { return [] }
            progress.update(recordings.count)
        }
        var rows: [Row] = []
        var warned: Set<String> = []
        for pose in Set(files.map(\.gesture)).sorted() where !Interruption.hasCome {
            var row = Row(pose: pose)
            let own = files.indices.filter { files[$0].gesture == pose }
            row.without_hand = own.filter { !recordings[$0].holdsPose }.count
            // A file without a hand can be neither taught nor found; it is counted above.
            let usable = own.filter { recordings[$0].holdsPose }
            for draw in 0..<repeats {
                let order = EnrolmentDraw(of: usable.count, label: pose, index: draw, seed: seed)
                guard let taught = order.examples(1)?.first.map({ usable[$0] }) else { continue }
                var gestures = engine.noUserGestures()
                do throws(EngineError) {
                    let report = try engine.enrol(
                        pose, from: [recordings[taught]], into: &gestures,
                        configuration: EnrolmentConfiguration(recognisedShare: 1, kind: .pose))
                    report.warn(of: [files[taught].path], &warned)
                } catch {
                    guard case .enrolment(let reason) = error else { throw error }
                    row.refused[reason.word, default: 0] += 1
                    continue
                }
                row.taught += 1
                look(for: gestures, taughtFrom: files[taught], in: recordings, &row)
            }
            rows.append(row)
        }
        return rows
    }

    private func look(
        for gestures: UserGestures, taughtFrom taught: PersonFile, in recordings: [GestureRecording], _ row: inout Row
    ) {
        for (file, recording) in zip(files, recordings) where recording.holdsPose {
            let isCalled = !GestureEngine.heldGestures(gestures, in: recording).isEmpty
            if file.gesture != taught.gesture {
                row.others += 1
                guard isCalled else { continue }
                row.called += 1
                row.called_on[file.gesture, default: 0] += 1
            } else if file.person != taught.person {
                row.shown += 1
                if isCalled { row.found += 1 }
            }
        }
    }

    static func table(_ rows: [Row]) -> TextTable {
        func share(_ part: Int, _ whole: Int) -> String {
            whole == 0 ? "-" : "\(part) of \(whole), \(decimals(100 * Double(part) / Double(whole), 1)) %"
        }
        var table = TextTable([
            ("pose", .left), ("taught", .right), ("refused", .left), ("found", .right), ("false", .right),
            ("most", .left), ("no hand", .right),
        ])
        for row in rows {
            let most = row.called_on.max { ($0.value, $1.key) < ($1.value, $0.key) }
            let refused = row.refused.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
            table.add([
                row.pose, "\(row.taught)", refused.isEmpty ? "-" : refused.joined(separator: ", "),
                share(row.found, row.shown), share(row.called, row.others), most.map { "\($0.key) \($0.value)" } ?? "-",
                "\(row.without_hand)",
            ])
        }
        return table
    }
}
