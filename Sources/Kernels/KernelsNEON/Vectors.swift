#if arch(arm64)
    import _Builtin_intrinsics.arm.neon

    // Short names for the operations that several kernels share. All are inlined, so nothing here has its own symbol.

    /// The instruction that multiplies values by weights, four neighbouring bytes a lane.
    ///
    /// FEAT_DotProd multiplies only bytes of equal sign. Its values are therefore read as `value - 128`, which is the
    /// value with its top bit flipped, and the packed bias is larger by `128 * sum(weights)`. Sums in int32 wrap, so
    /// the two cancel exactly. A zero must be flipped too: it is -128, not 0.
    struct Dot {
        fileprivate let flips: Bool

        /// `sdot`, FEAT_DotProd.
        @inline(always) static var flipped: Dot { Dot(flips: true) }
        /// `usdot`, FEAT_I8MM.
        @inline(always) static var mixed: Dot { Dot(flips: false) }

        @inline(always)
        private init(flips: Bool) { self.flips = flips }

        /// Values as loaded to values as multiplied.
        @inline(always)
        func operand(_ v: uint8x16_t) -> uint8x16_t { flips ? veorq_u8(v, vdupq_n_u8(0x80)) : v }

        /// Sixteen values at any address, as multiplied.
        @inline(always)
        func load(_ p: UnsafeRawPointer) -> uint8x16_t { operand(p.loadUnaligned(as: uint8x16_t.self)) }

        /// The same four values in every lane, as multiplied.
        @inline(always)
        func broadcast4(_ word: UInt32) -> uint8x16_t { operand(vreinterpretq_u8_u32(vdupq_n_u32(word))) }

        /// acc + the four products of each lane's values and weights. In `sdot` the values are the second operand: only
        /// that operand can be four of sixteen bytes, broadcast to every lane.
        @inline(always)
        func sum(_ acc: int32x4_t, _ values: uint8x16_t, _ weights: int8x16_t) -> int32x4_t {
            flips ? vdotq_s32(acc, weights, vreinterpretq_s8_u8(values)) : vusdotq_s32(acc, values, weights)
        }

        /// What one weight adds to the bias.
        @inline(always)
        var correction: Int32 { flips ? 128 : 0 }
    }

    @inline(always)
    func loadWeights(_ p: UnsafeRawPointer) -> int8x16_t { p.loadUnaligned(as: int8x16_t.self) }

    @inline(always)
    func loadInts(_ p: UnsafeRawPointer) -> int32x4_t { p.loadUnaligned(as: int32x4_t.self) }

    @inline(always)
    func loadFloats(_ p: UnsafeRawPointer) -> float32x4_t { p.loadUnaligned(as: float32x4_t.self) }

    /// Four bytes at any address.
    @inline(always)
    func word(_ p: UnsafeRawPointer) -> UInt32 { p.loadUnaligned(as: UInt32.self) }

    /// roundHalfEven(Float(acc) * multiplier), in 16 bits; out of range it saturates, as does the narrowing that
    /// follows.
    @inline(always)
    private func scaled(_ acc: int32x4_t, _ multiplier: float32x4_t) -> int16x4_t {
        vqmovn_s32(vcvtnq_s32_f32(vmulq_f32(vcvtq_f32_s32(acc), multiplier)))
    }

    /// Eight results, clamped to 0...255.
    @inline(always)
    func requantised(_ s0: int32x4_t, _ s1: int32x4_t, _ m0: float32x4_t, _ m1: float32x4_t) -> uint8x8_t {
        vqmovun_s16(vcombine_s16(scaled(s0, m0), scaled(s1, m1)))
    }

    /// Sums of eight neighbouring channels of a matrix product.
    struct Eight {
        var s0, s1: int32x4_t

        @inline(always)
        init() {
            s0 = vdupq_n_s32(0)
            s1 = s0
        }

        @inline(always)
        init(_ s0: int32x4_t, _ s1: int32x4_t) {
            self.s0 = s0
            self.s1 = s1
        }

        /// The eight biases at the start of a block's parameters; eight multipliers follow.
        @inline(always)
        init(_ parameters: UnsafeRawPointer) {
            s0 = loadInts(parameters)
            s1 = loadInts(parameters + 16)
        }

        @inline(always)
        func plus(_ other: Eight) -> Eight { Eight(vaddq_s32(s0, other.s0), vaddq_s32(s1, other.s1)) }

        /// Requantises and stores eight bytes.
        @inline(always)
        func store(_ parameters: UnsafeRawPointer, _ out: UnsafeMutableRawPointer) {
            let bytes = requantised(s0, s1, loadFloats(parameters + 32), loadFloats(parameters + 48))
            out.storeBytes(of: bytes, as: uint8x8_t.self)
        }

        /// Scales without rounding and stores eight floats.
        @inline(always)
        func storeFloats(_ parameters: UnsafeRawPointer, _ out: UnsafeMutablePointer<Float>) {
            let p = UnsafeMutableRawPointer(out)
            p.storeBytes(of: vmulq_f32(vcvtq_f32_s32(s0), loadFloats(parameters + 32)), as: float32x4_t.self)
            (p + 16).storeBytes(of: vmulq_f32(vcvtq_f32_s32(s1), loadFloats(parameters + 48)), as: float32x4_t.self)
        }
    }

    /// Sums of sixteen neighbouring channels, four a vector.
    struct Sixteen {
        var s0, s1, s2, s3: int32x4_t

        /// Starts from sixteen consecutive values, such as biases.
        @inline(always)
        init(_ p: UnsafeRawPointer) {
            s0 = loadInts(p)
            s1 = loadInts(p + 16)
            s2 = loadInts(p + 32)
            s3 = loadInts(p + 48)
        }

        @inline(always)
        init(_ s0: int32x4_t, _ s1: int32x4_t, _ s2: int32x4_t, _ s3: int32x4_t) {
            self.s0 = s0
            self.s1 = s1
            self.s2 = s2
            self.s3 = s3
        }

        /// Adds four taps of sixteen channels. It branches once: the compiler inlines only so many branches.
        /// - weights: `[16][4]`.
        @inline(always)
        mutating func add(_ dot: Dot, _ taps: Woven, _ weights: UnsafeRawPointer) {
            let (w0, w1) = (loadWeights(weights), loadWeights(weights + 16))
            let (w2, w3) = (loadWeights(weights + 32), loadWeights(weights + 48))
            if dot.flips {
                s0 = Dot.flipped.sum(s0, taps.v0, w0)
                s1 = Dot.flipped.sum(s1, taps.v1, w1)
                s2 = Dot.flipped.sum(s2, taps.v2, w2)
                s3 = Dot.flipped.sum(s3, taps.v3, w3)
            } else {
                s0 = Dot.mixed.sum(s0, taps.v0, w0)
                s1 = Dot.mixed.sum(s1, taps.v1, w1)
                s2 = Dot.mixed.sum(s2, taps.v2, w2)
                s3 = Dot.mixed.sum(s3, taps.v3, w3)
            }
        }

        /// Requantises by sixteen consecutive multipliers and stores sixteen bytes.
        @inline(always)
        func store(_ multiplier: UnsafeRawPointer, _ out: UnsafeMutableRawPointer) {
            let low = requantised(s0, s1, loadFloats(multiplier), loadFloats(multiplier + 16))
            let high = requantised(s2, s3, loadFloats(multiplier + 32), loadFloats(multiplier + 48))
            out.storeBytes(of: vcombine_u8(low, high), as: uint8x16_t.self)
        }
    }

    /// Four rows of sixteen channels with the bytes of each channel side by side: a lane holds a channel's four taps.
    struct Woven {
        let v0, v1, v2, v3: uint8x16_t

        @inline(always)
        init(_ a: uint8x16_t, _ b: uint8x16_t, _ c: uint8x16_t, _ d: uint8x16_t) {
            let abLow = vreinterpretq_u16_u8(vzip1q_u8(a, b))
            let abHigh = vreinterpretq_u16_u8(vzip2q_u8(a, b))
            let cdLow = vreinterpretq_u16_u8(vzip1q_u8(c, d))
            let cdHigh = vreinterpretq_u16_u8(vzip2q_u8(c, d))
            v0 = vreinterpretq_u8_u16(vzip1q_u16(abLow, cdLow))
            v1 = vreinterpretq_u8_u16(vzip2q_u16(abLow, cdLow))
            v2 = vreinterpretq_u8_u16(vzip1q_u16(abHigh, cdHigh))
            v3 = vreinterpretq_u8_u16(vzip2q_u16(abHigh, cdHigh))
        }

        /// The same values in all four vectors: the taps that sixteen output channels share.
        @inline(always)
        init(repeating values: uint8x16_t) {
            v0 = values
            v1 = values
            v2 = values
            v3 = values
        }
    }
#endif
