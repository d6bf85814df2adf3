#if arch(x86_64)
    import KernelInterface
    import KernelsX86
    import _Builtin_intrinsics.intel

    // Rows are interleaved in pairs, so that one 16-bit dot product multiplies and adds two of their values. The last
    // block of a row is moved back to end with the row; rows shorter than a block are computed pixel by pixel. Outputs
    // are computed sixteen at a time, two in a vector, with eight taps each.

    /// Two weights in every 32 bits.
    @inline(__always)
    private func pair(_ weights: UnsafePointer<Int16>, _ r: Int) -> __m256i {
        broadcast256(UnsafeRawPointer(weights + r))
    }

    /// Where the next block of `size` begins: at `x`, or so that it ends with the row.
    @inline(__always)
    private func start(_ x: Int, _ size: Int, _ width: Int) -> Int { x &+ size <= width ? x : width &- size }

    /// See `AreaKernels.Luma`.
    @c(gk_arealuma_avx2) @export(interface) @inline(never)
    package func blendLumaRows(
        _ rows: UnsafePointer<UInt8>, _ bytesPerRow: Int, _ weights: UnsafePointer<Int16>, _ count: Int,
        _ width: Int, _ pixelBytes: Int, _ fixedLuma: UnsafeMutablePointer<Int16>
    ) {
        if width &* pixelBytes < 32 {
            blendShort(rows, bytesPerRow, weights, count, width, pixelBytes, fixedLuma)
        } else if pixelBytes == 1 {
            blendBytes(rows, bytesPerRow, weights, count, width, fixedLuma)
        } else {
            blendSecondBytes(rows, bytesPerRow, weights, count, width, fixedLuma)
        }
    }

    @inline(__always)
    private func blendShort(
        _ rows: UnsafePointer<UInt8>, _ bytesPerRow: Int, _ weights: UnsafePointer<Int16>, _ count: Int,
        _ width: Int, _ pixelBytes: Int, _ fixedLuma: UnsafeMutablePointer<Int16>
    ) {
        var x = 0
        while x < width {
            var sum: Int32 = 64
            var byte = rows + x &* pixelBytes
            var r = 0
            while r < count {
                sum &+= Int32(byte.pointee) &* Int32(weights[r])
                byte += bytesPerRow
                r &+= 1
            }
            fixedLuma[x] = Int16(truncatingIfNeeded: sum &>> 7)
            x &+= 1
        }
    }

    @inline(__always)
    private func blendBytes(
        _ rows: UnsafePointer<UInt8>, _ bytesPerRow: Int, _ weights: UnsafePointer<Int16>, _ count: Int,
        _ width: Int, _ fixedLuma: UnsafeMutablePointer<Int16>
    ) {
        let zero = _mm256_setzero_si256()
        let half = _mm256_set1_epi32(64)
        var x = 0
        while x < width {
            let from = start(x, 32, width)
            var (s0, s1, s2, s3) = (half, half, half, half)
            var row = UnsafeRawPointer(rows + from)
            var r = 0
            while r < count {
                let upper = load256(row)
                // After the last row, that row is read again, with a weight of 0.
                let lower = load256(r &+ 1 < count ? row + bytesPerRow : row)
                let weight = pair(weights, r)
                let low = _mm256_unpacklo_epi8(upper, lower)
                let high = _mm256_unpackhi_epi8(upper, lower)
                s0 = dot(s0, _mm256_unpacklo_epi8(low, zero), weight)
                s1 = dot(s1, _mm256_unpackhi_epi8(low, zero), weight)
                s2 = dot(s2, _mm256_unpacklo_epi8(high, zero), weight)
                s3 = dot(s3, _mm256_unpackhi_epi8(high, zero), weight)
                row += 2 &* bytesPerRow
                r &+= 2
            }
            // The first eight of each 16 pixels, then the other eight.
            let first = _mm256_packs_epi32(_mm256_srai_epi32(s0, 7), _mm256_srai_epi32(s1, 7))
            let second = _mm256_packs_epi32(_mm256_srai_epi32(s2, 7), _mm256_srai_epi32(s3, 7))
            store256(_mm256_set_m128i(low(second), low(first)), fixedLuma + from)
            store256(_mm256_set_m128i(high(second), high(first)), fixedLuma + from + 16)
            x &+= 32
        }
    }

    @inline(__always)
    private func blendSecondBytes(
        _ rows: UnsafePointer<UInt8>, _ bytesPerRow: Int, _ weights: UnsafePointer<Int16>, _ count: Int,
        _ width: Int, _ fixedLuma: UnsafeMutablePointer<Int16>
    ) {
        let luma = _mm256_set1_epi16(255)
        let half = _mm256_set1_epi32(64)
        var x = 0
        while x < width {
            let from = start(x, 16, width)
            var (s0, s1) = (half, half)
            var row = UnsafeRawPointer(rows + 2 &* from)
            var r = 0
            while r < count {
                let upper = _mm256_and_si256(load256(row), luma)
                let lower = _mm256_and_si256(load256(r &+ 1 < count ? row + bytesPerRow : row), luma)
                let weight = pair(weights, r)
                s0 = dot(s0, _mm256_unpacklo_epi16(upper, lower), weight)
                s1 = dot(s1, _mm256_unpackhi_epi16(upper, lower), weight)
                row += 2 &* bytesPerRow
                r &+= 2
            }
            store256(_mm256_packs_epi32(_mm256_srai_epi32(s0, 7), _mm256_srai_epi32(s1, 7)), fixedLuma + from)
            x &+= 16
        }
    }

    /// See `AreaKernels.Colour`.
    @c(gk_areacolour_avx2) @export(interface) @inline(never)
    package func blendColourRows(
        _ rows: UnsafePointer<UInt8>, _ bytesPerRow: Int, _ weights: UnsafePointer<Int16>, _ count: Int,
        _ width: Int, _ share0: Int32, _ share1: Int32, _ share2: Int32, _ fixedLuma: UnsafeMutablePointer<Int16>
    ) {
        let shares = ColourShares(share0, share1, share2)
        let half = _mm256_set1_epi32(8192)
        let short = width < 8
        var x = 0
        while x < width {
            // In a short row one pixel at a time fills every lane.
            let from = short ? x : start(x, 8, width)
            var sums = half
            var row = UnsafeRawPointer(rows + 4 &* from)
            var r = 0
            while r < count {
                let next = r &+ 1 < count ? row + bytesPerRow : row
                let upper = shares.fixedLuma(short ? broadcast256(row) : load256(row))
                let lower = shares.fixedLuma(short ? broadcast256(next) : load256(next))
                let pairs = _mm256_or_si256(upper, _mm256_slli_epi32(lower, 16))
                sums = dot(sums, pairs, pair(weights, r))
                row += 2 &* bytesPerRow
                r &+= 2
            }
            let line = _mm256_srai_epi32(sums, 14)
            store128(_mm_packs_epi32(low(line), high(line)), fixedLuma + from)
            x &+= short ? 1 : 8
        }
    }

    /// Eight values for each of two outputs, from its first column on.
    @inline(__always)
    private func windows(
        _ fixedLuma: UnsafePointer<Int16>, _ firsts: UnsafeRawPointer, _ low: Int, _ high: Int
    ) -> __m256i {
        @inline(__always) func window(_ i: Int) -> __m128i {
            load128(fixedLuma + Int(firsts.load(fromByteOffset: 4 &* i, as: Int32.self)))
        }
        return _mm256_set_m128i(window(high), window(low))
    }

    /// The sums of outputs `from`...`from + 7` of a block.
    @inline(__always)
    private func sums(
        _ fixedLuma: UnsafePointer<Int16>, _ block: UnsafeRawPointer, _ chunks: Int, _ from: Int
    ) -> __m256i {
        let zero = _mm256_setzero_si256()
        var (a, b, c, d) = (zero, zero, zero, zero)
        let firsts = block + 4 &* from
        // Their groups are the lower or the upper two of every four.
        var weights = block + (64 &+ 4 &* from)
        var window = fixedLuma
        var chunk = 0
        while chunk < chunks {
            a = dot(a, windows(window, firsts, 0, 4), load256(weights))
            b = dot(b, windows(window, firsts, 1, 5), load256(weights + 64))
            c = dot(c, windows(window, firsts, 2, 6), load256(weights + 128))
            d = dot(d, windows(window, firsts, 3, 7), load256(weights + 192))
            window += 8
            weights += 256
            chunk &+= 1
        }
        let ab = _mm256_add_epi32(_mm256_unpacklo_epi32(a, b), _mm256_unpackhi_epi32(a, b))
        let cd = _mm256_add_epi32(_mm256_unpacklo_epi32(c, d), _mm256_unpackhi_epi32(c, d))
        return _mm256_add_epi32(_mm256_unpacklo_epi64(ab, cd), _mm256_unpackhi_epi64(ab, cd))
    }

    /// See `AreaKernels.Line`.
    @c(gk_arealine_avx2) @export(interface) @inline(never)
    package func areaLine(
        _ fixedLuma: UnsafePointer<Int16>, _ columns: UnsafeRawPointer, _ chunks: Int, _ bias: Int32, _ count: Int,
        _ line: UnsafeMutablePointer<UInt8>
    ) {
        let bias = _mm256_set1_epi32(bias)
        let order = _mm256_set_epi32(7, 6, 3, 2, 5, 1, 4, 0)
        var block = columns
        var done = 0
        while done < count {
            let lower = _mm256_srai_epi32(_mm256_add_epi32(sums(fixedLuma, block, chunks, 0), bias), 21)
            let upper = _mm256_srai_epi32(_mm256_add_epi32(sums(fixedLuma, block, chunks, 8), bias), 21)
            storeRounded(_mm256_packs_epi32(lower, upper), order, count &- done, line + done)
            block += AreaColumns.blockBytes(chunks)
            done &+= 16
        }
    }
#endif
