#if arch(arm64)
    import _Builtin_intrinsics.arm.neon

    // The four bytes of a lane are four pixels of the 7x7 map: twelve groups of four and one last pixel, which is
    // repeated four times, with weights [w48, 0, 0, 0].
    //
    // Packed, for each sixteen channels: thirteen groups of weights [16][4], biases, multipliers.

    private enum Block {
        @inline(__always) static var bias: Int { 13 &* 64 }
        @inline(__always) static var multiplier: Int { 14 &* 64 }
        @inline(__always) static var bytes: Int { 15 &* 64 }
    }

    @c(gk_packdw7x7_u8s8_dotprod) @export(interface) @inline(never)
    func packDepthwise7x7DotProd(
        _ weights: UnsafePointer<Int8>?, _ bias: UnsafePointer<Int32>?, _ multiplier: UnsafePointer<Float>?,
        _ channels: Int, _ depth: Int, _ packed: UnsafeMutableRawPointer?
    ) -> Int { pack(.flipped, weights, bias, multiplier, channels, packed) }

    @c(gk_packdw7x7_u8s8_i8mm) @export(interface) @inline(never)
    func packDepthwise7x7I8MM(
        _ weights: UnsafePointer<Int8>?, _ bias: UnsafePointer<Int32>?, _ multiplier: UnsafePointer<Float>?,
        _ channels: Int, _ depth: Int, _ packed: UnsafeMutableRawPointer?
    ) -> Int { pack(.mixed, weights, bias, multiplier, channels, packed) }

    @c(gk_dw7x7_u8s8_dotprod) @export(interface) @inline(never)
    func depthwise7x7DotProd(
        _ input: UnsafePointer<UInt8>, _ channels: Int, _ packed: UnsafeRawPointer, _ out: UnsafeMutablePointer<UInt8>
    ) { depthwise(.flipped, input, channels, packed, out) }

    @c(gk_dw7x7_u8s8_i8mm) @export(interface) @inline(never)
    func depthwise7x7I8MM(
        _ input: UnsafePointer<UInt8>, _ channels: Int, _ packed: UnsafeRawPointer, _ out: UnsafeMutablePointer<UInt8>
    ) { depthwise(.mixed, input, channels, packed, out) }

    /// See `Int8Kernels.Pack`.
    @inline(__always)
    private func pack(
        _ dot: Dot, _ weights: UnsafePointer<Int8>?, _ bias: UnsafePointer<Int32>?,
        _ multiplier: UnsafePointer<Float>?, _ channels: Int, _ packed: UnsafeMutableRawPointer?
    ) -> Int {
        let byteCount = channels / 16 &* Block.bytes
        guard let weights, let bias, let multiplier, let packed else { return byteCount }
        var c = 0
        while c < channels {
            let block = packed + c / 16 &* Block.bytes
            let lane = c % 16 &* 4
            var corrected = bias[c]
            var k = 0
            while k < 49 {
                let weight = weights[49 &* c &+ k]
                block.storeBytes(of: weight, toByteOffset: k / 4 &* 64 &+ lane &+ k % 4, as: Int8.self)
                corrected &+= dot.correction(weight)
                k &+= 1
            }
            block.storeBytes(of: corrected, toByteOffset: Block.bias &+ lane, as: Int32.self)
            block.storeBytes(of: multiplier[c], toByteOffset: Block.multiplier &+ lane, as: Float.self)
            c &+= 1
        }
        return byteCount
    }

    /// See `Int8Kernels.Depthwise7x7`.
    @inline(__always)
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
