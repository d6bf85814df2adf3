import Frames
import KernelsPortable
import Platform
import Preprocessing
import TestSupport
import Testing
import Vocabulary

/// The rows that are read, as the documentation lists them.
private let rows = (0..<7).flatMap { block in [0, 5, 10, 15, 17, 20, 27, 30].map { 32 * block + $0 } }

@Suite struct LumaMeasuresTests {
    @Test func constants() {
        for code in UInt8.min...UInt8.max {
            let measures = plain(code).measures
            #expect(measures.mean == Double(code) && measures.deviation < 1e-4, "\(code)")
            #expect(
                measures.darkShare == (code <= 8 ? 1 : 0) && measures.brightShare == (code >= 250 ? 1 : 0), "\(code)")
            #expect(measures.blocks.indices.allSatisfy { measures.blocks[$0] == code }, "\(code)")
        }
    }

    @Test(arguments: [0, 1, 15]) func agreesWithPlainLoops(misalignment: Int) {
        var random = SplitMix64(seed: UInt64(misalignment) + 3)
        let codes = (0..<(224 * 224)).map { _ in UInt8(truncatingIfNeeded: random.next()) }
        let buffer = GuardedBuffer(codes, misalignment: misalignment)
        let measures = unsafe LumaMeasures(of: Span(_unsafeStart: buffer.base, count: buffer.count))
        let read = rows.flatMap { row in codes[(row * 224)..<(row * 224 + 224)] }
        let mean = read.meanCode
        let variance = read.reduce(0) { $0 + (Double($1) - mean) * (Double($1) - mean) } / Double(read.count)
        #expect(abs(measures.mean - mean) < 1e-9 && abs(measures.deviation - variance.squareRoot()) < 1e-6)
        #expect(measures.darkShare == Double(read.count { $0 <= 8 }) / Double(read.count))
        #expect(measures.brightShare == Double(read.count { $0 >= 250 }) / Double(read.count))
        for block in 0..<49 {
            let sum = rows.filter { $0 / 32 == block / 7 }.reduce(0) { sum, row in
                sum + (0..<32).reduce(0) { $0 + Int(codes[row * 224 + block % 7 * 32 + $1]) }
            }
            #expect(Int(measures.blocks[block]) == sum / 256, "block \(block)")
        }
    }

    @Test func isNearTheMeanOfAllPixels() {
        for seed in 0..<8 {
            let bytes = LumaPicture.leaves(seed: UInt64(seed)).bytes
            #expect(abs(bytes.measures.mean - bytes.meanCode) < 2, "seed \(seed)")
        }
        for period in [2, 4, 8] {
            for row in 0..<period {
                let stripes = LumaPicture { _, y in y % period == row ? 240 : 16 }.bytes
                #expect(abs(stripes.measures.mean - stripes.meanCode) < 1e-9, "row \(row) of \(period)")
            }
        }
    }

    @Test func paddingIsNoPartOfThePicture() {
        for picture in [
            PixelView.Region(x: 0, y: 49, width: 224, height: 126),
            PixelView.Region(x: 49, y: 0, width: 126, height: 224),
            PixelView.Region(x: 0, y: 100, width: 224, height: 16),
            PixelView.Region(x: 111, y: 0, width: 1, height: 224),
        ] {
            let inside = (picture.x..<(picture.x + picture.width), picture.y..<(picture.y + picture.height))
            let bytes = LumaPicture { x, y in inside.0.contains(x) && inside.1.contains(y) ? 120 : 0 }.bytes
            let measures = LumaMeasures(of: bytes.span, content: picture)
            #expect(
                abs(measures.mean - 120) < 1e-9 && measures.deviation < 1e-4 && measures.darkShare == 0, "\(picture)")
        }
        let unread = LumaMeasures(of: plain(90).span, content: PixelView.Region(x: 0, y: 1, width: 224, height: 3))
        #expect(unread.mean == 0 && unread.deviation == 0 && unread.darkShare == 0 && unread.brightShare == 0)
    }

    /// The picture is where the preprocessor puts it.
    @Test func pictureIsWhatIsNotPadding() throws {
        var preprocessor = Preprocessor(kernels: portableResizeKernels)
        for (width, height) in [(160, 90), (90, 160), (64, 64), (33, 7), (5, 224)] {
            let plane = [UInt8](repeating: 255, count: width * height)
            for orientation in ImageOrientation.allCases {
                for crop in [PixelView.CropMode.fit, .fill, .stretch] {
                    let geometry = FrameGeometry(crop: crop, orientation: orientation)
                    let view = try PixelView(
                        plane.span, format: .gray8, width: width, height: height, bytesPerRow: width)
                    var square = plain(7)
                    var span = square.mutableSpan
                    try preprocessor.resize(view, geometry: geometry, into: &span)
                    let lit = square.indices.filter { square[$0] == 255 }
                    let columns = lit.map { $0 % 224 }
                    let first = try #require(lit.first)
                    let last = try #require(lit.last)
                    let (left, right) = (try #require(columns.min()), try #require(columns.max()))
                    let found = PixelView.Region(
                        x: left, y: first / 224, width: right - left + 1, height: last / 224 - first / 224 + 1)
                    #expect(geometry.content(of: view.region) == found, "\(width) x \(height) \(geometry)")
                }
            }
        }
    }
}
