#if arch(x86_64)
    package import KernelInterface
    import KernelsX86
    import _Builtin_intrinsics.intel

    // Packed pixels: a vector holds one pixel as four channels of four bytes: top and bottom of the left column, top and
    // bottom of the right one. Two products (bytes with the shares of the rows, words with the shares of the columns)
    // give its four exact sums. Four pixels are stored at a time.
    //
    // Planes: a vector holds eight pixels, one a lane. Offsets are computed eight at a time, and each of the four loads
    // of a pixel (two rows of luma, two of chroma) reads both columns. The columns are mixed first: a product of bytes
    // with their shares. Scalar loads fill the vectors: a gather instruction takes twice as long on Zen 4, and more on
    // CPUs that guard theirs.
    //
    // Two neighbouring columns, or rows, often have one chroma sample. Then the share of the second is 0, and what is
    // read for it has no influence.
    //
    // This is done if all pixels lie inside the limits, with columns and rows to spare for the loads. Otherwise each of
    // the four stored pixels of an output is clamped to the limits separately.

    extension AVX2Tier {
        @export(interface) @inline(never)
        package static func cropKernels() -> CropKernels {
            CropKernels(packed: cropPackedLine, planar: cropPlanarLine)
        }
    }

    /// Mixes four channels of [top left, bottom left, top right, bottom right] into four 32-bit sums.
    @inline(__always)
    private func mix(_ bytes: __m128i, _ x: Int32, _ y: Int32) -> __m128i {
        let (across, down) = (x &>> 11 & 31, y &>> 11 & 31)
        // Bytes 32 - down and down; words 32 - across and across.
        let rows = _mm_set1_epi16(Int16(truncatingIfNeeded: 32 &+ down &* 255))
        let columns = _mm_set1_epi32(32 &+ across &* 65_535)
        return _mm_madd_epi16(_mm_maddubs_epi16(bytes, rows), columns)
    }

    /// Puts four pixels of four bytes in the order that `mix` reads.
    @inline(__always)
    private func gather(_ topLeft: UInt32, _ topRight: UInt32, _ bottomLeft: UInt32, _ bottomRight: UInt32) -> __m128i {
        @inline(__always) func vector(_ pixel: UInt32) -> __m128i { _mm_cvtsi32_si128(Int32(bitPattern: pixel)) }
        return _mm_unpacklo_epi16(
            _mm_unpacklo_epi8(vector(topLeft), vector(bottomLeft)),
            _mm_unpacklo_epi8(vector(topRight), vector(bottomRight)))
    }

    /// Stores the first `count` of four pixels; their bytes are the low twelve of `first` and `second`.
    @inline(__always)
    private func store(_ first: UInt64, _ second: UInt32, _ count: Int, _ rgb: UnsafeMutablePointer<UInt8>) {
        if count >= 4 {
            UnsafeMutableRawPointer(rgb).storeBytes(of: first, as: UInt64.self)
            UnsafeMutableRawPointer(rgb + 8).storeBytes(of: second, as: UInt32.self)
            return
        }
        var i = 0
        while i < 3 &* count {
            rgb[i] = UInt8(truncatingIfNeeded: i < 8 ? first &>> UInt64(8 &* i) : UInt64(second))
            i &+= 1
        }
    }

    /// See `CropKernels.Packed`.
    @c(gk_croppacked_avx2) @export(interface) @inline(never)
    package func cropPackedLine(
        _ pixels: UnsafePointer<UInt8>, _ bytesPerRow: Int, _ limits: UnsafePointer<Int32>, _ red: Int, _ x: Int32,
        _ y: Int32, _ stepX: Int32, _ stepY: Int32, _ count: Int, _ rgb: UnsafeMutablePointer<UInt8>
    ) {
        let limits = CropLimits(limits)
        let pixels = UnsafeRawPointer(pixels)
        // Shuffles: `pairs` puts top and bottom bytes side by side, `order` picks red, green and blue of four pixels.
        let pairs = _mm_set_epi8(15, 14, 7, 6, 13, 12, 5, 4, 11, 10, 3, 2, 9, 8, 1, 0)
        let order =
            red == 0
            ? _mm_set_epi8(-1, -1, -1, -1, 14, 13, 12, 10, 9, 8, 6, 5, 4, 2, 1, 0)
            : _mm_set_epi8(-1, -1, -1, -1, 12, 13, 14, 8, 9, 10, 4, 5, 6, 0, 1, 2)
        let half = _mm_set1_epi32(512)

        @inline(__always)
        func near(_ x: Int32, _ y: Int32) -> __m128i {
            let top = pixels + (Int(y &>> 16) &* bytesPerRow &+ Int(x &>> 16) &* 4)
            let bytes = _mm_unpacklo_epi8(
                _mm_cvtsi64_si128(top.loadUnaligned(as: Int64.self)),
                _mm_cvtsi64_si128((top + bytesPerRow).loadUnaligned(as: Int64.self)))
            return mix(_mm_shuffle_epi8(bytes, pairs), x, y)
        }

        @inline(__always)
        func anywhere(_ x: Int32, _ y: Int32) -> __m128i {
            let (column, row) = (Int(x &>> 16), Int(y &>> 16))
            let (left, right) = (limits.column(column) &* 4, limits.column(column &+ 1) &* 4)
            let top = pixels + limits.row(row) &* bytesPerRow
            let bottom = pixels + limits.row(row &+ 1) &* bytesPerRow
            let bytes = gather(
                (top + left).loadUnaligned(as: UInt32.self), (top + right).loadUnaligned(as: UInt32.self),
                (bottom + left).loadUnaligned(as: UInt32.self), (bottom + right).loadUnaligned(as: UInt32.self))
            return mix(bytes, x, y)
        }

        @inline(__always)
        func rounded(_ one: __m128i, _ other: __m128i) -> __m128i {
            _mm_packs_epi32(
                _mm_srai_epi32(_mm_add_epi32(one, half), 10), _mm_srai_epi32(_mm_add_epi32(other, half), 10))
        }

        var x0 = x &+ 1024
        var y0 = y &+ 1024
        var done = 0
        while done < count {
            let (x1, y1) = (x0 &+ stepX, y0 &+ stepY)
            let (x2, y2) = (x1 &+ stepX, y1 &+ stepY)
            let (x3, y3) = (x2 &+ stepX, y2 &+ stepY)
            let words: (__m128i, __m128i)
            if done &+ 4 <= count && limits.contain(x0, y0, rows: 1, columns: 2, limits.right)
                && limits.contain(x3, y3, rows: 1, columns: 2, limits.right)
            {
                words = (rounded(near(x0, y0), near(x1, y1)), rounded(near(x2, y2), near(x3, y3)))
            } else {
                words = (rounded(anywhere(x0, y0), anywhere(x1, y1)), rounded(anywhere(x2, y2), anywhere(x3, y3)))
            }
            let bytes = _mm_shuffle_epi8(_mm_packus_epi16(words.0, words.1), order)
            let last = _mm_cvtsi128_si32(_mm_unpackhi_epi64(bytes, bytes))
            store(
                UInt64(bitPattern: _mm_cvtsi128_si64(bytes)), UInt32(bitPattern: last), count &- done, rgb + 3 &* done
            )
            x0 = x3 &+ stepX
            y0 = y3 &+ stepY
            done &+= 4
        }
    }

    /// How a frame stores chroma.
    private enum Chroma {
        /// Blue and red side by side, two bytes a sample: NV12 and NV21.
        case interleaved
        /// Blue and red in planes of their own, a byte a sample: I420.
        case planes
        /// Between the luma, four bytes a sample: YUYV.
        case packed
        /// One sample for all pixels: gray frames.
        case single
        case other

        @inline(__always)
        init(_ lumaStep: Int, _ chromaStep: Int, _ blue: UnsafeRawPointer, _ red: UnsafeRawPointer) {
            switch (lumaStep, chromaStep) {
            case (1, 0): self = .single
            case (1, 1): self = .planes
            case (1, 2) where red == blue + 1 || blue == red + 1: self = .interleaved
            case (2, 4) where red == blue + 2: self = .packed
            default: self = .other
            }
        }
    }

    /// Eight 32-bit words at any offsets from an address.
    @inline(__always)
    private func gather(_ base: UnsafeRawPointer, _ offsets: __m256i) -> __m256i {
        // Two offsets leave the vector at a time.
        let lanes = unsafeBitCast(offsets, to: SIMD4<UInt64>.self)
        @inline(__always) func word(_ lane: Int) -> __m128i {
            let pair = lanes[lane / 2]
            let offset = lane % 2 == 0 ? pair & 0xFFFF_FFFF : pair &>> 32
            return _mm_cvtsi32_si128((base + Int(truncatingIfNeeded: offset)).loadUnaligned(as: Int32.self))
        }
        @inline(__always) func four(_ lane: Int) -> __m128i {
            _mm_unpacklo_epi64(
                _mm_unpacklo_epi32(word(lane), word(lane &+ 1)), _mm_unpacklo_epi32(word(lane &+ 2), word(lane &+ 3)))
        }
        return _mm256_set_m128i(four(4), four(0))
    }

    /// The low words of both.
    @inline(__always)
    private func lowPairs(_ first: __m256i, _ second: __m256i) -> __m256i {
        _mm256_or_si256(_mm256_and_si256(first, _mm256_set1_epi32(0xFFFF)), _mm256_slli_epi32(second, 16))
    }

    /// The high words of both.
    @inline(__always)
    private func highPairs(_ first: __m256i, _ second: __m256i) -> __m256i {
        _mm256_or_si256(_mm256_srli_epi32(first, 16), _mm256_andnot_si256(_mm256_set1_epi32(0xFFFF), second))
    }

    /// Bytes 32 - share and share of each lane, twice.
    @inline(__always)
    private func byteShares(_ share: __m256i) -> __m256i {
        let pair = _mm256_sub_epi32(_mm256_slli_epi32(share, 8), share)
        return _mm256_add_epi16(_mm256_or_si256(pair, _mm256_slli_epi32(pair, 16)), _mm256_set1_epi16(32))
    }

    /// Words 32 - share and share of each lane.
    @inline(__always)
    private func wordShares(_ share: __m256i) -> __m256i {
        _mm256_add_epi32(_mm256_sub_epi32(_mm256_slli_epi32(share, 16), share), _mm256_set1_epi32(32))
    }

    /// Two words in every lane.
    @inline(__always)
    private func factors(_ first: Int16, _ second: Int16) -> __m256i {
        _mm256_set1_epi32(Int32(second) &<< 16 | Int32(UInt16(bitPattern: first)))
    }

    /// A shuffle of the four bytes of every lane; -1 gives 0.
    @inline(__always)
    private func shuffle(_ b0: Int8, _ b1: Int8, _ b2: Int8, _ b3: Int8) -> __m256i {
        @inline(__always) func at(_ byte: Int8, _ lane: Int8) -> Int8 { byte < 0 ? -1 : byte &+ 4 &* lane }
        let half = _mm_set_epi8(
            at(b3, 3), at(b2, 3), at(b1, 3), at(b0, 3), at(b3, 2), at(b2, 2), at(b1, 2), at(b0, 2), at(b3, 1),
            at(b2, 1),
            at(b1, 1), at(b0, 1), b3, b2, b1, b0)
        return _mm256_set_m128i(half, half)
    }

    @inline(__always)
    private func clamped(_ value: Int32) -> UInt8 {
        UInt8(truncatingIfNeeded: value < 0 ? 0 : value > 255 ? 255 : value)
    }

    /// A frame in planes, as `CropKernels.Planar` is given it.
    private struct PlanarFrame {
        let luma: UnsafeRawPointer
        let bytesPerRow, lumaStep: Int
        let blue, red: UnsafeRawPointer
        let chromaBytesPerRow, chromaStep, rowShift: Int
        let matrix: UnsafePointer<Int32>
        let limits: CropLimits

        /// Stores one pixel; each of the four that it is mixed from is clamped to the limits.
        @inline(__always)
        func storeOne(_ x: Int32, _ y: Int32, _ out: UnsafeMutablePointer<UInt8>) {
            let (column, row) = (Int(x &>> 16), Int(y &>> 16))
            let (left, right) = (limits.column(column), limits.column(column &+ 1))
            let (top, bottom) = (limits.row(row), limits.row(row &+ 1))
            let sums = mix(gather(pixel(left, top), pixel(right, top), pixel(left, bottom), pixel(right, bottom)), x, y)
            let luminance = (_mm_cvtsi128_si32(sums) &>> 3 &- matrix[5]) &* matrix[0] &+ 524_288
            let blue = Int32(truncatingIfNeeded: _mm_cvtsi128_si64(sums) &>> 32) &>> 3 &- 16_384
            let red = _mm_cvtsi128_si32(_mm_unpackhi_epi64(sums, sums)) &>> 3 &- 16_384
            out[0] = clamped((luminance &+ red &* matrix[1]) &>> 20)
            out[1] = clamped((luminance &- blue &* matrix[2] &- red &* matrix[3]) &>> 20)
            out[2] = clamped((luminance &+ blue &* matrix[4]) &>> 20)
        }

        /// Luma, blue and red of a stored pixel.
        @inline(__always)
        private func pixel(_ column: Int, _ row: Int) -> UInt32 {
            let last = Int(matrix[6])
            let sample = column &>> 1 < last ? column &>> 1 : last
            let chroma = (row &>> rowShift) &* chromaBytesPerRow &+ sample &* chromaStep
            return UInt32((luma + (row &* bytesPerRow &+ column &* lumaStep)).load(as: UInt8.self))
                | UInt32((blue + chroma).load(as: UInt8.self)) &<< 8
                | UInt32((red + chroma).load(as: UInt8.self)) &<< 16
        }
    }

    /// Makes rgb of red, green and blue of eight pixels, a lane each.
    private struct ColorVectors {
        private let red, blue, green, greenRed, black: __m256i
        private let order = _mm256_set_epi8(
            -1, -1, -1, -1, 11, 7, 3, 10, 6, 2, 9, 5, 1, 8, 4, 0, -1, -1, -1, -1, 11, 7, 3, 10, 6, 2, 9, 5, 1, 8, 4, 0)

        @inline(__always)
        init(_ matrix: UnsafePointer<Int32>) {
            let level = Int16(truncatingIfNeeded: matrix[0])
            let (m1, m2) = (Int16(truncatingIfNeeded: matrix[1]), Int16(truncatingIfNeeded: matrix[2]))
            let (m3, m4) = (Int16(truncatingIfNeeded: matrix[3]), Int16(truncatingIfNeeded: matrix[4]))
            (red, blue) = (factors(level, m1), factors(level, m4))
            (green, greenRed) = (factors(level, 0 &- m2), factors(0 &- m3, 0))
            black = _mm256_set1_epi32(matrix[5])
        }

        /// Twelve bytes in each half, in the order of the pixels, from sums of four pixels' luma and chroma.
        @inline(__always)
        func bytes(_ levels: __m256i, _ blues: __m256i, _ reds: __m256i) -> __m256i {
            let middle = _mm256_set1_epi32(16_384)
            let luminance = _mm256_sub_epi32(_mm256_srai_epi32(levels, 3), black)
            let blues = _mm256_sub_epi32(_mm256_srai_epi32(blues, 3), middle)
            let reds = _mm256_sub_epi32(_mm256_srai_epi32(reds, 3), middle)
            let (withBlue, withRed) = (lowPairs(luminance, blues), lowPairs(luminance, reds))

            let half = _mm256_set1_epi32(524_288)
            @inline(__always)
            func rounded(_ sum: __m256i) -> __m256i { _mm256_srai_epi32(_mm256_add_epi32(sum, half), 20) }
            let red = rounded(_mm256_madd_epi16(withRed, self.red))
            let green = rounded(
                _mm256_add_epi32(_mm256_madd_epi16(withBlue, self.green), _mm256_madd_epi16(reds, greenRed)))
            let blue = rounded(_mm256_madd_epi16(withBlue, self.blue))
            return _mm256_shuffle_epi8(
                _mm256_packus_epi16(_mm256_packs_epi32(red, green), _mm256_packs_epi32(blue, blue)), order)
        }
    }

    /// Computes eight pixels of a line at a time, all of them within the limits, a lane each.
    private struct PlanarVectors {
        private let frame: PlanarFrame
        private let colors: ColorVectors
        private let rampX, rampY, rowBytes, chromaRowBytes: __m256i
        /// All ones where neighbouring rows have chroma of their own.
        private let isOwn: __m256i
        private let rowHalving: __m128i
        /// Puts the bytes of two samples of NV12 or NV21 in the order blue, blue, red, red.
        private let interleaved: __m256i
        private let interleavedBytes: UnsafeRawPointer
        /// The same for the first and the second sample of YUYV.
        private let packedFirst = shuffle(1, -1, 3, -1)
        private let packedSecond = shuffle(-1, 1, -1, 3)
        private let packedLuma = shuffle(0, 2, -1, -1)

        @inline(__always)
        init(_ frame: PlanarFrame, stepX: Int32, stepY: Int32) {
            self.frame = frame
            colors = ColorVectors(frame.matrix)
            let ramp = _mm256_set_epi32(7, 6, 5, 4, 3, 2, 1, 0)
            rampX = _mm256_mullo_epi32(_mm256_set1_epi32(stepX), ramp)
            rampY = _mm256_mullo_epi32(_mm256_set1_epi32(stepY), ramp)
            rowBytes = _mm256_set1_epi32(Int32(truncatingIfNeeded: frame.bytesPerRow))
            chromaRowBytes = _mm256_set1_epi32(Int32(truncatingIfNeeded: frame.chromaBytesPerRow))
            isOwn = _mm256_set1_epi32(frame.rowShift == 0 ? -1 : 0)
            rowHalving = _mm_cvtsi32_si128(Int32(truncatingIfNeeded: frame.rowShift))
            let isBlueFirst = frame.blue < frame.red
            interleaved = isBlueFirst ? shuffle(0, 2, 1, 3) : shuffle(1, 3, 0, 2)
            interleavedBytes = isBlueFirst ? frame.blue : frame.red
        }

        /// Stores eight pixels, the first at (x, y).
        @inline(__always)
        func store(_ chroma: Chroma, _ x: Int32, _ y: Int32, _ out: UnsafeMutableRawPointer) {
            let (xs, ys) = (
                _mm256_add_epi32(_mm256_set1_epi32(x), rampX), _mm256_add_epi32(_mm256_set1_epi32(y), rampY)
            )
            let (columns, rows) = (_mm256_srai_epi32(xs, 16), _mm256_srai_epi32(ys, 16))
            let thirtyOne = _mm256_set1_epi32(31)
            let across = _mm256_and_si256(_mm256_srli_epi32(xs, 11), thirtyOne)
            let down = _mm256_and_si256(_mm256_srli_epi32(ys, 11), thirtyOne)

            let levels = lumaSums(chroma, columns, rows, across, down)
            let (blues, reds) = chromaSums(chroma, columns, rows, across, down)
            let bytes = colors.bytes(levels, blues, reds)
            // The four bytes after the first twelve are overwritten by the second.
            store128(low(bytes), out)
            out.storeBytes(of: _mm_cvtsi128_si64(high(bytes)), toByteOffset: 12, as: Int64.self)
            out.storeBytes(
                of: _mm_cvtsi128_si32(_mm_unpackhi_epi64(high(bytes), high(bytes))), toByteOffset: 20, as: Int32.self)
        }

        /// Sums of four pixels' luma, weighted by the shares of the columns and rows.
        @inline(__always)
        private func lumaSums(
            _ chroma: Chroma, _ columns: __m256i, _ rows: __m256i, _ across: __m256i, _ down: __m256i
        ) -> __m256i {
            let places = _mm256_add_epi32(
                _mm256_mullo_epi32(rows, rowBytes), chroma == .packed ? _mm256_slli_epi32(columns, 1) : columns)
            var (top, bottom) = (gather(frame.luma, places), gather(frame.luma + frame.bytesPerRow, places))
            if chroma == .packed {
                (top, bottom) = (_mm256_shuffle_epi8(top, packedLuma), _mm256_shuffle_epi8(bottom, packedLuma))
            }
            return _mm256_madd_epi16(
                _mm256_maddubs_epi16(lowPairs(top, bottom), byteShares(across)), wordShares(down))
        }

        /// The same of their chroma.
        @inline(__always)
        private func chromaSums(
            _ chroma: Chroma, _ columns: __m256i, _ rows: __m256i, _ across: __m256i, _ down: __m256i
        ) -> (blues: __m256i, reds: __m256i) {
            if chroma == .single {
                return (
                    _mm256_set1_epi32(Int32(frame.blue.load(as: UInt8.self)) &* 1024),
                    _mm256_set1_epi32(Int32(frame.red.load(as: UInt8.self)) &* 1024)
                )
            }
            let halves = _mm256_srli_epi32(columns, 1)
            let offsets = _mm256_add_epi32(
                _mm256_mullo_epi32(_mm256_srl_epi32(rows, rowHalving), chromaRowBytes),
                chroma == .planes ? halves : _mm256_slli_epi32(halves, chroma == .packed ? 2 : 1))
            // Only an odd column's right neighbour has another sample, and so with rows.
            let one = _mm256_set1_epi32(1)
            let isOddColumn = _mm256_cmpeq_epi32(_mm256_and_si256(columns, one), one)
            let isOddRow = _mm256_or_si256(_mm256_cmpeq_epi32(_mm256_and_si256(rows, one), one), isOwn)
            let shares = byteShares(_mm256_and_si256(across, isOddColumn))
            let above = _mm256_maddubs_epi16(samples(chroma, offsets, 0), shares)
            let below = _mm256_maddubs_epi16(samples(chroma, offsets, frame.chromaBytesPerRow), shares)
            let rowShares = wordShares(_mm256_and_si256(down, isOddRow))
            return (
                _mm256_madd_epi16(lowPairs(above, below), rowShares),
                _mm256_madd_epi16(highPairs(above, below), rowShares)
            )
        }

        /// The bytes of both columns' chroma in one row: blue, blue, red, red.
        @inline(__always)
        private func samples(_ chroma: Chroma, _ offsets: __m256i, _ row: Int) -> __m256i {
            switch chroma {
            case .planes: lowPairs(gather(frame.blue + row, offsets), gather(frame.red + row, offsets))
            case .packed:
                _mm256_or_si256(
                    _mm256_shuffle_epi8(gather(frame.blue + (row &- 1), offsets), packedFirst),
                    _mm256_shuffle_epi8(gather(frame.blue + (row &+ 3), offsets), packedSecond))
            case .interleaved, .single, .other:
                _mm256_shuffle_epi8(gather(interleavedBytes + row, offsets), interleaved)
            }
        }
    }

    /// See `CropKernels.Planar`.
    @c(gk_cropplanar_avx2) @export(interface) @inline(never)
    package func cropPlanarLine(
        _ luma: UnsafePointer<UInt8>, _ bytesPerRow: Int, _ lumaStep: Int, _ blue: UnsafePointer<UInt8>,
        _ red: UnsafePointer<UInt8>, _ chromaBytesPerRow: Int, _ chromaStep: Int, _ rowShift: Int,
        _ matrix: UnsafePointer<Int32>, _ limits: UnsafePointer<Int32>, _ x: Int32, _ y: Int32, _ stepX: Int32,
        _ stepY: Int32, _ count: Int, _ rgb: UnsafeMutablePointer<UInt8>
    ) {
        let limits = CropLimits(limits)
        let frame = PlanarFrame(
            luma: UnsafeRawPointer(luma), bytesPerRow: bytesPerRow, lumaStep: lumaStep, blue: UnsafeRawPointer(blue),
            red: UnsafeRawPointer(red), chromaBytesPerRow: chromaBytesPerRow, chromaStep: chromaStep,
            rowShift: rowShift, matrix: matrix, limits: limits)
        let vectors = PlanarVectors(frame, stepX: stepX, stepY: stepY)
        let chroma = Chroma(lumaStep, chromaStep, frame.blue, frame.red)
        // The last column that has its own chroma sample.
        let last = 2 &* Int(matrix[6]) &+ 1
        let paired = chroma == .single || limits.right < last ? limits.right : last
        // What the loads of a pixel read besides it.
        let spareRows = 1 &+ rowShift
        let spareColumns = chroma == .planes ? 6 : 3
        // Offsets have 32 bits.
        let isWithinReach =
            (limits.bottom &+ 2) &* bytesPerRow < 1 &<< 31
            && (limits.bottom &+ 2) &* chromaBytesPerRow < 1 &<< 31

        /// The row of a frame whose chroma is known where this is inlined, so that each layout has a loop of its own.
        @inline(always)
        func row(_ chroma: Chroma) {
            var (x0, y0) = (x &+ 1024, y &+ 1024)
            var done = 0
            while done < count {
                let (x7, y7) = (x0 &+ 7 &* stepX, y0 &+ 7 &* stepY)
                let out = rgb + 3 &* done
                if chroma != .other && done &+ 8 <= count
                    && limits.contain(x0, y0, rows: spareRows, columns: spareColumns, paired)
                    && limits.contain(x7, y7, rows: spareRows, columns: spareColumns, paired)
                {
                    vectors.store(chroma, x0, y0, UnsafeMutableRawPointer(out))
                    (x0, y0) = (x7 &+ stepX, y7 &+ stepY)
                    done &+= 8
                } else {
                    frame.storeOne(x0, y0, out)
                    (x0, y0) = (x0 &+ stepX, y0 &+ stepY)
                    done &+= 1
                }
            }
        }
        switch isWithinReach ? chroma : .other {
        case .interleaved: row(.interleaved)
        case .planes: row(.planes)
        case .packed: row(.packed)
        case .single: row(.single)
        case .other: row(.other)
        }
    }
#endif
