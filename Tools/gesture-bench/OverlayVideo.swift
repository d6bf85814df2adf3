import ArgumentParser
import Clips
import FileOutput
import Foundation
import ToolSupport

/// Writes pictures as a video by the `ffmpeg` program. It is made in a folder of its own, and put in its place whole when it is
/// finished; of one that is not, nothing remains.
final class OverlayVideo {
    enum Failure: Explained {
        /// The program cannot be started, or it ended with an error.
        case program(status: Int32, messages: String)

        var sentence: String {
            switch self {
            case .program(_, let messages): "ffmpeg could not write the overlay: \(visible(messages))"
            }
        }

        /// As of a file that could not be written, unless `env` did not find the program.
        var status: Int32 {
            switch self {
            case .program(126...127, _): 1
            case .program: ExitCode.unwritable.rawValue
            }
        }
    }

    private let target: OutputTarget
    private let folder: URL
    private let process = Process()
    private let pictures = Pipe()

    private var video: URL { folder.appendingPathComponent("overlay.mp4") }
    private var messages: URL { folder.appendingPathComponent("messages") }

    /// - Parameters:
    ///   - info: of the clip that is drawn into; the video has its constant rate, or 30 frames a second.
    init(_ target: OutputTarget, of info: ClipInfo) throws {
        self.target = target
        folder = URL(fileURLWithPath: try TemporaryFolder.create(prefix: "overlay-"))
        let rate = info.rate.map { "\($0.numerator)/\($0.denominator)" } ?? "30"
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = [
            "ffmpeg", "-nostdin", "-hide_banner", "-v", "error", "-f", "rawvideo", "-pix_fmt", "rgb24", "-s",
            "\(info.width)x\(info.height)", "-r", rate, "-i", "pipe:0",
            // Chroma of half the size takes even sides.
            "-vf", "pad=ceil(iw/2)*2:ceil(ih/2)*2", "-pix_fmt", "yuv420p", "-movflags", "+faststart", video.path,
        ]
        process.standardInput = pictures
        process.standardOutput = FileHandle.nullDevice
        _ = FileManager.default.createFile(atPath: messages.path, contents: nil)
        process.standardError = try FileHandle(forWritingTo: messages)
        try process.run()
        try? pictures.fileHandleForReading.close()
    }

    deinit {
        if process.isRunning { process.terminate() }
        try? FileManager.default.removeItem(at: folder)
    }

    /// Adds a picture of the clip's size.
    func add(_ picture: OverlayPicture) throws {
        do {
            try pictures.fileHandleForWriting.write(contentsOf: Data(picture.bytes))
        } catch {
            // The program has gone, and says why.
            process.waitUntilExit()
            throw failure
        }
    }

    /// Ends the video and puts it in its place.
    func finish() throws {
        try pictures.fileHandleForWriting.close()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw failure }
        var file = try OutputFile(target)
        let made = try FileHandle(forReadingFrom: video)
        defer { try? made.close() }
        while let piece = try made.read(upToCount: 1 << 20), !piece.isEmpty { try file.write([UInt8](piece)) }
        try file.finish()
    }

    private var failure: Failure {
        let text = (try? String(contentsOf: messages, encoding: .utf8)) ?? ""
        let reason = text.trimmingCharacters(in: .whitespacesAndNewlines)
        return .program(
            status: process.terminationStatus,
            messages: reason.isEmpty ? "status \(process.terminationStatus)" : String(reason.prefix(2_000)))
    }
}
