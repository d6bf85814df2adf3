import Clips
import Foundation
import Frames
import TestSupport
import Testing

/// All frames of a clip, as values.
struct Recording: Equatable {
    var lumas: [[UInt8]] = []
    var times: [Duration] = []
    var sizes: Set<[Int]> = []
    var ranges: Set<PixelView.LumaRange> = []

    init(_ clip: Clip) async throws {
        let seen = try await clip.forEachFrame { frame in
            #expect(frame.index == lumas.count)
            let pixels = frame.pixels
            lumas.append(pixels.indices.map { pixels[$0] })
            times.append(frame.time)
            sizes.insert([frame.width, frame.height])
            ranges.insert(frame.range)
            return true
        }
        #expect(seen == lumas.count)
    }
}

/// What `work` throws, as the clips' error.
func clipError(_ work: () async throws -> Void) async -> ClipError? {
    do {
        try await work()
        return nil
    } catch {
        return error as? ClipError
    }
}

@Suite struct Y4MTests {
    private static func readAll(_ bytes: [UInt8]) async throws -> Recording {
        let scratch = try Scratch()
        return try await Recording(ClipSource().open(scratch.write("clip.bin", bytes)))
    }

    /// What follows the signature is a space, or nothing.
    @Test func theSignatureStandsAlone() throws {
        #expect(try Y4MHeader(line: Array("YUV4MPEG2 W9 H5 F30:1".utf8)).width == 9)
        for line in ["YUV4MPEG2W9 H5 F30:1", "YUV4MPEG22 W9 H5 F30:1", "YUV4MPEG W9 H5 F30:1"] {
            #expect(throws: Y4MError.signature, "\(line)") { try Y4MHeader(line: Array(line.utf8)) }
        }
    }

