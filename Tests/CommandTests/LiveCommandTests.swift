import Foundation
import Testing

extension CommandTests {
    @Suite struct LiveCommandTests {
        private struct Summary: Decodable {
            let counts_add_up: Bool
            let resident_growth_bytes: Int?
        }

        private static func shell() throws -> Shell {
            let shell = try Shell()
            try shell.makeClip("clip.y4m", frames: 30)
            return shell
        }

        @Test func anUnwritableLogIsAnErrorAtTheStart() async throws {
            let shell = try Self.shell()
            let result = try await shell.run(#"timeout 30 "$BENCH" live clip.y4m --duration 600 --log none/log.csv"#)
            #expect(result.status == 74 && result.output.isEmpty)
            #expect(result.errors == "gesture-bench: none/log.csv cannot be written: No such file or directory.\n")
        }

        /// It fails at its second row, after the first 512 bytes.
        @Test func aLogThatCannotGoOnIsAStatus() async throws {
            let shell = try Self.shell()
            let result = try await shell.run(
                #"""
                echo old >log.csv; trap '' XFSZ; ulimit -f 1
                timeout 30 "$BENCH" live clip.y4m --duration 600 --every 0.001 --json --log log.csv
                """#)
            #expect(result.status == 74 && result.errors.contains("log.csv cannot be written: File too large."))
            #expect(try shell.text("log.csv") == "old\n" && shell.names == ["clip.y4m", "log.csv"])
        }

        /// A clip whose frames come so seldom that each starts the stream anew.
        @Test(arguments: ["", "--json"]) func timesThatNeverWorkAreAWarning(option: String) async throws {
            let shell = try Self.shell()
            let result = try await shell.run(
                #"LC_ALL=C sed '1s/F30:1/F20:21/' clip.y4m | "$BENCH" replay --front-end pixels \#(option) -"#)
            #expect(result.status == 0)
            #expect(result.errors.hasPrefix("gesture-bench: warning: The frames come too seldom: "))
            #expect(result.errors.split(separator: "\n").count == 1 && !result.output.contains("seldom"))
        }

        @Test func theLogHasTheRowsOfTheTable() async throws {
            let shell = try Self.shell()
            let result = try await shell.run(#""$BENCH" live clip.y4m --duration 1.2 --every 0.5 --log log.csv"#)
            #expect(result.status == 0, "\(result.errors)")
            let log = try shell.text("log.csv").split(separator: "\n")
            #expect(log.count == 4 && log[0].hasPrefix("time_s,pace,"))
            #expect(log[1].hasPrefix("0,"))
        }

        /// A run that is ended early keeps its log and prints its summary.
        @Test(arguments: ["INT", "TERM"]) func aSignalEndsTheRunInOrder(_ signal: String) async throws {
            let shell = try Self.shell()
            let start = ContinuousClock.now
            let result = try await shell.run(
                """
                "$BENCH" live clip.y4m --duration 40 --every 0.1 --log log.csv >text & run=$!
                until grep -q full text; do kill -0 $run || break; sleep 0.05; done
                kill -\(signal) $run; wait $run
                """)
            #expect(result.status == (signal == "INT" ? 130 : 143), "\(result.errors)")
            #expect(start.duration(to: .now) < .seconds(40))
            #expect(try shell.text("text").contains("every frame is accounted for"))
            #expect(try shell.text("log.csv").split(separator: "\n").count >= 2)
            #expect(try shell.names == ["clip.y4m", "log.csv", "text"])
        }

        @Test func aReaderThatLeavesKeepsTheLog() async throws {
            let shell = try Self.shell()
            let result = try await shell.run(
                #"""
                { "$BENCH" live clip.y4m --duration 60 --every 0.1 --log log.csv; echo $? >status; } | head -n 3
                cat status >&2
                """#)
            #expect(result.errors == "141\n")
            #expect(try shell.text("log.csv").hasPrefix("time_s,"))
        }

        @Test func memoryIsComparedWithAReadingBefore() async throws {
            let shell = try Self.shell()
            let short = try await shell.run(
                #""$BENCH" live clip.y4m --duration 1 && "$BENCH" live clip.y4m --duration 1 --json"#)
            #expect(short.status == 0 && short.output.contains("every frame is accounted for"))
            #expect(!short.output.contains("resident memory") && !short.output.contains("resident_growth_bytes"))

            let long = try await shell.run(#""$BENCH" live clip.y4m --duration 6 --json"#)
            let summary = try JSONDecoder().decode(Summary.self, from: Data(long.output.utf8))
            let growth = try #require(summary.resident_growth_bytes)
            #expect(summary.counts_add_up && abs(growth) < 20 << 20, "\(growth)")
        }
    }
}
