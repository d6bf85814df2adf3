import Foundation
import Testing

extension CommandTests {
    /// Standard streams that are full, closed, or of which the reader went away.
    @Suite struct StreamFailureTests {
        /// Every command that prints, in its text and as JSON.
        static let printers = [
            #""$BENCH" replay clip.y4m"#,
            #""$BENCH" live clip.y4m --duration 1"#,
            #""$BENCH" live clip.y4m --duration 1 --json"#,
            #""$BENCH" simulate heat --duration 30"#,
            #""$BENCH" simulate heat --duration 30 --json"#,
            #""$BENCH" accuracy clips"#,
            #""$BENCH" accuracy clips --json"#,
            #""$BENCH" allocations --front-end pixels --frames 100"#,
            #""$BENCH" latency --front-end pixels --frames 100 --windows 10"#,
            #""$BENCH" latency --front-end pixels --frames 100 --windows 10 --json"#,
            #""$BENCH" layers --frames 100"#,
            #""$BENCH" layers --frames 100 --json"#,
            #""$BENCH" resize --rounds 5"#,
            #""$BENCH" resize --rounds 5 --json"#,
            #""$IMPORT" inspect "$MODEL""#,
            #""$IMPORT" inspect "$MODEL" --json"#,
            #""$IMPORT" import "$CHECKPOINT" --precision float32 --dry-run"#,
            #""$IMPORT" import "$CHECKPOINT" --precision float32 --dry-run --json"#,
            #""$BENCH" --help"#,
            #""$IMPORT" --help"#,
            #""$BENCH" replay --help"#,
            #""$BENCH" --generate-completion-script bash"#,
        ]

        private func check(_ command: String, in shell: Shell) async throws {
            let full = try await shell.run(command + " >/dev/full")
            #expect(full.status == 74, "\(full.errors)")
            #expect(full.errors.hasSuffix(": Standard output cannot be written: No space left on device.\n"))

            // The reader has gone before the first line comes.
            let gone = try await shell.run(
                "{ while (echo) 2>/dev/null; do sleep 0.05; done; \(command); echo $? >status; } | true; cat status")
            #expect(gone.output == "141\n" && gone.errors.isEmpty, "\(gone.errors)")
        }

        @Test(arguments: printers) func standardOutput(_ command: String) async throws {
            let shell = try Shell()
            try shell.makeClip("clip.y4m", frames: 30)
            try shell.makeLabelledClip("clips")
            try await check(command, in: shell)
        }

