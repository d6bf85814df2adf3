import Clips
import Foundation
import Synchronization
import TestSupport
import Testing

/// What a source tells besides frames.
final class Notices: Sendable {
    private let reported = Mutex<[ClipNotice]>([])

    var all: [ClipNotice] { reported.withLock { $0 } }

    /// The lines of all messages.
    var lines: [String] {
        all.flatMap { notice -> [String] in
            if case .messages(_, let lines) = notice { lines } else { [] }
        }
    }

    func source(allowing: Bool = false) -> ClipSource {
        ClipSource(allowsMissingFrames: allowing) { notice in self.reported.withLock { $0.append(notice) } }
    }
}

/// Clips that are cut off or damaged, and clips that only look so.
@Suite(.enabled(if: FFmpeg.isInstalled, "ffmpeg and ffprobe are needed to make the clips"))
struct MissingFramesTests {
    private static let x264 = ["-c:v", "libx264", "-g", "30"]
    private static let sound = ["-f", "lavfi", "-i", "sine=duration=4", "-c:a", "aac"]

    /// How a test makes a clip of 120 frames at 30 Hz.
    struct Making: Sendable, CustomTestStringConvertible {
        let name: String
        let options: [String]
        var testDescription: String { name }
    }

    /// All state how long they are before the first frame.
    static let containers = [
        Making(name: "a.mp4", options: x264 + ["-movflags", "+faststart"]),
        Making(name: "sound.mp4", options: sound + x264 + ["-movflags", "+faststart"]),
        Making(name: "a.mov", options: ["-c:v", "mpeg4", "-bf", "2", "-movflags", "+faststart"]),
        Making(name: "a.mkv", options: x264),
        Making(name: "sound.mkv", options: sound + x264),
        // In real time libvpx adapts to the machine's load, and no two files are alike.
        Making(name: "a.webm", options: ["-c:v", "libvpx", "-deadline", "good", "-cpu-used", "5"]),
        Making(name: "a.avi", options: ["-c:v", "mpeg4"]),
        Making(name: "a.flv", options: ["-c:v", "flv"]),
    ]

    private static let camera = ["-f", "lavfi", "-i", "testsrc=size=160x120:rate=30:duration=4"]

    private static func make(_ making: Making, in scratch: Scratch) throws -> [UInt8] {
        try FFmpeg.make(camera + making.options + [scratch.path(making.name)])
        return try scratch.bytes(making.name)
    }

    /// Reads all frames, and what comes after the last one.
    private static func read(_ path: String, _ source: ClipSource) async throws -> (seen: Int, error: ClipError?) {
        let clip = try await source.open(path)
        var seen = 0
        let error = await clipError {
            try await clip.forEachFrame { _ in
                seen += 1
                return true
            }
        }
        return (seen, error)
    }

    /// Every frame that is there comes, then the error; with leave a note takes its place.
    @Test(arguments: containers) func aFileCutInTheMiddle(_ making: Making) async throws {
        let scratch = try Scratch()
        let whole = try Self.make(making, in: scratch)
        let path = try scratch.write("cut-" + making.name, Array(whole.prefix(whole.count / 2)))
        let notices = Notices()
        let (seen, error) = try await Self.read(path, notices.source())
        #expect((5..<110).contains(seen))
        guard case .framesMissing(path, seen, let stated)? = error else {
            Issue.record("\(seen) frames, then \(String(describing: error))")
            return
        }
        #expect((119...122).contains(stated), "\(stated)")
        #expect(!notices.lines.isEmpty && notices.lines.count == notices.lines.count { $0.utf8.count <= 400 })
        #expect(!notices.lines.contains { $0.contains("/dev/fd") || $0.contains(" @ 0x") }, "\(notices.lines)")

        let lenient = Notices()
        let clip = try await lenient.source(allowing: true).open(path)
        #expect(clip.info.frameCount == seen && clip.info.missingFrames == stated - seen)
        #expect(try await clip.forEachFrame { _ in true } == seen)
        #expect(lenient.all.last == .framesMissing(path: path, found: seen, stated: stated))
        #expect(lenient.lines == notices.lines)
    }

