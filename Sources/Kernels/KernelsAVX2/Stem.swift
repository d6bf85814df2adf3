#if arch(x86_64)
    import _Builtin_intrinsics.intel
    import KernelInterface
    import KernelsX86

    // Nine taps are five pairs: the left and the middle tap of each row, then the right taps of the upper two rows,
    // then the right tap of the row below alone. Pairs are made for sixteen pixels at a time, in memory, and broadcast
    // from there: one pixel is two vectors of eight channels and ten products whose weights stay in registers.
    //
    // Packed: five pairs of weights for 16 channels; the same again without the row above, for the first row of the
    // frame; biases; multipliers.

    private enum Layout {
        @inline(__always) static var firstRow: Int { 5 &* 64 }
        @inline(__always) static var bias: Int { 10 &* 64 }
        @inline(__always) static var multiplier: Int { 11 &* 64 }
        @inline(__always) static var bytes: Int { 12 &* 64 }
        /// Pairs of one kind for sixteen pixels.
        @inline(__always) static var pairs: Int { 64 }
    }

    /// What `Int8Kernels.packStem` writes.
    var stemLayout: WeightLayout {
        WeightLayout(
            width: 16, group: 2, weightBytes: 2, taps: "01 34 67 25 8. .. 34 67 .5 8.", vectors: 2)
    }

    /// See `Int8Kernels.Stem`.
    @c(gk_stem_u8s8_avx2) @export(interface) @inline(never)
    package func stem(
        _ frame: UnsafePointer<UInt8>, _ firstRow: Int, _ rows: Int, _ packed: UnsafeRawPointer,
        _ out: UnsafeMutablePointer<UInt8>, _ outStride: Int
    ) {
        withUnsafeTemporaryAllocation(byteCount: 5 &* Layout.pairs, alignment: 16) { buffer in
            let pairs = buffer.baseAddress.unsafelyUnwrapped
            var target = UnsafeMutableRawPointer(out)
            var y = firstRow
            while y < firstRow &+ rows {
                let middle = UnsafeRawPointer(frame + 2 &* y &* 224)
                // The row above the first is padding: its weights are 0, so any row can be read.
                let above = y == 0 ? middle : middle - 224
                let weights = y == 0 ? packed + Layout.firstRow : packed
                stemRow(above, middle, middle + 224, weights, packed, pairs, target)
                target += outStride
                y &+= 1
            }
        }
    }

    @inline(__always)
    private func stemRow(
        _ r0: UnsafeRawPointer, _ r1: UnsafeRawPointer, _ r2: UnsafeRawPointer, _ weights: UnsafeRawPointer,
        _ packed: UnsafeRawPointer, _ pairs: UnsafeMutableRawPointer, _ out: UnsafeMutableRawPointer
    ) {
        let w = StemWeights(weights)
        let zero = _mm256_setzero_si256()
        let parameters = packed + Layout.bias
        var odd = out
        var even = odd + 56 &* 16
        var at = 0
        while at < 224 {
            // The left tap of the first pixel is outside the frame; that byte may not be readable.
            let left0 = at == 0 ? shifted(load256(r0)) : load256(r0 + (at &- 1))
            let left1 = at == 0 ? shifted(load256(r1)) : load256(r1 + (at &- 1))
            let left2 = at == 0 ? shifted(load256(r2)) : load256(r2 + (at &- 1))
            storePairs(_mm256_unpacklo_epi8(left0, zero), _mm256_unpackhi_epi8(left0, zero), pairs)
            storePairs(_mm256_unpacklo_epi8(left1, zero), _mm256_unpackhi_epi8(left1, zero), pairs + Layout.pairs)
            storePairs(_mm256_unpacklo_epi8(left2, zero), _mm256_unpackhi_epi8(left2, zero), pairs + 2 &* Layout.pairs)
            let right0 = _mm256_srli_epi16(load256(r0 + at), 8)
            let right1 = _mm256_srli_epi16(load256(r1 + at), 8)
            let right2 = _mm256_srli_epi16(load256(r2 + at), 8)
            storePairs(
                _mm256_unpacklo_epi16(right0, right1), _mm256_unpackhi_epi16(right0, right1), pairs + 3 &* Layout.pairs)
            storePairs(
                _mm256_unpacklo_epi16(right2, zero), _mm256_unpackhi_epi16(right2, zero), pairs + 4 &* Layout.pairs)
            var p = UnsafeRawPointer(pairs)
            let end = p + Layout.pairs
            while p < end {
                let first = bytes(pixel(p, w, parameters), pixel(p + 8, w, parameters))
                let second = bytes(pixel(p + 4, w, parameters), pixel(p + 12, w, parameters))
                store256(first, even)
                store256(second, odd)
                even += 32
                odd += 32
                p += 16
            }
            at &+= 32
        }
    }

    private struct StemWeights {
        let a0, a1, b0, b1, c0, c1, d0, d1, e0, e1: __m256i

        @inline(__always)
        init(_ p: UnsafeRawPointer) {
            (a0, a1) = (load256(p), load256(p + 32))
            (b0, b1) = (load256(p + 64), load256(p + 96))
            (c0, c1) = (load256(p + 128), load256(p + 160))
            (d0, d1) = (load256(p + 192), load256(p + 224))
            (e0, e1) = (load256(p + 256), load256(p + 288))
        }
    }

    /// The sixteen channels of the pixel whose pairs begin at `p`.
    @inline(__always)
    private func pixel(_ p: UnsafeRawPointer, _ w: StemWeights, _ parameters: UnsafeRawPointer) -> __m256i {
        var (s0, s1) = (load256(parameters), load256(parameters + 32))
        var x = broadcast256(p)
        s0 = dot(s0, x, w.a0)
        s1 = dot(s1, x, w.a1)
        x = broadcast256(p + Layout.pairs)
        s0 = dot(s0, x, w.b0)
        s1 = dot(s1, x, w.b1)
        x = broadcast256(p + 2 &* Layout.pairs)
        s0 = dot(s0, x, w.c0)
        s1 = dot(s1, x, w.c1)
        x = broadcast256(p + 3 &* Layout.pairs)
        s0 = dot(s0, x, w.d0)
        s1 = dot(s1, x, w.d1)
        x = broadcast256(p + 4 &* Layout.pairs)
        s0 = dot(s0, x, w.e0)
        s1 = dot(s1, x, w.e1)
        return words(s0, s1, loadFloats256(parameters + 64), loadFloats256(parameters + 96))
    }

    /// Reorders the pairs of sixteen pixels from unpacking order to pixel order and stores them.
    @inline(__always)
    private func storePairs(_ lower: __m256i, _ upper: __m256i, _ p: UnsafeMutableRawPointer) {
        store128(low(lower), p)
        store128(low(upper), p + 16)
        store128(high(lower), p + 32)
        store128(high(upper), p + 48)
    }

    /// The bytes moved up by one position, with 0 in the first.
    @inline(__always)
    private func shifted(_ v: __m256i) -> __m256i {
        let before = _mm256_permutevar8x32_epi32(v, _mm256_set_epi32(5, 4, 3, 2, 1, 0, 1, 0))
        let carried = _mm256_and_si256(_mm256_srli_epi64(before, 56), _mm256_set_epi64x(-1, -1, -1, 0))
        return _mm256_or_si256(_mm256_slli_epi64(v, 8), carried)
    }
#endif
