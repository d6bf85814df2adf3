import Foundation
import TestSupport
import Testing

typealias Scratch = ScratchFolder

/// The program that makes the clips of these tests.
enum FFmpeg {
    static let isInstalled = areInstalled("ffmpeg", "ffprobe")

    struct Failed: Error { var status: Int32 }

    static func make(_ arguments: [String]) throws {
        try command(["ffmpeg", "-v", "error", "-nostdin", "-y"] + arguments)
    }

    static func command(_ words: [String]) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = words
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw Failed(status: process.terminationStatus) }
    }
}

/// Bytes that come once, through a pipe.
struct PipedFile {
    let path: String
    private let writer = Process()

    init(_ bytes: [UInt8], in scratch: Scratch) throws {
        let file = try scratch.write("bytes", bytes)
        path = scratch.path("pipe")
        try FFmpeg.command(["mkfifo", path])
        writer.executableURL = URL(fileURLWithPath: "/bin/sh")
        writer.arguments = ["-c", "cat \"$1\" > \"$2\"", "sh", file, path]
        try writer.run()
    }

    /// Waits until all was read.
    func finish() { writer.waitUntilExit() }
}

/// A clip that is easy to predict: pixel (x, y) of frame n is (7n + 3x + 5y) mod 256, chroma is 128.
struct PlainY4M {
    var width = 6
    var height = 4
    var frames = 3
    var header = "W6 H4 F30:1"
    var frameLine = "FRAME\n"
    var chromaBytes = 12

    init() {}

    init(_ width: Int, _ height: Int, frames: Int, rate: String = "30:1", tags: String = " C420jpeg") {
        self.width = width
        self.height = height
        self.frames = frames
        header = "W\(width) H\(height) F\(rate)\(tags)"
        chromaBytes = 2 * ((width + 1) / 2) * ((height + 1) / 2)
    }

    static func luma(_ n: Int, _ width: Int, _ height: Int) -> [UInt8] {
        (0..<(width * height)).map { UInt8(truncatingIfNeeded: 7 * n + 3 * ($0 % width) + 5 * ($0 / width)) }
    }

    var bytes: [UInt8] {
        (0..<frames).reduce(Array("YUV4MPEG2 \(header)\n".utf8)) { bytes, n in
            bytes + Array(frameLine.utf8) + Self.luma(n, width, height) + Array(repeating: 128, count: chromaBytes)
        }
    }
}
