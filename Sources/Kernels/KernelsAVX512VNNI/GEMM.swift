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

    /// The sums of a row and 32 channels, or their weights.
    private struct Sums {
        var low, high: __m512i

        @inline(always)
        init(_ p: UnsafeRawPointer) { (low, high) = (load(p), load(p + 64)) }

        @inline(always)
        init() { (low, high) = (_mm512_setzero_si512(), _mm512_setzero_si512()) }

        @inline(always)
        mutating func add(_ p: UnsafeRawPointer, _ weights: Sums) {
            let values = broadcast4(p)
            low = dot(low, values, weights.low)
            high = dot(high, values, weights.high)
        }
    }

    @inline(always)
    private func sevenRows(
        _ a: UnsafeRawPointer, _ aStride: Int, _ depth: Int, _ block: UnsafeRawPointer,
        _ out: UnsafeMutableRawPointer, _ outStride: Int
    ) {
        let parameters = block + 32 &* depth
        var sums = RegisterArray(repeating: Sums(parameters))
        var w = block
        var p = a
        while w < parameters {
            let weights = Sums(w)
            sums.update(7) { $0.add(p + $1 &* aStride, weights) }
            w += 128
            p += 4
        }
        let (m0, m1) = (loadFloats(parameters + 128), loadFloats(parameters + 192))
        let rounded = RegisterArray(7) { words(sums[$0].low, sums[$0].high, m0, m1) }
        unrolled(3) {
            let q = out + 2 &* $0 &* outStride
            storePair(rounded[2 &* $0], rounded[2 &* $0 &+ 1], q, q + outStride)
        }
        storeOne(rounded[6], out + 6 &* outStride)
    }

    /// One row, eight chains: two vectors of channels times four groups of depth.
    @inline(always)
    private func oneRow(
        _ a: UnsafeRawPointer, _ taps: Int, _ tapStride: Int, _ depth: Int, _ block: UnsafeRawPointer,
        _ out: UnsafeMutableRawPointer
    ) {
        let parameters = block + 32 &* taps &* depth
        let bias = Sums(parameters)
        var sums = RegisterArray(4) { $0 == 0 ? bias : Sums() }
        var w = block
        var tap = a
        var t = 0
        while t < taps {
            var k = 0
            while k &+ 16 <= depth {
                sums.update(4) { $0.add(tap + (k &+ 4 &* $1), Sums(w + 128 &* $1)) }
                w += 512
                k &+= 16
            }
            while k < depth {
                sums.update(1) { sum, _ in sum.add(tap + k, Sums(w)) }
                w += 128
                k &+= 4
            }
            tap += tapStride
            t &+= 1
        }
        var (low, high) = (sums[0].low, sums[0].high)
        unrolled(3) {
            low = _mm512_add_epi32(low, sums[$0 &+ 1].low)
            high = _mm512_add_epi32(high, sums[$0 &+ 1].high)
        }
        storeOne(words(low, high, loadFloats(parameters + 128), loadFloats(parameters + 192)), out)
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
