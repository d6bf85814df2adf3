#if arch(x86_64)
    import _Builtin_intrinsics.intel
    import KernelInterface

    // The byte product is exact for values up to 128 (see Vectors.swift), and few values are larger, because ReLU6
    // leaves most of them small. So each value is split into its low seven bits and its top bit, 0 or 128. The product
    // runs over the low bits of all values, and once more over the top bits of those groups of four values that have
    // any. The result is always exact; only the time depends on the values.
    //
    // A tile is four rows by 16 channels: eight sums, two vectors of weights, one group of four values in every lane.
    // Tiles of four and three rows cover every row length of the network (56, 28, 14, 7).
    //
    // Packed, for each 16 channels: weights [depth / 4][16][4], 16 biases, 16 multipliers; channels past the last are
    // 0.

    /// Most bytes for the low bits of a tile: temporary memory up to this size is always on the stack.
    private var tileBytes: Int { 1024 }

    @inline(__always)
    private func panelBytes(_ depth: Int) -> Int { 16 &* depth &+ 128 }

    /// What `Int8Kernels.packGEMM` writes.
    var gemmLayout: WeightLayout { WeightLayout(width: 16, group: 4, vectors: 2) }

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
        if taps == 1 && 4 &* depth <= tileBytes && rows > 2 {
            withUnsafeTemporaryAllocation(byteCount: tileBytes, alignment: 16) { buffer in
                let lowBits = buffer.baseAddress.unsafelyUnwrapped
                while left > 2 {
                    // Six are two tiles of three.
                    let count = left > 3 && left != 6 ? 4 : 3
                    let tile = Tile(source, aStride, count, depth, lowBits)
                    if count == 4 {
                        fourRows(tile, columns, packed, target, outStride)
                    } else {
                        threeRows(tile, columns, packed, target, outStride)
                    }
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

    private var lowSevenBits: __m256i { @inline(__always) get { _mm256_set1_epi8(0x7F) } }
    private var topBit: __m256i { @inline(__always) get { _mm256_set1_epi8(-128) } }

    /// The rows of a tile: at most four, of at most 256 values each.
    private struct Tile {
        let source: UnsafeRawPointer
        let stride: Int
        let depth: Int
        /// `[rows][depth]`.
        let lowBits: UnsafeRawPointer
        /// Bit k is set if any of the values 4k..<4k+4 of any row has its top bit set.
        let topGroups: UInt64

        @inline(__always)
        init(
            _ source: UnsafeRawPointer, _ stride: Int, _ rows: Int, _ depth: Int, _ lowBits: UnsafeMutableRawPointer
        ) {
            self.source = source
            self.stride = stride
            self.depth = depth
            self.lowBits = UnsafeRawPointer(lowBits)
            let fourth = rows == 4 ? 3 : 2
            let (s1, s2, s3) = (source + stride, source + 2 &* stride, source + fourth &* stride)
            let (p1, p2, p3) = (lowBits + depth, lowBits + 2 &* depth, lowBits + fourth &* depth)
            var groups: UInt64 = 0
            var k = 0
            while k &+ 32 <= depth {
                let (a, b, c, d) = (load(source + k), load(s1 + k), load(s2 + k), load(s3 + k))
                store(_mm256_and_si256(a, lowSevenBits), lowBits + k)
                store(_mm256_and_si256(b, lowSevenBits), p1 + k)
                store(_mm256_and_si256(c, lowSevenBits), p2 + k)
                store(_mm256_and_si256(d, lowSevenBits), p3 + k)
                let any = _mm256_or_si256(_mm256_or_si256(a, b), _mm256_or_si256(c, d))
                let top = _mm256_and_si256(any, topBit)
                let none = _mm256_movemask_ps(_mm256_castsi256_ps(_mm256_cmpeq_epi32(top, _mm256_setzero_si256())))
                groups |= UInt64(truncatingIfNeeded: none ^ 255) &<< UInt64(truncatingIfNeeded: k &>> 2)
                k &+= 32
            }
            if k &+ 16 <= depth {
                let (a, b, c, d) = (load128(source + k), load128(s1 + k), load128(s2 + k), load128(s3 + k))
                store128(_mm_and_si128(a, low(lowSevenBits)), lowBits + k)
                store128(_mm_and_si128(b, low(lowSevenBits)), p1 + k)
                store128(_mm_and_si128(c, low(lowSevenBits)), p2 + k)
                store128(_mm_and_si128(d, low(lowSevenBits)), p3 + k)
                let any = _mm_or_si128(_mm_or_si128(a, b), _mm_or_si128(c, d))
                let top = _mm_and_si128(any, low(topBit))
                let none = _mm_movemask_ps(_mm_castsi128_ps(_mm_cmpeq_epi32(top, _mm_setzero_si128())))
                groups |= UInt64(truncatingIfNeeded: none ^ 15) &<< UInt64(truncatingIfNeeded: k &>> 2)
                k &+= 16
            }
            while k < depth {
                let (a, b, c, d) = (word(source + k), word(s1 + k), word(s2 + k), word(s3 + k))
                lowBits.storeBytes(of: a & 0x7F7F_7F7F, toByteOffset: k, as: UInt32.self)
                p1.storeBytes(of: b & 0x7F7F_7F7F, toByteOffset: k, as: UInt32.self)
                p2.storeBytes(of: c & 0x7F7F_7F7F, toByteOffset: k, as: UInt32.self)
                p3.storeBytes(of: d & 0x7F7F_7F7F, toByteOffset: k, as: UInt32.self)
                if (a | b | c | d) & 0x8080_8080 != 0 { groups |= 1 &<< UInt64(truncatingIfNeeded: k &>> 2) }
                k &+= 4
            }
            topGroups = groups
        }
    }

    @inline(__always)
    private func word(_ p: UnsafeRawPointer) -> UInt32 { p.loadUnaligned(as: UInt32.self) }

    @inline(__always)
    private func fourRows(
        _ tile: Tile, _ columns: Int, _ packed: UnsafeRawPointer, _ out: UnsafeMutableRawPointer, _ outStride: Int
    ) {
        let depth = tile.depth
        var w = packed
        var n = 0
        while n < columns {
            let panel = w
            let parameters = panel + 16 &* depth
            let b0 = load(parameters)
            let b1 = load(parameters + 32)
            var (s00, s10, s20, s30) = (b0, b0, b0, b0)
            var (s01, s11, s21, s31) = (b1, b1, b1, b1)
            var p = tile.lowBits
            while w < parameters {
                let w0 = load(w)
                let w1 = load(w + 32)
                var x = broadcast4(p)
                s00 = dotQuads(s00, x, w0)
                s01 = dotQuads(s01, x, w1)
                x = broadcast4(p + depth)
                s10 = dotQuads(s10, x, w0)
                s11 = dotQuads(s11, x, w1)
                x = broadcast4(p + 2 &* depth)
                s20 = dotQuads(s20, x, w0)
                s21 = dotQuads(s21, x, w1)
                x = broadcast4(p + 3 &* depth)
                s30 = dotQuads(s30, x, w0)
                s31 = dotQuads(s31, x, w1)
                w += 64
                p += 4
            }
            var groups = tile.topGroups
            while groups != 0 {
                let group = groups.trailingZeroBitCount
                groups &= groups &- 1
                let w0 = load(panel + 64 &* group)
                let w1 = load(panel + (64 &* group &+ 32))
                let p = tile.source + 4 &* group
                var x = _mm256_and_si256(broadcast4(p), topBit)
                s00 = dotQuads(s00, x, w0)
                s01 = dotQuads(s01, x, w1)
                x = _mm256_and_si256(broadcast4(p + tile.stride), topBit)
                s10 = dotQuads(s10, x, w0)
                s11 = dotQuads(s11, x, w1)
                x = _mm256_and_si256(broadcast4(p + 2 &* tile.stride), topBit)
                s20 = dotQuads(s20, x, w0)
                s21 = dotQuads(s21, x, w1)
                x = _mm256_and_si256(broadcast4(p + 3 &* tile.stride), topBit)
                s30 = dotQuads(s30, x, w0)
                s31 = dotQuads(s31, x, w1)
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

    @inline(__always)
    private func threeRows(
        _ tile: Tile, _ columns: Int, _ packed: UnsafeRawPointer, _ out: UnsafeMutableRawPointer, _ outStride: Int
    ) {
        let depth = tile.depth
        var w = packed
        var n = 0
        while n < columns {
            let panel = w
            let parameters = panel + 16 &* depth
            let b0 = load(parameters)
            let b1 = load(parameters + 32)
            var (s00, s10, s20) = (b0, b0, b0)
            var (s01, s11, s21) = (b1, b1, b1)
            var p = tile.lowBits
            while w < parameters {
                let w0 = load(w)
                let w1 = load(w + 32)
                var x = broadcast4(p)
                s00 = dotQuads(s00, x, w0)
                s01 = dotQuads(s01, x, w1)
                x = broadcast4(p + depth)
                s10 = dotQuads(s10, x, w0)
                s11 = dotQuads(s11, x, w1)
                x = broadcast4(p + 2 &* depth)
                s20 = dotQuads(s20, x, w0)
                s21 = dotQuads(s21, x, w1)
                w += 64
                p += 4
            }
            var groups = tile.topGroups
            while groups != 0 {
                let group = groups.trailingZeroBitCount
                groups &= groups &- 1
                let w0 = load(panel + 64 &* group)
                let w1 = load(panel + (64 &* group &+ 32))
                let p = tile.source + 4 &* group
                var x = _mm256_and_si256(broadcast4(p), topBit)
                s00 = dotQuads(s00, x, w0)
                s01 = dotQuads(s01, x, w1)
                x = _mm256_and_si256(broadcast4(p + tile.stride), topBit)
                s10 = dotQuads(s10, x, w0)
                s11 = dotQuads(s11, x, w1)
                x = _mm256_and_si256(broadcast4(p + 2 &* tile.stride), topBit)
                s20 = dotQuads(s20, x, w0)
                s21 = dotQuads(s21, x, w1)
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

    /// One row of any depth, 32 channels at a time.
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
            var (s0, s1) = (load(parameters), load(parameters + 32))
            var (s2, s3) = (load(parameters + panel), load(parameters + (panel &+ 32)))
            var tap = a
            var t = 0
            while t < taps {
                var k = 0
                while k < depth {
                    let codes = broadcast4(tap + k)
                    let x = _mm256_and_si256(codes, lowSevenBits)
                    s0 = dotQuads(s0, x, load(w))
                    s1 = dotQuads(s1, x, load(w + 32))
                    s2 = dotQuads(s2, x, load(w + panel))
                    s3 = dotQuads(s3, x, load(w + (panel &+ 32)))
                    if word(tap + k) & 0x8080_8080 != 0 {
                        let x = _mm256_and_si256(codes, topBit)
                        s0 = dotQuads(s0, x, load(w))
                        s1 = dotQuads(s1, x, load(w + 32))
                        s2 = dotQuads(s2, x, load(w + panel))
                        s3 = dotQuads(s3, x, load(w + (panel &+ 32)))
                    }
                    w += 64
                    k &+= 4
                }
                tap += tapStride
                t &+= 1
            }
            let m = parameters + 64
            let left = words(s0, s1, loadFloats(m), loadFloats(m + 32))
            let right = words(s2, s3, loadFloats(m + panel), loadFloats(m + (panel &+ 32)))
            store(bytes(left, right), out + n)
            w = parameters + (panel &+ 128)
            n &+= 32
        }
    }

    /// See `Int8Kernels.Classify`. The parameters are packed as those of the matrix product.
    @c(gk_classify_u8s8_avx2) @export(interface) @inline(never)
    package func classify(
        _ a: UnsafePointer<UInt8>, _ depth: Int, _ columns: Int, _ packed: UnsafeRawPointer,
        _ out: UnsafeMutablePointer<Float>
    ) {
        var w = packed
        var n = 0
        while n < columns {
            let parameters = w + 16 &* depth
            var (s0, s1) = (load(parameters), load(parameters + 32))
            var (t0, t1) = (_mm256_setzero_si256(), _mm256_setzero_si256())
            var p = UnsafeRawPointer(a)
            while w < parameters {
                let codes = broadcast4(p)
                let (x, y) = (_mm256_and_si256(codes, lowSevenBits), _mm256_and_si256(codes, topBit))
                let (w0, w1) = (load(w), load(w + 32))
                s0 = dotQuads(s0, x, w0)
                s1 = dotQuads(s1, x, w1)
                t0 = dotQuads(t0, y, w0)
                t1 = dotQuads(t1, y, w1)
                w += 64
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
