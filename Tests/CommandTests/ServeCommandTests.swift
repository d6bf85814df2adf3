import Foundation
import Testing

extension CommandTests {
    /// The server of the page, as a process.
    @Suite struct ServeCommandTests {
        @Test func itServesUntilASignal() async throws {
            let shell = try Shell()
            try shell.makeClip("clip.y4m", frames: 20)
            let result = try await shell.run(
                #"""
                env --default-signal=INT "$BENCH" serve --port 0 --camera clip.y4m >text 2>errors &
                pid=$!
                until grep -q Open text; do kill -0 $pid || exit 9; sleep 0.1; done
                port=$(sed -n 's/^Open .*:\([0-9]*\)\/ .*/\1/p' text)
                timeout 30 "$BENCH" serve --port "$port" 2>taken; echo "taken: $?"
                kill -INT $pid; wait $pid; echo "ended: $?"
                """#)
            #expect(result.output.contains("taken: 1") && result.output.contains("ended: 130"), "\(result.output)")
            #expect(try shell.text("taken").contains("--port"))
            #expect(try shell.text("errors").isEmpty)
        }

        @Test func whatCannotBeServedIsSaid() async throws {
            let shell = try Shell()
            for (arguments, status, word) in [
                ("--port 65536", Int32(64), "65535"), ("--camera nothing.mp4", 1, "nothing.mp4"),
                ("--user-gestures nothing", 1, "nothing"), ("--front-end ears", 64, "ears"),
            ] {
                let result = try await shell.run(#"timeout 30 "$BENCH" serve \#(arguments)"#)
                #expect(result.status == status && result.errors.contains(word), "\(arguments): \(result.errors)")
            }
        }
    }
}
