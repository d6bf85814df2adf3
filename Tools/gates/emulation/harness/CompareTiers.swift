import KernelInterface

/// Compares kernels with the portable tier's on every case, and writes a line for each family.
/// - int8, graphs: kernels of the pixel network and of graphs, of one or several tiers.
/// - frames: the tier whose kernels of frames and maps are compared; if `hasFloats`, those of floats, too.
/// - sabotage: gives the kernels under test wrong numbers, to prove that the harness sees them.
/// - Returns: 0 when all agree; with `sabotage`, when every kernel was seen to fail.
func compareTiers(
    _ portable: KernelTable, int8: [Int8Kernels], graphs: [QuantisedConvolutionKernels], frames: KernelTable?,
    hasFloats: Bool, sabotage: Bool
) -> Int32 {
    var sweeps = Sweeps([portable.int8] + int8, [portable.quantisedConvolution] + graphs, sabotage: sabotage)
    var unseen = false
    for kernel in 0..<10 {
        let before = sweeps.failures
        switch kernel {
        case 0: sweeps.stem()
        case 1: sweeps.depthwise3x3()
        case 2: sweeps.depthwise7x7()
        case 3: sweeps.gemm()
        case 4: sweeps.classify()
        case 5: sweeps.graphConvolution()
        case 6: sweeps.graphConvolutionToFloat()
        case 7: sweeps.graphDepthwise()
        case 8: sweeps.graphRoundingOfConvolution()
        default: sweeps.graphRoundingOfDepthwise()
        }
        if sweeps.failures == before { unseen = true }
    }
    var failures = sweeps.failures
    if let frames {
        var base = BaseSweeps(portable, frames, sabotage: sabotage)
        base.run(hasFloats: hasFloats)
        if base.isBlind { unseen = true }
        failures += base.failures
    }
    if sabotage {
        write(unseen ? "a wrong weight went unseen\n" : "every kernel's wrong weights were seen\n")
        return unseen ? 1 : 0
    }
    write(failures)
    write(" failures\n")
    return failures == 0 ? 0 : 1
}
