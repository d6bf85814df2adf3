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
    @inline(always)
    private func matrixWeightBytes(_ depth: Int) -> Int { (depth &+ 7) / 8 &* 64 }

    /// What `Int8Kernels.packGEMM` writes.
    var matrixLayout: WeightLayout { WeightLayout(width: 8, group: 8, channelMultiple: 16, vectors: 2) }

    /// See `Int8Kernels.GEMM`.
    @c(gk_gemm_u8s8_8x8_i8mm) @export(interface) @inline(never)
    func gemmI8MM(
        _ a: UnsafePointer<UInt8>, _ aStride: Int, _ rows: Int,
        _ taps: Int, _ tapStride: Int, _ depth: Int, _ columns: Int, _ packed: UnsafeRawPointer,
        _ out: UnsafeMutablePointer<UInt8>, _ outStride: Int
    ) { MatrixTiles.multiply(a, aStride, rows, taps, tapStride, depth, columns, packed, out, outStride) }

    /// See `Int8Kernels.Classify`.
    @c(gk_classify_u8s8_i8mm) @export(interface) @inline(never)
    func classifyI8MM(
        _ a: UnsafePointer<UInt8>, _ depth: Int, _ columns: Int, _ packed: UnsafeRawPointer,
        _ out: UnsafeMutablePointer<Float>
    ) { MatrixTiles.classify(a, depth, columns, packed, out) }

    private enum MatrixTiles: EightChannels {
        @inline(always) static func weightBytes(_ depth: Int) -> Int { matrixWeightBytes(depth) }
        @inline(always) static func rows(_ left: Int) -> Int { left < 8 ? left : 8 }

        /// Two rows by eight channels, two channels a vector: [row 0, row 0, row 1, row 1].
        @inline(always)
        static func putRows(
            _ rows: Int, _ a: UnsafeRawPointer, _ aStride: Int, _ depth: Int, _ block: UnsafeRawPointer,
            _ out: UnsafeMutableRawPointer, _ outStride: Int
        ) {
            // Past the last, rows repeat it. They write the same bytes to the same address.
            let (at, to) = (PixelOffsets(8, aStride, rows), PixelOffsets(8, outStride, rows))
            let zeros = RegisterArray(repeating: vdupq_n_s32(0))
            var sums = RegisterArray(repeating: zeros)
            var w = block
            var k = 0

            @inline(always)
            func add(_ values: (_ pair: Int) -> uint8x16_t) {
                let x = RegisterArray(4, values)
                unrolled(4) { channels in
                    let weights = loadWeights(w + 16 &* channels)
                    sums.update(4) { $0[channels] = vusmmlaq_s32($0[channels], x[$1], weights) }
                }
                w += 64
            }
            while k &+ 8 <= depth {
                add { pair(a + (at[2 &* $0] &+ k), a + (at[2 &* $0 &+ 1] &+ k)) }
                k &+= 8
            }
            if k < depth { add { shortPair(a + (at[2 &* $0] &+ k), a + (at[2 &* $0 &+ 1] &+ k)) } }
            let parameters = block + weightBytes(depth)
            let bias = Eight(parameters)
            sums.forEach(4) {
                let first = Eight(lowHalves($0[0], $0[1]), lowHalves($0[2], $0[3])).plus(bias)
                let second = Eight(highHalves($0[0], $0[1]), highHalves($0[2], $0[3])).plus(bias)
                first.store(parameters, out + to[2 &* $1])
                second.store(parameters, out + to[2 &* $1 &+ 1])
            }
        }

        @inline(always)
        static func row(
            _ a: UnsafeRawPointer, _ taps: Int, _ tapStride: Int, _ depth: Int, _ block: UnsafeRawPointer
        ) -> Eight { oneRow(a, taps, tapStride, depth, block) }
    }

    @inline(always)
    func lowHalves(_ a: int32x4_t, _ b: int32x4_t) -> int32x4_t {
        vreinterpretq_s32_s64(vzip1q_s64(vreinterpretq_s64_s32(a), vreinterpretq_s64_s32(b)))
    }

    @inline(always)
    func highHalves(_ a: int32x4_t, _ b: int32x4_t) -> int32x4_t {
        vreinterpretq_s32_s64(vzip2q_s64(vreinterpretq_s64_s32(a), vreinterpretq_s64_s32(b)))
    }

    /// Eight of depth of two rows, the second after the first.
    @inline(always)
    private func pair(_ p: UnsafeRawPointer, _ q: UnsafeRawPointer) -> uint8x16_t {
        vcombine_u8(p.loadUnaligned(as: uint8x8_t.self), q.loadUnaligned(as: uint8x8_t.self))
    }

    /// Four of depth of two rows, each followed by four zeros.
    @inline(always)
    private func shortPair(_ p: UnsafeRawPointer, _ q: UnsafeRawPointer) -> uint8x16_t {
        vreinterpretq_u8_u64(vzip1q_u64(vdupq_n_u64(UInt64(word(p))), vdupq_n_u64(UInt64(word(q)))))
    }

    /// Reads the values of a row in fours through its taps, and gives 0 past the end.
    private struct ValuesInFours {
        private var p: UnsafeRawPointer
        private var left: Int
        private var taps: Int
        private let depth, tapStride: Int

        @inline(always)
        init(_ a: UnsafeRawPointer, _ taps: Int, _ tapStride: Int, _ depth: Int) {
            p = a
            left = depth
            self.taps = taps
            self.depth = depth
            self.tapStride = tapStride
        }

        @inline(always)
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

        @inline(always)
        init() {
            s01 = vdupq_n_s32(0)
            s23 = s01
            s45 = s01
            s67 = s01
        }

        /// - values: the same eight values in both halves.
        @inline(always)
        mutating func add(_ values: uint8x16_t, _ weights: UnsafeRawPointer) {
            s01 = Dot.mixed.sum(s01, values, loadWeights(weights))
            s23 = Dot.mixed.sum(s23, values, loadWeights(weights + 16))
            s45 = Dot.mixed.sum(s45, values, loadWeights(weights + 32))
            s67 = Dot.mixed.sum(s67, values, loadWeights(weights + 48))
        }

        @inline(always)
        var whole: Eight { Eight(vpaddq_s32(s01, s23), vpaddq_s32(s45, s67)) }
    }

    @inline(always)
    private func oneRow(
        _ a: UnsafeRawPointer, _ taps: Int, _ tapStride: Int, _ depth: Int, _ block: UnsafeRawPointer
    ) -> Eight {
        let parameters = block + matrixWeightBytes(taps &* depth)
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
            var values = ValuesInFours(a, taps, tapStride, depth)
            while w < parameters {
                let low = values.four()
                let high = values.four()
                sums.add(vreinterpretq_u8_u64(vdupq_n_u64(low | high &<< 32)), w)
                w += 64
            }
        }
        return sums.whole.plus(others.whole).plus(Eight(parameters))
    }
#endif
