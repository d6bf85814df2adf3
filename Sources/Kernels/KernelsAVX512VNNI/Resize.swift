#if arch(x86_64)
    package import KernelInterface
    import KernelsX86
    import _Builtin_intrinsics.intel

    // AVX2 has another source, because none of its permutations picks bytes from two vectors or across both halves of one.

    extension AVX512VNNITier {
        @export(interface) @inline(never)
        package static func resizeKernels() -> ResizeKernels {
            ResizeKernels(
                pack: packResizeLine, luma: resizeLumaLine, colour: resizeColourLine,
                area: AreaKernels(luma: blendLumaRows, colour: blendColourRows, line: areaLine))
        }
    }

    /// A row of the output, and how far it is written: block by block, each as its record says.
    private struct Line {
        let count: Int
        let fetch: Int
        let rowBytes: Int
        let weight: __m512i
        let bias: __m512i
        let out: UnsafeMutablePointer<UInt8>
        /// Of the next block.
        private var record: UnsafeRawPointer
        /// Outputs of the blocks before it.
        private var done = 0

        @inline(always)
        init(_ packed: UnsafeRawPointer, _ weight: Int32, _ out: UnsafeMutablePointer<UInt8>) {
            count = packed.load(fromByteOffset: ResizeHeader.count, as: Int.self)
            fetch = packed.load(fromByteOffset: ResizeHeader.fetch, as: Int.self)
            rowBytes = packed.load(fromByteOffset: ResizeHeader.rowBytes, as: Int.self)
            let bias = packed.load(fromByteOffset: ResizeHeader.bias, as: Int.self)
            self.weight = _mm512_set1_epi16(Int16(truncatingIfNeeded: weight))
            self.bias = _mm512_set1_epi32(Int32(truncatingIfNeeded: bias))
            self.out = out
            record = packed + ResizeHeader.size
        }

        /// The record of the next block; nil after the last.
        @inline(always) var next: UnsafeRawPointer? { done < count ? record : nil }

        /// Writes the next block.
        /// - top, bottom: fixed-point luma of the rows, a 16-bit pair in every 32 bits.
        /// - order: of the sums, if they need another.
        @inline(always)
        mutating func put(_ top: __m512i, _ bottom: __m512i, inOrder order: __m512i? = nil) {
            let mixed = _mm512_add_epi16(top, _mm512_mulhrs_epi16(_mm512_sub_epi16(bottom, top), weight))
            var sums = _mm512_dpwssd_epi32(bias, mixed, load(record + ResizeRecord.weights))
            if let order { sums = _mm512_permutexvar_epi32(order, sums) }
            storeRounded(sums, count &- done, out + done)
            record += ResizeRecord.size
            done &+= 16
        }
    }

    /// Rounds sixteen sums to bytes and stores the first `count`.
    @inline(always)
    func storeRounded(_ sums: __m512i, _ count: Int, _ line: UnsafeMutablePointer<UInt8>) {
        let fixedLuma = _mm512_max_epi32(_mm512_srai_epi32(sums, 21), _mm512_setzero_si512())
        let bytes = _mm512_cvtusepi32_epi8(fixedLuma)
        if count >= 16 {
            UnsafeMutableRawPointer(line).storeBytes(of: bytes, as: __m128i.self)
        } else {
            _mm_mask_storeu_epi8(line, __mmask16(truncatingIfNeeded: byteMask(count)), bytes)
        }
    }

    @inline(always)
    private func start(_ record: UnsafeRawPointer, _ at: Int) -> Int { record.load(fromByteOffset: at, as: Int.self) }

    // MARK: Luma

    /// Words of a window to fixed-point luma: 16 bits, 7 of them fraction.
    @inline(always)
    private func fixedLuma(_ words: __m512i, _ record: UnsafeRawPointer) -> __m512i {
        _mm512_slli_epi16(_mm512_shuffle_epi8(words, load(record + ResizeRecord.bytes)), 7)
    }

    @inline(always)
    private func words2(_ window: UnsafeRawPointer, _ places: __m512i) -> __m512i {
        _mm512_permutex2var_epi16(load(window), places, load(window + 64))
    }

    @inline(always)
    private func words3(_ window: UnsafeRawPointer, _ places: __m512i, _ high: __mmask32) -> __m512i {
        _mm512_mask_permutexvar_epi16(words2(window, places), high, places, load(window + 128))
    }

    /// Four bytes at each of sixteen offsets.
    @inline(always)
    private func wordsOfEach(_ row: UnsafeRawPointer, _ record: UnsafeRawPointer) -> __m512i {
        @inline(always) func word(_ i: Int) -> Int32 {
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
        var line = Line(packed, weight, line)
        let (top, bottom) = (UnsafeRawPointer(top), UnsafeRawPointer(bottom))
        switch line.fetch {
        case ResizeFetch.row:
            let (t, b) = (ShortRow(top, line.rowBytes), ShortRow(bottom, line.rowBytes))
            while let record = line.next {
                let places = load(record + ResizeRecord.places)
                line.put(
                    fixedLuma(_mm512_permutex2var_epi16(t.low, places, t.high), record),
                    fixedLuma(_mm512_permutex2var_epi16(b.low, places, b.high), record))
            }
        case ResizeFetch.window2:
            while let record = line.next {
                let places = load(record + ResizeRecord.places)
                let start = start(record, ResizeRecord.starts.0)
                line.put(
                    fixedLuma(words2(top + start, places), record), fixedLuma(words2(bottom + start, places), record))
            }
        case ResizeFetch.window3:
            while let record = line.next {
                let places = load(record + ResizeRecord.places)
                let high = record.load(fromByteOffset: ResizeRecord.high.0, as: __mmask32.self)
                let start = start(record, ResizeRecord.starts.0)
                line.put(
                    fixedLuma(words3(top + start, places, high), record),
                    fixedLuma(words3(bottom + start, places, high), record))
            }
        default:
            while let record = line.next {
                line.put(fixedLuma(wordsOfEach(top, record), record), fixedLuma(wordsOfEach(bottom, record), record))
            }
        }
    }

    /// A row of fewer than 128 bytes, and zeros after them.
    private struct ShortRow {
        let low, high: __m512i

        @inline(always)
        init(_ row: UnsafeRawPointer, _ count: Int) {
            low = _mm512_maskz_loadu_epi8(byteMask(count), row)
            high = _mm512_maskz_loadu_epi8(byteMask(count < 64 ? 0 : count &- 64), row + 64)
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
        var line = Line(packed, weight, line)
        let shares = ColourShares(share0, share1, share2)
        let (top, bottom) = (UnsafeRawPointer(top), UnsafeRawPointer(bottom))
        switch line.fetch {
        case ResizeFetch.row:
            // Pixels are converted to luma first: there are at most 32.
            let (t, b) = (ShortRow(top, line.rowBytes), ShortRow(bottom, line.rowBytes))
            let (t0, t1) = (shares.fixedLuma(t.low), shares.fixedLuma(t.high))
            let (b0, b1) = (shares.fixedLuma(b.low), shares.fixedLuma(b.high))
            while let record = line.next {
                let (places0, places1) = (load(record + ResizeRecord.pixels.0), load(record + ResizeRecord.pixels.1))
                line.put(
                    _mm512_packs_epi32(
                        _mm512_permutex2var_epi32(t0, places0, t1), _mm512_permutex2var_epi32(t0, places1, t1)),
                    _mm512_packs_epi32(
                        _mm512_permutex2var_epi32(b0, places0, b1), _mm512_permutex2var_epi32(b0, places1, b1)),
                    inOrder: shares.order)
            }
        case ResizeFetch.window2:
            while let record = line.next {
                let (places0, places1) = (load(record + ResizeRecord.pixels.0), load(record + ResizeRecord.pixels.1))
                let start0 = start(record, ResizeRecord.starts.0)
                let start1 = start(record, ResizeRecord.starts.1)
                line.put(
                    shares.fixedLuma(pixels2(top + start0, places0), pixels2(top + start1, places1)),
                    shares.fixedLuma(pixels2(bottom + start0, places0), pixels2(bottom + start1, places1)),
                    inOrder: shares.order)
            }
        case ResizeFetch.window3:
            while let record = line.next {
                let (places0, places1) = (load(record + ResizeRecord.pixels.0), load(record + ResizeRecord.pixels.1))
                let high0 = record.load(fromByteOffset: ResizeRecord.high.0, as: __mmask16.self)
                let high1 = record.load(fromByteOffset: ResizeRecord.high.1, as: __mmask16.self)
                let start0 = start(record, ResizeRecord.starts.0)
                let start1 = start(record, ResizeRecord.starts.1)
                line.put(
                    shares.fixedLuma(pixels3(top + start0, places0, high0), pixels3(top + start1, places1, high1)),
                    shares.fixedLuma(
                        pixels3(bottom + start0, places0, high0), pixels3(bottom + start1, places1, high1)),
                    inOrder: shares.order)
            }
        default:
            while let record = line.next {
                let (offsets0, offsets1) = (record + ResizeRecord.offsets, record + (ResizeRecord.offsets &+ 32))
                line.put(
                    shares.fixedLuma(pixelsOfEach(top, offsets0), pixelsOfEach(top, offsets1)),
                    shares.fixedLuma(pixelsOfEach(bottom, offsets0), pixelsOfEach(bottom, offsets1)),
                    inOrder: shares.order)
            }
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

        @inline(always)
        init(_ share0: Int32, _ share1: Int32, _ share2: Int32) {
            high = _mm512_set1_epi32((share2 &>> 7) &<< 16 | (share1 &>> 7) &<< 8 | share0 &>> 7)
            low = _mm512_set1_epi32((share2 & 127) &<< 16 | (share1 & 127) &<< 8 | share0 & 127)
            half = _mm512_set1_epi32(64)
            order = _mm512_set_epi32(15, 14, 11, 10, 7, 6, 3, 2, 13, 12, 9, 8, 5, 4, 1, 0)
        }

        /// Sixteen pixels to luma in 32 bits, 7 of them fraction.
        @inline(always)
        func fixedLuma(_ pixels: __m512i) -> __m512i {
            dot(_mm512_srli_epi32(dot(half, pixels, low), 7), pixels, high)
        }

        /// The pairs of outputs 0...7 and 8...15 to luma in 16 bits.
        @inline(always)
        func fixedLuma(_ low: __m512i, _ high: __m512i) -> __m512i {
            _mm512_packs_epi32(fixedLuma(low), fixedLuma(high))
        }
    }

    @inline(always)
    private func pixels2(_ window: UnsafeRawPointer, _ places: __m512i) -> __m512i {
        _mm512_permutex2var_epi32(load(window), places, load(window + 64))
    }

    @inline(always)
    private func pixels3(_ window: UnsafeRawPointer, _ places: __m512i, _ high: __mmask16) -> __m512i {
        _mm512_mask_permutexvar_epi32(pixels2(window, places), high, places, load(window + 128))
    }

    /// Two pixels at each of eight offsets.
    @inline(always)
    private func pixelsOfEach(_ row: UnsafeRawPointer, _ offsets: UnsafeRawPointer) -> __m512i {
        @inline(always) func pair(_ i: Int) -> Int64 {
            let offset = offsets.load(fromByteOffset: 4 &* i, as: Int32.self)
            return (row + Int(offset)).loadUnaligned(as: Int64.self)
        }
        return _mm512_set_epi64(pair(7), pair(6), pair(5), pair(4), pair(3), pair(2), pair(1), pair(0))
    }
#endif
