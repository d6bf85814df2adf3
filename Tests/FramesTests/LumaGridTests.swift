import Frames
import ModelFile
import TestSupport
import Testing
import Vocabulary

@Suite struct LumaGridTests {
    /// What a grid is, in plain loops: luma of upright pixels.
    private static func reference(_ width: Int, _ height: Int, _ luma: (_ x: Int, _ y: Int) -> Int) -> [Float] {
        let (across, down) = width >= height ? (64, 48) : (48, 64)
        return (0..<across * down).map { cell in
            var sum = 0
            for sample in 0..<16 {
                let (i, j) = (cell % across * 4 + sample % 4, cell / across * 4 + sample / 4)
                sum += luma((2 * i + 1) * width / (8 * across), (2 * j + 1) * height / (8 * down))
            }
            return Float(sum)
        }
    }

    private static func grid(_ view: borrowing PixelView, _ orientation: ImageOrientation = .up) -> [Float] {
        var cells = [Float](repeating: -1, count: LumaGrid.count)
        var output = cells.mutableSpan
        let isWide = LumaGrid.write(view, orientation: orientation, to: &output)
        let (width, height) = (view.region.width, view.region.height)
        switch orientation {
        case .up, .upMirrored, .down, .downMirrored: #expect(isWide == (width >= height))
        case .left, .leftMirrored, .right, .rightMirrored: #expect(isWide == (height >= width))
        }
        return cells
    }

    private static func luma(_ frame: ColorFrame, _ x: Int, _ y: Int) -> Int {
        let start = 1 + y * frame.rows[0] + x * frame.format.bytesPerPixel
        let codes = (0..<4).map { start + $0 < frame.planes[0].count ? Int(frame.planes[0][start + $0]) : 0 }
        return switch frame.layout {
        case .rgba: (77 * codes[0] + 150 * codes[1] + 29 * codes[2] + 128) / 256
        case .bgra: (77 * codes[2] + 150 * codes[1] + 29 * codes[0] + 128) / 256
        case .gray, .yuyv, .nv12, .nv21, .i420, .lumaOnly: codes[0]
        }
    }

    /// Every layout, odd addresses, padded rows, tiny and odd sizes, parts of the frame.
    @Test(arguments: ColorFrame.Layout.allCases) func isSumsOfSixteenPixels(_ layout: ColorFrame.Layout) throws {
        var random = SplitMix64(seed: 4)
        for (width, height) in [
            (1, 1), (1, 2), (2, 1), (4, 4), (5, 3), (64, 48), (131, 83), (83, 131), (320, 17), (257, 193),
        ] {
            let frame = ColorFrame.random(layout, .video, .bt601, width, height, padding: 3, seed: random.next())
            var regions = [PixelView.Region(x: 0, y: 0, width: width, height: height)]
            for _ in 0..<3 {
                let (w, h) = (Int.random(in: 1...width, using: &random), Int.random(in: 1...height, using: &random))
                regions.append(
                    PixelView.Region(
                        x: Int.random(in: 0...width - w, using: &random),
                        y: Int.random(in: 0...height - h, using: &random), width: w, height: h))
            }
            for region in regions {
                let found = try frame.withView(region: region) { Self.grid($0) }
                let expected = Self.reference(region.width, region.height) {
                    Self.luma(frame, region.x + $0, region.y + $1)
                }
                #expect(found == expected, "\(width)x\(height), \(region)")
            }
        }
    }

    /// All that three bytes can be in steps, to the last code.
    @Test func extremesOfColours() throws {
        for layout in [ColorFrame.Layout.rgba, .bgra] {
            for red in stride(from: 0, through: 255, by: 51) {
                for green in stride(from: 0, through: 255, by: 51) {
                    for blue in stride(from: 0, through: 255, by: 51) {
                        let frame = ColorFrame(layout, .full, .bt601, 2, 2) { _, x, _ in
                            [red, green, blue].map(UInt8.init)[layout == .rgba ? x % 4 : 2 - x % 4]
                        }
                        let expected = Float(16 * ((77 * red + 150 * green + 29 * blue + 128) / 256))
                        let found = try frame.withView { Self.grid($0) }
                        #expect(found.allSatisfy { $0 == expected })
                    }
                }
            }
        }
    }

    /// No byte is read behind the last pixel.
    @Test(arguments: ColorFrame.Layout.allCases) func readsNothingOutside(_ layout: ColorFrame.Layout) throws {
        let pages = try (0..<3).map { _ in try GuardedPage() }
        for (width, height) in [(1, 1), (3, 2), (65, 49), (100, 90)] {
            let frame = ColorFrame.random(layout, .full, .bt601, width, height, seed: 9)
            let found = try frame.withView(pages: pages) { Self.grid($0) }
            let again = try frame.withView { Self.grid($0) }
            #expect(again == found)
        }
    }

    /// A picture of 64 x 48 or 48 x 64 blocks has the same upright grid however it is stored.
    @Test(arguments: ImageOrientation.allCases) func isUpright(_ orientation: ImageOrientation) throws {
        for (width, height, block) in [(256, 144, (4, 3)), (144, 256, (3, 4)), (192, 192, (3, 4))] {
            let scene = OrientedPicture(width, height) { x, y in UInt8((x / block.0 * 7 + y / block.1 * 13) % 256) }
            let (stored, size) = scene.stored(orientation)
            let view = try PixelView(
                stored.span, format: .gray8, width: size.width, height: size.height, bytesPerRow: size.width)
            let expected = Self.reference(width, height) { Int(scene.pixels[$1 * width + $0]) }
            #expect(Self.grid(view, orientation) == expected)
        }
    }

    @Test func largestPictures() throws {
        for (width, height) in [(16_384, 1), (1, 16_384), (16_384, 300)] {
            let bytes = (0..<width * height).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }
            let view = try PixelView(bytes.span, format: .gray8, width: width, height: height, bytesPerRow: width)
            #expect(Self.grid(view) == Self.reference(width, height) { Int(bytes[$1 * width + $0]) })
        }
    }

    @Test func equalsTheTraining() throws {
        let file = try MotionFixture.file()
        let shape = try file.tensor(named: "picture").shape
        let bytes = try MotionFixture.bytes("picture", of: file)
        let view = try PixelView(bytes.span, format: .gray8, width: shape[1], height: shape[0], bytesPerRow: shape[1])
        let raw = try MotionFixture.bytes("grid", of: file)
        let sums = stride(from: 0, to: 2 * LumaGrid.count, by: 2).map { (low: Int) -> Float in
            Float(raw[low]) + 256 * Float(raw[low + 1])
        }
        #expect(Self.grid(view) == sums)
    }
}
