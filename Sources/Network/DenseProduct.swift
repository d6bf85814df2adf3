#if canImport(Accelerate)
    import Accelerate
#elseif BLAS && canImport(CBLAS)
    import CBLAS
#endif

/// Products of dense float32 matrices for tiers without a product of their own: by BLAS where it is part of the build
/// (D10), else in plain Swift.
package enum DenseProduct {
    #if canImport(Accelerate) || (BLAS && canImport(CBLAS))
        /// `c[m, n] = sum over k of a[m, k] * w[n, k]`, all contiguous.
        package static func multiply(
            _ a: UnsafePointer<Float>, rows: Int, depth: Int, by w: UnsafePointer<Float>, outputs: Int,
            to c: UnsafeMutablePointer<Float>
        ) {
            unsafe cblas_sgemm(
                CblasRowMajor, CblasNoTrans, CblasTrans, Dimension(rows), Dimension(outputs), Dimension(depth), 1,
                a, Dimension(depth), w, Dimension(depth), 0, c, Dimension(outputs))
        }

        /// `sum[n] = (adding ? sum[n] : 0) + sum over k of w[n, k] * x[k]`.
        package static func apply(
            _ w: UnsafePointer<Float>, rows: Int, depth: Int, to x: UnsafePointer<Float>,
            sum: UnsafeMutablePointer<Float>, adding: Bool = false
        ) {
            unsafe cblas_sgemv(
                CblasRowMajor, CblasNoTrans, Dimension(rows), Dimension(depth), 1, w, Dimension(depth), x, 1,
                adding ? 1 : 0, sum, 1)
        }

        /// BLAS takes 32-bit dimensions; every dimension of this network is far below that limit.
        private typealias Dimension = Int32
    #else
        /// `c[m, n] = sum over k of a[m, k] * w[n, k]`, all contiguous.
        package static func multiply(
            _ a: UnsafePointer<Float>, rows: Int, depth: Int, by w: UnsafePointer<Float>, outputs: Int,
            to c: UnsafeMutablePointer<Float>
        ) {
            unsafe PlainProduct.multiply(a, rows: rows, depth: depth, by: w, outputs: outputs, to: c)
        }

        /// `sum[n] = (adding ? sum[n] : 0) + sum over k of w[n, k] * x[k]`.
        package static func apply(
            _ w: UnsafePointer<Float>, rows: Int, depth: Int, to x: UnsafePointer<Float>,
            sum: UnsafeMutablePointer<Float>, adding: Bool = false
        ) {
            unsafe PlainProduct.apply(w, rows: rows, depth: depth, to: x, sum: sum, adding: adding)
        }
    #endif

    /// Keeps a frame's work on the calling thread, whatever the library's default is.
    static func useOneThread() {
        #if BLAS && canImport(CBLAS) && !canImport(Accelerate)
            openblas_set_num_threads(1)
        #endif
    }
}

/// The products of `DenseProduct` in plain Swift, for any CPU. Each sum is made of four partial sums, in the order of
/// `k`.
package enum PlainProduct {
    /// `c[m, n] = sum over k of a[m, k] * w[n, k]`, all contiguous; `c` must not alias the others.
    package static func multiply(
        _ a: UnsafePointer<Float>, rows: Int, depth: Int, by w: UnsafePointer<Float>, outputs: Int,
        to c: UnsafeMutablePointer<Float>
    ) {
        var m = 0
        while m + 4 <= rows {
            let row = unsafe a + m * depth
            let out = unsafe c + m * outputs
            var n = 0
            while n + 2 <= outputs {
                unsafe block(row, depth, w + n * depth, out + n, outputs)
                n += 2
            }
            if n < outputs {
                for r in 0..<4 { unsafe out[r * outputs + n] = dot(row + r * depth, w + n * depth, depth) }
            }
            m += 4
        }
        while m < rows {
            for n in 0..<outputs { unsafe c[m * outputs + n] = dot(a + m * depth, w + n * depth, depth) }
            m += 1
        }
    }

    /// `sum[n] = (adding ? sum[n] : 0) + sum over k of w[n, k] * x[k]`.
    package static func apply(
        _ w: UnsafePointer<Float>, rows: Int, depth: Int, to x: UnsafePointer<Float>,
        sum: UnsafeMutablePointer<Float>, adding: Bool = false
    ) {
        for n in 0..<rows {
            let product = unsafe dot(w + n * depth, x, depth)
            unsafe sum[n] = adding ? sum[n] + product : product
        }
    }

    /// Four rows of `a` times two rows of `w`: eight vectors of sums, which stay in registers.
    @inline(__always)
    private static func block(
        _ a: UnsafePointer<Float>, _ depth: Int, _ w: UnsafePointer<Float>, _ c: UnsafeMutablePointer<Float>,
        _ outputs: Int
    ) {
        var (s00, s01, s10, s11) = (SIMD4<Float>.zero, SIMD4<Float>.zero, SIMD4<Float>.zero, SIMD4<Float>.zero)
        var (s20, s21, s30, s31) = (SIMD4<Float>.zero, SIMD4<Float>.zero, SIMD4<Float>.zero, SIMD4<Float>.zero)
        var k = 0
        while k + 4 <= depth {
            let (w0, w1) = unsafe (four(w + k), four(w + depth + k))
            let (a0, a1) = unsafe (four(a + k), four(a + depth + k))
            s00 += a0 * w0
            s01 += a0 * w1
            s10 += a1 * w0
            s11 += a1 * w1
            let (a2, a3) = unsafe (four(a + 2 * depth + k), four(a + 3 * depth + k))
            s20 += a2 * w0
            s21 += a2 * w1
            s30 += a3 * w0
            s31 += a3 * w1
            k += 4
        }
        unsafe c[0] = s00.sum() + rest(a, w, k, depth)
        unsafe c[1] = s01.sum() + rest(a, w + depth, k, depth)
        unsafe c[outputs] = s10.sum() + rest(a + depth, w, k, depth)
        unsafe c[outputs + 1] = s11.sum() + rest(a + depth, w + depth, k, depth)
        unsafe c[2 * outputs] = s20.sum() + rest(a + 2 * depth, w, k, depth)
        unsafe c[2 * outputs + 1] = s21.sum() + rest(a + 2 * depth, w + depth, k, depth)
        unsafe c[3 * outputs] = s30.sum() + rest(a + 3 * depth, w, k, depth)
        unsafe c[3 * outputs + 1] = s31.sum() + rest(a + 3 * depth, w + depth, k, depth)
    }

    @inline(__always)
    private static func dot(_ x: UnsafePointer<Float>, _ y: UnsafePointer<Float>, _ depth: Int) -> Float {
        var sums = SIMD4<Float>.zero
        var k = 0
        while k + 4 <= depth {
            unsafe sums += four(x + k) * four(y + k)
            k += 4
        }
        return unsafe sums.sum() + rest(x, y, k, depth)
    }

    /// Sum of the products from `k` on, fewer than four.
    @inline(__always)
    private static func rest(_ x: UnsafePointer<Float>, _ y: UnsafePointer<Float>, _ from: Int, _ depth: Int) -> Float {
        var sum: Float = 0
        for k in from..<depth { unsafe sum += x[k] * y[k] }
        return sum
    }

    @inline(__always)
    private static func four(_ p: UnsafePointer<Float>) -> SIMD4<Float> {
        unsafe UnsafeRawPointer(p).loadUnaligned(as: SIMD4<Float>.self)
    }
}
