import Foundation
import Platform
import Subprocess

/// A camera of this machine, read through Video4Linux by the `ffmpeg` program, without sound.
package struct CameraProgram: Sendable {
    /// The device.
    package let path: String
    private let source: ClipSource

    /// - Returns: nil if the path is no character device, as cameras are.
    package init?(_ path: String, source: ClipSource) {
        guard path != "-", path.hasPrefix("/"),
            (try? FileManager.default.attributesOfItem(atPath: path))?[.type] as? FileAttributeType
                == .typeCharacterSpecial
        else { return nil }
        self.path = path
        self.source = source
    }

    /// Lends each frame to `body` as it comes, with the time since the first, until `body` returns false, the process
    /// is interrupted (`Interruption`), or the camera is unplugged.
    /// - Throws: `ClipError`; errors of `body`, unchanged; `CancellationError` between two frames.
    package nonisolated(nonsending) func forEachFrame(
        _ body: nonisolated(nonsending) (borrowing ClipFrame) async throws -> Bool
    ) async throws {
        var stream = Y4MStream()
        let tool = ChildProgram(name: source.ffmpeg, stallLimit: source.stallLimit)
        let clock = ContinuousClock()
        var begin: ContinuousClock.Instant?
        let outcome = try await tool.run(
            [
                "-nostdin", "-hide_banner", "-v", "error", "-f", "v4l2", "-i", path, "-an", "-fps_mode", "passthrough",
                "-pix_fmt", "yuv420p", "-f", "yuv4mpegpipe", "pipe:1",
            ], on: nil
        ) { piece in
            var offset = 0
            while try consume(piece.bytes, from: &offset, &stream) {
                try Task.checkCancellation()
                let now = clock.now
                let first = begin ?? now
                begin = first
                let time = first.duration(to: now)
                guard try await stream.lend(index: stream.frameCount - 1, time: time, to: body), !Interruption.hasCome
                else { return false }
            }
            return true
        }
        if let interruption = outcome.interruption { throw interruption }
        guard !outcome.isFinished || outcome.exitCode == 0 else {
            throw ClipError.notDecodable(path: path, status: outcome.exitCode, messages: outcome.messageLines)
        }
    }

    private func consume(_ bytes: RawSpan, from offset: inout Int, _ stream: inout Y4MStream) throws(ClipError) -> Bool
    {
        do throws(Y4MError) {
            return try stream.consume(bytes, from: &offset)
        } catch {
            throw .y4m(path: path, error)
        }
    }
}
