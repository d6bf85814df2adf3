#if arch(arm64)
    import _Builtin_intrinsics.arm.neon

    // The depthwise convolutions of int8 graphs, sixteen channels at a time.
    //
    // For every arm64 CPU: values and weights widened to 16 bits, two neighbouring pixels for each load of weights.
    // Packed, for each 16 channels: weights as words [size * size][16], 16 biases, 16 multipliers, 16 slopes.
    //
    // 3x3 with dot products: as for the pixel network, three rows of a column are interleaved byte by byte and make one
    // dot product, and columns that neighbouring pixels share stay in registers. Packed, for each 16 channels: weights
    // [3 columns][16][4] with a fourth row of 0, 16 biases, 16 multipliers, 16 slopes.

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
            storeParameters(bias[c], multiplier[c], slope[c], block + (32 &* taps &+ c % 16 &* 4))
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
                    let weights = WordWeights(w)
                    first.add(p + at, weights)
                    second.add(q + at, weights)
                    w += 32
                    at &+= channels
                    s &+= 1
                }
                r &+= 1
            }
            putQuantised(first, bias + 64, rounding, nil, 0, out + x &* channels)
            putQuantised(second, bias + 64, rounding, nil, 0, out + (x &+ next) &* channels)
            x &+= 2
        }
    }

    extension Sixteen {
        /// Adds one tap of sixteen channels.
        @inline(__always)
        fileprivate mutating func add(_ p: UnsafeRawPointer, _ w: WordWeights) {
            let codes = p.loadUnaligned(as: uint8x16_t.self)
            let x0 = vreinterpretq_s16_u16(vmovl_u8(vget_low_u8(codes)))
            let x1 = vreinterpretq_s16_u16(vmovl_high_u8(codes))
            s0 = vmlal_s16(s0, vget_low_s16(x0), vget_low_s16(w.w0))
            s1 = vmlal_high_s16(s1, x0, w.w0)
            s2 = vmlal_s16(s2, vget_low_s16(x1), vget_low_s16(w.w1))
            s3 = vmlal_high_s16(s3, x1, w.w1)
        }
    }

    // MARK: Dot products

    private enum Woven3x3 {
        @inline(__always) static var bias: Int { 3 &* 64 }
        @inline(__always) static var bytes: Int { 6 &* 64 }
    }

    /// See `QuantisedConvolutionKernels.PackDepthwise`.
    @c(gk_packdw_q8_dotprod) @export(interface) @inline(never)
    func packQuantisedDepthwiseDotProd(
        _ weights: UnsafePointer<Int8>?, _ bias: UnsafePointer<Int32>?, _ multiplier: UnsafePointer<Float>?,
        _ slope: UnsafePointer<Float>?, _ channels: Int, _ size: Int, _ packed: UnsafeMutableRawPointer?
    ) -> Int {
        guard size == 3 else {
            return packQuantisedDepthwise(weights, bias, multiplier, slope, channels, size, packed)
        }
        return pack3x3(.flipped, weights, bias, multiplier, slope, channels, packed)
    }

    /// See `QuantisedConvolutionKernels.Depthwise`.
    @c(gk_dw_q8_dotprod) @export(interface) @inline(never)
    func depthwiseQuantisedDotProd(
        _ input: UnsafePointer<UInt8>, _ inRow: Int, _ size: Int, _ stride: Int,
        _ lines: Int, _ pixels: Int, _ channels: Int, _ packed: UnsafeRawPointer, _ rounding: UnsafeRawPointer,
        _ out: UnsafeMutablePointer<UInt8>, _ outRow: Int
    ) {
        guard size == 3 else {
            depthwiseQuantised(
                input, inRow, size, stride, lines, pixels, channels, packed, rounding, out, outRow)
            return
        }
        depthwise3x3(
            .flipped, input, inRow, stride, lines, pixels, channels, packed, QuantisedRounding(rounding), out, outRow)
    }

    /// See `QuantisedConvolutionKernels.PackDepthwise`.
    @c(gk_packdw_q8_i8mm) @export(interface) @inline(never)
    func packQuantisedDepthwiseI8MM(
        _ weights: UnsafePointer<Int8>?, _ bias: UnsafePointer<Int32>?, _ multiplier: UnsafePointer<Float>?,
        _ slope: UnsafePointer<Float>?, _ channels: Int, _ size: Int, _ packed: UnsafeMutableRawPointer?
    ) -> Int {
        guard size == 3 else {
            return packQuantisedDepthwise(weights, bias, multiplier, slope, channels, size, packed)
        }
        return pack3x3(.mixed, weights, bias, multiplier, slope, channels, packed)
    }

    /// See `QuantisedConvolutionKernels.Depthwise`.
    @c(gk_dw_q8_i8mm) @export(interface) @inline(never)
    func depthwiseQuantisedI8MM(
        _ input: UnsafePointer<UInt8>, _ inRow: Int, _ size: Int, _ stride: Int,
        _ lines: Int, _ pixels: Int, _ channels: Int, _ packed: UnsafeRawPointer, _ rounding: UnsafeRawPointer,
        _ out: UnsafeMutablePointer<UInt8>, _ outRow: Int
    ) {
        guard size == 3 else {
            depthwiseQuantised(
                input, inRow, size, stride, lines, pixels, channels, packed, rounding, out, outRow)
            return
        }
        depthwise3x3(
            .mixed, input, inRow, stride, lines, pixels, channels, packed, QuantisedRounding(rounding), out, outRow)
    }

    @inline(__always)
    private func pack3x3(
        _ dot: Dot, _ weights: UnsafePointer<Int8>?, _ bias: UnsafePointer<Int32>?,
        _ multiplier: UnsafePointer<Float>?, _ slope: UnsafePointer<Float>?, _ channels: Int,
        _ packed: UnsafeMutableRawPointer?
    ) -> Int {
        let byteCount = channels / 16 &* Woven3x3.bytes
        guard let weights, let bias, let multiplier, let slope, let packed else { return byteCount }
        var c = 0
        while c < channels {
            let block = packed + c / 16 &* Woven3x3.bytes
            let lane = c % 16 &* 4
            var corrected = bias[c]
            var tap = 0
            while tap < 9 {
                let weight = weights[tap &* channels &+ c]
                block.storeBytes(of: weight, toByteOffset: tap % 3 &* 64 &+ lane &+ tap / 3, as: Int8.self)
                corrected &+= dot.correction(weight)
                tap &+= 1
            }
            storeParameters(corrected, multiplier[c], slope[c], block + (Woven3x3.bias &+ lane))
            c &+= 1
        }
        return byteCount
    }

    @inline(__always)
    private func depthwise3x3(
        _ dot: Dot, _ input: UnsafePointer<UInt8>, _ inRow: Int, _ stride: Int, _ lines: Int, _ pixels: Int,
        _ channels: Int, _ packed: UnsafeRawPointer, _ rounding: QuantisedRounding, _ out: UnsafeMutablePointer<UInt8>,
        _ outRow: Int
    ) {
        let width = pixels &* channels
        var block = packed
        var c = 0
        while c < channels {
            var y = 0
            while y < lines {
                let source = UnsafeRawPointer(input + (stride &* y &* inRow &+ c))
                let target = UnsafeMutableRawPointer(out + (y &* outRow &+ c))
                var at = 0
                var left = column(dot, source, inRow)
                if stride == 1 {
                    var centre = column(dot, source + channels, inRow)
                    while at < width {
                        let right = column(dot, source + (at &+ 2 &* channels), inRow)
                        output(dot, left, centre, right, block, rounding, target + at)
                        left = centre
                        centre = right
                        at &+= channels
                    }
                } else {
                    while at < width {
                        let centre = column(dot, source + (2 &* at &+ channels), inRow)
                        let right = column(dot, source + (2 &* at &+ 2 &* channels), inRow)
                        output(dot, left, centre, right, block, rounding, target + at)
                        left = right
                        at &+= channels
                    }
                }
                y &+= 1
            }
            block += Woven3x3.bytes
            c &+= 16
        }
    }

    /// Three rows of a column, and one of them again for the weights of 0.
    @inline(__always)
    private func column(_ dot: Dot, _ p: UnsafeRawPointer, _ inRow: Int) -> Woven {
        let first = dot.load(p)
        return Woven(first, dot.load(p + inRow), dot.load(p + 2 &* inRow), first)
    }

    @inline(__always)
    private func output(
        _ dot: Dot, _ left: Woven, _ centre: Woven, _ right: Woven, _ block: UnsafeRawPointer,
        _ rounding: QuantisedRounding, _ out: UnsafeMutableRawPointer
    ) {
        var sums = Sixteen(block + Woven3x3.bias)
        sums.add(dot, left, block)
        sums.add(dot, centre, block + 64)
        sums.add(dot, right, block + 128)
        putQuantised(sums, block + (Woven3x3.bias &+ 64), rounding, nil, 0, out)
    }
#endif
