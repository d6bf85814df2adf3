#if arch(wasm32)
    import KernelInterface
    import Kernels

    /// See `compareTiers`.
    /// - end, byteCount: of the memory's last bytes, which nothing else uses.
    @_expose(wasm, "compare")
    public func compare(_ end: UnsafeMutableRawPointer, _ byteCount: Int32, _ sabotage: Int32) -> Int32 {
        lastBytes = LastBytes(end: end, count: Int(byteCount))
        let tiers = KernelRegistry.available
        guard tiers.count > 1, let tier = tiers.last else {
            write("there is no tier besides the portable one\n")
            return 1
        }
        return compareTiers(
            tiers[0], int8: [tier.int8], graphs: [tier.quantisedConvolution], frames: tier, hasFloats: false,
            sabotage: sabotage != 0)
    }
#endif
