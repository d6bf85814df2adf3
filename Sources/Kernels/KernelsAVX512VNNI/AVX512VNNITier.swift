#if arch(x86_64)
    package import KernelInterface

    /// The tier of CPUs with AVX-512 F, BW, DQ, VL and VNNI.
    package enum AVX512VNNITier {
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
#endif
