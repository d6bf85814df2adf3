#if arch(x86_64)
    import _Builtin_intrinsics.intel

    /// acc + the four products of each lane's values and int8 weights, exact.
    @inline(__always)
    func dot(_ acc: __m256i, _ codes: __m256i, _ weights: __m256i) -> __m256i {
        _mm256_dpbusd_avx_epi32(acc, codes, weights)
    }

    /// The same: no other product is needed here.
    @inline(__always)
    func dotQuads(_ acc: __m256i, _ codes: __m256i, _ weights: __m256i) -> __m256i { dot(acc, codes, weights) }

    /// How often four bytes are multiplied in one round of a tile's loop. Depths are multiples of four bytes.
    @inline(__always) var stepsAtOnce: Int { 1 }

    // What QuantisedDepthwise.swift calls by name.

    typealias Integers = __m256i

    @inline(__always) var vectorBytes: Int { 32 }

    /// Vectors of a depthwise convolution that are computed at once: there are 16 registers.
    @inline(__always) var vectorsAtOnce: Int { 1 }

    @inline(__always)
    func lowBytes(_ a: __m256i, _ b: __m256i) -> __m256i { _mm256_unpacklo_epi8(a, b) }

    @inline(__always)
    func highBytes(_ a: __m256i, _ b: __m256i) -> __m256i { _mm256_unpackhi_epi8(a, b) }

    @inline(__always)
    func lowWords(_ a: __m256i, _ b: __m256i) -> __m256i { _mm256_unpacklo_epi16(a, b) }

    @inline(__always)
    func highWords(_ a: __m256i, _ b: __m256i) -> __m256i { _mm256_unpackhi_epi16(a, b) }

    /// Writes a vector, or its first half where fewer than 32 bytes are left: 16, as channels are multiples of 16.
    @inline(__always)
    func storeFirst(_ v: __m256i, _ p: UnsafeMutableRawPointer, _ count: Int) {
        if count >= 32 { store(v, p) } else { store128(low(v), p) }
    }
#endif
