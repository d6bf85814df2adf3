import Clips
import Foundation
import Frames
import TestSupport
import Testing

/// Folders of images: those that are damaged, numbers that are missing, and alpha.
@Suite(.enabled(if: FFmpeg.isInstalled, "ffmpeg and ffprobe are needed to make the images"))
struct ImageFolderTests {
    private static let camera = ["-f", "lavfi", "-i", "testsrc=size=64x48:rate=30"]

    private static func makeImages(_ kind: String, count: Int = 5, in scratch: Scratch) throws {
        try FFmpeg.make(camera + ["-frames:v", "\(count)", scratch.path("%d.\(kind)")])
    }

    /// Frames with their times, and what comes after the last one.
    private static func read(_ path: String, _ source: ClipSource) async throws -> (times: [Duration], ClipError?) {
        let clip = try await source.open(path)
        var times: [Duration] = []
        let error = await clipError {
            try await clip.forEachFrame { frame in
                times.append(frame.time)
                return true
            }
        }
        return (times, error)
    }

    /// The first, a middle and the last image are named; the others are read, and with leave a note takes the error's place.
    @Test(arguments: ["jpg", "png", "bmp", "ppm", "pgm", "tif"]) func anImageThatIsCut(_ kind: String) async throws {
        let scratch = try Scratch()
        try Self.makeImages(kind, in: scratch)
        let folder = scratch.directory.path
        let (whole, none) = try await Self.read(folder, ClipSource())
        #expect(whole.count == 5 && none == nil)
        for index in [1, 3, 5] {
            let name = "\(index).\(kind)"
            let bytes = try scratch.bytes(name)
            _ = try scratch.write(name, Array(bytes.prefix(bytes.count / 2)))
            for path in [folder, scratch.path("%d.\(kind)")] {
                let (times, error) = try await Self.read(path, ClipSource())
                #expect(
                    error == .imagesDamaged(path: path, names: [name], count: 1),
                    "\(name): \(String(describing: error))")
                // What is left keeps its time.
                #expect(times.count >= 4 && Set(times).isSubset(of: whole))
            }
            let notices = Notices()
            let (times, error) = try await Self.read(folder, notices.source(allowing: true))
            #expect(times.count >= 4 && error == nil)
            #expect(notices.all.contains(.imagesDamaged(path: folder, names: [name], count: 1)))
            _ = try scratch.write(name, bytes)
        }
    }

    /// An empty file ends a sequence for ffmpeg; here the images after it are read.
    @Test func anImageWithoutContent() async throws {
        let scratch = try Scratch()
        try Self.makeImages("png", in: scratch)
        _ = try scratch.write("2.png", [])
        let folder = scratch.directory.path
        let (times, error) = try await Self.read(folder, ClipSource())
        #expect(times.count == 4 && error == .imagesDamaged(path: folder, names: ["2.png"], count: 1))
    }

    @Test func missingNumbersAreNamed() async throws {
        let scratch = try Scratch()
        try FFmpeg.make(Self.camera + ["-frames:v", "14", scratch.path("a%02d.png")])
        for index in [5, 6, 10] {
            try FileManager.default.removeItem(atPath: scratch.path(String(format: "a%02d.png", index)))
        }
        for path in [scratch.directory.path, scratch.path("a%02d.png")] {
            let notices = Notices()
            let (times, error) = try await Self.read(path, notices.source())
            #expect(times.count == 11 && error == nil)
            #expect(notices.all == [.numbersMissing(path: path, ["a05.png to a06.png", "a10.png"])])
        }
    }

    @Test(arguments: [
        (["1.jpg", "2.jpg", "4.jpg"], ["3.jpg"]), (["9.jpg", "10.jpg", "12.jpg", "13.jpg"], ["11.jpg"]),
        (["a2b008.png", "a2b009.png", "a2b013.png", "a2b014.png"], ["a2b010.png to a2b012.png"]),
        // Every tenth image of a video, and one of them is missing.
        (["010.png", "020.png", "040.png", "050.png"], ["030.png"]),
        // Two clips of three images each.
        (["a1.png", "a2.png", "a4.png", "b1.png", "b2.png", "b3.png"], ["a3.png"]),
        // Whole, or not numbered one after the other.
        (["1.png", "2.png", "3.png"], []), (["0.png", "2.png", "4.png"], []), (["1.png", "5.png"], []),
        (["IMG_0003.jpg", "IMG_0121.jpg", "IMG_0122.jpg", "IMG_0987.jpg", "IMG_1440.jpg"], []),
        (["1699999999000.png", "1699999999033.png", "1699999999067.png"], []), (["a.png", "b.png", "c.png"], []),
        (["99999999999999999999.png", "1.png", "2.png"], []), (["9223372036854775807.png", "0.png", "1.png"], []),
        (["1-1.png", "2-2.png", "4-4.png"], []), (["01.png", "1.png", "2.png", "4.png"], []),
    ]) func gaps(_ names: [String], _ missing: [String]) {
        #expect(NumberedName.gaps(in: names) == missing)
    }

    @Test func patterns() throws {
        let padded = try #require(NumberedName(pattern: "100%%-%03d.png"))
        #expect(padded.kind == "png")
        for (name, matches) in [
            ("100%-001.png", true), ("100%-1000.png", true), ("100%-0100.png", false), ("100%-01.png", false),
            ("100%-.png", false), ("100%-0a1.png", false), ("00%-001.png", false), ("100%-001.jpg", false),
        ] {
            #expect(padded.matches(name) == matches, "\(name)")
        }
        for pattern in ["a.png", "%s.png", "%d-%d.png", "%", "%1234567890d.png", "%-3d.png", "%3d.png"] {
            #expect(NumberedName(pattern: pattern) == nil, "\(pattern)")
        }
    }

    /// The colours of a picture that is wholly transparent are those of the picture that is not.
    @Test(arguments: ["a.png", "a.tif", "a.mov", "a.apng", "a.mkv"]) func alphaIsIgnored(_ name: String) async throws {
        let scratch = try Scratch()
        let codec = name.hasSuffix("mov") ? ["-c:v", "qtrle"] : name.hasSuffix("mkv") ? ["-c:v", "ffv1"] : []
        func colors(alpha: Int) async throws -> [[UInt8]] {
            try FFmpeg.make(
                Self.camera + ["-frames:v", "1", "-vf", "format=rgba,colorchannelmixer=aa=\(alpha)"] + codec
                    + [
                        "-pix_fmt", name.hasSuffix("mov") ? "argb" : name.hasSuffix("mkv") ? "bgra" : "rgba",
                        scratch.path(name),
                    ])
            var frames: [[UInt8]] = []
            try await ClipSource().open(scratch.path(name)).forEachFrame { frame in
                let view = try frame.colorView()
                frames.append(
                    (0..<4 * frame.width * frame.height).filter { $0 % 4 < 3 }.map {
                        unsafe view.plane.unsafeLoad(fromByteOffset: $0, as: UInt8.self)
                    })
                return true
            }
            return frames
        }
        let opaque = try await colors(alpha: 1)
        #expect(opaque.count == 1 && Set(opaque[0]).count > 10)
        #expect(try await colors(alpha: 0) == opaque)
    }
}
