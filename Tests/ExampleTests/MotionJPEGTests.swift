import GestureEngine
import MotionJPEG
import TestSupport
import Testing
import Vocabulary

@Suite struct MotionJPEGTests {
    static let layouts = ["yuvj420p", "yuvj422p", "yuvj444p"]

    /// A picture of 101x75 pixels, as ffmpeg writes and reads it: the JPEG, and the planes of its layout.
    private static func picture(
        _ layout: String, slices: Int = 1, huffman: String = "default", quality: Int = 2
    ) async throws -> (jpeg: [UInt8], planes: [UInt8]) {
        let scratch = try Scratch()
        try await scratch.succeed(
            """
            ffmpeg -nostdin -v error -f lavfi -i testsrc=s=101x75 -frames:v 1 -threads \(slices) -slices \(slices) \
                -pix_fmt \(layout) -huffman \(huffman) -q:v \(quality) -f mjpeg a.jpg
            ffmpeg -nostdin -v error -i a.jpg -pix_fmt \(layout) -f rawvideo a.yuv
            """)
        return (try scratch.bytes("a.jpg"), try scratch.bytes("a.yuv"))
    }

    /// The mean of the samples of one plane that a sample of 4:2:0 covers, at the image's end of those that there are.
    private static func halved(_ plane: ArraySlice<UInt8>, _ layout: String) -> [Double] {
        let (width, height) = (layout == "yuvj444p" ? 101 : 51, layout == "yuvj420p" ? 38 : 75)
        let samples = Array(plane)
        return (0..<38 * 51).map { place in
            let rows = height == 75 ? [min(74, place / 51 * 2), min(74, place / 51 * 2 + 1)] : [place / 51]
            let columns = width == 101 ? [min(100, place % 51 * 2), min(100, place % 51 * 2 + 1)] : [place % 51]
            let values = rows.flatMap { row in columns.map { Double(samples[row * width + $0]) } }
            return values.reduce(0, +) / Double(values.count)
        }
    }

    /// The largest differences of luma and chroma to the pixels of ffmpeg, which rounds its transform otherwise.
    private static func expectEqual(_ decoder: JPEGDecoder, _ planes: [UInt8], _ layout: String) {
        #expect(decoder.width == 101 && decoder.height == 75)
        let luma = (0..<75 * 101).map { place in
            let found = decoder.luma[place / 101 * decoder.lumaBytesPerRow + place % 101]
            return abs(Double(found) - Double(planes[place]))
        }
        let chromaBytes = (planes.count - 101 * 75) / 2
        let chroma = [decoder.blue, decoder.red].enumerated().flatMap { index, found in
            let start = 101 * 75 + index * chromaBytes
            return zip(found, halved(planes[start..<start + chromaBytes], layout)).map { abs(Double($0) - $1) }
        }
        #expect(decoder.blue.count == 38 * 51 && decoder.red.count == 38 * 51)
        #expect(luma.max() ?? 255 <= 2, "luma of \(layout) at \(luma.firstIndex { $0 > 2 } ?? -1)")
        #expect(chroma.max() ?? 255 <= 2.5, "chroma of \(layout) at \(chroma.firstIndex { $0 > 2.5 } ?? -1)")
    }

    @Test(
        .enabled(if: areInstalled("ffmpeg")), arguments: layouts, [(1, "default"), (4, "default"), (1, "optimal")])
    func imagesAreThoseOfAnotherDecoder(layout: String, kind: (slices: Int, huffman: String)) async throws {
        let (jpeg, planes) = try await Self.picture(layout, slices: kind.slices, huffman: kind.huffman)
        var decoder = JPEGDecoder()
        // The second time in the memory of the first.
        for _ in 0..<2 { try decoder.decode(jpeg) }
        Self.expectEqual(decoder, planes, layout)
        let isSeen = try decoder.withView { $0.width == 101 && $0.height == 75 && $0.format == .i420(.full) }
        #expect(isSeen)
    }

    /// Cameras leave the standard's own tables out.
    @Test(.enabled(if: areInstalled("ffmpeg")), arguments: layouts)
    func anImageWithoutHuffmanTables(layout: String) async throws {
        let (jpeg, planes) = try await Self.picture(layout)
        let start = try #require(jpeg.indices.dropLast().first { jpeg[$0] == 0xFF && jpeg[$0 + 1] == 0xC4 })
        let length = Int(jpeg[start + 2]) << 8 | Int(jpeg[start + 3])
        var decoder = JPEGDecoder()
        try decoder.decode(Array(jpeg[..<start] + jpeg[(start + 2 + length)...]))
        Self.expectEqual(decoder, planes, layout)
    }

    /// The segments of an image of 16x16 pixels with one component, up to its bits.
    private static func gray(marker: UInt8 = 0xC0, precision: UInt8 = 8, side: UInt8 = 16, components: UInt8 = 1)
        -> [UInt8]
    {
        let quantisers: [UInt8] = [0xFF, 0xDB, 0, 67, 0] + [UInt8](repeating: 8, count: 64)
        let frame: [UInt8] = [0xFF, marker, 0, 11, precision, 0, side, 0, side, components, 1, 0x11, 0]
        return [0xFF, 0xD8] + quantisers + frame + [0xFF, 0xDA, 0, 8, 1, 1, 0, 0, 63, 0]
    }

