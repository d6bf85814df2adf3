import Clips
import Foundation
import Frames
import Synchronization
import TestSupport
import Testing

/// Luma, blue and red difference of every frame, as colour views show them; empty without colour.
private func planes(_ clip: Clip) async throws -> [[[UInt8]]] {
    func bytes(_ span: RawSpan) -> [UInt8] { unsafe span.withUnsafeBytes { unsafe Array($0) } }
    var frames: [[[UInt8]]] = []
    try await clip.forEachFrame { frame in
        let view = try frame.colorView()
        let (format, matrix, size, isColor) = (view.format, view.matrix, [view.width, view.height], view.isColor)
        #expect(format == .i420(frame.range) && matrix == .bt601 && size == [frame.width, frame.height])
        guard let chroma = view.chroma else {
            #expect(!isColor)
            frames.append([])
            return true
        }
        let bytesPerRow = chroma.bytesPerRow
        #expect(isColor && bytesPerRow == (frame.width + 1) / 2)
        frames.append([bytes(view.plane), bytes(chroma.blue), bytes(chroma.red)])
        return true
    }
    return frames
}

@Suite struct ClipColorTests {
    private static func plane(_ n: Int, _ seed: Int, _ width: Int, _ height: Int) -> [UInt8] {
        (0..<(width * height)).map { UInt8(truncatingIfNeeded: 31 * n + seed + 3 * ($0 % width) + 7 * ($0 / width)) }
    }

    /// Odd sides, and frames that are larger than what is read at a time.
    @Test(arguments: [(6, 4), (1, 1), (7, 5), (801, 601)]) func chromaOfY4M(_ width: Int, _ height: Int) async throws {
        let expected = (0..<4).map { n in
            [
                Self.plane(n, 0, width, height), Self.plane(n, 100, (width + 1) / 2, (height + 1) / 2),
                Self.plane(n, 200, (width + 1) / 2, (height + 1) / 2),
            ]
        }
        for tag in ["", " C420", " C420jpeg", " C420mpeg2", " C420paldv"] {
            let bytes = expected.reduce(Array("YUV4MPEG2 W\(width) H\(height) F30:1\(tag)\n".utf8)) { bytes, planes in
                bytes + Array("FRAME\n".utf8) + planes.joined()
            }
            let scratch = try Scratch()
            let clip = try await ClipSource().open(scratch.write("a.y4m", bytes))
            let found = try await planes(clip) == expected
            #expect(found, "\(tag)")
        }
    }

    @Test func grayClipsAreGray() async throws {
        var plain = PlainY4M(6, 4, frames: 3, tags: " Cmono")
        plain.chromaBytes = 0
        let scratch = try Scratch()
        let clip = try await ClipSource().open(scratch.write("a.y4m", plain.bytes))
        #expect(try await planes(clip) == [[], [], []])
    }

    /// Every layout but 4:2:0 comes as RGBA in which every chroma sample counts: the left half is red, the right half blue.
    @Test(arguments: [("422", 2, 1), ("444", 1, 1), ("411", 4, 1), ("410", 4, 4), ("440", 1, 2), ("444alpha", 1, 1)])
    func finerChroma(_ tag: String, _ across: Int, _ down: Int) async throws {
        let (width, height) = (16, 8)
        let columns = (width + across - 1) / across
        let rows = (height + down - 1) / down
        func plane(_ left: UInt8, _ right: UInt8) -> [UInt8] {
            (0..<rows * columns).map { $0 % columns < columns / 2 ? left : right }
        }
        // BT.601 in video range: red is 81, 90, 240; blue 41, 240, 110.
        let luma = (0..<width * height).map { UInt8($0 % width < width / 2 ? 81 : 41) }
        let frame = luma + plane(90, 240) + plane(240, 110) + (tag == "444alpha" ? luma : [])
        let bytes = Array("YUV4MPEG2 W\(width) H\(height) F30:1 C\(tag)\nFRAME\n".utf8) + frame
        let scratch = try Scratch()
        let clip = try await ClipSource().open(scratch.write("a.y4m", bytes))
        #expect(clip.info.frameCount == 1)
        try await clip.forEachFrame { frame in
            let view = try frame.colorView()
            #expect(view.format == .rgba && view.width == width && view.height == height)
            for y in 0..<height {
                // The middle, where chroma is between both, is left out.
                for x in [0, 1, 2, 3, 12, 13, 14, 15] {
                    let pixel = (0..<3).map { channel in
                        Int(
                            unsafe view.plane.unsafeLoad(
                                fromByteOffset: y * view.bytesPerRow + 4 * x + channel, as: UInt8.self))
                    }
                    let expected = x < 8 ? [254, 0, 0] : [0, 0, 255]
                    #expect(zip(pixel, expected).allSatisfy { abs($0 - $1) <= 2 }, "\(tag) \(x),\(y): \(pixel)")
                }
            }
            return true
        }
    }

