package import Frames
package import Platform

/// Measures of a resized frame's brightness: one pass over a quarter of its rows.
///
/// Of every 32 rows the rows 0, 5, 10, 15, 17, 20, 27 and 30 are read. Modulo eight they give each remainder once, so
/// that stripes of two, four or eight rows do not bias the level. The mean of a natural image is within a level or two
/// of that of all pixels.
package struct LumaMeasures: Sendable {
    /// The image is divided into 7 x 7 blocks of 32 x 32 pixels, row by row.
    package static let blockCount = 49
    /// One luma level for each block.
    package typealias Blocks = FixedArray<(SIMD32<UInt8>, SIMD16<UInt8>, UInt8), UInt8>

    /// Levels up to this one count as black: black itself and the noise around it.
    package static let darkLimit: UInt8 = 8
    /// Levels from this one on count as white. With noise and after a conversion of ranges, a clipping sensor stays
    /// within a few levels of 255.
    package static let brightLimit: UInt8 = 250

    /// Mean level of the image, 0...255; 0 if no row of it was read.
    package let mean: Double
    /// Standard deviation of the levels, 0...127.5.
    package let deviation: Double
    /// Share of the image at or below `darkLimit`, 0...1.
    package let darkShare: Double
    /// Share of the image at or above `brightLimit`, 0...1.
    package let brightShare: Double
    /// Mean level of each block, padding included, rounded down.
    package let blocks: Blocks

    /// The mean plus the deviation, which about a sixth of an ordinary image exceeds. Unlike the mean it does not count
    /// a lit hand before a black wall as dark.
    package var brightLevel: Double { mean + deviation }

    /// Measures a frame.
    /// - Parameters:
    ///   - frame: `Preprocessor.frameBytes` bytes, before any tone map.
    ///   - content: the part that is not padding (`FrameGeometry.content(of:)`), by default the whole image. The rest
    ///     must be `FrameGeometry.padding`.
    package init(of frame: Span<UInt8>, content: PixelView.Region = .square) {
        precondition(frame.count == Preprocessor.frameBytes)
        var sum: UInt32 = 0
        var squares = SIMD4<UInt32>.zero
        var dark = SIMD4<UInt32>.zero
        var bright = SIMD4<UInt32>.zero
        var blocks = Blocks(repeating: 0)
        // Blocks tile the image, whose size was just checked.
        unsafe frame.withUnsafeBufferPointer { bytes in
            guard let base = bytes.baseAddress else { return }
            for block in 0..<Self.blockCount {
                let first = block / 7 * 32 * Preprocessor.side + block % 7 * 32
                let tally = unsafe Tally(base + first)
                let total = tally.sum.pairSums.total
                sum &+= total
                blocks[block] = UInt8(truncatingIfNeeded: total &>> 8)
                squares &+= tally.squares
                dark &+= tally.dark.pairSums.pairSums
                bright &+= tally.bright.pairSums.pairSums
            }
        }
        self.blocks = blocks

        let width = min(max(content.width, 0), Preprocessor.side)
        let pixels = width * Self.sampledRows(of: content)
        guard pixels > 0 else {
            (mean, deviation, darkShare, brightShare) = (0, 0, 0, 0)
            return
        }
        let padding = Self.sampledPixels - pixels
        let count = Double(pixels)
        mean = Double(sum) / count
        deviation = max(0, Double(squares.total) / count - mean * mean).squareRoot()
        darkShare = Double(max(0, Int(dark.total) - padding)) / count
        brightShare = Double(bright.total) / count
    }

    private static let sampledPixels = Preprocessor.frameBytes / 4

    /// The eight rows of every 32 that are read.
    @inline(always)
    private static func row(_ index: Int) -> Int { 4 &* index &+ ((index & 3) ^ (index &>> 2)) }

    private static func sampledRows(of content: PixelView.Region) -> Int {
        var count = 0
        for index in 0..<(Preprocessor.side / 4) {
            let row = row(index & 7) + index / 8 * 32
            if row >= content.y, row - content.y < content.height { count += 1 }
        }
        return count
    }

    /// One block: 256 of its 1024 pixels.
    private struct Tally {
        /// At most 16 * 510 in a lane.
        var sum = SIMD8<UInt16>.zero
        /// At most 64 * 65025 in a lane.
        var squares = SIMD4<UInt32>.zero
        /// At most 16 in a lane.
        var dark = SIMD16<UInt8>.zero
        var bright = SIMD16<UInt8>.zero

        /// - Requires: 32 rows of 32 bytes, `Preprocessor.side` apart.
        @inline(always)
        init(_ first: UnsafePointer<UInt8>) {
            for index in 0..<8 {
                let row = unsafe first + LumaMeasures.row(index) &* Preprocessor.side
                unsafe add(SIMD16(at: row))
                unsafe add(SIMD16(at: row + 16))
            }
        }

        @inline(always)
        private mutating func add(_ values: SIMD16<UInt8>) {
            let (none, one) = (SIMD16<UInt8>.zero, SIMD16<UInt8>(repeating: 1))
            sum &+= values.pairSums
            squares &+= values.squareSums
            let (low, high) = (SIMD16(repeating: LumaMeasures.darkLimit), SIMD16(repeating: LumaMeasures.brightLimit))
            dark &+= none.replacing(with: one, where: values .<= low)
            bright &+= none.replacing(with: one, where: values .>= high)
        }
    }
}

extension PixelView.Region {
    /// All of a resized frame.
    package static let square = PixelView.Region(x: 0, y: 0, width: Preprocessor.side, height: Preprocessor.side)
}

extension FrameGeometry {
    /// The part of the image that shows a region of this size; the rest is padding.
    package func content(of region: PixelView.Region) -> PixelView.Region {
        let place = Placement(region, crop: crop, transposed: AxisMap(self).transposed)
        return PixelView.Region(x: place.x, y: place.y, width: place.width, height: place.height)
    }
}
