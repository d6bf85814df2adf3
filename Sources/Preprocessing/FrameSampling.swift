package import Frames
import Platform

extension LumaMeasures {
    /// Samples along each axis: eight for each of the seven blocks.
    private static let samples = 56

    /// Measures a frame as the camera gave it, without resizing: 56 x 56 pixels in even steps over its region. Levels
    /// are converted to full range; luma of packed colours is that of BT.601.
    package init(sampling frame: borrowing PixelView) {
        let region = frame.region
        let isFull = frame.format.lumaRange == .full
        var (sum, squares, dark, bright) = (0, 0, 0, 0)
        var sums = FixedArray<SIMD64<Int32>, Int32>(repeating: 0)
        let format = frame.format
        unsafe frame.plane.withUnsafeBytes { bytes in
            guard let pixels = unsafe bytes.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return }
            for row in 0..<Self.samples {
                let y = region.y + (2 * row + 1) * region.height / (2 * Self.samples)
                for across in 0..<Self.samples {
                    let x = region.x + (2 * across + 1) * region.width / (2 * Self.samples)
                    // The middles of equal intervals are within the region, and the plane contains all pixels of the
                    // region.
                    let place = y * frame.bytesPerRow + x * format.bytesPerPixel
                    let stored = unsafe Int(format.luma(at: pixels + place))
                    let code = isFull ? stored : min(255, max(0, ((stored - 16) * 255 + 109) / 219))
                    sum += code
                    squares += code * code
                    if code <= Int(Self.darkLimit) { dark += 1 }
                    if code >= Int(Self.brightLimit) { bright += 1 }
                    sums[row / 8 * 7 + across / 8] += Int32(code)
                }
            }
        }
        var blocks = Blocks(repeating: 0)
        for index in blocks.indices { blocks[index] = UInt8(clamping: sums[index] / 64) }
        self.blocks = blocks
        let count = Double(Self.samples * Self.samples)
        mean = Double(sum) / count
        deviation = max(0, Double(squares) / count - mean * mean).squareRoot()
        darkShare = Double(dark) / count
        brightShare = Double(bright) / count
    }
}

extension GradientEnergies {
    /// One offset for each sample along a side.
    private typealias Offsets = FixedArray<(SIMD64<Int32>, SIMD64<Int32>, SIMD64<Int32>, SIMD32<Int32>), Int32>

    /// The middles of as many equal parts of an axis as a resized frame has pixels, times `step`.
    private static func offsets(from first: Int, length: Int, step: Int) -> Offsets {
        var offsets = Offsets(repeating: 0)
        offsets.withMutableSpan { offsets in
            for index in offsets.indices {
                offsets[index] = Int32((first + (2 * index + 1) * length / (2 * Preprocessor.side)) * step)
            }
        }
        return offsets
    }

    /// Measures a frame as the camera gave it, without resizing, at single pixels where a resized frame would have its
    /// own, at every fourth of them along a row. What single pixels miss between them adds to each energy like noise,
    /// which cancels in the sharpness.
    /// - phase: as for a resized frame.
    package init(sampling frame: borrowing PixelView, phase: Int) {
        let (region, format) = (frame.region, frame.format)
        let columns = Self.offsets(from: region.x, length: region.width, step: format.bytesPerPixel)
        let rows = Self.offsets(from: region.y, length: region.height, step: 1)
        let bytesPerRow = frame.bytesPerRow
        let start = ((phase & (Self.phases - 1)) * 11) % Self.phases
        let last = Preprocessor.side - 8
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
}
