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

        /// A taught file is used by replay, and enrolment reads the truth that accuracy reads.
        @Test func aGestureIsTaughtByClipsAndReplayed() async throws {
            let shell = try Shell()
            // A drawn hand that holds a pinch, which is no gesture of the model.
            let cut = try await shell.run(
                #"ffmpeg -v error -ss 7.5 -t 1.2 -i "$HANDS/pointing.mp4" -r 30 -pix_fmt yuv420p pinch.mp4"#)
            #expect(cut.status == 0, "\(cut.errors)")
            let taught = try await shell.run(#""$BENCH" enrol pinch pinch.mp4 --kind pose --output my.gestures --json"#)
            #expect(taught.status == 0 && taught.output.contains(#""pose":true"#), "\(taught.output)\(taught.errors)")
            let replayed = try await shell.run(#""$BENCH" replay "$HANDS/pointing.mp4" --user-gestures my.gestures"#)
            #expect(replayed.status == 0 && replayed.output.contains("begin pinch"), "\(replayed.output)")
            let again = try await shell.run(
                #""$BENCH" enrol pinch pinch.mp4 --kind pose --user-gestures my.gestures --output more.gestures"#)
            #expect(again.status == 1 && again.errors.contains("pinch already"), "\(again.errors)")
            let short = try await shell.run(
                #"ffmpeg -v error -t 0.2 -i pinch.mp4 short.mp4 && "$BENCH" enrol wave short.mp4 --output no.gestures"#)
            #expect(
                short.status == 1 && short.errors.contains("0.2 s") && !short.errors.contains("slots"),
                "\(short.errors)")
            #expect(try !shell.names.contains("no.gestures"))

            for name in ["real", "real/one", "real/two"] {
                try FileManager.default.createDirectory(
                    at: shell.folder.appendingPathComponent(name), withIntermediateDirectories: false)
            }
            try shell.makeClip("real/one/clip.y4m", frames: 60)
            try shell.makeClip("real/two/clip.y4m", frames: 60)
            for name in ["one", "two"] {
                try Data("start,end,label\n0,19,other\n20,39,mine\n40,49,skip\n".utf8).write(
                    to: shell.folder.appendingPathComponent("real/\(name)/truth.csv"))
            }
            let measured = try await shell.run(
                #""$BENCH" enrolment real --examples 1 --repeats 1 --permissive --spans labelled --front-end landmarks"#
            )
            #expect(measured.status == 0 && measured.output.contains("mine"), "\(measured.output)\(measured.errors)")
        }
    }
}
