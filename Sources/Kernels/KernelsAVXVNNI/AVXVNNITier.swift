#if arch(x86_64)
    package import KernelInterface
    import KernelsX86

    /// The tier of CPUs with AVX-VNNI, which is the byte product of AVX-512 VNNI in vectors of 256 bits: the products
    /// of the pixel network's matrices and the int8 kernels of network graphs. Everything else is of the tier of AVX2.
    package enum AVXVNNITier {
        /// - base: the kernels of the tier of AVX2.
        @export(interface) @inline(never)
        package static func int8Kernels(_ base: Int8Kernels) -> Int8Kernels {
            base.replacing(gemmLayout: quantisedLayout(1), gemm: gemm, classify: classify)
        }

        /// The int8 kernels of network graphs of this tier.
        @export(interface) @inline(never)
        package static func quantisedConvolutionKernels() -> QuantisedConvolutionKernels {
            QuantisedConvolutionKernels(
                convolutionLayout: quantisedLayout(1), convolve: convolveQuantised,
                convolveToFloat: convolveQuantisedToFloat,
                depthwiseLayouts: (quadLayout(3, vectorBytes: 32), quadLayout(5, vectorBytes: 32)),
                depthwise: depthwiseQuantised)
        }

        @export(interface) @inline(never)
        package static func peakProbe() -> PeakProbe { peak }
    }

    /// See `PeakProbe`.
    @c(gk_peak_u8s8_avxvnni) @export(interface) @inline(never)
    package func peak(_ rounds: Int, _ sums: UnsafeMutableRawPointer) -> Int {
        peakSums256(rounds, sums, ByteProducts.dot)
    }
#endif
