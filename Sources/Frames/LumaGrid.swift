import Platform

/// A frame as a few sums of luma: a grid of 64 x 48 cells over the upright frame, or of 48 x 64 if it is higher than
/// wide.
///
/// A cell is the sum of 4 x 4 samples, 0...4080, of luma as stored (BT.601 luma for packed colours). Sample i of an
/// axis of n pixels and S samples is pixel (2i + 1) n / 2S, rounded down: the middle of one of S equal intervals, so a
/// small frame is sampled several times per pixel. Only the frame's region counts.
package enum LumaGrid {
    /// Cells along the longer and the shorter side.
    package static let sides = (long: 64, short: 48)
    /// Number of cells.
    package static let count = 64 * 48
    /// Samples of a cell along each axis.
    package static let samples = 4

    /// One offset for each sample of the longer side.
    private typealias Offsets = FixedArray<(SIMD64<Int32>, SIMD64<Int32>, SIMD64<Int32>, SIMD64<Int32>), Int32>

    /// Maps stored cells to the upright grid.
    private struct Places {
        let first, across, down: Int

        init(_ axes: AxisMap, width: Int, height: Int) {
            let (stepX, stepY) = axes.transposed ? (width, 1) : (1, width)
            let (countX, countY) = axes.transposed ? (height, width) : (width, height)
            first = (axes.reversesX ? (countX - 1) * stepX : 0) + (axes.reversesY ? (countY - 1) * stepY : 0)
            across = axes.reversesX ? -stepX : stepX
            down = axes.reversesY ? -stepY : stepY
        }
    }

    /// Computes the grid of a frame.
    /// - Parameters:
    ///   - orientation: how the frame is stored.
    ///   - cells: `count` cells, row by row from the top of the upright grid; the written values are integers.
    /// - Returns: whether the grid is 64 cells wide and 48 high, instead of 48 wide and 64 high.
    package static func write(
        _ frame: borrowing PixelView, orientation: ImageOrientation, to cells: inout MutableSpan<Float>
    ) -> Bool {
        precondition(cells.count == count)
        let axes = AxisMap(FrameGeometry(orientation: orientation))
        let region = frame.region
        let isWide = axes.transposed ? region.height >= region.width : region.width >= region.height
        let (width, height) = isWide ? (sides.long, sides.short) : (sides.short, sides.long)
        let (across, down) = axes.transposed ? (height, width) : (width, height)
        let pixelBytes = frame.format.bytesPerPixel
        var columns = Offsets(repeating: 0)
        columns.withMutableSpan { columns in
            var steps = Steps(region.width, samples: across * samples)
            for index in 0..<across * samples { columns[index] = Int32((region.x + steps.next()) * pixelBytes) }
        }
        let places = Places(axes, width: width, height: height)
        var steps = Steps(region.height, samples: down * samples)
        // Samples are within the region, whose pixels the plane contains; the positions are a permutation of the cells.
        unsafe frame.plane.withUnsafeBytes { bytes in
            unsafe columns.withUnsafeBufferPointer { columns in
                unsafe cells.withUnsafeMutableBufferPointer { cells in
                    guard let pixels = unsafe bytes.baseAddress?.assumingMemoryBound(to: UInt8.self),
                        let columns = columns.baseAddress, let cells = cells.baseAddress
                    else { return }
                    for row in 0..<down {
                        let rows = unsafe SampledRows(pixels + region.y * frame.bytesPerRow, frame.bytesPerRow, &steps)
                        let output = unsafe cells + places.first + row * places.down
                        switch frame.format {
                        case .gray8, .nv12, .nv21, .i420, .yuyv:
                            unsafe sum(rows, columns, across, output, places.across)
                        case .bgra:
                            unsafe mix(rows, columns, across, output, places.across, redFirst: false)
                        case .rgba:
                            unsafe mix(rows, columns, across, output, places.across, redFirst: true)
                        }
                    }
                }
            }
        }
        return isWide
    }

    /// The positions of an axis's samples, one after the other, without a division for each.
    private struct Steps {
        private var place: Int
        private var rest: Int
        private let step: Int
        private let stepRest: Int
        private let divisor: Int

        init(_ length: Int, samples: Int) {
            divisor = 2 * samples
            (place, rest) = length.quotientAndRemainder(dividingBy: divisor)
            (step, stepRest) = (2 * length).quotientAndRemainder(dividingBy: divisor)
        }

        mutating func next() -> Int {
            let found = place
            place &+= step
            rest &+= stepRest
            if rest >= divisor {
                rest &-= divisor
                place &+= 1
            }
            return found
        }
    }

    /// The four rows of samples of a row of cells.
    @unsafe
    private struct SampledRows {
        let first, second, third, fourth: UnsafePointer<UInt8>

        @inline(__always)
        init(_ pixels: UnsafePointer<UInt8>, _ bytesPerRow: Int, _ steps: inout Steps) {
            unsafe first = pixels + steps.next() * bytesPerRow
            unsafe second = pixels + steps.next() * bytesPerRow
            unsafe third = pixels + steps.next() * bytesPerRow
            unsafe fourth = pixels + steps.next() * bytesPerRow
        }
    }

    /// Sums of a row of cells for formats that store luma.
    /// - Requires: pixels at four offsets per cell in each row, and `count` cells `step` apart at `output`.
    @inline(never)
    private static func sum(
        _ rows: SampledRows, _ columns: UnsafePointer<Int32>, _ count: Int, _ output: UnsafeMutablePointer<Float>,
        _ step: Int
    ) {
        let (first, second) = unsafe (rows.first, rows.second)
        let (third, fourth) = unsafe (rows.third, rows.fourth)
        var columns = unsafe columns
        var output = unsafe output
        for _ in 0..<count {
            var (upper, lower) = (Int32(0), Int32(0))
            for sample in 0..<samples {
                let x = unsafe Int(columns[sample])
                // Stored luma is read in the same way in every format.
                let luma = PixelView.Format.gray8
                unsafe upper &+= luma.luma(at: first + x) &+ luma.luma(at: second + x)
                unsafe lower &+= luma.luma(at: third + x) &+ luma.luma(at: fourth + x)
            }
            unsafe output.pointee = Float(upper &+ lower)
            unsafe output += step
            unsafe columns += samples
        }
    }

    /// Sums of a row of cells for formats with four bytes per pixel, eight cells at a time: 48 and 64 are multiples.
    /// - Requires: the same as `sum`.
    @inline(never)
    private static func mix(
        _ rows: SampledRows, _ columns: UnsafePointer<Int32>, _ count: Int, _ output: UnsafeMutablePointer<Float>,
        _ step: Int, redFirst: Bool
    ) {
        var columns = unsafe columns
        var output = unsafe output
        for _ in 0..<count / 8 {
            var sums = SIMD8<UInt32>.zero
            for sample in 0..<samples {
                unsafe sums &+= LumaMix.mix(pixels(rows.first, columns + sample), redFirst: redFirst)
                unsafe sums &+= LumaMix.mix(pixels(rows.second, columns + sample), redFirst: redFirst)
                unsafe sums &+= LumaMix.mix(pixels(rows.third, columns + sample), redFirst: redFirst)
                unsafe sums &+= LumaMix.mix(pixels(rows.fourth, columns + sample), redFirst: redFirst)
            }
            for lane in 0..<8 {
                unsafe output.pointee = Float(sums[lane])
                unsafe output += step
            }
            unsafe columns += 8 * samples
        }
    }

    /// The same sample of eight cells.
    @inline(__always)
    private static func pixels(_ row: UnsafePointer<UInt8>, _ columns: UnsafePointer<Int32>) -> SIMD8<UInt32> {
        @inline(__always) func pixel(_ cell: Int) -> UInt32 {
            unsafe UInt32(
                littleEndian: UnsafeRawPointer(row).loadUnaligned(
                    fromByteOffset: Int(columns[cell * samples]), as: UInt32.self))
        }
        return SIMD8(pixel(0), pixel(1), pixel(2), pixel(3), pixel(4), pixel(5), pixel(6), pixel(7))
    }
}

