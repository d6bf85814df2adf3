import Clips
import Foundation
import TestSupport
import Testing
import ToolSupport

/// The commands that read clips, as processes.
@Suite(
    .enabled(if: FFmpeg.isInstalled, "ffmpeg and ffprobe are needed to make the clips"), .timeLimit(.minutes(20)))
struct ClipCommandTests {
    private struct Result {
        let status: Int32
        let output: String
        let errors: String
    }

    private struct Missing: Error { let program: String }

    /// Runs a script in which `$BENCH` and `$IMPORT` are the commands, built beside these tests.
    private static func run(_ script: String, in scratch: Scratch) throws -> Result {
        let built = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
        var environment = ProcessInfo.processInfo.environment
        for (key, name) in [("BENCH", "gesture-bench"), ("IMPORT", "gesture-import")] {
            environment[key] = built.appendingPathComponent(name).path
            guard FileManager.default.isExecutableFile(atPath: environment[key] ?? "") else {
                throw Missing(program: name)
            }
        }
        environment["CHECKPOINT"] = Fixtures.golden("golden.safetensors")
        environment["FRAMES"] = Fixtures.golden("golden_frames.npy")
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = ["-c", "{ \(script)\n} >.output 2>.errors"]
        process.environment = environment
        process.currentDirectoryURL = scratch.directory
        try process.run()
        process.waitUntilExit()
        return Result(
            status: process.terminationStatus, output: String(decoding: try scratch.bytes(".output"), as: UTF8.self),
            errors: String(decoding: try scratch.bytes(".errors"), as: UTF8.self))
    }

    /// `whole.mkv` of two seconds at 30 Hz, and its first part as `cut.mkv`.
    private static func clips() throws -> Scratch {
        let scratch = try Scratch()
        try FFmpeg.make([
            "-f", "lavfi", "-i", "testsrc=size=160x120:rate=30:duration=2", "-c:v", "ffv1", "-g", "1",
            scratch.path("whole.mkv"),
        ])
        let whole = try scratch.bytes("whole.mkv")
        _ = try scratch.write("cut.mkv", Array(whole.prefix(whole.count * 2 / 3)))
        return scratch
    }

    private static func labels(_ label: String, in scratch: Scratch, as name: String) throws {
        let text = """
            {"rate_hz": 30, "frames": 60, "events": [{"label": "\(label)", "onset_s": 0.5, "end_s": 1.2}],
            "labels": [[0, 15, "null"], [15, 36, "\(label)"], [36, 60, "null"]]}
            """
        _ = try scratch.write(name, Array(text.utf8))
    }

