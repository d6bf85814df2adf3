import Foundation
import TestSupport
import Testing

/// The examples as programs.
@Suite(.timeLimit(.minutes(20))) struct ExampleProgramTests {
    /// The terminal app tells the demo's gestures.
    @Test(.enabled(if: areInstalled("ffmpeg")))
    func theTerminalAppTellsTheDemo() async throws {
        let scratch = try Scratch()
        let output = try await scratch.succeed(
            """
            ffmpeg -nostdin -v error -i "$DEMO/hands.mp4" -f yuv4mpegpipe -pix_fmt yuv420p a.y4m
            "$BIN/terminal-app" <a.y4m
            """)
        let reported = output.split(separator: "\n").compactMap { line -> Substring? in
            let words = line.split(separator: " ")
            return words.contains("begin") ? words.drop { $0 != "begin" }.dropFirst().first : nil
        }
        let log = try String(
            contentsOf: Fixtures.repository.appendingPathComponent("Weights/demo/hands.jsonl"), encoding: .utf8)
        let expected = log.matches(of: /"event":"begin","label":"(\w+)"/).map(\.output.1)
        #expect(!expected.isEmpty && reported == expected)
    }

    @Test func theTerminalAppRefusesWhatIsNoVideo() async throws {
        let scratch = try Scratch()
        for header in [
            "", "P5 16 16 255\\n", "YUV4MPEG2 W0 H16\\n", "YUV4MPEG2 W16 H99999\\n", "YUV4MPEG2 W16 H16 F0:0\\n",
            "YUV4MPEG2 W16 H16 C444\\n", "YUV4MPEG2 W16 H16 C420p10\\n", "YUV4MPEG2 W16 H16\\nNOFRAME\\n",
        ] {
            let result = try await scratch.run("printf '\(header)' | \"$BIN/terminal-app\"")
            #expect(result.status == 1 && result.errors.contains("is not Y4M"), "\(header): \(result.errors)")
        }
        let cut = try await scratch.run("printf 'YUV4MPEG2 W16 H16\\nFRAME\\nabc' | \"$BIN/terminal-app\"")
        #expect(cut.status == 1 && cut.errors.contains("ends inside a frame"))
    }

    @Test func theCameraAppRefusesWhatIsNoCamera() async throws {
        let scratch = try Scratch()
        #expect(try await scratch.run("\"$BIN/linux-camera-app\"").status == 64)
        #expect(try await scratch.run("\"$BIN/linux-camera-app\" /dev/null h264").status == 64)
        let result = try await scratch.run("\"$BIN/linux-camera-app\" /dev/null yuyv")
        #expect(result.status == 1 && result.errors.contains("/dev/null is no camera"))
    }
}
