package import Platform

/// Measures of a frame's brightness, from 56 x 56 pixels in even steps over its region.
///
/// Levels are converted to full range; luma of packed colours is that of BT.601. The mean of a natural image is within a
/// level or two of that of all pixels.
package struct LumaMeasures: Sendable {
    /// One luma level for each of 7 x 7 blocks, row by row.
    package typealias Blocks = FixedArray<(SIMD32<UInt8>, SIMD16<UInt8>, UInt8), UInt8>

    /// Levels from this one on count as white. With noise and after a conversion of ranges, a clipping sensor stays
    /// within a few levels of 255.
    package static let brightLimit: UInt8 = 250

    /// Mean level of the image, 0...255.
    package let mean: Double
    /// Standard deviation of the levels, 0...127.5.
    package let deviation: Double
    /// Share of the image at or above `brightLimit`, 0...1.
    package let brightShare: Double
    /// Mean level of each block, rounded down.
    package let blocks: Blocks

    /// The mean plus the deviation, which about a sixth of an ordinary image exceeds. Unlike the mean it does not count
    /// a lit hand before a black wall as dark.
    package var brightLevel: Double { mean + deviation }

    /// Samples along each axis: eight for each of the seven blocks.
    private static let samples = 56

    /// One offset for each sample of a row.
    private typealias Offsets = FixedArray<(SIMD32<Int32>, SIMD16<Int32>, SIMD8<Int32>), Int32>

    /// Measures a frame.
    package init(of frame: borrowing PixelView) {
        let (region, format) = (frame.region, frame.format)
        let isFull = format.lumaRange == .full
        let bytesPerRow = frame.bytesPerRow
        var columns = Offsets(repeating: 0)
        columns.withMutableSpan { columns in
            for index in columns.indices {
                let x = region.x + (2 * index + 1) * region.width / (2 * Self.samples)
                columns[index] = Int32(x * format.bytesPerPixel)
            }
        }
        var (sum, squares, bright) = (0, 0, 0)
        var blocks = Blocks(repeating: 0)
        // The middles of equal intervals are within the region, and the plane contains all pixels of the region.
        unsafe frame.plane.withUnsafeBytes { bytes in
            guard let pixels = unsafe bytes.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return }
            columns.withSpan { columns in
                blocks.withMutableSpan { blocks in
                    for band in 0..<7 {
                        // Sums of the seven blocks of the band.
                        var sums = SIMD8<Int32>.zero
                        for row in 8 * band..<8 * band + 8 {
                            let y = region.y + (2 * row + 1) * region.height / (2 * Self.samples)
                            let line = unsafe pixels + y * bytesPerRow
                            for block in 0..<7 {
                                var blockSum: Int32 = 0
                                for column in 8 * block..<8 * block + 8 {
                                    let stored = unsafe format.luma(at: line + Int(columns[column]))
                                    let level = isFull ? stored : min(255, max(0, ((stored - 16) * 255 + 109) / 219))
                                    blockSum &+= level
                                    squares &+= Int(level &* level)
                                    if level >= Int32(Self.brightLimit) { bright &+= 1 }
                                }
                                sums[block] &+= blockSum
                            }
                        }
                        for block in 0..<7 { blocks[7 * band + block] = UInt8(clamping: sums[block] / 64) }
                        sum &+= Int(sums.wrappedSum())
                    }
                }
            }
        }
        self.blocks = blocks
        let count = Double(Self.samples * Self.samples)
        mean = Double(sum) / count
        deviation = max(0, Double(squares) / count - mean * mean).squareRoot()
        brightShare = Double(bright) / count
    }
}

