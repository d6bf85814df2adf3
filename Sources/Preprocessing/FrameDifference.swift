import Platform

/// How much two resized frames differ, as a whole and in the block that differs most: one pass over both.
///
/// A hand of 8% of the frame's height that moves by a pixel changes about forty of fifty thousand pixels, far less than
/// a camera's noise. But within a block of 32 x 32 the change is many times the noise of a mean. So the strongest of 49
/// blocks is compared with the median block, which noise and even changes of light affect equally.
package struct FrameDifference: Sendable, Equatable {
    /// Mean absolute difference of all pixels, in luma levels, 0...255.
    package let mean: Double
    /// Mean absolute difference in the block where it is largest, in luma levels.
    package let peak: Double
    /// Median of the 49 blocks' mean absolute differences, in luma levels.
    package let median: Double

    /// Energy of movement, in luma levels: how far the strongest block exceeds the median, 0 for equal frames. Noise of
    /// standard deviation s gives about 0.1 s.
    package var energy: Double { peak - median }

    /// One number for each of 49 blocks.
    private typealias Blocks = FixedArray<(SIMD16<UInt32>, SIMD16<UInt32>, SIMD16<UInt32>, UInt32), UInt32>

    /// Compares two frames.
    /// - Parameters:
    ///   - previous: `Preprocessor.frameBytes` bytes of any earlier frame.
    ///   - current: as many bytes of a later frame, with the same tones.
    package init(from previous: Span<UInt8>, to current: Span<UInt8>) {
        precondition(previous.count == Preprocessor.frameBytes && current.count == Preprocessor.frameBytes)
        var blocks = Blocks(repeating: 0)
        var sum: UInt32 = 0
        var largest: UInt32 = 0
        // Blocks tile the image, whose size was just checked for both.
        unsafe previous.withUnsafeBufferPointer { before in
            unsafe current.withUnsafeBufferPointer { after in
                guard let before = before.baseAddress, let after = after.baseAddress else { return }
                for block in 0..<LumaMeasures.blockCount {
                    let first = block / 7 * 32 * Preprocessor.side + block % 7 * 32
                    let total = unsafe Self.distance(before + first, after + first)
                    blocks[block] = total
                    sum &+= total
                    largest = max(largest, total)
                }
            }
        }
        mean = Double(sum) / Double(Preprocessor.frameBytes)
        peak = Double(largest) / 1024
        median = Double(blocks.withSpan { Self.median(of: $0, atMost: largest) }) / 1024
    }

    /// Sum of absolute differences of a block.
    /// - Requires: 32 rows of 32 bytes at each address, `Preprocessor.side` apart.
    @inline(always)
    private static func distance(_ before: UnsafePointer<UInt8>, _ after: UnsafePointer<UInt8>) -> UInt32 {
        // At most 64 * 510.
        var sums = SIMD8<UInt16>.zero
        var offset = 0
        for _ in 0..<32 {
            let (left, right) = unsafe (SIMD16(at: before + offset), SIMD16(at: before + offset + 16))
            unsafe sums &+= left.distance(to: SIMD16(at: after + offset)).pairSums
            unsafe sums &+= right.distance(to: SIMD16(at: after + offset + 16)).pairSums
            offset &+= Preprocessor.side
        }
        return sums.pairSums.total
    }

    /// The smallest number that at least 25 of the 49 do not exceed, found by halving the range.
    private static func median(of blocks: Span<UInt32>, atMost largest: UInt32) -> UInt32 {
        var (low, high) = (UInt32(0), largest)
        while low < high {
            let middle = low + (high - low) / 2
            var count = 0
            for index in blocks.indices where blocks[index] <= middle { count &+= 1 }
            if count >= 25 { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
