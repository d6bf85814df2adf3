#if arch(x86_64)
    import _Builtin_intrinsics.intel

    /// See `PeakProbe`: twelve chains of 16 products and the sums that the exact step of this tier needs beside them, each
    /// chain with a start of its own, lest they be found to be one.
    @c(gk_peak_u8s8_avx2) @export(interface) @inline(never)
    package func peak(_ rounds: Int, _ sums: UnsafeMutableRawPointer) -> Int {
        let codes = load(sums)
        @inline(__always)
        func start(_ chain: Int32) -> __m256i { _mm256_add_epi32(codes, _mm256_set1_epi32(chain)) }
        var (s0, s1, s2, s3, s4, s5) = (start(0), start(1), start(2), start(3), start(4), start(5))
        var (s6, s7, s8, s9, s10, s11) = (start(6), start(7), start(8), start(9), start(10), start(11))
        var round = 0
        while round < rounds {
            // The sums go through the products, or one product would do for all.
            s0 = dot(codes, s0, codes)
            s1 = dot(codes, s1, codes)
            s2 = dot(codes, s2, codes)
            s3 = dot(codes, s3, codes)
            s4 = dot(codes, s4, codes)
            s5 = dot(codes, s5, codes)
            s6 = dot(codes, s6, codes)
            s7 = dot(codes, s7, codes)
            s8 = dot(codes, s8, codes)
            s9 = dot(codes, s9, codes)
            s10 = dot(codes, s10, codes)
            s11 = dot(codes, s11, codes)
            round &+= 1
        }
        let low = _mm256_add_epi32(_mm256_add_epi32(s0, s1), _mm256_add_epi32(s2, s3))
        let middle = _mm256_add_epi32(_mm256_add_epi32(s4, s5), _mm256_add_epi32(s6, s7))
        let high = _mm256_add_epi32(_mm256_add_epi32(s8, s9), _mm256_add_epi32(s10, s11))
        store(_mm256_add_epi32(low, _mm256_add_epi32(middle, high)), sums)
        return rounds &* 12 &* 16
    }
#endif
