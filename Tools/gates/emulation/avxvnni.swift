import KernelInterface
import KernelsAVX2
import KernelsAVXVNNI
import KernelsPortable

let testedTiers: (StaticString, StaticString) = ("avx2", "avxvnni")

/// Exits with 0 when the tiers agree on every case. With any argument, AVX2 and AVX-VNNI are given wrong weights and every
/// kernel must be seen to fail; then the status is 0 when all were.
@c(main)
func main(_ count: Int32, _ arguments: UnsafeRawPointer?) -> Int32 {
    let sabotage = count > 1
    let base = AVX2Tier.int8Kernels()
    var sweeps = Sweeps([PortableTier.table.int8, base, AVXVNNITier.int8Kernels(base)], sabotage: sabotage)
    var unseen = false
    var before = 0
    for kernel in 0..<2 {
        if kernel == 0 { sweeps.gemm() } else { sweeps.classify() }
        if sweeps.failures == before { unseen = true }
        before = sweeps.failures
    }
    var graphSweeps = QuantisedGraphSweeps(
        PortableTier.table.quantisedConvolution,
        [AVX2Tier.quantisedConvolutionKernels(), AVXVNNITier.quantisedConvolutionKernels()], sabotage: sabotage)
    before = 0
    for kernel in 0..<3 {
        switch kernel {
        case 0: graphSweeps.convolution()
        case 1: graphSweeps.convolutionToFloat()
        default: graphSweeps.depthwise()
        }
        if graphSweeps.failures == before { unseen = true }
        before = graphSweeps.failures
    }
    if sabotage {
        write(unseen ? "a wrong weight went unseen\n" : "every kernel's wrong weights were seen\n")
        return unseen ? 1 : 0
    }
    return sweeps.failures + graphSweeps.failures == 0 ? 0 : 1
}
