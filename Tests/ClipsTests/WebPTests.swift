import Clips
import Foundation
import Frames
import TestSupport
import Testing
import Vocabulary

/// Red, green and blue of every frame.
private func colors(_ clip: Clip) async throws -> [[UInt8]] {
    var frames: [[UInt8]] = []
    try await clip.forEachFrame { frame in
        let view = try frame.colorView()
        #expect(view.format == .rgba && view.width == clip.info.width && view.height == clip.info.height)
        var bytes: [UInt8] = []
        for index in 0..<frame.width * frame.height {
            for channel in 0..<3 {
                bytes.append(unsafe view.plane.unsafeLoad(fromByteOffset: 4 * index + channel, as: UInt8.self))
            }
        }
        frames.append(bytes)
        return true
    }
    return frames
}

/// Animated WebPs: the container's rules, and what its frames look like.
@Suite(.enabled(if: FFmpeg.isInstalled, "ffmpeg and ffprobe are needed to decode the clips")) struct WebPTests {
    private static func open(_ bytes: [UInt8], _ scratch: Scratch) async throws -> Clip {
        try await ClipSource().open(scratch.write("a.webp", bytes))
    }

    private static let hasEncoder: Bool = {
        do {
            try FFmpeg.command(["sh", "-c", "ffmpeg -v error -encoders | grep -q libwebp_anim"])
            return true
        } catch {
            return false
        }
    }()

    private static let red: [UInt8] = [255, 0, 0, 255]
    private static let green: [UInt8] = [0, 200, 0, 255]

    /// The canvas is turned as its Exif says: the upper left corner becomes the upper right one, and so on.
    @Test(arguments: [(1, 0, 0), (2, 5, 0), (3, 5, 3), (4, 0, 3), (5, 0, 0), (6, 3, 0), (7, 3, 5), (8, 0, 5)])
    func theCanvasIsSetUpright(_ orientation: UInt8, _ x: Int, _ y: Int) async throws {
        let scratch = try Scratch()
        var writer = WebPWriter(width: 6, height: 4)
        writer.frames = [
            .init(width: 6, height: 4, color: Self.red),
            .init(width: 1, height: 1, milliseconds: 80, color: Self.green),
        ]
        let exif: [UInt8] =
            Array("EXIF".utf8) + [26, 0, 0, 0] + Array("II*\0".utf8) + [8, 0, 0, 0, 1, 0]
            + [0x12, 0x01, 3, 0, 1, 0, 0, 0, orientation, 0, 0, 0] + [0, 0, 0, 0]
        var bytes = writer.bytes + exif
        let size = UInt32(bytes.count - 8)
        for index in 0..<4 { bytes[4 + index] = UInt8(truncatingIfNeeded: size >> UInt32(8 * index)) }
        let clip = try await Self.open(bytes, scratch)
        let isTurned = orientation > 4
        #expect(clip.info.width == (isTurned ? 4 : 6) && clip.info.height == (isTurned ? 6 : 4))
        let last = try #require(try await colors(clip).last)
        let green = stride(from: 0, to: last.count, by: 3).filter { last[$0 + 1] > 100 }
        #expect(green == [3 * (y * clip.info.width + x)])
    }

    /// Four frames: the whole canvas, half a blend in a corner, a hole, and what is left when that is gone.
    @Test func framesAreComposed() async throws {
        let scratch = try Scratch()
        var writer = WebPWriter(width: 6, height: 4)
        writer.frames = [
            .init(width: 6, height: 4, color: Self.red),
            .init(x: 2, y: 2, width: 3, height: 2, milliseconds: 80, color: [0, 200, 0, 51]),
            .init(x: 4, y: 0, width: 2, height: 1, isBlended: false, isDisposed: true, color: [9, 9, 200, 102]),
            .init(x: 0, y: 0, width: 1, height: 1, milliseconds: 0, color: [1, 2, 3, 0]),
        ]
        let clip = try await Self.open(writer.bytes, scratch)
        #expect(clip.info.width == 6 && clip.info.height == 4 && clip.info.frameCount == 4)
        // A frame of 0 ms is shown for 100.
        #expect(clip.info.duration == .milliseconds(260) && clip.info.rate == FrameRate(200, 13))
        #expect(clip.info.decoder == .ffmpeg(container: "webp") && !clip.isStream)
        func canvas(_ pixel: (_ x: Int, _ y: Int) -> [UInt8]) -> [UInt8] {
            (0..<24).flatMap { pixel($0 % 6, $0 / 6) }
        }
        // 0.2 of green over 0.8 of red; blue, whose alpha is ignored; and what is left when it is gone.
        let isCorner = { (x: Int, y: Int) in (2..<5).contains(x) && y >= 2 }
        let expected = [
            canvas { _, _ in [255, 0, 0] }, canvas { isCorner($0, $1) ? [204, 40, 0] : [255, 0, 0] },
            canvas { isCorner($0, $1) ? [204, 40, 0] : $0 >= 4 && $1 == 0 ? [9, 9, 200] : [255, 0, 0] },
            canvas { isCorner($0, $1) ? [204, 40, 0] : $0 >= 4 && $1 == 0 ? [0, 0, 0] : [255, 0, 0] },
        ]
        for _ in 0..<2 {
            #expect(try await colors(clip) == expected)
            let recording = try await Recording(clip)
            #expect(recording.times == [0, 40, 120, 160].map { .milliseconds($0) })
            #expect(recording.sizes == [[6, 4]] && recording.ranges == [.full])
        }
        #expect(try await clip.forEachFrame { $0.index < 1 } == 2)
    }

    /// Random rectangles, transparencies and ways against a model that keeps alpha, as libwebp's decoder of animations does.
    @Test(arguments: 0..<12) func randomAnimations(_ seed: Int) async throws {
        var random = SplitMix64(seed: UInt64(seed))
        let scratch = try Scratch()
        let (width, height) = (Int.random(in: 1...24, using: &random), Int.random(in: 1...24, using: &random))
        var writer = WebPWriter(width: width, height: height)
        for _ in 0..<20 {
            let x = 2 * Int.random(in: 0...(width - 1) / 2, using: &random)
            let y = 2 * Int.random(in: 0...(height - 1) / 2, using: &random)
            var color = (0..<4).map { _ in UInt8.random(in: 0...255, using: &random) }
            if Bool.random(using: &random) { color[3] = Bool.random(using: &random) ? 255 : 0 }
            writer.frames.append(
                .init(
                    x: x, y: y, width: Int.random(in: 1...width - x, using: &random),
                    height: Int.random(in: 1...height - y, using: &random),
                    milliseconds: Int.random(in: 1...200, using: &random), isBlended: Bool.random(using: &random),
                    isDisposed: Bool.random(using: &random), color: color))
        }
        // Red, green, blue and alpha in 0...255, the colour not multiplied by it, alpha a whole number.
        var canvas = [[Double]](repeating: [0, 0, 0, 0], count: width * height)
        let found = try await colors(Self.open(writer.bytes, scratch))
        try #require(found.count == 20)
        for (index, frame) in writer.frames.enumerated() {
            let alpha = Double(frame.color[3])
            func forEachPlace(of frame: WebPWriter.Frame, _ body: (Int) -> Void) {
                for y in frame.y..<frame.y + frame.height {
                    for x in frame.x..<frame.x + frame.width { body(y * width + x) }
                }
            }
            forEachPlace(of: frame) { place in
                let below = canvas[place]
                let kept = frame.isBlended ? (below[3] * (255 - alpha) / 255).rounded() : 0
                let total = alpha + kept
                for channel in 0..<3 {
                    guard kept > 0 else {
                        canvas[place][channel] = Double(frame.color[channel])
                        continue
                    }
                    let sum: Double = Double(frame.color[channel]) * alpha + below[channel] * kept
                    canvas[place][channel] = sum / total
                }
                canvas[place][3] = total
            }
            let shown = canvas.flatMap { $0.prefix(3) }
            let errors = zip(shown, found[index]).map { (wanted: Double, code: UInt8) in abs(wanted - Double(code)) }
            let worst = errors.max() ?? 0
            #expect(worst <= 2, "seed \(seed), frame \(index): off by \(worst)")
            if frame.isDisposed { forEachPlace(of: frame) { canvas[$0] = [0, 0, 0, 0] } }
        }
    }

    /// What another program writes, with the rectangles that it chooses: lossless frames come as they were, lossy ones nearly.
    @Test(arguments: [true, false]) func whatAnEncoderWrites(_ isLossless: Bool) async throws {
        let scratch = try Scratch()
        let (path, source) = (scratch.path("a.webp"), scratch.path("a.rgb"))
        // A still picture but for a part of it, so that frames are rectangles.
        let picture = [
            "-f", "lavfi", "-i", "testsrc=size=128x96:rate=20:duration=1:decimals=2", "-vf", "format=bgra",
        ]
        guard Self.hasEncoder else {
            print("SKIPPED: animations by libwebp, because this ffmpeg has no libwebp_anim")
            return
        }
        try FFmpeg.make(
            picture + [
                "-c:v", "libwebp_anim", "-lossless", isLossless ? "1" : "0", "-quality", "90", "-pix_fmt",
                isLossless ? "bgra" : "yuv420p", path,
            ])
        try FFmpeg.make(picture + ["-pix_fmt", "rgb24", "-f", "rawvideo", source])
        let clip = try await ClipSource().open(path)
        #expect(clip.info.width == 128 && clip.info.height == 96 && clip.info.frameCount == 20)
        #expect(clip.info.rate == FrameRate(20, 1) && clip.info.duration == .seconds(1))
        let (found, expected) = (try await colors(clip), try scratch.bytes("a.rgb"))
        try #require(found.count == 20 && expected.count == 20 * 128 * 96 * 3)
        for (index, frame) in found.enumerated() {
            let wanted = expected[(index * frame.count)..<((index + 1) * frame.count)]
            let mean = zip(frame, wanted).reduce(0.0) { $0 + abs(Double($1.0) - Double($1.1)) } / Double(frame.count)
            #expect(isLossless ? frame.elementsEqual(wanted) : mean < 12, "frame \(index): off by \(mean) in the mean")
        }
    }

    /// The picture of the front page: lossy, with alpha and rectangles. Its encoder has joined frames that are alike.
    @Test func thePictureOfTheDemo() async throws {
        let path = Fixtures.repository.appendingPathComponent("Weights/demo/hands.webp").path
        let clip = try await ClipSource().open(path)
        // A chunk for each frame; how many there are changes with what is drawn.
        let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
        let count = bytes.indices.dropLast(3).count { bytes[$0..<$0 + 4].elementsEqual("ANMF".utf8) }
        #expect((60...76).contains(count))
        #expect(clip.info.width == 480 && clip.info.height == 360 && clip.info.frameCount == count)
        #expect(clip.info.duration == .milliseconds(7600))
        let recording = try await Recording(clip)
        #expect(recording.lumas.count == count && recording.sizes == [[480, 360]])
        let steps = zip(recording.times.dropFirst(), recording.times).map { $0 - $1 }
        #expect(Set(steps).isSubset(of: [100, 200, 300].map { .milliseconds($0) }))
        // No frame is cut off or left black: but for the cuts between the recordings, neighbours are alike.
        let cuts = zip(recording.lumas, recording.lumas.dropFirst()).filter { luma, next in
            zip(luma, next).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) } / luma.count > 40
        }
        #expect(cuts.count <= 4)
        for (index, luma) in recording.lumas.enumerated() {
            let mean = luma.reduce(0) { $0 + Int($1) } / luma.count
            #expect((70...140).contains(mean), "frame \(index): \(mean) in the mean")
        }
    }

    /// What the container states is checked against the file, and what its images state against the container.
    @Test func brokenContainers() async throws {
        let scratch = try Scratch()
        let frame = WebPWriter.Frame(width: 4, height: 2, color: Self.red)
        func error(_ bytes: [UInt8]) async throws -> WebPError? {
            let path = try scratch.write("a.webp", bytes)
            guard case .webP(path, let error)? = await clipError({ _ = try await ClipSource().open(path) }) else {
                return nil
            }
            return error
        }
        let whole = WebPWriter.file(4, 2, WebPWriter.chunk(frame))
        #expect(try await error(whole) == nil)
        for count in 21..<whole.count {
            guard case .truncated? = try await error(Array(whole.prefix(count))) else {
                Issue.record("cut to \(count) of \(whole.count) bytes")
                continue
            }
        }
        // Chunks that reach beyond what holds them, the first of a file and the first of a frame.
        let image = WebPWriter.image(4, 2, Self.red)
        for size in [image.count + 2, 0xFFFF, 0xFFFF_FFFF] {
            let long = Array("VP8L".utf8) + WebPWriter.little(size, 4) + image
            guard case .truncated? = try await error(WebPWriter.file(4, 2, WebPWriter.chunk(frame, image: long))) else {
                Issue.record("an image of \(size) bytes")
                continue
            }
        }
        for (x, y, width, height) in [(2, 0, 4, 2), (0, 2, 4, 2), (0, 0, 5, 2), (0, 0, 4, 3), (1 << 24, 0, 4, 2)] {
            let outside = WebPWriter.Frame(x: x, y: y, width: width, height: height, color: Self.red)
            #expect(
                try await error(WebPWriter.file(4, 2, WebPWriter.chunk(frame) + WebPWriter.chunk(outside)))
                    == .outside(frame: 1))
        }
        for image in [WebPWriter.image(4, 1, Self.red), WebPWriter.image(3, 2, Self.red)] {
            #expect(
                try await error(
                    WebPWriter.file(4, 2, WebPWriter.chunk(frame, image: WebPWriter.chunk("VP8L", image))))
                    == .frameSize(0))
        }
        let lossy: [UInt8] = [0, 0, 0, 0x9D, 1, 0x2A, 5, 0, 2, 0]
        for (image, expected) in [
            (WebPWriter.chunk("VP8 ", lossy), WebPError.frameSize(0)),
            (WebPWriter.chunk("VP8 ", Array(lossy.prefix(9))), .frame(0)),
            (WebPWriter.chunk("VP8 ", [1] + lossy.dropFirst()), .frame(0)),
            (WebPWriter.chunk("VP8L", [0x2F]), .frame(0)),
            (WebPWriter.chunk("VP8L", [0, 0, 0, 0, 0]), .frame(0)), (WebPWriter.chunk("ALPH", [0]), .frame(0)),
            ([], .frame(0)),
        ] {
            #expect(try await error(WebPWriter.file(4, 2, WebPWriter.chunk(frame, image: image))) == expected)
        }
        #expect(try await error(WebPWriter.file(4, 2, WebPWriter.chunk("ANMF", [0]))) == .frame(0))
        for (width, height) in [(16_385, 1), (1, 16_385), (1 << 24, 1 << 24)] {
            #expect(
                try await error(WebPWriter.file(width, height, []))
                    == .size(width: width, height: height, maximum: 16_384))
        }
        let many = (0..<262_144).flatMap { _ in WebPWriter.chunk("none", []) }
        #expect(try await error(WebPWriter.file(4, 2, many)) == .tooManyChunks(limit: 262_144))
        let path = try scratch.write("a.webp", WebPWriter.file(4, 2, []))
        #expect(await clipError { _ = try await ClipSource().open(path) } == .empty(path: path, messages: []))
        // Without the flag it is one picture, and the program's.
        let still = try scratch.write("a.webp", WebPWriter.file(4, 2, WebPWriter.chunk("VP8L", image), flags: 0x10))
        #expect(try await ClipSource().open(still).info.decoder == .ffmpeg(container: "webp_pipe"))
    }

    /// A frame that cannot be decoded ends the clip: those behind it must not be taken for others.
    @Test func aDamagedFrame() async throws {
        let scratch = try Scratch()
        let frame = WebPWriter.Frame(width: 64, height: 48, color: Self.green)
        var image = WebPWriter.image(64, 48, Self.red)
        for index in 5..<image.count { image[index] = 0xFF }
        let damaged = WebPWriter.chunk(frame, image: WebPWriter.chunk("VP8L", image))
        let good = WebPWriter.chunk(frame)
        let bytes = WebPWriter.file(64, 48, good + good + damaged + good + good)
        for allowing in [false, true] {
            let clip = try await ClipSource(allowsMissingFrames: allowing).open(scratch.write("a.webp", bytes))
            var seen = 0
            let error = await clipError {
                try await clip.forEachFrame { _ in
                    seen += 1
                    return true
                }
            }
            guard case .notDecodable(clip.info.path, let status?, let messages)? = error else {
                Issue.record("\(String(describing: error))")
                continue
            }
            #expect(status != 0 && !messages.isEmpty && seen <= 2)
        }
    }

    @Test func aClipThatVanishes() async throws {
        let scratch = try Scratch()
        var writer = WebPWriter(width: 4, height: 2)
        writer.frames = [.init(width: 4, height: 2, color: Self.red), .init(width: 4, height: 2, color: Self.green)]
        let path = try scratch.write("a.webp", writer.bytes)
        var source = ClipSource()
        let clip = try await source.open(path)
        source.ffmpeg = "no-such-ffmpeg"
        let without = try await source.open(path)
        #expect(await clipError { try await without.forEachFrame { _ in true } } == .programMissing("no-such-ffmpeg"))
        _ = try scratch.write("a.webp", Array(writer.bytes.dropLast(8)))
        guard case .webP(path, .truncated)? = await clipError({ try await clip.forEachFrame { _ in true } }) else {
            Issue.record("a file that got shorter")
            return
        }
        try FileManager.default.removeItem(atPath: path)
        #expect(await clipError { try await clip.forEachFrame { _ in true } } == .cannotOpen(path: path, code: ENOENT))
    }

    /// Changed, removed and repeated bytes give a clip or an error; some of the clips are read, too.
    @Test func mutations() async throws {
        var random = SplitMix64(seed: 7)
        let scratch = try Scratch()
        var writer = WebPWriter(width: 40, height: 30)
        for index in 0..<6 {
            writer.frames.append(
                .init(
                    x: 2 * index, y: index / 2 * 2, width: 20, height: 12, isBlended: index % 2 == 0,
                    isDisposed: index % 3 == 0, color: [UInt8(40 * index), 90, 200, 180]))
        }
        let bytes = writer.bytes
        var (opened, read) = (0, 0)
        for _ in 0..<3_000 {
            var mutated = bytes
            for _ in 0..<Int.random(in: 1...2, using: &random) {
                let place = Int.random(in: 21..<mutated.count, using: &random)
                // Lengths change in a part of them alone, since hardly any of those is a container.
                switch Int.random(in: 0..<12, using: &random) {
                case 0: mutated[place] = UInt8.random(in: 0...255, using: &random)
                case 1: mutated.remove(at: place)
                case 2: mutated.insert(mutated[place], at: place)
                default: mutated[place] ^= 1 << UInt8.random(in: 0...7, using: &random)
                }
            }
            let path = try scratch.write("a.webp", mutated)
            do {
                let clip = try await ClipSource().open(path)
                opened += 1
                // Large canvases take long, as any large clip does.
                guard opened % 8 == 0, clip.info.width * clip.info.height < 1 << 16 else { continue }
                try await clip.forEachFrame { _ in true }
                read += 1
            } catch is ClipError {}
        }
        print("mutations of an animated WebP: \(opened) of 3,000 opened, \(read) read to their ends")
        #expect(opened > 100)
    }
}
