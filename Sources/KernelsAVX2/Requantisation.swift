#if arch(x86_64)
    import _Builtin_intrinsics.intel

    // One source for the tiers of 256 bits.

    /// What all channels of a quantised map share: see `QuantisedConvolutionKernels`.
    struct Rounding {
        let zero, lower, upper: __m256i
        let residualZero: Int32
        let residualMultiplier: Float
        let hasSlopes: Bool

        @inline(__always)
        init(_ p: UnsafeRawPointer) {
            zero = _mm256_set1_epi16(Int16(truncatingIfNeeded: p.load(as: Int32.self)))
            lower = _mm256_set1_epi8(Int8(truncatingIfNeeded: p.load(fromByteOffset: 4, as: Int32.self)))
            upper = _mm256_set1_epi8(Int8(truncatingIfNeeded: p.load(fromByteOffset: 8, as: Int32.self)))
            residualZero = p.load(fromByteOffset: 12, as: Int32.self)
            residualMultiplier = p.load(fromByteOffset: 16, as: Float.self)
            hasSlopes = p.load(fromByteOffset: 20, as: Int32.self) != 0
        }

        /// Rounds to 0...255 and does nothing else.
        @inline(__always)
        init() {
            zero = _mm256_setzero_si256()
            lower = _mm256_setzero_si256()
            upper = _mm256_set1_epi8(-1)
            residualZero = 0
            residualMultiplier = 0
            hasSlopes = false
        }

        /// The contribution of the eight residual values at `p`.
        @inline(__always)
        func residual(_ p: UnsafeRawPointer) -> __m256 {
            let codes = _mm_cvtsi64_si128(p.loadUnaligned(as: Int64.self))
            let difference = _mm256_sub_epi32(_mm256_cvtepu8_epi32(codes), _mm256_set1_epi32(residualZero))
            return _mm256_mul_ps(_mm256_cvtepi32_ps(difference), _mm256_set1_ps(residualMultiplier))
        }

        /// Two vectors of rounded values as 16-bit words, in the lane order of the packs.
        @inline(__always)
        func words(_ a: __m256i, _ b: __m256i) -> __m256i {
            _mm256_adds_epi16(_mm256_packs_epi32(a, b), zero)
        }

        @inline(__always)
        func clamped(_ bytes: __m256i) -> __m256i { _mm256_min_epu8(_mm256_max_epu8(bytes, lower), upper) }

        /// Four vectors of rounded values, in the lane order of the packs.
        @inline(__always)
        func codes(_ a: __m256i, _ b: __m256i, _ c: __m256i, _ d: __m256i) -> __m256i {
            clamped(_mm256_packus_epi16(words(a, b), words(c, d)))
        }
    }

    @inline(__always)
    func real(_ sum: __m256i, _ multiplier: __m256) -> __m256 {
        _mm256_mul_ps(_mm256_cvtepi32_ps(sum), multiplier)
    }

    @inline(__always)
    func sloped(_ v: __m256, _ slope: __m256) -> __m256 {
        _mm256_blendv_ps(v, _mm256_mul_ps(v, slope), v)
    }

    @inline(__always)
    func rounded(_ v: __m256) -> __m256i { _mm256_cvtps_epi32(v) }
#endif
