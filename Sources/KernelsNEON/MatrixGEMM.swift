#if arch(arm64)
    import _Builtin_intrinsics.arm.neon
    import KernelInterface

    // The matrix product of the tier with FEAT_I8MM. Its instruction multiplies two rows by two channels, eight deep. A
    // tile is eight rows by eight channels: sixteen sums of 2x2, four vectors of two rows, one of two channels at a
    // time. The last tile may have fewer rows; its last row is then repeated.
    //
    // A single row uses the dot product on the same weights: a row's eight values in both halves of a vector against
    // two channels; the halves of every channel are added at the end.
    //
    // Packed, for each eight channels: weights [depth / 8][8][8], 8 biases, 8 multipliers; channels and depth past the
    // last are 0.

    /// Bytes of the weights of eight channels.
    @inline(__always)
    private func weightBytes(_ depth: Int) -> Int { (depth &+ 7) / 8 &* 64 }

    @inline(__always)
    private func blockBytes(_ depth: Int) -> Int { weightBytes(depth) &+ 64 }

    /// What `Int8Kernels.packGEMM` writes.
    var matrixLayout: WeightLayout { WeightLayout(width: 8, group: 8, channelMultiple: 16, vectors: 2) }

    /// See `Int8Kernels.GEMM`.
    @c(gk_gemm_u8s8_8x8_i8mm) @export(interface) @inline(never)
    func gemmI8MM(
        _ a: UnsafePointer<UInt8>, _ aStride: Int, _ rows: Int,
        _ taps: Int, _ tapStride: Int, _ depth: Int, _ columns: Int, _ packed: UnsafeRawPointer,
        _ out: UnsafeMutablePointer<UInt8>, _ outStride: Int
    ) {
        var block = packed
        var n = 0
        while n < columns {
            var source = UnsafeRawPointer(a)
            var target = UnsafeMutableRawPointer(out + n)
            var row = 0
            if taps == 1 {
                while row &+ 2 <= rows {
                    eightRows(source, aStride, rows &- row, depth, block, target, outStride)
                    source += 8 &* aStride
                    target += 8 &* outStride
                    row &+= 8
                }
            }
            while row < rows {
                oneRow(source, taps, tapStride, depth, block)
                    .store(block + weightBytes(taps &* depth), target)
                source += aStride
                target += outStride
                row &+= 1
            }
            block += blockBytes(taps &* depth)
            n &+= 8
        }
    }

    /// See `Int8Kernels.Classify`. The parameters are packed as those of the matrix product.
    @c(gk_classify_u8s8_i8mm) @export(interface) @inline(never)
    func classifyI8MM(
        _ a: UnsafePointer<UInt8>, _ depth: Int, _ columns: Int, _ packed: UnsafeRawPointer,
        _ out: UnsafeMutablePointer<Float>
    ) {
        var block = packed
        var n = 0
        while n < (columns &+ 15) / 16 &* 16 {
            oneRow(UnsafeRawPointer(a), 1, 0, depth, block).storeFloats(block + weightBytes(depth), out + n)
            block += blockBytes(depth)
            n &+= 8
        }
    }

    /// Two rows by eight channels, two channels a vector: [row 0, row 0, row 1, row 1].
    private struct TwoRows {
        var s01, s23, s45, s67: int32x4_t

        @inline(__always)
        init() {
            s01 = vdupq_n_s32(0)
            s23 = s01
            s45 = s01
            s67 = s01
        }

        @inline(__always)
        func row0(_ parameters: UnsafeRawPointer) -> Eight {
            Eight(lowHalves(s01, s23), lowHalves(s45, s67)).plus(Eight(parameters))
        }

        @inline(__always)
        func row1(_ parameters: UnsafeRawPointer) -> Eight {
            Eight(highHalves(s01, s23), highHalves(s45, s67)).plus(Eight(parameters))
        }
    }

    @inline(__always)
    func lowHalves(_ a: int32x4_t, _ b: int32x4_t) -> int32x4_t {
        vreinterpretq_s32_s64(vzip1q_s64(vreinterpretq_s64_s32(a), vreinterpretq_s64_s32(b)))
    }

    @inline(__always)
    func highHalves(_ a: int32x4_t, _ b: int32x4_t) -> int32x4_t {
        vreinterpretq_s32_s64(vzip2q_s64(vreinterpretq_s64_s32(a), vreinterpretq_s64_s32(b)))
    }

    /// Eight of depth of two rows, the second after the first.
    @inline(__always)
    private func pair(_ p: UnsafeRawPointer, _ q: UnsafeRawPointer) -> uint8x16_t {
        vcombine_u8(p.loadUnaligned(as: uint8x8_t.self), q.loadUnaligned(as: uint8x8_t.self))
    }

    /// Four of depth of two rows, each followed by four zeros.
    @inline(__always)
    private func shortPair(_ p: UnsafeRawPointer, _ q: UnsafeRawPointer) -> uint8x16_t {
        vreinterpretq_u8_u64(vzip1q_u64(vdupq_n_u64(UInt64(word(p))), vdupq_n_u64(UInt64(word(q)))))
    }

    /// Up to eight rows.
    /// - rows: the number of rows, 1 or more.
    @inline(__always)
    private func eightRows(
        _ a: UnsafeRawPointer, _ aStride: Int, _ rows: Int, _ depth: Int, _ block: UnsafeRawPointer,
        _ out: UnsafeMutableRawPointer, _ outStride: Int
    ) {
        let last = rows > 8 ? 7 : rows &- 1
        let r0 = a
        let r1 = a + min(1, last) &* aStride
        let r2 = a + min(2, last) &* aStride
        let r3 = a + min(3, last) &* aStride
        let r4 = a + min(4, last) &* aStride
        let r5 = a + min(5, last) &* aStride
        let r6 = a + min(6, last) &* aStride
        let r7 = a + last &* aStride
        var (t0, t2, t4, t6) = (TwoRows(), TwoRows(), TwoRows(), TwoRows())
        var w = block
        var k = 0
        while k &+ 8 <= depth {
            let (x0, x2) = (pair(r0 + k, r1 + k), pair(r2 + k, r3 + k))
            let (x4, x6) = (pair(r4 + k, r5 + k), pair(r6 + k, r7 + k))
            multiply(&t0, &t2, &t4, &t6, x0, x2, x4, x6, w)
            w += 64
            k &+= 8
        }
        if k < depth {
            let (x0, x2) = (shortPair(r0 + k, r1 + k), shortPair(r2 + k, r3 + k))
            let (x4, x6) = (shortPair(r4 + k, r5 + k), shortPair(r6 + k, r7 + k))
            multiply(&t0, &t2, &t4, &t6, x0, x2, x4, x6, w)
        }
        let parameters = block + weightBytes(depth)
        // Repeated rows write the same bytes as the last row, to the same address.
        t0.row0(parameters).store(parameters, out)
        t0.row1(parameters).store(parameters, out + min(1, last) &* outStride)
        t2.row0(parameters).store(parameters, out + min(2, last) &* outStride)
        t2.row1(parameters).store(parameters, out + min(3, last) &* outStride)
        t4.row0(parameters).store(parameters, out + min(4, last) &* outStride)
        t4.row1(parameters).store(parameters, out + min(5, last) &* outStride)
        t6.row0(parameters).store(parameters, out + min(6, last) &* outStride)
        t6.row1(parameters).store(parameters, out + last &* outStride)
    }

    @inline(__always)
    private func min(_ a: Int, _ b: Int) -> Int { a < b ? a : b }

    @inline(__always)
    private func multiply(
        _ t0: inout TwoRows, _ t2: inout TwoRows, _ t4: inout TwoRows, _ t6: inout TwoRows,
        _ x0: uint8x16_t, _ x2: uint8x16_t, _ x4: uint8x16_t, _ x6: uint8x16_t, _ weights: UnsafeRawPointer
    ) {
        var w = loadWeights(weights)
        t0.s01 = vusmmlaq_s32(t0.s01, x0, w)
        t2.s01 = vusmmlaq_s32(t2.s01, x2, w)
        t4.s01 = vusmmlaq_s32(t4.s01, x4, w)
        t6.s01 = vusmmlaq_s32(t6.s01, x6, w)
        w = loadWeights(weights + 16)
        t0.s23 = vusmmlaq_s32(t0.s23, x0, w)
        t2.s23 = vusmmlaq_s32(t2.s23, x2, w)
        t4.s23 = vusmmlaq_s32(t4.s23, x4, w)
        t6.s23 = vusmmlaq_s32(t6.s23, x6, w)
        w = loadWeights(weights + 32)
        t0.s45 = vusmmlaq_s32(t0.s45, x0, w)
        t2.s45 = vusmmlaq_s32(t2.s45, x2, w)
        t4.s45 = vusmmlaq_s32(t4.s45, x4, w)
        t6.s45 = vusmmlaq_s32(t6.s45, x6, w)
        w = loadWeights(weights + 48)
        t0.s67 = vusmmlaq_s32(t0.s67, x0, w)
        t2.s67 = vusmmlaq_s32(t2.s67, x2, w)
        t4.s67 = vusmmlaq_s32(t4.s67, x4, w)
        t6.s67 = vusmmlaq_s32(t6.s67, x6, w)
    }

    /// Reads the values of a row in fours through its taps, and gives 0 past the end.
    private struct Codes {
        private var p: UnsafeRawPointer
        private var left: Int
        private var taps: Int
        private let depth, tapStride: Int

        @inline(__always)
        init(_ a: UnsafeRawPointer, _ taps: Int, _ tapStride: Int, _ depth: Int) {
            p = a
            left = depth
            self.taps = taps
            self.depth = depth
            self.tapStride = tapStride
        }

        @inline(__always)
        mutating func four() -> UInt64 {
            if left == 0 {
                taps &-= 1
                p += tapStride &- depth
                left = depth
            }
            guard taps > 0 else { return 0 }
            let four = UInt64(word(p))
            p += 4
            left &-= 4
            return four
        }
    }

    /// Sums of a row in halves: a depth of eight gives two lanes per channel.
    private struct Halves {
        var s01, s23, s45, s67: int32x4_t

        @inline(__always)
        init() {
            s01 = vdupq_n_s32(0)
            s23 = s01
            s45 = s01
            s67 = s01
        }

        /// - codes: the same eight values in both halves.
        @inline(__always)
        mutating func add(_ codes: uint8x16_t, _ weights: UnsafeRawPointer) {
            s01 = Dot.mixed.sum(s01, codes, loadWeights(weights))
            s23 = Dot.mixed.sum(s23, codes, loadWeights(weights + 16))
            s45 = Dot.mixed.sum(s45, codes, loadWeights(weights + 32))
            s67 = Dot.mixed.sum(s67, codes, loadWeights(weights + 48))
        }

        @inline(__always)
        var whole: Eight { Eight(vpaddq_s32(s01, s23), vpaddq_s32(s45, s67)) }
    }

    @inline(__always)
    private func oneRow(
        _ a: UnsafeRawPointer, _ taps: Int, _ tapStride: Int, _ depth: Int, _ block: UnsafeRawPointer
    ) -> Eight {
        let parameters = block + weightBytes(taps &* depth)
        var (sums, others) = (Halves(), Halves())
        var w = block
        if depth % 16 == 0 {
            var tap = a
            var t = 0
            while t < taps {
                var k = 0
                while k < depth {
                    let x = (tap + k).loadUnaligned(as: uint64x2_t.self)
                    sums.add(vreinterpretq_u8_u64(vdupq_n_u64(x.x)), w)
                    others.add(vreinterpretq_u8_u64(vdupq_n_u64(x.y)), w + 64)
                    w += 128
                    k &+= 16
                }
                tap += tapStride
                t &+= 1
            }
        } else {
            var codes = Codes(a, taps, tapStride, depth)
            while w < parameters {
                let low = codes.four()
                let high = codes.four()
                sums.add(vreinterpretq_u8_u64(vdupq_n_u64(low | high &<< 32)), w)
                w += 64
            }
        }
        return sums.whole.plus(others.whole).plus(Eight(parameters))
    }
#endif
