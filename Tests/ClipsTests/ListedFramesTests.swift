import Clips
import Foundation
import TestSupport
import Testing

/// Frames that are listed while they are read: times, numbers and faults are those of a list that is made first.
@Suite(.enabled(if: FFmpeg.isInstalled, "ffmpeg and ffprobe are needed to make the clips"), .timeLimit(.minutes(20)))
struct ListedFramesTests {
    private struct Reading: Equatable {
        var times: [Duration] = []
        var error: ClipError?
        var notices: Set<ClipNotice> = []
    }

    private static func read(_ path: String, listsFramesFirst: Bool) async -> Reading {
        let notices = Notices()
        var source = notices.source()
        source.listsFramesFirst = listsFramesFirst
        let limited = source
        var reading = Reading()
        reading.error = await clipError {
            try await limited.open(path).forEachFrame { frame in
                let index = frame.index
                #expect(index == reading.times.count)
                reading.times.append(frame.time)
                return true
            }
        }
        reading.notices = Set(notices.all)
        return reading
    }

    private static let camera = ["-f", "lavfi", "-i", "testsrc=size=160x120:rate=30:duration=4"]
    private static let uneven = [
        "-f", "lavfi", "-i", "testsrc=size=64x48:rate=100:duration=0.3", "-vf", "settb=1/1000,setpts=500+N*N*10",
        "-fps_mode", "passthrough", "-enc_time_base", "1/1000",
    ]
    private static let x264 = camera + ["-c:v", "libx264"]

    /// How each clip is made.
    private static let making: [String: [String]] = [
        "a.mp4": x264 + ["-bf", "2"], "a.mkv": x264, "a.ts": x264, "a.h264": x264,
        "fragments.mp4": x264 + ["-g", "15", "-movflags", "+frag_keyframe+empty_moov"],
        "uneven.mkv": uneven + ["-c:v", "ffv1"], "uneven.gif": uneven, "a.avi": camera + ["-c:v", "mpeg4"],
        "images/%03d.png": camera + ["-frames:v", "12"],
    ]

    @Test(arguments: [
        "a.mp4", "a.mkv", "a.ts", "a.h264", "fragments.mp4", "uneven.mkv", "uneven.gif", "a.avi", "images/%03d.png",
    ])
    func readingsAgree(_ name: String) async throws {
        let scratch = try Scratch()
        try FileManager.default.createDirectory(atPath: scratch.path("images"), withIntermediateDirectories: true)
        try FFmpeg.make(#require(Self.making[name]) + [scratch.path(name)])
        let path = name.contains("/") ? scratch.path("images") : scratch.path(name)
        let first = await Self.read(path, listsFramesFirst: true)
        #expect(first.times.count >= 12 && first.error == nil)
        #expect(await Self.read(path, listsFramesFirst: false) == first)
        guard !name.contains("/") else { return }
        // The same of files that are cut off: some have no frame, or no format.
        let whole = try scratch.bytes(name)
        for share in [1, 4, 8, 15] {
            let cut = try scratch.write("cut-\(share)-" + name, Array(whole.prefix(whole.count * share / 16)))
            let first = await Self.read(cut, listsFramesFirst: true)
            #expect(await Self.read(cut, listsFramesFirst: false) == first, "\(share) of 16")
        }
    }

    /// What is known before the first frame is what the file states.
    @Test func theLengthIsTheStatedOne() async throws {
        let scratch = try Scratch()
        try FFmpeg.make(Self.camera + ["-c:v", "libx264", "-movflags", "+faststart", scratch.path("a.mp4")])
        let whole = try scratch.bytes("a.mp4")
        let cut = try scratch.write("cut.mp4", Array(whole.prefix(whole.count / 2)))
        var source = ClipSource()
        source.listsFramesFirst = false
        let clip = try await source.open(cut)
        #expect(clip.info.frameCount == 120 && clip.info.duration == .seconds(4) && clip.info.missingFrames == 0)
        let listed = try await ClipSource().open(cut)
        #expect(listed.info.frameCount ?? 120 < 120 && listed.info.missingFrames > 0)
    }

    /// A reader that has enough does not wait for the rest of the list.
    @Test func readersMayStop() async throws {
        let scratch = try Scratch()
        try FFmpeg.make([
            "-f", "lavfi", "-i", "testsrc=size=320x240:rate=30:duration=120", "-c:v", "mpeg4", scratch.path("a.mkv"),
        ])
        var source = ClipSource()
        source.listsFramesFirst = false
        let clip = try await source.open(scratch.path("a.mkv"))
        for _ in 0..<2 { #expect(try await clip.forEachFrame { $0.index < 4 } == 5) }
    }

    /// A program that lists no frame any more is reported, and not waited for.
    @Test func aListThatStalls() async throws {
        let scratch = try Scratch()
        try FFmpeg.make(Self.camera + ["-c:v", "mpeg4", scratch.path("a.mkv")])
        let script = try scratch.write(
            "ffprobe",
            Array("#!/bin/sh\ncase \"$*\" in *best_effort*) exec sleep 1000;; esac\nexec ffprobe \"$@\"\n".utf8))
        try FFmpeg.command(["chmod", "+x", script])
        var source = ClipSource()
        source.listsFramesFirst = false
        source.ffprobe = script
        source.stallLimit = .seconds(5)
        let limited = source
        let error = await clipError {
            try await limited.open(scratch.path("a.mkv")).forEachFrame { _ in
                Issue.record("a frame without a time")
                return true
            }
        }
        #expect(error == .stalled(program: script, limit: .seconds(5)))
    }
}
