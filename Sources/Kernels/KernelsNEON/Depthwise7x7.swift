#if arch(arm64)
    import _Builtin_intrinsics.arm.neon
    import KernelInterface

    // The four bytes of a lane are four pixels of the 7x7 map: twelve groups of four and one last pixel, which is
    // repeated four times, with weights [w48, 0, 0, 0].
    //
    // Packed, for each sixteen channels: thirteen groups of weights [16][4], biases, multipliers.

    private enum Block {
        @inline(always) static var bias: Int { 13 &* 64 }
        @inline(always) static var multiplier: Int { 14 &* 64 }
        @inline(always) static var bytes: Int { 15 &* 64 }
    }

    /// What `Int8Kernels.packDepthwise7x7` writes.
    @inline(always)
    func depthwise7x7Layout(_ dot: Dot) -> WeightLayout {
        WeightLayout(width: 16, group: 4, vectors: 2, correction: dot.correction)
    }

    @c(gk_dw7x7_u8s8_dotprod) @export(interface) @inline(never)
    func depthwise7x7DotProd(
        _ input: UnsafePointer<UInt8>, _ channels: Int, _ packed: UnsafeRawPointer, _ out: UnsafeMutablePointer<UInt8>
    ) { depthwise(.flipped, input, channels, packed, out) }

    @c(gk_dw7x7_u8s8_i8mm) @export(interface) @inline(never)
    func depthwise7x7I8MM(
        _ input: UnsafePointer<UInt8>, _ channels: Int, _ packed: UnsafeRawPointer, _ out: UnsafeMutablePointer<UInt8>
    ) { depthwise(.mixed, input, channels, packed, out) }

    /// See `Int8Kernels.Depthwise7x7`.
    @inline(always)
    private func depthwise(
        _ dot: Dot, _ input: UnsafePointer<UInt8>, _ channels: Int, _ packed: UnsafeRawPointer,
        _ out: UnsafeMutablePointer<UInt8>
    ) {
        var block = packed
        var c = 0
        while c < channels {
            var sums = Sixteen(block + Block.bias)
            var p = UnsafeRawPointer(input + c)
            var weights = block
            while weights < block + 12 &* 64 {
                let low = p + channels
                let high = low + channels
                sums.add(
                    dot, Woven(dot.load(p), dot.load(low), dot.load(high), dot.load(high + channels)), weights)
                p += 4 &* channels
                weights += 64
            }
            let last = dot.load(p)
            sums.add(dot, Woven(last, last, last, last), weights)
            sums.store(block + Block.multiplier, UnsafeMutableRawPointer(out + c))
            block += Block.bytes
            c &+= 16
        }
    }
#endif
