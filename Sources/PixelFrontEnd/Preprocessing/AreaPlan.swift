import Frames
import KernelInterface
import Platform

/// The tables for shrinking by means: for each output line the stored rows it covers, for each of its pixels the stored
/// pixels it covers, and their weights.
///
/// Output pixel i of n, along a stored axis of l pixels, covers i * l / n to (i + 1) * l / n. A stored pixel is
/// weighted by its covered part, as in OpenCV's `INTER_AREA`. The cumulated weights are rounded, so that all weights
/// add up exactly. An axis with at most two stored pixels per output pixel is interpolated as in `ResizePlan`, where
/// two neighbours cover every pixel; at exactly two both methods give the same mean.
@safe
struct AreaPlan: ~Copyable {
    /// Row weights add up to this, 2^14.
    private static let rowUnit = 16_384
    /// Each of up to 224 lines shares the rows at both its ends with its neighbours, and is padded to an even number.
    private static let rowWeightCount = PixelView.maximumSide + 3 * Preprocessor.side
    /// Values behind those of a row, which a kernel may write and the chunks of a pixel may read.
    private static let valuesBehind = 128

    /// For each line the first stored row, the number of rows and the index of its first weight.
    private let firstRows: UnsafeMutablePointer<Int32>
    private let rowCounts: UnsafeMutablePointer<Int32>
    private let weightStarts: UnsafeMutablePointer<Int32>
    private let rowWeights: UnsafeMutablePointer<Int16>
    /// See `AreaColumns`.
    private let blocks: UnsafeMutableRawPointer
    private let values: UnsafeMutablePointer<Int16>
    /// All of the above in one allocation: pages that no frame has used yet need no memory.
    private let memory: MemoryOwner

    private var chunks = 1
    private var bias: Int32 = 0
    private var width = 0
    private var pixelCount = 0
    private let kernels: AreaKernels

    init(kernels: AreaKernels) {
        let side = Preprocessor.side
        self.kernels = kernels
        // A full line of rows of 16384 pixels needs the most: fewer outputs have more taps, but there are fewer of
        // them.
        let maximumChunks = (PixelView.maximumSide / side + 3 + AreaColumns.taps) / AreaColumns.taps
        let tableBytes = AreaColumns.blocks(side) * AreaColumns.blockBytes(maximumChunks)
        let lineBytes = side * MemoryLayout<Int32>.stride
        let weightBytes = Self.rowWeightCount * MemoryLayout<Int16>.stride
        let valueBytes = (PixelView.maximumSide + Self.valuesBehind) * MemoryLayout<Int16>.stride
        memory = MemoryOwner(byteCount: tableBytes + 3 * lineBytes + weightBytes + valueBytes)
        unsafe blocks = memory.base
        let lines = unsafe (blocks + tableBytes).bindMemory(to: Int32.self, capacity: 3 * side)
        unsafe (firstRows, rowCounts, weightStarts) = (lines, lines + side, lines + 2 * side)
        let rest = unsafe blocks + tableBytes + 3 * lineBytes
        unsafe rowWeights = rest.bindMemory(to: Int16.self, capacity: Self.rowWeightCount)
        unsafe values = (rest + weightBytes).bindMemory(
            to: Int16.self, capacity: PixelView.maximumSide + Self.valuesBehind)
    }

    /// Fills the tables. Allocates nothing.
    mutating func prepare(_ format: PixelView.Format, _ placement: Placement, _ lines: LineLayout) {
        var weight = 0
        for line in 0..<lines.count {
            let stretch = Stretch(lines.row(line), of: lines.count, along: placement.source.height)
            // Every line is below the capacity, 224; for the weights see `rowWeightCount`.
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
        // Taps without weight are read, too.
        unsafe values.initialize(repeating: 0, count: width + Self.valuesBehind)
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

    /// Writes one line of a frame.
    /// - Parameters:
    ///   - index: below the layout's `count`.
    ///   - start: the region's first pixel.
    ///   - line: memory for the line's pixels.
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
                rows, bytesPerRow, weights, count, width, shares.first, shares.second, shares.third, values)
        } else {
            unsafe kernels.luma(rows, bytesPerRow, weights, count, width, format.bytesPerPixel, values)
        }
        unsafe kernels.line(values, blocks, chunks, bias, pixelCount, line)
    }

    /// Reads a byte of every cache line of those rows of line `index` that the line before does not have, row by row.
    ///
    /// The kernels read the rows side by side, and a frame comes from memory: a prefetcher does not follow three to
    /// five streams that each end after a row. It follows one stream, and then the kernels find all rows in the nearest
    /// cache.
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
            unsafe CacheLines.read(start + row * bytesPerRow, 0..<rowBytes, &sum)
        }
        // Keeps the compiler from removing the loop: taps there have no weight.
        unsafe values[width] = Int16(sum)
    }

    /// The stored pixels of an axis that one output pixel covers.
    private struct Stretch {
        /// The first covered pixel.
        let first: Int
        let count: Int
        /// Begin and end of the output pixel and length of a stored one, in 1/n or 1/2n of a stored pixel.
        private let start: Int
        private let end: Int
        private let pixel: Int

        /// Output pixel i of n along an axis of `length` pixels.
        init(_ i: Int, of n: Int, along length: Int) {
            if length > 2 * n {
                (start, end, pixel) = (i * length, (i + 1) * length, n)
            } else {
                // A pixel's length around the middle overlaps two neighbours by the weights of the interpolation.
                let middle = min(max((2 * i + 1) * length, n), (2 * length - 1) * n)
                (start, end, pixel) = (middle - n, middle + n, 2 * n)
            }
            first = start / pixel
            count = (end - 1) / pixel - first + 1
        }

        /// The weight of the pixel `first + tap` if all add up to `unit`.
        func weight(_ tap: Int, of unit: Int) -> Int { rounded(tap + 1, unit) - rounded(tap, unit) }

        /// The sum of the weights before `first + tap`, rounded to nearest.
        private func rounded(_ tap: Int, _ unit: Int) -> Int {
            let covered = min(max((first + tap) * pixel, start), end) - start
            return (2 * covered * unit + (end - start)) / (2 * (end - start))
        }
    }
}
