import ArgumentParser
import Clips
import FileOutput
import Foundation
import ToolSupport

/// Writes frames as a video with the `ffmpeg` program. The video is made in a temporary folder, read back, and moved to
/// its target when it is complete; otherwise nothing of it remains. All frames have the size of the first.
final class OverlayVideo {
    enum Failure: Explained {
        /// The program ended with an error, or what it wrote cannot be read back.
        case program(messages: String)
        /// The program wrote fewer frames than it got, whatever its exit status: FFmpeg 5.1 ends with 0 on a full disk.
        case incomplete(written: Int, frames: Int, messages: String)
        /// The program accepted no input for this time and was ended.
        case stalled(limit: Duration)
        /// A frame has another size than the first.
        case size(first: [Int], found: [Int])
        /// There were no frames.
        case empty

        var sentence: String {
            switch self {
            case .program(let messages): "ffmpeg could not write the overlay: \(visibleLines(messages))"
            case .incomplete(let written, let frames, let messages):
                "ffmpeg wrote \(grouped(written)) of the overlay's \(grouped(frames)) frames"
                    + (messages.isEmpty ? "." : ": \(visibleLines(messages))")
            case .stalled(let limit): "ffmpeg accepted no frames of the overlay for \(limit) and was ended."
            case .size(let first, let found):
                "All frames of an overlay must have one size; the first has \(first[0])x\(first[1]), a later one "
                    + "\(found[0])x\(found[1])."
            case .empty: "The clip has no frames; no overlay was written."
            }
        }

        /// As for a file that could not be written.
        var status: Int32 {
            switch self {
            case .program, .incomplete, .stalled: ExitCode.unwritable.rawValue
            case .size, .empty: 1
            }
        }
    }

    private let target: OutputTarget
    private let folder: String
    private let rate: String
    private let stallLimit: Duration
    private var program: FedProgram?
    /// Width and height of the frames, once the first is known.
    private var size: [Int] = []
    private var frames = 0

    private var video: String { folder + "/overlay.mp4" }

    /// - Parameters:
    ///   - rate: of the video, constant; nil is 30 frames a second.
    ///   - stallLimit: the longest time without accepting input before the program is ended.
    init(_ target: OutputTarget, rate: FrameRate?, stallLimit: Duration) throws {
        self.target = target
        self.rate = rate.map { "\($0.numerator)/\($0.denominator)" } ?? "30"
        self.stallLimit = stallLimit
        folder = try TemporaryFolder.create(prefix: "overlay-")
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    private func begin(_ size: [Int]) throws -> FedProgram {
        self.size = size
        let program = try FedProgram(
            name: "ffmpeg",
            [
                "-nostdin", "-hide_banner", "-v", "error", "-f", "rawvideo", "-pix_fmt", "rgb24", "-s",
                "\(size[0])x\(size[1])", "-r", rate, "-i", "pipe:0",
                // Chroma of half the resolution requires even sides.
                "-vf", "pad=ceil(iw/2)*2:ceil(ih/2)*2", "-pix_fmt", "yuv420p", "-movflags", "+faststart", video,
            ], stallLimit: stallLimit)
        self.program = program
        return program
    }

    /// Adds a frame.
    nonisolated(nonsending) func add(_ picture: OverlayPicture) async throws {
        let found = [picture.width, picture.height]
        let program = try program ?? begin(found)
        guard size == found else { throw Failure.size(first: size, found: found) }
        guard await program.write(picture.bytes) else {
            let outcome = try await end(program)
            throw Failure.program(messages: Self.reason(outcome))
        }
        frames += 1
    }

    /// Ends the video, makes sure that it is complete, and moves it to its target.
    nonisolated(nonsending) func finish() async throws {
        guard let program else { throw Failure.empty }
        let outcome = try await end(program)
        guard outcome.exitCode == 0 else { throw Failure.program(messages: Self.reason(outcome)) }
        let written = try await writtenFrames()
        guard written == frames else {
            throw Failure.incomplete(
                written: written, frames: frames, messages: Self.lines(outcome))
        }
        var file = try OutputFile(target)
        let made = try FileHandle(forReadingFrom: URL(fileURLWithPath: video))
        defer { try? made.close() }
        while let piece = try made.read(upToCount: 1 << 20), !piece.isEmpty { try file.write([UInt8](piece)) }
        try file.finish()
    }

    private nonisolated(nonsending) func end(_ program: FedProgram) async throws -> ChildProgram.Outcome {
        do {
            return try await program.finish()
        } catch ClipError.stalled(_, let limit) {
            throw Failure.stalled(limit: limit)
        }
    }

    /// The frames that can be read from the video; 0 if it is no video.
    private nonisolated(nonsending) func writtenFrames() async throws -> Int {
        let reader = ChildProgram(name: "ffprobe", stallLimit: stallLimit)
        let text = try await reader.collect(
            [
                "-v", "error", "-select_streams", "v:0", "-count_packets", "-show_entries", "stream=nb_read_packets",
                "-of", "csv=p=0", video,
            ], endsOnInterruption: false
        ).output
        return Int(String(decoding: text, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)) ?? 0
    }

    private static func lines(_ outcome: ChildProgram.Outcome) -> String {
        outcome.messageLines.joined(separator: "\n  ")
    }

    private static func reason(_ outcome: ChildProgram.Outcome) -> String {
        let lines = lines(outcome)
        return lines.isEmpty ? outcome.exitCode.map { "status \($0)" } ?? "a signal ended it" : lines
    }
}
