#if arch(arm64)
    import _Builtin_intrinsics.arm.neon
    package import KernelInterface

    // Sixteen elements at a time, then eight: maps of a few channels are resized pixel by pixel. Elements after these are
    // computed one by one, by the same instructions.
    //
    // A value's float is 2^23 plus the value, whose bits are the value's below those of 2^23, less 2^23. In the other
    // direction, 2^23 plus a float of 0...255 rounds it half to even, and the lowest byte is the integer. Both are two
    // instructions of any pipe, where a conversion may occupy one pipe for two cycles.

    extension NEONTier {
        @export(interface) @inline(never)
        package static func mapKernels() -> MapKernels {
            MapKernels(
                add: addQuantised, maxPool: maxPoolQuantised, interpolateColumns: interpolateColumns,
                interpolateRows: interpolateRows)
        }
    }

    /// See `MapKernels.Add`.
    @c(gk_add_q8_neon) @export(interface) @inline(never)
    func addQuantised(
        _ a: UnsafePointer<UInt8>, _ b: UnsafePointer<UInt8>, _ count: Int, _ p: UnsafePointer<Float>,
        _ out: UnsafeMutablePointer<UInt8>
    ) {
        let (aZero, aScale) = (vdupq_n_f32(p[0]), vdupq_n_f32(p[1]))
        let (bZero, bScale) = (vdupq_n_f32(p[2]), vdupq_n_f32(p[3]))
        let (scale, zero) = (vdupq_n_f32(p[4]), vdupq_n_f32(p[5]))

        @inline(always)
        func sum(_ a: float32x4_t, _ b: float32x4_t) -> float32x4_t {
            let both = vaddq_f32(
                vmulq_f32(vsubq_f32(a, aZero), aScale), vmulq_f32(vsubq_f32(b, bZero), bScale))
            return vaddq_f32(vdivq_f32(both, scale), zero)
        }
        var i = 0
        while i &+ 16 <= count {
            let (x, y) = (SixteenFloats(a + i), SixteenFloats(b + i))
            let sums = SixteenFloats(sum(x.v0, y.v0), sum(x.v1, y.v1), sum(x.v2, y.v2), sum(x.v3, y.v3))
            sums.storeQuantised(out + i)
            i &+= 16
        }
        if i &+ 8 <= count {
            let (x, y) = (EightFloats(a + i), EightFloats(b + i))
            EightFloats(sum(x.v0, y.v0), sum(x.v1, y.v1)).storeQuantised(out + i)
            i &+= 8
        }
        while i < count {
            out[i] = quantised(sum(vdupq_n_f32(Float(a[i])), vdupq_n_f32(Float(b[i]))))
            i &+= 1
        }
    }

    /// See `MapKernels.MaxPool`.
    @c(gk_maxpool_q8_neon) @export(interface) @inline(never)
    func maxPoolQuantised(
        _ input: UnsafePointer<UInt8>, _ row: Int, _ pixel: Int, _ height: Int, _ width: Int, _ step: Int,
        _ pixels: Int, _ channels: Int, _ out: UnsafeMutablePointer<UInt8>, _ outPixel: Int
    ) {
        var from = UnsafeRawPointer(input)
        var to = UnsafeMutableRawPointer(out)
        var x = 0
        while x < pixels {
            var c = 0
            while c &+ 16 <= channels {
                var largest = (from + c).loadUnaligned(as: uint8x16_t.self)
                var v = 0
                while v < height {
                    var u = 0
                    while u < width {
                        let other = (from + (c &+ v &* row &+ u &* pixel)).loadUnaligned(as: uint8x16_t.self)
                        largest = vmaxq_u8(largest, other)
                        u &+= 1
                    }
                    v &+= 1
                }
                to.storeBytes(of: largest, toByteOffset: c, as: uint8x16_t.self)
                c &+= 16
            }
            while c < channels {
                var largest: UInt8 = 0
                var v = 0
                while v < height {
                    var u = 0
                    while u < width {
                        let value = (from + (c &+ v &* row &+ u &* pixel)).load(as: UInt8.self)
                        if value > largest { largest = value }
                        u &+= 1
                    }
                    v &+= 1
                }
                to.storeBytes(of: largest, toByteOffset: c, as: UInt8.self)
                c &+= 1
            }
            from += step
            to += outPixel
            x &+= 1
        }
    }

    /// See `MapKernels.InterpolateColumns`.
    @c(gk_interpolatecolumns_q8_neon) @export(interface) @inline(never)
    func interpolateColumns(
        _ a: UnsafePointer<UInt8>, _ b: UnsafePointer<UInt8>, _ share: Float, _ count: Int,
        _ out: UnsafeMutablePointer<Float>
    ) {
        let shares = vdupq_n_f32(share)
        var i = 0
        while i &+ 16 <= count {
            mixed(SixteenFloats(a + i), SixteenFloats(b + i), shares).store(out + i)
            i &+= 16
        }
        if i &+ 8 <= count {
            mixed(EightFloats(a + i), EightFloats(b + i), shares).store(out + i)
            i &+= 8
        }
        while i < count {
            out[i] = Float(a[i]) + share * (Float(b[i]) - Float(a[i]))
            i &+= 1
        }
    }

    /// See `MapKernels.InterpolateRows`.
    @c(gk_interpolaterows_q8_neon) @export(interface) @inline(never)
    func interpolateRows(
        _ a: UnsafePointer<Float>, _ b: UnsafePointer<Float>, _ share: Float, _ count: Int,
        _ out: UnsafeMutablePointer<UInt8>
    ) {
        let shares = vdupq_n_f32(share)
        var i = 0
        while i &+ 16 <= count {
            mixed(SixteenFloats(a + i), SixteenFloats(b + i), shares).storeQuantised(out + i)
            i &+= 16
        }
        if i &+ 8 <= count {
            mixed(EightFloats(a + i), EightFloats(b + i), shares).storeQuantised(out + i)
            i &+= 8
        }
        while i < count {
            out[i] = quantised(mixed(vdupq_n_f32(a[i]), vdupq_n_f32(b[i]), shares))
            i &+= 1
        }
    }

    /// Sixteen neighbouring elements as floats.
    private struct SixteenFloats {
        let v0, v1, v2, v3: float32x4_t

        @inline(always)
        init(_ v0: float32x4_t, _ v1: float32x4_t, _ v2: float32x4_t, _ v3: float32x4_t) {
            self.v0 = v0
            self.v1 = v1
            self.v2 = v2
            self.v3 = v3
        }

        @inline(always)
        init(_ p: UnsafePointer<UInt8>) {
            let values = UnsafeRawPointer(p).loadUnaligned(as: uint8x16_t.self)
            let low = vreinterpretq_u16_u8(vzip1q_u8(values, vdupq_n_u8(0)))
            let high = vreinterpretq_u16_u8(vzip2q_u8(values, vdupq_n_u8(0)))
            let exponents = vdupq_n_u16(0x4B00)
            let origin = vdupq_n_f32(8_388_608)
            v0 = vsubq_f32(vreinterpretq_f32_u16(vzip1q_u16(low, exponents)), origin)
            v1 = vsubq_f32(vreinterpretq_f32_u16(vzip2q_u16(low, exponents)), origin)
            v2 = vsubq_f32(vreinterpretq_f32_u16(vzip1q_u16(high, exponents)), origin)
            v3 = vsubq_f32(vreinterpretq_f32_u16(vzip2q_u16(high, exponents)), origin)
        }

        @inline(always)
        init(_ p: UnsafePointer<Float>) {
            v0 = loadFloats(p)
            v1 = loadFloats(p + 4)
            v2 = loadFloats(p + 8)
            v3 = loadFloats(p + 12)
        }

        @inline(always)
        func store(_ out: UnsafeMutablePointer<Float>) {
            let p = UnsafeMutableRawPointer(out)
            p.storeBytes(of: v0, as: float32x4_t.self)
            p.storeBytes(of: v1, toByteOffset: 16, as: float32x4_t.self)
            p.storeBytes(of: v2, toByteOffset: 32, as: float32x4_t.self)
            p.storeBytes(of: v3, toByteOffset: 48, as: float32x4_t.self)
        }

        @inline(always)
        func storeQuantised(_ out: UnsafeMutablePointer<UInt8>) {
            let low = vuzp1q_u16(rounded(v0), rounded(v1))
            let high = vuzp1q_u16(rounded(v2), rounded(v3))
            let bytes = vuzp1q_u8(vreinterpretq_u8_u16(low), vreinterpretq_u8_u16(high))
            UnsafeMutableRawPointer(out).storeBytes(of: bytes, as: uint8x16_t.self)
        }
    }

    /// Eight neighbouring elements as floats.
    private struct EightFloats {
        let v0, v1: float32x4_t

        @inline(always)
        init(_ v0: float32x4_t, _ v1: float32x4_t) {
            self.v0 = v0
            self.v1 = v1
        }

        @inline(always)
        init(_ p: UnsafePointer<UInt8>) {
            let values = UnsafeRawPointer(p).loadUnaligned(as: uint8x8_t.self)
            let words = vmovl_u8(values)
            let exponents = vdupq_n_u16(0x4B00)
            let origin = vdupq_n_f32(8_388_608)
            v0 = vsubq_f32(vreinterpretq_f32_u16(vzip1q_u16(words, exponents)), origin)
            v1 = vsubq_f32(vreinterpretq_f32_u16(vzip2q_u16(words, exponents)), origin)
        }

        @inline(always)
        init(_ p: UnsafePointer<Float>) {
            v0 = loadFloats(p)
            v1 = loadFloats(p + 4)
        }

        @inline(always)
        func store(_ out: UnsafeMutablePointer<Float>) {
            let p = UnsafeMutableRawPointer(out)
            p.storeBytes(of: v0, as: float32x4_t.self)
            p.storeBytes(of: v1, toByteOffset: 16, as: float32x4_t.self)
        }

        @inline(always)
        func storeQuantised(_ out: UnsafeMutablePointer<UInt8>) {
            let bytes = vmovn_u16(vuzp1q_u16(rounded(v0), rounded(v1)))
            UnsafeMutableRawPointer(out).storeBytes(of: bytes, as: uint8x8_t.self)
        }
    }

    /// `a + share * (b - a)`, every operation rounded by itself.
    @inline(always)
    private func mixed(_ a: float32x4_t, _ b: float32x4_t, _ share: float32x4_t) -> float32x4_t {
        vaddq_f32(a, vmulq_f32(share, vsubq_f32(b, a)))
    }

    @inline(always)
    private func mixed(_ a: SixteenFloats, _ b: SixteenFloats, _ share: float32x4_t) -> SixteenFloats {
        SixteenFloats(
            mixed(a.v0, b.v0, share), mixed(a.v1, b.v1, share), mixed(a.v2, b.v2, share), mixed(a.v3, b.v3, share))
    }

    @inline(always)
    private func mixed(_ a: EightFloats, _ b: EightFloats, _ share: float32x4_t) -> EightFloats {
        EightFloats(mixed(a.v0, b.v0, share), mixed(a.v1, b.v1, share))
    }

    /// Four integers in the lowest bytes of the lanes. The larger of NaN and 0, as numbers, is 0.
    @inline(always)
    private func rounded(_ v: float32x4_t) -> uint16x8_t {
        let clamped = vminq_f32(vmaxnmq_f32(v, vdupq_n_f32(0)), vdupq_n_f32(255))
        return vreinterpretq_u16_f32(vaddq_f32(clamped, vdupq_n_f32(8_388_608)))
    }

    /// The first lane's integer.
    @inline(always)
    private func quantised(_ v: float32x4_t) -> UInt8 { UInt8(truncatingIfNeeded: rounded(v)[0]) }
#endif
