import Frames
import Platform

/// The sides of a grid in cells.
struct GridShape: Equatable {
    let width: Int
    let height: Int

    init(isWide: Bool) {
        let sides = LumaGrid.sides
        (width, height) = isWide ? (sides.long, sides.short) : (sides.short, sides.long)
    }
}

/// The amount of change in a grid, and its position.
struct ChangeExtent {
    let shape: GridShape
    /// In units of a grid.
    var sum: Float
    /// Cells that change.
    var cells: Int
    /// The centroid and the standard deviations about it, normalised to the grid's sides.
    var x = 0.5, y = 0.5, wide = 0.0, high = 0.0
}

/// The arithmetic of whole grids: `LumaGrid.count` floats each, in rows. Integers stay exact, because all their sums
/// are below 2^24.
enum Cells {
    /// Both sides of a grid are multiples of its lanes.
    typealias Lanes = SIMD8<Float>
    static let lanes = Lanes.scalarCount

    /// Sums of the rows or columns of a grid.
    private typealias Sums = FixedArray<SIMD64<Float>, Float>

    @inline(__always)
    private static func load(_ cells: UnsafePointer<Float>, _ index: Int) -> Lanes {
        // The caller proves that eight cells from the index on are readable.
        unsafe UnsafeRawPointer(cells + index).loadUnaligned(as: Lanes.self)
    }

    @inline(__always)
    private static func store(_ lanes: Lanes, _ cells: UnsafeMutablePointer<Float>, _ index: Int) {
        // As `load`.
        unsafe UnsafeMutableRawPointer(cells + index).storeBytes(of: lanes, as: Lanes.self)
    }

    /// 1 in each lane whose value is below 0.
    @inline(__always)
    private static func isNegative(_ lanes: Lanes) -> SIMD8<UInt32> {
        // Both are 32 bytes in which every bit pattern is valid; the top bit is the sign.
        unsafe unsafeBitCast(lanes, to: SIMD8<UInt32>.self) &>> SIMD8(repeating: 31)
    }

    @inline(__always)
    private static func magnitude(_ lanes: Lanes) -> Lanes {
        // As above, without the sign.
        unsafe unsafeBitCast(
            unsafeBitCast(lanes, to: SIMD8<UInt32>.self) & SIMD8(repeating: 0x7FFF_FFFF), to: Lanes.self)
    }

    /// `max(lanes, 0)`; the lanes must not be NaN.
    @inline(__always)
    private static func positive(_ lanes: Lanes) -> Lanes { lanes.replacing(with: 0, where: lanes .< 0) }

    /// Whether two grids are the same. They must not contain -0.
    static func areEqual(_ first: UnsafePointer<Float>, _ second: UnsafePointer<Float>) -> Bool {
        for index in stride(from: 0, to: LumaGrid.count, by: lanes) {
            if unsafe load(first, index) != load(second, index) { return false }
        }
        return true
    }

    /// `|now - before|` of each cell.
    static func difference(
        _ before: UnsafePointer<Float>, _ now: UnsafePointer<Float>, into output: UnsafeMutablePointer<Float>
    ) {
        for index in stride(from: 0, to: LumaGrid.count, by: lanes) {
            unsafe store(magnitude(load(now, index) - load(before, index)), output, index)
        }
    }

    /// The smallest integer that at least half of the cells do not exceed; fractions are rounded down. Found by halving
    /// the range 0...4095, which contains all differences of cells.
    static func median(_ cells: UnsafePointer<Float>) -> Float {
        var (low, high) = (0, 4_095)
        // In most frames the median of the differences is below four luma values of a pixel.
        if unsafe count(cells, atMost: 63) { high = 63 } else { low = 64 }
        while low < high {
            let middle = (low + high) / 2
            if unsafe count(cells, atMost: middle) { high = middle } else { low = middle + 1 }
        }
        return Float(low)
    }

    /// Whether at least half of the cells do not exceed an integer.
    @inline(__always)
    private static func count(_ cells: UnsafePointer<Float>, atMost limit: Int) -> Bool {
        let next = Lanes(repeating: Float(limit + 1))
        var counts = SIMD8<UInt32>.zero
        for index in stride(from: 0, to: LumaGrid.count, by: lanes) {
            unsafe counts &+= isNegative(load(cells, index) - next)
        }
        return 2 * counts.wrappedSum() >= UInt32(LumaGrid.count)
    }

    /// The sum of the amounts by which cells exceed a limit.
    static func sum(_ cells: UnsafePointer<Float>, above limit: Float) -> Float {
        let limit = Lanes(repeating: limit)
        var sum = Lanes.zero
        for index in stride(from: 0, to: LumaGrid.count, by: lanes) {
            unsafe sum += positive(load(cells, index) - limit)
        }
        return sum.sum()
    }

