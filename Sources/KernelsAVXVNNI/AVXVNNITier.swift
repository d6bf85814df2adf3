#if arch(x86_64)
    package import KernelInterface

    /// The tier of CPUs with AVX-VNNI, which is the byte product of AVX-512 VNNI in vectors of 256 bits: the products
    /// of the pixel network's matrices and the int8 kernels of network graphs. Everything else is of the tier of AVX2.
    package enum AVXVNNITier {
        /// - base: the kernels of the tier of AVX2.
        @export(interface) @inline(never)
        package static func int8Kernels(_ base: Int8Kernels) -> Int8Kernels {
            Int8Kernels(
                packStem: base.packStem, stem: base.stem,
                packDepthwise3x3: base.packDepthwise3x3, depthwise3x3: base.depthwise3x3,
                depthwiseScratch: base.depthwiseScratch,
                packDepthwise7x7: base.packDepthwise7x7, depthwise7x7: base.depthwise7x7,
                packGEMM: packGEMM, gemm: gemm,
                packClassifier: packGEMM, classify: classify)
        }

        /// The int8 kernels of network graphs of this tier.
        @export(interface) @inline(never)
        package static func quantisedConvolutionKernels() -> QuantisedConvolutionKernels {
            QuantisedConvolutionKernels(
                packConvolution: packQuantisedConvolution, convolve: convolveQuantised,
                convolveToFloat: convolveQuantisedToFloat,
                packDepthwise: packQuantisedDepthwise, depthwise: depthwiseQuantised)
        }

        @export(interface) @inline(never)
        package static func peakProbe() -> PeakProbe { peak }
    }

    /// See `PeakProbe`.
    @c(gk_peak_u8s8_avxvnni) @export(interface) @inline(never)
    package func peak(_ rounds: Int, _ sums: UnsafeMutableRawPointer) -> Int { peakSums(rounds, sums) }
#endif
