#if arch(arm64)
    import _Builtin_intrinsics.arm.neon
    import KernelInterface

    // The matrix product of the tier with FEAT_DotProd. A tile is seven rows by eight channels: fourteen sums, two
    // vectors of weights for each four of depth, and sixteen values of each row, of which the instruction broadcasts
    // four at a time to every lane. Seven divides every row length of the network (56, 28, 14, 7).
    //
    // Packed, for each eight channels: weights [depth / 4][8][4], 8 biases, 8 multipliers; channels past the last are
    // 0.

    /// What `Int8Kernels.packGEMM` writes.
    var dotProductLayout: WeightLayout {
        WeightLayout(width: 8, group: 4, channelMultiple: 16, vectors: 2, correction: Dot.flipped.correction)
    }

    /// See `Int8Kernels.GEMM`.
    @c(gk_gemm_u8s8_7x8_dotprod) @export(interface) @inline(never)
    func gemmDotProd(
        _ a: UnsafePointer<UInt8>, _ aStride: Int, _ rows: Int,
        _ taps: Int, _ tapStride: Int, _ depth: Int, _ columns: Int, _ packed: UnsafeRawPointer,
        _ out: UnsafeMutablePointer<UInt8>, _ outStride: Int
    ) { DotProductTiles.multiply(a, aStride, rows, taps, tapStride, depth, columns, packed, out, outStride) }

    /// See `Int8Kernels.Classify`.
    @c(gk_classify_u8s8_dotprod) @export(interface) @inline(never)
    func classifyDotProd(
        _ a: UnsafePointer<UInt8>, _ depth: Int, _ columns: Int, _ packed: UnsafeRawPointer,
        _ out: UnsafeMutablePointer<Float>
    ) { DotProductTiles.classify(a, depth, columns, packed, out) }

    /// How a tier with a product of bytes computes eight channels of a matrix product.
    protocol EightChannels {
        /// Bytes of the weights of eight channels.
        static func weightBytes(_ depth: Int) -> Int
        /// The rows of the next tile when `left` are left; 1 for a row by itself.
        static func rows(_ left: Int) -> Int
        /// Rows of a tile, whose number `rows` gave.
        static func putRows(
            _ rows: Int, _ a: UnsafeRawPointer, _ aStride: Int, _ depth: Int, _ block: UnsafeRawPointer,
            _ out: UnsafeMutableRawPointer, _ outStride: Int)
        static func row(
            _ a: UnsafeRawPointer, _ taps: Int, _ tapStride: Int, _ depth: Int, _ block: UnsafeRawPointer
        ) -> Eight
    }

    extension EightChannels {
        /// See `Int8Kernels.GEMM`.
        @inline(always)
        static func multiply(
            _ a: UnsafePointer<UInt8>, _ aStride: Int, _ rows: Int,
            _ taps: Int, _ tapStride: Int, _ depth: Int, _ columns: Int, _ packed: UnsafeRawPointer,
            _ out: UnsafeMutablePointer<UInt8>, _ outStride: Int
        ) {
            let weightBytes = weightBytes(taps &* depth)
            var block = packed
            var n = 0
            while n < columns {
                var source = UnsafeRawPointer(a)
                var target = UnsafeMutableRawPointer(out + n)
                var left = rows
                while left > 0 {
                    let count = taps == 1 ? self.rows(left) : 1
                    if count > 1 {
                        putRows(count, source, aStride, depth, block, target, outStride)
                    } else {
                        row(source, taps, tapStride, depth, block).store(block + weightBytes, target)
                    }
                    source += count &* aStride
                    target += count &* outStride
                    left &-= count
                }
                block += weightBytes &+ 64
                n &+= 8
            }
        }

        /// See `Int8Kernels.Classify`. The parameters are packed as those of the matrix product.
        @inline(always)
        static func classify(
            _ a: UnsafePointer<UInt8>, _ depth: Int, _ columns: Int, _ packed: UnsafeRawPointer,
            _ out: UnsafeMutablePointer<Float>
        ) {
            var block = packed
            var n = 0
            while n < (columns &+ 15) / 16 &* 16 {
                row(UnsafeRawPointer(a), 1, 0, depth, block).storeFloats(block + weightBytes(depth), out + n)
                block += weightBytes(depth) &+ 64
                n &+= 8
            }
        }
    }

    extension Eight {
        /// Adds four of depth: the same values in every lane, the weights `[8][4]`.
        @inline(always)
        fileprivate mutating func add(_ values: Int32, _ w0: int8x16_t, _ w1: int8x16_t) {
            let x = vreinterpretq_u8_s32(vdupq_n_s32(values))
            s0 = Dot.flipped.sum(s0, x, w0)
            s1 = Dot.flipped.sum(s1, x, w1)
        }
    }

    /// Sixteen values as four groups of four, as multiplied.
    @inline(always)
    private func groups(_ p: UnsafeRawPointer) -> int32x4_t { vreinterpretq_s32_u8(Dot.flipped.load(p)) }

    /// Four values, as multiplied.
    @inline(always)
    private func group(_ p: UnsafeRawPointer) -> Int32 { Int32(bitPattern: word(p) ^ 0x8080_8080) }

    private enum DotProductTiles: EightChannels {
        @inline(always) static func weightBytes(_ depth: Int) -> Int { 8 &* depth }
        @inline(always) static func rows(_ left: Int) -> Int { left > 6 ? 7 : 1 }

        @inline(always)
        static func putRows(
            _ rows: Int, _ a: UnsafeRawPointer, _ aStride: Int, _ depth: Int, _ block: UnsafeRawPointer,
            _ out: UnsafeMutableRawPointer, _ outStride: Int
        ) {
            let parameters = block + 8 &* depth
            var sums = RegisterArray(repeating: Eight(parameters))
            let at = RegisterArray(7) { a + $0 &* aStride }
            var w = block
            var k = 0

            @inline(always)
            func add(_ values: (_ row: Int) -> Int32, _ w: UnsafeRawPointer) {
                let (w0, w1) = (loadWeights(w), loadWeights(w + 16))
                sums.update(7) { $0.add(values($1), w0, w1) }
            }
            while k &+ 16 <= depth {
                let x = RegisterArray(7) { groups(at[$0] + k) }
                add({ x[$0].x }, w)
                add({ x[$0].y }, w + 32)
                add({ x[$0].z }, w + 64)
                add({ x[$0].w }, w + 96)
                w += 128
                k &+= 16
            }
            while k < depth {
                add({ group(at[$0] + k) }, w)
                w += 32
                k &+= 4
            }
            sums.forEach(7) { $0.store(parameters, out + $1 &* outStride) }
        }

        /// Eight chains: two vectors of channels times four groups of depth.
        @inline(always)
        static func row(
            _ a: UnsafeRawPointer, _ taps: Int, _ tapStride: Int, _ depth: Int, _ block: UnsafeRawPointer
        ) -> Eight {
            let bias = Eight(block + 8 &* taps &* depth)
            var sums = RegisterArray(4) { $0 == 0 ? bias : Eight() }
            var w = block
            var tap = a
            var t = 0
            while t < taps {
                var k = 0
                while k &+ 16 <= depth {
                    let x = groups(tap + k)
                    sums.update(4) {
                        let values = $1 < 2 ? ($1 == 0 ? x.x : x.y) : ($1 == 2 ? x.z : x.w)
                        $0.add(values, loadWeights(w + 32 &* $1), loadWeights(w + (32 &* $1 &+ 16)))
                    }
                    w += 128
                    k &+= 16
                }
                while k < depth {
                    sums.update(1) { sum, _ in sum.add(group(tap + k), loadWeights(w), loadWeights(w + 16)) }
                    w += 32
                    k &+= 4
                }
                tap += tapStride
                t &+= 1
            }
            return sums[0].plus(sums[1]).plus(sums[2].plus(sums[3]))
        }
    }
#endif