    @Test func framesAndTimes() async throws {
        let scratch = try Scratch()
        let plain = PlainY4M(9, 5, frames: 7, rate: "30000:1001")
        let path = try scratch.write("a.y4m", plain.bytes)
        let clip = try await ClipSource().open(path)
        let info = clip.info
        #expect(info.path == path && info.decoder == .y4m && info.width == 9 && info.height == 5)
        #expect(
            info.rate == FrameRate(30000, 1001) && info.frameCount == 7 && info.duration == .nanoseconds(233_566_666))
        for _ in 0..<2 {
            let recording = try await Recording(clip)
            #expect(recording.lumas == (0..<7).map { PlainY4M.luma($0, 9, 5) })
            let times = [0, 33_366_666, 66_733_333, 100_100_000, 133_466_666, 166_833_333, 200_200_000]
            #expect(recording.times == times.map { .nanoseconds($0) })
            #expect(recording.sizes == [[9, 5]] && recording.ranges == [.video])
        }
    }

    /// Frames larger than what is read at a time, so that they come in pieces that begin and end anywhere.
    @Test func framesLargerThanAChunk() async throws {
        let plain = PlainY4M(801, 601, frames: 4)
        #expect(try await Self.readAll(plain.bytes).lumas == (0..<4).map { PlainY4M.luma($0, 801, 601) })
    }

    @Test(arguments: [
        ("", 12), (" C420", 12), (" C420jpeg", 12), (" C420mpeg2", 12), (" C420paldv", 12), (" Cmono", 0),
        (" C422", 24),
        (" C444", 48), (" C411", 16), (" C444alpha", 72), (" Ip A1:1 C420jpeg XYSCSS=420JPEG XANY", 12),
    ]) func layouts(_ tags: String, _ chromaBytes: Int) async throws {
        var plain = PlainY4M(6, 4, frames: 3, tags: tags)
        plain.chromaBytes = chromaBytes
        #expect(try await Self.readAll(plain.bytes).lumas == (0..<3).map { PlainY4M.luma($0, 6, 4) })
    }

    @Test func ranges() async throws {
        let cases: [(String, PixelView.LumaRange)] = [
            ("", .video), (" XCOLORRANGE=LIMITED", .video), (" XCOLORRANGE=FULL", .full), (" XCOLORRANGE=", .video),
        ]
        for (tag, range) in cases {
            #expect(try await Self.readAll(PlainY4M(6, 4, frames: 1, tags: " C420jpeg" + tag).bytes).ranges == [range])
        }
    }

    /// An unknown rate counts as 30, as for images.
    @Test func unknownRate() async throws {
        let scratch = try Scratch()
        let clip = try await ClipSource().open(
            scratch.write("a.y4m", PlainY4M(6, 4, frames: 3, rate: "0:0").bytes))
        #expect(clip.info.rate == FrameRate(30, 1))
        #expect(try await Recording(clip).lumas.count == 3)
    }

    @Test func frameParameters() async throws {
        var plain = PlainY4M()
        plain.frameLine = "FRAME Ip XANY=1\n"
        let scratch = try Scratch()
        let clip = try await ClipSource().open(scratch.write("a.y4m", plain.bytes))
        #expect(clip.info.frameCount == nil)
        #expect(try await Recording(clip).lumas.count == 3)
    }

    /// Chroma of a quarter of the pixels is read as it is, any other becomes colours.
    @Test(arguments: [("C420jpeg", 12, true), ("C422", 24, false), ("C444", 48, false)])
    func quarteredChromaStaysAsItIs(_ layout: String, _ chromaBytes: Int, _ isUnchanged: Bool) async throws {
        let header = "YUV4MPEG2 W6 H4 F30:1 \(layout) XCOLORRANGE=FULL\nFRAME\n"
        let bytes = Array(header.utf8) + [UInt8](repeating: 100, count: 24 + chromaBytes)
        let scratch = try Scratch()
        let seen = try await ClipSource().open(scratch.write("a.y4m", bytes)).forEachFrame { frame in
            let format = try frame.colorView().format
            #expect(format == (isUnchanged ? .i420(.full) : .rgba))
            return true
        }
        #expect(seen == 1)
    }

    @Test func framesAsThePreprocessorTakesThem() async throws {
        let scratch = try Scratch()
        let clip = try await ClipSource().open(
            scratch.write("a.y4m", PlainY4M(6, 4, frames: 1, tags: " XCOLORRANGE=FULL").bytes))
        try await clip.forEachFrame { frame in
            let view = try frame.pixelView(region: PixelView.Region(x: 1, y: 1, width: 2, height: 3))
            #expect(view.format == .i420(.full) && view.width == 6 && view.height == 4 && view.bytesPerRow == 6)
            #expect(view.region == PixelView.Region(x: 1, y: 1, width: 2, height: 3))
            return true
        }
        await #expect(
            throws: PixelView.FrameError.region(PixelView.Region(x: 5, y: 0, width: 2, height: 1), width: 6, height: 4)
        ) {
            try await clip.forEachFrame { frame in
                _ = try frame.pixelView(region: PixelView.Region(x: 5, y: 0, width: 2, height: 1)).width
                return true
            }
        }
    }

    @Test(arguments: [
        ("H4 F30:1", Y4MError.missing("W")), ("W6 F30:1", .missing("H")), ("W6 H4", .missing("F")),
        ("W6 W6 H4 F30:1", .duplicate("W")), ("W6 H4 F30:1 F30:1", .duplicate("F")),
        ("W6 H4 F30:1 C420 C420", .duplicate("C")), ("W-6 H4 F30:1", .parameter("W-6")),
        ("W H4 F30:1", .parameter("W")),
        ("W6x H4 F30:1", .parameter("W6x")), ("W99999999999999999999 H4 F30:1", .parameter("W99999999999999999999")),
        ("W0 H4 F30:1", .size(width: 0, height: 4, maximum: PixelView.maximumSide)),
        ("W6 H16385 F30:1", .size(width: 6, height: 16385, maximum: PixelView.maximumSide)),
        ("W6 H4 F30", .parameter("F30")), ("W6 H4 F0:1", .parameter("F0:1")), ("W6 H4 F30:0", .parameter("F30:0")),
        ("W6 H4 F30:1:1", .parameter("F30:1:1")), ("W6 H4 F99999999999:1", .parameter("F99999999999:1")),
        ("W6 H4 F30:1 Iq", .parameter("Iq")), ("W6 H4 F30:1 A1", .parameter("A1")),
        ("W6 H4 F30:1 Z9", .parameter("Z9")),
        ("W6 H4 F30:1 C420p10", .colourSpace("420p10")), ("W6 H4 F30:1 Cmono16", .colourSpace("mono16")),
        ("W6 H4 F30:1 C", .colourSpace("")),
    ]) func headersRefused(_ header: String, _ expected: Y4MError) async throws {
        var plain = PlainY4M()
        plain.header = header
        let scratch = try Scratch()
        let path = try scratch.write("a.y4m", plain.bytes)
        #expect(await clipError { _ = try await ClipSource().open(path) } == .y4m(path: path, expected))
    }

    @Test func headersCutOff() async throws {
        let scratch = try Scratch()
        let cut = try scratch.write("cut.y4m", Array("YUV4MPEG2 W6 H4".utf8))
        #expect(
            await clipError { _ = try await ClipSource().open(cut) } == .y4m(path: cut, .truncatedHeader(found: 15)))
        let endless = try scratch.write("endless.y4m", Array("YUV4MPEG2 ".utf8) + Array(repeating: 0x58, count: 10_000))
        #expect(
            await clipError { _ = try await ClipSource().open(endless) }
                == .y4m(path: endless, .lineTooLong(frame: nil, limit: 4096)))
    }

    /// A whole clip cut at every byte: an error that says where, or the frames up to the cut.
    @Test func streamsCutOffAnywhere() async throws {
        let scratch = try Scratch()
        let plain = PlainY4M()
        let whole = plain.bytes
        let headerBytes = "YUV4MPEG2 \(plain.header)\n".utf8.count
        let (frameBytes, lineBytes) = (24 + 12, 6)
        for length in headerBytes..<whole.count {
            let path = try scratch.write("cut.y4m", Array(whole.prefix(length)))
            let (frame, inside) = (length - headerBytes).quotientAndRemainder(dividingBy: frameBytes + lineBytes)
            var seen = 0
            let error = await clipError {
                try await ClipSource().open(path).forEachFrame { _ in
                    seen += 1
                    return true
                }
            }
            var expected: ClipError? = frame == 0 ? .empty(path: path, messages: []) : nil
            if inside > 0 {
                expected = .y4m(
                    path: path,
                    .truncatedFrame(frame: frame, expected: frameBytes, found: max(0, inside - lineBytes)))
            }
            #expect(error == expected && seen == frame, "cut at \(length)")
        }
    }

    @Test func framesThatAreNone() async throws {
        let scratch = try Scratch()
        for (line, error) in [
            ("FRAMES\n", Y4MError.frameSignature(frame: 0)), ("frame\n", .frameSignature(frame: 0)),
            ("FRAME" + String(repeating: " ", count: 5000) + "\n", .lineTooLong(frame: 0, limit: 4096)),
        ] {
            var plain = PlainY4M()
            plain.frameLine = line
            let path = try scratch.write("a.y4m", plain.bytes)
            #expect(
                await clipError { try await ClipSource().open(path).forEachFrame { _ in true } }
                    == .y4m(path: path, error))
        }
        let trailing = try scratch.write("b.y4m", PlainY4M().bytes + [1, 2, 3])
        #expect(
            await clipError { try await ClipSource().open(trailing).forEachFrame { _ in true } }
                == .y4m(path: trailing, .frameSignature(frame: 3)))
    }

    @Test func stoppingAndThrowing() async throws {
        struct Enough: Error, Equatable { var index: Int }
        let scratch = try Scratch()
        let clip = try await ClipSource().open(scratch.write("a.y4m", PlainY4M(6, 4, frames: 50).bytes))
        #expect(try await clip.forEachFrame { $0.index < 9 } == 10)
        await #expect(throws: Enough(index: 4)) {
            try await clip.forEachFrame { frame in
                if frame.index == 4 { throw Enough(index: frame.index) }
                return true
            }
        }
    }

    @Test func pipesAreReadOnce() async throws {
        let scratch = try Scratch()
        let pipe = try PipedFile(PlainY4M(64, 48, frames: 200).bytes, in: scratch)
        let clip = try await ClipSource().open(pipe.path)
        #expect(clip.info.frameCount == nil && clip.info.width == 64)
        let recording = try await Recording(clip)
        #expect(recording.lumas == (0..<200).map { PlainY4M.luma($0, 64, 48) })
        #expect(await clipError { try await clip.forEachFrame { _ in true } } == .alreadyRead(path: pipe.path))
        pipe.finish()
    }

    @Test func pipesThatAreNoY4M() async throws {
        let scratch = try Scratch()
        let pipe = try PipedFile(Array("RIFF and so on, for long enough".utf8), in: scratch)
        #expect(await clipError { _ = try await ClipSource().open(pipe.path) } == .y4m(path: pipe.path, .signature))
        pipe.finish()
    }

    @Test func nothingThere() async throws {
        let scratch = try Scratch()
        let path = scratch.path("absent.y4m")
        #expect(await clipError { _ = try await ClipSource().open(path) } == .cannotOpen(path: path, code: 2))
    }
}
