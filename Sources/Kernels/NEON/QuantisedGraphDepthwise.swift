#if arch(arm64)
    import _Builtin_intrinsics.arm.neon

    // The depthwise convolutions of int8 graphs for every arm64 CPU: values and weights widened to 16 bits, sixteen
    // channels at a time, two neighbouring pixels for each load of weights.
    //
    // Packed, for each 16 channels: weights as words [size * size][16], 16 biases, 16 multipliers, 16 slopes.

    @inline(__always)
    private func blockBytes(_ taps: Int) -> Int { 32 &* taps &+ 192 }

    /// See `QuantisedConvolutionKernels.PackDepthwise`.
    @c(gk_packdw_q8_neon) @export(interface) @inline(never)
    func packQuantisedDepthwise(
        _ weights: UnsafePointer<Int8>?, _ bias: UnsafePointer<Int32>?, _ multiplier: UnsafePointer<Float>?,
        _ slope: UnsafePointer<Float>?, _ channels: Int, _ size: Int, _ packed: UnsafeMutableRawPointer?
    ) -> Int {
        let taps = size &* size
        let byteCount = (channels / 16 &* blockBytes(taps) &+ 63) / 64 &* 64
        guard let weights, let bias, let multiplier, let slope, let packed else { return byteCount }
        var c = 0
        while c < channels {
            let block = packed + c / 16 &* blockBytes(taps)
            var tap = 0
            while tap < taps {
                block.storeBytes(
                    of: Int16(weights[tap &* channels &+ c]), toByteOffset: 32 &* tap &+ c % 16 &* 2, as: Int16.self)
                tap &+= 1
            }
            let parameters = block + (32 &* taps &+ c % 16 &* 4)
            parameters.storeBytes(of: bias[c], as: Int32.self)
            parameters.storeBytes(of: multiplier[c], toByteOffset: 64, as: Float.self)
            parameters.storeBytes(of: slope[c], toByteOffset: 128, as: Float.self)
            c &+= 1
        }
        return byteCount
    }

    /// See `QuantisedConvolutionKernels.Depthwise`.
    @c(gk_dw_q8_neon) @export(interface) @inline(never)
    func depthwiseQuantised(
        _ input: UnsafePointer<UInt8>, _ inRow: Int, _ size: Int, _ stride: Int,
        _ lines: Int, _ pixels: Int, _ channels: Int, _ packed: UnsafeRawPointer, _ rounding: UnsafeRawPointer,
        _ out: UnsafeMutablePointer<UInt8>, _ outRow: Int
    ) {
        let rounding = QuantisedRounding(rounding)
        var block = packed
        var c = 0
        while c < channels {
            var y = 0
            while y < lines {
                let source = UnsafeRawPointer(input + (stride &* y &* inRow &+ c))
                let target = UnsafeMutableRawPointer(out + (y &* outRow &+ c))
                if size == 3 {
                    line(3, source, inRow, stride, pixels, channels, block, rounding, target)
                } else {
                    line(5, source, inRow, stride, pixels, channels, block, rounding, target)
                }
                y &+= 1
            }
            block += blockBytes(size &* size)
            c &+= 16
        }
    }

    @inline(__always)
    private func line(
        _ size: Int, _ input: UnsafeRawPointer, _ inRow: Int, _ stride: Int, _ pixels: Int, _ channels: Int,
        _ block: UnsafeRawPointer, _ rounding: QuantisedRounding, _ out: UnsafeMutableRawPointer
    ) {
        let bias = block + 32 &* size &* size
        var x = 0
        while x < pixels {
            // A last single pixel is computed twice.
            let next = x &+ 1 < pixels ? 1 : 0
            let p = input + stride &* x &* channels
            let q = p + stride &* next &* channels
            var (first, second) = (Sixteen(bias), Sixteen(bias))
            var w = block
            var r = 0
            while r < size {
                var at = r &* inRow
                var s = 0
                while s < size {
                    let (low, high) = (loadWords(w), loadWords(w + 16))
                    first.add(p + at, low, high)
                    second.add(q + at, low, high)
                    w += 32
                    at &+= channels
                    s &+= 1
                }
                r &+= 1
            }
            put(first, bias + 64, rounding, out + x &* channels)
            put(second, bias + 64, rounding, out + (x &+ next) &* channels)
            x &+= 2
        }
    }

    @inline(__always)
    private func loadWords(_ p: UnsafeRawPointer) -> int16x8_t { p.loadUnaligned(as: int16x8_t.self) }

    extension Sixteen {
        /// Adds one tap of sixteen channels.
        @inline(__always)
        fileprivate mutating func add(_ p: UnsafeRawPointer, _ low: int16x8_t, _ high: int16x8_t) {
            let codes = p.loadUnaligned(as: uint8x16_t.self)
            let x0 = vreinterpretq_s16_u16(vmovl_u8(vget_low_u8(codes)))
            let x1 = vreinterpretq_s16_u16(vmovl_high_u8(codes))
            s0 = vmlal_s16(s0, vget_low_s16(x0), vget_low_s16(low))
            s1 = vmlal_high_s16(s1, x0, low)
            s2 = vmlal_s16(s2, vget_low_s16(x1), vget_low_s16(high))
            s3 = vmlal_high_s16(s3, x1, high)
        }
    }

    @inline(__always)
    private func put(
        _ sums: Sixteen, _ multipliers: UnsafeRawPointer, _ rounding: QuantisedRounding, _ out: UnsafeMutableRawPointer
    ) {
        var reals = SixteenReals(sums, multipliers)
        if rounding.hasSlopes { reals.slope(multipliers + 64) }
        reals.store(rounding, out)
    }
#endif