        @Test(arguments: [#""$BENCH" simulate heat --json"#, #""$IMPORT" inspect "$MODEL""#, #""$BENCH" --help"#])
        func closedStandardOutput(_ command: String) async throws {
            let shell = try Shell()
            let closed = try await shell.run(command + " >&-")
            #expect(closed.status == 74, "\(closed.errors)")
            #expect(closed.errors.hasSuffix(": Standard output cannot be written: Bad file descriptor.\n"))
            for redirection in ["<&- >&- 2>&-", ">/dev/full 2>&-", ">&- 2>/dev/full"] {
                let silent = try await shell.run(command + " " + redirection)
                #expect(silent.status == 74 && silent.errors.isEmpty && silent.output.isEmpty, "\(redirection)")
            }
        }

        /// Events that are lines of JSON, which only a clip with gestures has.
        @Test(.enabled(if: FFmpeg.isInstalled)) func eventsOnStandardOutput() async throws {
            try await check(#""$BENCH" replay --front-end pixels --json "$DEMO/demo.mp4""#, in: Shell())
        }

        @Test(.enabled(if: FFmpeg.isInstalled)) func aReaderMayTakeTheFirstLine() async throws {
            let shell = try Shell()
            let result = try await shell.run(
                #"{ "$BENCH" replay --front-end pixels --json "$DEMO/demo.mp4"; echo $? >status; } | head -n 1; cat status"#
            )
            let lines = result.output.split(separator: "\n")
            #expect(lines.count == 2 && lines.last == "141" && result.errors.isEmpty, "\(result.errors)")
        }

        @Test(arguments: [
            #""$BENCH" replay nothing.mp4"#, #""$IMPORT" inspect nothing"#, #""$BENCH" replay"#,
            #""$BENCH" live clip.y4m --every inf"#,
        ]) func standardError(_ command: String) async throws {
            let shell = try Shell()
            for redirection in ["2>/dev/full", "2>&-"] {
                let result = try await shell.run("\(command) \(redirection)")
                #expect(result.status == 74 && result.output.isEmpty && result.errors.isEmpty, "\(redirection)")
            }
        }

        /// With a closed stream the next file would have its number, and the text would go into it.
        @Test func textNeverGoesIntoAFile() async throws {
            let shell = try Shell()
            let result = try await shell.run(
                #"""
                "$IMPORT" import "$CHECKPOINT" --precision float16 --output direct >text
                "$IMPORT" import "$CHECKPOINT" --precision float16 --output out >&-; first=$?
                "$BENCH" infer --model "$MODEL" --frames "$FRAMES" --output logits <&- >&- 2>&-; second=$?
                "$BENCH" infer --model "$MODEL" --frames "$FRAMES" --output same
                cmp direct out && cmp logits same && echo $first $second
                """#)
            #expect(result.output == "74 0\n", "\(result.errors)")
        }

        @Test(.enabled(if: FFmpeg.isInstalled)) func whatIsPrintedIsWhole() async throws {
            let shell = try Shell()
            let result = try await shell.run(
                #""$BENCH" replay --front-end pixels --json "$DEMO/demo.mp4" | cmp - "$DEMO/events.jsonl""#)
            #expect(result.status == 0, "\(result.output)")
        }

        /// A temporary directory that is not there, or no directory, is named, with the system's reason.
        @Test(
            .enabled(if: FFmpeg.isInstalled),
            arguments: [
                #""$BENCH" replay clip.y4m --overlay out.mp4"#, #""$BENCH" hands clip.y4m --overlay out.mp4"#,
                #""$BENCH" body clip.y4m --overlay out.mp4"#, #""$BENCH" replay images"#,
            ]) func temporaryDirectory(_ command: String) async throws
        {
            let shell = try Shell()
            try shell.makeClip("clip.y4m", frames: 3)
            let result = try await shell.run(
                """
                mkdir images; echo file >file
                for name in 8 9 10; do ffmpeg -v error -i clip.y4m -frames:v 1 images/$name.png </dev/null || exit 9; done
                for place in none file; do
                    TMPDIR="$PWD/$place" \(command) >/dev/null 2>errors; echo $?
                    cat errors
                done
                """)
            let place = "The temporary directory " + shell.folder.path
            let lines = result.output.split(separator: "\n")
            #expect(lines.count == 4 && lines.first == "74" && lines.dropFirst(2).first == "74", "\(result.output)")
            #expect(result.output.contains("\(place)/none cannot be written: No such file or directory."))
            #expect(result.output.contains("\(place)/file cannot be written: Not a directory."))
            #expect(!result.output.contains("Domain"))
            #expect(try !shell.names.contains("out.mp4"))
        }

        /// Frames of a stream that is gone through twice are kept there; no file may have a byte.
        @Test func fullTemporaryDirectory() async throws {
            let shell = try Shell()
            try shell.makeClip("clip.y4m", frames: 40)
            let result = try await shell.run(
                #"""
                trap '' XFSZ; ulimit -f 0
                cat clip.y4m | "$IMPORT" import "$CHECKPOINT" --precision int8 --calibrate - --dry-run
                """#)
            #expect(result.status == 74, "\(result.errors)")
            #expect(
                result.errors.contains("cannot be kept on disk to be read again: File too large."), "\(result.errors)")
        }

        /// A stream that the writer's end cuts off inside a frame, as a broken pipe does.
        @Test func aClipThatEndsInsideAFrame() async throws {
            let shell = try Shell()
            try shell.makeClip("clip.y4m", frames: 3)
            for (bytes, status) in [("20", 65), ("-100", 65), ("-0", 0)] {
                let result = try await shell.run(
                    #"head -c \#(bytes) clip.y4m | "$BENCH" replay - --front-end pixels >/dev/null"#)
                #expect(result.status == status, "\(bytes): \(result.errors)")
            }
        }
    }
}
