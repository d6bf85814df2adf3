#if arch(arm64)
    import _Builtin_intrinsics.arm.neon
    package import KernelInterface

    extension NEONTier {
        /// The float32 kernels of every arm64 CPU.
        @export(interface) @inline(never)
        package static func floatKernels() -> FloatKernels {
            FloatKernels(
                stem: floatStem, depthwise3x3: floatDepthwise3x3, depthwise7x7: floatDepthwise7x7,
                biasReLU6: floatBiasReLU6,
                matrix: FloatMatrix(layout: floatConvolutionLayout, multiply: floatGEMM))
        }
    }

    // What the float kernels share, besides Vectors.swift.

    @inline(always)
    func storeFloats(_ v: float32x4_t, _ p: UnsafeMutableRawPointer) { p.storeBytes(of: v, as: float32x4_t.self) }

    @inline(always)
    func relu6(_ v: float32x4_t) -> float32x4_t { vminq_f32(vmaxq_f32(v, vdupq_n_f32(0)), vdupq_n_f32(6)) }

    /// The activation of a panel of channels, as `WeightLayout.Trailer.slopeKind` says: most need less than `general`.
    enum Activation {
        /// `min(max(v, 0) + slope * min(v, 0), upper)`
        @inline(always) static var general: Int { 0 }
        /// All slopes are 0.
        @inline(always) static var relu: Int { 1 }
        /// All slopes are 1.
        @inline(always) static var linear: Int { 2 }

        /// - kind: one of the above.
        @inline(always)
        static func apply(
            _ kind: Int, _ v: float32x4_t, _ slope: float32x4_t, _ upper: float32x4_t
        ) -> float32x4_t {
            if kind == linear { return vminq_f32(v, upper) }
            let zero = vdupq_n_f32(0)
            if kind == relu { return vminq_f32(vmaxq_f32(v, zero), upper) }
            return vminq_f32(vfmaq_f32(vmaxq_f32(v, zero), vminq_f32(v, zero), slope), upper)
        }
    }

    // MARK: Stem

    /// See `FloatKernels.Stem`. Four output pixels of sixteen channels at a time. The sums are of bytes; 1/255
    /// multiplies them at the end.
    @c(gk_stem_f32_neon) @export(interface) @inline(never)
    func floatStem(
        _ frame: UnsafePointer<UInt8>, _ weights: UnsafePointer<Float>, _ bias: UnsafePointer<Float>,
        _ out: UnsafeMutablePointer<Float>, _ outStride: Int
    ) {
        let (weights, bias) = (UnsafeRawPointer(weights), UnsafeRawPointer(bias))
        var y = 0
        while y < 112 {
            // The row above the first is padding, which adds nothing.
            let first = y == 0 ? 1 : 0
            let top = UnsafeRawPointer(frame) + (2 &* y &- 1 &+ first) &* 224
            var target = UnsafeMutableRawPointer(out + y &* outStride)
            var x = 0
            while x < 224 {
                var sums = StemSums()
                var (row, w) = (top + x, weights + 192 &* first)
                var r = first
                while r < 3 {
                    // The left neighbour of eight input pixels; outside the frame it is 0.
                    let left = x == 0 ? 0 : Float((row - 1).load(as: UInt8.self))
                    let words = vmovl_u8(row.loadUnaligned(as: uint8x8_t.self))
                    let low = vcvtq_f32_u32(vmovl_u16(vget_low_u16(words)))
                    let high = vcvtq_f32_u32(vmovl_u16(vget_high_u16(words)))
                    sums.add(left, low.y, low.w, high.y, w)
                    sums.add(low.x, low.z, high.x, high.z, w + 64)
                    sums.add(low.y, low.w, high.y, high.w, w + 128)
                    row += 224
                    w += 192
                    r &+= 1
                }
                sums.store(bias, target)
                target += 256
                x &+= 8
            }
            y &+= 1
        }
    }

    /// The sums of four output pixels of sixteen channels.
    private struct StemSums {
        private var a, b, c, d: Pixel

        private struct Pixel {
            var s0, s1, s2, s3: float32x4_t

            @inline(always)
            init() {
                s0 = vdupq_n_f32(0)
                (s1, s2, s3) = (s0, s0, s0)
            }

            @inline(always)
            mutating func add(
                _ x: Float, _ w0: float32x4_t, _ w1: float32x4_t, _ w2: float32x4_t, _ w3: float32x4_t
            ) {
                s0 = vfmaq_n_f32(s0, w0, x)
                s1 = vfmaq_n_f32(s1, w1, x)
                s2 = vfmaq_n_f32(s2, w2, x)
                s3 = vfmaq_n_f32(s3, w3, x)
            }

            @inline(always)
            func store(_ bias: UnsafeRawPointer, _ out: UnsafeMutableRawPointer) {
                let scale = vdupq_n_f32(1 / 255)
                storeFloats(relu6(vfmaq_f32(loadFloats(bias), s0, scale)), out)
                storeFloats(relu6(vfmaq_f32(loadFloats(bias + 16), s1, scale)), out + 16)
                storeFloats(relu6(vfmaq_f32(loadFloats(bias + 32), s2, scale)), out + 32)
                storeFloats(relu6(vfmaq_f32(loadFloats(bias + 48), s3, scale)), out + 48)
            }
        }

        @inline(always)
        init() { (a, b, c, d) = (Pixel(), Pixel(), Pixel(), Pixel()) }

        /// Adds one tap of four pixels.
        @inline(always)
        mutating func add(_ xa: Float, _ xb: Float, _ xc: Float, _ xd: Float, _ w: UnsafeRawPointer) {
            let (w0, w1, w2, w3) = (loadFloats(w), loadFloats(w + 16), loadFloats(w + 32), loadFloats(w + 48))
            a.add(xa, w0, w1, w2, w3)
            b.add(xb, w0, w1, w2, w3)
            c.add(xc, w0, w1, w2, w3)
            d.add(xd, w0, w1, w2, w3)
        }

        @inline(always)
        func store(_ bias: UnsafeRawPointer, _ out: UnsafeMutableRawPointer) {
            a.store(bias, out)
            b.store(bias, out + 64)
            c.store(bias, out + 128)
            d.store(bias, out + 192)
        }
    }

    // MARK: Epilogue

    /// See `FloatKernels.BiasReLU6`.
    @c(gk_biasrelu6_f32_neon) @export(interface) @inline(never)
    func floatBiasReLU6(
        _ values: UnsafePointer<Float>, _ rows: Int, _ columns: Int, _ bias: UnsafePointer<Float>,
        _ out: UnsafeMutablePointer<Float>
    ) {
        var (p, q) = (UnsafeRawPointer(values), UnsafeMutableRawPointer(out))
        let bytes = 4 &* columns
        var left = rows
        while left > 0 {
            var n = 0
            while n < bytes {
                let b = UnsafeRawPointer(bias) + n
                storeFloats(relu6(vaddq_f32(loadFloats(p + n), loadFloats(b))), q + n)
                storeFloats(relu6(vaddq_f32(loadFloats(p + (n &+ 16)), loadFloats(b + 16))), q + (n &+ 16))
                storeFloats(relu6(vaddq_f32(loadFloats(p + (n &+ 32)), loadFloats(b + 32))), q + (n &+ 32))
                storeFloats(relu6(vaddq_f32(loadFloats(p + (n &+ 48)), loadFloats(b + 48))), q + (n &+ 48))
                n &+= 64
            }
            p += bytes
            q += bytes
            left &-= 1
        }
    }
#endif
