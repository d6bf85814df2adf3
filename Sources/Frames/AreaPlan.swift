import KernelInterface

/// The tables of one geometry that shrinks: which stored rows each line is the mean of, which stored pixels of these each of its own,
/// and the shares of all of them.
///
/// Output pixel i of n, along a stored axis of l pixels, covers the stretch from i * l / n to (i + 1) * l / n; a stored pixel
/// counts by the part of it that lies inside, as with OpenCV's `INTER_AREA`. The shares up to each pixel are rounded, so that
/// all of them add up exactly. An axis of at most two pixels to an output pixel is interpolated as in `ResizePlan`, where
/// two neighbours show every pixel; at two to one both are the same mean.
@safe
struct AreaPlan: ~Copyable {
    /// Row weights add up to this, 2^14.
    private static let rowUnit = 16_384
    /// Each of up to 224 lines shares the rows at both its ends with its neighbours, and is filled up to an even number.
    private static let rowWeightCount = PixelView.maximumSide + 3 * Preprocessor.side
    /// Codes behind those of a row: what a kernel may write there, and what the chunks of a pixel may reach.
    private static let codesBehind = 128

    /// First stored row of each line, how many rows there are, and where its weights begin.
    private let firstRows: UnsafeMutablePointer<Int32>
    private let rowCounts: UnsafeMutablePointer<Int32>
    private let weightStarts: UnsafeMutablePointer<Int32>
    private let rowWeights: UnsafeMutablePointer<Int16>
    /// See `AreaColumns`.
    private let blocks: UnsafeMutableRawPointer
    private let codes: UnsafeMutablePointer<Int16>
    /// All of the above in one piece: pages that no frame has needed yet cost no memory.
    private let memory: UnsafeMutableRawPointer

    private var chunks = 1
    private var bias: Int32 = 0
    private var width = 0
    private var pixelCount = 0
    private let kernels: AreaKernels

    init(kernels: AreaKernels) {
        let side = Preprocessor.side
        self.kernels = kernels
        // A full line of rows of 16384 takes the most: fewer outputs have more taps only where there are few.
        let mostChunks = (PixelView.maximumSide / side + 3 + AreaColumns.taps) / AreaColumns.taps
        let tableBytes = AreaColumns.blocks(side) * AreaColumns.blockBytes(mostChunks)
        let lineBytes = side * MemoryLayout<Int32>.stride
        let weightBytes = Self.rowWeightCount * MemoryLayout<Int16>.stride
        let codeBytes = (PixelView.maximumSide + Self.codesBehind) * MemoryLayout<Int16>.stride
        unsafe memory = .allocate(byteCount: tableBytes + 3 * lineBytes + weightBytes + codeBytes, alignment: 64)
        unsafe blocks = memory
        let lines = unsafe (memory + tableBytes).bindMemory(to: Int32.self, capacity: 3 * side)
        unsafe (firstRows, rowCounts, weightStarts) = (lines, lines + side, lines + 2 * side)
        let rest = unsafe memory + tableBytes + 3 * lineBytes
        unsafe rowWeights = rest.bindMemory(to: Int16.self, capacity: Self.rowWeightCount)
        unsafe codes = (rest + weightBytes).bindMemory(
            to: Int16.self, capacity: PixelView.maximumSide + Self.codesBehind)
    }

    deinit {
        unsafe memory.deallocate()
    }

    /// Fills the tables. Allocates nothing.
    mutating func prepare(_ format: PixelView.Format, _ placement: Placement, _ lines: LineLayout) {
        var weight = 0
        for line in 0..<lines.count {
            let stretch = Stretch(lines.row(line), of: lines.count, along: placement.source.height)
            // Every line is below 224, the capacity; see `rowWeightCount` for the weights.
            unsafe firstRows[line] = Int32(stretch.first)
            unsafe rowCounts[line] = Int32(stretch.count)
            unsafe weightStarts[line] = Int32(weight)
            for tap in 0..<stretch.count {
                unsafe rowWeights[weight + tap] = Int16(stretch.weight(tap, of: Self.rowUnit))
            }
            unsafe rowWeights[weight + stretch.count] = 0
            weight += (stretch.count + 1) & ~1
        }
        width = placement.source.width
        pixelCount = lines.pixelCount
        // Taps of no weight are read all the same.
        unsafe codes.initialize(repeating: 0, count: width + Self.codesBehind)
        bias = ResizePlan.bias(format.lumaRange)
        fillBlocks(ResizePlan.pixelUnit(format.lumaRange), lines)
    }

