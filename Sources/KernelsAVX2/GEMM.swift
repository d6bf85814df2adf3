#if arch(x86_64)
    import _Builtin_intrinsics.intel

    // A tile is four rows by 16 columns: eight sums, two vectors of weights, one pair of codes in every lane. Four and
    // three rows together make up every row length of the network (56, 28, 14, 7). The codes of a tile's rows are widened
    // once and then broadcast from memory for every sixteen columns, so that the arithmetic ports see nothing but
    // products, sums and the epilogue.
    //
    // Packed, for each 16 columns: weights [depth / 2][16][2] as int16, 16 biases, 16 multipliers; columns past the last
    // are 0.

    /// What a tile's widened codes may take: temporary memory up to this size is always on the stack.
    private var widenedBytes: Int { 1024 }

    @inline(__always)
    private func panelBytes(_ depth: Int) -> Int { 32 &* depth &+ 128 }

    /// See `Int8Kernels.Pack`.
    @c(gk_packgemm_u8s8_avx2) @export(interface) @inline(never)
    package func packGEMM(
        _ weights: UnsafePointer<Int8>?, _ bias: UnsafePointer<Int32>?, _ multiplier: UnsafePointer<Float>?,
        _ channels: Int, _ depth: Int, _ packed: UnsafeMutableRawPointer?
    ) -> Int {
        let byteCount = (channels &+ 15) / 16 &* panelBytes(depth)
        guard let weights, let bias, let multiplier, let packed else { return byteCount }
        var n = 0
        while n < channels {
            let panel = packed + n / 16 &* panelBytes(depth)
            let column = n % 16 &* 4
            let row = weights + n &* depth
            var k = 0
            while k < depth {
                storePair(row[k], row[k &+ 1], panel + (32 &* k &+ column))
                k &+= 2
            }
            panel.storeBytes(of: bias[n], toByteOffset: 32 &* depth &+ column, as: Int32.self)
            panel.storeBytes(of: multiplier[n], toByteOffset: 32 &* depth &+ 64 &+ column, as: Float.self)
            n &+= 1
        }
        return byteCount
    }

    /// See `Int8Kernels.GEMM`.
    @c(gk_gemm_u8s8_4x16_avx2) @export(interface) @inline(never)
    package func gemm(
        _ a: UnsafePointer<UInt8>, _ aStride: Int, _ rows: Int,
        _ taps: Int, _ tapStride: Int, _ depth: Int, _ columns: Int, _ packed: UnsafeRawPointer,
        _ out: UnsafeMutablePointer<UInt8>, _ outStride: Int
    ) {
        var source = UnsafeRawPointer(a)
        var target = UnsafeMutableRawPointer(out)
        var left = rows
        if taps == 1 && 8 &* depth <= widenedBytes && rows > 2 {
            withUnsafeTemporaryAllocation(byteCount: widenedBytes, alignment: 16) { buffer in
                let codes = buffer.baseAddress.unsafelyUnwrapped
                while left > 2 {
                    // Six are two tiles of three.
                    let four = left > 3 && left != 6
                    widen(source, depth, codes)
                    widen(source + aStride, depth, codes + 2 &* depth)
                    widen(source + 2 &* aStride, depth, codes + 4 &* depth)
                    if four {
                        widen(source + 3 &* aStride, depth, codes + 6 &* depth)
                        fourRows(codes, depth, columns, packed, target, outStride)
                    } else {
                        threeRows(codes, depth, columns, packed, target, outStride)
                    }
                    let count = four ? 4 : 3
                    source += count &* aStride
                    target += count &* outStride
                    left &-= count
                }
            }
        }
        while left > 0 {
            oneRow(source, taps, tapStride, depth, columns, packed, target)
            source += aStride
            target += outStride
            left &-= 1
        }
    }

    /// `count` codes, a multiple of 4, to 16-bit lanes.
    @inline(__always)
    private func widen(_ source: UnsafeRawPointer, _ count: Int, _ out: UnsafeMutableRawPointer) {
        var k = 0
        while k &+ 16 <= count {
            store(_mm256_cvtepu8_epi16(load128(source + k)), out + 2 &* k)
            k &+= 16
        }
        while k < count {
            let four = _mm_cvtepu8_epi16(_mm_cvtsi32_si128((source + k).loadUnaligned(as: Int32.self)))
            (out + 2 &* k).storeBytes(of: _mm_cvtsi128_si64(four), as: Int64.self)
            k &+= 4
        }
    }

    /// - codes: `[4][depth]`, 16 bits each.
    @inline(__always)
    private func fourRows(
        _ codes: UnsafeRawPointer, _ depth: Int, _ columns: Int, _ packed: UnsafeRawPointer,
        _ out: UnsafeMutableRawPointer, _ outStride: Int
    ) {
        let row = 2 &* depth
        var w = packed
        var n = 0
        while n < columns {
            let parameters = w + 32 &* depth
            let b0 = load(parameters)
            let b1 = load(parameters + 32)
            var (s00, s10, s20, s30) = (b0, b0, b0, b0)
            var (s01, s11, s21, s31) = (b1, b1, b1, b1)
            var p = codes
            while w < parameters {
                let w0 = load(w)
                let w1 = load(w + 32)
                var x = broadcast4(p)
                s00 = dot(s00, x, w0)
                s01 = dot(s01, x, w1)
                x = broadcast4(p + row)
                s10 = dot(s10, x, w0)
                s11 = dot(s11, x, w1)
                x = broadcast4(p + 2 &* row)
                s20 = dot(s20, x, w0)
                s21 = dot(s21, x, w1)
                x = broadcast4(p + 3 &* row)
                s30 = dot(s30, x, w0)
                s31 = dot(s31, x, w1)
                w += 64
                p += 4
            }
            let m0 = loadFloats(parameters + 64)
            let m1 = loadFloats(parameters + 96)
            let q = out + n
            let upper = bytes(words(s00, s01, m0, m1), words(s10, s11, m0, m1))
            let lower = bytes(words(s20, s21, m0, m1), words(s30, s31, m0, m1))
            store128(low(upper), q)
            store128(high(upper), q + outStride)
            store128(low(lower), q + 2 &* outStride)
            store128(high(lower), q + 3 &* outStride)
            w = parameters + 128
            n &+= 16
        }
    }

    /// - codes: `[3][depth]`, 16 bits each.
    @inline(__always)
    private func threeRows(
        _ codes: UnsafeRawPointer, _ depth: Int, _ columns: Int, _ packed: UnsafeRawPointer,
        _ out: UnsafeMutableRawPointer, _ outStride: Int
    ) {
        let row = 2 &* depth
        var w = packed
        var n = 0
        while n < columns {
            let parameters = w + 32 &* depth
            let b0 = load(parameters)
            let b1 = load(parameters + 32)
            var (s00, s10, s20) = (b0, b0, b0)
            var (s01, s11, s21) = (b1, b1, b1)
            var p = codes
            while w < parameters {
                let w0 = load(w)
                let w1 = load(w + 32)
                var x = broadcast4(p)
                s00 = dot(s00, x, w0)
                s01 = dot(s01, x, w1)
                x = broadcast4(p + row)
                s10 = dot(s10, x, w0)
                s11 = dot(s11, x, w1)
                x = broadcast4(p + 2 &* row)
                s20 = dot(s20, x, w0)
                s21 = dot(s21, x, w1)
                w += 64
                p += 4
            }
            let m0 = loadFloats(parameters + 64)
            let m1 = loadFloats(parameters + 96)
            let q = out + n
            let upper = bytes(words(s00, s01, m0, m1), words(s10, s11, m0, m1))
            let lower = words(s20, s21, m0, m1)
            store128(low(upper), q)
            store128(high(upper), q + outStride)
            store128(low(bytes(lower, lower)), q + 2 &* outStride)
            w = parameters + 128
            n &+= 16
        }
    }

    /// One row of any depth, 32 columns at a time, straight from the bytes.
    @inline(__always)
    private func oneRow(
        _ a: UnsafeRawPointer, _ taps: Int, _ tapStride: Int, _ depth: Int, _ columns: Int,
        _ packed: UnsafeRawPointer, _ out: UnsafeMutableRawPointer
    ) {
        let panel = panelBytes(taps &* depth)
        var w = packed
        var n = 0
        while n < columns {
            let parameters = w + (panel &- 128)
            let zero = _mm256_setzero_si256()
            var (s0, s1) = (load(parameters), load(parameters + 32))
            var (s2, s3) = (load(parameters + panel), load(parameters + (panel &+ 32)))
            var (t0, t1, t2, t3) = (zero, zero, zero, zero)
            var tap = a
            var t = 0
            while t < taps {
                var k = 0
                while k < depth {
                    let x = Pairs(tap + k)
                    let v = w + panel
                    s0 = dot(s0, x.first, load(w))
                    s1 = dot(s1, x.first, load(w + 32))
                    s2 = dot(s2, x.first, load(v))
                    s3 = dot(s3, x.first, load(v + 32))
                    t0 = dot(t0, x.second, load(w + 64))
                    t1 = dot(t1, x.second, load(w + 96))
                    t2 = dot(t2, x.second, load(v + 64))
                    t3 = dot(t3, x.second, load(v + 96))
                    w += 128
                    k &+= 4
                }
                tap += tapStride
                t &+= 1
            }
            let left = words(
                _mm256_add_epi32(s0, t0), _mm256_add_epi32(s1, t1),
                loadFloats(parameters + 64), loadFloats(parameters + 96))
            let right = words(
                _mm256_add_epi32(s2, t2), _mm256_add_epi32(s3, t3),
                loadFloats(parameters + (panel &+ 64)), loadFloats(parameters + (panel &+ 96)))
            store(bytes(left, right), out + n)
            w = parameters + (panel &+ 128)
            n &+= 32
        }
    }

    /// Four codes as two pairs of 16-bit lanes, each pair in every lane.
    private struct Pairs {
        let first, second: __m256i

        @inline(__always)
        init(_ p: UnsafeRawPointer) {
            let four = broadcast4(p)
            first = _mm256_shuffle_epi8(four, _mm256_set1_epi32(Int32(bitPattern: 0x8001_8000)))
            second = _mm256_shuffle_epi8(four, _mm256_set1_epi32(Int32(bitPattern: 0x8003_8002)))
        }
    }

    /// See `Int8Kernels.Classify`. Packed as the matrix product is.
    @c(gk_classify_u8s8_avx2) @export(interface) @inline(never)
    package func classify(
        _ a: UnsafePointer<UInt8>, _ depth: Int, _ columns: Int, _ packed: UnsafeRawPointer,
        _ out: UnsafeMutablePointer<Float>
    ) {
        var w = packed
        var n = 0
        while n < columns {
            let parameters = w + 32 &* depth
            var (s0, s1) = (load(parameters), load(parameters + 32))
            var (t0, t1) = (_mm256_setzero_si256(), _mm256_setzero_si256())
            var p = UnsafeRawPointer(a)
            while w < parameters {
                let x = Pairs(p)
                s0 = dot(s0, x.first, load(w))
                s1 = dot(s1, x.first, load(w + 32))
                t0 = dot(t0, x.second, load(w + 64))
                t1 = dot(t1, x.second, load(w + 96))
                w += 128
                p += 4
            }
            let target = UnsafeMutableRawPointer(out + n)
            let first = _mm256_cvtepi32_ps(_mm256_add_epi32(s0, t0))
            let second = _mm256_cvtepi32_ps(_mm256_add_epi32(s1, t1))
            target.storeBytes(of: _mm256_mul_ps(first, loadFloats(parameters + 64)), as: __m256.self)
            (target + 32).storeBytes(of: _mm256_mul_ps(second, loadFloats(parameters + 96)), as: __m256.self)
            w = parameters + 128
            n &+= 16
        }
    }
#endif
