#if arch(x86_64)
    import _Builtin_intrinsics.intel
    import KernelInterface

    // A tile is seven rows by 32 channels, fourteen chains, as in the int8 product. It is faster than a BLAS because
    // the network's matrices are small (depth 16 to 256): nothing is packed per call, a band of rows is used while it
    // is in the L1 cache, and bias and ReLU6 are applied while the sums are in registers.
    //
    // Packed, for each 32 channels: weights [depth][32], 32 biases.
    //
    // AVX2 has another source: its tiles have other heights, and it adds the chains of a single row in another order.

    @inline(__always)
    private func blockBytes(_ depth: Int) -> Int { 128 &* (depth &+ 1) }

    /// What `FloatMatrix.pack` writes.
    var floatGEMMLayout: WeightLayout { WeightLayout(width: 32, weightBytes: 4, vectors: 1) }

    /// See `FloatMatrix.Multiply`.
    @c(gk_gemm_f32_7x32_avx512vnni) @export(interface) @inline(never)
    package func floatGEMM(
        _ a: UnsafePointer<Float>, _ aStride: Int, _ rows: Int,
        _ taps: Int, _ tapStride: Int, _ depth: Int, _ columns: Int, _ packed: UnsafeRawPointer,
        _ out: UnsafeMutablePointer<Float>, _ outStride: Int
    ) {
        let (aStride, tapStride, outStride) = (4 &* aStride, 4 &* tapStride, 4 &* outStride)
        var n = 0
        var block = packed
        while n < columns {
            var row = 0
            var source = UnsafeRawPointer(a)
            var target = UnsafeMutableRawPointer(out + n)
            if taps == 1 {
                while row &+ 7 <= rows {
                    sevenRows(source, aStride, depth, block, target, outStride)
                    source += 7 &* aStride
                    target += 7 &* outStride
                    row &+= 7
                }
            }
            while row < rows {
                oneRow(source, taps, tapStride, depth, block, target)
                source += aStride
                target += outStride
                row &+= 1
            }
            block += blockBytes(taps &* depth)
            n &+= 32
        }
    }

    @inline(__always)
    private func sevenRows(
        _ a: UnsafeRawPointer, _ aStride: Int, _ depth: Int, _ block: UnsafeRawPointer,
        _ out: UnsafeMutableRawPointer, _ outStride: Int
    ) {
        let end = block + 128 &* depth
        let b0 = loadFloats(end)
        let b1 = loadFloats(end + 64)
        var (s00, s10, s20, s30, s40, s50, s60) = (b0, b0, b0, b0, b0, b0, b0)
        var (s01, s11, s21, s31, s41, s51, s61) = (b1, b1, b1, b1, b1, b1, b1)
        var w = block
        var r0 = a
        var r4 = a + 4 &* aStride
        while w < end {
            let w0 = loadFloats(w)
            let w1 = loadFloats(w + 64)
            var x = broadcastFloat(r0)
            s00 = _mm512_fmadd_ps(x, w0, s00)
            s01 = _mm512_fmadd_ps(x, w1, s01)
            x = broadcastFloat(r0 + aStride)
            s10 = _mm512_fmadd_ps(x, w0, s10)
            s11 = _mm512_fmadd_ps(x, w1, s11)
            x = broadcastFloat(r0 + 2 &* aStride)
            s20 = _mm512_fmadd_ps(x, w0, s20)
            s21 = _mm512_fmadd_ps(x, w1, s21)
            x = broadcastFloat(r4 - aStride)
            s30 = _mm512_fmadd_ps(x, w0, s30)
            s31 = _mm512_fmadd_ps(x, w1, s31)
            x = broadcastFloat(r4)
            s40 = _mm512_fmadd_ps(x, w0, s40)
            s41 = _mm512_fmadd_ps(x, w1, s41)
            x = broadcastFloat(r4 + aStride)
            s50 = _mm512_fmadd_ps(x, w0, s50)
            s51 = _mm512_fmadd_ps(x, w1, s51)
            x = broadcastFloat(r4 + 2 &* aStride)
            s60 = _mm512_fmadd_ps(x, w0, s60)
            s61 = _mm512_fmadd_ps(x, w1, s61)
            w += 128
            r0 += 4
            r4 += 4
        }
        storeFloats(s00, s01, out)
        storeFloats(s10, s11, out + outStride)
        storeFloats(s20, s21, out + 2 &* outStride)
        storeFloats(s30, s31, out + 3 &* outStride)
        storeFloats(s40, s41, out + 4 &* outStride)
        storeFloats(s50, s51, out + 5 &* outStride)
        storeFloats(s60, s61, out + 6 &* outStride)
    }

    /// One row, eight chains: two vectors of channels times four depths.
    @inline(__always)
    private func oneRow(
        _ a: UnsafeRawPointer, _ taps: Int, _ tapStride: Int, _ depth: Int, _ block: UnsafeRawPointer,
        _ out: UnsafeMutableRawPointer
    ) {
        let end = block + 128 &* taps &* depth
        let zero = _mm512_setzero_ps()
        var (s00, s10, s20, s30) = (loadFloats(end), zero, zero, zero)
        var (s01, s11, s21, s31) = (loadFloats(end + 64), zero, zero, zero)
        var w = block
        var tap = a
        var t = 0
        while t < taps {
            var k = 0
            while k < depth {
                var x = broadcastFloat(tap + 4 &* k)
                s00 = _mm512_fmadd_ps(x, loadFloats(w), s00)
                s01 = _mm512_fmadd_ps(x, loadFloats(w + 64), s01)
                x = broadcastFloat(tap + (4 &* k &+ 4))
                s10 = _mm512_fmadd_ps(x, loadFloats(w + 128), s10)
                s11 = _mm512_fmadd_ps(x, loadFloats(w + 192), s11)
                x = broadcastFloat(tap + (4 &* k &+ 8))
                s20 = _mm512_fmadd_ps(x, loadFloats(w + 256), s20)
                s21 = _mm512_fmadd_ps(x, loadFloats(w + 320), s21)
                x = broadcastFloat(tap + (4 &* k &+ 12))
                s30 = _mm512_fmadd_ps(x, loadFloats(w + 384), s30)
                s31 = _mm512_fmadd_ps(x, loadFloats(w + 448), s31)
                w += 512
                k &+= 4
            }
            tap += tapStride
            t &+= 1
        }
        storeFloats(
            _mm512_add_ps(_mm512_add_ps(s00, s10), _mm512_add_ps(s20, s30)),
            _mm512_add_ps(_mm512_add_ps(s01, s11), _mm512_add_ps(s21, s31)), out)
    }

    /// ReLU6 of a row's 32 sums.
    @inline(__always)
    private func storeFloats(_ s0: __m512, _ s1: __m512, _ p: UnsafeMutableRawPointer) {
        let (low, high) = (_mm512_setzero_ps(), _mm512_set1_ps(6))
        p.storeBytes(of: _mm512_min_ps(_mm512_max_ps(s0, low), high), as: __m512.self)
        p.storeBytes(of: _mm512_min_ps(_mm512_max_ps(s1, low), high), toByteOffset: 64, as: __m512.self)
    }
#endif
