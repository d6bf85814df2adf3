import Foundation
import Testing

extension CommandTests {
    /// Many streams, and a soak, as processes. What a soak finds is judged by `SoakReportTests`; `Tools/test` runs a longer one.
    @Suite struct StreamsCommandTests {
        private struct Report: Decodable {
            struct Trial: Decodable {
                let kind: String
                let rate: Int
                let streams: Int
                let due: Int
                let pushed: Int
                let missed: Int
                let processed: Int
                let superseded: Int
                let skipped: Int
                let least_processed: Int
                let most_processed: Int
            }
            struct Held: Decodable {
                let held: Trial?
                let doubled: Trial?
            }
            struct Memory: Decodable {
                let kind: String
                let made_bytes: Int
                let used_bytes: Int
            }

            let trials: [Trial]
            let held: [Held]
            let memory: [Memory]
        }

        private static func report(_ text: String) throws -> Report {
            try JSONDecoder().decode(Report.self, from: Data(text.utf8))
        }

        /// The frames of the test are gray, so that bodies and hands are looked for and not found.
        private static let clips = "--clip clip.y4m --body-clip clip.y4m"

        @Test func everyFrameOfEveryStreamIsCounted() async throws {
            let shell = try Shell()
            try shell.makeClip("clip.y4m", frames: 20)
            let result = try await shell.run(
                #""$BENCH" streams \#(Self.clips) --count 3 --rate 30 --seconds 0.5 --markdown table.md --json"#)
            #expect(result.status == 0, "\(result.errors)")
            let trials = try Self.report(result.output).trials
            #expect(trials.map(\.kind) == ["landmarks", "pixels", "bodies"])
            for trial in trials {
                #expect(trial.rate == 30 && trial.streams == 3 && trial.due == 45)
                // A frame that is not pushed in time is missed.
                #expect(trial.pushed <= trial.due && (trial.due - trial.pushed...trial.due).contains(trial.missed))
                #expect(trial.pushed >= trial.processed + trial.superseded + trial.skipped && trial.processed > 0)
                #expect(trial.least_processed <= trial.most_processed && trial.most_processed <= 15)
            }
            let table = try shell.text("table.md")
            #expect(table.contains("| landmarks | 30 | 3 |") && table.contains("Measured by"))
        }

        @Test func theMostStreamsAreFound() async throws {
            let shell = try Shell()
            try shell.makeClip("clip.y4m", frames: 20)
            let result = try await shell.run(
                #"""
                "$BENCH" streams \#(Self.clips) --kind pixels --rate 30 --seconds 0.3 --most 2 --allowed 1 --json
                """#)
            #expect(result.status == 0, "\(result.errors)")
            let held = try Self.report(result.output).held
            // Whatever is missed is allowed.
            #expect(held.count == 1 && held[0].held?.streams == 2 && held[0].doubled?.streams == 4)
        }

        @Test func memoryOfAStream() async throws {
            let shell = try Shell()
            try shell.makeClip("clip.y4m", frames: 20)
            let result = try await shell.run(#""$BENCH" streams \#(Self.clips) --idle 20 --json"#)
            #expect(result.status == 0, "\(result.errors)")
            let memory = try Self.report(result.output).memory
            #expect(memory.map(\.kind) == ["landmarks", "pixels", "bodies"])
            for stream in memory { #expect(stream.used_bytes < 2_000_000, "\(stream)") }
        }

        @Test func aSoakEndsInOrder() async throws {
            let shell = try Shell()
            try shell.makeClip("clip.y4m", frames: 20)
            let result = try await shell.interrupt(
                #""$BENCH" soak \#(Self.clips) --minutes 3 --cycle 5 --html soak.html"#
            ) { $0.output.contains("frames") }
            // What was not finished is not judged, and what was counted is exact.
            #expect(result.status == 130, "\(result.errors)")
            let page = try shell.text("soak.html")
            #expect(page.contains("3.0 minutes were planned") && page.contains("in every stream"))
            #expect(!page.contains("Not kept"))
            #expect(result.output.contains("frames"))
        }

        @Test func whatCannotBeRunIsSaid() async throws {
            let shell = try Shell()
            for (arguments, status, word) in [
                ("soak", Int32(64), "--hours or --minutes"), ("soak --hours 1 --minutes 1", 64, "--hours or --minutes"),
                ("soak --minutes 0", 64, "longer than 0"), ("soak --minutes 1 --cycle 4", 64, "from 5 to 3600"),
                ("soak --minutes 1 --clip nothing.mp4", 1, "nothing.mp4"),
                ("soak --minutes 1 --html none/soak.html", 74, "none/soak.html"),
                ("streams --rate 25", 64, "30, 60 or 120"), ("streams --count 0", 64, "from 1 to 4096"),
                ("streams --idle 5000", 64, "from 1 to 4096"), ("streams --seconds 0.1", 64, "from 0.2 to 600"),
                ("streams --kind ears", 64, "ears"), ("streams --allowed 2", 64, "from 0 to 1"),
                ("streams --body-clip nothing.mp4", 1, "nothing.mp4"),
            ] {
                let result = try await shell.run(#"timeout 30 "$BENCH" \#(arguments)"#)
                #expect(result.status == status && result.errors.contains(word), "\(arguments): \(result.errors)")
            }
        }
    }
}
