/// Sixteen-lane steps that the int8 kernels of this tier share. Everything here is plain Swift SIMD, so that the
/// compiler makes of it what the baseline CPU has.
enum Lanes {
    /// Sixteen codes as 16-bit lanes.
    @inline(__always)
    static func codes(_ p: UnsafePointer<UInt8>) -> SIMD16<Int16> {
        SIMD16<Int16>(truncatingIfNeeded: UnsafeRawPointer(p).loadUnaligned(as: SIMD16<UInt8>.self))
    }

    /// Sixteen weights as 16-bit lanes.
    @inline(__always)
    static func weights(_ p: UnsafePointer<Int8>) -> SIMD16<Int16> {
        SIMD16<Int16>(truncatingIfNeeded: UnsafeRawPointer(p).loadUnaligned(as: SIMD16<Int8>.self))
    }

    /// Code times weight is at most 255 * 127, which fits 16 bits; the sums need 32.
    @inline(__always)
    static func product(_ a: SIMD16<Int16>, _ w: SIMD16<Int16>) -> SIMD16<Int32> {
        SIMD16<Int32>(truncatingIfNeeded: a &* w)
    }

    /// Products of lanes 2i and 2i + 1, added.
    @inline(__always)
    static func pairs(_ a: SIMD16<Int16>, _ w: SIMD16<Int16>) -> SIMD8<Int32> {
        let p = SIMD16<Int32>(truncatingIfNeeded: a) &* SIMD16<Int32>(truncatingIfNeeded: w)
        return p.evenHalf &+ p.oddHalf
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
    /// that magnitude, and 0 and 255 are integers, so the order of the two does not matter. The baseline x86-64 CPU
    /// has no rounding instruction; a library call a lane would cost more than the convolution.
    @inline(__always)
    static func requantise(_ sum: SIMD16<Int32>, _ multiplier: SIMD16<Float>) -> SIMD16<UInt8> {
        var v = SIMD16<Float>(sum) * multiplier
        v.replace(with: SIMD16(repeating: 0), where: v .< 0)
        v.replace(with: SIMD16(repeating: 255), where: v .> 255)
        let bits = unsafeBitCast(v + 8_388_608, to: SIMD16<UInt32>.self)
        return SIMD16<UInt8>(truncatingIfNeeded: bits)
    }

    @inline(__always)
    static func relu6(_ value: SIMD16<Float>) -> SIMD16<Float> {
        var v = value
        v.replace(with: SIMD16(repeating: 0), where: v .< 0)
        v.replace(with: SIMD16(repeating: 6), where: v .> 6)
        return v
    }
}