/// The luma of single pixels, for measuring a frame without resizing it.
extension PixelView.Format {
    /// Luma of the pixel at an address, as the frame stores it; BT.601 luma for packed colours.
    /// - Requires: `bytesPerPixel` readable bytes.
    @inline(__always)
    package func luma(at pixel: UnsafePointer<UInt8>) -> Int32 {
        // The caller proves that the pixel is readable.
        switch self {
        case .gray8, .nv12, .nv21, .i420, .yuyv: unsafe Int32(pixel[0])
        case .bgra: unsafe LumaMix.mix(red: pixel[2], green: pixel[1], blue: pixel[0])
        case .rgba: unsafe LumaMix.mix(red: pixel[0], green: pixel[1], blue: pixel[2])
        }
    }
}

extension PixelView {
    /// The region as a square of luma, upright, rows from top to bottom. Each pixel is the stored one nearest to its
    /// middle.
    /// - Parameters:
    ///   - side: width and height in pixels.
    ///   - orientation: how the frame is stored.
    package func luma(side: Int, orientation: ImageOrientation) -> [UInt8] {
        let axes = AxisMap(FrameGeometry(orientation: orientation))
        var square = [UInt8](repeating: 0, count: side * side)
        // The middles of equal parts are within the region, whose pixels the plane contains.
        unsafe plane.withUnsafeBytes { bytes in
            guard let pixels = unsafe bytes.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return }
            for index in square.indices {
                var (x, y) = (index % side, index / side)
                if axes.transposed { swap(&x, &y) }
                if axes.reversesX { x = side - 1 - x }
                if axes.reversesY { y = side - 1 - y }
                let column = region.x + (2 * x + 1) * region.width / (2 * side)
                let row = region.y + (2 * y + 1) * region.height / (2 * side)
                let place = row * bytesPerRow + column * format.bytesPerPixel
                square[index] = unsafe UInt8(truncatingIfNeeded: format.luma(at: pixels + place))
            }
        }
        return square
    }
}

