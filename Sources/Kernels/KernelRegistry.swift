package import KernelInterface
import KernelsPortable

#if arch(x86_64)
    import KernelsAVX512VNNI
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
                Candidate(runs: cpu.has("avx512f", "avx512bw", "avx512dq", "avx512vl", "avx512_vnni")) {
                    unsafe KernelTable(
                        tier: "avx512vnni", int8: AVX512VNNITier.int8Kernels(), float: FloatKernels(stem: PortableTier.table.float.stem, depthwise3x3: PortableTier.table.float.depthwise3x3, depthwise7x7: PortableTier.table.float.depthwise7x7, biasReLU6: PortableTier.table.float.biasReLU6, matrix: AVX512VNNITier.floatMatrix()),
                        resize: PortableTier.table.resize, peak: AVX512VNNITier.peakProbe())
                })
        #endif
        list.append(Candidate(runs: true) { PortableTier.table })
        return list
    }
}
