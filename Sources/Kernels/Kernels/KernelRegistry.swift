package import KernelInterface

#if arch(x86_64)
    import KernelsAVX2
    import KernelsAVX512VNNI
    import KernelsAVXVNNI
#elseif arch(arm64)
    import KernelsNEON
#elseif arch(wasm32)
    import KernelsWASM
#endif

/// The one list of tiers. The selector, the conformance tests and the kernel benchmark all read it.
package enum KernelRegistry {
    /// Every tier compiled into this build that this CPU can run, best first.
    package static let available: [KernelTable] = candidates.filter { $0.runs }.map { $0.table($0.tier) }

    /// Every tier compiled into this build, best first.
    package static let names: [String] = candidates.map { $0.tier }

    /// The best tier not named in `excluded`. The portable tier cannot be excluded.
    package static func select(excluding excluded: Set<String> = []) -> KernelTable {
        available.first { !excluded.contains($0.tier) } ?? PortableTier.table
    }

    private struct Candidate {
        let tier: String
        let runs: Bool
        let table: (_ tier: String) -> KernelTable
    }

    private static var candidates: [Candidate] {
        let cpu = CPUFeatures.current
        var list: [Candidate] = []
        #if arch(x86_64)
            list.append(
                Candidate(
                    tier: "avx512vnni",
                    runs: cpu.has(
                        .avx512f, .avx512bw, .avx512dq, .avx512vl, .avx512vnni, .avx2, .fma, .f16c, .bmi2)
                ) { tier in
                    unsafe KernelTable(
                        tier: tier, int8: AVX512VNNITier.int8Kernels(), float: AVX512VNNITier.floatKernels(),
                        convolution: AVX512VNNITier.convolutionKernels(),
                        commonConvolution: PortableTier.table.convolution,
                        quantisedConvolution: AVX512VNNITier.quantisedConvolutionKernels(), map: AVX2Tier.mapKernels(),
                        resize: AVX512VNNITier.resizeKernels(),
                        crop: AVX2Tier.cropKernels(), peak: AVX512VNNITier.peakProbe())
                })
            list.append(
                Candidate(tier: "avxvnni", runs: cpu.has(.avxvnni, .avx2, .fma, .f16c, .bmi2)) { tier in
                    unsafe KernelTable(
                        tier: tier, int8: AVXVNNITier.int8Kernels(AVX2Tier.int8Kernels()),
                        float: AVX2Tier.floatKernels(), convolution: AVX2Tier.convolutionKernels(),
                        commonConvolution: PortableTier.table.convolution,
                        quantisedConvolution: AVXVNNITier.quantisedConvolutionKernels(), map: AVX2Tier.mapKernels(),
                        resize: AVX2Tier.resizeKernels(),
                        crop: AVX2Tier.cropKernels(), peak: AVXVNNITier.peakProbe())
                })
            list.append(
                Candidate(tier: "avx2", runs: cpu.has(.avx2, .fma, .f16c, .bmi2)) { tier in
                    unsafe KernelTable(
                        tier: tier, int8: AVX2Tier.int8Kernels(), float: AVX2Tier.floatKernels(),
                        convolution: AVX2Tier.convolutionKernels(),
                        commonConvolution: PortableTier.table.convolution,
                        quantisedConvolution: AVX2Tier.quantisedConvolutionKernels(), map: AVX2Tier.mapKernels(),
                        resize: AVX2Tier.resizeKernels(),
                        crop: AVX2Tier.cropKernels(), peak: AVX2Tier.peakProbe())
                })
        #elseif arch(arm64)
            /// NEON is in every CPU of this architecture; the tiers differ by how they multiply bytes.
            func add(
                _ tier: String, runs: Bool, int8: Int8Kernels, quantised: QuantisedConvolutionKernels,
                peak: @escaping PeakProbe
            ) {
                list.append(
                    Candidate(tier: tier, runs: runs) { tier in
                        unsafe KernelTable(
                            tier: tier, int8: int8, float: NEONTier.floatKernels(),
                            convolution: NEONTier.convolutionKernels(),
                            commonConvolution: PortableTier.table.convolution,
                            quantisedConvolution: quantised, map: NEONTier.mapKernels(),
                            resize: NEONTier.resizeKernels(), crop: NEONTier.cropKernels(), peak: peak)
                    })
            }
            unsafe add(
                "i8mm", runs: cpu.has(.dotProd, .i8mm), int8: NEONTier.i8mmInt8Kernels(),
                quantised: NEONTier.i8mmQuantisedConvolutionKernels(), peak: NEONTier.i8mmPeakProbe())
            unsafe add(
                "dotprod", runs: cpu.has(.dotProd), int8: NEONTier.dotProdInt8Kernels(),
                quantised: NEONTier.dotProdQuantisedConvolutionKernels(), peak: NEONTier.dotProdPeakProbe())
            unsafe add(
                "neon", runs: true, int8: PortableTier.table.int8,
                quantised: NEONTier.baseQuantisedConvolutionKernels(), peak: PortableTier.table.peak)
        #elseif arch(wasm32)
            // An engine without these instructions refuses the whole program.
            list.append(
                Candidate(tier: "simd128", runs: true) { tier in
                    let portable = PortableTier.table
                    return KernelTable(
                        tier: tier, int8: SIMD128Tier.int8Kernels(portable.int8), float: portable.float,
                        convolution: portable.convolution, commonConvolution: portable.convolution,
                        quantisedConvolution: SIMD128Tier.quantisedConvolutionKernels(),
                        map: SIMD128Tier.mapKernels(), resize: SIMD128Tier.resizeKernels(),
                        crop: SIMD128Tier.cropKernels(), peak: portable.peak)
                })
        #endif
        list.append(Candidate(tier: PortableTier.table.tier, runs: true) { _ in PortableTier.table })
        return list
    }
}