    private static func expectMissing(_ errors: String, _ name: String) {
        #expect(
            errors.contains("ffmpeg on ") && errors.contains("  [matroska,webm] File ended prematurely"), "\(errors)")
        #expect(
            errors.contains("\(name) has ") && errors.contains(" of 60 frames: it is cut off or damaged."), "\(errors)")
    }

    @Test func replay() throws {
        let scratch = try Self.clips()
        let cut = try Self.run(#""$BENCH" replay cut.mkv"#, in: scratch)
        #expect(cut.status == 65)
        #expect(cut.output.contains(" gestures in ") && cut.output.contains(" frames encoded"), "\(cut.output)")
        Self.expectMissing(cut.errors, "cut.mkv")
        #expect(cut.errors.contains("--allow-missing-frames"))

        let allowed = try Self.run(#""$BENCH" replay --allow-missing-frames cut.mkv"#, in: scratch)
        #expect(allowed.status == 0 && allowed.output == cut.output)
        Self.expectMissing(allowed.errors, "cut.mkv")

        // The clip shows no hand, which is no damage.
        let whole = try Self.run(#""$BENCH" replay whole.mkv"#, in: scratch)
        #expect(whole.status == 0, "\(whole.errors)")
        #expect(whole.errors.hasPrefix("gesture-bench: no hand was found in 60 frames. "), "\(whole.errors)")
        let quiet = try Self.run(#""$BENCH" replay --quiet whole.mkv"#, in: scratch)
        #expect(quiet.status == 0 && quiet.errors.isEmpty, "\(quiet.errors)")
    }

    @Test func live() throws {
        let scratch = try Self.clips()
        let cut = try Self.run(#""$BENCH" live cut.mkv --duration 1"#, in: scratch)
        #expect(cut.status == 65)
        Self.expectMissing(cut.errors, "cut.mkv")
        let allowed = try Self.run(#""$BENCH" live cut.mkv --duration 1 --allow-missing-frames"#, in: scratch)
        #expect(allowed.status == 0, "\(allowed.errors)")
    }

    /// A run that ends early shows what it measured; without any measurement it shows nothing.
    @Test func accuracy() throws {
        let scratch = try Self.clips()
        try FileManager.default.createDirectory(atPath: scratch.path("real/set"), withIntermediateDirectories: true)
        for (name, clip) in [("a", "whole"), ("b", "cut"), ("c", "whole")] {
            try FileManager.default.copyItem(
                atPath: scratch.path(clip + ".mkv"), toPath: scratch.path("real/\(name).mkv"))
            try Self.labels("tap", in: scratch, as: "real/\(name).json")
        }
        let cut = try Self.run(#""$BENCH" accuracy real"#, in: scratch)
        #expect(cut.status == 65)
        Self.expectMissing(cut.errors, "b.mkv")
        let first = try Self.run(
            #"mkdir one; ln real/a.* one; "$BENCH" accuracy one; rm -r one"#, in: scratch)
        #expect(first.status == 0 && cut.output == first.output && first.output.contains("tap"), "\(cut.output)")

        // The same through a link, whose parent is not the folder that it lies in.
        let linked = try Self.run(
            #"mkdir other; ln -s ../real/set other/link; "$BENCH" accuracy other/link/.. --allow-missing-frames"#,
            in: scratch)
        #expect(linked.status == 0, "\(linked.errors)")
        Self.expectMissing(linked.errors, "b.mkv")

        let compared = try Self.run(#""$BENCH" accuracy real --compare bundled@float"#, in: scratch)
        #expect(compared.status == 65 && compared.output.contains("bundled@float"), "\(compared.errors)")
        let none = try Self.run(#"rm real/a.*; "$BENCH" accuracy real"#, in: scratch)
        #expect(none.status == 65 && none.output.isEmpty)
    }

    @Test func enrolment() throws {
        let scratch = try Self.clips()
        try FileManager.default.createDirectory(atPath: scratch.path("set"), withIntermediateDirectories: true)
        for (name, clip) in [("a", "whole"), ("b", "whole"), ("c", "cut")] {
            try FileManager.default.copyItem(
                atPath: scratch.path(clip + ".mkv"), toPath: scratch.path("set/\(name).mkv"))
            try Self.labels(name == "c" ? "tap" : "wave", in: scratch, as: "set/\(name).json")
        }
        let script = #""$BENCH" enrolment set --examples 1 --repeats 1 --spans labelled --permissive"#
        let cut = try Self.run(script, in: scratch)
        #expect(cut.status == 65 && cut.output.contains("wave"), "\(cut.output) \(cut.errors)")
        Self.expectMissing(cut.errors, "c.mkv")
        let allowed = try Self.run(script + " --allow-missing-frames", in: scratch)
        #expect(allowed.status == 0, "\(allowed.errors)")
    }

    @Test func calibration() throws {
        let scratch = try Self.clips()
        let script = #""$IMPORT" import "$CHECKPOINT" --precision int8 --output model --calibrate cut.mkv"#
        let cut = try Self.run(script, in: scratch)
        #expect(cut.status == 65 && !FileManager.default.fileExists(atPath: scratch.path("model")))
        Self.expectMissing(cut.errors, "cut.mkv")
        let allowed = try Self.run(script + " --allow-missing-frames", in: scratch)
        #expect(
            allowed.status == 0 && FileManager.default.fileExists(atPath: scratch.path("model")), "\(allowed.errors)")
        // Two passes, one note.
        #expect(allowed.errors.split(separator: "\n").count { $0.contains("it is cut off") } == 1)
    }

    /// Frames that come once give the model and the report that the same frames in a file give.
    @Test(arguments: [
        #"cat "$FRAMES" | command --calibrate /dev/stdin"#,
        #"command --calibrate /dev/stdin <"$FRAMES""#,
        #"mkfifo pipe; cat "$FRAMES" >pipe & command --calibrate pipe"#,
    ]) func arraysFromAPipe(_ script: String) throws {
        let scratch = try Scratch()
        let command = #""$IMPORT" import "$CHECKPOINT" --precision int8 --output model --json"#
        let file = try Self.run(command + #" --calibrate "$FRAMES" && mv model expected"#, in: scratch)
        #expect(file.status == 0, "\(file.errors)")
        let pipe = try Self.run(
            script.replacing("command", with: "timeout 60 " + command), in: scratch)
        #expect(pipe.status == 0, "\(pipe.errors)")
        #expect(pipe.output == file.output)
        #expect(try scratch.bytes("model") == scratch.bytes("expected"))
    }

    @Test func clipsFromAPipe() throws {
        let scratch = try Scratch()
        _ = try scratch.write("a.y4m", PlainY4M(64, 48, frames: 40).bytes)
        let command = #"timeout 60 "$IMPORT" import "$CHECKPOINT" --precision int8 --json --output"#
        let file = try Self.run(command + #" expected --calibrate a.y4m "$FRAMES""#, in: scratch)
        #expect(file.status == 0, "\(file.errors)")
        for script in [
            command + #" model --calibrate - "$FRAMES" <a.y4m"#,
            "rm -f pipe; mkfifo pipe; cat a.y4m >pipe & " + command + #" model --calibrate pipe "$FRAMES""#,
        ] {
            let pipe = try Self.run(script, in: scratch)
            #expect(pipe.status == 0 && pipe.output == file.output, "\(pipe.errors)")
            #expect(try scratch.bytes("model") == scratch.bytes("expected"))
        }
    }

    /// A pipe that is named twice has nothing the second time, which is said and not waited for.
    @Test func standardInputTwice() throws {
        let scratch = try Scratch()
        _ = try scratch.write("a.y4m", PlainY4M(64, 48, frames: 20).bytes)
        let result = try Self.run(
            #"cat a.y4m | timeout 60 "$IMPORT" import "$CHECKPOINT" --precision int8 --output model --calibrate - -"#,
            in: scratch)
        #expect(result.status == 1 && !result.errors.isEmpty)
    }

    /// Names that would colour the terminal or look like lines of the command.
    @Test func namesArePrintedHarmless() throws {
        let scratch = try Self.clips()
        let name = "a\u{1B}[31m\u{9B}31m\u{202E}\ngesture-bench: fine"
        for clip in ["cut.mkv", "playlist"] {
            if clip == "playlist" { _ = try scratch.write(clip, Array("ffconcat version 1.0\nfile x\n".utf8)) }
            try FileManager.default.moveItem(atPath: scratch.path(clip), toPath: scratch.path(name))
            let result = try Self.run(#""$BENCH" replay a*"#, in: scratch)
            #expect(result.status == (clip == "playlist" ? 1 : 65))
            for text in [result.output, result.errors] {
                #expect(!text.unicodeScalars.contains { $0 != "\n" && $0.properties.generalCategory == .control })
                #expect(!text.contains("\u{202E}") && !text.split(separator: "\n").contains("gesture-bench: fine"))
            }
            #expect(
                result.errors.contains(#"a\u{1b}[31m\u{9b}31m\u{202e}\u{a}gesture-bench: fine"#), "\(result.errors)")
            try FileManager.default.removeItem(atPath: scratch.path(name))
        }
        let absent = try Self.run(#""$BENCH" replay "$(printf 'no\nne\033')""#, in: scratch)
        #expect(absent.errors == "gesture-bench: no\\u{a}ne\\u{1b} cannot be opened: No such file or directory.\n")
    }

    /// The same JSON value, without a character that steers.
    @Test func jsonIsHarmless() throws {
        struct Value: Codable, Equatable { var text: [String] }
        let value = Value(text: ["a\u{1B}[31m\n\t\"\\", "\u{7F}\u{9B}\u{202E}\u{2028}", "\u{E0001}", "é🖐🏽"])
        for spread in [false, true] {
            let text = try Terminal.json(value, spread: spread)
            #expect(try JSONDecoder().decode(Value.self, from: Data(text.utf8)) == value)
            #expect(
                text.contains("é🖐🏽") && text.contains(#"\u007f\u009b\u202e\u2028"#) && text.contains(#"\udb40\udc01"#))
            #expect(text.contains("\n") == spread && !text.contains("\u{202E}"))
        }
        var table = TextTable([("a\u{9B}", .left)])
        table.add(["b\n"])
        #expect(table.lines == [#"a\u{9b}"#, #"b\u{a}"#])
    }
}
