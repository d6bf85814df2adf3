import Foundation
import TestSupport
import Testing

extension CommandTests {
    /// Bodies in the commands that time, run live, simulate and count allocations.
    @Suite struct BodyStreamCommandTests {
        private struct Latency: Decodable {
            struct Summary: Decodable {
                let p50_us: Double
                let p95_us: Double
                let p99_us: Double
                let min_us: Double
                let n: Int
            }
            struct Streaming: Decodable {
                let step, crop, landmark, detection: Summary
            }
            let cpu: String
            let tier: String
            let threads: Int
            let people: Int
            let streaming: Streaming
            let tracked: Summary
            let step_mean_us: Double
            let detections: Int
            let frames_with_people: Int
            let allocations_per_frame: Double?
            let peak_rss_bytes: Int
        }

        private struct Live: Decodable {
            let pushed: Int
            let processed: Int
            let skipped: Int
            let superseded: Int
            let lost_results: Int
            let frames_with_people: Int
            let interface_detail: Int
            let latency_p50_us: Double?
            let counts_add_up: Bool
        }

        @Test func latencyHasItsStagesAndAllocatesNothing() async throws {
            let shell = try Shell()
            try shell.makePersonClip("person.y4m", frames: 8)
            let result = try await shell.run(
                #""$BENCH" latency --body --clip person.y4m --frames 100 --json"#)
            #expect(result.status == 0, "\(result.errors)")
            let report = try JSONDecoder().decode(Latency.self, from: Data(result.output.utf8))
            let stages = report.streaming
            #expect(report.threads == 1 && report.people == 1 && report.frames_with_people >= 90)
            #expect(stages.step.n == 100 && stages.landmark.n == 100 && report.tracked.n >= 90)
            #expect(stages.detection.n >= 20 && stages.detection.p50_us > 0)
            for stage in [stages.crop, stages.landmark] {
                #expect(stage.p50_us > 0 && stage.p50_us < stages.step.p50_us && stage.p50_us <= stage.p99_us)
            }
            #expect((report.allocations_per_frame ?? 0) == 0)
            let table = try await shell.run(#""$BENCH" latency --body --clip person.y4m --frames 100"#)
            #expect(table.output.contains("whole step, people tracked"), "\(table.output)\(table.errors)")
        }

        @Test func whoIsTimedMustBeThere() async throws {
            let shell = try Shell()
            for command in ["latency", "allocations"] {
                let result = try await shell.run("\"$BENCH\" \(command) --body")
                #expect(result.status == 1 && result.errors.contains("Give one with --clip"), "\(result.errors)")
            }
            try shell.makeClip("bars.y4m", frames: 20)
            let result = try await shell.run(#""$BENCH" latency --body --clip bars.y4m --frames 100"#)
            #expect(
                result.status == 1 && result.errors.contains("0 of 100 frames of bars.y4m show a person"),
                "\(result.errors)")
            let empty = try await shell.run(
                #""$BENCH" latency --body --clip bars.y4m --frames 120 --rate 120 --empty-scene --json"#)
            #expect(empty.status == 0, "\(empty.errors)")
            let report = try JSONDecoder().decode(Latency.self, from: Data(empty.output.utf8))
            #expect(report.frames_with_people == 0 && report.detections <= 11)
            try shell.makePersonClip("person.y4m", frames: 4)
            let shown = try await shell.run(
                #""$BENCH" latency --body --clip person.y4m --frames 100 --empty-scene"#)
            #expect(shown.status == 1 && shown.errors.contains("--empty-scene needs a clip without"), "\(shown.errors)")
        }

        @Test func aLiveRunAccountsForEveryFrame() async throws {
            let shell = try Shell()
            try shell.makePersonClip("person.y4m", frames: 8)
            let result = try await shell.run(
                #""$BENCH" live person.y4m --body --duration 2 --rate 30 --no-sensors --json --log log.csv --every 0.5"#
            )
            #expect(result.status == 0, "\(result.errors)")
            let live = try JSONDecoder().decode(Live.self, from: Data(result.output.utf8))
            #expect(live.counts_add_up && live.skipped == 0 && live.interface_detail == 2)
            #expect(live.pushed == live.processed + live.superseded && live.pushed >= 30)
            #expect(live.frames_with_people > 0 && (live.latency_p50_us ?? 0) > 0)
            let log = try shell.text("log.csv").split(separator: "\n")
            #expect(log.count >= 4 && log[0].hasPrefix("time_s,hog,taken,skipped,"))
            let columns = log.map { $0.split(separator: ",", omittingEmptySubsequences: false).count }
            #expect(Set(columns).count == 1)
            let text = try await shell.run(#""$BENCH" live person.y4m --body --duration 1 --rate 30"#)
            #expect(text.status == 0 && text.output.contains("every frame is accounted for"), "\(text.errors)")
        }

        @Test func simulationsOfBodies() async throws {
            let shell = try Shell()
            let result = try await shell.run(
                """
                "$BENCH" simulate heat --body --json --html page.html >one || exit 98
                "$BENCH" simulate heat --body --json >other || exit 97
                cmp one other || exit 96
                "$BENCH" simulate heat --body --rate 60 | grep "frames from the camera"
                """)
            #expect(result.status == 0, "\(result.errors)")
            #expect(result.output.contains("36000"), "\(result.output)")
            let report = try #require(
                JSONSerialization.jsonObject(with: Data(try shell.bytes("one"))) as? [String: Any])
            let scenario = try #require(report["scenario"] as? [String: Any])
            let summary = try #require(report["summary"] as? [String: Any])
            #expect(scenario["rate"] as? Int == 30 && summary["frames_in"] as? Int == 18_000)
            #expect((summary["skips"] as? [String: Any])?["heat"] as? Int ?? 0 > 1_000)
            #expect(try shell.text("page.html").hasPrefix("<!doctype html>"))
            // What it prints can be read again, with its costs.
            let again = try await shell.run(
                #"""
                python3 -c 'import json; json.dump(json.load(open("one"))["scenario"], open("own.json", "w"))' || exit 95
                "$BENCH" simulate own.json --body --json | cmp - one
                """#)
            #expect(again.status == 0, "\(again.errors)\(again.output)")
        }

        @Test func whatDoesNotGoTogetherIsWrongUsage() async throws {
            let shell = try Shell()
            let ofGestures = "--model, --backend, --front-end and --arms cannot be used with --body"
            for (command, reason) in [
                ("latency --body --front-end landmarks", ofGestures), ("latency --body --model model", ofGestures),
                ("live clip.y4m --body --backend int8", ofGestures), ("latency --body --arms", ofGestures),
                ("live clip.y4m --body --fallback float", "--fallback cannot be used with --body"),
                ("allocations --body --front-end landmarks", "--front-end cannot be used with --body"),
                ("latency --body --maximum-bodies 5", "--maximum-bodies must be from 1 to 4, not 5"),
                ("live clip.y4m --body --maximum-bodies 0", "--maximum-bodies must be from 1 to 4, not 0"),
            ] {
                let result = try await shell.run("\"$BENCH\" \(command)")
                #expect(result.status == 64 && result.errors.contains(reason), "\(command): \(result.errors)")
            }
        }

        #if os(Linux)
            @Test func followingPeopleAllocatesNothing() async throws {
                let shell = try Shell()
                try shell.makePersonClip("person.y4m", frames: 8)
                let result = try await shell.run(#""$BENCH" allocations --body --clip person.y4m --frames 180"#)
                #expect(result.status == 0, "\(result.errors)")
                let lines = result.output.split(separator: "\n")
                #expect(lines.count == 6 && lines.allSatisfy { $0.contains(": 0 allocations in 180 frames") })
            }
        #endif
    }
}

extension Shell {
    /// Puts a clip there of so many frames of the drawn person, 120 x 160, who moves to and fro by a pixel a frame.
    func makePersonClip(_ name: String, frames: Int) throws {
        let (width, height) = (120, 160)
        let file = try Data(contentsOf: Fixtures.directory.appendingPathComponent("body/standing.ppm"))
        let colors = [UInt8](file.suffix(3 * width * height))
        var bytes = Array("YUV4MPEG2 W\(width) H\(height) F30:1 C420jpeg\n".utf8)
        for index in 0..<frames {
            let shift = min(index % 8, 8 - index % 8)
            func color(_ x: Int, _ y: Int) -> SIMD3<Double> {
                let first = 3 * (y * width + max(0, x - shift))
                return SIMD3(Double(colors[first]), Double(colors[first + 1]), Double(colors[first + 2]))
            }
            func plane(_ step: Int, _ weights: SIMD3<Double>, _ zero: Double) -> [UInt8] {
                stride(from: 0, to: height, by: step).flatMap { y in
                    stride(from: 0, to: width, by: step).map { x in
                        UInt8(min(255, max(0, zero + (color(x, y) * weights).sum()).rounded()))
                    }
                }
            }
            bytes += Array("FRAME\n".utf8)
            // BT.601, luma of 16...235.
            bytes += plane(1, SIMD3(0.2568, 0.5041, 0.0979), 16)
            bytes += plane(2, SIMD3(-0.1482, -0.2910, 0.4392), 128)
            bytes += plane(2, SIMD3(0.4392, -0.3678, -0.0714), 128)
        }
        try Data(bytes).write(to: folder.appendingPathComponent(name))
    }
}
