#if arch(x86_64)
    package import KernelInterface
    import _Builtin_intrinsics.intel

    // A vector holds one pixel as four channels of four bytes: top and bottom of the left column, top and bottom of the
    // right one. Two products (bytes with the shares of the rows, words with the shares of the columns) give its four
    // exact sums. Four pixels are stored at a time.
    //
    // If all four pixels lie inside the limits, with a column to spare, whole pairs of pixels are read; otherwise each
    // of the four stored pixels of an output is clamped to the limits separately.

    extension AVX2Tier {
        @export(interface) @inline(never)
        package static func cropKernels() -> CropKernels {
            CropKernels(packed: cropPackedLine, planar: cropPlanarLine)
        }
    }

    /// First and last column and row.
    private struct Limits {
        let left: Int
        let top: Int
        let right: Int
        let bottom: Int

        @inline(__always)
        init(_ limits: UnsafePointer<Int32>) {
            left = Int(limits[0])
            top = Int(limits[1])
            right = Int(limits[2])
            bottom = Int(limits[3])
        }

        @inline(__always)
        private func held(_ place: Int, _ first: Int, _ last: Int) -> Int {
            let low = place < first ? first : place
            return low > last ? last : low
        }

        @inline(__always)
        func column(_ place: Int) -> Int { held(place, left, right) }

        @inline(__always)
        func row(_ place: Int) -> Int { held(place, top, bottom) }

        /// Whether a position, the row below it and the two columns after it, up to `last`, are within the limits.
        @inline(__always)
        func hold(_ x: Int32, _ y: Int32, _ last: Int) -> Bool {
            let (column, row) = (Int(x &>> 16), Int(y &>> 16))
            return column >= left && column &+ 2 <= last && row >= top && row &+ 1 <= bottom
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
    private func store(_ first: UInt64, _ second: UInt32, _ count: Int, _ codes: UnsafeMutablePointer<UInt8>) {
        if count >= 4 {
            UnsafeMutableRawPointer(codes).storeBytes(of: first, as: UInt64.self)
            UnsafeMutableRawPointer(codes + 8).storeBytes(of: second, as: UInt32.self)
            return
        }
        var i = 0
        while i < 3 &* count {
            codes[i] = UInt8(truncatingIfNeeded: i < 8 ? first &>> UInt64(8 &* i) : UInt64(second))
            i &+= 1
        }
    }

    /// See `CropKernels.Packed`.
    @c(gk_croppacked_avx2) @export(interface) @inline(never)
    package func cropPackedLine(
        _ pixels: UnsafePointer<UInt8>, _ bytesPerRow: Int, _ limits: UnsafePointer<Int32>, _ red: Int, _ x: Int32,
        _ y: Int32, _ stepX: Int32, _ stepY: Int32, _ count: Int, _ codes: UnsafeMutablePointer<UInt8>
    ) {
        let limits = Limits(limits)
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
            if done &+ 4 <= count && limits.hold(x0, y0, limits.right) && limits.hold(x3, y3, limits.right) {
                words = (rounded(near(x0, y0), near(x1, y1)), rounded(near(x2, y2), near(x3, y3)))
            } else {
                words = (rounded(anywhere(x0, y0), anywhere(x1, y1)), rounded(anywhere(x2, y2), anywhere(x3, y3)))
            }
            let bytes = _mm_shuffle_epi8(_mm_packus_epi16(words.0, words.1), order)
            let last = _mm_cvtsi128_si32(_mm_unpackhi_epi64(bytes, bytes))
            store(
                UInt64(bitPattern: _mm_cvtsi128_si64(bytes)), UInt32(bitPattern: last), count &- done, codes + 3 &* done
            )
            x0 = x3 &+ stepX
            y0 = y3 &+ stepY
            done &+= 4
        }
    }

    /// See `CropKernels.Planar`.
    @c(gk_cropplanar_avx2) @export(interface) @inline(never)
    package func cropPlanarLine(
        _ luma: UnsafePointer<UInt8>, _ bytesPerRow: Int, _ lumaStep: Int, _ blue: UnsafePointer<UInt8>,
        _ red: UnsafePointer<UInt8>, _ chromaBytesPerRow: Int, _ chromaStep: Int, _ rowShift: Int,
        _ matrix: UnsafePointer<Int32>, _ limits: UnsafePointer<Int32>, _ x: Int32, _ y: Int32, _ stepX: Int32,
        _ stepY: Int32, _ count: Int, _ codes: UnsafeMutablePointer<UInt8>
    ) {
        let limits = Limits(limits)
        let luma = UnsafeRawPointer(luma)
        let (blueBytes, redBytes) = (UnsafeRawPointer(blue), UnsafeRawPointer(red))
        let last = Int(matrix[6])
        // Whether the chroma of two neighbouring samples is four consecutive bytes.
        let isInterleaved = lumaStep == 1 && chromaStep == 2 && redBytes == blueBytes + 1
        // The last column that has its own chroma sample.
        let paired = limits.right < 2 &* last &+ 1 ? limits.right : 2 &* last &+ 1

        // Shuffles of two rows of chroma, four bytes each, and two of luma, two bytes each, to channels. `odd` is added
        // at an odd column, whose right neighbour has another chroma sample.
        let even = _mm_set_epi8(-1, -1, -1, -1, 5, 1, 5, 1, 4, 0, 4, 0, 11, 9, 10, 8)
        let odd = _mm_set_epi8(0, 0, 0, 0, 2, 2, 0, 0, 2, 2, 0, 0, 0, 0, 0, 0)

        let level = Int16(truncatingIfNeeded: matrix[0])
        let (m1, m2) = (Int16(truncatingIfNeeded: matrix[1]), Int16(truncatingIfNeeded: matrix[2]))
        let (m3, m4) = (Int16(truncatingIfNeeded: matrix[3]), Int16(truncatingIfNeeded: matrix[4]))
        let black = Int16(truncatingIfNeeded: matrix[5])
        let middle = _mm256_set1_epi64x(
            Int64(truncatingIfNeeded: UInt64(UInt16(bitPattern: black)) | 16_384 &<< 16 | 16_384 &<< 32))

        /// The same four factors for the four words of every pixel.
        @inline(__always)
        func factors(_ luma: Int16, _ blue: Int16, _ red: Int16) -> __m256i {
            _mm256_set1_epi64x(
                Int64(
                    bitPattern: UInt64(UInt16(bitPattern: luma)) | UInt64(UInt16(bitPattern: blue)) &<< 16
                        | UInt64(UInt16(bitPattern: red)) &<< 32))
        }
        let (redFactors, blueFactors) = (factors(level, 0, m1), factors(level, m4, 0))
        let greenFactors = factors(level, 0 &- m2, 0 &- m3)
        let half = _mm256_set1_epi32(524_288)
        let order = _mm256_set_epi8(
            -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, 5, 3, 1, 4, 2, 0, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, 5, 3, 1,
            4, 2, 0)

        @inline(__always)
        func near(_ x: Int32, _ y: Int32) -> __m128i {
            let (column, row) = (Int(x &>> 16), Int(y &>> 16))
            let top = luma + (row &* bytesPerRow &+ column)
            let chroma = blueBytes + (column &>> 1) &* 2
            let rows = (
                chroma + (row &>> rowShift) &* chromaBytesPerRow,
                chroma + ((row &+ 1) &>> rowShift) &* chromaBytesPerRow
            )
            let colors =
                UInt64(rows.0.loadUnaligned(as: UInt32.self)) | UInt64(rows.1.loadUnaligned(as: UInt32.self)) &<< 32
            let levels =
                UInt32(top.loadUnaligned(as: UInt16.self))
                | UInt32((top + bytesPerRow).loadUnaligned(as: UInt16.self)) &<< 16
            let bytes = _mm_unpacklo_epi64(
                _mm_cvtsi64_si128(Int64(bitPattern: colors)), _mm_cvtsi32_si128(Int32(bitPattern: levels)))
            let isOdd = _mm_set1_epi32(0 &- Int32(truncatingIfNeeded: column & 1))
            return mix(_mm_shuffle_epi8(bytes, _mm_add_epi8(even, _mm_and_si128(odd, isOdd))), x, y)
        }

        @inline(__always)
        func anywhere(_ x: Int32, _ y: Int32) -> __m128i {
            let (column, row) = (Int(x &>> 16), Int(y &>> 16))
            let (left, right) = (limits.column(column), limits.column(column &+ 1))
            let (top, bottom) = (limits.row(row), limits.row(row &+ 1))

            @inline(__always)
            func pixel(_ column: Int, _ row: Int) -> UInt32 {
                let sample = column &>> 1 < last ? column &>> 1 : last
                let chroma = (row &>> rowShift) &* chromaBytesPerRow &+ sample &* chromaStep
                return UInt32((luma + (row &* bytesPerRow &+ column &* lumaStep)).load(as: UInt8.self))
                    | UInt32((blueBytes + chroma).load(as: UInt8.self)) &<< 8
                    | UInt32((redBytes + chroma).load(as: UInt8.self)) &<< 16
            }
            return mix(gather(pixel(left, top), pixel(right, top), pixel(left, bottom), pixel(right, bottom)), x, y)
        }

        /// Two pixels' sums with seven fraction bits.
        @inline(__always)
        func words(_ one: __m128i, _ other: __m128i) -> __m128i {
            _mm_packs_epi32(_mm_srai_epi32(one, 3), _mm_srai_epi32(other, 3))
        }

        var x0 = x &+ 1024
        var y0 = y &+ 1024
        var done = 0
        while done < count {
            let (x1, y1) = (x0 &+ stepX, y0 &+ stepY)
            let (x2, y2) = (x1 &+ stepX, y1 &+ stepY)
            let (x3, y3) = (x2 &+ stepX, y2 &+ stepY)
            let sums: (__m128i, __m128i)
            if isInterleaved && done &+ 4 <= count && limits.hold(x0, y0, paired) && limits.hold(x3, y3, paired) {
                sums = (words(near(x0, y0), near(x1, y1)), words(near(x2, y2), near(x3, y3)))
            } else {
                sums = (words(anywhere(x0, y0), anywhere(x1, y1)), words(anywhere(x2, y2), anywhere(x3, y3)))
            }
            let four = _mm256_sub_epi16(_mm256_set_m128i(sums.1, sums.0), middle)
            // Two pixels' red and green, and blue twice, in each half.
            let redGreen = _mm256_hadd_epi32(
                _mm256_madd_epi16(four, redFactors), _mm256_madd_epi16(four, greenFactors))
            let blues = _mm256_madd_epi16(four, blueFactors)
            let blue = _mm256_hadd_epi32(blues, blues)
            let codeWords = _mm256_packs_epi32(
                _mm256_srai_epi32(_mm256_add_epi32(redGreen, half), 20),
                _mm256_srai_epi32(_mm256_add_epi32(blue, half), 20))
            let bytes = _mm256_shuffle_epi8(_mm256_packus_epi16(codeWords, codeWords), order)
            let first = UInt64(bitPattern: _mm_cvtsi128_si64(low(bytes)))
            let second = UInt64(bitPattern: _mm_cvtsi128_si64(high(bytes)))
            store(first | second &<< 48, UInt32(truncatingIfNeeded: second &>> 16), count &- done, codes + 3 &* done)
            x0 = x3 &+ stepX
            y0 = y3 &+ stepY
            done &+= 4
        }
    }
#endif
