import Frames
import KernelInterface
import Platform

/// The tables for interpolation: for each output line two stored rows, for each of its pixels two stored pixels packed
/// for the kernels, and their weights.
///
/// The position of output pixel i of n, along a stored axis of l pixels, is that of bilinear interpolation with
/// half-pixel centres, (i + 1/2) * l / n - 1/2, clamped to 0...l - 1. It is computed as the exact fraction ((2i + 1) *
/// l - n) / 2n, so that a weight is rounded only once.
@safe
struct ResizePlan: ~Copyable {
    /// The upper row's weight is 2^15 minus that of the lower one; see `ResizeKernels`.
    private static let rowUnit = 32_768
    /// Sum of the two horizontal weights: 2^14, or 2^14 * 255 / 219 where video range is expanded.
    private static let fullUnit = 16_384
    private static let videoUnit = 19_077
    /// Half of the final shift by 21 bits, less 16 levels with 7 fraction bits at the gain of `videoUnit`.
    private static let fullBias: Int32 = 1 << 20
    private static let videoBias: Int32 = (1 << 20) - 16 * 128 * 19_077

    /// For each line its two stored rows, and the weight of the second.
    private let topRows: UnsafeMutablePointer<Int32>
    private let bottomRows: UnsafeMutablePointer<Int32>
    private let rowWeights: UnsafeMutablePointer<Int32>
    /// For each pixel its first stored pixel, and the weights of that and of its right neighbour.
    private let places: UnsafeMutablePointer<Int32>
    private let pixelWeights: UnsafeMutablePointer<Int16>
    /// The same, packed for the kernels.
    private let packed: UnsafeMutableRawPointer
    /// All of the above in one allocation.
    private let memory: MemoryOwner
    private let kernels: ResizeKernels

    /// - Parameter kernels: the kernels that will read `packed`.
    init(kernels: ResizeKernels) {
        let side = Preprocessor.side
        self.kernels = kernels
        // With nil, `pack` only returns the size that it needs for this many pixels.
        let packedBytes = kernels.pack(nil, nil, side, 1, 1, 0, nil)
        let tableBytes = side * MemoryLayout<Int32>.stride
        // The packed table comes last, so that a guard page follows it.
        memory = MemoryOwner(byteCount: 5 * tableBytes + packedBytes)
        let lines = unsafe memory.base.bindMemory(to: Int32.self, capacity: 4 * side)
        unsafe (topRows, bottomRows, rowWeights, places) = (lines, lines + side, lines + 2 * side, lines + 3 * side)
        unsafe pixelWeights = (memory.base + 4 * tableBytes).bindMemory(to: Int16.self, capacity: 2 * side)
        unsafe packed = memory.base + 5 * tableBytes
    }

    /// Sum of the two horizontal weights.
    static func pixelUnit(_ range: PixelView.LumaRange) -> Int { range == .video ? videoUnit : fullUnit }

    /// The number that is added before the final shift.
    static func bias(_ range: PixelView.LumaRange) -> Int32 { range == .video ? videoBias : fullBias }

    /// Fills the tables. Allocates nothing.
    mutating func prepare(_ format: PixelView.Format, _ placement: Placement, _ lines: LineLayout) {
        let lastRow = placement.source.height - 1
        for line in 0..<lines.count {
            let position = Position(lines.row(line), of: lines.count, along: placement.source.height)
            // Every index is below `lines.count`, which is at most the capacity, 224.
            unsafe topRows[line] = Int32(position.index)
            unsafe bottomRows[line] = Int32(min(position.index + 1, lastRow))
            unsafe rowWeights[line] = Int32(position.share(of: Self.rowUnit))
        }
        let unit = Self.pixelUnit(format.lumaRange)
        for pixel in 0..<lines.pixelCount {
            let position = Position(lines.x(pixel), of: lines.pixelCount, along: placement.source.width)
            let share = position.share(of: unit)
            unsafe places[pixel] = Int32(position.index)
            unsafe pixelWeights[2 * pixel] = Int16(unit - share)
            unsafe pixelWeights[2 * pixel + 1] = Int16(share)
        }
        // The tables were filled above, for `pixelCount` pixels of rows with this width; the last index has its whole
        // weight on itself.
        _ = unsafe kernels.pack(
            places, pixelWeights, lines.pixelCount, placement.source.width, format.bytesPerPixel,
            Self.bias(format.lumaRange), packed)
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
        let top = unsafe start + Int(topRows[index]) * bytesPerRow
        let bottom = unsafe start + Int(bottomRows[index]) * bytesPerRow
        let weight = unsafe rowWeights[index]
        if let shares = format.lumaShares {
            unsafe kernels.colour(top, bottom, weight, shares.first, shares.second, shares.third, packed, line)
        } else {
            unsafe kernels.luma(top, bottom, weight, packed, line)
        }
    }

    /// A position between two neighbours of an axis.
    private struct Position {
        /// The neighbour at or before the position, 0..<length.
        var index: Int
        /// The position's distance from that neighbour, as a fraction below 1; 0 at the last index.
        private var numerator: Int
        private var denominator: Int

        init(_ i: Int, of count: Int, along length: Int) {
            denominator = 2 * count
            let place = max(0, (2 * i + 1) * length - count)
            index = place / denominator
            numerator = place % denominator
            if index >= length - 1 {
                index = length - 1
                numerator = 0
            }
        }

        /// The weight of the next neighbour if both add up to `unit`, rounded to nearest.
        func share(of unit: Int) -> Int {
            (2 * numerator * unit + denominator) / (2 * denominator)
        }
    }
}
