import KernelInterface
import KernelsNEON
import KernelsPortable

let testedTiers: (StaticString, StaticString) = ("dotprod", "i8mm")

/// Exits with 0 when all three tiers agree on every case. With any argument, the NEON tiers are given wrong weights and
/// every kernel must be seen to fail; then the status is 0 when all were.
@c(main)
func main(_ count: Int32, _ arguments: UnsafeRawPointer?) -> Int32 {
    let sabotage = count > 1
    let tables = [
        PortableTier.table.int8, NEONTier.dotProdInt8Kernels(), NEONTier.i8mmInt8Kernels(),
    ]
    var sweeps = Sweeps(tables, sabotage: sabotage)
    var unseen = false
    var before = 0
    for kernel in 0..<5 {
        switch kernel {
        case 0: sweeps.stem()
        case 1: sweeps.depthwise3x3()
        case 2: sweeps.depthwise7x7()
        case 3: sweeps.gemm()
        default: sweeps.classify()
        }
        if sweeps.failures == before { unseen = true }
        before = sweeps.failures
    }
    var base = BaseSweeps(sabotage: sabotage)
    base.run()
    if base.isBlind { unseen = true }
    let graphs = PortableTier.table.quantisedConvolution
    var graphSweeps = QuantisedGraphSweeps(
        graphs,
        [
            NEONTier.dotProdQuantisedConvolutionKernels(), NEONTier.i8mmQuantisedConvolutionKernels(),
            NEONTier.baseQuantisedConvolutionKernels(),
        ], sabotage: sabotage)
    before = 0
    for kernel in 0..<5 {
        switch kernel {
        case 0: graphSweeps.convolution()
        case 1: graphSweeps.convolutionToFloat()
        case 2: graphSweeps.depthwise()
        case 3: graphSweeps.roundingOfConvolution()
        default: graphSweeps.roundingOfDepthwise()
        }
        if graphSweeps.failures == before { unseen = true }
        before = graphSweeps.failures
    }
    let failures = sweeps.failures + graphSweeps.failures
    if sabotage {
        write(unseen ? "a wrong weight went unseen\n" : "every kernel's wrong weights were seen\n")
        return unseen ? 1 : 0
    }
    write("int8, all tiers: ")
    write(failures)
    write(" failures\n")
    write("float, frames and maps, portable and neon: ")
    write(base.failures)
    write(" failures\n")
    return failures + base.failures == 0 ? 0 : 1
}
