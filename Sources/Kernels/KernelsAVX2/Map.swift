#if arch(x86_64)
    package import KernelInterface
    import KernelsX86
    import _Builtin_intrinsics.intel

    // Eight lanes of floats at a time, 32 of bytes. Elements after the last whole vector are computed one by one, by
    // the same instructions.

    extension AVX2Tier {
        @export(interface) @inline(never)
        package static func mapKernels() -> MapKernels {
            MapKernels(
                add: addQuantised, maxPool: maxPoolQuantised, interpolateColumns: interpolateColumns,
                interpolateRows: interpolateRows)
        }
    }

    /// See `MapKernels.Add`.
    @c(gk_add_q8_avx2) @export(interface) @inline(never)
    package func addQuantised(
        _ a: UnsafePointer<UInt8>, _ b: UnsafePointer<UInt8>, _ count: Int, _ p: UnsafePointer<Float>,
        _ out: UnsafeMutablePointer<UInt8>
    ) {
        let (aZero, aScale) = (_mm256_set1_ps(p[0]), _mm256_set1_ps(p[1]))
        let (bZero, bScale) = (_mm256_set1_ps(p[2]), _mm256_set1_ps(p[3]))
        let (scale, zero) = (_mm256_set1_ps(p[4]), _mm256_set1_ps(p[5]))

        @inline(__always)
        func sum(_ a: __m256, _ b: __m256) -> __m128i {
            let both = _mm256_add_ps(
                _mm256_mul_ps(_mm256_sub_ps(a, aZero), aScale), _mm256_mul_ps(_mm256_sub_ps(b, bZero), bScale))
            return quantised(_mm256_add_ps(_mm256_div_ps(both, scale), zero))
        }
        var i = 0
        while i &+ 8 <= count {
            store64(sum(floats(a + i), floats(b + i)), out + i)
            i &+= 8
        }
        while i < count {
            out[i] = first(sum(_mm256_set1_ps(Float(a[i])), _mm256_set1_ps(Float(b[i]))))
            i &+= 1
        }
    }

    /// See `MapKernels.MaxPool`.
    @c(gk_maxpool_q8_avx2) @export(interface) @inline(never)
    package func maxPoolQuantised(
        _ input: UnsafePointer<UInt8>, _ row: Int, _ pixel: Int, _ height: Int, _ width: Int, _ step: Int,
        _ pixels: Int, _ channels: Int, _ out: UnsafeMutablePointer<UInt8>, _ outPixel: Int
    ) {
        var from = UnsafeRawPointer(input)
        var to = UnsafeMutableRawPointer(out)
        // The usual window. The two loops over any other window would take most of its time.
        let isTwoByTwo = height == 2 && width == 2
        var x = 0
        while x < pixels {
            var c = 0
            while c &+ 32 <= channels {
                let p = from + c
                var largest: __m256i
                if isTwoByTwo {
                    let q = p + row
                    largest = _mm256_max_epu8(
                        _mm256_max_epu8(load256(p), load256(p + pixel)), _mm256_max_epu8(load256(q), load256(q + pixel))
                    )
                } else {
                    largest = load256(p)
                    eachPixel(row, pixel, height, width) { largest = _mm256_max_epu8(largest, load256(p + $0)) }
                }
                store256(largest, to + c)
                c &+= 32
            }
            while c &+ 16 <= channels {
                let p = from + c
                var largest: __m128i
                if isTwoByTwo {
                    let q = p + row
                    largest = _mm_max_epu8(
                        _mm_max_epu8(load128(p), load128(p + pixel)), _mm_max_epu8(load128(q), load128(q + pixel)))
                } else {
                    largest = load128(p)
                    eachPixel(row, pixel, height, width) { largest = _mm_max_epu8(largest, load128(p + $0)) }
                }
                store128(largest, to + c)
                c &+= 16
            }
            while c < channels {
                var largest: UInt8 = 0
                eachPixel(row, pixel, height, width) {
                    let value = (from + (c &+ $0)).load(as: UInt8.self)
                    if value > largest { largest = value }
                }
                to.storeBytes(of: largest, toByteOffset: c, as: UInt8.self)
                c &+= 1
            }
            from += step
            to += outPixel
            x &+= 1
        }
    }

    /// Calls `body` for each pixel of a window, with its distance from the first.
    @inline(__always)
    private func eachPixel(_ row: Int, _ pixel: Int, _ height: Int, _ width: Int, _ body: (Int) -> Void) {
        var v = 0
        while v < height {
            var u = 0
            while u < width {
                body(v &* row &+ u &* pixel)
                u &+= 1
            }
            v &+= 1
        }
    }

    /// See `MapKernels.InterpolateColumns`.
    @c(gk_interpolatecolumns_q8_avx2) @export(interface) @inline(never)
    package func interpolateColumns(
        _ a: UnsafePointer<UInt8>, _ b: UnsafePointer<UInt8>, _ share: Float, _ count: Int,
        _ out: UnsafeMutablePointer<Float>
    ) {
        let shares = _mm256_set1_ps(share)
        var i = 0
        while i &+ 8 <= count {
            let mixed = mix(floats(a + i), floats(b + i), shares)
            UnsafeMutableRawPointer(out + i).storeBytes(of: mixed, as: __m256.self)
            i &+= 8
        }
        while i < count {
            out[i] = Float(a[i]) + share * (Float(b[i]) - Float(a[i]))
            i &+= 1
        }
    }

    /// See `MapKernels.InterpolateRows`.
    @c(gk_interpolaterows_q8_avx2) @export(interface) @inline(never)
    package func interpolateRows(
        _ a: UnsafePointer<Float>, _ b: UnsafePointer<Float>, _ share: Float, _ count: Int,
        _ out: UnsafeMutablePointer<UInt8>
    ) {
        let shares = _mm256_set1_ps(share)
        var i = 0
        while i &+ 8 <= count {
            store64(quantised(mix(loadFloats256(a + i), loadFloats256(b + i), shares)), out + i)
            i &+= 8
        }
        while i < count {
            out[i] = first(quantised(mix(_mm256_set1_ps(a[i]), _mm256_set1_ps(b[i]), shares)))
            i &+= 1
        }
    }

    /// Eight values as floats.
    @inline(__always)
    private func floats(_ p: UnsafePointer<UInt8>) -> __m256 {
        let eight = _mm_cvtsi64_si128(UnsafeRawPointer(p).loadUnaligned(as: Int64.self))
        return _mm256_cvtepi32_ps(_mm256_cvtepu8_epi32(eight))
    }

    @inline(__always)
    private func mix(_ a: __m256, _ b: __m256, _ share: __m256) -> __m256 {
        _mm256_add_ps(a, _mm256_mul_ps(share, _mm256_sub_ps(b, a)))
    }

    /// Eight bytes in the low half. The maximum of NaN and 0 is its second operand.
    @inline(__always)
    private func quantised(_ v: __m256) -> __m128i {
        let clamped = _mm256_min_ps(_mm256_max_ps(v, _mm256_setzero_ps()), _mm256_set1_ps(255))
        let numbers = _mm256_cvtps_epi32(clamped)
        let words = _mm_packs_epi32(low(numbers), high(numbers))
        return _mm_packus_epi16(words, words)
    }

    @inline(__always)
    private func store64(_ v: __m128i, _ p: UnsafeMutablePointer<UInt8>) {
        UnsafeMutableRawPointer(p).storeBytes(of: _mm_cvtsi128_si64(v), as: Int64.self)
    }

    @inline(__always)
    private func first(_ v: __m128i) -> UInt8 { UInt8(truncatingIfNeeded: _mm_cvtsi128_si32(v)) }
#endif
