#if arch(x86_64)
    import _Builtin_intrinsics.intel
    import KernelInterface

    // A tile is seven rows by 32 channels: fourteen sums, two vectors of weights, one group of four values in every
    // lane. Seven divides every row length of the network (56, 28, 14, 7). Fourteen independent chains cover the
    // latency of the dot product on two ports; seven rows share each load of weights.
    //
    // Packed, for each 32 channels: weights [depth / 4][32][4], 32 biases, 32 multipliers; channels past the last are
    // 0.
    //
    // AVX2 has another source, because it has no exact product of four bytes. The same is true of the stem and of both
    // depthwise convolutions.

    @inline(__always)
    private func blockBytes(_ depth: Int) -> Int { 32 &* depth &+ 256 }

    /// What `Int8Kernels.packGEMM` writes.
    var gemmLayout: WeightLayout { WeightLayout(width: 32, group: 4, vectors: 2) }

    /// See `Int8Kernels.GEMM`.
    @c(gk_gemm_u8s8_7x32_avx512vnni) @export(interface) @inline(never)
    package func gemm(
        _ a: UnsafePointer<UInt8>, _ aStride: Int, _ rows: Int,
        _ taps: Int, _ tapStride: Int, _ depth: Int, _ columns: Int, _ packed: UnsafeRawPointer,
        _ out: UnsafeMutablePointer<UInt8>, _ outStride: Int
    ) {
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
        let parameters = block + 32 &* depth
        let b0 = load(parameters)
        let b1 = load(parameters + 64)
        var (s00, s10, s20, s30, s40, s50, s60) = (b0, b0, b0, b0, b0, b0, b0)
        var (s01, s11, s21, s31, s41, s51, s61) = (b1, b1, b1, b1, b1, b1, b1)
        var w = block
        var r0 = a
        var r4 = a + 4 &* aStride
        while w < parameters {
            let w0 = load(w)
            let w1 = load(w + 64)
            var x = broadcast4(r0)
            s00 = dot(s00, x, w0)
            s01 = dot(s01, x, w1)
            x = broadcast4(r0 + aStride)
            s10 = dot(s10, x, w0)
            s11 = dot(s11, x, w1)
            x = broadcast4(r0 + 2 &* aStride)
            s20 = dot(s20, x, w0)
            s21 = dot(s21, x, w1)
            x = broadcast4(r4 - aStride)
            s30 = dot(s30, x, w0)
            s31 = dot(s31, x, w1)
            x = broadcast4(r4)
            s40 = dot(s40, x, w0)
            s41 = dot(s41, x, w1)
            x = broadcast4(r4 + aStride)
            s50 = dot(s50, x, w0)
            s51 = dot(s51, x, w1)
            x = broadcast4(r4 + 2 &* aStride)
            s60 = dot(s60, x, w0)
            s61 = dot(s61, x, w1)
            w += 128
            r0 += 4
            r4 += 4
        }
        let m0 = loadFloats(parameters + 128)
        let m1 = loadFloats(parameters + 192)
        storePair(words(s00, s01, m0, m1), words(s10, s11, m0, m1), out, out + outStride)
        storePair(words(s20, s21, m0, m1), words(s30, s31, m0, m1), out + 2 &* outStride, out + 3 &* outStride)
        storePair(words(s40, s41, m0, m1), words(s50, s51, m0, m1), out + 4 &* outStride, out + 5 &* outStride)
        storeOne(words(s60, s61, m0, m1), out + 6 &* outStride)
    }

    /// One row, eight chains: two vectors of channels times four groups of depth.
    @inline(__always)
    private func oneRow(
        _ a: UnsafeRawPointer, _ taps: Int, _ tapStride: Int, _ depth: Int, _ block: UnsafeRawPointer,
        _ out: UnsafeMutableRawPointer
    ) {
        let parameters = block + 32 &* taps &* depth
        let zero = _mm512_setzero_si512()
        var (s00, s10, s20, s30) = (load(parameters), zero, zero, zero)
        var (s01, s11, s21, s31) = (load(parameters + 64), zero, zero, zero)
        var w = block
        var tap = a
        var t = 0
        while t < taps {
            var k = 0
            while k &+ 16 <= depth {
                var x = broadcast4(tap + k)
                s00 = dot(s00, x, load(w))
                s01 = dot(s01, x, load(w + 64))
                x = broadcast4(tap + (k &+ 4))
                s10 = dot(s10, x, load(w + 128))
                s11 = dot(s11, x, load(w + 192))
                x = broadcast4(tap + (k &+ 8))
                s20 = dot(s20, x, load(w + 256))
                s21 = dot(s21, x, load(w + 320))
                x = broadcast4(tap + (k &+ 12))
                s30 = dot(s30, x, load(w + 384))
                s31 = dot(s31, x, load(w + 448))
                w += 512
                k &+= 16
            }
            while k < depth {
                let x = broadcast4(tap + k)
                s00 = dot(s00, x, load(w))
                s01 = dot(s01, x, load(w + 64))
                w += 128
                k &+= 4
            }
            tap += tapStride
            t &+= 1
        }
        let s0 = _mm512_add_epi32(_mm512_add_epi32(s00, s10), _mm512_add_epi32(s20, s30))
        let s1 = _mm512_add_epi32(_mm512_add_epi32(s01, s11), _mm512_add_epi32(s21, s31))
        storeOne(words(s0, s1, loadFloats(parameters + 128), loadFloats(parameters + 192)), out)
    }

    /// The two halves of a row's 32 results, as 16-bit words interleaved by lane.
    @inline(__always)
    private func words(_ s0: __m512i, _ s1: __m512i, _ m0: __m512, _ m1: __m512) -> __m512i {
        _mm512_packs_epi32(scaled(s0, m0), scaled(s1, m1))
    }

    /// Lane l of the packed bytes holds channels 4l... and 16 + 4l... of both rows; this restores their order.
    @inline(__always)
    private func ordered(_ bytes: __m512i) -> __m512i {
        _mm512_permutexvar_epi32(
            _mm512_set_epi32(15, 11, 7, 3, 14, 10, 6, 2, 13, 9, 5, 1, 12, 8, 4, 0), bytes)
    }

    @inline(__always)
    private func storePair(
        _ first: __m512i, _ second: __m512i, _ p: UnsafeMutableRawPointer, _ q: UnsafeMutableRawPointer
    ) {
        let bytes = ordered(_mm512_packus_epi16(first, second))
        p.storeBytes(of: bytes.lowHalf, as: __m256i.self)
        q.storeBytes(of: bytes.highHalf, as: __m256i.self)
    }

    @inline(__always)
    private func storeOne(_ row: __m512i, _ p: UnsafeMutableRawPointer) {
        p.storeBytes(of: ordered(_mm512_packus_epi16(row, row)).lowHalf, as: __m256i.self)
    }

    /// See `Int8Kernels.Classify`. The parameters are packed as those of the matrix product.
    @c(gk_classify_u8s8_avx512vnni) @export(interface) @inline(never)
    package func classify(
        _ a: UnsafePointer<UInt8>, _ depth: Int, _ columns: Int, _ packed: UnsafeRawPointer,
        _ out: UnsafeMutablePointer<Float>
    ) {
        var n = 0
        while n < columns {
            let block = packed + n / 32 &* blockBytes(depth)
            let half = n % 32 &* 4
            let parameters = block + (32 &* depth &+ half)
            var (s0, s1) = (load(parameters), _mm512_setzero_si512())
            var w = block + half
            var k = 0
            while k &+ 8 <= depth {
                s0 = dot(s0, broadcast4(UnsafeRawPointer(a + k)), load(w))
                s1 = dot(s1, broadcast4(UnsafeRawPointer(a + (k &+ 4))), load(w + 128))
                w += 256
                k &+= 8
            }
            if k < depth { s0 = dot(s0, broadcast4(UnsafeRawPointer(a + k)), load(w)) }
            let values = _mm512_mul_ps(_mm512_cvtepi32_ps(_mm512_add_epi32(s0, s1)), loadFloats(parameters + 128))
            UnsafeMutableRawPointer(out + n).storeBytes(of: values, as: __m512.self)
            n &+= 16
        }
    }
#endif
