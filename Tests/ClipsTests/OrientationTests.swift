import Clips
import Foundation
import Frames
import TestSupport
import Testing

/// Images that are stored turned or mirrored, by the eight values of EXIF, in each format. Upright they are 64x32, and their
/// quarters are red, green, blue and white.
@Suite(
    .enabled(if: FFmpeg.isInstalled, "ffmpeg and ffprobe are needed to read the images"), .timeLimit(.minutes(20)))
struct OrientationTests {
    private static func image(_ orientation: Int, _ kind: String) -> URL {
        Fixtures.directory.appendingPathComponent("orientation/\(orientation).\(kind)")
    }

    /// The luma of red, green, blue and white by BT.601, full range to video range.
    private static let quarters: [Double] = [81, 145, 41, 235]

    private static func check(_ clip: Clip, frames: Int = 1) async throws {
        #expect(clip.info.width == 64 && clip.info.height == 32)
        let seen = try await clip.forEachFrame { frame in
            let view = try frame.pixelView()
            #expect(view.width == 64 && view.height == 32)
            for (index, place) in [(16, 8), (48, 8), (16, 24), (48, 24)].enumerated() {
                let luma = Double(frame.pixels[place.1 * 64 + place.0])
                let expected = frame.range == .full ? (quarters[index] - 16) * 255 / 219 : quarters[index]
                #expect(abs(luma - expected) < 12, "\(place): \(luma) instead of \(expected)")
            }
            return true
        }
        #expect(seen == frames)
    }

    @Test(arguments: ["png", "webp", "tiff", "avif"], 1...8)
    func eachFormatIsSetUpright(_ kind: String, _ orientation: Int) async throws {
        try await Self.check(ClipSource().open(Self.image(orientation, kind).path))
    }

    @Test(arguments: ["png", "webp", "tiff"]) func folders(_ kind: String) async throws {
        let scratch = try Scratch()
        for index in 1...3 {
            try FileManager.default.copyItem(
                atPath: Self.image(6, kind).path, toPath: scratch.path("\(index).\(kind)"))
        }
        try await Self.check(ClipSource().open(scratch.directory.path), frames: 3)
        // One filter cannot set both upright.
        try FileManager.default.copyItem(atPath: Self.image(8, kind).path, toPath: scratch.path("4.\(kind)"))
        let error = await clipError { _ = try await ClipSource().open(scratch.directory.path) }
        guard case .mixedOrientations(_, let first, let other) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(first.hasSuffix("/1.\(kind)") && other.hasSuffix("/4.\(kind)"))
    }

    @Test(arguments: ["png", "webp", "tiff", "avif"], 1...8)
    func eachFormatStatesIt(_ kind: String, _ orientation: Int) {
        #expect(StoredOrientation.read(path: Self.image(orientation, kind).path)?.rawValue == orientation)
    }

    /// A statement that is damaged or cut off anywhere is no trap, and the image counts as turned in some way or none.
    @Test(arguments: ["png", "webp", "tiff", "avif"]) func damagedStatements(_ kind: String) throws {
        let scratch = try Scratch()
        let bytes = try [UInt8](Data(contentsOf: Self.image(6, kind)))
        var found: Set<Int> = []
        for offset in bytes.indices {
            for value: UInt8 in [0, 1, 8, 0x7F, 0xFF] {
                var damaged = bytes
                damaged[offset] = value
                found.insert(StoredOrientation.read(path: try scratch.write("damaged", damaged))?.rawValue ?? 0)
            }
            found.insert(
                StoredOrientation.read(path: try scratch.write("cut", Array(bytes[..<offset])))?.rawValue ?? 0)
        }
        #expect(found.isSuperset(of: [0, 1, 6]) && found.isSubset(of: 0...8))
    }
}