    @Test(arguments: containers) func aWholeFile(_ making: Making) async throws {
        let scratch = try Scratch()
        _ = try Self.make(making, in: scratch)
        let notices = Notices()
        let (seen, error) = try await Self.read(scratch.path(making.name), notices.source())
        #expect(seen == 120 && error == nil && notices.all.isEmpty, "\(notices.all)")
    }

    /// Cut between two clusters, where no element is broken.
    @Test func aFileCutBetweenClusters() async throws {
        let scratch = try Scratch()
        let whole = try Self.make(Self.containers[3], in: scratch)
        let clusters = whole.indices.filter { whole[$0...].starts(with: [0x1F, 0x43, 0xB6, 0x75]) }
        let third = try #require(clusters.count == 4 ? clusters[2] : nil)
        let path = try scratch.write("cut.mkv", Array(whole.prefix(third)))
        let (seen, error) = try await Self.read(path, ClipSource())
        #expect(seen == 60 && error == .framesMissing(path: path, found: 60, stated: 120))
    }

    @Test(arguments: [containers[0], containers[3], containers[5]]) func aHoleInTheMiddle(_ making: Making) async throws
    {
        let scratch = try Scratch()
        var bytes = try Self.make(making, in: scratch)
        let hole = bytes.count * 5 / 8
        bytes.replaceSubrange(hole..<hole + 1500, with: repeatElement(0xFF, count: 1500))
        let path = try scratch.write("hole-" + making.name, bytes)
        let notices = Notices()
        let (seen, error) = try await Self.read(path, notices.source())
        #expect((60..<120).contains(seen) && error == .framesMissing(path: path, found: seen, stated: 120))
        #expect(!notices.lines.isEmpty)
    }

