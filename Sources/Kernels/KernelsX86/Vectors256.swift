#if arch(x86_64)
    public import _Builtin_intrinsics.intel

    // Short names for the 256-bit operations of AVX2 that several kernels share. They are inlined into each tier and have no
    // symbol, so no AVX2 code can be merged into a function of another tier.

    /// 32 bytes at any address.
    @export(implementation) @inline(always)
    public func load256(_ p: UnsafeRawPointer) -> __m256i { p.loadUnaligned(as: __m256i.self) }

    /// Sixteen bytes at any address.
    @export(implementation) @inline(always)
    public func load128(_ p: UnsafeRawPointer) -> __m128i { p.loadUnaligned(as: __m128i.self) }

    /// Eight floats at any address.
    @export(implementation) @inline(always)
    public func loadFloats256(_ p: UnsafeRawPointer) -> __m256 { p.loadUnaligned(as: __m256.self) }

    /// Writes 32 bytes at any address.
    @export(implementation) @inline(always)
    public func store256(_ v: __m256i, _ p: UnsafeMutableRawPointer) { p.storeBytes(of: v, as: __m256i.self) }

    /// Writes sixteen bytes at any address.
    @export(implementation) @inline(always)
    public func store128(_ v: __m128i, _ p: UnsafeMutableRawPointer) { p.storeBytes(of: v, as: __m128i.self) }

    /// The first sixteen bytes.
    @export(implementation) @inline(always)
    public func low(_ v: __m256i) -> __m128i { _mm256_castsi256_si128(v) }

    /// The last sixteen bytes.
    @export(implementation) @inline(always)
    public func high(_ v: __m256i) -> __m128i { v.highHalf }

    /// Four bytes at any address, in every 32-bit lane.
    @export(implementation) @inline(always)
    public func broadcast256(_ p: UnsafeRawPointer) -> __m256i { _mm256_set1_epi32(p.loadUnaligned(as: Int32.self)) }

    /// roundHalfEven(Float(acc) * multiplier), still 32 bits wide; the packs that follow clamp to 0...255.
    @export(implementation) @inline(always)
    public func scaled(_ acc: __m256i, _ multiplier: __m256) -> __m256i {
        _mm256_cvtps_epi32(_mm256_mul_ps(_mm256_cvtepi32_ps(acc), multiplier))
    }

    /// Sixteen sums of one pixel or row, rounded, as 16-bit words, in an order that `bytes` undoes.
    @export(implementation) @inline(always)
    public func words(_ s0: __m256i, _ s1: __m256i, _ m0: __m256, _ m1: __m256) -> __m256i {
        _mm256_packs_epi32(scaled(s0, m0), scaled(s1, m1))
    }

    /// The bytes of two results of `words`; the sixteen of the first are in the low half.
    @export(implementation) @inline(always)
    public func bytes(_ first: __m256i, _ second: __m256i) -> __m256i {
        _mm256_permutevar8x32_epi32(
            _mm256_packus_epi16(first, second), _mm256_set_epi32(7, 3, 6, 2, 5, 1, 4, 0))
    }

    /// All bits of the lanes before `count`.
    @export(implementation) @inline(always)
    public func lanes(before count: Int) -> __m256i {
        _mm256_cmpgt_epi32(
            _mm256_set1_epi32(Int32(truncatingIfNeeded: count)), _mm256_set_epi32(7, 6, 5, 4, 3, 2, 1, 0))
    }

    /// Writes the floats of the mask's lanes and nothing else.
    @export(implementation) @inline(always)
    public func putSome(_ v: __m256, _ p: UnsafeMutableRawPointer, _ mask: __m256i) {
        _mm256_maskstore_ps(p.assumingMemoryBound(to: Float.self), mask, v)
    }
#endif
