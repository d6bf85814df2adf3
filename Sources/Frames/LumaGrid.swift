import Platform

/// A frame as few sums of luma: a grid of 64 x 48 cells over the upright picture, or of 48 x 64 where that is higher than wide.
///
/// A cell is the sum of 4 x 4 pixels, 0...4080, of luma as it is stored (of packed colours that of BT.601). Sample i of an axis of n
/// pixels and S samples is pixel (2i + 1) n / 2S, rounded down: the middle of one of S equal stretches, so a small frame shows a pixel
/// several times. Only the frame's region counts.
package enum LumaGrid {
    /// Cells along the longer and the shorter side.
    package static let sides = (long: 64, short: 48)
    /// Cells of a grid.
    package static let count = 64 * 48
    /// Samples of a cell along each axis.
    package static let samples = 4

    /// One for each sample of the longer side.
    private typealias Offsets = FixedArray<(SIMD64<Int32>, SIMD64<Int32>, SIMD64<Int32>, SIMD64<Int32>), Int32>

    /// Where a stored cell belongs in the upright grid.
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

    /// Reads a frame.
    /// - Parameters:
    ///   - orientation: how the frame is stored.
    ///   - cells: `count` of them, rows of the upright grid from the top, each written as a whole number.
    /// - Returns: whether the grid is 64 cells wide and 48 high, and not 48 wide and 64 high.
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
        // Samples lie in the region, whose pixels the plane holds; places are a renumbering of the grid's cells.
        unsafe frame.plane.withUnsafeBytes { bytes in
            unsafe columns.withUnsafeBufferPointer { columns in
                unsafe cells.withUnsafeMutableBufferPointer { cells in
                    guard let pixels = unsafe bytes.baseAddress?.assumingMemoryBound(to: UInt8.self),
                        let columns = columns.baseAddress, let cells = cells.baseAddress
                    else { return }
                    for row in 0..<down {
                        let lines = unsafe Lines(pixels + region.y * frame.bytesPerRow, frame.bytesPerRow, &steps)
                        let output = unsafe cells + places.first + row * places.down
                        switch frame.format {
                        case .gray8, .nv12, .nv21, .i420, .yuyv:
                            unsafe sum(lines, columns, across, output, places.across)
                        case .bgra:
                            unsafe mix(lines, columns, across, output, places.across, redFirst: false)
                        case .rgba:
                            unsafe mix(lines, columns, across, output, places.across, redFirst: true)
                        }
                    }
                }
            }
        }
        return isWide
    }

    /// The samples of an axis, one after the other, without a division for each.
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

    /// The four lines of a row of cells.
    @unsafe
    private struct Lines {
        let first, second, third, fourth: UnsafePointer<UInt8>

        @inline(__always)
        init(_ pixels: UnsafePointer<UInt8>, _ bytesPerRow: Int, _ steps: inout Steps) {
            unsafe first = pixels + steps.next() * bytesPerRow
            unsafe second = pixels + steps.next() * bytesPerRow
            unsafe third = pixels + steps.next() * bytesPerRow
            unsafe fourth = pixels + steps.next() * bytesPerRow
        }
    }

    /// Sums of a row of cells whose luma is stored.
    /// - Requires: pixels at four offsets a cell in each line, `count` cells `step` apart at `output`.
    @inline(never)
    private static func sum(
        _ lines: Lines, _ columns: UnsafePointer<Int32>, _ count: Int, _ output: UnsafeMutablePointer<Float>,
        _ step: Int
    ) {
        let (first, second) = unsafe (lines.first, lines.second)
        let (third, fourth) = unsafe (lines.third, lines.fourth)
        var columns = unsafe columns
        var output = unsafe output
        for _ in 0..<count {
            var (upper, lower) = (Int32(0), Int32(0))
            for sample in 0..<samples {
                let x = unsafe Int(columns[sample])
                // Luma that is stored is read alike in every format.
                let luma = PixelView.Format.gray8
                unsafe upper &+= luma.luma(at: first + x) &+ luma.luma(at: second + x)
                unsafe lower &+= luma.luma(at: third + x) &+ luma.luma(at: fourth + x)
            }
            unsafe output.pointee = Float(upper &+ lower)
            unsafe output += step
            unsafe columns += samples
        }
    }

    /// Sums of a row of cells of four bytes a pixel, eight cells at a time: 48 and 64 are multiples.
    /// - Requires: as `sum`.
    @inline(never)
    private static func mix(
        _ lines: Lines, _ columns: UnsafePointer<Int32>, _ count: Int, _ output: UnsafeMutablePointer<Float>,
        _ step: Int, redFirst: Bool
    ) {
        var columns = unsafe columns
        var output = unsafe output
        for _ in 0..<count / 8 {
            var sums = SIMD8<UInt32>.zero
            for sample in 0..<samples {
                unsafe sums &+= LumaMix.mix(pixels(lines.first, columns + sample), redFirst: redFirst)
                unsafe sums &+= LumaMix.mix(pixels(lines.second, columns + sample), redFirst: redFirst)
                unsafe sums &+= LumaMix.mix(pixels(lines.third, columns + sample), redFirst: redFirst)
                unsafe sums &+= LumaMix.mix(pixels(lines.fourth, columns + sample), redFirst: redFirst)
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
    private static func pixels(_ line: UnsafePointer<UInt8>, _ columns: UnsafePointer<Int32>) -> SIMD8<UInt32> {
        @inline(__always) func pixel(_ cell: Int) -> UInt32 {
            unsafe UInt32(
                littleEndian: UnsafeRawPointer(line).loadUnaligned(
                    fromByteOffset: Int(columns[cell * samples]), as: UInt32.self))
        }
        return SIMD8(pixel(0), pixel(1), pixel(2), pixel(3), pixel(4), pixel(5), pixel(6), pixel(7))
    }
}
