import Foundation
import TestSupport
import Testing

extension CommandTests {
    /// The landmark front end in commands, on part of the demo clip that shows a hand.
    @Suite(.enabled(if: FFmpeg.isInstalled)) struct HandCommandTests {
        private static let cut =
            #"ffmpeg -v error -ss 4 -i "$DEMO/demo.mp4" -frames:v 24 clip.y4m </dev/null || exit 99; "#

        private struct Line: Decodable {
            struct Hand: Decodable {
                let landmarks: [[Double]]
                let pose: [String: Double]
            }
            let hands: [Hand]
        }

        private struct Latency: Decodable {
            struct Summary: Decodable {
                let p50_us: Double
                let p99_us: Double
                let min_us: Double
                let n: Int
            }
            struct Streaming: Decodable {
                let crop, landmark, palm, pose, motion, features, temporal, recognition, step: Summary
            }
            let streaming: Streaming
            let front_end: String
            let tracked: Summary
            let step_mean_us: Double
            let detections: Int
            let frames_with_hands: Int
            let allocations_per_frame: Double?
        }

        @Test func anOverlayHasEveryFrameWithItsHandDrawnIn() async throws {
            let shell = try Shell()
            let result = try await shell.run(
                Self.cut + """
                    "$BENCH" hands clip.y4m --json --overlay out.mp4 >lines || exit 98
                    ffmpeg -v error -i out.mp4 -f rawvideo -pix_fmt rgb24 drawn </dev/null || exit 97
                    ffprobe -v error -show_entries stream=width,height -of csv=p=0 out.mp4
                    """)
            #expect(result.status == 0, "\(result.errors)")
            let size = result.output.split(whereSeparator: { ",\n".contains($0) }).compactMap { Int($0) }
            try #require(size.count == 2)
            let lines = try shell.text("lines").split(separator: "\n").map {
                try JSONDecoder().decode(Line.self, from: Data($0.utf8))
            }
            let drawn = try shell.bytes("drawn")
            #expect(lines.count == 24 && drawn.count == 24 * 3 * size[0] * size[1])
            var hands = 0
            for (index, line) in lines.enumerated() {
                guard let hand = line.hands.first else { continue }
                #expect(
                    hand.pose.keys.sorted() == [
                        "Closed_Fist", "ILoveYou", "None", "Open_Palm", "Pointing_Up", "Thumb_Down", "Thumb_Up",
                        "Victory",
                    ])
                #expect(abs(hand.pose.values.reduce(0, +) - 1) < 1e-4)
                let (x, y) = (Int(hand.landmarks[9][0] * Double(size[0])), Int(hand.landmarks[9][1] * Double(size[1])))
                guard (0..<size[0]).contains(x), (0..<size[1]).contains(y) else { continue }
                let first = 3 * ((index * size[1] + y) * size[0] + x)
                #expect(Int(drawn[first]) > Int(drawn[first + 1]) + 60, "frame \(index)")
                hands += 1
            }
            #expect(hands > 12)
            #expect(try shell.names == ["clip.y4m", "drawn", "lines", "out.mp4"])
        }

