import Foundation
import TestSupport
import Testing

extension CommandTests {
    /// Values of options that are no sensible ones.
    @Suite struct ArgumentTests {
        /// Every option that is a number, behind a command that ends soon whatever the number is.
        static let options = [
            #""$BENCH" allocations --frames"#,
            #""$BENCH" enrolment none --repeats"#,
            #""$BENCH" enrolment none --examples"#,
            #""$BENCH" enrolment none --rate"#,
            #""$BENCH" enrolment none --seed"#,
            #""$BENCH" hands clip.y4m --maximum-hands"#,
            #""$BENCH" hands clip.y4m --quiet --detection-interval"#,
            #""$BENCH" kernels --rounds"#,
            #""$BENCH" latency --frames"#,
            #""$BENCH" latency --windows"#,
            #""$BENCH" latency --body --maximum-bodies"#,
            #""$BENCH" latency --duration"#,
            #""$BENCH" compare none --runs"#,
            #""$BENCH" layers --duration"#,
            #""$BENCH" layers --frames"#,
            #""$BENCH" live clip.y4m --duration 1 --rate"#,
            #""$BENCH" live clip.y4m --duration"#,
            #""$BENCH" live clip.y4m --duration 1 --hog"#,
            #""$BENCH" live clip.y4m --duration 1 --hogs"#,
            #""$BENCH" live clip.y4m --duration 1 --hog-nice"#,
            #""$BENCH" live clip.y4m --duration 1 --every"#,
            #""$BENCH" live clip.y4m --duration 1 --body --maximum-bodies"#,
            #""$BENCH" replay clip.y4m --rate"#,
            #""$BENCH" resize --rounds"#,
            #""$BENCH" simulate heat --seed"#,
            #""$BENCH" simulate heat --duration"#,
            #""$BENCH" simulate heat --body --duration"#,
            #""$BENCH" simulate heat --rate"#,
            #""$IMPORT" graph "$GRAPHS/block.tflite" --precision int8 --calibrate "$GRAPHS/block.input.npy" -o a --input-range"#,
            #""$IMPORT" import "$CHECKPOINT" --precision float16 --dry-run --activation-percentile"#,
            #""$IMPORT" import "$CHECKPOINT" --precision float16 --dry-run --calibrate "$FRAMES" --compare-frames"#,
        ]

        static let values = [
            "inf", "-inf", "nan", "1e300", "1e-300", "0", "-1", "9223372036854775807", "-9223372036854775808",
            "18446744073709551615", "0...inf", "1,9223372036854775807",
        ]

        @Test(arguments: options) func noNumberEndsInATrap(_ option: String) async throws {
            let shell = try Shell()
            try shell.makeClip("clip.y4m", frames: 20)
            let result = try await shell.run(
                """
                for value in \(Self.values.joined(separator: " ")); do
                    {
                        timeout 120 \(option)=$value >/dev/null 2>errors$value; status=$?
                        [ -s errors$value ] && said=reason || said=nothing
                        echo $value $status $said
                    } &
                done
                wait
                """)
            let lines = result.output.split(separator: "\n")
            #expect(lines.count == Self.values.count)
            for line in lines {
                #expect(["0 nothing", "1 reason", "64 reason"].contains { line.hasSuffix(" " + $0) }, "\(line)")
            }
        }

        @Test func whatIsOutOfRangeIsWrongUsage() async throws {
            let shell = try Shell()
            for (option, value) in [
                ("live clip.y4m --every", "inf"), ("live clip.y4m --every", "0"), ("live clip.y4m --every", "86401"),
                ("latency --frames", "9223372036854775807"), ("latency --windows", "9223372036854775807"),
                ("layers --frames", "9223372036854775807"), ("allocations --frames", "9223372036854775807"),
                ("kernels --rounds", "9223372036854775807"), ("resize --rounds", "9223372036854775807"),
            ] {
                let result = try await shell.run(#"timeout 30 "$BENCH" \#(option)=\#(value)"#)
                #expect(result.status == 64, "\(option)=\(value): \(result.errors)")
            }
        }

        /// Both commands, the engine and the newest entry of the changelog name one version.
        @Test func versions() async throws {
            let shell = try Shell()
            let result = try await shell.run(#""$BENCH" --version && "$IMPORT" --version"#)
            let lines = result.output.split(separator: "\n")
            #expect(lines.count == 2 && lines.first == lines.last, "\(result.output)")
            let version = try #require(lines.first)
            #expect(
                version.split(separator: ".").allSatisfy { Int($0) != nil } && version.count(where: { $0 == "." }) == 2)
            let changes = try String(
                contentsOf: Fixtures.repository.appendingPathComponent("CHANGELOG.md"), encoding: .utf8)
            let newest = try #require(changes.split(separator: "\n").first { $0.hasPrefix("## ") })
            #expect(newest.hasPrefix("## \(version)"), "\(newest)")
        }

        @Test func anUnknownTierIsRefusedByTheNamesOfTheTiers() async throws {
            let shell = try Shell()
            let result = try await shell.run(#""$BENCH" replay clip.y4m --exclude-tier foo"#)
            #expect(result.status == 64)
            #expect(result.errors.contains("'foo'") && result.errors.contains("portable"), "\(result.errors)")
            #if arch(x86_64)
                #expect(result.errors.contains("avx512vnni") && result.errors.contains("avx2"))
            #endif
        }

        /// Those of this build, whether this CPU has them or not.
        @Test func everyTierMayBeExcluded() async throws {
            let shell = try Shell()
            #if arch(x86_64)
                let better = ["avx512vnni", "avxvnni", "avx2"]
            #else
                let better = ["i8mm", "dotprod", "neon"]
            #endif
            let choice = (better + ["portable"]).map { "--exclude-tier " + $0 }.joined(separator: " ")
            let result = try await shell.run(
                #""$BENCH" infer --model "$MODEL" --frames "$FRAMES" --output logits "# + choice)
            #expect(result.status == 0, "\(result.errors)")
        }
    }
}
