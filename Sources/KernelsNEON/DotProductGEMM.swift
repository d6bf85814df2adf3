#if arch(arm64)
    import _Builtin_intrinsics.arm.neon
    import KernelInterface

    // The matrix product of the tier with FEAT_DotProd. A tile is seven rows by eight channels: fourteen sums, two
    // vectors of weights for each four of depth, and sixteen values of each row, of which the instruction broadcasts
    // four at a time to every lane. Seven divides every row length of the network (56, 28, 14, 7).
    //
    // Packed, for each eight channels: weights [depth / 4][8][4], 8 biases, 8 multipliers; channels past the last are
    // 0.

    @inline(__always)
    private func blockBytes(_ depth: Int) -> Int { 8 &* depth &+ 64 }

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
    ) {
        var block = packed
        var n = 0
        while n < columns {
            var source = UnsafeRawPointer(a)
            var target = UnsafeMutableRawPointer(out + n)
            var row = 0
            if taps == 1 {
                while row &+ 7 <= rows {
                    sevenRows(source, aStride, depth, block, target, outStride)
                    source += 7 &* aStride
                    target += 7 &* outStride
                    row &+= 7
                }
            }
            while row < rows {
                oneRow(source, taps, tapStride, depth, block).store(block + 8 &* taps &* depth, target)
                source += aStride
                target += outStride
                row &+= 1
            }
            block += blockBytes(taps &* depth)
            n &+= 8
        }
    }

    /// See `Int8Kernels.Classify`. The parameters are packed as those of the matrix product.
    @c(gk_classify_u8s8_dotprod) @export(interface) @inline(never)
    func classifyDotProd(
        _ a: UnsafePointer<UInt8>, _ depth: Int, _ columns: Int, _ packed: UnsafeRawPointer,
        _ out: UnsafeMutablePointer<Float>
    ) {
        var block = packed
        var n = 0
        while n < (columns &+ 15) / 16 &* 16 {
            oneRow(UnsafeRawPointer(a), 1, 0, depth, block).storeFloats(block + 8 &* depth, out + n)
            block += blockBytes(depth)
            n &+= 8
        }
    }

    extension Eight {
        /// Adds four of depth: the same values in every lane, the weights `[8][4]`.
        @inline(__always)
        fileprivate mutating func add(_ codes: Int32, _ w0: int8x16_t, _ w1: int8x16_t) {
            let x = vreinterpretq_u8_s32(vdupq_n_s32(codes))
            s0 = Dot.flipped.sum(s0, x, w0)
            s1 = Dot.flipped.sum(s1, x, w1)
        }
    }

    /// Sixteen values as four groups of four, as multiplied.
    @inline(__always)
    private func groups(_ p: UnsafeRawPointer) -> int32x4_t { vreinterpretq_s32_u8(Dot.flipped.load(p)) }

    /// Four values, as multiplied.
    @inline(__always)
    private func group(_ p: UnsafeRawPointer) -> Int32 { Int32(bitPattern: word(p) ^ 0x8080_8080) }

    @inline(__always)
    private func sevenRows(
        _ a: UnsafeRawPointer, _ aStride: Int, _ depth: Int, _ block: UnsafeRawPointer,
        _ out: UnsafeMutableRawPointer, _ outStride: Int
    ) {
        let parameters = block + 8 &* depth
        let bias = Eight(parameters)
        var (t0, t1, t2, t3, t4, t5, t6) = (bias, bias, bias, bias, bias, bias, bias)
        let (r0, r1, r2, r3) = (a, a + aStride, a + 2 &* aStride, a + 3 &* aStride)
        let (r4, r5, r6) = (a + 4 &* aStride, a + 5 &* aStride, a + 6 &* aStride)
        var w = block
        var k = 0
        while k &+ 16 <= depth {
            let (x0, x1, x2, x3) = (groups(r0 + k), groups(r1 + k), groups(r2 + k), groups(r3 + k))
            let (x4, x5, x6) = (groups(r4 + k), groups(r5 + k), groups(r6 + k))
            var (w0, w1) = (loadWeights(w), loadWeights(w + 16))
            t0.add(x0.x, w0, w1)
            t1.add(x1.x, w0, w1)
            t2.add(x2.x, w0, w1)
            t3.add(x3.x, w0, w1)
            t4.add(x4.x, w0, w1)
            t5.add(x5.x, w0, w1)
            t6.add(x6.x, w0, w1)
            (w0, w1) = (loadWeights(w + 32), loadWeights(w + 48))
            t0.add(x0.y, w0, w1)
            t1.add(x1.y, w0, w1)
            t2.add(x2.y, w0, w1)
            t3.add(x3.y, w0, w1)
            t4.add(x4.y, w0, w1)
            t5.add(x5.y, w0, w1)
            t6.add(x6.y, w0, w1)
            (w0, w1) = (loadWeights(w + 64), loadWeights(w + 80))
            t0.add(x0.z, w0, w1)
            t1.add(x1.z, w0, w1)
            t2.add(x2.z, w0, w1)
            t3.add(x3.z, w0, w1)
            t4.add(x4.z, w0, w1)
            t5.add(x5.z, w0, w1)
            t6.add(x6.z, w0, w1)
            (w0, w1) = (loadWeights(w + 96), loadWeights(w + 112))
            t0.add(x0.w, w0, w1)
            t1.add(x1.w, w0, w1)
            t2.add(x2.w, w0, w1)
            t3.add(x3.w, w0, w1)
            t4.add(x4.w, w0, w1)
            t5.add(x5.w, w0, w1)
            t6.add(x6.w, w0, w1)
            w += 128
            k &+= 16
        }
        while k < depth {
            let (w0, w1) = (loadWeights(w), loadWeights(w + 16))
            t0.add(group(r0 + k), w0, w1)
            t1.add(group(r1 + k), w0, w1)
            t2.add(group(r2 + k), w0, w1)
            t3.add(group(r3 + k), w0, w1)
            t4.add(group(r4 + k), w0, w1)
            t5.add(group(r5 + k), w0, w1)
            t6.add(group(r6 + k), w0, w1)
            w += 32
            k &+= 4
        }
        t0.store(parameters, out)
        t1.store(parameters, out + outStride)
        t2.store(parameters, out + 2 &* outStride)
        t3.store(parameters, out + 3 &* outStride)
        t4.store(parameters, out + 4 &* outStride)
        t5.store(parameters, out + 5 &* outStride)
        t6.store(parameters, out + 6 &* outStride)
    }

    /// One row, eight chains: two vectors of channels times four groups of depth.
    @inline(__always)
    private func oneRow(
        _ a: UnsafeRawPointer, _ taps: Int, _ tapStride: Int, _ depth: Int, _ block: UnsafeRawPointer
    ) -> Eight {
        var t0 = Eight(block + 8 &* taps &* depth)
        var (t1, t2, t3) = (Eight(), Eight(), Eight())
        var w = block
        var tap = a
        var t = 0
        while t < taps {
            var k = 0
            while k &+ 16 <= depth {
                let x = groups(tap + k)
                t0.add(x.x, loadWeights(w), loadWeights(w + 16))
                t1.add(x.y, loadWeights(w + 32), loadWeights(w + 48))
                t2.add(x.z, loadWeights(w + 64), loadWeights(w + 80))
                t3.add(x.w, loadWeights(w + 96), loadWeights(w + 112))
                w += 128
                k &+= 16
            }
            while k < depth {
                t0.add(group(tap + k), loadWeights(w), loadWeights(w + 16))
                w += 32
                k &+= 4
            }
            tap += tapStride
            t &+= 1
        }
        return t0.plus(t1).plus(t2.plus(t3))
    }
#endif
