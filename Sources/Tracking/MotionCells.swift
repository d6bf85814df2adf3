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
    /// The centroid and the standard deviations about it, in shares of the grid's sides.
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

    /// The mean position of sums and their standard deviation about it, in shares of their number. Their sum is above
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

    /// The sum of the cells whose centres are at most `reach` from a position along each axis, in shares of the sides.
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