    /// Pixels that are not square are made so; no side gets shorter, and the pattern keeps its place.
    @Test(arguments: [("4:3", 16, 6), ("3:4", 12, 8), ("0:0", 12, 6), ("1:1", 12, 6)])
    func squarePixels(_ aspect: String, _ width: Int, _ height: Int) async throws {
        for (tag, chromaBytes) in [("420", 36), ("444", 144), ("mono", 0)] {
            let luma = (0..<72).map { UInt8($0 % 12 < 6 ? 40 : 200) }
            let bytes =
                Array("YUV4MPEG2 W12 H6 F30:1 A\(aspect) C\(tag)\nFRAME\n".utf8) + luma
                + [UInt8](repeating: 128, count: chromaBytes)
            let scratch = try Scratch()
            let clip = try await ClipSource().open(scratch.write("a.y4m", bytes))
            #expect(clip.info.width == width && clip.info.height == height)
            try await clip.forEachFrame { frame in
                let view = try frame.colorView()
                #expect(view.width == width && view.height == height)
                let pixels = frame.pixels
                #expect(pixels.count == width * height)
                for y in 0..<height {
                    #expect(pixels[y * width] == 40 && pixels[y * width + width - 1] == 200, "\(tag) \(aspect)")
                }
                return true
            }
        }
    }

    /// Red and blue in turn pixel by pixel, as a dithered GIF has them: chroma of half the width would be one violet.
    @Test(.enabled(if: FFmpeg.isInstalled, "ffmpeg is needed to make the clip")) func rgbStaysRGB() async throws {
        let scratch = try Scratch()
        let path = scratch.path("a.png")
        let pixels = (0..<16 * 8).flatMap { index -> [UInt8] in
            (index % 16 + index / 16) % 2 == 0 ? [255, 0, 0] : [0, 0, 255]
        }
        let ppm = try scratch.write("a.ppm", Array("P6 16 8 255\n".utf8) + pixels)
        try FFmpeg.make(["-i", ppm, path])
        try await ClipSource().open(path).forEachFrame { frame in
            let view = try frame.colorView()
            #expect(view.format == .rgba)
            let found = (0..<16 * 8).flatMap { index -> [UInt8] in
                (0..<3).map { channel in
                    unsafe view.plane.unsafeLoad(fromByteOffset: 4 * index + channel, as: UInt8.self)
                }
            }
            #expect(found == pixels)
            return true
        }
    }

