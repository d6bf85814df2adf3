#if arch(x86_64)
    package import KernelInterface
    import _Builtin_intrinsics.intel

    extension AVX512VNNITier {
        @export(interface) @inline(never)
        package static func resizeKernels() -> ResizeKernels {
            ResizeKernels(
                pack: packResizeLine, luma: resizeLumaLine, colour: resizeColourLine,
                area: AreaKernels(luma: blendLumaRows, colour: blendColourRows, line: areaLine))
        }
    }

    /// What all blocks of a row share.
    private struct Line {
        let count: Int
        let fetch: Int
        let rowBytes: Int
        let weight: __m512i
        let bias: __m512i

        @inline(__always)
        init(_ packed: UnsafeRawPointer, _ weight: Int32) {
            count = packed.load(fromByteOffset: ResizeHeader.count, as: Int.self)
            fetch = packed.load(fromByteOffset: ResizeHeader.fetch, as: Int.self)
            rowBytes = packed.load(fromByteOffset: ResizeHeader.rowBytes, as: Int.self)
            let bias = packed.load(fromByteOffset: ResizeHeader.bias, as: Int.self)
            self.weight = _mm512_set1_epi16(Int16(truncatingIfNeeded: weight))
            self.bias = _mm512_set1_epi32(Int32(truncatingIfNeeded: bias))
        }

        /// Fixed-point luma of both rows, a 16-bit pair in every 32 bits, to 32-bit sums.
        @inline(__always)
        func sums(_ top: __m512i, _ bottom: __m512i, _ record: UnsafeRawPointer) -> __m512i {
            let mixed = _mm512_add_epi16(top, _mm512_mulhrs_epi16(_mm512_sub_epi16(bottom, top), weight))
            return _mm512_dpwssd_epi32(bias, mixed, load(record + ResizeRecord.weights))
        }
    }

    /// Rounds sixteen sums to bytes and stores the first `count`.
    @inline(__always)
    func storeCodes(_ sums: __m512i, _ count: Int, _ line: UnsafeMutablePointer<UInt8>) {
        let codes = _mm512_max_epi32(_mm512_srai_epi32(sums, 21), _mm512_setzero_si512())
        let bytes = _mm512_cvtusepi32_epi8(codes)
        if count >= 16 {
            UnsafeMutableRawPointer(line).storeBytes(of: bytes, as: __m128i.self)
        } else {
            _mm_mask_storeu_epi8(line, __mmask16(truncatingIfNeeded: byteMask(count)), bytes)
        }
    }

    @inline(__always)
    private func start(_ record: UnsafeRawPointer, _ at: Int) -> Int { record.load(fromByteOffset: at, as: Int.self) }

    // MARK: Luma

    /// Words of a window to fixed-point luma: 16 bits, 7 of them fraction.
    @inline(__always)
    private func codes(_ words: __m512i, _ record: UnsafeRawPointer) -> __m512i {
        _mm512_slli_epi16(_mm512_shuffle_epi8(words, load(record + ResizeRecord.bytes)), 7)
    }

    @inline(__always)
    private func words2(_ window: UnsafeRawPointer, _ places: __m512i) -> __m512i {
        _mm512_permutex2var_epi16(load(window), places, load(window + 64))
    }

    @inline(__always)
    private func words3(_ window: UnsafeRawPointer, _ places: __m512i, _ high: __mmask32) -> __m512i {
        _mm512_mask_permutexvar_epi16(words2(window, places), high, places, load(window + 128))
    }

    /// Four bytes at each of sixteen offsets.
    @inline(__always)
    private func wordsOfEach(_ row: UnsafeRawPointer, _ record: UnsafeRawPointer) -> __m512i {
        @inline(__always) func word(_ i: Int) -> Int32 {
            let offset = record.load(fromByteOffset: ResizeRecord.offsets &+ 4 &* i, as: Int32.self)
            return (row + Int(offset)).loadUnaligned(as: Int32.self)
        }
        return _mm512_set_epi32(
            word(15), word(14), word(13), word(12), word(11), word(10), word(9), word(8), word(7), word(6), word(5),
            word(4), word(3), word(2), word(1), word(0))
    }

    /// See `ResizeKernels.Luma`.
    @c(gk_resizeluma_avx512vnni) @export(interface) @inline(never)
    package func resizeLumaLine(
        _ top: UnsafePointer<UInt8>, _ bottom: UnsafePointer<UInt8>, _ weight: Int32, _ packed: UnsafeRawPointer,
        _ line: UnsafeMutablePointer<UInt8>
    ) {
        let shared = Line(packed, weight)
        let top = UnsafeRawPointer(top)
        let bottom = UnsafeRawPointer(bottom)
        let records = packed + ResizeHeader.size
        switch shared.fetch {
        case ResizeFetch.row: lumaFromRow(top, bottom, shared, records, line)
        case ResizeFetch.window2: lumaFromWindow2(top, bottom, shared, records, line)
        case ResizeFetch.window3: lumaFromWindow3(top, bottom, shared, records, line)
        default: lumaFromEach(top, bottom, shared, records, line)
        }
    }

    @inline(__always)
    private func lumaFromRow(
        _ top: UnsafeRawPointer, _ bottom: UnsafeRawPointer, _ shared: Line, _ records: UnsafeRawPointer,
        _ line: UnsafeMutablePointer<UInt8>
    ) {
        let low = byteMask(shared.rowBytes)
        let high = byteMask(shared.rowBytes < 64 ? 0 : shared.rowBytes &- 64)
        let t0 = _mm512_maskz_loadu_epi8(low, top)
        let t1 = _mm512_maskz_loadu_epi8(high, top + 64)
        let b0 = _mm512_maskz_loadu_epi8(low, bottom)
        let b1 = _mm512_maskz_loadu_epi8(high, bottom + 64)
        var record = records
        var done = 0
        while done < shared.count {
            let places = load(record + ResizeRecord.places)
            let t = codes(_mm512_permutex2var_epi16(t0, places, t1), record)
            let b = codes(_mm512_permutex2var_epi16(b0, places, b1), record)
            storeCodes(shared.sums(t, b, record), shared.count &- done, line + done)
            record += ResizeRecord.size
            done &+= 16
        }
    }

    @inline(__always)
    private func lumaFromWindow2(
        _ top: UnsafeRawPointer, _ bottom: UnsafeRawPointer, _ shared: Line, _ records: UnsafeRawPointer,
        _ line: UnsafeMutablePointer<UInt8>
    ) {
        var record = records
        var done = 0
        while done < shared.count {
            let places = load(record + ResizeRecord.places)
            let start = start(record, ResizeRecord.starts.0)
            let t = codes(words2(top + start, places), record)
            let b = codes(words2(bottom + start, places), record)
            storeCodes(shared.sums(t, b, record), shared.count &- done, line + done)
            record += ResizeRecord.size
            done &+= 16
        }
    }

    @inline(__always)
    private func lumaFromWindow3(
        _ top: UnsafeRawPointer, _ bottom: UnsafeRawPointer, _ shared: Line, _ records: UnsafeRawPointer,
        _ line: UnsafeMutablePointer<UInt8>
    ) {
        var record = records
        var done = 0
        while done < shared.count {
            let places = load(record + ResizeRecord.places)
            let high = record.load(fromByteOffset: ResizeRecord.high.0, as: __mmask32.self)
            let start = start(record, ResizeRecord.starts.0)
            let t = codes(words3(top + start, places, high), record)
            let b = codes(words3(bottom + start, places, high), record)
            storeCodes(shared.sums(t, b, record), shared.count &- done, line + done)
            record += ResizeRecord.size
            done &+= 16
        }
    }

    @inline(__always)
    private func lumaFromEach(
        _ top: UnsafeRawPointer, _ bottom: UnsafeRawPointer, _ shared: Line, _ records: UnsafeRawPointer,
        _ line: UnsafeMutablePointer<UInt8>
    ) {
        var record = records
        var done = 0
        while done < shared.count {
            let t = codes(wordsOfEach(top, record), record)
            let b = codes(wordsOfEach(bottom, record), record)
            storeCodes(shared.sums(t, b, record), shared.count &- done, line + done)
            record += ResizeRecord.size
            done &+= 16
        }
    }

    // MARK: Colour

    /// See `ResizeKernels.Colour`.
    @c(gk_resizecolour_avx512vnni) @export(interface) @inline(never)
    package func resizeColourLine(
        _ top: UnsafePointer<UInt8>, _ bottom: UnsafePointer<UInt8>, _ weight: Int32,
        _ share0: Int32, _ share1: Int32, _ share2: Int32, _ packed: UnsafeRawPointer,
        _ line: UnsafeMutablePointer<UInt8>
    ) {
        let shared = Line(packed, weight)
        let shares = ColourShares(share0, share1, share2)
        let top = UnsafeRawPointer(top)
        let bottom = UnsafeRawPointer(bottom)
        let records = packed + ResizeHeader.size
        switch shared.fetch {
        case ResizeFetch.row: colourFromRow(top, bottom, shared, shares, records, line)
        case ResizeFetch.window2: colourFromWindow2(top, bottom, shared, shares, records, line)
        case ResizeFetch.window3: colourFromWindow3(top, bottom, shared, shares, records, line)
        default: colourFromEach(top, bottom, shared, shares, records, line)
        }
    }

    /// A share is 128 * high + low, so (sum of p * share + 64) >> 7 is sum of p * high + ((sum of p * low + 64) >> 7):
    /// two dot products of bytes.
    struct ColourShares {
        let high: __m512i
        let low: __m512i
        /// Half of the unit of the shift between them.
        let half: __m512i
        /// From the order of weights in a record to output order.
        let order: __m512i

        @inline(__always)
        init(_ share0: Int32, _ share1: Int32, _ share2: Int32) {
            high = _mm512_set1_epi32((share2 &>> 7) &<< 16 | (share1 &>> 7) &<< 8 | share0 &>> 7)
            low = _mm512_set1_epi32((share2 & 127) &<< 16 | (share1 & 127) &<< 8 | share0 & 127)
            half = _mm512_set1_epi32(64)
            order = _mm512_set_epi32(15, 14, 11, 10, 7, 6, 3, 2, 13, 12, 9, 8, 5, 4, 1, 0)
        }

        /// Sixteen pixels to luma in 32 bits, 7 of them fraction.
        @inline(__always)
        func codes(_ pixels: __m512i) -> __m512i {
            dot(_mm512_srli_epi32(dot(half, pixels, low), 7), pixels, high)
        }

        /// The pairs of outputs 0...7 and 8...15 to luma in 16 bits.
        @inline(__always)
        func codes(_ low: __m512i, _ high: __m512i) -> __m512i { _mm512_packs_epi32(codes(low), codes(high)) }
    }

    @inline(__always)
    private func pixels2(_ window: UnsafeRawPointer, _ places: __m512i) -> __m512i {
        _mm512_permutex2var_epi32(load(window), places, load(window + 64))
    }

    @inline(__always)
    private func pixels3(_ window: UnsafeRawPointer, _ places: __m512i, _ high: __mmask16) -> __m512i {
        _mm512_mask_permutexvar_epi32(pixels2(window, places), high, places, load(window + 128))
    }

    /// Two pixels at each of eight offsets.
    @inline(__always)
    private func pixelsOfEach(_ row: UnsafeRawPointer, _ offsets: UnsafeRawPointer) -> __m512i {
        @inline(__always) func pair(_ i: Int) -> Int64 {
            let offset = offsets.load(fromByteOffset: 4 &* i, as: Int32.self)
            return (row + Int(offset)).loadUnaligned(as: Int64.self)
        }
        return _mm512_set_epi64(pair(7), pair(6), pair(5), pair(4), pair(3), pair(2), pair(1), pair(0))
    }

    @inline(__always)
    private func colourFromRow(
        _ top: UnsafeRawPointer, _ bottom: UnsafeRawPointer, _ shared: Line, _ shares: ColourShares,
        _ records: UnsafeRawPointer, _ line: UnsafeMutablePointer<UInt8>
    ) {
        let low = byteMask(shared.rowBytes)
        let high = byteMask(shared.rowBytes < 64 ? 0 : shared.rowBytes &- 64)
        // Pixels are converted to luma first: there are at most 32.
        let t0 = shares.codes(_mm512_maskz_loadu_epi8(low, top))
        let t1 = shares.codes(_mm512_maskz_loadu_epi8(high, top + 64))
        let b0 = shares.codes(_mm512_maskz_loadu_epi8(low, bottom))
        let b1 = shares.codes(_mm512_maskz_loadu_epi8(high, bottom + 64))
        var record = records
        var done = 0
        while done < shared.count {
            let places0 = load(record + ResizeRecord.pixels.0)
            let places1 = load(record + ResizeRecord.pixels.1)
            let t = _mm512_packs_epi32(
                _mm512_permutex2var_epi32(t0, places0, t1), _mm512_permutex2var_epi32(t0, places1, t1))
            let b = _mm512_packs_epi32(
                _mm512_permutex2var_epi32(b0, places0, b1), _mm512_permutex2var_epi32(b0, places1, b1))
            let sums = _mm512_permutexvar_epi32(shares.order, shared.sums(t, b, record))
            storeCodes(sums, shared.count &- done, line + done)
            record += ResizeRecord.size
            done &+= 16
        }
    }

    @inline(__always)
    private func colourFromWindow2(
        _ top: UnsafeRawPointer, _ bottom: UnsafeRawPointer, _ shared: Line, _ shares: ColourShares,
        _ records: UnsafeRawPointer, _ line: UnsafeMutablePointer<UInt8>
    ) {
        var record = records
        var done = 0
        while done < shared.count {
            let places0 = load(record + ResizeRecord.pixels.0)
            let places1 = load(record + ResizeRecord.pixels.1)
            let start0 = start(record, ResizeRecord.starts.0)
            let start1 = start(record, ResizeRecord.starts.1)
            let t = shares.codes(pixels2(top + start0, places0), pixels2(top + start1, places1))
            let b = shares.codes(pixels2(bottom + start0, places0), pixels2(bottom + start1, places1))
            let sums = _mm512_permutexvar_epi32(shares.order, shared.sums(t, b, record))
            storeCodes(sums, shared.count &- done, line + done)
            record += ResizeRecord.size
            done &+= 16
        }
    }

    @inline(__always)
    private func colourFromWindow3(
        _ top: UnsafeRawPointer, _ bottom: UnsafeRawPointer, _ shared: Line, _ shares: ColourShares,
        _ records: UnsafeRawPointer, _ line: UnsafeMutablePointer<UInt8>
    ) {
        var record = records
        var done = 0
        while done < shared.count {
            let places0 = load(record + ResizeRecord.pixels.0)
            let places1 = load(record + ResizeRecord.pixels.1)
            let high0 = record.load(fromByteOffset: ResizeRecord.high.0, as: __mmask16.self)
            let high1 = record.load(fromByteOffset: ResizeRecord.high.1, as: __mmask16.self)
            let start0 = start(record, ResizeRecord.starts.0)
            let start1 = start(record, ResizeRecord.starts.1)
            let t = shares.codes(pixels3(top + start0, places0, high0), pixels3(top + start1, places1, high1))
            let b = shares.codes(pixels3(bottom + start0, places0, high0), pixels3(bottom + start1, places1, high1))
            let sums = _mm512_permutexvar_epi32(shares.order, shared.sums(t, b, record))
            storeCodes(sums, shared.count &- done, line + done)
            record += ResizeRecord.size
            done &+= 16
        }
    }

    @inline(__always)
    private func colourFromEach(
        _ top: UnsafeRawPointer, _ bottom: UnsafeRawPointer, _ shared: Line, _ shares: ColourShares,
        _ records: UnsafeRawPointer, _ line: UnsafeMutablePointer<UInt8>
    ) {
        var record = records
        var done = 0
        while done < shared.count {
            let offsets0 = record + ResizeRecord.offsets
            let offsets1 = record + ResizeRecord.offsets + 32
            let t = shares.codes(pixelsOfEach(top, offsets0), pixelsOfEach(top, offsets1))
            let b = shares.codes(pixelsOfEach(bottom, offsets0), pixelsOfEach(bottom, offsets1))
            let sums = _mm512_permutexvar_epi32(shares.order, shared.sums(t, b, record))
            storeCodes(sums, shared.count &- done, line + done)
            record += ResizeRecord.size
            done &+= 16
        }
    }
#endif
