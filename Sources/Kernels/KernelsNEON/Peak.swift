#if arch(arm64)
    import KernelInterface
    import _Builtin_intrinsics.arm.neon

    // Sixteen chains on registers. Each starts from a different value, so that the compiler cannot merge them. That
    // covers four units with a latency of four.

    /// See `PeakProbe`: `sdot`, sixteen products.
    @c(gk_peak_u8s8_dotprod) @export(interface) @inline(never)
    func peakDotProd(_ rounds: Int, _ sums: UnsafeMutableRawPointer) -> Int {
        let values = sums.loadUnaligned(as: uint8x16_t.self)
        return peak(rounds, sums) { Dot.flipped.sum($0, values, vreinterpretq_s8_u8(values)) } &* 16
    }

    /// See `PeakProbe`: `usmmla`, thirty-two products.
    @c(gk_peak_u8s8_i8mm) @export(interface) @inline(never)
    func peakI8MM(_ rounds: Int, _ sums: UnsafeMutableRawPointer) -> Int {
        let values = sums.loadUnaligned(as: uint8x16_t.self)
        return peak(rounds, sums) { vusmmlaq_s32($0, values, vreinterpretq_s8_u8(values)) } &* 32
    }

    /// - returns: how often `step` was called.
    @inline(always)
    private func peak(
        _ rounds: Int, _ sums: UnsafeMutableRawPointer, _ step: (int32x4_t) -> int32x4_t
    ) -> Int {
        let first = loadInts(sums)
        @inline(always)
        func start(_ chain: Int) -> int32x4_t { vaddq_s32(first, vdupq_n_s32(Int32(truncatingIfNeeded: chain))) }
        var lower = RegisterArray(8) { start($0) }
        var upper = RegisterArray(8) { start($0 &+ 8) }
        var round = 0
        while round < rounds {
            lower.update(8) { sum, _ in sum = step(sum) }
            upper.update(8) { sum, _ in sum = step(sum) }
            round &+= 1
        }
        var all = vdupq_n_s32(0)
        lower.forEach(8) { sum, _ in all = vaddq_s32(all, sum) }
        upper.forEach(8) { sum, _ in all = vaddq_s32(all, sum) }
        sums.storeBytes(of: all, as: int32x4_t.self)
        return rounds &* 16
    }
#endif
