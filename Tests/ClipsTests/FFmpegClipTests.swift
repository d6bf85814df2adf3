import Clips
import Foundation
import Frames
import TestSupport
import Testing

@Suite(.enabled(if: FFmpeg.isInstalled, "ffmpeg and ffprobe are needed to make the clips"))
struct FFmpegClipTests {
    /// Lossless, so the pixels are those of the Y4M they were made from.
    @Test(arguments: ["a.mkv", "-dash first.mkv", "co:lon's \"quote\" 100%.mkv", "file:b.mkv"])
    func losslessPixels(_ name: String) async throws {
        let scratch = try Scratch()
        let plain = try scratch.write("plain.y4m", PlainY4M(65, 49, frames: 12, rate: "25:1").bytes)
        try FFmpeg.make(["-i", plain, "-c:v", "ffv1", scratch.path("out.mkv")])
        try FileManager.default.moveItem(atPath: scratch.path("out.mkv"), toPath: scratch.path(name))
        let clip = try await ClipSource().open(scratch.path(name))
        #expect(clip.info.decoder == .ffmpeg(container: "matroska,webm"))
        #expect(clip.info.width == 65 && clip.info.height == 49 && clip.info.rate == FrameRate(25, 1))
        #expect(clip.info.frameCount == 12 && clip.info.duration == .milliseconds(480))
        for _ in 0..<2 {
            let recording = try await Recording(clip)
            #expect(recording.lumas == (0..<12).map { PlainY4M.luma($0, 65, 49) })
            #expect(recording.times == (0..<12).map { .milliseconds(40 * $0) })
            #expect(recording.ranges == [.video])
        }
    }

    @Test func relativeNamesThatLookLikeOptions() async throws {
        let scratch = try Scratch()
        let before = FileManager.default.currentDirectoryPath
        let plain = try scratch.write("plain.y4m", PlainY4M(16, 16, frames: 2).bytes)
        try FFmpeg.make(["-i", plain, "-c:v", "ffv1", scratch.path("out.mkv")])
        try FileManager.default.moveItem(atPath: scratch.path("out.mkv"), toPath: scratch.path("-i"))
        #expect(FileManager.default.changeCurrentDirectoryPath(scratch.directory.path))
        defer { _ = FileManager.default.changeCurrentDirectoryPath(before) }
        #expect(try await Recording(ClipSource().open("-i")).lumas.count == 2)
    }

    @Test func variableRateKeepsItsTimes() async throws {
        let scratch = try Scratch()
        let path = scratch.path("vfr.mkv")
        // Frame n is at n * n * 10 ms, after a start of 0.5 s that the times do not show.
        try FFmpeg.make([
            "-f", "lavfi", "-i", "testsrc=size=64x48:rate=100:duration=0.1", "-vf", "settb=1/1000,setpts=500+N*N*10",
            "-fps_mode", "passthrough", "-enc_time_base", "1/1000", "-c:v", "ffv1", path,
        ])
        let recording = try await Recording(ClipSource().open(path))
        #expect(recording.times == (0..<10).map { .milliseconds($0 * $0 * 10) })
    }

    @Test func gifsKeepTheirTimes() async throws {
        let scratch = try Scratch()
        let path = scratch.path("a.gif")
        try FFmpeg.make([
            "-f", "lavfi", "-i", "testsrc=size=64x48:rate=100:duration=0.06", "-vf", "settb=1/100,setpts=N*(N+3)*2",
            "-fps_mode", "passthrough", path,
        ])
        let clip = try await ClipSource().open(path)
        #expect(clip.info.decoder == .ffmpeg(container: "gif"))
        let recording = try await Recording(clip)
        #expect(recording.times == (0..<6).map { .milliseconds($0 * ($0 + 3) * 20) })
        #expect(recording.sizes == [[64, 48]])
    }

    /// Frames that are stored in another order than they are shown in come as they are shown.
    @Test func reorderedFrames() async throws {
        let scratch = try Scratch()
        let path = scratch.path("b.mp4")
        try FFmpeg.make([
            "-f", "lavfi", "-i", "testsrc=size=64x64:rate=30:duration=1", "-c:v", "mpeg4", "-bf", "2", "-q:v", "2",
            path,
        ])
        let clip = try await ClipSource().open(path)
        let recording = try await Recording(clip)
        #expect(recording.times.count == 30 && clip.info.frameCount == 30)
        for (n, time) in recording.times.enumerated() {
            let exact = Duration.nanoseconds(n * 1_000_000_000 / 30)
            #expect(time >= exact - .microseconds(100) && time <= exact + .microseconds(100), "frame \(n): \(time)")
        }
    }

