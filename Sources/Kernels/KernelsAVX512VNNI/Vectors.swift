#if arch(x86_64)
    import KernelsX86
    import _Builtin_intrinsics.intel

    // Short names for the 512-bit operations that several kernels of this tier share. All are inlined and none is
    // generic: nothing here has its own symbol, so no AVX-512 code can be merged into a function of another tier.

    @inline(__always)
    func load(_ p: UnsafeRawPointer) -> __m512i { p.loadUnaligned(as: __m512i.self) }

    @inline(__always)
    func loadFloats(_ p: UnsafeRawPointer) -> __m512 { p.loadUnaligned(as: __m512.self) }

    @inline(__always)
    func store(_ v: __m512i, _ p: UnsafeMutableRawPointer) { p.storeBytes(of: v, as: __m512i.self) }

    /// Four bytes at any address, in every 32-bit lane.
    @inline(__always)
    func broadcast4(_ p: UnsafeRawPointer) -> __m512i { _mm512_set1_epi32(p.loadUnaligned(as: Int32.self)) }

    /// acc + the four products of each lane's values and weights, exact.
    @inline(__always)
    func dot(_ acc: __m512i, _ values: __m512i, _ weights: __m512i) -> __m512i {
        _mm512_dpbusd_epi32(acc, values, weights)
    }

    /// roundHalfEven(Float(acc) * multiplier), still 32 bits wide; the packs that follow clamp to 0...255.
    @inline(__always)
    func scaled(_ acc: __m512i, _ multiplier: __m512) -> __m512i {
        _mm512_cvtps_epi32(_mm512_mul_ps(_mm512_cvtepi32_ps(acc), multiplier))
    }

    /// A mask of the first `count` bytes, 0...64.
    @inline(__always)
    func byteMask(_ count: Int) -> __mmask64 { count >= 64 ? ~0 : (1 &<< UInt64(truncatingIfNeeded: count)) &- 1 }
#endif