/// Luma of colours in integers: (77 red + 150 green + 29 blue + 128) / 256, rounded down. All sums fit 16 bits.
enum LumaMix {
    private static let red: UInt16 = 77
    private static let green: UInt16 = 150
    private static let blue: UInt16 = 29
    private static let half: UInt16 = 128

    @inline(__always)
    static func mix(red: UInt8, green: UInt8, blue: UInt8) -> Int32 {
        let sum = Self.red &* UInt16(red) &+ Self.green &* UInt16(green) &+ Self.blue &* UInt16(blue) &+ half
        return Int32(sum &>> 8)
    }

    /// Luma of pixels of four bytes, each a little-endian number: the first byte is its lowest.
    /// - Parameter redFirst: whether the first byte is red; otherwise it is blue.
    @inline(__always)
    static func mix(_ pixels: SIMD8<UInt32>, redFirst: Bool) -> SIMD8<UInt32> {
        // Each pixel as two 16-bit numbers, the lower one first, because SSE2 has no 32-bit products.
        let outer = words(pixels & SIMD8(repeating: 0x00FF_00FF))
        let middle = words((pixels &>> SIMD8(repeating: 8)) & SIMD8(repeating: 0xFF))
        let (first, third) = redFirst ? (red, blue) : (blue, red)
        let sums = quads(outer &* pair(first, third) &+ middle &* pair(green, 0) &+ pair(half, 0))
        let total = (sums &+ (sums &>> SIMD8(repeating: 16))) & SIMD8(repeating: 0xFFFF)
        return total &>> SIMD8(repeating: 8)
    }

    @inline(__always)
    private static func pair(_ low: UInt16, _ high: UInt16) -> SIMD16<UInt16> {
        words(SIMD8(repeating: UInt32(low) | UInt32(high) << 16))
    }

    @inline(__always)
    private static func words(_ quads: SIMD8<UInt32>) -> SIMD16<UInt16> {
        // Both have 32 bytes, and every pattern is a value.
        unsafe unsafeBitCast(quads, to: SIMD16<UInt16>.self)
    }

    @inline(__always)
    private static func quads(_ words: SIMD16<UInt16>) -> SIMD8<UInt32> {
        // Both have 32 bytes, and every pattern is a value.
        unsafe unsafeBitCast(words, to: SIMD8<UInt32>.self)
    }
}
