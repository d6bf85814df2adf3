import Clips
import Foundation
import TestSupport
import Testing

/// Programs that produce no output. An image that is a pipe without a writer makes them wait for ever.
@Suite(
    .enabled(if: FFmpeg.isInstalled, "ffmpeg and ffprobe are needed to make the clips"), .timeLimit(.minutes(20)))
struct StallTests {
    private static func images(_ scratch: Scratch) throws {
        try FFmpeg.make([
            "-f", "lavfi", "-i", "testsrc=size=64x48:rate=30:duration=0.3", scratch.path("frame-%02d.png"),
        ])
    }

    private static func pipe(_ path: String) throws {
        try FFmpeg.command(["rm", "-f", path])
        try FFmpeg.command(["mkfifo", path])
    }

    @Test func whileTheFileIsLookedAt() async throws {
        let scratch = try Scratch()
        try Self.images(scratch)
        try Self.pipe(scratch.path("frame-04.png"))
        var source = ClipSource()
        source.stallLimit = .milliseconds(600)
        let limited = source
        #expect(
            await clipError { _ = try await limited.open(scratch.directory.path) }
                == .stalled(program: "ffprobe", limit: .milliseconds(600)))
    }

    /// Reading how an image is stored does not wait for the writer of a pipe, as opening a clip does for ten seconds.
    @Test func whileTheOrientationIsRead() throws {
        let scratch = try Scratch()
        try Self.pipe(scratch.path("frame.png"))
        let time = ContinuousClock().measure { #expect(StoredOrientation.read(path: scratch.path("frame.png")) == nil) }
        #expect(time < .seconds(9))
    }

    @Test func whileItIsDecoded() async throws {
        let scratch = try Scratch()
        try Self.images(scratch)
        var source = ClipSource()
        source.stallLimit = .seconds(10)
        let clip = try await source.open(scratch.directory.path)
        try Self.pipe(scratch.path("frame-08.png"))
        var seen = 0
        let error = await clipError {
            try await clip.forEachFrame { _ in
                seen += 1
                return true
            }
        }
        #expect(error == .stalled(program: "ffmpeg", limit: .seconds(10)) && seen < 8, "\(seen)")
    }

    /// Only the time since the program's last output counts; a slow consumer of the frames does not.
    @Test func slowTakersAreNoStall() async throws {
        let scratch = try Scratch()
        let path = scratch.path("a.mkv")
        try FFmpeg.make(["-f", "lavfi", "-i", "testsrc=size=640x480:rate=30:duration=1", "-c:v", "mpeg4", path])
        var source = ClipSource()
        source.stallLimit = .seconds(20)
        let clip = try await source.open(path)
        let seen = try await clip.forEachFrame { frame in
            if frame.index == 3 { try await Task.sleep(for: .seconds(23)) }
            return true
        }
        #expect(seen == 30)
    }
}
