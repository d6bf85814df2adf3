import Frames
import KernelInterface
import PixelFrontEnd
import Platform
import Testing
import Vocabulary

@Suite struct LumaMeasuresTests {
    @Test func constants() {
        for code in UInt8.min...UInt8.max {
            let measures = plain(code).measures
            #expect(measures.mean == Double(code) && measures.deviation < 1e-4, "\(code)")
            #expect(measures.brightShare == (code >= 250 ? 1 : 0), "\(code)")
            #expect(measures.blocks.indices.allSatisfy { measures.blocks[$0] == code }, "\(code)")
        }
    }

    /// Every fourth pixel of every fourth row of a frame of 224 x 224.
    @Test func agreesWithPlainLoops() {
        var random = SplitMix64(seed: 3)
        let codes = (0..<(224 * 224)).map { _ in UInt8(truncatingIfNeeded: random.next()) }
        let measures = codes.measures
        func read(_ places: Range<Int>) -> [Int] { places.map { 4 * $0 + 2 } }
        let all = read(0..<56).flatMap { y in read(0..<56).map { codes[y * 224 + $0] } }
        let mean = all.meanCode
        let variance = all.reduce(0) { $0 + (Double($1) - mean) * (Double($1) - mean) } / Double(all.count)
        #expect(abs(measures.mean - mean) < 1e-9 && abs(measures.deviation - variance.squareRoot()) < 1e-6)
        #expect(measures.brightShare == Double(all.count { $0 >= 250 }) / Double(all.count))
        for block in 0..<49 {
            let (row, column) = (block / 7 * 8, block % 7 * 8)
            let sum = read(row..<row + 8).reduce(0) { sum, y in
                sum + read(column..<column + 8).reduce(0) { $0 + Int(codes[y * 224 + $1]) }
            }
            #expect(Int(measures.blocks[block]) == sum / 64, "block \(block)")
        }
    }

    @Test func isNearTheMeanOfAllPixels() {
        for seed in 0..<8 {
            let bytes = LumaPicture.leaves(seed: UInt64(seed)).bytes
            #expect(abs(bytes.measures.mean - bytes.meanCode) < 2, "seed \(seed)")
        }
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
