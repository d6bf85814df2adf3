#if arch(x86_64)
    package import KernelInterface
    import KernelsX86

    /// The tier of CPUs with AVX2, FMA, F16C and BMI2.
    package enum AVX2Tier {
        @export(interface) @inline(never)
        package static func int8Kernels() -> Int8Kernels {
            Int8Kernels(
                stemLayout: stemLayout, stem: stem,
                depthwise3x3Layout: depthwise3x3Layout, depthwise3x3: depthwise3x3, depthwiseScratch: depthwiseScratch,
                depthwise7x7Layout: depthwise7x7Layout, depthwise7x7: depthwise7x7,
                gemmLayout: gemmLayout, gemm: gemm, classify: classify)
        }

        @export(interface) @inline(never)
        package static func peakProbe() -> PeakProbe { peak }
    }

    /// See `PeakProbe`.
    @c(gk_peak_u8s8_avx2) @export(interface) @inline(never)
    package func peak(_ rounds: Int, _ sums: UnsafeMutableRawPointer) -> Int { peakSums256(rounds, sums, dotQuads) }
#endif
