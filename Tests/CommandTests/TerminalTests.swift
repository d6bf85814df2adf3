import Foundation
import Testing
import ToolSupport

extension CommandTests {
    /// Colours, progress, and long work that a signal ends.
    @Suite struct TerminalTests {
        /// Runs a command with a terminal as its streams, whose text goes to `seen`.
        private static func onTerminal(_ command: String) -> String {
            #"TERM=xterm script -qec '\#(command)' seen >/dev/null </dev/null; cat seen"#
        }

        @Test func coloursAreForTerminalsAlone() async throws {
            #expect(TextStyle.isUsed(isTerminal: true, environment: ["TERM": "xterm"]))
            #expect(TextStyle.isUsed(isTerminal: true, environment: ["NO_COLOR": ""]))
            #expect(!TextStyle.isUsed(isTerminal: true, environment: ["NO_COLOR": "1"]))
            #expect(!TextStyle.isUsed(isTerminal: true, environment: ["TERM": "dumb"]))
            #expect(!TextStyle.isUsed(isTerminal: false, environment: [:]))
            #expect(TextStyle.green.written("a") == "\u{1B}[32ma\u{1B}[0m")
        }

        @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/script")))
        func aTerminalGetsColours() async throws {
            let shell = try Shell()
            let command = #""$BENCH" replay nothing"#
            let seen = try await shell.run(Self.onTerminal(command))
            #expect(seen.output.contains("\u{1B}[1mgesture-bench:"), "\(seen.output)")
            let plain = try await shell.run("NO_COLOR=1; export NO_COLOR; " + Self.onTerminal(command))
            #expect(plain.output.contains("gesture-bench:") && !plain.output.contains("\u{1B}"), "\(plain.output)")
            let piped = try await shell.run(command)
            #expect(!piped.errors.contains("\u{1B}"))
        }

        @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/script")))
        func progressIsShownOnATerminalAlone() async throws {
            let shell = try Shell()
            let command = #""$BENCH" latency --front-end pixels --windows 10 --duration 3"#
            let seen = try await shell.run(Self.onTerminal(command))
            #expect(seen.output.contains("latency: ") && seen.output.contains(" left"), "\(seen.output)")
            let quiet = try await shell.run(Self.onTerminal(command + " --quiet"))
            #expect(!quiet.output.contains("latency: "), "\(quiet.output)")
            let piped = try await shell.run(command)
            #expect(!piped.errors.contains(" left"), "\(piped.errors)")
        }

        @Test func linesOfProgress() {
            func line(_ done: Double, _ total: Double?, _ unit: String, _ elapsed: Double) -> String {
                WorkProgress.line("work", done: done, total: total, unit: unit, elapsed: elapsed)
            }
            #expect(line(8, 32, "clips", 20) == "work: 8 of 32 clips, 25 %, 1:00 left")
            #expect(line(1, 4, "", 3) == "work: 25 %, 0:09 left")
            #expect(line(0, 4, "clips", 3) == "work: 0 of 4 clips, 0 %")
            #expect(line(9, 4, "", 3) == "work: 100 %, 0:00 left")
            #expect(line(7, nil, "frames", 65) == "work: 7 frames, 1:05 so far")
            #expect(line(1, 2401, "", 3) == "work: 0 %, 2:00:00 left")
        }

        /// The times so far are printed.
        @Test func aSignalEndsTiming() async throws {
            let shell = try Shell()
            let result = try await shell.interrupt(
                #""$BENCH" latency --front-end pixels --windows 10 --duration 60"#
            ) { $0.output.contains("whole step") }
            #expect(result.status == 130, "\(result.errors)")
            #expect(result.output.contains("whole step"), "\(result.output)")
        }

        /// A model of some of the frames would be another one: none is written.
        @Test func aSignalEndsCalibration() async throws {
            let shell = try Shell()
            let result = try await shell.interrupt(
                #""$IMPORT" import "$CHECKPOINT" --precision int8 -o model --calibrate $(cat list)"#,
                after: #"rm -f model; for i in $(seq 500); do echo "$FRAMES"; done >list"#)
            #expect(result.status == 130 && result.output.isEmpty, "\(result.status) \(result.errors)")
            #expect(try shell.names == ["list"])
        }

        /// Whole recordings alone are counted.
        @Test func aSignalEndsAccuracy() async throws {
            let shell = try Shell()
            try shell.makeClip("clip.y4m", frames: 2000)
            try await shell.run(
                #"""
                for i in $(seq 100 199); do
                    mkdir -p real/$i; ln -s ../../clip.y4m real/$i/clip.y4m; echo start,end,label >real/$i/truth.csv
                done
                """#)
            let result = try await shell.interrupt(#""$BENCH" accuracy real --front-end pixels"#) {
                $0.output.contains(" clips, ")
            }
            #expect(result.status == 130, "\(result.status) \(result.errors)")
            let counted = result.output.split(separator: "\n").filter { $0.contains("2000 frames") }.count
            #expect(counted < 100 && result.output.contains("\(counted) clips, "), "\(result.output)")
        }

        @Test(.enabled(if: FFmpeg.isInstalled)) func aReplayAsAPage() async throws {
            let shell = try Shell()
            let result = try await shell.run(
                #"""
                "$BENCH" replay "$DEMO/hands.mp4" --html page.html >text || exit 1
                grep -o 'data:image/jpeg;base64,[^"]*' page.html | sed -n 3p | cut -d, -f2 | base64 -d >picture.jpg
                ffmpeg -v error -i picture.jpg -f rawvideo -pix_fmt gray picture.gray || exit 2
                ffmpeg -v error -i "$DEMO/hands.mp4" -vf "select=eq(n\,13),scale=240:180:flags=area,format=gray" \
                    -frames:v 1 -f rawvideo frame.gray || exit 3
                """#)
            #expect(result.status == 0, "\(result.status) \(result.errors)")
            let page = try shell.text("page.html")
            for text in ["swipeDown", "Not reported, and why", "below its threshold", "prefers-color-scheme: dark"] {
                #expect(page.contains(text), "\(text)")
            }
            #expect(!page.contains("<script") && !page.contains("src=") && !page.contains("url("))
            let (picture, frame) = (try shell.bytes("picture.gray"), try shell.bytes("frame.gray"))
            #expect(picture.count == 240 * 180 && frame.count == picture.count)
            let error = zip(picture, frame).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }
            #expect(Double(error) / Double(max(1, picture.count)) < 8, "mean error \(error)")
        }

        @Test func accuracyAsAPage() async throws {
            let shell = try Shell()
            try shell.makeLabelledClip("clips")
            let labelled = try await shell.run(#""$BENCH" accuracy clips --html page.html"#)
            #expect(labelled.status == 0, "\(labelled.errors)")
            let page = try shell.text("page.html")
            #expect(page.contains("Confusion") && page.contains("demo") && page.contains("Classes"))
            let refused = try await shell.run(#""$BENCH" accuracy clips --html clips/demo.json"#)
            #expect(refused.status == 1 && refused.errors.contains("input"), "\(refused.errors)")
            let sweep = try await shell.run(#""$BENCH" accuracy clips --html page.html --sweep"#)
            #expect(sweep.status == 64)
        }
    }
}
