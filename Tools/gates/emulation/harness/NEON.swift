#if arch(arm64)
    import KernelInterface
    import KernelsNEON
    import KernelInterface

    /// See `compareTiers`. With any argument, wrong weights must be seen.
    @c(main)
    func main(_ count: Int32, _ arguments: UnsafeRawPointer?) -> Int32 {
        let portable = PortableTier.table
        let neon = KernelTable(
            tier: "neon", int8: NEONTier.i8mmInt8Kernels(), float: NEONTier.floatKernels(),
            convolution: NEONTier.convolutionKernels(), commonConvolution: portable.commonConvolution,
            quantisedConvolution: NEONTier.baseQuantisedConvolutionKernels(), map: NEONTier.mapKernels(),
            resize: NEONTier.resizeKernels(), crop: NEONTier.cropKernels(), peak: NEONTier.i8mmPeakProbe())
        return compareTiers(
            portable, int8: [NEONTier.dotProdInt8Kernels(), neon.int8],
            graphs: [
                NEONTier.dotProdQuantisedConvolutionKernels(), NEONTier.i8mmQuantisedConvolutionKernels(),
                neon.quantisedConvolution,
            ], frames: neon, hasFloats: true, sabotage: count > 1)
    }
#endif
