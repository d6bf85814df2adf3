#if arch(x86_64)
    import KernelInterface
    import KernelsAVX2
    import KernelsAVXVNNI
    import KernelInterface

    /// See `compareTiers`. With any argument, wrong weights must be seen.
    @c(main)
    func main(_ count: Int32, _ arguments: UnsafeRawPointer?) -> Int32 {
        let base = AVX2Tier.int8Kernels()
        return compareTiers(
            PortableTier.table, int8: [base, AVXVNNITier.int8Kernels(base)],
            graphs: [AVX2Tier.quantisedConvolutionKernels(), AVXVNNITier.quantisedConvolutionKernels()], frames: nil,
            hasFloats: false, sabotage: count > 1)
    }
#endif
