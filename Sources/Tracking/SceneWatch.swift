package import Frames
import Platform

/// Whether a scene has changed since it was last remembered, from a few of its pixels.
///
/// In each of 12 x 12 blocks 144 evenly spread pixels are read, if the frame is larger than that. The block whose mean
/// changed most is compared with the block of median change: a change of light affects all blocks alike, and the mean
/// of a block has a twelfth of a pixel's noise. A change is scaled by the frame's contrast: in dim light a hand that
/// appears changes a block only a little. In packed colours green stands for luma.
package struct SceneWatch: Sendable {
    private static let blocks = 12
    private static let samplesPerBlock = 12
    /// The contrast at which a change counts unscaled, that of a well lit room: the mean distance of a block from the
    /// median block, in luma values.
    private static let usualContrast = 40.0
    /// Contrast is taken as at least this; otherwise noise alone would be a change.
    private static let leastContrast = 10.0

    /// 144 numbers: one per block, or one per sample of an axis. A row has at most 4 times 16384 bytes.
    private typealias Numbers = FixedArray<
        (Sixteen, Sixteen, Sixteen, Sixteen, Sixteen, Sixteen, Sixteen, Sixteen, Sixteen), Int32
    >
    private typealias Sixteen = SIMD16<Int32>

    private var remembered = Numbers(repeating: 0)
    private var isEmpty = true
    /// Sums of the latest frame.
    private var sums = Numbers(repeating: 0)

    /// Starts with nothing remembered.
    package init() {}

    /// Measures a frame.
    /// - Returns: the change of the most changed block's mean against the median change, in luma values, scaled up to
    ///   the usual contrast; infinity if nothing is remembered. Frames with more than the usual contrast are not
    ///   scaled.
    package mutating func observe(at frame: borrowing PixelView) -> Double {
        sum(frame)
        guard !isEmpty else { return .infinity }
        var changes = Numbers(repeating: 0)
        let largest = changes.withMutableSpan { changes in
            sums.withSpan { sums in
                remembered.withSpan { remembered in
                    for index in changes.indices { changes[index] = sums[index] - remembered[index] }
                }
            }
            let middle = Self.median(of: changes.span)
            var largest: Int32 = 0
            for index in changes.indices { largest = max(largest, abs(changes[index] - middle)) }
            return largest
        }
        let samples = Double(Self.samplesPerBlock * Self.samplesPerBlock)
        let contrast = min(max(contrastSum() / samples, Self.leastContrast), Self.usualContrast)
        return Double(largest) / samples * (Self.usualContrast / contrast)
    }

    /// The mean distance of a block's sum from the median.
    private func contrastSum() -> Double {
        sums.withSpan { sums in
            let middle = Self.median(of: sums)
            var distance = 0
            for index in sums.indices { distance += Int(abs(sums[index] - middle)) }
            return Double(distance) / Double(sums.count)
        }
    }

    /// Remembers the latest frame.
    package mutating func remember() {
        remembered = sums
        isEmpty = false
    }

    /// Forgets the remembered frame.
    package mutating func reset() { isEmpty = true }

    private mutating func sum(_ frame: borrowing PixelView) {
        let region = frame.region
        let (step, offset) =
            switch frame.format {
            case .gray8, .nv12, .nv21, .i420: (1, 0)
            case .yuyv: (2, 0)
            case .bgra, .rgba: (4, 1)
            }
        let side = Self.blocks * Self.samplesPerBlock
        sums = Numbers(repeating: 0)
        // The centres of 144 equal parts of an axis lie in the region, and a view's plane holds all its pixels.
        unsafe frame.plane.withUnsafeBytes { bytes in
            var offsets = Numbers(repeating: 0)
            offsets.withMutableSpan { offsets in
                for index in offsets.indices {
                    offsets[index] = Int32((region.x + (2 * index + 1) * region.width / (2 * side)) * step + offset)
                }
                sums.withMutableSpan { sums in
                    for sample in 0..<side {
                        let row = region.y + (2 * sample + 1) * region.height / (2 * side)
                        let start = row * frame.bytesPerRow
                        let firstBlock = sample / Self.samplesPerBlock * Self.blocks
                        for block in 0..<Self.blocks {
                            var sum: Int32 = 0
                            for index in 0..<Self.samplesPerBlock {
                                sum &+= unsafe Int32(bytes[start + Int(offsets[block * Self.samplesPerBlock + index])])
                            }
                            sums[firstBlock + block] &+= sum
                        }
                    }
                }
            }
        }
    }

    /// The smallest number that at least half of them do not exceed, found by halving the range.
    private static func median(of numbers: Span<Int32>) -> Int32 {
        let bound = Int32(samplesPerBlock * samplesPerBlock * 255)
        var (low, high) = (-bound, bound)
        while low < high {
            let middle = low + (high - low) >> 1
            var count = 0
            for index in numbers.indices where numbers[index] <= middle { count += 1 }
            if 2 * count >= numbers.count { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