/// Mean squared differences between pixels 1, 2, 4 and 8 apart, horizontally and vertically, from which blur is
/// measured.
///
/// White noise of standard deviation s adds 2 s^2 to each of them, so it cancels in a difference of two. The rest grows
/// with the distance where edges are sharper than it (D(k) ~ k for steps), and with its square where they are softer.
/// Hence
///
///     sharpness = (D(2) - D(1)) / (D(8) - D(4)):  1/4 for ideal steps, 3/48 for an image without fine detail
///
/// at any contrast. Motion blur softens one direction only, so the smaller of the two counts.
package struct GradientEnergies: Sendable, Equatable {
    /// A frame is sampled in this many parts, selected by `phase`.
    package static let phases = 32

    /// Horizontally: D(1), D(2), D(4), D(8) in squared luma levels.
    package var horizontal: SIMD4<Double>
    /// Vertically, likewise.
    package var vertical: SIMD4<Double>

    package init(horizontal: SIMD4<Double>, vertical: SIMD4<Double>) {
        (self.horizontal, self.vertical) = (horizontal, vertical)
    }

    /// Pixels of the sides as they are sampled.
    private static let side = 224

    /// One offset for each sample along a side.
    private typealias Offsets = FixedArray<(SIMD64<Int32>, SIMD64<Int32>, SIMD64<Int32>, SIMD32<Int32>), Int32>

    /// The middles of 224 equal parts of an axis, times `step`.
    private static func offsets(from first: Int, length: Int, step: Int) -> Offsets {
        var offsets = Offsets(repeating: 0)
        offsets.withMutableSpan { offsets in
            for index in offsets.indices {
                offsets[index] = Int32((first + (2 * index + 1) * length / (2 * side)) * step)
            }
        }
        return offsets
    }

    /// Measures a frame at single pixels, as if it had 224 x 224 of them: every 32nd row, the rows 1, 2, 4 and 8 below
    /// each, and every fourth pixel of a row. What single pixels miss between them adds to each energy like noise, which
    /// cancels in the sharpness.
    /// - phase: selects the rows; any number, taken modulo `phases`. Consecutive numbers select rows far from each other.
    package init(of frame: borrowing PixelView, phase: Int) {
        let (region, format) = (frame.region, frame.format)
        let columns = Self.offsets(from: region.x, length: region.width, step: format.bytesPerPixel)
        let rows = Self.offsets(from: region.y, length: region.height, step: 1)
        let bytesPerRow = frame.bytesPerRow
        // 11 has no factor in common with 32, so 32 phases visit all rows.
        let start = ((phase & (Self.phases - 1)) * 11) % Self.phases
        let last = Self.side - 8
        var (along, across) = (SIMD4<Int32>.zero, SIMD4<Int32>.zero)
        var count = 0
        // The middles of equal parts are within the region, and the plane contains all pixels of the region. Sums of squares
        // are at most 7 * 54 * 65,025.
        unsafe frame.plane.withUnsafeBytes { bytes in
            guard let pixels = unsafe bytes.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return }
            columns.withSpan { columns in
                rows.withSpan { rows in
                    for row in stride(from: start, to: last, by: Self.phases) {
                        let line = unsafe pixels + Int(rows[row]) * bytesPerRow
                        let below = (
                            unsafe pixels + Int(rows[row + 1]) * bytesPerRow,
                            unsafe pixels + Int(rows[row + 2]) * bytesPerRow,
                            unsafe pixels + Int(rows[row + 4]) * bytesPerRow,
                            unsafe pixels + Int(rows[row + 8]) * bytesPerRow
                        )
                        for column in stride(from: phase & 3, to: last, by: 4) {
                            let x = Int(columns[column])
                            let centre = SIMD4(repeating: unsafe format.luma(at: line + x))
                            let right =
                                unsafe SIMD4(
                                    format.luma(at: line + Int(columns[column + 1])),
                                    format.luma(at: line + Int(columns[column + 2])),
                                    format.luma(at: line + Int(columns[column + 4])),
                                    format.luma(at: line + Int(columns[column + 8]))) &- centre
                            let down =
                                unsafe SIMD4(
                                    format.luma(at: below.0 + x), format.luma(at: below.1 + x),
                                    format.luma(at: below.2 + x), format.luma(at: below.3 + x)) &- centre
                            along &+= right &* right
                            across &+= down &* down
                            count += 1
                        }
                    }
                }
            }
        }
        let scale = 1 / Double(count)
        func means(_ sums: SIMD4<Int32>) -> SIMD4<Double> {
            SIMD4(Double(sums[0]), Double(sums[1]), Double(sums[2]), Double(sums[3])) * scale
        }
        self.init(horizontal: means(along), vertical: means(across))
    }

    /// About 1/16 (soft) ... 1/4 (crisp); nil if neither direction has enough contrast.
    ///
    /// A direction counts if D(8) - D(4) is at least 2 squared levels and at least D(1): with more noise the quotient's
    /// error would be as large as its range.
    package var sharpness: Double? {
        let (h, v) = (Self.sharpness(horizontal), Self.sharpness(vertical))
        guard let h else { return v }
        guard let v else { return h }
        return min(h, v)
    }

    private static func sharpness(_ energy: SIMD4<Double>) -> Double? {
        let coarse = energy[3] - energy[2]
        guard coarse >= 2, coarse >= energy[0] else { return nil }
        return max(0, energy[1] - energy[0]) / coarse
    }
}