    /// The size is that of the frames that come: with a rotation in EXIF, with pixels that are not square, and after a change.
    @Test(.enabled(if: FFmpeg.isInstalled, "ffmpeg is needed to make the clip")) func sizesOfWhatComes() async throws {
        let scratch = try Scratch()
        let wide = scratch.path("wide.mkv")
        try FFmpeg.make([
            "-f", "lavfi", "-i", "testsrc=size=48x32:rate=10:duration=0.2,setsar=4/3", "-c:v", "ffv1", wide,
        ])
        let clip = try await ClipSource().open(wide)
        #expect(clip.info.width == 64 && clip.info.height == 32)
        try await clip.forEachFrame { frame in
            #expect(frame.width == 64 && frame.height == 32)
            return true
        }

        // An APP1 segment with the one tag: orientation 6, a quarter turn.
        let plain = scratch.path("plain.jpg")
        try FFmpeg.make(["-f", "lavfi", "-i", "testsrc=size=48x32:rate=1:duration=1", "-frames:v", "1", plain])
        let tiff: [UInt8] = [
            0x4D, 0x4D, 0, 42, 0, 0, 0, 8, 0, 1, 1, 0x12, 0, 3, 0, 0, 0, 1, 0, 6, 0, 0, 0, 0, 0, 0,
        ]
        let exif = Array("Exif".utf8) + [0, 0] + tiff
        let picture = try scratch.bytes("plain.jpg")
        let turned = try scratch.write(
            "turned.jpg", Array(picture[..<2]) + [0xFF, 0xE1, 0, UInt8(exif.count + 2)] + exif + picture[2...])
        let photograph = try await ClipSource().open(turned)
        #expect(photograph.info.width == 32 && photograph.info.height == 48)
        try await photograph.forEachFrame { frame in
            #expect(frame.width == 32 && frame.height == 48)
            return true
        }

        // Images of two sizes come in the first one's.
        let folder = scratch.path("images")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        try FFmpeg.make([
            "-f", "lavfi", "-i", "testsrc=size=48x32:rate=1:duration=1", "-frames:v", "1", folder + "/1.JPG",
        ])
        try FFmpeg.make([
            "-f", "lavfi", "-i", "testsrc=size=64x64:rate=1:duration=1", "-frames:v", "1", folder + "/2.jpeg",
        ])
        let images = try await ClipSource().open(folder)
        var seen: [[Int]] = []
        try await images.forEachFrame { frame in
            seen.append([frame.width, frame.height])
            return true
        }
        #expect(seen == [[48, 32], [48, 32]])
    }

    /// A perceptual quantiser's curve is undone: what is bright comes bright.
    @Test(.enabled(if: FFmpeg.isInstalled, "ffmpeg is needed to make the clip")) func highDynamicRange() async throws {
        let scratch = try Scratch()
        let path = scratch.path("pq.mkv")
        // 10-bit luma of 600 is bright: PQ has all that a standard display shows in the lower half of its codes.
        try FFmpeg.make([
            "-f", "lavfi", "-i", "color=black:size=32x32:rate=10:duration=0.2", "-vf",
            "format=yuv420p10le,geq=lum=600:cb=512:cr=512", "-color_trc", "smpte2084", "-color_primaries", "bt2020",
            "-colorspace", "bt2020nc", "-c:v", "ffv1", path,
        ])
        let notices = Mutex<[ClipNotice]>([])
        let clip = try await ClipSource(notify: { notice in notices.withLock { $0.append(notice) } }).open(path)
        var luma = 0
        try await clip.forEachFrame { frame in
            luma = Int(frame.pixels[0])
            return true
        }
        let isUndone = !notices.withLock { $0.contains(.highDynamicRange(path: path, transfer: "smpte2084")) }
        // As it is stored it would be 600 / 4 = 150.
        #expect(isUndone ? luma > 180 : luma == 150, "\(luma)")
    }

    @Test func aRegion() async throws {
        let scratch = try Scratch()
        let clip = try await ClipSource().open(scratch.write("a.y4m", PlainY4M(6, 4, frames: 1).bytes))
        let region = PixelView.Region(x: 1, y: 1, width: 3, height: 2)
        try await clip.forEachFrame { frame in
            let view = try frame.colorView(region: region)
            let (found, isColor) = (view.region, view.isColor)
            #expect(found == region && isColor)
            return true
        }
        let outside = PixelView.Region(x: 5, y: 0, width: 2, height: 1)
        await #expect(throws: PixelView.FrameError.region(outside, width: 6, height: 4)) {
            try await clip.forEachFrame { frame in
                _ = try frame.colorView(region: outside).width
                return true
            }
        }
    }

    /// Red as BT.601 has it in video range: 81, 90, 240.
    @Test(.enabled(if: FFmpeg.isInstalled, "ffmpeg is needed to make the clip")) func decoded() async throws {
        let scratch = try Scratch()
        let path = scratch.path("red.mkv")
        try FFmpeg.make(["-f", "lavfi", "-i", "color=red:size=34x26:rate=10:duration=0.2", "-c:v", "ffv1", path])
        let frames = try await planes(ClipSource().open(path))
        #expect(frames.count == 2)
        for frame in frames {
            let sizes = frame.map(\.count)
            #expect(sizes == [884, 221, 221])
            for (plane, code) in zip(frame, [81, 90, 240]) {
                #expect(plane.allSatisfy { abs(Int($0) - code) <= 1 })
            }
        }
    }
}
