import Foundation
import Frames
import Testing
import Vocabulary

/// Frames that are copied before they are read.
@Suite struct UnpackerTests {
    private static func random(_ count: Int) -> [UInt8] {
        var random = SplitMix64(seed: UInt64(count))
        return (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
    }

    /// The bytes of a view's plane without the fourth one of a pixel, its format and its region.
    private static func seen(_ view: borrowing PixelView) -> ([UInt8], PixelView.Format, PixelView.Region) {
        let step = view.format.bytesPerPixel
        var bytes: [UInt8] = []
        for y in 0..<view.height {
            for x in 0..<step * view.width where step < 4 || x % 4 < 3 {
                bytes.append(unsafe view.plane.unsafeLoad(fromByteOffset: y * view.bytesPerRow + x, as: UInt8.self))
            }
        }
        return (bytes, view.format, view.region)
    }

    /// Odd sizes, padded rows; the same unpacker for all, larger and smaller in turn.
    @Test func everyLayout() throws {
        var unpacker = PixelView.Unpacker()
        for (width, height) in [(7, 5), (64, 48), (1, 1), (2, 3)] {
            for (layout, format) in [
                (PixelView.Unpacker.Layout.rgb24, PixelView.Format.rgba), (.bgr24, .bgra),
                (.uyvy(.video), .yuyv(.video)), (.uyvy(.full), .yuyv(.full)),
            ] {
                let row = layout.bytesPerPixel * width + 5
                let bytes = Self.random(row * height)
                let region = PixelView.Region(x: width - 1, y: 0, width: 1, height: height)
                let found = try unsafe unpacker.withView(
                    of: bytes.span.bytes, layout, width: width, height: height, bytesPerRow: row, region: region
                ) { Self.seen($0) }
                var expected: [UInt8] = []
                for y in 0..<height {
                    let pixels = bytes[y * row..<y * row + layout.bytesPerPixel * width]
                    if layout.bytesPerPixel == 3 {
                        expected += pixels
                    } else {
                        let start = pixels.startIndex
                        expected += (0..<pixels.count).map { pixels[start + ($0 ^ 1)] }
                    }
                }
                #expect(found.0 == expected && found.1 == format && found.2 == region, "\(layout) \(width)x\(height)")
            }
        }
    }

    @Test func whatDoesNotFit() {
        var unpacker = PixelView.Unpacker()
        func error(_ count: Int, _ width: Int, _ height: Int, _ row: Int, _ region: PixelView.Region? = nil)
            -> PixelView.FrameError?
        {
            do throws(PixelView.FrameError) {
                let bytes = [UInt8](repeating: 0, count: count)
                try unsafe unpacker.withView(
                    of: bytes.span.bytes, .rgb24, width: width, height: height, bytesPerRow: row, region: region
                ) { _ in }
                return nil
            } catch { return error }
        }
        #expect(error(36, 4, 3, 12) == nil)
        #expect(error(35, 4, 3, 12) == .planeTooShort(required: 36, found: 35))
        #expect(error(36, 4, 3, 11) == .bytesPerRow(minimum: 12, found: 11))
        #expect(error(36, 0, 3, 12) == .size(width: 0, height: 3, maximum: PixelView.maximumSide))
        let outside = PixelView.Region(x: 4, y: 0, width: 1, height: 1)
        #expect(error(36, 4, 3, 12, outside) == .region(outside, width: 4, height: 3))
    }
}
