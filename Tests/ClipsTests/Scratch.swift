import Foundation
import Testing

/// A directory that goes when the test is over.
final class Scratch {
    let directory: URL

    init() throws {
        directory = FileManager.default.temporaryDirectory.appendingPathComponent("clips-" + UUID().uuidString)
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    }

    deinit {
        do {
            try FileManager.default.removeItem(at: directory)
        } catch {
            print("left behind: \(directory.path): \(error)")
        }
    }

    func path(_ name: String) -> String { directory.path + "/" + name }

    func write(_ name: String, _ bytes: [UInt8]) throws -> String {
        try Data(bytes).write(to: URL(fileURLWithPath: path(name)))
        return path(name)
    }

    func bytes(_ name: String) throws -> [UInt8] { try [UInt8](Data(contentsOf: URL(fileURLWithPath: path(name)))) }
}

/// The program that makes the clips of these tests.
enum FFmpeg {
    static let isInstalled: Bool = {
        let found = ["ffmpeg", "ffprobe"].allSatisfy { name in
            (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").contains {
                FileManager.default.isExecutableFile(atPath: "\($0)/\(name)")
            }
        }
        if !found { print("SKIPPED: clips through ffmpeg, because ffmpeg and ffprobe are not in the search path") }
        return found
    }()

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
