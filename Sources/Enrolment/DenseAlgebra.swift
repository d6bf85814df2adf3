#if canImport(Accelerate)
    import Accelerate
#elseif BLAS && canImport(CBLAS)
    import CBLAS
#endif

/// The dense products and the solve that a fit needs, in Double: with BLAS if it is part of the build (D10), else in
/// plain Swift. Matrices are row-major.
///
/// BLAS runs on one thread, so that the same data give the same bits on the same processor, however many cores are
/// free.
package enum DenseAlgebra {
    /// The sum over rows r of `w[r] * x[r] x[r]'`, as a full symmetric matrix.
    /// - x: [rows][width].
    /// - weights: one per row, none negative.
    static func weightedGram(_ x: [Double], width: Int, weights: [Double]) -> [Double] {
        precondition(x.count == weights.count * width)
        var scaled = x
        for row in weights.indices {
            let factor = weights[row].squareRoot()
            for index in row * width..<(row + 1) * width { scaled[index] *= factor }
        }
        var gram = [Double](repeating: 0, count: width * width)
        guard !weights.isEmpty else { return gram }
        #if canImport(Accelerate) || (BLAS && canImport(CBLAS))
            useOneThread()
            // Row-major with Trans: computes the lower triangle of scaled' * scaled.
            unsafe cblas_dsyrk(
                CblasRowMajor, CblasLower, CblasTrans, Int32(width), Int32(weights.count), 1, scaled, Int32(width), 0,
                &gram, Int32(width))
        #else
            PlainAlgebra.gram(scaled, width: width, lower: &gram)
        #endif
        for row in 0..<width {
            for column in 0..<row { gram[column * width + row] = gram[row * width + column] }
        }
        return gram
    }

    /// `m * v` of a [rows][width] matrix, or `m' * v` if `transposed`.
    static func multiply(_ m: [Double], width: Int, by v: [Double], transposed: Bool = false) -> [Double] {
        let rows = m.count / width
        precondition(v.count == (transposed ? rows : width))
        var result = [Double](repeating: 0, count: transposed ? width : rows)
        guard rows > 0 else { return result }
        #if canImport(Accelerate) || (BLAS && canImport(CBLAS))
            useOneThread()
            unsafe cblas_dgemv(
                CblasRowMajor, transposed ? CblasTrans : CblasNoTrans, Int32(rows), Int32(width), 1, m, Int32(width), v,
                1, 0, &result, 1)
        #else
            PlainAlgebra.multiply(m, width: width, by: v, transposed: transposed, to: &result)
        #endif
        return result
    }

    static func dot(_ a: [Double], _ b: [Double]) -> Double {
        precondition(a.count == b.count)
        return unsafe dot(a, b, a.count)
    }

    private static func dot(_ a: UnsafePointer<Double>, _ b: UnsafePointer<Double>, _ count: Int) -> Double {
        #if canImport(Accelerate) || (BLAS && canImport(CBLAS))
            unsafe cblas_ddot(Int32(count), a, 1, b, 1)
        #else
            unsafe PlainAlgebra.dot(a, b, count)
        #endif
    }

    /// The solution of `a * x = b` for a symmetric positive definite `a`, by Cholesky factorisation; nil if `a` is not
    /// definite to working precision.
    package static func solve(_ a: [Double], _ b: [Double]) -> [Double]? {
        let n = b.count
        precondition(a.count == n * n)
        var factor = a
        guard factorise(&factor, n) else { return nil }
        var x = b
        #if canImport(Accelerate) || (BLAS && canImport(CBLAS))
            unsafe cblas_dtrsv(
                CblasRowMajor, CblasLower, CblasNoTrans, CblasNonUnit, Int32(n), factor, Int32(n), &x, 1)
            unsafe cblas_dtrsv(CblasRowMajor, CblasLower, CblasTrans, CblasNonUnit, Int32(n), factor, Int32(n), &x, 1)
        #else
            PlainAlgebra.solve(factor: factor, &x)
        #endif
        return x.allSatisfy { $0.isFinite } ? x : nil
    }

    /// Overwrites the lower triangle of `a` with its Cholesky factor, row by row; false if a pivot is not positive
    /// beyond rounding.
    private static func factorise(_ a: inout [Double], _ n: Int) -> Bool {
        useOneThread()
        return unsafe a.withUnsafeMutableBufferPointer { storage in
            guard let base = storage.baseAddress else { return true }
            for row in 0..<n {
                // Rows `row` and `column` are both in the n x n block, and each product stays left of the diagonal.
                let current = unsafe base + row * n
                for column in 0..<row {
                    let other = unsafe base + column * n
                    let product = unsafe dot(current, other, column)
                    unsafe current[column] = (current[column] - product) / other[column]
                }
                let diagonal = unsafe current[row]
                let pivot = unsafe diagonal - dot(current, current, row)
                guard pivot > abs(diagonal) * Double(n) * .ulpOfOne else { return false }
                unsafe current[row] = pivot.squareRoot()
            }
            return true
        }
    }

    private static func useOneThread() {
        #if BLAS && canImport(CBLAS) && !canImport(Accelerate)
            openblas_set_num_threads(1)
        #endif
    }
}