    /// A quarter clockwise, as a telephone held upright writes it.
    @Test func rotationIsApplied() async throws {
        let scratch = try Scratch()
        try FFmpeg.make([
            "-f", "lavfi", "-i", "color=black:size=64x32:rate=10:duration=0.3", "-vf",
            "drawbox=x=0:y=0:w=16:h=8:color=white:t=fill", "-c:v", "mpeg4", "-q:v", "2", scratch.path("flat.mp4"),
        ])
        var bytes = try [UInt8](Data(contentsOf: URL(fileURLWithPath: scratch.path("flat.mp4"))))
        let track = Array("tkhd".utf8)
        let header = try #require(bytes.indices.first { bytes[$0...].starts(with: track) })
        // The 3 x 3 matrix follows the name and 40 bytes of other fields; 16.16 fixed point, the last column 2.30.
        let matrix: [UInt32] = [0, 0x1_0000, 0, 0xFFFF_0000, 0, 0, 0, 0, 0x4000_0000]
        let encoded = matrix.flatMap { entry in [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: entry >> $0) } }
        bytes.replaceSubrange((header + 44)..<(header + 80), with: encoded)
        let clip = try await ClipSource().open(scratch.write("turned.mp4", bytes))
        #expect(clip.info.width == 32 && clip.info.height == 64)
        let recording = try await Recording(clip)
        #expect(recording.sizes == [[32, 64]])
        let luma = try #require(recording.lumas.first)
        // The top left corner becomes the top right one.
        #expect(luma[32 + 30] > 200 && luma[32 + 1] < 40 && luma[62 * 32 + 1] < 40 && luma[62 * 32 + 30] < 40)
    }

    @Test func rangeIsVideoWhateverTheFileHas() async throws {
        let scratch = try Scratch()
        for (tag, black, white) in [("FULL", 0.0, 255.0), ("LIMITED", 16, 235)] {
            let plain = try scratch.write(
                "plain.y4m", PlainY4M(32, 32, frames: 2, tags: " C420jpeg XCOLORRANGE=\(tag)").bytes)
            let path = scratch.path("\(tag).mkv")
            try FFmpeg.make(["-i", plain, "-c:v", "ffv1", path])
            let recording = try await Recording(ClipSource().open(path))
            #expect(recording.ranges == [.video] && recording.lumas.count == 2)
            for (n, luma) in recording.lumas.enumerated() {
                let errors = zip(luma, PlainY4M.luma(n, 32, 32)).map { got, stored in
                    abs(Double(got) - (16 + (Double(stored) - black) * 219 / (white - black)))
                }
                #expect(errors.allSatisfy { $0 <= 1 }, "\(tag): \(errors.max() ?? 0)")
            }
        }
    }

    @Test(arguments: ["png", "pgm"]) func imageSequences(_ kind: String) async throws {
        let scratch = try Scratch()
        try FileManager.default.createDirectory(atPath: scratch.path("im[a]ges"), withIntermediateDirectories: true)
        for n in 0..<11 {
            // Gray images are full range and come out as video range.
            let pgm = Array("P5 8 6 255\n".utf8) + Array(repeating: UInt8(20 * n), count: 48)
            let path = try scratch.write("frame-\(String(format: "%02d", n)).pgm", pgm)
            try FFmpeg.make(["-i", path, scratch.path("im[a]ges/frame-\(String(format: "%02d", n)).\(kind)")])
        }
        try Data("not an image".utf8).write(to: URL(fileURLWithPath: scratch.path("im[a]ges/notes.txt")))
        let source = ClipSource(statedRate: FrameRate(60, 1))
        let clip = try await source.open(scratch.path("im[a]ges"))
        #expect(clip.info.width == 8 && clip.info.height == 6 && clip.info.frameCount == 11)
        let recording = try await Recording(clip)
        #expect(recording.times == (0..<11).map { .nanoseconds($0 * 1_000_000_000 / 60) })
        for (n, luma) in recording.lumas.enumerated() {
            let expected = 16 + Double(20 * n) * 219 / 255
            #expect(luma.allSatisfy { abs(Double($0) - expected) <= 1 }, "frame \(n)")
        }
        // The same by pattern, without brackets in the directory's name.
        try FileManager.default.moveItem(atPath: scratch.path("im[a]ges"), toPath: scratch.path("images"))
        let pattern = try await source.open(scratch.path("images/frame-%02d.\(kind)"))
        #expect(try await Recording(pattern) == recording)
    }

    /// 2 before 10, from names without leading zeros; nothing of that order is left behind, and no message names it.
    @Test func numberedImages() async throws {
        let scratch = try Scratch()
        let folder = scratch.path("im[a]ges %d")
        try FileManager.default.createDirectory(atPath: scratch.path("made"), withIntermediateDirectories: true)
        for n in 0..<12 {
            let pgm = Array("P5 8 6 255\n".utf8) + Array(repeating: UInt8(20 * n), count: 48)
            try FFmpeg.make(["-i", scratch.write("\(n).pgm", pgm), scratch.path("made/\(n).png")])
        }
        try FileManager.default.moveItem(atPath: scratch.path("made"), toPath: folder)
        func read() async throws -> Recording {
            let clip = try await ClipSource().open(folder)
            #expect(clip.info.frameCount == 12)
            return try await Recording(clip)
        }
        for (n, luma) in try await read().lumas.enumerated() {
            let expected = 16 + Double(20 * n) * 219 / 255
            #expect(luma.allSatisfy { abs(Double($0) - expected) <= 1 }, "frame \(n)")
        }

        try FileManager.default.removeItem(atPath: folder + "/7.png")
        try FileManager.default.createDirectory(atPath: folder + "/7.png", withIntermediateDirectories: false)
        let notices = Notices()
        let clip = try await notices.source().open(folder)
        #expect(clip.info.missingFrames > 0)
        #expect(notices.lines.allSatisfy { !$0.contains("images-") }, "\(notices.lines)")

        let temporary = FileManager.default.temporaryDirectory
        let left = try FileManager.default.contentsOfDirectory(atPath: temporary.path).filter { name in
            let first = temporary.appendingPathComponent(name + "/00000000.png").path
            let target = try? FileManager.default.destinationOfSymbolicLink(atPath: first)
            return target == folder + "/0.png"
        }
        // That of `clip`, which is still there.
        #expect(left.count <= 1)
    }

    @Test func directoriesThatAreNoClip() async throws {
        let scratch = try Scratch()
        let path = scratch.directory.path
        #expect(await clipError { _ = try await ClipSource().open(path) } == .images(path: path, extensions: []))
        _ = try scratch.write("a.png", [])
        _ = try scratch.write("b.jpg", [])
        #expect(
            await clipError { _ = try await ClipSource().open(path) }
                == .images(path: path, extensions: ["jpg", "png"]))
    }

    @Test func filesThatAreNoClip() async throws {
        let scratch = try Scratch()
        for (name, bytes) in [("empty.mp4", []), ("text.mp4", Array("This is no video at all.".utf8))] {
            let path = try scratch.write(name, bytes)
            guard
                case .notDecodable(path, let status?, let messages)? = await clipError({
                    _ = try await ClipSource().open(path)
                })
            else {
                Issue.record("\(name): another error")
                continue
            }
            #expect(status != 0 && messages.contains { $0.contains(name) }, "\(messages)")
        }
        let sound = scratch.path("sound.wav")
        try FFmpeg.make(["-f", "lavfi", "-i", "sine=duration=0.1", sound])
        #expect(await clipError { _ = try await ClipSource().open(sound) } == .noVideo(path: sound, messages: []))
        let pattern = scratch.path("absent-%d.png")
        // Nothing matches the pattern.
        #expect(
            await clipError { _ = try await ClipSource().open(pattern) } == .cannotOpen(path: pattern, code: ENOENT))
    }

    @Test func aClipThatVanishes() async throws {
        let scratch = try Scratch()
        let path = scratch.path("a.mkv")
        try FFmpeg.make(["-f", "lavfi", "-i", "testsrc=size=64x48:rate=30:duration=0.2", "-c:v", "ffv1", path])
        let clip = try await ClipSource().open(path)
        try FileManager.default.removeItem(atPath: path)
        #expect(await clipError { try await clip.forEachFrame { _ in true } } == .cannotOpen(path: path, code: ENOENT))
        try FFmpeg.command(["ln", "-s", "/dev/zero", path])
        #expect(await clipError { try await clip.forEachFrame { _ in true } } == .notRegular(path: path))
    }

    @Test func missingPrograms() async throws {
        let scratch = try Scratch()
        let path = scratch.path("a.mkv")
        try FFmpeg.make(["-f", "lavfi", "-i", "testsrc=size=64x48:rate=30:duration=0.2", "-c:v", "ffv1", path])
        var decoder = ClipSource()
        decoder.ffmpeg = "no-such-ffmpeg"
        var prober = ClipSource()
        prober.ffprobe = "no-such-ffprobe"
        for (source, program) in [(decoder, "no-such-ffmpeg"), (prober, "no-such-ffprobe")] {
            #expect(await clipError { _ = try await source.open(path) } == .programMissing(program))
        }
    }

    /// Much more output than a pipe holds is left unread: the program must not be waited for.
    @Test(.timeLimit(.minutes(20))) func stoppingAndThrowing() async throws {
        struct Enough: Error, Equatable {}
        let scratch = try Scratch()
        let path = scratch.path("long.mkv")
        try FFmpeg.make(["-f", "lavfi", "-i", "testsrc=size=640x480:rate=30:duration=10", "-c:v", "mpeg4", path])
        let clip = try await ClipSource().open(path)
        #expect(try await clip.forEachFrame { $0.index < 2 } == 3)
        await #expect(throws: Enough()) { try await clip.forEachFrame { _ in throw Enough() } }
        #expect(try await clip.forEachFrame { _ in true } == 300)
    }
}