        /// A body is looked for, too, whose time is part of the frame's; the hands are there as without.
        @Test func handsWithABody() async throws {
            struct Line: Decodable {
                let hands: [Hand]
                let step_ms: Double
                let body_ms: Double?
                struct Hand: Decodable { let landmarks: [[Float]] }
            }
            let shell = try Shell()
            for (preparation, option) in [(Self.cut, ""), ("", "--with-body")] {
                let result = try await shell.run(preparation + "\"$BENCH\" hands clip.y4m --json --timing \(option)")
                #expect(result.status == 0, "\(result.errors)")
                let lines = try result.output.split(separator: "\n").map {
                    try JSONDecoder().decode(Line.self, from: Data($0.utf8))
                }
                #expect(lines.contains { !$0.hands.isEmpty })
                for line in lines {
                    #expect((line.body_ms != nil) == !option.isEmpty)
                    #expect(line.body_ms ?? 0 <= line.step_ms)
                }
            }
            let replay = try await shell.run(#""$BENCH" replay clip.y4m --json --with-body"#)
            #expect(replay.status == 0, "\(replay.errors)")
        }

        /// Drawn hands press, drag and let go as in the log. A page of the same replay shows the presses.
        @Test func pointersAreThoseOfTheLog() async throws {
            let folder = Fixtures.directory.appendingPathComponent("hands").path
            let shell = try Shell()
            let result = try await shell.run(
                #""$BENCH" replay "\#(folder)/pointing.mp4" --pointer --no-arms --json --html page.html | grep pointers"#
            )
            #expect(result.status == 0, "\(result.errors)")
            let events: Set = ["entered", "pressed", "released:opened", "clicked", "left"]
            let found = try PointerLine.read(result.output).filter { line in
                line.pointers?.contains { !events.isDisjoint(with: $0.events) } == true
            }
            let expected = try PointerLine.ofTheDrawnHands()
            #expect(expected.count > 5 && found.count == expected.count)
            for (line, other) in zip(found, expected) {
                let (pointers, others) = (line.pointers ?? [], other.pointers ?? [])
                #expect(abs(line.time_s - other.time_s) < 0.04 && pointers.map(\.events) == others.map(\.events))
                for (one, two) in zip(pointers, others) {
                    #expect(zip(one.position, two.position).allSatisfy { abs($0 - $1) < 0.01 })
                }
            }
            let presses = try shell.text("page.html").components(separatedBy: "pointer pressed").count - 1
            #expect(presses >= 3, "\(presses)")
        }

        @Test func pointersAreMeasuredBesideScripts() async throws {
            struct Report: Decodable {
                struct Method: Decodable {
                    struct Spread: Decodable { let median, maximum: Double }
                    struct Presses: Decodable { let found, made_up: Int }
                    let method: String
                    let jitter_px: Spread?
                    let presses: Presses?
                }
                struct LeftOut: Decodable { let candidates: Int }
                let recordings, pinches: Int
                let methods: [Method]
                let left_out: LeftOut
            }
            let shell = try Shell()
            let measured = try await shell.run(
                Self.cut + #"""
                    printf 'recording,kind,start_s,end_s\nclip.y4m,still,0.2,0.6\n' >labels.csv
                    "$BENCH" pointer . --labels labels.csv --json
                    """#)
            #expect(measured.status == 0, "\(measured.errors)")
            let report = try JSONDecoder().decode(Report.self, from: Data(measured.output.utf8))
            #expect(report.recordings == 1 && report.pinches == 0 && report.left_out.candidates > 1)
            #expect(
                report.methods.first?.method == "HandPointer" && report.methods.contains { $0.method == "handsfree.js" }
            )
            #expect(report.methods.allSatisfy { $0.jitter_px != nil && $0.presses?.found ?? 0 == 0 })
            #expect(Set(report.methods.map { $0.jitter_px?.median }).count > 2)
            let refused = try await shell.run(
                #"""
                printf 'recording,kind,start_s,end_s\nclip.y4m,click,0,1\n' >labels.csv
                "$BENCH" pointer . --labels labels.csv
                """#)
            #expect(refused.status == 1 && refused.errors.contains("labels.csv:2"), "\(refused.errors)")
        }

        /// The events do not change, and the captions lie at the top left, white on black.
        @Test func anOverlayOfAReplayHasCaptions() async throws {
            let shell = try Shell()
            let result = try await shell.run(
                Self.cut + """
                    "$BENCH" replay clip.y4m --json >plain || exit 98
                    "$BENCH" replay clip.y4m --json --overlay out.mp4 >events || exit 97
                    cmp plain events || exit 96
                    ffmpeg -v error -i out.mp4 -vf crop=40:20:0:0 -f rawvideo -pix_fmt gray drawn </dev/null
                    """)
            #expect(result.status == 0, "\(result.errors)")
            let corner = try shell.bytes("drawn").prefix(800)
            #expect(corner.contains { $0 > 180 } && corner.contains { $0 < 40 })
        }

        @Test func anOverlayIsWholeOrNotThere() async throws {
            let shell = try Shell()
            let result = try await shell.run(
                Self.cut + """
                    ln clip.y4m same.mp4
                    "$BENCH" hands clip.y4m --overlay same.mp4 >/dev/null; [ $? = 1 ] || exit 98
                    echo old >out.mp4
                    head -c 900000 clip.y4m >short.y4m
                    "$BENCH" hands short.y4m --overlay out.mp4 >/dev/null && exit 97
                    mkdir none; "$BENCH" hands clip.y4m --overlay none >/dev/null; [ $? = 1 ] || exit 96
                    cat out.mp4
                    """)
            #expect(result.status == 0, "\(result.errors)")
            #expect(result.output == "old\n")
            #expect(result.errors.contains("choose another file for the output"))
        }

        @Test func latencyOfLandmarksHasItsStagesAndAllocatesNothing() async throws {
            let shell = try Shell()
            let result = try await shell.run(
                Self.cut + #""$BENCH" latency --front-end landmarks --clip clip.y4m --frames 100 --json"#)
            #expect(result.status == 0, "\(result.errors)")
            let report = try JSONDecoder().decode(Latency.self, from: Data(result.output.utf8))
            let stages = report.streaming
            #expect(stages.step.n == 100 && stages.landmark.n == 100 && report.tracked.n > 50)
            for stage in [
                stages.crop, stages.landmark, stages.motion, stages.features, stages.temporal, stages.recognition,
            ] {
                #expect(stage.p50_us > 0 && stage.p50_us < stages.step.p50_us)
            }
            #expect((report.allocations_per_frame ?? 0) == 0)
        }

        @Test func landmarksAreTimedOnAPictureOfAHand() async throws {
            let shell = try Shell()
            // A program that was put elsewhere has no demo clip.
            for command in ["latency", "latency --front-end landmarks", "allocations"] {
                let result = try await shell.run("cp \"$BENCH\" bench; ./bench \(command) --frames 100")
                #expect(
                    result.status == 1 && result.errors.contains("Weights/demo/hands.mp4, was not found above")
                        && result.errors.contains("Give one with --clip"), "\(result.errors)")
            }
            try shell.makeClip("bars.y4m", frames: 20)
            let result = try await shell.run(
                #""$BENCH" latency --front-end landmarks --clip bars.y4m --frames 100"#)
            #expect(
                result.status == 1 && result.errors.contains("0 of 100 frames of bars.y4m show a hand"),
                "\(result.errors)")
        }

        /// The default: landmarks, on the package's clip, from any folder.
        @Test(.enabled(if: FFmpeg.isInstalled)) func landmarksOfTheDemoClipAreTimedByDefault() async throws {
            let shell = try Shell()
            let result = try await shell.run(#""$BENCH" latency --frames 200 --json"#)
            #expect(result.status == 0, "\(result.errors)")
            let report = try JSONDecoder().decode(Latency.self, from: Data(result.output.utf8))
            #expect(report.front_end == "landmarks" && report.streaming.step.n == 200)
            #expect(report.frames_with_hands >= 100)
            let bodies = try await shell.run(#""$BENCH" allocations --body --front-end pixels"#)
            #expect(bodies.status == 64, "\(bodies.errors)")
        }

        /// A model of pixels is timed by pixels, which takes no clip.
        @Test(arguments: ["--front-end pixels", #"--model "$MODEL""#])
        func pixelsAreTimedWhereTheyAreMeant(_ choice: String) async throws {
            struct Report: Decodable {
                let backend: String
                let cold_us: Double
            }
            let result = try await Shell().run(
                #"cp "$BENCH" bench; ./bench latency --frames 100 --windows 10 --json "# + choice)
            #expect(result.status == 0, "\(result.errors)")
            let report = try JSONDecoder().decode(Report.self, from: Data(result.output.utf8))
            #expect(report.backend == "int8" && report.cold_us > 0)
        }

        /// The detector runs at most every 30 ms without a hand in view. No other network runs.
        @Test func anEmptySceneIsTimedToo() async throws {
            let shell = try Shell()
            try shell.makeClip("bars.y4m", frames: 20)
            let result = try await shell.run(
                #""$BENCH" latency --front-end landmarks --clip bars.y4m --frames 120 --rate 120 --empty-scene --json"#)
            #expect(result.status == 0, "\(result.errors)")
            let report = try JSONDecoder().decode(Latency.self, from: Data(result.output.utf8))
            #expect(report.streaming.step.n == 120 && report.streaming.landmark.p99_us == 0)
            #expect(report.frames_with_hands == 0 && report.detections <= 34)
            #expect(report.step_mean_us >= report.streaming.step.min_us)
            let shown = try await shell.run(
                Self.cut + #""$BENCH" latency --front-end landmarks --clip clip.y4m --frames 100 --empty-scene"#)
            #expect(shown.status == 1 && shown.errors.contains("--empty-scene needs a clip without"), "\(shown.errors)")
        }

        #if os(Linux)
            @Test func landmarksAllocateNothing() async throws {
                let shell = try Shell()
                let result = try await shell.run(
                    Self.cut + #""$BENCH" allocations --front-end landmarks --clip clip.y4m --frames 300"#)
                #expect(result.status == 0, "\(result.errors)")
                let smooth = "two hands near regions, smoothed, pointers, a right one gestures: 0 allocations"
                #expect(result.output.contains(smooth), "\(result.output)")
            }
        #endif
    }
}
