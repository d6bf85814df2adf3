/// Random numbers from a seed, the same on every machine (SplitMix64: Steele, Lea and Flood 2014).
///
/// The generators of the standard library, and its functions that use one, may give other numbers on another machine or
/// in another version. So repeatable results use the functions here.
package struct SplitMix64: RandomNumberGenerator, Sendable {
    private var state: UInt64

    package init(seed: UInt64) { state = seed }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var bits = state
        bits = (bits ^ bits >> 30) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ bits >> 27) &* 0x94D0_49BB_1331_11EB
        return bits ^ bits >> 31
    }

    /// A uniform number below a bound above 0, without bias (Lemire 2019).
    package mutating func next(below bound: UInt64) -> UInt64 {
        var product = next().multipliedFullWidth(by: bound)
        if product.low < bound {
            let threshold = (0 &- bound) % bound
            while product.low < threshold { product = next().multipliedFullWidth(by: bound) }
        }
        return product.high
    }

    /// A uniform number in 0..<1, a multiple of 2^-53.
    package mutating func unit() -> Double { Double(next() >> 11) * 0x1p-53 }
}