    private mutating func fillBlocks(_ unit: Int, _ lines: LineLayout) {
        chunks = 1
        for pixel in 0..<pixelCount {
            let count = Stretch(pixel, of: pixelCount, along: width).count
            chunks = max(chunks, (count + AreaColumns.taps - 1) / AreaColumns.taps)
        }
        let blockBytes = AreaColumns.blockBytes(chunks)
        let byteCount = AreaColumns.blocks(pixelCount) * blockBytes
        unsafe blocks.initializeMemory(as: UInt8.self, repeating: 0, count: byteCount)
        for pixel in 0..<pixelCount {
            let stretch = Stretch(lines.x(pixel), of: pixelCount, along: width)
            let block = unsafe blocks + pixel / AreaColumns.pixels * blockBytes
            unsafe block.storeBytes(
                of: Int32(stretch.first), toByteOffset: 4 * (pixel % AreaColumns.pixels), as: Int32.self)
            for tap in 0..<stretch.count {
                let (chunk, lane) = tap.quotientAndRemainder(dividingBy: AreaColumns.taps)
                let offset = 64 + 256 * chunk + 16 * AreaColumns.group(pixel) + 2 * lane
                unsafe block.storeBytes(of: Int16(stretch.weight(tap, of: unit)), toByteOffset: offset, as: Int16.self)
            }
        }
    }

    /// One line of a frame.
    /// - Parameters:
    ///   - index: below the layout's `count`.
    ///   - start: the region's first pixel.
    ///   - line: room for the line's pixels.
    @unsafe
    func write(
        _ index: Int, from start: UnsafePointer<UInt8>, bytesPerRow: Int, _ format: PixelView.Format,
        into line: UnsafeMutablePointer<UInt8>
    ) {
        let rows = unsafe start + Int(firstRows[index]) * bytesPerRow
        let weights = unsafe rowWeights + Int(weightStarts[index])
        let count = unsafe Int(rowCounts[index])
        unsafe fetch(index, start, bytesPerRow, format)
        if let shares = format.lumaShares {
            unsafe kernels.colour(
                rows, bytesPerRow, weights, count, width, shares.first, shares.second, shares.third, codes)
        } else {
            unsafe kernels.luma(rows, bytesPerRow, weights, count, width, format.bytesPerPixel, codes)
        }
        unsafe kernels.line(codes, blocks, chunks, bias, pixelCount, line)
    }

    /// Reads a byte of every cache line of the rows that line `index` has and the one before it has not, row after row.
    ///
    /// The kernels read the rows side by side, and a frame comes from memory, not from a cache: three to five streams that
    /// end after a row each are more than a prefetcher follows. One stream it does, and the kernels then find all of it in the
    /// nearest cache.
    @unsafe
    private func fetch(_ index: Int, _ start: UnsafePointer<UInt8>, _ bytesPerRow: Int, _ format: PixelView.Format) {
        var first = unsafe Int(firstRows[index])
        var end = unsafe first + Int(rowCounts[index])
        if index > 0 {
            let before = unsafe Int(firstRows[index - 1])
            let behind = unsafe before + Int(rowCounts[index - 1])
            if before <= first { first = max(first, behind) } else { end = min(end, before) }
        }
        let rowBytes = width * format.bytesPerPixel
        var sum: UInt8 = 0
        for row in stride(from: first, to: end, by: 1) {
            let bytes = unsafe start + row * bytesPerRow
            var x = 0
            while x < rowBytes {
                unsafe sum &+= bytes[x]
                x += 64
            }
        }
        // For the compiler alone: taps there have no weight.
        unsafe codes[width] = Int16(sum)
    }

    /// The stored pixels of an axis that one output pixel is made of.
    private struct Stretch {
        /// The first of them.
        let first: Int
        let count: Int
        /// Where the output pixel begins and ends, and the length of a stored one, in 1/n or 1/2n of that.
        private let start: Int
        private let end: Int
        private let pixel: Int

        /// Output pixel i of n along an axis of `length` pixels.
        init(_ i: Int, of n: Int, along length: Int) {
            if length > 2 * n {
                (start, end, pixel) = (i * length, (i + 1) * length, n)
            } else {
                // A pixel's length around the middle overlaps two neighbours by the shares of the interpolation.
                let middle = min(max((2 * i + 1) * length, n), (2 * length - 1) * n)
                (start, end, pixel) = (middle - n, middle + n, 2 * n)
            }
            first = start / pixel
            count = (end - 1) / pixel - first + 1
        }

        /// The share of the pixel `first + tap` when all add up to `unit`.
        func weight(_ tap: Int, of unit: Int) -> Int { rounded(tap + 1, unit) - rounded(tap, unit) }

        /// The shares of the pixels before `first + tap`, rounded to nearest.
        private func rounded(_ tap: Int, _ unit: Int) -> Int {
            let covered = min(max((first + tap) * pixel, start), end) - start
            return (2 * covered * unit + (end - start)) / (2 * (end - start))
        }
    }
}
