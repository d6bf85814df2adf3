package import KernelInterface
import KernelsPortable

#if arch(x86_64)
    import KernelsAVX2
    import KernelsAVX512VNNI
#elseif arch(arm64)
    import KernelsNEON
#endif

/// The one list of tiers. The selector, the conformance tests and the kernel benchmark all read it.
package enum KernelRegistry {
    /// Every tier compiled into this build that this CPU can run, best first.
    package static let available: [KernelTable] = candidates.filter { $0.runs }.map { $0.table($0.tier) }

    /// Every tier compiled into this build, best first.
    package static let names: [String] = candidates.map(\.tier)

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
            list.append(
                Candidate(tier: "i8mm", runs: cpu.has(.dotProd, .i8mm)) { tier in
                    unsafe KernelTable(
                        tier: tier, int8: NEONTier.i8mmInt8Kernels(), float: PortableTier.table.float,
                        convolution: PortableTier.table.convolution,
                        commonConvolution: PortableTier.table.convolution,
                        quantisedConvolution: PortableTier.table.quantisedConvolution, map: PortableTier.table.map,
                        resize: PortableTier.table.resize,
                        crop: PortableTier.table.crop, peak: NEONTier.i8mmPeakProbe())
                })
            list.append(
                Candidate(tier: "dotprod", runs: cpu.has(.dotProd)) { tier in
                    unsafe KernelTable(
                        tier: tier, int8: NEONTier.dotProdInt8Kernels(), float: PortableTier.table.float,
                        convolution: PortableTier.table.convolution,
                        commonConvolution: PortableTier.table.convolution,
                        quantisedConvolution: PortableTier.table.quantisedConvolution, map: PortableTier.table.map,
                        resize: PortableTier.table.resize,
                        crop: PortableTier.table.crop, peak: NEONTier.dotProdPeakProbe())
                })
        #endif
        list.append(Candidate(tier: PortableTier.table.tier, runs: true) { _ in PortableTier.table })
        return list
    }
}
