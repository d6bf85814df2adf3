import Foundation
import Testing

extension CommandTests {
    /// Gestures enrolled from clips with labels, and measured on the others.
    @Suite struct EnrolmentCommandTests {
        /// Three takes of one new label, cut from the demo: each a swipe, with nothing before and after it.
        @Test(arguments: ["landmarks", "pixels"])
        func aGestureOfThreeClips(_ frontEnd: String) async throws {
            let shell = try Shell()
            try FileManager.default.createDirectory(
                at: shell.folder.appendingPathComponent("clips"), withIntermediateDirectories: false)
            for (index, (start, seconds)) in [(0.0, 3.9), (3, 4), (9, 3.5)].enumerated() {
                let name = "clips/take\(index)"
                let cut = try await shell.run(
                    #"ffmpeg -v error -ss \#(start) -t \#(seconds) -i "$DEMO/hands.mp4" -r 30 -pix_fmt yuv420p \#(name).mp4"#
                )
                #expect(cut.status == 0, "\(cut.errors)")
                let frames = Int(seconds * 30)
                let labels = """
                    {"rate_hz": 30, "frames": \(frames), "events": [{"label": "mine", "onset_s": 0.8, "end_s": 2.2}],
                     "labels": [[0, 24, "null"], [24, 66, "mine"], [66, \(frames), "null"]]}
                    """
                try Data(labels.utf8).write(to: shell.folder.appendingPathComponent(name + ".json"))
            }
            let result = try await shell.run(
                #""$BENCH" enrolment clips --examples 1 --repeats 2 --permissive --spans labelled --front-end "#
                    + frontEnd)
            #expect(result.status == 0, "\(result.errors)")
            let fields = result.output.split(separator: "\n").last?.split(separator: " ") ?? []
            // Label, examples, and how many of the draws were enrolled; a set that was tested has a detection.
            #expect(
                fields.prefix(5) == ["mine", "1", "2", "of", "2"] && fields.dropFirst(6).first == "%",
                "\(result.output)")
        }
    }
}
