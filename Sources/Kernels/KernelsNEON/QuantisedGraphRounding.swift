#if arch(arm64)
    import _Builtin_intrinsics.arm.neon
    import KernelInterface

    // The operations after the sums of the int8 kernels of network graphs (`QuantisedConvolutionKernels`), sixteen
    // channels at a time. Each rounding of the contract is an instruction of its own.
    //
    // A depthwise 3x3 convolution has nine products a channel, so these operations cost more than the products. On
    // Neoverse N1 an instruction converts four lanes between integers and floats in two cycles of one pipe, and an
    // addition takes half a cycle of two. So where the packed weights prove that numbers stay small, there are no
    // conversions:
    //
    // - 2^23 + s, for 0 <= s < 2^23, is the float whose bits are those of 2^23 plus s as integers. The biases begin with
    //   the bits of 2^23, so sums are floats at once.
    // - `(2^23 + s) * m - 2^23 * m`, in one fused instruction, rounds once: the product with a power of two is exact. It
    //   equals `Float(s) * m`. For s below zero it is s / 2 * m, which is negative too: all that matters before a clamp
    //   to zero. Where negative values matter, sums begin with 1.5 * 2^23, which is subtracted again: both are exact.
    // - v plus that constant rounds v half to even, and the low 16 bits of the sum are the rounded integer.

    /// How sums become quantised values. Each way has biases of its own. (An enumeration would bring code of the standard
    /// library for its comparisons.)
    struct RoundingWay {
        let isClamped, isSigned: Bool

        /// By conversions, for all numbers.
        @inline(always) static var general: RoundingWay { RoundingWay(isClamped: false, isSigned: false) }
        /// Small numbers, negative ones to zero: no residual, no slopes, zero point 0, and values up to 255.
        @inline(always) static var clamped: RoundingWay { RoundingWay(isClamped: true, isSigned: false) }
        /// Small numbers.
        @inline(always) static var signed: RoundingWay { RoundingWay(isClamped: false, isSigned: true) }
    }

    /// Which of its ways a row of pixels is written for. Those of no kind leave their loop for `putQuantised`: it has too
    /// many branches to be part of every loop.
    struct RowKind {
        let isClamped, isSigned: Bool

        @inline(always) static var clamped: RowKind { RowKind(isClamped: true, isSigned: false) }
        /// The signed way without slopes.
        @inline(always) static var signed: RowKind { RowKind(isClamped: false, isSigned: true) }
        @inline(always) static var other: RowKind { RowKind(isClamped: false, isSigned: false) }

        /// Calls `body` with this kind: written out for each kind, so that each has a loop of its own.
        @inline(always)
        func specialised(_ body: (RowKind) -> Void) {
            if isClamped {
                body(.clamped)
            } else if isSigned {
                body(.signed)
            } else {
                body(.other)
            }
        }
    }

    /// Layout of the parameters of sixteen channels, in bytes from their start. The biases of each way come first.
    private enum Offset {
        @inline(always) static var clamped: Int { 64 }
        @inline(always) static var signed: Int { 128 }
        @inline(always) static var multipliers: Int { 192 }
        @inline(always) static var slopes: Int { 256 }
        /// -2^23 times the multipliers.
        @inline(always) static var origins: Int { 320 }
        /// Whether a number is large: without slopes, and with them.
        @inline(always) static var large: Int { 384 }
        @inline(always) static var largeWithSlopes: Int { 388 }
    }

    /// 2^23 and 1.5 * 2^23 as bits and as floats.
    private enum Origin {
        @inline(always) static var clampedBits: Int32 { 0x4B00_0000 }
        @inline(always) static var signedBits: Int32 { 0x4B40_0000 }
        @inline(always) static var clamped: float32x4_t { vdupq_n_f32(8_388_608) }
        @inline(always) static var signed: float32x4_t { vdupq_n_f32(12_582_912) }
    }

    private enum Limit {
        /// Of a small number with its residual, before and after a slope. With a zero point it fits 16 bits.
        @inline(always) static var word: Float { 32_000 }
        /// Of a residual's contribution to a small number.
        @inline(always) static var residual: Float { 2000 }
    }

    /// The parameters of sixteen channels, which follow their weights.
    struct ChannelParameters {
        private let base: UnsafeRawPointer

        /// Bytes of sixteen channels.
        @inline(always) static var bytes: Int { 448 }

        /// What follows the weights in a `WeightLayout`.
        @inline(always) static var trailer: WeightLayout.Trailer { .channels(bytes: bytes, put: putChannel) }

        @inline(always)
        init(_ base: UnsafeRawPointer) { self.base = base }

        /// Sixteen biases.
        @inline(always)
        func biases(_ way: RoundingWay) -> UnsafeRawPointer {
            base + (way.isClamped ? Offset.clamped : way.isSigned ? Offset.signed : 0)
        }

        @inline(always) var multipliers: UnsafeRawPointer { base + Offset.multipliers }
        @inline(always) var slopes: UnsafeRawPointer { base + Offset.slopes }
        @inline(always) fileprivate var origins: UnsafeRawPointer { base + Offset.origins }

        /// Whether the results of all sums are small.
        @inline(always)
        fileprivate func areSmall(withSlopes: Bool) -> Bool {
            base.load(fromByteOffset: withSlopes ? Offset.largeWithSlopes : Offset.large, as: Int32.self) == 0
        }

        /// Writes the parameters of channel `n` of sixteen to zeroed memory.
        /// - correction: what the kernel's form of the values adds to each sum.
        /// - low, high: bounds of the sums of products, without the bias.
        @inline(always)
        static func store(
            _ n: Int, bias: Int32, correction: Int32, low: Int, high: Int, multiplier: Float, slope: Float,
            _ base: UnsafeMutableRawPointer
        ) {
            let lane = base + 4 &* n
            let corrected = bias &+ correction
            lane.storeBytes(of: corrected, as: Int32.self)
            lane.storeBytes(of: corrected &+ Origin.clampedBits, toByteOffset: Offset.clamped, as: Int32.self)
            lane.storeBytes(of: corrected &+ Origin.signedBits, toByteOffset: Offset.signed, as: Int32.self)
            lane.storeBytes(of: multiplier, toByteOffset: Offset.multipliers, as: Float.self)
            lane.storeBytes(of: slope, toByteOffset: Offset.slopes, as: Float.self)
            lane.storeBytes(of: -8_388_608 * multiplier, toByteOffset: Offset.origins, as: Float.self)
            let (least, most) = (low &+ Int(bias), high &+ Int(bias))
            let isSum = least > -4_194_304 && most < 4_194_304
            let largest = Float(most > 0 &- least ? most : 0 &- least)
            // Comparisons with NaN are false.
            let isReal =
                multiplier >= 0 && multiplier < Limit.word && largest * multiplier + Limit.residual < Limit.word
            let isSlope = (largest * multiplier + Limit.residual) * slope.magnitude < Limit.word
            if !(isSum && isReal) { base.storeBytes(of: 1, toByteOffset: Offset.large, as: Int32.self) }
            if !(isSum && isReal && isSlope) {
                base.storeBytes(of: 1, toByteOffset: Offset.largeWithSlopes, as: Int32.self)
            }
        }
    }

    /// Writes the parameters of one channel of sixteen; see `WeightLayout.PutChannel`.
    @c(gk_putchannel_q8_neon) @export(interface) @inline(never)
    func putChannel(
        _ lane: Int, _ bias: Int32, _ correction: Int32, _ low: Int, _ high: Int, _ multiplier: Float, _ slope: Float,
        _ parameters: UnsafeMutableRawPointer
    ) {
        ChannelParameters.store(
            lane, bias: bias, correction: correction, low: low, high: high, multiplier: multiplier, slope: slope,
            parameters)
    }

    /// See `QuantisedConvolutionKernels`.
    struct QuantisedRounding {
        private let isPlain, hasSlopes, isResidualSmall: Bool
        private let zero: int16x8_t
        private let lower, upper: uint8x16_t
        private let residual: Residual

        @inline(always)
        init(_ p: UnsafeRawPointer) {
            let (zero, lower) = (p.load(as: Int32.self), p.load(fromByteOffset: 4, as: Int32.self))
            let upper = p.load(fromByteOffset: 8, as: Int32.self)
            let multiplier = p.load(fromByteOffset: 16, as: Float.self)
            isPlain = zero | lower == 0 && upper == 255
            hasSlopes = p.load(fromByteOffset: 20, as: Int32.self) != 0
            isResidualSmall = multiplier.magnitude <= Limit.residual / 255
            self.zero = vdupq_n_s16(Int16(truncatingIfNeeded: zero))
            self.lower = vdupq_n_u8(UInt8(truncatingIfNeeded: lower))
            self.upper = vdupq_n_u8(UInt8(truncatingIfNeeded: upper))
            residual = Residual(zero: p.load(fromByteOffset: 12, as: Int32.self), multiplier)
        }

        /// The way for sixteen channels.
        @inline(always)
        func way(_ parameters: ChannelParameters, hasResidual: Bool) -> RoundingWay {
            guard parameters.areSmall(withSlopes: hasSlopes), !hasResidual || isResidualSmall else { return .general }
            return isPlain && !hasSlopes && !hasResidual ? .clamped : .signed
        }

        /// The kind of the rows of sixteen channels.
        @inline(always)
        func kind(_ parameters: ChannelParameters, hasResidual: Bool) -> RowKind {
            let way = way(parameters, hasResidual: hasResidual)
            return RowKind(isClamped: way.isClamped, isSigned: way.isSigned && !hasSlopes)
        }

        /// The way of a row of that kind.
        @inline(always)
        func way(_ kind: RowKind, _ parameters: ChannelParameters, hasResidual: Bool) -> RoundingWay {
            if kind.isClamped { return .clamped }
            return kind.isSigned ? .signed : way(parameters, hasResidual: hasResidual)
        }

        /// Writes the quantised values of a pixel in the clamped way.
        @inline(always)
        func putClamped(_ sums: Sixteen, _ parameters: ChannelParameters, _ out: UnsafeMutableRawPointer) {
            out.storeBytes(of: clampedBytes(sums, parameters), as: uint8x16_t.self)
        }

        /// The same in the signed way without slopes.
        /// - values: sixteen of the residual, if there is one.
        @inline(always)
        func putSigned(
            _ sums: Sixteen, _ parameters: ChannelParameters, hasResidual: Bool, _ values: UnsafeRawPointer,
            _ out: UnsafeMutableRawPointer
        ) {
            var v = Float32x16(small: sums, parameters.multipliers)
            if hasResidual { v.add(residual, values) }
            put(v.smallWords, out)
        }

        /// The same in the general way or the signed one.
        @inline(always)
        fileprivate func put(
            _ way: RoundingWay, _ sums: Sixteen, _ parameters: ChannelParameters, _ values: UnsafeRawPointer?,
            _ out: UnsafeMutableRawPointer
        ) {
            var v =
                way.isSigned
                ? Float32x16(small: sums, parameters.multipliers) : Float32x16(sums, parameters.multipliers)
            if let values { v.add(residual, values) }
            if hasSlopes { v.slope(parameters.slopes) }
            put(way.isSigned ? v.smallWords : v.words, out)
        }

        @inline(always)
        private func put(_ words: (low: int16x8_t, high: int16x8_t), _ out: UnsafeMutableRawPointer) {
            let (low, high) = (vqaddq_s16(words.low, zero), vqaddq_s16(words.high, zero))
            let bytes = vminq_u8(vmaxq_u8(vqmovun_high_s16(vqmovun_s16(low), high), lower), upper)
            out.storeBytes(of: bytes, as: uint8x16_t.self)
        }

        @inline(always)
        private func clampedBytes(_ sums: Sixteen, _ parameters: ChannelParameters) -> uint8x16_t {
            @inline(always)
            func four(_ sum: int32x4_t, _ at: Int) -> float32x4_t {
                let v = vfmaq_f32(
                    loadFloats(parameters.origins + at), vreinterpretq_f32_s32(sum),
                    loadFloats(parameters.multipliers + at))
                return vaddq_f32(v, Origin.clamped)
            }
            let low = lowWords(four(sums.s0, 0), four(sums.s1, 16))
            let high = lowWords(four(sums.s2, 32), four(sums.s3, 48))
            return vqmovun_high_s16(vqmovun_s16(low), high)
        }
    }

    /// What the values of a residual contribute: `(value - zero) * multiplier`.
    private struct Residual {
        private let origin, multiplier: float32x4_t

        @inline(always)
        init(zero: Int32, _ multiplier: Float) {
            origin = vdupq_n_f32(Float(zero) + 8_388_608)
            self.multiplier = vdupq_n_f32(multiplier)
        }

        /// - bits: of four values, each plus 2^23.
        @inline(always)
        func four(_ bits: uint16x8_t) -> float32x4_t {
            vmulq_f32(vsubq_f32(vreinterpretq_f32_u16(bits), origin), multiplier)
        }
    }

    /// The sums of neighbouring pixels, sixteen channels each, on their way to `putQuantised`.
    struct PixelSums {
        private let p0, p1, p2, p3: Sixteen

        @inline(always)
        init(_ p0: Sixteen, _ p1: Sixteen, _ p2: Sixteen, _ p3: Sixteen) {
            self.p0 = p0
            self.p1 = p1
            self.p2 = p2
            self.p3 = p3
        }
    }

    /// Where quantised pixels go, and the parameters of their channels.
    struct PixelTarget {
        let count: Int
        let parameters: ChannelParameters
        let rounding: UnsafeRawPointer
        let residual: UnsafeRawPointer?
        let residualPixel: Int
        let out: UnsafeMutableRawPointer
        let outPixel: Int
    }

    // Exported like a kernel, and called by those whose loops would not all be inlined with it. It is the same in each
    // tier.

    /// Writes the first pixels of up to four in the general way or the signed one.
    /// - sums: `PixelSums`. target: `PixelTarget`.
    @c(gk_put_q8_neon) @export(interface) @inline(never)
    func putQuantised(_ sums: UnsafeRawPointer, _ target: UnsafeRawPointer) {
        let target = target.load(as: PixelTarget.self)
        let rounding = QuantisedRounding(target.rounding)
        let parameters = target.parameters
        let way = rounding.way(parameters, hasResidual: target.residual != nil)
        var (p, out, residual) = (sums, target.out, target.residual)
        let end = sums + 64 &* target.count
        if way.isSigned {
            while p < end {
                rounding.put(.signed, Sixteen(p), parameters, residual, out)
                p += 64
                out += target.outPixel
                if let values = residual { residual = values + target.residualPixel }
            }
        } else {
            while p < end {
                rounding.put(.general, Sixteen(p), parameters, residual, out)
                p += 64
                out += target.outPixel
                if let values = residual { residual = values + target.residualPixel }
            }
        }
    }

    /// The low 16 bits of eight floats.
    @inline(always)
    private func lowWords(_ a: float32x4_t, _ b: float32x4_t) -> int16x8_t {
        vuzp1q_s16(vreinterpretq_s16_f32(a), vreinterpretq_s16_f32(b))
    }

    /// Sixteen sums of a pixel as floats.
    struct Float32x16 {
        private var v0, v1, v2, v3: float32x4_t

        /// - multipliers: sixteen of them.
        @inline(always)
        init(_ sums: Sixteen, _ multipliers: UnsafeRawPointer) {
            v0 = vmulq_f32(vcvtq_f32_s32(sums.s0), loadFloats(multipliers))
            v1 = vmulq_f32(vcvtq_f32_s32(sums.s1), loadFloats(multipliers + 16))
            v2 = vmulq_f32(vcvtq_f32_s32(sums.s2), loadFloats(multipliers + 32))
            v3 = vmulq_f32(vcvtq_f32_s32(sums.s3), loadFloats(multipliers + 48))
        }

        /// Of sums that began with 1.5 * 2^23.
        @inline(always)
        fileprivate init(small sums: Sixteen, _ multipliers: UnsafeRawPointer) {
            @inline(always)
            func four(_ sum: int32x4_t, _ at: Int) -> float32x4_t {
                vmulq_f32(vsubq_f32(vreinterpretq_f32_s32(sum), Origin.signed), loadFloats(multipliers + at))
            }
            v0 = four(sums.s0, 0)
            v1 = four(sums.s1, 16)
            v2 = four(sums.s2, 32)
            v3 = four(sums.s3, 48)
        }

        /// Multiplies what is below zero by sixteen slopes.
        @inline(always)
        mutating func slope(_ slopes: UnsafeRawPointer) {
            v0 = sloped(v0, loadFloats(slopes))
            v1 = sloped(v1, loadFloats(slopes + 16))
            v2 = sloped(v2, loadFloats(slopes + 32))
            v3 = sloped(v3, loadFloats(slopes + 48))
        }

        /// Adds what the sixteen values at `p` contribute.
        @inline(always)
        fileprivate mutating func add(_ residual: Residual, _ p: UnsafeRawPointer) {
            let values = p.loadUnaligned(as: uint8x16_t.self)
            let low = vreinterpretq_u16_u8(vzip1q_u8(values, vdupq_n_u8(0)))
            let high = vreinterpretq_u16_u8(vzip2q_u8(values, vdupq_n_u8(0)))
            let exponents = vdupq_n_u16(0x4B00)
            v0 = vaddq_f32(v0, residual.four(vzip1q_u16(low, exponents)))
            v1 = vaddq_f32(v1, residual.four(vzip2q_u16(low, exponents)))
            v2 = vaddq_f32(v2, residual.four(vzip1q_u16(high, exponents)))
            v3 = vaddq_f32(v3, residual.four(vzip2q_u16(high, exponents)))
        }

        /// The rounded numbers; they saturate.
        @inline(always)
        fileprivate var words: (low: int16x8_t, high: int16x8_t) {
            (
                vqmovn_high_s32(vqmovn_s32(vcvtnq_s32_f32(v0)), vcvtnq_s32_f32(v1)),
                vqmovn_high_s32(vqmovn_s32(vcvtnq_s32_f32(v2)), vcvtnq_s32_f32(v3))
            )
        }

        /// The rounded numbers, which fit 16 bits.
        @inline(always)
        fileprivate var smallWords: (low: int16x8_t, high: int16x8_t) {
            (
                lowWords(vaddq_f32(v0, Origin.signed), vaddq_f32(v1, Origin.signed)),
                lowWords(vaddq_f32(v2, Origin.signed), vaddq_f32(v3, Origin.signed))
            )
        }

        /// Stores the first `count` floats, at most `upper`.
        @inline(always)
        func storeFloats(_ upper: float32x4_t, _ out: UnsafeMutableRawPointer, _ count: Int) {
            storeFirst(bounded(v0, upper), out, count)
            storeFirst(bounded(v1, upper), out + 16, count &- 4)
            storeFirst(bounded(v2, upper), out + 32, count &- 8)
            storeFirst(bounded(v3, upper), out + 48, count &- 12)
        }
    }

    @inline(always)
    private func sloped(_ v: float32x4_t, _ slope: float32x4_t) -> float32x4_t {
        vbslq_f32(vcltzq_f32(v), vmulq_f32(v, slope), v)
    }

    @inline(always)
    private func bounded(_ v: float32x4_t, _ upper: float32x4_t) -> float32x4_t {
        vbslq_f32(vcgtq_f32(v, upper), upper, v)
    }

    /// Writes the first `count` of four floats.
    @inline(always)
    private func storeFirst(_ v: float32x4_t, _ out: UnsafeMutableRawPointer, _ count: Int) {
        if count >= 4 {
            out.storeBytes(of: v, as: float32x4_t.self)
            return
        }
        if count > 0 { out.storeBytes(of: v.x, as: Float.self) }
        if count > 1 { out.storeBytes(of: v.y, toByteOffset: 4, as: Float.self) }
        if count > 2 { out.storeBytes(of: v.z, toByteOffset: 8, as: Float.self) }
    }
#endif
