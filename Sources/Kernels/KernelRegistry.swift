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
    package static let available: [KernelTable] = candidates.filter { $0.runs }.map { $0.table() }

    /// The best tier not named in `excluded`. The portable tier is always left: an exclusion can only remove.
    package static func select(excluding excluded: Set<String> = []) -> KernelTable {
        available.first { !excluded.contains($0.tier) } ?? PortableTier.table
    }

    private struct Candidate {
        let runs: Bool
        let table: () -> KernelTable
    }

    private static var candidates: [Candidate] {
        let cpu = CPUFeatures.current
        var list: [Candidate] = []
        #if arch(x86_64)
            list.append(
                Candidate(runs: cpu.has(.avx512f, .avx512bw, .avx512dq, .avx512vl, .avx512vnni)) {
                    unsafe KernelTable(
                        tier: "avx512vnni", int8: AVX512VNNITier.int8Kernels(), float: AVX512VNNITier.floatKernels(),
                        resize: AVX512VNNITier.resizeKernels(), peak: AVX512VNNITier.peakProbe())
                })
            list.append(
                Candidate(runs: cpu.has(.avx2, .fma, .f16c, .bmi2)) {
                    unsafe KernelTable(
                        tier: "avx2", int8: AVX2Tier.int8Kernels(), float: AVX2Tier.floatKernels(),
                        resize: AVX2Tier.resizeKernels(), peak: AVX2Tier.peakProbe())
                })
        #elseif arch(arm64)
            list.append(
                Candidate(runs: cpu.has(.dotProd, .i8mm)) {
                    unsafe KernelTable(
                        tier: "i8mm", int8: NEONTier.i8mmInt8Kernels(), float: PortableTier.table.float,
                        resize: PortableTier.table.resize, peak: NEONTier.i8mmPeakProbe())
                })
            list.append(
                Candidate(runs: cpu.has(.dotProd)) {
                    unsafe KernelTable(
                        tier: "dotprod", int8: NEONTier.dotProdInt8Kernels(), float: PortableTier.table.float,
                        resize: PortableTier.table.resize, peak: NEONTier.dotProdPeakProbe())
                })
        #endif
        list.append(Candidate(runs: true) { PortableTier.table })
        return list
    }
}
