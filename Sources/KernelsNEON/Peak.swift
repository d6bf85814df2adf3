#if arch(arm64)
    import _Builtin_intrinsics.arm.neon

    // Sixteen chains on registers. Each starts from a different value, so that the compiler cannot merge them. That
    // covers four units with a latency of four.

    /// See `PeakProbe`: `sdot`, sixteen products.
    @c(gk_peak_u8s8_dotprod) @export(interface) @inline(never)
    func peakDotProd(_ rounds: Int, _ sums: UnsafeMutableRawPointer) -> Int {
        let codes = sums.loadUnaligned(as: uint8x16_t.self)
        return peak(rounds, sums) { Dot.flipped.sum($0, codes, vreinterpretq_s8_u8(codes)) } &* 16
    }

    /// See `PeakProbe`: `usmmla`, thirty-two products.
    @c(gk_peak_u8s8_i8mm) @export(interface) @inline(never)
    func peakI8MM(_ rounds: Int, _ sums: UnsafeMutableRawPointer) -> Int {
        let codes = sums.loadUnaligned(as: uint8x16_t.self)
        return peak(rounds, sums) { vusmmlaq_s32($0, codes, vreinterpretq_s8_u8(codes)) } &* 32
    }

    /// - returns: how often `step` was called.
    @inline(__always)
    private func peak(
        _ rounds: Int, _ sums: UnsafeMutableRawPointer, _ step: (int32x4_t) -> int32x4_t
    ) -> Int {
        let first = loadInts(sums)
        @inline(__always)
        func start(_ chain: Int32) -> int32x4_t { vaddq_s32(first, vdupq_n_s32(chain)) }
        var (s0, s1, s2, s3) = (start(0), start(1), start(2), start(3))
        var (s4, s5, s6, s7) = (start(4), start(5), start(6), start(7))
        var (s8, s9, s10, s11) = (start(8), start(9), start(10), start(11))
        var (s12, s13, s14, s15) = (start(12), start(13), start(14), start(15))
        var round = 0
        while round < rounds {
            (s0, s1, s2, s3) = (step(s0), step(s1), step(s2), step(s3))
            (s4, s5, s6, s7) = (step(s4), step(s5), step(s6), step(s7))
            (s8, s9, s10, s11) = (step(s8), step(s9), step(s10), step(s11))
            (s12, s13, s14, s15) = (step(s12), step(s13), step(s14), step(s15))
            round &+= 1
        }
        let low = vaddq_s32(
            vaddq_s32(vaddq_s32(s0, s1), vaddq_s32(s2, s3)), vaddq_s32(vaddq_s32(s4, s5), vaddq_s32(s6, s7)))
        let high = vaddq_s32(
            vaddq_s32(vaddq_s32(s8, s9), vaddq_s32(s10, s11)), vaddq_s32(vaddq_s32(s12, s13), vaddq_s32(s14, s15)))
        sums.storeBytes(of: vaddq_s32(low, high), as: int32x4_t.self)
        return rounds &* 16
    }
#endif
