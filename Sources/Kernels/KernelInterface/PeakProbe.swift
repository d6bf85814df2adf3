/// Runs the multiply-accumulate units of a tier at their peak: its densest int8 instruction on registers alone, in
/// enough independent chains to hide its latency. `gesture-bench kernels` and `layers` compare kernels with it.
///
/// - rounds: how often to run all chains, at least 1.
/// - sums: 64 bytes, 64-byte aligned, read and written, so that the compiler can neither precompute nor drop the work.
/// - returns: the number of multiply-accumulates.
package typealias PeakProbe =
    @Sendable @convention(c) (_ rounds: Int, _ sums: UnsafeMutableRawPointer) -> Int
