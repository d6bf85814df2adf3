#if arch(x86_64)
    import KernelInterface
    import _Builtin_intrinsics.intel

    // Rows are interleaved in pairs, so that one 16-bit dot product multiplies and adds two of their values. Outputs
    // are computed sixteen at a time, four in a vector, with eight taps each.
    //
    // AVX2 has another source: a row ends with a mask here, and there with a block that is moved back.

    /// Two weights in every 32 bits.
    @inline(__always)
    private func pair(_ weights: UnsafePointer<Int16>, _ r: Int) -> __m512i {
        broadcast4(UnsafeRawPointer(weights + r))
    }

    /// See `AreaKernels.Luma`.
    @c(gk_arealuma_avx512vnni) @export(interface) @inline(never)
    package func blendLumaRows(
        _ rows: UnsafePointer<UInt8>, _ bytesPerRow: Int, _ weights: UnsafePointer<Int16>, _ count: Int,
        _ width: Int, _ pixelBytes: Int, _ fixedLuma: UnsafeMutablePointer<Int16>
    ) {
        if pixelBytes == 1 {
            blendBytes(rows, bytesPerRow, weights, count, width, fixedLuma)
        } else {
            blendSecondBytes(rows, bytesPerRow, weights, count, width, fixedLuma)
        }
    }

    @inline(__always)
    private func blendBytes(
        _ rows: UnsafePointer<UInt8>, _ bytesPerRow: Int, _ weights: UnsafePointer<Int16>, _ count: Int,
        _ width: Int, _ fixedLuma: UnsafeMutablePointer<Int16>
    ) {
        let zero = _mm512_setzero_si512()
        let half = _mm512_set1_epi32(64)
        let firstOrder = _mm512_set_epi64(11, 10, 3, 2, 9, 8, 1, 0)
        let secondOrder = _mm512_set_epi64(15, 14, 7, 6, 13, 12, 5, 4)
        var x = 0
        while x < width {
            let mask = byteMask(width &- x)
            var (s0, s1, s2, s3) = (half, half, half, half)
            var row = rows + x
            var r = 0
            while r < count {
                let upper = _mm512_maskz_loadu_epi8(mask, row)
                // After the last row, that row is read again, with a weight of 0.
                let lower = _mm512_maskz_loadu_epi8(mask, r &+ 1 < count ? row + bytesPerRow : row)
                let weight = pair(weights, r)
                let low = _mm512_unpacklo_epi8(upper, lower)
                let high = _mm512_unpackhi_epi8(upper, lower)
                s0 = _mm512_dpwssd_epi32(s0, _mm512_unpacklo_epi8(low, zero), weight)
                s1 = _mm512_dpwssd_epi32(s1, _mm512_unpackhi_epi8(low, zero), weight)
                s2 = _mm512_dpwssd_epi32(s2, _mm512_unpacklo_epi8(high, zero), weight)
                s3 = _mm512_dpwssd_epi32(s3, _mm512_unpackhi_epi8(high, zero), weight)
                row += 2 &* bytesPerRow
                r &+= 2
            }
            // The first eight of every 16 pixels, then the other eight.
            let first = _mm512_packs_epi32(_mm512_srai_epi32(s0, 7), _mm512_srai_epi32(s1, 7))
            let second = _mm512_packs_epi32(_mm512_srai_epi32(s2, 7), _mm512_srai_epi32(s3, 7))
            store(_mm512_permutex2var_epi64(first, firstOrder, second), fixedLuma + x)
            if x &+ 32 < width { store(_mm512_permutex2var_epi64(first, secondOrder, second), fixedLuma + x + 32) }
            x &+= 64
        }
    }

    @inline(__always)
    private func blendSecondBytes(
        _ rows: UnsafePointer<UInt8>, _ bytesPerRow: Int, _ weights: UnsafePointer<Int16>, _ count: Int,
        _ width: Int, _ fixedLuma: UnsafeMutablePointer<Int16>
    ) {
        let luma = _mm512_set1_epi16(255)
        let half = _mm512_set1_epi32(64)
        var x = 0
        while x < width {
            let mask = byteMask(2 &* (width &- x))
            var (s0, s1) = (half, half)
            var row = rows + 2 &* x
            var r = 0
            while r < count {
                let upper = _mm512_and_si512(_mm512_maskz_loadu_epi8(mask, row), luma)
                let lower = _mm512_and_si512(
                    _mm512_maskz_loadu_epi8(mask, r &+ 1 < count ? row + bytesPerRow : row), luma)
                let weight = pair(weights, r)
                s0 = _mm512_dpwssd_epi32(s0, _mm512_unpacklo_epi16(upper, lower), weight)
                s1 = _mm512_dpwssd_epi32(s1, _mm512_unpackhi_epi16(upper, lower), weight)
                row += 2 &* bytesPerRow
                r &+= 2
            }
            store(_mm512_packs_epi32(_mm512_srai_epi32(s0, 7), _mm512_srai_epi32(s1, 7)), fixedLuma + x)
            x &+= 32
        }
    }

    /// See `AreaKernels.Colour`.
    @c(gk_areacolour_avx512vnni) @export(interface) @inline(never)
    package func blendColourRows(
        _ rows: UnsafePointer<UInt8>, _ bytesPerRow: Int, _ weights: UnsafePointer<Int16>, _ count: Int,
        _ width: Int, _ share0: Int32, _ share1: Int32, _ share2: Int32, _ fixedLuma: UnsafeMutablePointer<Int16>
    ) {
        let shares = ColourShares(share0, share1, share2)
        let half = _mm512_set1_epi32(8192)
        var x = 0
        while x < width {
            let mask = byteMask(4 &* (width &- x))
            var sums = half
            var row = rows + 4 &* x
            var r = 0
            while r < count {
                let upper = shares.fixedLuma(_mm512_maskz_loadu_epi8(mask, row))
                let lower = shares.fixedLuma(_mm512_maskz_loadu_epi8(mask, r &+ 1 < count ? row + bytesPerRow : row))
                let pairs = _mm512_or_si512(upper, _mm512_slli_epi32(lower, 16))
                sums = _mm512_dpwssd_epi32(sums, pairs, pair(weights, r))
                row += 2 &* bytesPerRow
                r &+= 2
            }
            let line = _mm512_cvtepi32_epi16(_mm512_srai_epi32(sums, 14))
            UnsafeMutableRawPointer(fixedLuma + x).storeBytes(of: line, as: __m256i.self)
            x &+= 16
        }
    }

    /// Eight values for each of four outputs, from its first column on; each output is a quarter of the vector.
    @inline(__always)
    private func windows(_ fixedLuma: UnsafePointer<Int16>, _ firsts: UnsafeRawPointer, _ v: Int) -> __m512i {
        @inline(__always) func window(_ i: Int) -> __m128i {
            let first = Int(firsts.load(fromByteOffset: 4 &* (v &+ 4 &* i), as: Int32.self))
            return UnsafeRawPointer(fixedLuma + first).loadUnaligned(as: __m128i.self)
        }
        var all = _mm512_broadcast_i32x4(window(0))
        all = _mm512_mask_broadcast_i32x4(all, 0x00F0, window(1))
        all = _mm512_mask_broadcast_i32x4(all, 0x0F00, window(2))
        return _mm512_mask_broadcast_i32x4(all, 0xF000, window(3))
    }

    /// See `AreaKernels.Line`.
    @c(gk_arealine_avx512vnni) @export(interface) @inline(never)
    package func areaLine(
        _ fixedLuma: UnsafePointer<Int16>, _ columns: UnsafeRawPointer, _ chunks: Int, _ bias: Int32, _ count: Int,
        _ line: UnsafeMutablePointer<UInt8>
    ) {
        let bias = _mm512_set1_epi32(bias)
        let zero = _mm512_setzero_si512()
        var block = columns
        var done = 0
        while done < count {
            let firsts = block
            var weights = block + 64
            var (a, b, c, d) = (zero, zero, zero, zero)
            var window = fixedLuma
            var chunk = 0
            while chunk < chunks {
                a = _mm512_dpwssd_epi32(a, windows(window, firsts, 0), load(weights))
                b = _mm512_dpwssd_epi32(b, windows(window, firsts, 1), load(weights + 64))
                c = _mm512_dpwssd_epi32(c, windows(window, firsts, 2), load(weights + 128))
                d = _mm512_dpwssd_epi32(d, windows(window, firsts, 3), load(weights + 192))
                window += 8
                weights += 256
                chunk &+= 1
            }
            let ab = _mm512_add_epi32(_mm512_unpacklo_epi32(a, b), _mm512_unpackhi_epi32(a, b))
            let cd = _mm512_add_epi32(_mm512_unpacklo_epi32(c, d), _mm512_unpackhi_epi32(c, d))
            let sums = _mm512_add_epi32(_mm512_unpacklo_epi64(ab, cd), _mm512_unpackhi_epi64(ab, cd))
            storeRounded(_mm512_add_epi32(sums, bias), count &- done, line + done)
            block = weights
            done &+= 16
        }
    }
#endif
