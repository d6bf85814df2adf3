#if arch(x86_64)
    import KernelsX86
    import _Builtin_intrinsics.intel

    // Two exact products. `dot` works on 16-bit lanes. `dotQuads` works on bytes; its first operation saturates at
    // 32767, which pairs of trained weights against values of 255 exceed, so its values must be at most 128: 128 * (127
    // + 127) = 32512.

    /// acc + the two products of each lane's pair of values and pair of weights, exact.
    @inline(__always)
    func dot(_ acc: __m256i, _ values: __m256i, _ weights: __m256i) -> __m256i {
        _mm256_add_epi32(acc, _mm256_madd_epi16(values, weights))
    }

    /// acc + the four products of each lane's values and int8 weights. Exact for values up to 128 and weights in
    /// -127...127.
    @inline(__always)
    func dotQuads(_ acc: __m256i, _ values: __m256i, _ weights: __m256i) -> __m256i {
        dot(acc, _mm256_maddubs_epi16(values, weights), _mm256_set1_epi16(1))
    }
#endif
