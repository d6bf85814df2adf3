package import Frames

/// Mean squared differences between pixels 1, 2, 4 and 8 apart, horizontally and vertically, from which blur is
/// measured.
///
/// White noise of standard deviation s adds 2 s^2 to each of them, so it cancels in a difference of two. The rest grows
/// with the distance where edges are sharper than it (D(k) ~ k for steps), and with its square where they are softer.
/// Hence
///
///     sharpness = (D(2) - D(1)) / (D(8) - D(4)):  1/4 for ideal steps, 3/48 for an image without fine detail
///
/// at any contrast. Motion blur softens one direction only, so the smaller of the two counts.
package struct GradientEnergies: Sendable, Equatable {
    /// A frame is sampled in this many parts, selected by `phase`.
    package static let phases = 32

    /// Horizontally: D(1), D(2), D(4), D(8) in squared luma levels.
    package var horizontal: SIMD4<Double>
    /// Vertically, likewise.
    package var vertical: SIMD4<Double>

    package init(horizontal: SIMD4<Double>, vertical: SIMD4<Double>) {
        (self.horizontal, self.vertical) = (horizontal, vertical)
    }

    /// Measures every 32nd row of a frame's content, and the rows 1, 2, 4 and 8 below each. All are zero if the content
    /// is smaller than 24 pixels horizontally or 9 vertically.
    /// - Parameters:
    ///   - frame: `Preprocessor.frameBytes` bytes.
    ///   - phase: selects the rows; any number, taken modulo `phases`. Consecutive numbers select rows far from each
    ///     other.
    ///   - content: the part that is not padding, whose edges do not count.
    package init(of frame: Span<UInt8>, phase: Int, content: PixelView.Region = .square) {
        precondition(frame.count == Preprocessor.frameBytes)
        let side = Preprocessor.side
        let (left, top) = (min(max(content.x, 0), side), min(max(content.y, 0), side))
        let right = min(max(content.width, 0), side - left) + left
        let bottom = min(max(content.height, 0), side - top) + top
        // 11 has no factor in common with 32, so 32 phases visit all rows.
        let start = top + ((phase & (Self.phases - 1)) * 11) % Self.phases
        var (along, across) = (Sums(), Sums())
        var count = 0
        // Every row is at most bottom - 9 and every x at most right - 24, so the pixel 8 further in either direction
        // from any of the sixteen is inside the image.
        unsafe frame.withUnsafeBufferPointer { bytes in
            guard let base = bytes.baseAddress else { return }
            var row = start
            while row < bottom - 8 {
                var x = left
                while x <= right - 24 {
                    let address = unsafe base + (row &* side &+ x)
                    unsafe along.add(address, step: 1)
                    unsafe across.add(address, step: side)
                    x &+= 16
                    count &+= 16
                }
                row &+= Self.phases
            }
        }
        horizontal = along.means(of: count)
        vertical = across.means(of: count)
    }

    /// Sums of squares of differences at four distances. A frame adds at most 7 * 13 * 4 squares to a lane.
    private struct Sums {
        var at1 = SIMD4<UInt32>.zero
        var at2 = SIMD4<UInt32>.zero
        var at4 = SIMD4<UInt32>.zero
        var at8 = SIMD4<UInt32>.zero

        /// - Requires: sixteen bytes at the address, and at it plus 1, 2, 4 and 8 steps.
        @inline(always)
        mutating func add(_ address: UnsafePointer<UInt8>, step: Int) {
            let values = unsafe SIMD16(at: address)
            unsafe at1 &+= values.distance(to: SIMD16(at: address + step)).squareSums
            unsafe at2 &+= values.distance(to: SIMD16(at: address + 2 &* step)).squareSums
            unsafe at4 &+= values.distance(to: SIMD16(at: address + 4 &* step)).squareSums
            unsafe at8 &+= values.distance(to: SIMD16(at: address + 8 &* step)).squareSums
        }

        func means(of count: Int) -> SIMD4<Double> {
            guard count > 0 else { return .zero }
            return SIMD4(Double(at1.total), Double(at2.total), Double(at4.total), Double(at8.total)) / Double(count)
        }
    }

    /// About 1/16 (soft) ... 1/4 (crisp); nil if neither direction has enough contrast.
    ///
    /// A direction counts if D(8) - D(4) is at least 2 squared levels and at least D(1): with more noise the quotient's
    /// error would be as large as its range.
    package var sharpness: Double? {
        let (h, v) = (Self.sharpness(horizontal), Self.sharpness(vertical))
        guard let h else { return v }
        guard let v else { return h }
        return min(h, v)
    }

    private static func sharpness(_ energy: SIMD4<Double>) -> Double? {
        let coarse = energy[3] - energy[2]
        guard coarse >= 2, coarse >= energy[0] else { return nil }
        return max(0, energy[1] - energy[0]) / coarse
    }
}
