import Frames
import TestSupport
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

    /// Rows with much more padding than pixels: a copy leaves it out, and writes nothing behind its own memory.
    @Test(arguments: [PixelView.Format.gray8, .rgba]) func paddingIsLeftOut(_ format: PixelView.Format) throws {
        var staged = StagedFrames()
        let picture = ColorPicture(
            format, 4, 256, padding: 1 << 17, matrix: .bt601, color: SIMD3(20, 90, 160), seed: 7, hasChroma: false)
        let expected = try picture.withView { view in
            staged.keep(copyOf: view)
            return Contents(view)
        }
        staged.publish().withView { #expect(Contents($0) == expected) }
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

    /// Memory grows at once, and shrinks when the frames have been smaller for a while; equal frames change nothing.
    @Test func memoryFollowsTheSizeOfTheFrames() throws {
        var staged = StagedFrames()
        func push(_ side: Int, _ count: Int) throws -> Set<Int> {
            let pixels = [UInt8](repeating: 7, count: side * side)
            var capacities: Set<Int> = []
            for _ in 0..<count {
                staged.keep(
                    copyOf: try PixelView(
                        pixels.span, format: .gray8, width: side, height: side, bytesPerRow: side))
                staged.publish().withView { #expect($0.width == side) }
                capacities.insert(staged.capacity)
            }
            return capacities
        }
        let both = 2 * StagedFrames.patience
        #expect(staged.capacity == 0)
        #expect(try push(100, 2).contains(20_000))
        #expect(try push(100, 3 * both) == [20_000])
        // One large frame, and then small ones: the memory of one copy is large for a while.
        #expect(try push(4000, 1) == [16_010_000])
        #expect(try push(100, both - 4) == [16_010_000])
        #expect(try push(100, both).contains(20_000) && staged.capacity == 20_000)
        #expect(try push(100, both) == [20_000])
        // A camera that changes its size back and forth keeps the larger memory.
        for _ in 0..<8 {
            _ = try push(1000, 2)
            #expect(try push(400, both / 2) == [2_000_000])
        }
        // Less than half as large is worth an allocation, a little smaller is not.
        #expect(try push(800, 2 * both) == [2_000_000])
        staged.release()
        #expect(staged.capacity == 0)
        #expect(try push(30, 2).contains(1800))
    }

    /// Frames that need exactly half of the memory do not shrink it.
    @Test func halfOfTheMemoryIsEnoughToKeepIt() throws {
        var staged = StagedFrames()
        let pixels = [UInt8](repeating: 7, count: 64 * 64)
        for height in [64, 64] + [Int](repeating: 32, count: 4 * StagedFrames.patience) {
            staged.keep(
                copyOf: try PixelView(pixels.span, format: .gray8, width: 64, height: height, bytesPerRow: 64))
            _ = staged.publish()
        }
        #expect(staged.capacity == 2 * 64 * 64)
    }

    /// Two frames of 12 x 8 pixels, each with half as many bytes of chroma.
    @Test(arguments: [PixelView.Format.nv12(.video), .nv21(.video), .i420(.full)])
    func chromaTakesHalfAsMuchAsLuma(_ format: PixelView.Format) throws {
        var staged = StagedFrames()
        let picture = ColorPicture(format, 12, 8, padding: 3, color: SIMD3(20, 90, 160), seed: 8)
        for _ in 0..<2 {
            try picture.withView { staged.keep(copyOf: $0) }
            _ = staged.publish()
        }
        #expect(staged.capacity == 2 * (12 * 8 + 12 * 8 / 2))
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
