/// What the multiply-accumulate units of a tier can do at best: its densest int8 instruction on registers alone, in enough
/// independent chains to hide its latency. The yardstick of `gesture-bench kernels` and `layers`.
///
/// - rounds: how often to go through all chains, at least 1.
/// - sums: 64 bytes, 64-byte aligned, read and written, so that nothing is computed in advance or left out.
/// - returns: multiply-accumulates done.
package typealias PeakProbe =
    @Sendable @convention(c) (_ rounds: Int, _ sums: UnsafeMutableRawPointer) -> Int
