#if arch(x86_64)
    public import _Builtin_intrinsics.intel

    /// What all channels of a quantised map share: see `QuantisedConvolutionKernels`.
    public struct Rounding {
        @usableFromInline
        let zero, lower, upper: __m256i
        @usableFromInline
        let residualZero: Int32
        @usableFromInline
        let residualMultiplier: Float
        /// Whether negative numbers are multiplied by the slope of their channel.
        public let hasSlopes: Bool

        /// - p: the kernels' `rounding`.
        @export(implementation) @inline(always)
        public init(_ p: UnsafeRawPointer) {
            zero = _mm256_set1_epi16(Int16(truncatingIfNeeded: p.load(as: Int32.self)))
            lower = _mm256_set1_epi8(Int8(truncatingIfNeeded: p.load(fromByteOffset: 4, as: Int32.self)))
            upper = _mm256_set1_epi8(Int8(truncatingIfNeeded: p.load(fromByteOffset: 8, as: Int32.self)))
            residualZero = p.load(fromByteOffset: 12, as: Int32.self)
            residualMultiplier = p.load(fromByteOffset: 16, as: Float.self)
            hasSlopes = p.load(fromByteOffset: 20, as: Int32.self) != 0
        }

        /// Rounds to 0...255 and does nothing else.
        @export(implementation) @inline(always)
        public init() {
            zero = _mm256_setzero_si256()
            lower = _mm256_setzero_si256()
            upper = _mm256_set1_epi8(-1)
            residualZero = 0
            residualMultiplier = 0
            hasSlopes = false
        }

        /// The contribution of the eight residual values at `p`.
        @export(implementation) @inline(always)
        func residual(_ p: UnsafeRawPointer) -> __m256 {
            let values = _mm_cvtsi64_si128(p.loadUnaligned(as: Int64.self))
            let difference = _mm256_sub_epi32(_mm256_cvtepu8_epi32(values), _mm256_set1_epi32(residualZero))
            return _mm256_mul_ps(_mm256_cvtepi32_ps(difference), _mm256_set1_ps(residualMultiplier))
        }

        /// Two vectors of rounded values as 16-bit words, in the lane order of the packs.
        @export(implementation) @inline(always)
        func words(_ a: __m256i, _ b: __m256i) -> __m256i {
            _mm256_adds_epi16(_mm256_packs_epi32(a, b), zero)
        }

        @export(implementation) @inline(always)
        func clamped(_ bytes: __m256i) -> __m256i { _mm256_min_epu8(_mm256_max_epu8(bytes, lower), upper) }

        /// Four vectors of rounded values, in the lane order of the packs.
        @export(implementation) @inline(always)
        public func quantised(_ a: __m256i, _ b: __m256i, _ c: __m256i, _ d: __m256i) -> __m256i {
            clamped(_mm256_packus_epi16(words(a, b), words(c, d)))
        }
    }

    /// Sums times multipliers.
    @export(implementation) @inline(always)
    public func real(_ sum: __m256i, _ multiplier: __m256) -> __m256 {
        _mm256_mul_ps(_mm256_cvtepi32_ps(sum), multiplier)
    }

    /// `v < 0 ? v * slope : v`
    @export(implementation) @inline(always)
    public func sloped(_ v: __m256, _ slope: __m256) -> __m256 {
        _mm256_blendv_ps(v, _mm256_mul_ps(v, slope), v)
    }

    /// To the nearest integer, half to even.
    @export(implementation) @inline(always)
    public func rounded(_ v: __m256) -> __m256i { _mm256_cvtps_epi32(v) }
#endif
