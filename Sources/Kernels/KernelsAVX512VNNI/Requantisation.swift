#if arch(x86_64)
    import _Builtin_intrinsics.intel

    // AVX2 has another source: names for the operations of both would be more lines than these.

    /// What all channels of a quantised map share: see `QuantisedConvolutionKernels`.
    struct Rounding {
        let zero, lower, upper: __m512i
        let residualZero: Int32
        let residualMultiplier: Float
        let hasSlopes: Bool
        /// The zero point and the lower bound are 0 and the upper bound is 255, as after most ReLU6: what the packs do.
        let isPlain: Bool

        @inline(__always)
        init(_ p: UnsafeRawPointer) {
            let (zero, lower) = (p.load(as: Int32.self), p.load(fromByteOffset: 4, as: Int32.self))
            let upper = p.load(fromByteOffset: 8, as: Int32.self)
            isPlain = zero == 0 && lower == 0 && upper == 255
            self.zero = _mm512_set1_epi16(Int16(truncatingIfNeeded: zero))
            self.lower = _mm512_set1_epi8(Int8(truncatingIfNeeded: lower))
            self.upper = _mm512_set1_epi8(Int8(truncatingIfNeeded: upper))
            residualZero = p.load(fromByteOffset: 12, as: Int32.self)
            residualMultiplier = p.load(fromByteOffset: 16, as: Float.self)
            hasSlopes = p.load(fromByteOffset: 20, as: Int32.self) != 0
        }

        /// The contribution of the sixteen residual values at `p`.
        @inline(__always)
        func residual(_ p: UnsafeRawPointer) -> __m512 {
            let values = _mm512_cvtepu8_epi32(p.loadUnaligned(as: __m128i.self))
            let difference = _mm512_sub_epi32(values, _mm512_set1_epi32(residualZero))
            return _mm512_mul_ps(_mm512_cvtepi32_ps(difference), _mm512_set1_ps(residualMultiplier))
        }

        /// Four vectors of rounded values, in the lane order of the packs.
        @inline(__always)
        func quantised(_ a: __m512i, _ b: __m512i, _ c: __m512i, _ d: __m512i) -> __m512i {
            let ab = _mm512_adds_epi16(_mm512_packs_epi32(a, b), zero)
            let cd = _mm512_adds_epi16(_mm512_packs_epi32(c, d), zero)
            return _mm512_min_epu8(_mm512_max_epu8(_mm512_packus_epi16(ab, cd), lower), upper)
        }

        /// The same, one vector after the other.
        @inline(__always)
        func inOrder(_ a: __m512i, _ b: __m512i, _ c: __m512i, _ d: __m512i) -> __m512i {
            let order = _mm512_set_epi32(15, 11, 7, 3, 14, 10, 6, 2, 13, 9, 5, 1, 12, 8, 4, 0)
            if isPlain {
                let bytes = _mm512_packus_epi16(_mm512_packs_epi32(a, b), _mm512_packs_epi32(c, d))
                return _mm512_permutexvar_epi32(order, bytes)
            }
            return _mm512_permutexvar_epi32(order, quantised(a, b, c, d))
        }
    }

    @inline(__always)
    func real(_ sum: __m512i, _ multiplier: __m512) -> __m512 {
        _mm512_mul_ps(_mm512_cvtepi32_ps(sum), multiplier)
    }

    @inline(__always)
    func sloped(_ v: __m512, _ slope: __m512) -> __m512 {
        _mm512_mask_mul_ps(v, _mm512_movepi32_mask(_mm512_castps_si512(v)), v, slope)
    }

    @inline(__always)
    func rounded(_ v: __m512) -> __m512i { _mm512_cvtps_epi32(v) }
#endif
