#if arch(x86_64)
    import _Builtin_intrinsics.intel

    // AVX2 has another source: its product does not add, so there the sums are factors.

    /// See `PeakProbe`: twelve chains of 64 products. Each starts from a different value, so that the compiler cannot
    /// merge them.
    @c(gk_peak_u8s8_avx512vnni) @export(interface) @inline(never)
    package func peak(_ rounds: Int, _ sums: UnsafeMutableRawPointer) -> Int {
        let values = load(sums)
        @inline(__always)
        func start(_ chain: Int32) -> __m512i { _mm512_add_epi32(values, _mm512_set1_epi32(chain)) }
        var (s0, s1, s2, s3, s4, s5) = (start(0), start(1), start(2), start(3), start(4), start(5))
        var (s6, s7, s8, s9, s10, s11) = (start(6), start(7), start(8), start(9), start(10), start(11))
        var round = 0
        while round < rounds {
            s0 = dot(s0, values, values)
            s1 = dot(s1, values, values)
            s2 = dot(s2, values, values)
            s3 = dot(s3, values, values)
            s4 = dot(s4, values, values)
            s5 = dot(s5, values, values)
            s6 = dot(s6, values, values)
            s7 = dot(s7, values, values)
            s8 = dot(s8, values, values)
            s9 = dot(s9, values, values)
            s10 = dot(s10, values, values)
            s11 = dot(s11, values, values)
            round &+= 1
        }
        let low = _mm512_add_epi32(_mm512_add_epi32(s0, s1), _mm512_add_epi32(s2, s3))
        let middle = _mm512_add_epi32(_mm512_add_epi32(s4, s5), _mm512_add_epi32(s6, s7))
        let high = _mm512_add_epi32(_mm512_add_epi32(s8, s9), _mm512_add_epi32(s10, s11))
        store(_mm512_add_epi32(low, _mm512_add_epi32(middle, high)), sums)
        return rounds &* 12 &* 64
    }
#endif