    /// By hand with the standard's tables: category 7 (11110), 64 (1000000) and the end of the block (1010), then three
    /// times category 0 (00) and the end. With a quantiser of 8 each sample is 64 above 128.
    private static let grayBits: [UInt8] = [0b1111_0100, 0b0000_1010, 0b0010_1000, 0b1010_0010, 0b1011_1111]

    @Test func grayImages() throws {
        var decoder = JPEGDecoder()
        try decoder.decode(Self.gray() + Self.grayBits + [0xFF, 0xD9])
        #expect(decoder.luma == [UInt8](repeating: 192, count: 256))
        #expect(decoder.blue == [UInt8](repeating: 128, count: 64) && decoder.red == decoder.blue)
    }

    @Test func whatIsNoBaselineImageIsRefused() {
        func expect(_ error: JPEGError, _ bytes: [UInt8]) {
            var decoder = JPEGDecoder()
            #expect(throws: error) { try decoder.decode(bytes) }
            #expect(throws: PixelView.FrameError.self) { try decoder.withView { _ in } }
            #expect(error.description.hasSuffix("."))
        }
        let whole = Self.gray() + Self.grayBits
        expect(.truncated, [])
        expect(.noImage, [0, 0, 0])
        expect(.truncated, Array(whole.prefix(40)))
        expect(.truncated, Array(whole.dropLast(2)))
        expect(.truncated, [0xFF, 0xD8, 0xFF, 0xD9])
        expect(.noMarker(7), [0xFF, 0xD8, 7])
        expect(.process(marker: 0xC2), Self.gray(marker: 0xC2))
        expect(.process(marker: 0xC9), Self.gray(marker: 0xC9))
        expect(.precision(12), Self.gray(precision: 12))
        expect(.size(width: 0, height: 0), Self.gray(side: 0))
        expect(.components(4), Self.gray(components: 4))
        expect(.segment(marker: 0xC0), Self.gray(components: 3))
        expect(.segment(marker: 0xDA), [0xFF, 0xD8, 0xFF, 0xDA, 0, 2])
        expect(.segment(marker: 0xE0), [0xFF, 0xD8, 0xFF, 0xE0, 0, 1])
        // A DHT segment with more codes than bits.
        let counts: [UInt8] = [3] + [UInt8](repeating: 0, count: 15)
        expect(.segment(marker: 0xC4), [0xFF, 0xD8, 0xFF, 0xC4, 0, 22, 0] + counts + [1, 2, 3])
        // Sixteen ones are no code of the standard's tables.
        expect(.code, Self.gray() + [0xFF, 0, 0xFF, 0, 0xFF, 0])
        // Without its quantisers.
        expect(.noTable, [0xFF, 0xD8] + whole.dropFirst(2 + 69))
        // Two scans: the first has one of three components.
        let three: [UInt8] = [0xFF, 0xC0, 0, 17, 8, 0, 16, 0, 16, 3, 1, 0x11, 0, 2, 0x11, 0, 3, 0x11, 0]
        expect(.scans, [0xFF, 0xD8] + three + [0xFF, 0xDA, 0, 8, 1, 1, 0, 0, 63, 0])
        var coarse = three
        coarse[11] = 0x41
        expect(.sampling, [0xFF, 0xD8] + coarse)
        // A restart marker after each MCU is asked for, and not there.
        expect(.restart, [0xFF, 0xD8, 0xFF, 0xDD, 0, 4, 0, 1] + whole.dropFirst(2))
        expect(
            .size(width: 8200, height: 8),
            [0xFF, 0xD8, 0xFF, 0xC0, 0, 11, 8, 0, 8, 0x20, 0x08, 1, 1, 0x11, 0])
    }

    /// Any bytes give an image or an error. Half of the mutations change bytes, the others cut or repeat some.
    @Test(.enabled(if: areInstalled("ffmpeg")), arguments: layouts)
    func mutatedImages(layout: String) async throws {
        let jpeg = try await Self.picture(layout, slices: 4, huffman: "optimal", quality: 20).jpeg
        var random = SplitMix64(seed: 97)
        var decoder = JPEGDecoder()
        var (images, errors) = (0, 0)
        for round in 0..<2000 {
            var bytes = jpeg
            for _ in 0..<1 + Int(random.next() % 4) {
                // The segments before the bits are a quarter of all mutations' places.
                let place = Int(random.next() % UInt64(round.isMultiple(of: 4) ? min(bytes.count, 700) : bytes.count))
                switch random.next() % 4 {
                case 0: bytes.removeSubrange(place..<min(bytes.count, place + 1 + Int(random.next() % 16)))
                case 1: bytes.insert(contentsOf: bytes[place..<min(bytes.count, place + 8)], at: place)
                default: bytes[place] = UInt8(truncatingIfNeeded: random.next())
                }
                if bytes.isEmpty { bytes = [0xFF] }
            }
            do throws(JPEGError) {
                try decoder.decode(bytes)
                images += 1
            } catch {
                errors += 1
            }
        }
        #expect(images > 100 && errors > 100, "\(images) images, \(errors) errors")
    }
}
