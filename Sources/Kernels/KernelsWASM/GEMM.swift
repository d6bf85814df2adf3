#if arch(wasm32)
    import CWasmSIMD
    package import KernelInterface

    // Matrix products over channels. Eight values of the depth are widened by one load, and each two of them are then
    // in every lane: the rows are few, so widening them beforehand would not pay.
    //
    // Packed, for each sixteen channels: weights [depth / 2][16][2] as words, sixteen biases, sixteen multipliers.

    extension SIMD128Tier {
        /// The kernels of a temporal head are of this tier.
        /// - other: the kernels of the layers of an encoder, which no landmarks pass through.
        @export(interface) @inline(never)
        package static func int8Kernels(_ other: Int8Kernels) -> Int8Kernels {
            other.replacing(
                gemmLayout: WeightLayout(width: 16, group: 2, weightBytes: 2, vectors: 2), gemm: gemm,
                classify: classify)
        }
    }

    /// Bytes of the packed parameters of sixteen channels.
    @inline(always)
    private func panelBytes(_ depth: Int) -> Int { 32 &* depth &+ 128 }

    /// The sums of one row and sixteen channels.
    @inline(always)
    private func sums(
        _ row: UnsafePointer<UInt8>, _ taps: Int, _ tapStride: Int, _ depth: Int, _ panel: UnsafeRawPointer
    ) -> Sixteen {
        var s = Sixteen(panel + 32 &* taps &* depth)
        var w = panel

        @inline(always)
        func add(_ values: Vector, _ lane: Int) {
            let x = repeated(values, lane)
            (s.s0, s.s1) = (dot(s.s0, x, load(w)), dot(s.s1, x, load(w + 16)))
            (s.s2, s.s3) = (dot(s.s2, x, load(w + 32)), dot(s.s3, x, load(w + 48)))
            w += 64
        }
        var tap = 0
        while tap < taps {
            let p = UnsafeRawPointer(row + tap &* tapStride)
            var k = 0
            while k &+ 8 <= depth {
                let values = loadWords(p + k)
                add(values, 0)
                add(values, 1)
                add(values, 2)
                add(values, 3)
                k &+= 8
            }
            if k < depth {
                let values = wasm_u16x8_extend_low_u8x16(wasm_v128_load32_zero(p + k))
                add(values, 0)
                add(values, 1)
            }
            tap &+= 1
        }
        return s
    }

    /// See `Int8Kernels.GEMM`.
    @c(gk_gemm_u8s8_simd128) @export(interface) @inline(never)
    func gemm(
        _ a: UnsafePointer<UInt8>, _ aStride: Int, _ rows: Int,
        _ taps: Int, _ tapStride: Int, _ depth: Int, _ columns: Int, _ packed: UnsafeRawPointer,
        _ out: UnsafeMutablePointer<UInt8>, _ outStride: Int
    ) {
        var panel = packed
        var n = 0
        while n < columns {
            let multipliers = panel + (32 &* taps &* depth &+ 64)
            var row = 0
            while row < rows {
                let s = sums(a + row &* aStride, taps, tapStride, depth, panel)

                @inline(always)
                func requantised(_ sum: Vector, _ offset: Int) -> Vector {
                    quantised(wasm_f32x4_mul(wasm_f32x4_convert_i32x4(sum), load(multipliers + offset)))
                }
                store(
                    bytes(
                        requantised(s.s0, 0), requantised(s.s1, 16), requantised(s.s2, 32), requantised(s.s3, 48)),
                    UnsafeMutableRawPointer(out + (row &* outStride &+ n)))
                row &+= 1
            }
            panel += panelBytes(taps &* depth)
            n &+= 16
        }
    }

    /// See `Int8Kernels.Classify`.
    @c(gk_classify_u8s8_simd128) @export(interface) @inline(never)
    func classify(
        _ a: UnsafePointer<UInt8>, _ depth: Int, _ columns: Int, _ packed: UnsafeRawPointer,
        _ out: UnsafeMutablePointer<Float>
    ) {
        var panel = packed
        var n = 0
        while n < columns {
            let s = sums(a, 1, 0, depth, panel)
            let multipliers = panel + (32 &* depth &+ 64)
            let to = UnsafeMutableRawPointer(out + n)
            store(wasm_f32x4_mul(wasm_f32x4_convert_i32x4(s.s0), load(multipliers)), to)
            store(wasm_f32x4_mul(wasm_f32x4_convert_i32x4(s.s1), load(multipliers + 16)), to + 16)
            store(wasm_f32x4_mul(wasm_f32x4_convert_i32x4(s.s2), load(multipliers + 32)), to + 32)
            store(wasm_f32x4_mul(wasm_f32x4_convert_i32x4(s.s3), load(multipliers + 48)), to + 48)
            panel += panelBytes(depth)
            n &+= 16
        }
    }
#endif
