import Clips
import Foundation
import Frames
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

    /// Gray clips are gray; chroma of other sizes is passed over.
    @Test(arguments: [("mono", 0), ("422", 24), ("444", 48), ("411", 16), ("444alpha", 72)])
    func withoutColour(_ tag: String, _ chromaBytes: Int) async throws {
        var plain = PlainY4M(6, 4, frames: 3, tags: " C\(tag)")
        plain.chromaBytes = chromaBytes
        let scratch = try Scratch()
        let clip = try await ClipSource().open(scratch.write("a.y4m", plain.bytes))
        #expect(try await planes(clip) == [[], [], []])
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
