import Frames
import GestureEngine
import Streams
import Testing

/// Copies of the caller's frames have the same pixels.
@Suite struct StagedFramesTests {
    /// Everything that a reader may look at, plane by plane, without padding.
    private struct Contents: Equatable {
        var format: PixelView.Format
        var size: [Int]
        var region: PixelView.Region
        var matrix: PixelView.ColorMatrix
        var isInterleaved: Bool?
        var rows: [[UInt8]] = []

        init(_ view: borrowing PixelView) {
            format = view.format
            size = [view.width, view.height]
            region = view.region
            matrix = view.matrix
            add(view.plane, view.height, view.width * view.format.bytesPerPixel, view.bytesPerRow)
            guard let chroma = view.chroma else { return }
            let (lines, columns) = ((view.height + 1) / 2, (view.width + 1) / 2)
            let isInterleaved = chroma.layout == .interleaved
            self.isInterleaved = isInterleaved
            add(chroma.blue, lines, isInterleaved ? 2 * columns : columns, chroma.bytesPerRow)
            if !isInterleaved { add(chroma.red, lines, columns, chroma.bytesPerRow) }
        }

        private mutating func add(_ plane: RawSpan, _ lines: Int, _ columns: Int, _ bytesPerRow: Int) {
            for y in 0..<lines {
                rows.append(
                    (0..<columns).map { plane.unsafeLoadByte(y * bytesPerRow + $0) })
            }
        }
    }

    private static let sizes = [(1, 1), (2, 2), (3, 5), (16, 9), (65, 33), (7, 1), (1, 8)]

    private static func pictures(hasChroma: Bool = true) -> [ColorPicture] {
        var seed: UInt64 = 0
        return ColorPicture.formats.flatMap { format in
            sizes.flatMap { width, height in
                [0, 1, 13].map { padding in
                    seed += 1
                    return ColorPicture(
                        format, width, height, padding: padding, matrix: seed % 2 == 0 ? .bt601 : .bt709,
                        color: SIMD3(20, 90, 160), seed: seed, hasChroma: hasChroma)
                }
            }
        }
    }

    /// Frames in turn through the same memory, larger after smaller and the reverse.
    @Test(arguments: [true, false], [true, false])
    func copiesShowTheSame(hasChroma: Bool, isReversed: Bool) throws {
        var staged = StagedFrames()
        let pictures = Self.pictures(hasChroma: hasChroma)
        for picture in isReversed ? pictures.reversed() : pictures {
            let expected = try picture.withView { view in
                staged.keep(copyOf: view)
                return Contents(view)
            }
            var count = 0
            staged.publish().withView { view in
                #expect(Contents(view) == expected)
                count += 1
            }
            #expect(count == 1)
        }
    }

    @Test func regionsAreKept() throws {
        var staged = StagedFrames()
        for picture in Self.pictures() where picture.width > 2 && picture.height > 2 {
            let region = PixelView.Region(x: 1, y: 1, width: picture.width - 2, height: picture.height - 2)
            let expected = try picture.withView(region: region) { view in
                staged.keep(copyOf: view)
                return Contents(view)
            }
            #expect(expected.region == region)
            staged.publish().withView { #expect(Contents($0) == expected) }
        }
    }

    /// The newest stays as it is while others wait; of those the last one counts.
    @Test func theNewestStaysWhileOthersWait() throws {
        var staged = StagedFrames()
        func keep(_ picture: ColorPicture) throws -> Contents {
            try picture.withView { view in
                staged.keep(copyOf: view)
                return Contents(view)
            }
        }
        let pictures = Self.pictures()
        let first = try keep(pictures[20])
        let newest = staged.publish()
        var last = first
        for picture in pictures {
            last = try keep(picture)
            newest.withView { #expect(Contents($0) == first) }
        }
        staged.publish().withView { #expect(Contents($0) == last) }
    }
}

extension RawSpan {
    fileprivate func unsafeLoadByte(_ offset: Int) -> UInt8 {
        unsafe unsafeLoad(fromByteOffset: offset, as: UInt8.self)
    }
}