    /// A frame that the decoder repairs is present, and the decoder's messages are reported.
    @Test func aFrameThatIsMended() async throws {
        let scratch = try Scratch()
        let path = scratch.path("a.avi")
        // The encoder cuts a frame into as many slices as it has threads, by default one for each core.
        try FFmpeg.make(Self.camera + ["-c:v", "mpeg4", "-threads", "2", "-q:v", "2", path])
        var bytes = try scratch.bytes("a.avi")
        let middle = try #require(
            bytes.indices.filter { bytes[$0...].starts(with: Array("00dc".utf8)) }.dropFirst(60).first)
        bytes.replaceSubrange((middle + 408)..<(middle + 438), with: repeatElement(0xFF, count: 30))
        _ = try scratch.write("a.avi", bytes)
        let notices = Notices()
        let (seen, error) = try await Self.read(path, notices.source())
        #expect(seen == 120 && error == nil)
        #expect(notices.lines.contains { $0.hasPrefix("[mpeg4] ") }, "\(notices.all)")
    }

    /// What a damaged clip makes a program write is bounded, in lines and in their lengths.
    @Test func manyMessages() async throws {
        let scratch = try Scratch()
        var bytes = try Self.make(Self.containers[0], in: scratch)
        for index in stride(from: 3_000, to: bytes.count, by: 97) { bytes[index] ^= 0x5A }
        let path = try scratch.write("noise.mp4", bytes)
        let notices = Notices()
        _ = try await Self.read(path, notices.source(allowing: true))
        let batches = notices.all.compactMap { notice -> Int? in
            if case .messages(path, let lines) = notice { lines.count } else { nil }
        }
        #expect((1...2).contains(batches.count) && batches.allSatisfy { $0 <= 9 })
        #expect(notices.lines.contains { $0.hasSuffix("lines left out)") }, "\(notices.lines)")
        #expect(Set(notices.lines).count >= notices.lines.count - 1)
    }

    /// Clips of a variable rate, with pauses, trimmed by an edit list, or with more sound than pictures: nothing is missing.
    static let odd: [(String, [String])] = [
        ("squares.mkv", ["-vf", "settb=1/1000,setpts=500+N*N*10", "-enc_time_base", "1/1000", "-c:v", "ffv1"]),
        ("squares.mp4", ["-vf", "settb=1/1000,setpts=500+N*N*10", "-enc_time_base", "1/1000"] + x264),
        ("pause.mkv", ["-vf", "select='not(between(n,40,100))'"] + x264),
        ("pause.mp4", ["-vf", "select='not(between(n,40,100))'"] + x264),
        ("pause.avi", ["-vf", "select='not(between(n,40,100))'", "-c:v", "mpeg4"]),
        ("pause.flv", ["-vf", "select='not(between(n,40,100))'", "-c:v", "flv"]),
        ("random.webm", ["-vf", "select='gt(random(1),0.6)'", "-c:v", "libvpx", "-cpu-used", "8"]),
        ("random.mp4", ["-vf", "select='gt(random(1),0.6)'"] + x264),
        ("long.mkv", ["-f", "lavfi", "-i", "sine=duration=9"] + x264),
        ("long.mp4", ["-f", "lavfi", "-i", "sine=duration=9"] + x264),
        ("long.avi", ["-f", "lavfi", "-i", "sine=duration=9", "-c:v", "mpeg4"]),
        ("long.flv", ["-f", "lavfi", "-i", "sine=duration=9", "-c:v", "flv"]),
        ("one.mp4", ["-frames:v", "1"] + x264),
        ("one.mkv", ["-frames:v", "1"] + x264),
        ("hidden.webm", ["-c:v", "libvpx", "-auto-alt-ref", "1", "-lag-in-frames", "16", "-cpu-used", "8"]),
        ("live.webm", ["-c:v", "libvpx", "-live", "1", "-cpu-used", "8"]),
        ("pieces.mp4", x264 + ["-movflags", "frag_keyframe+empty_moov"]),
        ("fields.mp4", x264 + ["-flags", "+ilme+ildct", "-x264opts", "tff=1"]),
        ("a.ts", x264), ("a.gif", []), ("a.ogv", ["-c:v", "libtheora"]), ("a.wmv", []), ("a.nut", ["-c:v", "ffv1"]),
    ]

    @Test(arguments: odd.map(\.0)) func nothingIsMissing(_ name: String) async throws {
        let scratch = try Scratch()
        let options = try #require(Self.odd.first { $0.0 == name }?.1)
        try FFmpeg.make(Self.camera + options + ["-fps_mode", "passthrough", scratch.path(name)])
        let notices = Notices()
        let (seen, error) = try await Self.read(scratch.path(name), notices.source())
        #expect(
            seen >= 1 && error == nil && notices.all.isEmpty, "\(seen), \(String(describing: error)), \(notices.all)")
    }

    /// Cut without encoding anew: frames before the beginning are in the file and are not shown.
    @Test(arguments: ["mp4", "mkv", "mov"], ["4", "1.2"]) func trimmed(_ kind: String, _ length: String) async throws {
        let scratch = try Scratch()
        for filter in ["null", "select='not(between(n,40,70))+eq(n,55)'"] {
            try FFmpeg.make(
                Self.camera + ["-vf", filter, "-fps_mode", "passthrough"] + Self.x264 + [scratch.path("whole.\(kind)")])
            let path = scratch.path("trimmed.\(kind)")
            try FFmpeg.make(["-ss", "1.5", "-t", length, "-i", scratch.path("whole.\(kind)"), "-c", "copy", path])
            let notices = Notices()
            let (seen, error) = try await Self.read(path, notices.source())
            #expect(seen > 5 && error == nil && notices.all.isEmpty, "\(seen), \(String(describing: error))")
        }
    }

    /// A file that is not an image, or that is empty, is named.
    @Test(arguments: [[], Array("no image".utf8)]) func imagesThatAreNone(_ bytes: [UInt8]) async throws {
        let scratch = try Scratch()
        try FFmpeg.make(Self.camera + ["-frames:v", "9", scratch.path("frame-%02d.png")])
        _ = try scratch.write("frame-05.png", bytes)
        let (seen, error) = try await Self.read(scratch.directory.path, ClipSource())
        #expect(
            seen == 8 && error == .imagesDamaged(path: scratch.directory.path, names: ["frame-05.png"], count: 1))
    }

    /// No error names missing frames where reading stops before the end.
    @Test func stoppingBeforeTheEnd() async throws {
        let scratch = try Scratch()
        let whole = try Self.make(Self.containers[0], in: scratch)
        let path = try scratch.write("cut.mp4", Array(whole.prefix(whole.count / 2)))
        let clip = try await ClipSource().open(path)
        #expect(clip.info.missingFrames > 10)
        #expect(try await clip.forEachFrame { $0.index < 2 } == 3)
    }
}
