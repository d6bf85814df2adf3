#if arch(x86_64)
    package import KernelInterface
    import KernelsX86
    import _Builtin_intrinsics.intel

    extension AVX2Tier {
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
        let weight: __m256i
        let bias: __m256i
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
            self.weight = _mm256_set1_epi16(Int16(truncatingIfNeeded: weight))
            self.bias = _mm256_set1_epi32(Int32(truncatingIfNeeded: bias))
            self.out = out
            record = packed + ResizeHeader.size
        }

        /// The record of the next block; nil after the last.
        @inline(always) var next: UnsafeRawPointer? { done < count ? record : nil }

        /// Fixed-point luma of both rows, a 16-bit pair in every 32 bits, to eight outputs in 32 bits.
        @inline(always)
        private func sums(_ top: __m256i, _ bottom: __m256i, _ weights: UnsafeRawPointer) -> __m256i {
            let mixed = _mm256_add_epi16(top, _mm256_mulhrs_epi16(_mm256_sub_epi16(bottom, top), weight))
            return _mm256_srai_epi32(_mm256_add_epi32(_mm256_madd_epi16(mixed, load256(weights)), bias), 21)
        }

        /// Writes the next block, from fixed-point luma of both rows, each in two vectors.
        @inline(always)
        mutating func put(_ top: (__m256i, __m256i), _ bottom: (__m256i, __m256i)) {
            let weights = record + ResizeRecord.weights
            let fixedLuma = _mm256_packs_epi32(sums(top.0, bottom.0, weights), sums(top.1, bottom.1, weights + 32))
            storeRounded(fixedLuma, _mm256_set_epi32(7, 6, 3, 2, 5, 4, 1, 0), count &- done, out + done)
            record += ResizeRecord.size
            done &+= 16
        }
    }

    /// Sixteen 16-bit values to bytes, of which the first `count` are stored.
    /// - order: of the 32-bit words of the bytes; each half of the vector holds its bytes twice.
    @inline(always)
    func storeRounded(_ fixedLuma: __m256i, _ order: __m256i, _ count: Int, _ out: UnsafeMutablePointer<UInt8>) {
        let bytes = low(_mm256_permutevar8x32_epi32(_mm256_packus_epi16(fixedLuma, fixedLuma), order))
        if count >= 16 {
            store128(bytes, out)
            return
        }
        var eight = UInt64(bitPattern: _mm_cvtsi128_si64(bytes))
        var i = 0
        while i < count {
            if i == 8 { eight = UInt64(bitPattern: _mm_cvtsi128_si64(_mm_unpackhi_epi64(bytes, bytes))) }
            out[i] = UInt8(truncatingIfNeeded: eight)
            eight = eight &>> 8
            i &+= 1
        }
    }

    /// The offsets of a block's loads from the start of a row.
    private struct Offsets {
        let base: UnsafeRawPointer

        @inline(always)
        init(_ record: UnsafeRawPointer) { base = record + ResizeRecord.offsets }

        @inline(always)
        private func offset(_ i: Int) -> Int { Int(base.load(fromByteOffset: 4 &* i, as: Int32.self)) }

        /// Windows `low` and `high`, one in each half.
        @inline(always)
        func windows(_ row: UnsafeRawPointer, _ low: Int, _ high: Int) -> __m256i {
            _mm256_set_m128i(load128(row + offset(high)), load128(row + offset(low)))
        }

        @inline(always)
        private func word(_ row: UnsafeRawPointer, _ i: Int) -> Int32 {
            (row + offset(i)).loadUnaligned(as: Int32.self)
        }

        /// Four bytes for each of outputs i...i + 3 and i + 8...i + 11.
        @inline(always)
        func words(_ row: UnsafeRawPointer, _ i: Int) -> __m256i {
            _mm256_set_epi32(
                word(row, i &+ 11), word(row, i &+ 10), word(row, i &+ 9), word(row, i &+ 8),
                word(row, i &+ 3), word(row, i &+ 2), word(row, i &+ 1), word(row, i))
        }

        @inline(always)
        private func pair(_ row: UnsafeRawPointer, _ i: Int) -> Int64 {
            (row + offset(i)).loadUnaligned(as: Int64.self)
        }

        /// Two pixels for each of outputs i, i + 1, i + 8 and i + 9.
        @inline(always)
        func pairs(_ row: UnsafeRawPointer, _ i: Int) -> __m256i {
            _mm256_set_epi64x(pair(row, i &+ 9), pair(row, i &+ 8), pair(row, i &+ 1), pair(row, i))
        }
    }

    // MARK: Luma

    /// Bytes to fixed-point luma: 16 bits, 7 of them fraction.
    @inline(always)
    private func fixedLuma(_ bytes: __m256i, _ shuffle: UnsafeRawPointer) -> __m256i {
        _mm256_slli_epi16(_mm256_shuffle_epi8(bytes, load256(shuffle)), 7)
    }

    /// See `ResizeKernels.Luma`.
    @c(gk_resizeluma_avx2) @export(interface) @inline(never)
    package func resizeLumaLine(
        _ top: UnsafePointer<UInt8>, _ bottom: UnsafePointer<UInt8>, _ weight: Int32, _ packed: UnsafeRawPointer,
        _ line: UnsafeMutablePointer<UInt8>
    ) {
        var line = Line(packed, weight, line)
        let (top, bottom) = (UnsafeRawPointer(top), UnsafeRawPointer(bottom))
        switch line.fetch {
        case ResizeFetch.row:
            let (t, b) = (shortRow(top, line.rowBytes), shortRow(bottom, line.rowBytes))
            while let record = line.next {
                let bytes = record + ResizeRecord.bytes
                line.put(
                    (fixedLuma(t, bytes), fixedLuma(t, bytes + 32)), (fixedLuma(b, bytes), fixedLuma(b, bytes + 32)))
            }
        case ResizeFetch.quads: while let record = line.next { line.put(quads(top, record), quads(bottom, record)) }
        case ResizeFetch.twos: while let record = line.next { line.put(twos(top, record), twos(bottom, record)) }
        default: while let record = line.next { line.put(words(top, record), words(bottom, record)) }
        }
    }

    /// A row of fewer than 16 bytes, in both halves.
    @inline(always)
    private func shortRow(_ row: UnsafeRawPointer, _ count: Int) -> __m256i {
        var low: UInt64 = 0
        var high: UInt64 = 0
        var i = 0
        while i < count {
            let byte = UInt64(row.load(fromByteOffset: i, as: UInt8.self)) &<< UInt64(truncatingIfNeeded: 8 &* (i & 7))
            if i < 8 { low |= byte } else { high |= byte }
            i &+= 1
        }
        let (lower, upper) = (Int64(bitPattern: low), Int64(bitPattern: high))
        return _mm256_set_epi64x(upper, lower, upper, lower)
    }

    @inline(always)
    private func quads(_ row: UnsafeRawPointer, _ record: UnsafeRawPointer) -> (__m256i, __m256i) {
        let offsets = Offsets(record)
        let bytes = record + ResizeRecord.bytes
        return (fixedLuma(offsets.windows(row, 0, 2), bytes), fixedLuma(offsets.windows(row, 1, 3), bytes + 32))
    }

    @inline(always)
    private func twos(_ row: UnsafeRawPointer, _ record: UnsafeRawPointer) -> (__m256i, __m256i) {
        let offsets = Offsets(record)
        let bytes = record + ResizeRecord.bytes
        return (
            _mm256_or_si256(
                fixedLuma(offsets.windows(row, 0, 4), bytes), fixedLuma(offsets.windows(row, 1, 5), bytes + 32)),
            _mm256_or_si256(
                fixedLuma(offsets.windows(row, 2, 6), bytes + 64), fixedLuma(offsets.windows(row, 3, 7), bytes + 96))
        )
    }

    @inline(always)
    private func words(_ row: UnsafeRawPointer, _ record: UnsafeRawPointer) -> (__m256i, __m256i) {
        let offsets = Offsets(record)
        let bytes = record + ResizeRecord.bytes
        return (fixedLuma(offsets.words(row, 0), bytes), fixedLuma(offsets.words(row, 4), bytes + 32))
    }

    // MARK: Colour

    struct ColourShares {
        /// In every 32 bits: the shares of the first and third byte; the share of the second byte and 0.
        let outer: __m256i
        let inner: __m256i
        /// Half of the unit of the shift that follows.
        let half: __m256i

        @inline(always)
        init(_ share0: Int32, _ share1: Int32, _ share2: Int32) {
            outer = _mm256_set1_epi32(share2 &<< 16 | share0)
            inner = _mm256_set1_epi32(share1)
            half = _mm256_set1_epi32(64)
        }

        /// Eight pixels to luma in 32 bits, 7 of them fraction.
        @inline(always)
        func fixedLuma(_ pixels: __m256i) -> __m256i {
            let first = _mm256_madd_epi16(_mm256_and_si256(pixels, _mm256_set1_epi16(255)), outer)
            let second = _mm256_madd_epi16(_mm256_srli_epi16(pixels, 8), inner)
            return _mm256_srli_epi32(_mm256_add_epi32(_mm256_add_epi32(first, second), half), 7)
        }

        /// Luma in 16 bits for outputs 0...3 and 8...11, and for 4...7 and 12...15.
        @inline(always)
        func fixedLuma(_ row: UnsafeRawPointer, _ record: UnsafeRawPointer) -> (__m256i, __m256i) {
            let offsets = Offsets(record)
            return (
                _mm256_packs_epi32(fixedLuma(offsets.pairs(row, 0)), fixedLuma(offsets.pairs(row, 2))),
                _mm256_packs_epi32(fixedLuma(offsets.pairs(row, 4)), fixedLuma(offsets.pairs(row, 6)))
            )
        }

        /// The same for a row of one pixel.
        @inline(always)
        func fixedLuma(_ row: UnsafeRawPointer) -> (__m256i, __m256i) {
            let code = fixedLuma(_mm256_set1_epi32(row.loadUnaligned(as: Int32.self)))
            let all = _mm256_packs_epi32(code, code)
            return (all, all)
        }
    }

    /// See `ResizeKernels.Colour`.
    @c(gk_resizecolour_avx2) @export(interface) @inline(never)
    package func resizeColourLine(
        _ top: UnsafePointer<UInt8>, _ bottom: UnsafePointer<UInt8>, _ weight: Int32,
        _ share0: Int32, _ share1: Int32, _ share2: Int32, _ packed: UnsafeRawPointer,
        _ line: UnsafeMutablePointer<UInt8>
    ) {
        var line = Line(packed, weight, line)
        let shares = ColourShares(share0, share1, share2)
        let (top, bottom) = (UnsafeRawPointer(top), UnsafeRawPointer(bottom))
        if line.fetch == ResizeFetch.row {
            let (t, b) = (shares.fixedLuma(top), shares.fixedLuma(bottom))
            while line.next != nil { line.put(t, b) }
        } else {
            while let record = line.next { line.put(shares.fixedLuma(top, record), shares.fixedLuma(bottom, record)) }
        }
    }
#endif
