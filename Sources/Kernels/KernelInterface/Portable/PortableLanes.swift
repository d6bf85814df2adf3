/// Sixteen-lane operations that the int8 kernels of this tier share, in plain Swift SIMD, which the compiler lowers to
/// what the baseline CPU has.
///
/// Conversions are interleaving and shifts: the standard library's `init(truncatingIfNeeded:)` is a generic function
/// that is not inlined and costs a call per vector. Products are computed eight lanes at a time: the compiler turns
/// these, added in pairs, into the one multiply-add instruction of baseline x86-64, but products of sixteen lanes into
/// emulated 32-bit multiplications. Together that is a factor of six.
enum Lanes {
    /// Sixteen quantised values as 16-bit lanes.
    @inline(__always)
    static func quantised(_ v: SIMD16<UInt8>) -> SIMD16<Int16> {
        var wide = SIMD32<UInt8>()
        wide.evenHalf = v
        return unsafeBitCast(wide, to: SIMD16<Int16>.self)
    }

    /// Sixteen quantised values from memory as 16-bit lanes.
    @inline(__always)
    static func quantised(_ p: UnsafePointer<UInt8>) -> SIMD16<Int16> {
        quantised(UnsafeRawPointer(p).loadUnaligned(as: SIMD16<UInt8>.self))
    }

    /// Sixteen weights as 16-bit lanes.
    @inline(__always)
    static func weights(_ p: UnsafePointer<Int8>) -> SIMD16<Int16> {
        var wide = SIMD32<Int8>()
        wide.oddHalf = UnsafeRawPointer(p).loadUnaligned(as: SIMD16<Int8>.self)
        return unsafeBitCast(wide, to: SIMD16<Int16>.self) &>> 8
    }

    /// A product is at most 255 * 127, which fits 16 bits; the sums need 32.
    @inline(__always)
    static func product(_ a: SIMD16<Int16>, _ w: SIMD16<Int16>) -> SIMD16<Int32> {
        let p = a &* w
        return SIMD16(lowHalf: widened(p.lowHalf), highHalf: widened(p.highHalf))
    }

    @inline(__always)
    private static func widened(_ v: SIMD8<Int16>) -> SIMD8<Int32> {
        var wide = SIMD16<Int16>()
        wide.oddHalf = v
        return unsafeBitCast(wide, to: SIMD8<Int32>.self) &>> 16
    }

    /// Products of lanes 2i and 2i + 1, added.
    @inline(__always)
    static func pairs(_ a: SIMD16<Int16>, _ w: SIMD16<Int16>) -> SIMD8<Int32> {
        SIMD8(lowHalf: pairs(a.lowHalf, w.lowHalf), highHalf: pairs(a.highHalf, w.highHalf))
    }

    @inline(__always)
    private static func pairs(_ a: SIMD8<Int16>, _ w: SIMD8<Int16>) -> SIMD4<Int32> {
        let p = widened(a) &* widened(w)
        return p.evenHalf &+ p.oddHalf
    }

    /// Lane by lane; the compiler vectorises it.
    @inline(__always)
    static func floats(_ v: SIMD16<Int32>) -> SIMD16<Float> {
        SIMD16(
            Float(v[0]), Float(v[1]), Float(v[2]), Float(v[3]), Float(v[4]), Float(v[5]), Float(v[6]), Float(v[7]),
            Float(v[8]), Float(v[9]), Float(v[10]), Float(v[11]), Float(v[12]), Float(v[13]), Float(v[14]), Float(v[15])
        )
    }

    @inline(__always)
    static func int32(_ p: UnsafeRawPointer) -> SIMD16<Int32> { p.loadUnaligned(as: SIMD16<Int32>.self) }

    @inline(__always)
    static func float(_ p: UnsafeRawPointer) -> SIMD16<Float> { p.loadUnaligned(as: SIMD16<Float>.self) }

    @inline(__always)
    static func store(_ v: SIMD16<UInt8>, _ p: UnsafeMutablePointer<UInt8>) {
        UnsafeMutableRawPointer(p).storeBytes(of: v, as: SIMD16<UInt8>.self)
    }

    @inline(__always)
    static func store(_ v: SIMD16<Float>, _ p: UnsafeMutablePointer<Float>) {
        UnsafeMutableRawPointer(p).storeBytes(of: v, as: SIMD16<Float>.self)
    }

    /// `clamp(roundHalfEven(Float(sum) * multiplier), 0...255)`.
    ///
    /// Clamping first and adding 2^23 leaves the rounded integer in the low bits: the addition rounds half to even at
    /// that magnitude, and 0 and 255 are integers, so clamping before rounding changes nothing. The baseline x86-64 CPU
    /// has no rounding instruction; a library call per lane would cost more than the convolution.
    @inline(__always)
    static func requantise(_ sum: SIMD16<Int32>, _ multiplier: SIMD16<Float>) -> SIMD16<UInt8> {
        var v = floats(sum) * multiplier
        v.replace(with: SIMD16(repeating: 0), where: v .< 0)
        v.replace(with: SIMD16(repeating: 255), where: v .> 255)
        let bits = v + 8_388_608
        return SIMD16(lowHalf: lowBytes(bits.lowHalf), highHalf: lowBytes(bits.highHalf))
    }

    /// Both halves as 32-bit lanes.
    @inline(__always)
    static func widened(_ v: SIMD16<Int16>) -> SIMD16<Int32> {
        SIMD16(lowHalf: widened(v.lowHalf), highHalf: widened(v.highHalf))
    }

    /// `clamp(roundHalfEven(v), -32768...32767)`, by adding 1.5 * 2^23, which rounds numbers of both signs.
    @inline(__always)
    static func rounded(_ value: SIMD16<Float>) -> SIMD16<Int32> {
        var v = value
        v.replace(with: SIMD16(repeating: -32_768), where: v .< -32_768)
        v.replace(with: SIMD16(repeating: 32_767), where: v .> 32_767)
        return unsafeBitCast(v + 12_582_912, to: SIMD16<Int32>.self) &- 0x4B40_0000
    }

    /// The lowest byte of each lane.
    @inline(__always)
    static func lowBytes(_ v: SIMD16<Int32>) -> SIMD16<UInt8> {
        SIMD16(
            lowHalf: lowBytes(unsafeBitCast(v.lowHalf, to: SIMD8<Float>.self)),
            highHalf: lowBytes(unsafeBitCast(v.highHalf, to: SIMD8<Float>.self)))
    }

    /// The lowest byte of each lane.
    @inline(__always)
    private static func lowBytes(_ v: SIMD8<Float>) -> SIMD8<UInt8> {
        let halves = unsafeBitCast(v, to: SIMD16<UInt16>.self).evenHalf
        return unsafeBitCast(halves, to: SIMD16<UInt8>.self).evenHalf
    }

    @inline(__always)
    static func relu6(_ value: SIMD16<Float>) -> SIMD16<Float> {
        var v = value
        v.replace(with: SIMD16(repeating: 0), where: v .< 0)
        v.replace(with: SIMD16(repeating: 6), where: v .> 6)
        return v
    }
}
