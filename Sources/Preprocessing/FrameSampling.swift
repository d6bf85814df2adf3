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
    /// Samples along each side of a frame, as many as a resized frame has pixels.
    private static let samples = FrameGeometry.side

    /// Measures a frame as the camera gave it, without resizing, at single pixels where a resized frame would have its
    /// own. What single pixels miss between them adds to each energy like noise, which cancels in the sharpness.
    /// - phase: as for a resized frame.
    package init(sampling frame: borrowing PixelView, phase: Int) {
        let (region, format, bytesPerRow) = (frame.region, frame.format, frame.bytesPerRow)
        let start = ((phase & (Self.phases - 1)) * 11) % Self.phases
        var (along, across) = (SIMD4<Double>.zero, SIMD4<Double>.zero)
        var count = 0
        unsafe frame.plane.withUnsafeBytes { bytes in
            guard let pixels = unsafe bytes.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return }
            // The middles of equal intervals are within the region, and the plane contains all pixels of the region.
            func luma(_ column: Int, _ row: Int) -> Int32 {
                let x = region.x + (2 * column + 1) * region.width / (2 * Self.samples)
                let y = region.y + (2 * row + 1) * region.height / (2 * Self.samples)
                return unsafe format.luma(at: pixels + y * bytesPerRow + x * format.bytesPerPixel)
            }
            for row in stride(from: start, to: Self.samples - 8, by: Self.phases) {
                for column in stride(from: 0, to: Self.samples - 8, by: 2) {
                    let centre = luma(column, row)
                    for index in 0..<4 {
                        let step = 1 << index
                        let (right, below) = (luma(column + step, row) - centre, luma(column, row + step) - centre)
                        along[index] += Double(right * right)
                        across[index] += Double(below * below)
                    }
                    count += 1
                }
            }
        }
        self.init(horizontal: along / Double(count), vertical: across / Double(count))
    }
}
