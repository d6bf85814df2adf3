#if arch(x86_64)
    import _Builtin_intrinsics.intel

    // One source for the tiers of 256 bits.

    /// See `PeakProbe`: twelve chains of 32 products, as in the matrix product. Each chain starts from a different
    /// value, so that the compiler cannot merge them.
    @inline(__always)
    func peakSums(_ rounds: Int, _ sums: UnsafeMutableRawPointer) -> Int {
        let codes = load(sums)
        @inline(__always)
        func start(_ chain: Int32) -> __m256i { _mm256_add_epi32(codes, _mm256_set1_epi32(chain)) }
        var (s0, s1, s2, s3, s4, s5) = (start(0), start(1), start(2), start(3), start(4), start(5))
        var (s6, s7, s8, s9, s10, s11) = (start(6), start(7), start(8), start(9), start(10), start(11))
        var round = 0
        while round < rounds {
            // The sums are factors; otherwise the compiler would compute one product for all chains.
            s0 = dotQuads(codes, s0, codes)
            s1 = dotQuads(codes, s1, codes)
            s2 = dotQuads(codes, s2, codes)
            s3 = dotQuads(codes, s3, codes)
            s4 = dotQuads(codes, s4, codes)
            s5 = dotQuads(codes, s5, codes)
            s6 = dotQuads(codes, s6, codes)
            s7 = dotQuads(codes, s7, codes)
            s8 = dotQuads(codes, s8, codes)
            s9 = dotQuads(codes, s9, codes)
            s10 = dotQuads(codes, s10, codes)
            s11 = dotQuads(codes, s11, codes)
            round &+= 1
        }
        let low = _mm256_add_epi32(_mm256_add_epi32(s0, s1), _mm256_add_epi32(s2, s3))
        let middle = _mm256_add_epi32(_mm256_add_epi32(s4, s5), _mm256_add_epi32(s6, s7))
        let high = _mm256_add_epi32(_mm256_add_epi32(s8, s9), _mm256_add_epi32(s10, s11))
        store(_mm256_add_epi32(low, _mm256_add_epi32(middle, high)), sums)
        return rounds &* 12 &* 32
    }
#endif
