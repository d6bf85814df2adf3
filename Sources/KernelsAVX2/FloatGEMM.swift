#if arch(x86_64)
    import _Builtin_intrinsics.intel
    import KernelInterface

    // Eight chains of fused multiply-adds cover their latency on two ports, and sixteen registers hold at most twelve
    // sums besides their operands: four rows by 16 channels, or three rows by 32. Tiles of four and three rows cover
    // every row length of the network (56, 28, 14, 7). Bias and ReLU6 are applied while the sums are in registers.
    //
    // Packed, for each 32 channels: weights [depth][32], 32 biases.

    @inline(__always)
    private func blockBytes(_ depth: Int) -> Int { 128 &* (depth &+ 1) }

    /// What `FloatMatrix.pack` writes.
    var floatGEMMLayout: WeightLayout { WeightLayout(width: 32, weightBytes: 4, vectors: 1) }

    /// See `FloatMatrix.Multiply`.
    @c(gk_gemm_f32_4x16_avx2) @export(interface) @inline(never)
    package func floatGEMM(
        _ a: UnsafePointer<Float>, _ aStride: Int, _ rows: Int,
        _ taps: Int, _ tapStride: Int, _ depth: Int, _ columns: Int, _ packed: UnsafeRawPointer,
        _ out: UnsafeMutablePointer<Float>, _ outStride: Int
    ) {
        let (aStride, tapStride, outStride) = (4 &* aStride, 4 &* tapStride, 4 &* outStride)
        var n = 0
        var block = packed
        while n < columns {
            var source = UnsafeRawPointer(a)
            var target = UnsafeMutableRawPointer(out + n)
            var left = rows
            while left > 0 {
                var count = 1
                if taps == 1 && left > 2 {
                    // Six are two tiles of three.
                    if left > 3 && left != 6 {
                        count = 4
                        fourRows(source, aStride, depth, block, 0, target, outStride)
                        fourRows(source, aStride, depth, block, 64, target, outStride)
                    } else {
                        count = 3
                        threeRows(source, aStride, depth, block, target, outStride)
                    }
                } else {
                    oneRow(source, taps, tapStride, depth, block, target)
                }
                source += count &* aStride
                target += count &* outStride
                left &-= count
            }
            block += blockBytes(taps &* depth)
            n &+= 32
        }
    }

    /// - half: 0 or 64, the bytes before the sixteen channels wanted.
    @inline(__always)
    private func fourRows(
        _ a: UnsafeRawPointer, _ aStride: Int, _ depth: Int, _ block: UnsafeRawPointer, _ half: Int,
        _ out: UnsafeMutableRawPointer, _ outStride: Int
    ) {
        var w = block + half
        let end = w + 128 &* depth
        let (b0, b1) = (loadFloats(end), loadFloats(end + 32))
        var (s00, s10, s20, s30) = (b0, b0, b0, b0)
        var (s01, s11, s21, s31) = (b1, b1, b1, b1)
        var p = a
        while w < end {
            let w0 = loadFloats(w)
            let w1 = loadFloats(w + 32)
            var x = broadcastFloat(p)
            s00 = _mm256_fmadd_ps(x, w0, s00)
            s01 = _mm256_fmadd_ps(x, w1, s01)
            x = broadcastFloat(p + aStride)
            s10 = _mm256_fmadd_ps(x, w0, s10)
            s11 = _mm256_fmadd_ps(x, w1, s11)
            x = broadcastFloat(p + 2 &* aStride)
            s20 = _mm256_fmadd_ps(x, w0, s20)
            s21 = _mm256_fmadd_ps(x, w1, s21)
            x = broadcastFloat(p + 3 &* aStride)
            s30 = _mm256_fmadd_ps(x, w0, s30)
            s31 = _mm256_fmadd_ps(x, w1, s31)
            w += 128
            p += 4
        }
        let q = out + half
        storeFloats(s00, s01, q)
        storeFloats(s10, s11, q + outStride)
        storeFloats(s20, s21, q + 2 &* outStride)
        storeFloats(s30, s31, q + 3 &* outStride)
    }

    @inline(__always)
    private func threeRows(
        _ a: UnsafeRawPointer, _ aStride: Int, _ depth: Int, _ block: UnsafeRawPointer,
        _ out: UnsafeMutableRawPointer, _ outStride: Int
    ) {
        var w = block
        let end = w + 128 &* depth
        let (b0, b1, b2, b3) = (loadFloats(end), loadFloats(end + 32), loadFloats(end + 64), loadFloats(end + 96))
        var (s00, s10, s20) = (b0, b0, b0)
        var (s01, s11, s21) = (b1, b1, b1)
        var (s02, s12, s22) = (b2, b2, b2)
        var (s03, s13, s23) = (b3, b3, b3)
        var p = a
        while w < end {
            let (x0, x1, x2) = (broadcastFloat(p), broadcastFloat(p + aStride), broadcastFloat(p + 2 &* aStride))
            var v = loadFloats(w)
            s00 = _mm256_fmadd_ps(x0, v, s00)
            s10 = _mm256_fmadd_ps(x1, v, s10)
            s20 = _mm256_fmadd_ps(x2, v, s20)
            v = loadFloats(w + 32)
            s01 = _mm256_fmadd_ps(x0, v, s01)
            s11 = _mm256_fmadd_ps(x1, v, s11)
            s21 = _mm256_fmadd_ps(x2, v, s21)
            v = loadFloats(w + 64)
            s02 = _mm256_fmadd_ps(x0, v, s02)
            s12 = _mm256_fmadd_ps(x1, v, s12)
            s22 = _mm256_fmadd_ps(x2, v, s22)
            v = loadFloats(w + 96)
            s03 = _mm256_fmadd_ps(x0, v, s03)
            s13 = _mm256_fmadd_ps(x1, v, s13)
            s23 = _mm256_fmadd_ps(x2, v, s23)
            w += 128
            p += 4
        }
        storeFloats(s00, s01, out)
        storeFloats(s02, s03, out + 64)
        storeFloats(s10, s11, out + outStride)
        storeFloats(s12, s13, out + (outStride &+ 64))
        storeFloats(s20, s21, out + 2 &* outStride)
        storeFloats(s22, s23, out + (2 &* outStride &+ 64))
    }

    /// One row, eight chains: four vectors of channels times two depths.
    @inline(__always)
    private func oneRow(
        _ a: UnsafeRawPointer, _ taps: Int, _ tapStride: Int, _ depth: Int, _ block: UnsafeRawPointer,
        _ out: UnsafeMutableRawPointer
    ) {
        let end = block + 128 &* taps &* depth
        let zero = _mm256_setzero_ps()
        var (s0, s1, s2, s3) = (loadFloats(end), loadFloats(end + 32), loadFloats(end + 64), loadFloats(end + 96))
        var (t0, t1, t2, t3) = (zero, zero, zero, zero)
        var w = block
        var tap = a
        var t = 0
        while t < taps {
            var k = 0
            while k < depth {
                let (x, y) = (broadcastFloat(tap + 4 &* k), broadcastFloat(tap + (4 &* k &+ 4)))
                s0 = _mm256_fmadd_ps(x, loadFloats(w), s0)
                s1 = _mm256_fmadd_ps(x, loadFloats(w + 32), s1)
                s2 = _mm256_fmadd_ps(x, loadFloats(w + 64), s2)
                s3 = _mm256_fmadd_ps(x, loadFloats(w + 96), s3)
                t0 = _mm256_fmadd_ps(y, loadFloats(w + 128), t0)
                t1 = _mm256_fmadd_ps(y, loadFloats(w + 160), t1)
                t2 = _mm256_fmadd_ps(y, loadFloats(w + 192), t2)
                t3 = _mm256_fmadd_ps(y, loadFloats(w + 224), t3)
                w += 256
                k &+= 2
            }
            tap += tapStride
            t &+= 1
        }
        storeFloats(_mm256_add_ps(s0, t0), _mm256_add_ps(s1, t1), out)
        storeFloats(_mm256_add_ps(s2, t2), _mm256_add_ps(s3, t3), out + 64)
    }

    /// ReLU6 of sixteen sums of a row.
    @inline(__always)
    private func storeFloats(_ s0: __m256, _ s1: __m256, _ p: UnsafeMutableRawPointer) {
        let (low, high) = (_mm256_setzero_ps(), _mm256_set1_ps(6))
        p.storeBytes(of: _mm256_min_ps(_mm256_max_ps(s0, low), high), as: __m256.self)
        p.storeBytes(of: _mm256_min_ps(_mm256_max_ps(s1, low), high), toByteOffset: 32, as: __m256.self)
    }
#endif
