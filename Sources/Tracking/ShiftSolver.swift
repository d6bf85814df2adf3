import Frames

/// Estimates the movement of a whole grid: Lucas and Kanade's least squares in three rounds. All but the first weigh a
/// cell by 1 / (1 + (its difference / 128)^2), so that objects with their own movement count little. Cells at the edge
/// do not count.
struct ShiftSolver {
    /// The largest shift along an axis, in cells.
    static let maximumShift = 4.0
    private static let rounds = 3
    /// The difference at which the weight is a half, in units of a grid: eight luma values of a pixel.
    private static let unlike = Float(8 * LumaGrid.samples * LumaGrid.samples)

    // One register of SSE2 or NEON; five sums fit the registers.
    private typealias Lanes = SIMD4<Float>

    private let shape: GridShape

    init(_ shape: GridShape) { self.shape = shape }

    /// - Parameter moved: overwritten.
    /// - Returns: the movement to the right and down in cells; zero if there are no edges or all have the same
    ///   direction.
    func shift(
        from before: UnsafePointer<Float>, to now: UnsafePointer<Float>, moved: UnsafeMutablePointer<Float>
    ) -> SIMD2<Double> {
        var shift = SIMD2<Double>.zero
        for round in 0..<Self.rounds {
            let sums: Sums
            if round == 0 {
                sums = unsafe self.sums(before, now, isWeighted: false)
            } else {
                unsafe Cells.move(before, by: shift, shape, into: moved)
                sums = unsafe self.sums(moved, now, isWeighted: true)
            }
            guard let step = sums.solution else { return .zero }
            shift = (shift + step).clamped(
                lowerBound: SIMD2(repeating: -Self.maximumShift), upperBound: SIMD2(repeating: Self.maximumShift))
        }
        return shift
    }

    /// Weighted sums of products of gradients and differences.
    private struct Sums {
        var xx = Lanes.zero, xy = Lanes.zero, yy = Lanes.zero
        var xd = Lanes.zero, yd = Lanes.zero

        /// Nil if no shift fits better than all others.
        var solution: SIMD2<Double>? {
            // Gradients are differences over two cells.
            let (xx, xy, yy) = (Double(self.xx.sum()) / 4, Double(self.xy.sum()) / 4, Double(self.yy.sum()) / 4)
            let (xd, yd) = (Double(self.xd.sum()) / 2, Double(self.yd.sum()) / 2)
            let determinant = xx * yy - xy * xy
            guard determinant > 1e-3 * max(xx * yy, 1) else { return nil }
            // Where a cell gets brighter, the frame has moved against the gradient.
            return -SIMD2(yy * xd - xy * yd, xx * yd - xy * xd) / determinant
        }
    }

    @inline(__always)
    private func sums(_ was: UnsafePointer<Float>, _ now: UnsafePointer<Float>, isWeighted: Bool) -> Sums {
        var total = Sums()
        let width = shape.width
        // Only inner rows, where all four neighbours are cells of the grid. A row's first and last cell have weight 0.
        for row in 1..<shape.height - 1 {
            var sums = Sums()
            for column in stride(from: 0, to: width, by: Lanes.scalarCount) {
                let index = row * width + column
                @inline(__always) func load(_ cells: UnsafePointer<Float>, _ index: Int) -> Lanes {
                    unsafe UnsafeRawPointer(cells + index).loadUnaligned(as: Lanes.self)
                }
                // Rows above and below exist, so these are within the grid.
                let difference = unsafe load(now, index) - load(was, index)
                var x = unsafe load(was, index + 1) - load(was, index - 1)
                var y = unsafe load(was, index + width) - load(was, index - width)
                if column == 0 { (x[0], y[0]) = (0, 0) }
                if column == width - Lanes.scalarCount {
                    (x[Lanes.scalarCount - 1], y[Lanes.scalarCount - 1]) = (0, 0)
                }
                var (weightedX, weightedY) = (x, y)
                if isWeighted {
                    let unlike = difference * (1 / Self.unlike)
                    let divisor = 1 + unlike * unlike
                    weightedX /= divisor
                    weightedY /= divisor
                }
                sums.xx += weightedX * x
                sums.xy += weightedX * y
                sums.yy += weightedY * y
                sums.xd += weightedX * difference
                sums.yd += weightedY * difference
            }
            total.xx += sums.xx
            total.xy += sums.xy
            total.yy += sums.yy
            total.xd += sums.xd
            total.yd += sums.yd
        }
        return total
    }
}
