import ArgumentParser
import Clips
import FileOutput
import Foundation
import Synchronization
import ToolSupport

/// Writes frames as a video with the `ffmpeg` program. The video is made in a temporary folder and moved to its target
/// when it is finished; otherwise nothing of it remains. All frames have the size of the first.
final class OverlayVideo {
    enum Failure: Explained {
        /// The program cannot be started, or it ended with an error.
        case program(status: Int32, messages: String)
        /// The program accepted no input for this time and was ended.
        case stalled(limit: Duration)
        /// A frame has another size than the first.
        case size(first: [Int], found: [Int])
        /// There were no frames.
        case empty

        var sentence: String {
            switch self {
            case .program(_, let messages): "ffmpeg could not write the overlay: \(visible(messages))"
            case .stalled(let limit): "ffmpeg accepted no frames of the overlay for \(limit) and was ended."
            case .size(let first, let found):
                "All frames of an overlay must have one size; the first has \(first[0])x\(first[1]), a later one "
                    + "\(found[0])x\(found[1])."
            case .empty: "The clip has no frames; no overlay was written."
            }
        }

        /// As for a file that could not be written, except if `env` did not find the program.
        var status: Int32 {
            switch self {
            case .program(126...127, _): 1
            case .program, .stalled: ExitCode.unwritable.rawValue
            case .size, .empty: 1
            }
        }
    }

    private let target: OutputTarget
    private let folder: URL
    private let process = Process()
    private let pictures = Pipe()
    private let rate: String
    private let stallLimit: Duration
    private let isStalled = Atomic(false)
    /// Width and height of the frames, once the first is known.
    private var size: [Int]?

    private var video: URL { folder.appendingPathComponent("overlay.mp4") }
    private var messages: URL { folder.appendingPathComponent("messages") }

    /// - Parameters:
    ///   - rate: of the video, constant; nil is 30 frames a second.
    ///   - stallLimit: the longest time without accepting input before the program is ended.
    init(_ target: OutputTarget, rate: FrameRate?, stallLimit: Duration) throws {
        self.target = target
        self.rate = rate.map { "\($0.numerator)/\($0.denominator)" } ?? "30"
        self.stallLimit = stallLimit
        folder = URL(fileURLWithPath: try TemporaryFolder.create(prefix: "overlay-"))
    }

    deinit {
        if process.isRunning { kill(process.processIdentifier, SIGKILL) }
        try? FileManager.default.removeItem(at: folder)
    }

    private func begin(_ size: [Int]) throws {
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = [
            "ffmpeg", "-nostdin", "-hide_banner", "-v", "error", "-f", "rawvideo", "-pix_fmt", "rgb24", "-s",
            "\(size[0])x\(size[1])", "-r", rate, "-i", "pipe:0",
            // Chroma of half the resolution requires even sides.
            "-vf", "pad=ceil(iw/2)*2:ceil(ih/2)*2", "-pix_fmt", "yuv420p", "-movflags", "+faststart", video.path,
        ]
        process.standardInput = pictures
        process.standardOutput = FileHandle.nullDevice
        _ = FileManager.default.createFile(atPath: messages.path, contents: nil)
        process.standardError = try FileHandle(forWritingTo: messages)
        try process.run()
        try? pictures.fileHandleForReading.close()
        self.size = size
    }

    /// Adds a frame.
    func add(_ picture: OverlayPicture) throws {
        let found = [picture.width, picture.height]
        if size == nil { try begin(found) }
        guard let size, size == found else { throw Failure.size(first: size ?? found, found: found) }
        do {
            try bounded { try pictures.fileHandleForWriting.write(contentsOf: Data(picture.bytes)) }
        } catch {
            // The program has ended, and its messages tell why.
            process.waitUntilExit()
            throw failure
        }
    }

    /// Ends the video and moves it to its target.
    func finish() throws {
        guard size != nil else { throw Failure.empty }
        try pictures.fileHandleForWriting.close()
        try bounded { process.waitUntilExit() }
        guard process.terminationStatus == 0, !isStalled.load(ordering: .relaxed) else { throw failure }
        var file = try OutputFile(target)
        let made = try FileHandle(forReadingFrom: video)
        defer { try? made.close() }
        while let piece = try made.read(upToCount: 1 << 20), !piece.isEmpty { try file.write([UInt8](piece)) }
        try file.finish()
    }

    /// Does work that waits for the program, which is ended after the limit.
    private func bounded(_ work: () throws -> Void) throws {
        let program = process.processIdentifier
        let item = DispatchWorkItem { [weak self] in
            self?.isStalled.store(true, ordering: .relaxed)
            kill(program, SIGKILL)
        }
        DispatchQueue.global().asyncAfter(deadline: .now() + stallLimit.inSeconds, execute: item)
        defer { item.cancel() }
        try work()
    }

    private var failure: Failure {
        guard !isStalled.load(ordering: .relaxed) else { return .stalled(limit: stallLimit) }
        let text = (try? String(contentsOf: messages, encoding: .utf8)) ?? ""
        let reason = text.trimmingCharacters(in: .whitespacesAndNewlines)
        return .program(
            status: process.terminationStatus,
            messages: reason.isEmpty ? "status \(process.terminationStatus)" : String(reason.prefix(2_000)))
    }
}
