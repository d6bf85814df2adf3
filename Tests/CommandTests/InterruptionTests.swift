import Foundation
import Testing

extension CommandTests {
    /// Runs that end early: by a signal, a missing writer, an encoder that hangs.
    @Suite struct InterruptionTests {
        /// Opens the pipe `frames`, which stays open after its frames.
        private static let openStream = #"""
            rm -rf frames tmp; mkfifo frames; mkdir tmp; export TMPDIR="$PWD/tmp"
            { cat clip.y4m; exec sleep 60; } >frames & writer=$!
            trap 'kill $writer' EXIT
            """#

        @Test(arguments: [("INT", 130), ("TERM", 143), ("HUP", 129)])
        func aSignalFinishesTheWork(_ signal: String, _ status: Int32) async throws {
            let shell = try Shell()
            try shell.makeClip("clip.y4m", frames: 30)
            let result = try await shell.interrupt(
                #"env --default-signal=INT,TERM,HUP "$BENCH" replay - --front-end pixels --overlay overlay.mp4 <frames"#,
                by: signal, after: Self.openStream
            ) { $0.output.contains("30 frames encoded") }
            let text = result.output
            #expect(result.status == status, "\(result.errors)")
            #expect(text.contains("gestures in") && text.contains("30 frames encoded"), "\(text)")
            #expect(try FileManager.default.contentsOfDirectory(atPath: shell.folder.path + "/tmp").isEmpty)
            // The overlay is whole: all frames that came are in it.
            let frames = try await shell.run(
                "ffprobe -v error -count_frames -show_entries stream=nb_read_frames -of csv=p=0 overlay.mp4")
            #expect(frames.status == 0 && frames.output.hasPrefix("30"), "\(frames.output) \(frames.errors)")
        }

        @Test(arguments: ["hands -", "body -"]) func trackersPrintWhatTheySaw(_ command: String) async throws {
            let shell = try Shell()
            try shell.makeClip("clip.y4m", frames: 5)
            let lines = { (result: Shell.Result) in result.output.split(separator: "\n").count }
            let result = try await shell.interrupt(
                #""$BENCH" \#(command) <frames"#, by: "TERM", after: Self.openStream
            ) { lines($0) >= 5 }
            #expect(result.status == 143)
            #expect(lines(result) >= 5)
        }

        /// A pipe that is never opened at its other end gives an error and not an endless wait.
        @Test func aPipeWithoutAWriter() async throws {
            let result = try await Shell().run(#"mkfifo pipe; timeout 60 "$BENCH" replay pipe"#)
            #expect(result.status == 1 && result.errors.contains("pipe"), "\(result.status) \(result.errors)")
        }

        /// A pipe with a writer is a stream like standard input.
        @Test func aPipeWithAWriter() async throws {
            let shell = try Shell()
            try shell.makeClip("clip.y4m", frames: 20)
            let result = try await shell.run(
                #"mkfifo pipe; { sleep 1; cat clip.y4m; } >pipe & timeout 60 "$BENCH" replay pipe --front-end pixels"#)
            #expect(result.status == 0 && result.output.contains("20 frames encoded"), "\(result.errors)")
        }

        @Test func anEncoderThatHangs() async throws {
            let shell = try Shell()
            try shell.makeClip("clip.y4m", frames: 40)
            let result = try await shell.run(
                #"""
                mkdir bin tmp; printf '#!/bin/sh\nexec sleep 1000\n' >bin/ffmpeg; chmod +x bin/ffmpeg
                export TMPDIR="$PWD/tmp"
                PATH="$PWD/bin:$PATH" timeout 60 "$BENCH" replay clip.y4m --front-end pixels --overlay o.mp4 --stall-limit 1
                status=$?; ls tmp >left; exit $status
                """#)
            #expect(result.status == 74 && result.errors.contains("was ended"), "\(result.status) \(result.errors)")
            #expect(try shell.text("left").isEmpty)
            #expect(try !shell.names.contains("o.mp4"))
        }

        /// The folder for temporary files can be written to by no command that needs it: a sentence and 74.
        @Test func aTemporaryFolderThatIsMissing() async throws {
            let shell = try Shell()
            try shell.makeClip("clip.y4m", frames: 20)
            let result = try await shell.run(
                #"TMPDIR=/nowhere "$BENCH" replay clip.y4m --front-end pixels --overlay o.mp4"#)
            #expect(result.status == 74 && !result.errors.contains("NSCocoa"), "\(result.status) \(result.errors)")
        }
    }

    @Suite struct LabelledFramesTests {
        @Test func aClipWithFewerFramesThanItsLabelsState() async throws {
            let shell = try Shell()
            try shell.makeLabelledClip("clips")
            let result = try await shell.run(
                #"""
                sed -i 's/"frames": *\([0-9]*\)/"frames": 1\1/' clips/*.json
                "$BENCH" accuracy clips
                """#)
            #expect(
                result.status == 65 && result.errors.contains("label file states"), "\(result.status) \(result.errors)")
        }
    }
}