    /// Writes the amounts by which cells exceed a limit.
    /// - Parameter least: the sum from which on the change has a position and an extent.
    /// - Returns: the sum and the extent of what was written.
    static func change(
        _ cells: UnsafePointer<Float>, above limit: Float, _ shape: GridShape, least: Float,
        into output: UnsafeMutablePointer<Float>
    ) -> ChangeExtent {
        let limit = Lanes(repeating: limit)
        var (columns, rows) = (Sums(repeating: 0), Sums(repeating: 0))
        var counts = SIMD8<UInt32>.zero
        columns.withMutableSpan { columns in
            rows.withMutableSpan { rows in
                unsafe columns.withUnsafeMutableBufferPointer { columns in
                    guard let columns = columns.baseAddress else { return }
                    var index = 0
                    for row in 0..<shape.height {
                        var sum = Lanes.zero
                        for column in stride(from: 0, to: shape.width, by: lanes) {
                            let change = unsafe positive(load(cells, index) - limit)
                            unsafe store(change, output, index)
                            sum += change
                            counts &+= isNegative(-change)
                            unsafe store(load(columns, column) + change, columns, column)
                            index += lanes
                        }
                        rows[row] = sum.sum()
                    }
                }
            }
        }
        var extent = ChangeExtent(shape: shape, sum: 0, cells: Int(counts.wrappedSum()))
        rows.withSpan { rows in
            for row in 0..<shape.height { extent.sum += rows[row] }
            guard extent.sum >= least else { return }
            (extent.y, extent.high) = spread(rows, shape.height)
            (extent.x, extent.wide) = columns.withSpan { spread($0, shape.width) }
        }
        return extent
    }

    /// The mean position of sums and their standard deviation about it, normalised to their number. Their sum is above
    /// 0.
    private static func spread(_ sums: Span<Float>, _ count: Int) -> (Double, Double) {
        var (total, first) = (0.0, 0.0)
        for index in 0..<count {
            total += Double(sums[index])
            first += Double(sums[index]) * (Double(index) + 0.5)
        }
        let middle = first / total
        var second = 0.0
        for index in 0..<count {
            let away = Double(index) + 0.5 - middle
            second += Double(sums[index]) * away * away
        }
        return (middle / Double(count), (second / total).squareRoot() / Double(count))
    }

    /// The sum of the cells whose centres are at most `reach` from a position along each axis, normalised to the sides.
    static func sum(
        _ cells: UnsafePointer<Float>, _ shape: GridShape, around place: SIMD2<Float>, within reach: SIMD2<Float>
    ) -> Float {
        @inline(__always) func isNear(_ index: Int, _ count: Int, _ place: Float, _ reach: Float) -> Bool {
            abs((Double(index) + 0.5) / Double(count) - Double(place)) <= Double(reach)
        }
        var weights = Sums(repeating: 0)
        return weights.withMutableSpan { weights in
            for column in 0..<shape.width where isNear(column, shape.width, place.x, reach.x) { weights[column] = 1 }
            return unsafe weights.withUnsafeMutableBufferPointer { weights in
                guard let weights = weights.baseAddress else { return 0 }
                var sum = Lanes.zero
                for row in 0..<shape.height where isNear(row, shape.height, place.y, reach.y) {
                    for column in stride(from: 0, to: shape.width, by: lanes) {
                        unsafe sum += load(weights, column) * load(cells, row * shape.width + column)
                    }
                }
                return sum.sum()
            }
        }
    }

    /// Writes a grid moved by a shift in cells: cell (row, column) is the value at (row - y, column - x), interpolated
    /// linearly, edges repeated.
    /// - Requires: a shift of at most `ShiftSolver.maximumShift` cells along each axis.
    static func move(
        _ cells: UnsafePointer<Float>, by shift: SIMD2<Double>, _ shape: GridShape,
        into output: UnsafeMutablePointer<Float>
    ) {
        let low = (-shift).rounded(.down)
        let (stepX, stepY) = (Int(low.x), Int(low.y))
        let (shareX, shareY) = (Lanes(repeating: Float(-shift.x - low.x)), Lanes(repeating: Float(-shift.y - low.y)))
        // A row interpolated between two rows, with room for the reach and one cell on both sides.
        var between = FixedArray<(SIMD64<Float>, SIMD16<Float>), Float>(repeating: 0)
        between.withMutableSpan { between in
            unsafe between.withUnsafeMutableBufferPointer { between in
                guard let start = between.baseAddress else { return }
                let middle = unsafe start + lanes
                for row in 0..<shape.height {
                    let above = min(max(row + stepY, 0), shape.height - 1)
                    let below = min(max(row + stepY + 1, 0), shape.height - 1)
                    let (first, second) = unsafe (cells + above * shape.width, cells + below * shape.width)
                    for column in stride(from: 0, to: shape.width, by: lanes) {
                        let upper = unsafe load(first, column)
                        unsafe store(upper + shareY * (load(second, column) - upper), middle, column)
                    }
                    unsafe store(Lanes(repeating: middle[0]), start, 0)
                    unsafe store(Lanes(repeating: middle[shape.width - 1]), middle, shape.width)
                    let place = unsafe middle + stepX
                    for column in stride(from: 0, to: shape.width, by: lanes) {
                        let left = unsafe load(place, column)
                        let value = unsafe left + shareX * (load(place, column + 1) - left)
                        unsafe store(value, output, row * shape.width + column)
                    }
                }
            }
        }
    }
}

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
