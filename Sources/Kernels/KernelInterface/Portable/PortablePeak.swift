/// See `PeakProbe`: four chains of sixteen products added in pairs. The sums themselves are factors; otherwise the
/// compiler would compute the products once for all rounds.
func gk_peak_u8s8_portable(_ rounds: Int, _ sums: UnsafeMutableRawPointer) -> Int {
    let weights = sums.loadUnaligned(as: SIMD16<Int16>.self)
    let first = sums.loadUnaligned(as: SIMD8<Int32>.self)
    var (s0, s1, s2, s3) = (first, first &+ 1, first &+ 2, first &+ 3)
    for _ in 0..<rounds {
        s0 &+= Lanes.pairs(unsafeBitCast(s0, to: SIMD16<Int16>.self), weights)
        s1 &+= Lanes.pairs(unsafeBitCast(s1, to: SIMD16<Int16>.self), weights)
        s2 &+= Lanes.pairs(unsafeBitCast(s2, to: SIMD16<Int16>.self), weights)
        s3 &+= Lanes.pairs(unsafeBitCast(s3, to: SIMD16<Int16>.self), weights)
    }
    sums.storeBytes(of: s0 &+ s1 &+ s2 &+ s3, as: SIMD8<Int32>.self)
    return rounds * 4 * 16
}
