import Foundation
import Testing

extension CommandTests {
    /// Replays of clips that are long, are interrupted, or have a wake pose.
    @Suite(.enabled(if: FFmpeg.isInstalled)) struct ReplayCommandTests {
        private struct Line: Decodable {
            let event: String?
            let label: String?
            let change: String?
            let armed: Bool?
            let time_s: Double?
        }

        /// Puts a program named ffprobe first in the search path, which lists 100 frames of the demo and then no other.
        private static let endlessList = #"""
            rm -rf bin; mkdir bin; PROBE=$(command -v ffprobe); export PROBE
            cat >bin/ffprobe <<'END'
            #!/bin/sh
            case "$*" in *best_effort*) "$PROBE" "$@" | head -n 402; exec sleep 1000;; esac
            exec "$PROBE" "$@"
            END
            chmod +x bin/ffprobe; PATH="$PWD/bin:$PATH"; export PATH
            """#

        /// Events are reported before all frames are listed. Ctrl-C then tells what was found, and all outputs are whole.
        @Test func anInterruptedReplayTellsWhatItFound() async throws {
            let shell = try Shell()
            let result = try await shell.interrupt(
                #"env --default-signal=INT "$BENCH" replay "$DEMO/hands.mp4" --html page.html --overlay overlay.mp4"#,
                after: Self.endlessList
            ) {
                // A grab that the interruption ends is flushed, before frame 80.
                $0.output.contains("end   grab  peak")
            }
            #expect(result.status == 130, "\(result.errors)")
            for words in ["hands.mp4: 480x", "172 frames", "begin swipeDown", "begin grab", " gestures in "] {
                #expect(result.output.contains(words), "\(words) is missing in \(result.output)")
            }
            #expect(try shell.text("page.html").contains("</html>"))
            let frames = try await shell.run(
                "ffprobe -v error -count_frames -show_entries stream=nb_read_frames -of csv=p=0 overlay.mp4")
            let count = try #require(Int(frames.output.filter(\.isNumber)), "\(frames.errors)")
            #expect((80...110).contains(count))
        }

        @Test func aWakePoseArms() async throws {
            let shell = try Shell()
            func replay(_ options: String) async throws -> [Line] {
                let result = try await shell.run(#""$BENCH" replay "$DEMO/hands.mp4" --json \#(options)"#)
                #expect(result.status == 0, "\(result.errors)")
                return try result.output.split(separator: "\n").map {
                    try JSONDecoder().decode(Line.self, from: Data($0.utf8))
                }
            }
            // The demo shows a fist, of the grab, for 1.3 seconds, and the hand goes up and away within four seconds after it.
            let short = try await replay("--wake-pose closedFist:1")
            #expect(short.map(\.armed) == [true, false], "\(short)")
            let times = short.compactMap(\.time_s)
            #expect(
                times.count == 2 && (7...9).contains(times[0]) && (times[0] + 1...11).contains(times[1]), "\(times)")
            let long = try await replay("--wake-pose Closed_Fist:4")
            let gestures = long.compactMap(\.label)
            #expect(long.first?.armed == true && gestures.prefix(2) == ["swipeUp", "swipeUp"], "\(long)")
            // Those before the fist: a swipe down, a swipe left, the grab.
            #expect(Set(gestures).isDisjoint(with: ["swipeDown", "swipeLeft", "grab"]))

            let allowed = try await replay("--allowed-classes swipeDown,grab")
            #expect(allowed.map(\.label) == ["swipeDown", "swipeDown", "grab", "grab"])
            let unknown = try await shell.run(#""$BENCH" replay "$DEMO/hands.mp4" --allowed-classes wave"#)
            #expect(unknown.status == 1 && unknown.errors.contains("wave"), "\(unknown.errors)")

            let text = try await shell.run(#""$BENCH" replay "$DEMO/hands.mp4" --wake-pose closedFist:1"#)
            #expect(text.output.contains(" s: armed") && text.output.contains(" s: disarmed"), "\(text.output)")
            for value in ["none", "unknown", "fist:", "closedFist:0", "closedFist:1e300", "closedFist:nan", ":3"] {
                let wrong = try await shell.run(#""$BENCH" replay "$DEMO/hands.mp4" --wake-pose \#(value)"#)
                #expect(wrong.status == 64 && wrong.errors.contains("openPalm"), "\(value): \(wrong.errors)")
            }
        }
    }

    /// What a user types nearly right, or reads first.
    @Suite struct FirstStepTests {
        @Test func aNearSubcommandIsSuggested() async throws {
            let shell = try Shell()
            for (typed, meant) in [
                (#""$BENCH" replya clip.mp4"#, "replay"), (#""$BENCH" serv"#, "serve"),
                (#""$IMPORT" imprt"#, "import"), (#""$IMPORT" verfiy"#, "verify"),
            ] {
                let result = try await shell.run(typed)
                #expect(result.status == 64)
                #expect(result.errors.contains("'. Did you mean '\(meant)'?\n"), "\(result.errors)")
            }
            for typed in [#""$BENCH" xyzzy"#, #""$BENCH" replay"#, #""$BENCH" --replya"#, #""$IMPORT" 'no command'"#] {
                let result = try await shell.run(typed)
                #expect(result.status == 64 && !result.errors.contains("Did you mean"), "\(result.errors)")
            }
        }

        /// Neither the parser's help nor status 0 answers what is no request for help.
        @Test func whatLooksLikeOptionsIsRefused() async throws {
            let shell = try Shell()
            for (command, words) in [
                (#""$BENCH""#, "A subcommand is missing"), (#""$IMPORT""#, "A subcommand is missing"),
                (#""$BENCH" hands -hand.mp4"#, "write ./-hand.mp4"), (#""$BENCH" replay --json -h.mp4"#, "./-h.mp4"),
                (#""$BENCH" body -help.mp4"#, "./-help.mp4"), (#""$BENCH" -hand.mp4"#, "./-hand.mp4"),
                (#""$BENCH" hands --version.mp4"#, "./--version.mp4"), (#""$BENCH" accuracy -handmade"#, "./-handmade"),
                (#""$IMPORT" import -h.npz -o a"#, "./-h.npz"), (#""$IMPORT" diff a -hb"#, "./-hb"),
                (#""$BENCH" hands --fps 3 a.mp4"#, "Unknown option '--fps'."),
            ] {
                let result = try await shell.run(command)
                #expect(
                    result.status == 64 && result.errors.contains(words),
                    "\(command): \(result.status), \(result.errors)")
                #expect(result.output.isEmpty && !result.errors.contains("--arms"), "\(command)")
            }
            for command in [#""$BENCH" hands -h"#, #""$IMPORT" import --help"#, #""$BENCH" help replay"#] {
                #expect(try await shell.run(command).status == 0)
            }
            let near = try await shell.run(#""$BENCH" replay --jsn a.mp4"#)
            #expect(near.errors.contains("Did you mean '--json'?"))
            try await shell.run("printf 'x' >./-hand.mp4")
            let read = try await shell.run(#""$BENCH" hands ./-hand.mp4"#)
            #expect(read.status == 1 && read.errors.contains("./-hand.mp4"))
            #expect(try await shell.run(#""$BENCH" hands -- -hand.mp4"#).status == 1)
        }

        /// Where the system does not say how a program was started, its arguments and its folder are unknown to Swift.
        @Test func withoutTheListOfProcesses() async throws {
            let script = #"unshare -rm sh -c 'mount -t tmpfs none /proc || exit 99; "$BENCH" hands "$DEMO/hands.mp4"'"#
            let result = try await Shell().run(script)
            guard result.status != 99, !result.errors.contains("unshare: ") else {
                print("SKIPPED: commands without /proc, because this process may not mount: \(result.errors)")
                return
            }
            #expect(result.status == 64 && result.output.isEmpty && result.errors.contains("/proc is not mounted"))
        }

        @Test func theHelpOfHandsBeginsWithWhatItPrints() async throws {
            let result = try await Shell().run(#""$BENCH" hands --help"#)
            let paragraph = result.output.split(separator: "\n").dropFirst().prefix(2).joined(separator: " ")
            #expect(paragraph.hasPrefix("Prints a line of text a frame: its time"), "\(paragraph)")
        }

        /// A program that was copied without its resources fails here as on a machine without the package's sources.
        @Test func aProgramWithoutItsResourcesSaysWhatToShip() async throws {
            let shell = try Shell()
            try shell.makeClip("clip.y4m", frames: 2)
            try await shell.run(#"mkdir alone; cp "$BENCH" alone"#)
            for (command, words) in [
                (
                    "hands clip.y4m",
                    "Ship swift-gesture_HandFiles.resources beside the program, or use the product GestureHandsEmbedded"
                ),
                (
                    "replay clip.y4m --arms",
                    "Ship swift-gesture_BodyFiles.resources beside the program. Searched: "
                ),
                ("body clip.y4m", "Ship swift-gesture_BodyFiles.resources beside the program. Searched: "),
                ("serve --port 0 --front-end pixels", "Ship swift-gesture_LivePage.resources beside the program."),
            ] {
                let result = try await shell.run("timeout 60 alone/gesture-bench \(command)")
                #expect(result.status == 1, "\(command): \(result.errors)")
                #expect(result.errors.contains(words), "\(command): \(result.errors)")
            }
            // With the networks of hands alone the hand alone is watched.
            try await shell.run(#"cp -r "$(dirname "$BENCH")"/swift-gesture_HandFiles.resources alone"#)
            let hands = try await shell.run("alone/gesture-bench replay clip.y4m")
            #expect(hands.status == 0 && hands.errors.contains("arms are not watched"), "\(hands.errors)")
            #expect(try await !shell.run("alone/gesture-bench replay clip.y4m --no-arms").errors.contains("arms"))
        }

        @Test func pixelsHaveNoArms() async throws {
            let result = try await Shell().run(#""$BENCH" replay "$DEMO/hands.mp4" --front-end pixels --arms"#)
            #expect(result.status == 64 && result.errors.contains("--arms cannot be used with the pixel front end"))
        }
    }
}
