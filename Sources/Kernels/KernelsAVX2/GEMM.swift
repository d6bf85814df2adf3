#if arch(x86_64)
    import _Builtin_intrinsics.intel
    import KernelInterface
    import KernelsX86

    // The byte product is exact for values up to 128 (see Products.swift), and few values are larger, because ReLU6
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

    @inline(always)
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
        var done = 0
        if taps == 1 && 4 &* depth <= tileBytes && rows > 2 {
            withUnsafeTemporaryAllocation(byteCount: tileBytes, alignment: 16) {
                let lowBits = $0.baseAddress.unsafelyUnwrapped
                done = gemmTiles(a, aStride, rows, depth, columns, packed, out, outStride, lowBits)
            }
        }
        while done < rows {
            oneRow(a + done &* aStride, taps, tapStride, depth, columns, packed, out + done &* outStride)
            done &+= 1
        }
    }

    /// Multiplies rows in tiles of four and three, all but the last one or two. Returns how many.
    @c(gk_gemmtiles_u8s8_avx2) @export(interface) @inline(never)
    package func gemmTiles(
        _ a: UnsafePointer<UInt8>, _ aStride: Int, _ rows: Int, _ depth: Int, _ columns: Int,
        _ packed: UnsafeRawPointer, _ out: UnsafeMutablePointer<UInt8>, _ outStride: Int,
        _ lowBits: UnsafeMutableRawPointer
    ) -> Int {
        var done = 0
        while rows &- done > 2 {
            // Six are two tiles of three.
            let left = rows &- done
            let count = left > 3 && left != 6 ? 4 : 3
            let tile = Tile(a + done &* aStride, aStride, count, depth, lowBits)
            let target = UnsafeMutableRawPointer(out + done &* outStride)
            if count == 4 {
                putRows(4, tile, columns, packed, target, outStride)
            } else {
                putRows(3, tile, columns, packed, target, outStride)
            }
            done &+= count
        }
        return done
    }

    private var lowSevenBits: __m256i { @inline(always) get { _mm256_set1_epi8(0x7F) } }
    private var topBit: __m256i { @inline(always) get { _mm256_set1_epi8(-128) } }

    /// The rows of a tile: at most four, of at most 256 values each.
    private struct Tile {
        let source: UnsafeRawPointer
        let stride: Int
        let depth: Int
        /// `[rows][depth]`.
        let lowBits: UnsafeRawPointer
        /// Bit k is set if any of the values 4k..<4k+4 of any row has its top bit set.
        let topGroups: UInt64

        @inline(always)
        init(
            _ source: UnsafeRawPointer, _ stride: Int, _ rows: Int, _ depth: Int, _ lowBits: UnsafeMutableRawPointer
        ) {
            self.source = source
            self.stride = stride
            self.depth = depth
            self.lowBits = UnsafeRawPointer(lowBits)
            // Of three rows the last one is the fourth, too.
            let at = PixelOffsets(4, stride, rows)
            let to = PixelOffsets(4, depth, rows)
            var groups: UInt64 = 0
            var k = 0
            while k &+ 32 <= depth {
                var any = _mm256_setzero_si256()
                unrolled(4) {
                    let values = load256(source + (at[$0] &+ k))
                    store256(_mm256_and_si256(values, lowSevenBits), lowBits + (to[$0] &+ k))
                    any = _mm256_or_si256(any, values)
                }
                let top = _mm256_and_si256(any, topBit)
                let none = _mm256_movemask_ps(_mm256_castsi256_ps(_mm256_cmpeq_epi32(top, _mm256_setzero_si256())))
                groups |= UInt64(truncatingIfNeeded: none ^ 255) &<< UInt64(truncatingIfNeeded: k &>> 2)
                k &+= 32
            }
            if k &+ 16 <= depth {
                var any = _mm_setzero_si128()
                unrolled(4) {
                    let values = load128(source + (at[$0] &+ k))
                    store128(_mm_and_si128(values, low(lowSevenBits)), lowBits + (to[$0] &+ k))
                    any = _mm_or_si128(any, values)
                }
                let top = _mm_and_si128(any, low(topBit))
                let none = _mm_movemask_ps(_mm_castsi128_ps(_mm_cmpeq_epi32(top, _mm_setzero_si128())))
                groups |= UInt64(truncatingIfNeeded: none ^ 15) &<< UInt64(truncatingIfNeeded: k &>> 2)
                k &+= 16
            }
            while k < depth {
                var any: UInt32 = 0
                unrolled(4) {
                    let values = word(source + (at[$0] &+ k))
                    lowBits.storeBytes(of: values & 0x7F7F_7F7F, toByteOffset: to[$0] &+ k, as: UInt32.self)
                    any |= values
                }
                if any & 0x8080_8080 != 0 { groups |= 1 &<< UInt64(truncatingIfNeeded: k &>> 2) }
                k &+= 4
            }
            topGroups = groups
        }
    }

    @inline(always)
    private func word(_ p: UnsafeRawPointer) -> UInt32 { p.loadUnaligned(as: UInt32.self) }

    /// Sixteen sums of a row, or their weights.
    private struct Sums {
        var low, high: __m256i

        @inline(always)
        init(_ p: UnsafeRawPointer) { (low, high) = (load256(p), load256(p + 32)) }

        /// Adds the products of four values in every lane.
        @inline(always)
        mutating func add(_ values: __m256i, _ weights: Sums) {
            low = dotQuads(low, values, weights.low)
            high = dotQuads(high, values, weights.high)
        }
    }

    /// - rows: 3 or 4, a literal.
    @inline(always)
    private func putRows(
        _ rows: Int, _ tile: Tile, _ columns: Int, _ packed: UnsafeRawPointer, _ out: UnsafeMutableRawPointer,
        _ outStride: Int
    ) {
        let depth = tile.depth
        var w = packed
        var n = 0
        while n < columns {
            let panel = w
            let parameters = panel + 16 &* depth
            var sums = RegisterArray(repeating: Sums(parameters))
            var p = tile.lowBits
            while w < parameters {
                let weights = Sums(w)
                sums.update(rows) { $0.add(broadcast256(p + $1 &* depth), weights) }
                w += 64
                p += 4
            }
            var groups = tile.topGroups
            while groups != 0 {
                let group = groups.trailingZeroBitCount
                groups &= groups &- 1
                let weights = Sums(panel + 64 &* group)
                let p = tile.source + 4 &* group
                sums.update(rows) {
                    $0.add(_mm256_and_si256(broadcast256(p + $1 &* tile.stride), topBit), weights)
                }
            }
            let (m0, m1) = (loadFloats256(parameters + 64), loadFloats256(parameters + 96))
            let rounded = RegisterArray(rows) { words(sums[$0].low, sums[$0].high, m0, m1) }
            let upper = bytes(rounded[0], rounded[1])
            let lower = bytes(rounded[2], rows > 3 ? rounded[3] : rounded[2])
            let q = out + n
            store128(low(upper), q)
            store128(high(upper), q + outStride)
            store128(low(lower), q + 2 &* outStride)
            if rows > 3 { store128(high(lower), q + 3 &* outStride) }
            w = parameters + 128
            n &+= 16
        }
    }

    /// One row of any depth, 32 channels at a time.
    @inline(always)
    private func oneRow(
        _ a: UnsafeRawPointer, _ taps: Int, _ tapStride: Int, _ depth: Int, _ columns: Int,
        _ packed: UnsafeRawPointer, _ out: UnsafeMutableRawPointer
    ) {
        let panel = panelBytes(taps &* depth)
        var w = packed
        var n = 0
        while n < columns {
            let parameters = w + (panel &- 128)
            var (left, right) = (Sums(parameters), Sums(parameters + panel))
            var tap = a
            var t = 0
            while t < taps {
                var k = 0
                while k < depth {
                    let values = broadcast256(tap + k)
                    let (leftWeights, rightWeights) = (Sums(w), Sums(w + panel))
                    left.add(_mm256_and_si256(values, lowSevenBits), leftWeights)
                    right.add(_mm256_and_si256(values, lowSevenBits), rightWeights)
                    if word(tap + k) & 0x8080_8080 != 0 {
                        left.add(_mm256_and_si256(values, topBit), leftWeights)
                        right.add(_mm256_and_si256(values, topBit), rightWeights)
                    }
                    w += 64
                    k &+= 4
                }
                tap += tapStride
                t &+= 1
            }
            let m = parameters + 64
            let first = words(left.low, left.high, loadFloats256(m), loadFloats256(m + 32))
            let second = words(right.low, right.high, loadFloats256(m + panel), loadFloats256(m + (panel &+ 32)))
            store256(bytes(first, second), out + n)
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
            var (s0, s1) = (load256(parameters), load256(parameters + 32))
            var (t0, t1) = (_mm256_setzero_si256(), _mm256_setzero_si256())
            var p = UnsafeRawPointer(a)
            while w < parameters {
                let values = broadcast256(p)
                let (x, y) = (_mm256_and_si256(values, lowSevenBits), _mm256_and_si256(values, topBit))
                let (w0, w1) = (load256(w), load256(w + 32))
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
            target.storeBytes(of: _mm256_mul_ps(first, loadFloats256(parameters + 64)), as: __m256.self)
            (target + 32).storeBytes(of: _mm256_mul_ps(second, loadFloats256(parameters + 96)), as: __m256.self)
            w = parameters + 128
            n &+= 16
        }
    }
#endif
