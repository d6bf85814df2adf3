/// The products and the solve of `DenseAlgebra` in plain Swift, for builds without BLAS. Matrices are row-major. Sums
/// have a fixed order, so that the same data give the same bits.
package enum PlainAlgebra {
    /// Writes the lower triangle of `x' x`, for a [rows][width] matrix, to the [width][width] `lower`; the upper one is
    /// unchanged.
    package static func gram(_ x: [Double], width: Int, lower: inout [Double]) {
        precondition(width > 0 && x.count % width == 0 && lower.count == width * width)
        let rows = x.count / width
        unsafe x.withUnsafeBufferPointer { x in
            unsafe lower.withUnsafeMutableBufferPointer { lower in
                for i in 0..<width {
                    for j in 0...i { unsafe lower[i * width + j] = 0 }
                }
                for row in 0..<rows {
                    let at = row * width
                    for i in 0..<width {
                        let factor = unsafe x[at + i]
                        for j in 0...i { unsafe lower[i * width + j] += factor * x[at + j] }
                    }
                }
            }
        }
    }

    /// `m * v` of a [rows][width] matrix, or `m' * v` if `transposed`.
    package static func multiply(
        _ m: [Double], width: Int, by v: [Double], transposed: Bool, to result: inout [Double]
    ) {
        precondition(width > 0 && m.count % width == 0)
        let rows = m.count / width
        precondition(v.count == (transposed ? rows : width) && result.count == (transposed ? width : rows))
        unsafe m.withUnsafeBufferPointer { m in
            unsafe v.withUnsafeBufferPointer { v in
                unsafe result.withUnsafeMutableBufferPointer { result in
                    if transposed {
                        for j in 0..<width { unsafe result[j] = 0 }
                        for row in 0..<rows {
                            for j in 0..<width { unsafe result[j] += v[row] * m[row * width + j] }
                        }
                    } else if let base = m.baseAddress, let vector = v.baseAddress {
                        for row in 0..<rows { unsafe result[row] = dot(base + row * width, vector, width) }
                    }
                }
            }
        }
    }

    /// The sum of `a[k] * b[k]`, in four partial sums.
    package static func dot(_ a: UnsafePointer<Double>, _ b: UnsafePointer<Double>, _ count: Int) -> Double {
        var sums = SIMD4<Double>.zero
        var k = 0
        while k + 4 <= count {
            unsafe sums +=
                UnsafeRawPointer(a + k).loadUnaligned(as: SIMD4<Double>.self)
                * UnsafeRawPointer(b + k).loadUnaligned(as: SIMD4<Double>.self)
            k += 4
        }
        var sum = sums.sum()
        while k < count {
            unsafe sum += a[k] * b[k]
            k += 1
        }
        return sum
    }

    /// Replaces `x` by the solution y of `l l' y = x`, where l is the lower triangle of `factor`, without zeros in its
    /// diagonal.
    package static func solve(factor: [Double], _ x: inout [Double]) {
        let n = x.count
        precondition(factor.count == n * n)
        for row in 0..<n {
            var sum = x[row]
            for column in 0..<row { sum -= factor[row * n + column] * x[column] }
            x[row] = sum / factor[row * n + row]
        }
        for row in (0..<n).reversed() {
            let value = x[row] / factor[row * n + row]
            x[row] = value
            for column in 0..<row { x[column] -= factor[row * n + column] * value }
        }
    }
}
