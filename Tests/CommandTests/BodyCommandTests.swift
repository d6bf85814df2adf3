import Foundation
import TestSupport
import Testing

extension CommandTests {
    /// The people of clips, and what they do, in the command `body`.
    @Suite(.enabled(if: FFmpeg.isInstalled)) struct BodyCommandTests {
        private struct Line: Decodable {
            struct Person: Decodable {
                let id: Int
                let state: String
                let presence: Double
                let landmarks: [[Double]]
                let world_landmarks: [[Double]]
                let joints: [String: [Double]]
            }
            struct Activity: Decodable {
                let phase: String
                let repetitions: Int
            }
            let frame: Int
            let time_s: Double
            let people: [Person]
            let step_back_in: Bool
            let step_ms: Double?
            let activity: Activity?
        }

        /// What a clip shows, of `truth.json`.
        private struct Truth: Decodable {
            struct Repetition: Decodable {
                let begin_s: Double
                let end_s: Double
            }
            let clip: String
            let activity: String
            let frames: Int
            let rate_hz: Double
            let repetitions: [Repetition]
        }

        private static let clips = Fixtures.directory.appendingPathComponent("body").path

        private static func truth() throws -> [Truth] {
            try JSONDecoder().decode([Truth].self, from: Data(contentsOf: URL(fileURLWithPath: clips + "/truth.json")))
        }

        private func lines(_ text: String) throws -> [Line] {
            try text.split(separator: "\n").map { try JSONDecoder().decode(Line.self, from: Data($0.utf8)) }
        }

        @Test(arguments: ["squat-front.mp4", "jacks-front.mp4"], [30, 15, 10])
        func repetitionsAreThoseOfTheTruth(_ clip: String, _ rate: Int) async throws {
            let truth = try #require(try Self.truth().first { $0.clip == clip })
            let shell = try Shell()
            let source = "\(Self.clips)/\(clip)"
            let making =
                rate == 30
                ? #"cp "\#(source)" clip.mp4 || exit 99"#
                : #"ffmpeg -v error -i "\#(source)" -r \#(rate) clip.mp4 </dev/null || exit 99"#
            let result = try await shell.run(
                making + "\n" + #""$BENCH" body clip.mp4 --json --activity \#(truth.activity)"#)
            #expect(result.status == 0, "\(result.errors)")
            let lines = try lines(result.output)
            let frames = Double(truth.frames) * Double(rate) / truth.rate_hz
            #expect(abs(Double(lines.count) - frames) <= 3, "\(lines.count) frames of \(rate) Hz")
            #expect(lines.map(\.frame) == Array(0..<lines.count))
            #expect(zip(lines, lines.dropFirst()).allSatisfy { $0.time_s < $1.time_s })
            #expect(lines.allSatisfy { $0.people.count == 1 && $0.people[0].id == 0 && $0.step_ms == nil })
            // The count goes up by one about when each repetition is over.
            var ends: [Double] = []
            var count = 0
            for line in lines {
                let activity = try #require(line.activity)
                #expect((count...(count + 1)).contains(activity.repetitions), "frame \(line.frame)")
                if activity.repetitions > count { ends.append(line.time_s) }
                count = activity.repetitions
            }
            #expect(count == truth.repetitions.count, "\(clip) at \(rate) Hz")
            for (end, repetition) in zip(ends, truth.repetitions) {
                let (begin, last) = ((repetition.begin_s + repetition.end_s) / 2, repetition.end_s + 0.35)
                #expect(
                    (begin...last).contains(end), "\(clip) at \(rate) Hz: counted at \(end), not \(begin) to \(last)")
            }
        }

        /// The table of `repetitions`, and what it says of files that it cannot use.
        @Test func repetitionsAreComparedWithTheTruth() async throws {
            let truth = try #require(try Self.truth().first { $0.clip == "squat-front.mp4" })
            let rows = truth.repetitions.map { "\(Int(($0.begin_s + $0.end_s) / 2 * truth.rate_hz)),squat" }
            let shell = try Shell()
            let result = try await shell.run(
                """
                mkdir -p all/squats all/broken && cp "\(Self.clips)/squat-front.mp4" all/squats/clip.mp4 || exit 99
                printf 'peak_frame,kind\\n\(rows.joined(separator: "\\n"))\\n1,bow\\n' >all/squats/truth.csv
                "$BENCH" repetitions all
                "$BENCH" repetitions all --json
                """)
            #expect(result.status == 0, "\(result.errors)")
            let lines = result.output.split(separator: "\n")
            #expect(lines.count == 3, "\(result.output)")
            let cells = lines[1].split(separator: " ")
            #expect(cells[..<5] == ["squats", "squat", "4", "4", "4"], "\(lines[1])")
            #expect(lines[2].contains(#""counted":4"#) && lines[2].contains(#""truth":4"#), "\(lines[2])")
            for (text, status, message) in [
                ("peak_frame,kind\\n99999,squat\\n", 65, "truth.csv:2"), ("peak,kind\\n", 1, "peak_frame"),
            ] {
                let broken = try await shell.run(
                    "printf '\(text)' >all/squats/truth.csv; \"$BENCH\" repetitions all/squats")
                #expect(broken.status == status && broken.errors.contains(message), "\(broken.errors)")
            }
            let none = try await shell.run(#""$BENCH" repetitions all/broken"#)
            #expect(none.status == 1 && none.errors.contains("no counted clips"), "\(none.errors)")
        }

        /// The frames are as the discussion of the command says.
        @Test func linesHaveTheirSchema() async throws {
            let shell = try Shell()
            let result = try await shell.run(
                """
                ffmpeg -v error -i "\(Self.clips)/squat-front.mp4" -frames:v 40 clip.mp4 </dev/null || exit 99
                "$BENCH" body clip.mp4 --json --timing --activity squat
                """)
            #expect(result.status == 0, "\(result.errors)")
            let lines = try lines(result.output)
            #expect(lines.count == 40)
            let phases = Set(["unknown", "rest", "outward", "extreme", "inward"])
            for line in lines {
                let person = try #require(line.people.first, "frame \(line.frame)")
                #expect(["seen", "held"].contains(person.state) && (0...1).contains(person.presence))
                for points in [person.landmarks, person.world_landmarks] {
                    #expect(points.count == 33 && points.allSatisfy { $0.count == 4 && (0...1).contains($0[3]) })
                }
                #expect(person.landmarks.allSatisfy { (-0.5...1.5).contains($0[0]) && (-0.5...1.5).contains($0[1]) })
                #expect(person.world_landmarks.allSatisfy { $0[..<3].allSatisfy { abs($0) < 2 } })
                #expect(person.joints.count <= 19 && person.joints.values.allSatisfy { $0.count == 3 })
                let joints = try ["nose", "neck", "root"].map { try #require(person.joints[$0], "no \($0)") }
                let heights = joints.map { $0[1] }
                #expect(heights == heights.sorted(), "from the top: \(heights)")
                #expect(phases.contains(try #require(line.activity).phase))
                #expect(try #require(line.step_ms) > 0)
            }
            let keys = try #require(
                JSONSerialization.jsonObject(with: Data(result.output.split(separator: "\n")[0].utf8))
                    as? [String: Any])
            #expect(
                Set(keys.keys) == ["frame", "time_s", "people", "step_back_in", "step_ms", "activity"], "\(keys.keys)")
        }

        @Test func textHasALineAFrameAndASummary() async throws {
            let shell = try Shell()
            let result = try await shell.run(
                """
                ffmpeg -v error -i "\(Self.clips)/squat-front.mp4" -frames:v 100 -r 30 clip.mp4 </dev/null || exit 99
                "$BENCH" body clip.mp4 --activity squat
                """)
            #expect(result.status == 0, "\(result.errors)")
            let lines = result.output.split(separator: "\n")
            #expect(lines.count == 101)
            #expect(lines[0].contains("person 0 seen, presence") && lines[0].contains("nose at"), "\(lines[0])")
            let summary = try #require(lines.last)
            #expect(
                summary.hasPrefix("squat: 1 x squat, mean ") && summary.contains("seen for 3.3 of 3.3 s"), "\(summary)")
            let quiet = try await shell.run(#""$BENCH" body clip.mp4 | tail -n 1"#)
            #expect(!quiet.output.contains("squat"), "\(quiet.output)")
        }

        @Test func anOverlayHasEveryFrame() async throws {
            let shell = try Shell()
            let result = try await shell.run(
                """
                ffmpeg -v error -i "\(Self.clips)/jacks-front.mp4" -frames:v 30 clip.mp4 </dev/null || exit 99
                "$BENCH" body clip.mp4 --json --activity jumping-jacks --overlay out.mp4 >lines || exit 98
                ffprobe -v error -count_frames -show_entries stream=width,height,r_frame_rate,nb_read_frames -of csv=p=0 out.mp4
                ffmpeg -v error -i out.mp4 -f rawvideo -pix_fmt rgb24 drawn </dev/null || exit 97
                ffmpeg -v error -i clip.mp4 -f rawvideo -pix_fmt rgb24 plain </dev/null || exit 96
                """)
            #expect(result.status == 0, "\(result.errors)")
            #expect(result.output.trimmingCharacters(in: .whitespacesAndNewlines) == "320,240,30/1,30")
            #expect(try lines(shell.text("lines")).count == 30)
            // Something is drawn in every frame.
            let (drawn, plain) = (try shell.bytes("drawn"), try shell.bytes("plain"))
            let size = 3 * 320 * 240
            try #require(drawn.count == 30 * size && plain.count == drawn.count)
            for frame in 0..<30 {
                let changed = (frame * size..<(frame + 1) * size).count { abs(Int(drawn[$0]) - Int(plain[$0])) > 60 }
                #expect(changed > 500, "frame \(frame): \(changed)")
            }
            #expect(try shell.names == ["clip.mp4", "drawn", "lines", "out.mp4", "plain"])
        }

        @Test func wrongUsageIsReported() async throws {
            let shell = try Shell()
            try shell.makeClip("clip.y4m", frames: 2)
            for (options, reason) in [
                ("--activity squats", "'squats' is invalid for '--activity"),
                ("--activity", "Missing value for '--activity"),
                ("--maximum-bodies 0", "--maximum-bodies must be from 1 to 4, not 0"),
                ("--maximum-bodies 5", "--maximum-bodies must be from 1 to 4, not 5"),
                ("--maximum-bodies=-1", "--maximum-bodies must be from 1 to 4, not -1"),
                ("--hold=-1", "--hold must be from 0 to 10000, not -1"),
                ("--hold -1", "Missing value for '--hold"),
                ("--hold 10001", "--hold must be from 0 to 10000, not 10001"),
                ("--detection-interval=-1", "--detection-interval must be from 0 to 10000, not -1"),
                ("--timing", "--timing needs --json"), ("--exclude-tier none", "'none' is invalid"),
            ] {
                let result = try await shell.run("\"$BENCH\" body clip.y4m \(options)")
                #expect(result.status == 64 && result.errors.contains(reason), "\(options): \(result.errors)")
                #expect(result.output.isEmpty, "\(options)")
            }
            let missing = try await shell.run(#""$BENCH" body nothing.mp4"#)
            #expect(missing.status == 1 && missing.errors.contains("nothing.mp4 cannot be opened"), "\(missing.errors)")
            let itself = try await shell.run(#""$BENCH" body clip.y4m --overlay clip.y4m"#)
            #expect(itself.status == 1, "\(itself.errors)")
            #expect(try shell.names == ["clip.y4m"])
        }

        @Test func aClipWithoutAnybodyHasNoPeople() async throws {
            let shell = try Shell()
            try shell.makeClip("bars.y4m", frames: 12)
            let result = try await shell.run(#""$BENCH" body bars.y4m --json --maximum-bodies 4 --activity punches"#)
            #expect(result.status == 0, "\(result.errors)")
            let lines = try lines(result.output)
            #expect(lines.count == 12 && lines.allSatisfy { $0.people.isEmpty && !$0.step_back_in })
            #expect(lines.allSatisfy { $0.activity?.phase == "unknown" && $0.activity?.repetitions == 0 })
            let text = try await shell.run(#""$BENCH" body bars.y4m --activity punches"#)
            #expect(text.output.contains("punches: 0 x punch; seen for 0.0 of 0.4 s"), "\(text.output)")
        }

        @Test func standardInputIsReadAsY4M() async throws {
            let shell = try Shell()
            try shell.makePersonClip("person.y4m", frames: 6)
            let result = try await shell.run(
                """
                "$BENCH" body person.y4m --json >file || exit 99
                "$BENCH" body - --json <person.y4m >stream || exit 98
                cat person.y4m | "$BENCH" body - --json >pipe || exit 97
                cmp file stream && cmp file pipe && cat pipe
                """)
            #expect(result.status == 0, "\(result.errors)")
            let lines = try lines(result.output)
            #expect(lines.count == 6 && lines.allSatisfy { $0.people.count == 1 && $0.activity == nil })
        }
    }
}
