package import Frames
import Platform

/// A frame as 192 sums of luma: blocks of 4 x 4 cells of its `LumaGrid`, which is 256 samples each.
///
/// Two of them tell whether something has moved between their frames. The block that changed most is compared with the
/// block of median change: a change of light affects all blocks alike, and the mean of a block has a sixteenth of a
/// pixel's noise. A change is scaled by the frame's contrast: in dim light a hand that appears changes a block only a
/// little.
package struct SceneBlocks: Sendable {
    /// Cells of a block along each axis.
    private static let side = 4
    private static let samplesPerBlock = (side * LumaGrid.samples) * (side * LumaGrid.samples)
    /// The contrast at which a change counts unscaled, that of a well lit room: the mean distance of a block from the
    /// median block, in luma values.
    private static let usualContrast = 40.0
    /// Contrast is taken as at least this; otherwise noise alone would be a change.
    private static let minimumContrast = 10.0

    private typealias Four = (SIMD16<Int32>, SIMD16<Int32>, SIMD16<Int32>, SIMD16<Int32>)
    private typealias Sums = FixedArray<(Four, Four, Four), Int32>

    private var sums = Sums(repeating: 0)

    /// The blocks of a grid.
    /// - Parameters:
    ///   - cells: `LumaGrid.count` cells, row by row.
    ///   - isWide: whether the grid is 64 cells wide and 48 high, instead of 48 wide and 64 high.
    package init(_ cells: Span<Float>, isWide: Bool) {
        let (long, short) = LumaGrid.sides
        let (width, height) = isWide ? (long, short) : (short, long)
        let across = width / Self.side
        sums.withMutableSpan { sums in
            for row in 0..<height {
                for block in 0..<across {
                    var sum: Float = 0
                    // Sums of integers below 2^24 are exact.
                    for cell in 0..<Self.side { sum += cells[row * width + block * Self.side + cell] }
                    sums[row / Self.side * across + block] &+= Int32(sum)
                }
            }
        }
    }

    /// The blocks of a frame, for a caller that has no grid of it.
    package init(of frame: borrowing PixelView, orientation: ImageOrientation) {
        typealias Row = (SIMD64<Float>, SIMD64<Float>, SIMD64<Float>, SIMD64<Float>)
        typealias Grid = (Row, Row, Row, Row, Row, Row, Row, Row, Row, Row, Row, Row)
        var grid = FixedArray<Grid, Float>(repeating: 0)
        let isWide = grid.withMutableSpan { LumaGrid.write(frame, orientation: orientation, to: &$0) }
        self = grid.withSpan { SceneBlocks($0, isWide: isWide) }
    }

    /// The change of the most changed block's mean against the median change, in luma values, scaled up to the usual
    /// contrast. Frames with more than the usual contrast are not scaled.
    /// - Parameter earlier: blocks of an earlier frame with the same shape.
    package func change(since earlier: SceneBlocks) -> Double {
        var changes = sums
        changes.withMutableSpan { changes in
            earlier.sums.withSpan { earlier in
                for index in changes.indices { changes[index] -= earlier[index] }
            }
        }
        let largest = changes.withSpan { changes in
            let middle = Self.median(of: changes)
            var largest: Int32 = 0
            for index in changes.indices { largest = max(largest, abs(changes[index] - middle)) }
            return largest
        }
        let contrast = min(max(self.contrast, Self.minimumContrast), Self.usualContrast)
        return Double(largest) / Double(Self.samplesPerBlock) * (Self.usualContrast / contrast)
    }

    /// The mean distance of a block's mean from the median block's, in luma values.
    private var contrast: Double {
        sums.withSpan { sums in
            let middle = Self.median(of: sums)
            var distance = 0
            for index in sums.indices { distance += Int(abs(sums[index] - middle)) }
            return Double(distance) / Double(sums.count * Self.samplesPerBlock)
        }
    }

    /// The smallest number that at least half of them do not exceed, found by halving the range.
    private static func median(of numbers: Span<Int32>) -> Int32 {
        let bound = Int32(samplesPerBlock * 255)
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
