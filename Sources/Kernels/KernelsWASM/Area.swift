#if arch(wasm32)
    import CWasmSIMD
    import KernelInterface

    // Two rows at a time are interleaved, so that one product adds both. A row left over is its own partner, with a
    // weight of 0. Rows are combined sixteen pixels at a time (eight of four bytes); the last block of a row is moved back
    // to end with the row, and rows shorter than a block are computed pixel by pixel.

    /// Two weights of rows in every lane; the second is 0 after the last row.
    @inline(always)
    private func weightPair(_ weights: UnsafePointer<Int16>, _ r: Int) -> Vector {
        wasm_v128_load32_splat(UnsafeRawPointer(weights + r))
    }

    /// See `AreaKernels.Luma`.
    @c(gk_arealuma_simd128) @export(interface) @inline(never)
    func blendLumaRows(
        _ rows: UnsafePointer<UInt8>, _ bytesPerRow: Int, _ weights: UnsafePointer<Int16>, _ count: Int,
        _ width: Int, _ pixelBytes: Int, _ fixedLuma: UnsafeMutablePointer<Int16>
    ) {
        if width < 16 {
            var x = 0
            while x < width {
                var sum: Int32 = 64
                var r = 0
                while r < count {
                    sum &+= Int32(rows[r &* bytesPerRow &+ x &* pixelBytes]) &* Int32(weights[r])
                    r &+= 1
                }
                fixedLuma[x] = Int16(truncatingIfNeeded: sum &>> 7)
                x &+= 1
            }
            return
        }
        let half = wasm_i32x4_splat(64)
        var x = 0
        while x < width {
            let at = x &+ 16 <= width ? x : width &- 16
            var (s0, s1, s2, s3) = (half, half, half, half)
            var row = UnsafeRawPointer(rows + at &* pixelBytes)
            var r = 0
            while r < count {
                let below = r &+ 1 < count ? row + bytesPerRow : row
                let weight = weightPair(weights, r)
                if pixelBytes == 1 {
                    let (a, b) = (loadWords(row), loadWords(below))
                    let (c, d) = (loadWords(row + 8), loadWords(below + 8))
                    s0 = dot(s0, lowWordPairs(a, b), weight)
                    s1 = dot(s1, highWordPairs(a, b), weight)
                    s2 = dot(s2, lowWordPairs(c, d), weight)
                    s3 = dot(s3, highWordPairs(c, d), weight)
                } else {
                    let mask = wasm_i16x8_splat(255)
                    let (a, b) = (wasm_v128_and(load(row), mask), wasm_v128_and(load(below), mask))
                    let (c, d) = (wasm_v128_and(load(row + 16), mask), wasm_v128_and(load(below + 16), mask))
                    s0 = dot(s0, lowWordPairs(a, b), weight)
                    s1 = dot(s1, highWordPairs(a, b), weight)
                    s2 = dot(s2, lowWordPairs(c, d), weight)
                    s3 = dot(s3, highWordPairs(c, d), weight)
                }
                row = below + bytesPerRow
                r &+= 2
            }
            let to = UnsafeMutableRawPointer(fixedLuma + at)
            store(wasm_i16x8_narrow_i32x4(s0 &>> 7, s1 &>> 7), to)
            store(wasm_i16x8_narrow_i32x4(s2 &>> 7, s3 &>> 7), to + 16)
            x &+= 16
        }
    }

    /// The shares of a pixel's bytes in its luma.
    struct ColourShares {
        private let shares: Vector

        @inline(always)
        init(_ share0: Int32, _ share1: Int32, _ share2: Int32) {
            let pair = Int64(share1) &<< 16 | Int64(share0) | Int64(share2) &<< 32
            shares = wasm_i64x2_splat(pair)
        }

        /// The luma of four pixels as 32-bit integers, in 1/128.
        /// - first, second: two pixels each, as words.
        @inline(always)
        func luma(_ first: Vector, _ second: Vector) -> Vector {
            let sums = pairSums(wasm_i32x4_dot_i16x8(first, shares), wasm_i32x4_dot_i16x8(second, shares))
            return wasm_i32x4_shr(wasm_i32x4_add(sums, wasm_i32x4_splat(64)), 7)
        }

        /// The luma of eight neighbouring pixels as words, in 1/128.
        @inline(always)
        func fixedLuma(_ p: UnsafeRawPointer) -> Vector {
            wasm_i16x8_narrow_i32x4(
                luma(loadWords(p), loadWords(p + 8)), luma(loadWords(p + 16), loadWords(p + 24)))
        }

        /// The luma of one pixel.
        @inline(always)
        func code(_ p: UnsafeRawPointer) -> Int32 {
            let words = wasm_u16x8_extend_low_u8x16(wasm_v128_load32_zero(p))
            return word(luma(words, words), 0)
        }
    }

    /// See `AreaKernels.Colour`.
    @c(gk_areacolour_simd128) @export(interface) @inline(never)
    func blendColourRows(
        _ rows: UnsafePointer<UInt8>, _ bytesPerRow: Int, _ weights: UnsafePointer<Int16>, _ count: Int,
        _ width: Int, _ share0: Int32, _ share1: Int32, _ share2: Int32, _ fixedLuma: UnsafeMutablePointer<Int16>
    ) {
        let shares = ColourShares(share0, share1, share2)
        let rows = UnsafeRawPointer(rows)
        if width < 8 {
            var x = 0
            while x < width {
                var sum: Int32 = 8192
                var r = 0
                while r < count {
                    sum &+= shares.code(rows + (r &* bytesPerRow &+ 4 &* x)) &* Int32(weights[r])
                    r &+= 1
                }
                fixedLuma[x] = Int16(truncatingIfNeeded: sum &>> 14)
                x &+= 1
            }
            return
        }
        let half = wasm_i32x4_splat(8192)
        var x = 0
        while x < width {
            let at = x &+ 8 <= width ? x : width &- 8
            var (s0, s1) = (half, half)
            var row = rows + 4 &* at
            var r = 0
            while r < count {
                let below = r &+ 1 < count ? row + bytesPerRow : row
                let weight = weightPair(weights, r)
                let (a, b) = (shares.fixedLuma(row), shares.fixedLuma(below))
                s0 = dot(s0, lowWordPairs(a, b), weight)
                s1 = dot(s1, highWordPairs(a, b), weight)
                row = below + bytesPerRow
                r &+= 2
            }
            store(wasm_i16x8_narrow_i32x4(s0 &>> 14, s1 &>> 14), UnsafeMutableRawPointer(fixedLuma + at))
            x &+= 8
        }
    }

    /// See `AreaKernels.Line`.
    @c(gk_arealine_simd128) @export(interface) @inline(never)
    func areaLine(
        _ fixedLuma: UnsafePointer<Int16>, _ columns: UnsafeRawPointer, _ chunks: Int, _ bias: Int32, _ count: Int,
        _ line: UnsafeMutablePointer<UInt8>
    ) {
        let bias = wasm_i32x4_splat(bias)
        var block = columns
        var done = 0
        while done < count {
            @inline(always)
            func sums(_ pixel: Int) -> Vector {
                let first = Int(block.load(fromByteOffset: 4 &* pixel, as: Int32.self))
                var window = UnsafeRawPointer(fixedLuma + first)
                var weights = block + (64 &+ 16 &* AreaColumns.group(pixel))
                var sum = wasm_i32x4_dot_i16x8(load(window), load(weights))
                var chunk = 1
                while chunk < chunks {
                    window += 16
                    weights += 256
                    sum = dot(sum, load(window), load(weights))
                    chunk &+= 1
                }
                return sum
            }
            @inline(always)
            func four(_ pixel: Int) -> Vector {
                let low = pairSums(sums(pixel), sums(pixel &+ 1))
                let high = pairSums(sums(pixel &+ 2), sums(pixel &+ 3))
                return wasm_i32x4_shr(wasm_i32x4_add(pairSums(low, high), bias), 21)
            }
            store(bytes(four(0), four(4), four(8), four(12)), first: count &- done, line + done)
            block += AreaColumns.blockBytes(chunks)
            done &+= 16
        }
    }
#endif
