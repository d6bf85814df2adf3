/// IEEE 754 binary16 and bfloat16 as bit patterns, without `Float16`, which Intel macOS lacks.
package enum HalfPrecision {
    /// The largest finite binary16 value.
    package static let greatestFinite: Float = 65504

    /// The value of a binary16 pattern. Exact; a NaN keeps its sign and payload.
    package static func float(_ bits: UInt16) -> Float {
        let sign = UInt32(bits & 0x8000) << 16
        let exponent = UInt32(bits >> 10) & 0x1F
        let fraction = UInt32(bits) & 0x3FF
        switch exponent {
        case 0:
            // Subnormal: fraction * 2^-24, exact in binary32.
            let magnitude = Float(fraction) * Float(sign: .plus, exponent: -24, significand: 1)
            return Float(bitPattern: magnitude.bitPattern | sign)
        case 0x1F:
            return Float(bitPattern: sign | 0x7F80_0000 | fraction << 13)
        default:
            return Float(bitPattern: sign | (exponent + 112) << 23 | fraction << 13)
        }
    }

    /// The binary16 pattern nearest to `value`, ties to even. Values that round to more than `greatestFinite` become
    /// infinity; a NaN keeps its sign and the upper bits of its payload and stays a NaN.
    package static func bits(_ value: Float) -> UInt16 {
        let pattern = value.bitPattern
        let sign = UInt16(truncatingIfNeeded: pattern >> 16) & 0x8000
        let magnitude = pattern & 0x7FFF_FFFF
        if magnitude > 0x7F80_0000 {
            let payload = UInt16(truncatingIfNeeded: magnitude >> 13) & 0x3FF
            return sign | 0x7C00 | (payload == 0 ? 0x200 : payload)
        }
        // 0x4780_0000 is 2^16: from there on the result is infinity.
        if magnitude >= 0x4780_0000 { return sign | 0x7C00 }
        // Below 2^-14 the result is subnormal, a multiple of 2^-24. Adding 0.5 shifts that grid onto binary32's, so the
        // addition itself rounds, to nearest even.
        if magnitude < 0x3880_0000 {
            let shifted = Float(bitPattern: magnitude) + 0.5
            return sign | UInt16(truncatingIfNeeded: shifted.bitPattern &- Float(0.5).bitPattern)
        }
        let odd = (magnitude >> 13) & 1
        let rounded = (magnitude - 0x3800_0000 + 0xFFF + odd) >> 13
        return sign | UInt16(truncatingIfNeeded: rounded)
    }

    /// The value of a bfloat16 pattern: the upper half of a binary32.
    package static func float(brain bits: UInt16) -> Float {
        Float(bitPattern: UInt32(bits) << 16)
    }
}
