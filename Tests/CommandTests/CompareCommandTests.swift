import Foundation
import Testing

extension CommandTests {
    /// Times, and their comparison with a baseline.
    @Suite struct CompareTests {
        /// A short measurement.
        private static let options = "--front-end pixels --frames 100 --windows 10"

        private static func baseline(_ shell: Shell) async throws {
            let made = try await shell.run(#""$BENCH" latency --json \#(options) >base.json"#)
            #expect(made.status == 0, "\(made.errors)")
        }

        @Test func aLimitThatHolds() async throws {
            let shell = try Shell()
            try await Self.baseline(shell)
            let result = try await shell.run(
                #""$BENCH" compare base.json --runs 2 --fail-if step.p50+10000% --fail-if network.mean+10000%"#)
            #expect(result.status == 0, "\(result.errors)")
            for text in [
                "baseline", "ratio", "step.p50", "window.step.p95", "network.mean", "101.000", "--baseline-binary",
            ] {
                #expect(result.output.contains(text), "\(text): \(result.output)")
            }
        }

        @Test func aLimitThatIsExceeded() async throws {
            let shell = try Shell()
            try await Self.baseline(shell)
            // A baseline of a machine that needs no time.
            let result = try await shell.run(
                #"""
                sed -E 's/"p50_us":[0-9.]+/"p50_us":0.001/g' base.json >fast.json
                "$BENCH" compare fast.json --runs 1 --fail-if step.p50+5% --fail-if step.p99+10000%
                """#)
            #expect(result.status == 1 && result.errors.contains("step.p50 is"), "\(result.errors)")
            #expect(!result.errors.contains("step.p99 is") && result.output.contains("step.p50"), "\(result.output)")
        }

        @Test func twoBuildsTakeTurns() async throws {
            let shell = try Shell()
            let result = try await shell.run(
                #"""
                "$BENCH" compare --baseline-binary "$BENCH" --runs 2 --fail-if step.p50+10000% --json -- \#(Self.options)
                """#)
            #expect(result.status == 0, "\(result.errors)")
            let report = try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any]
            #expect(report?["in_turns"] as? Bool == true && report?["runs"] as? Int == 2, "\(result.output)")
            let rows = try #require(report?["rows"] as? [[String: Any]])
            #expect(rows.contains { $0["metric"] as? String == "step.p50" && $0["limit"] as? Double == 101 })
        }

        @Test func whatIsNoBaseline() async throws {
            let shell = try Shell()
            try await Self.baseline(shell)
            for (script, status, reason) in [
                (#"echo no >a; "$BENCH" compare a"#, 1, "is not JSON"),
                (#"echo '{}' >a; "$BENCH" compare a"#, 1, "it lacks cpu"),
                (#""$BENCH" compare missing"#, 1, "missing"),
                (
                    #"sed 's/"cpu":"[^"]*"/"cpu":"Other"/' base.json >a; "$BENCH" compare a --runs 1"#, 1,
                    "another machine"
                ),
                (
                    #""$BENCH" compare base.json --runs 1 -- --front-end pixels --frames 100 --windows 11"#, 1,
                    "other-options"
                ),
                (#""$BENCH" compare base.json --runs 1 --fail-if palm.p50+5%"#, 1, "no stage palm"),
                (#""$BENCH" compare --baseline-binary ./none -- \#(Self.options)"#, 1, "cannot be run"),
                (#""$BENCH" compare --baseline-binary /bin/echo -- \#(Self.options)"#, 1, "printed no JSON"),
                (#""$BENCH" compare --baseline-binary /bin/false -- \#(Self.options)"#, 1, "ended with status 1"),
                (#""$BENCH" compare"#, 64, "Give a baseline"),
                (#""$BENCH" compare base.json --fail-if step.p51+5%"#, 64, "step.p51+5%"),
            ] {
                let result = try await shell.run(script)
                #expect(
                    result.status == Int32(status) && result.errors.contains(reason),
                    "\(script): \(result.status) \(result.errors)")
            }
            let allowed = try await shell.run(
                #"sed 's/"cpu":"[^"]*"/"cpu":"Other"/' base.json >a; "$BENCH" compare a --runs 1 --other-machine"#)
            #expect(allowed.status == 0, "\(allowed.errors)")
        }

        @Test func timesAsCommaSeparatedValues() async throws {
            let shell = try Shell()
            for command in ["latency \(Self.options)", "layers --frames 100"] {
                let result = try await shell.run(#""$BENCH" \#(command) --csv"#)
                let lines = result.output.split(separator: "\n").map { $0.split(separator: ",") }
                #expect(result.status == 0 && lines.count > 5, "\(result.output) \(result.errors)")
                #expect(lines[0].first == "stage" && lines[1].first == "step")
                #expect(lines.allSatisfy { $0.count == 9 }, "\(result.output)")
            }
            let both = try await shell.run(#""$BENCH" latency --csv --json"#)
            #expect(both.status == 64)
        }

        @Test func aTimeInsteadOfANumberOfFrames() async throws {
            let shell = try Shell()
            let result = try await shell.run(
                #""$BENCH" latency --front-end pixels --windows 10 --duration 0.5 --pin 0 --html page.html"#)
            #expect(result.status == 0, "\(result.errors)")
            for text in ["p90", "deviation", "took longer than a frame, 8.33 ms", "The machine "] {
                #expect(result.output.contains(text), "\(text): \(result.output)")
            }
            let page = try shell.text("page.html")
            #expect(page.contains("Steps over time") && page.contains("took longer than a frame"))
            let absent = try await shell.run(#""$BENCH" latency --front-end pixels --pin 1023"#)
            #expect(absent.status == 1 && absent.errors.contains("core 1023"), "\(absent.errors)")
            let negative = try await shell.run(#""$BENCH" latency --pin=-1"#)
            #expect(negative.status == 64)
        }
    }
}
