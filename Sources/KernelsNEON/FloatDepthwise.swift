#if arch(arm64)
    import _Builtin_intrinsics.arm.neon

    // The float32 depthwise convolutions, of network graphs and of the pixel network.
    //
    // The sums of six to eight neighbouring pixels of a row stay in registers, together with the pixels under one tap.
    // The next tap covers the same pixels but one. So a weight is loaded once for all sums, and an input pixel once for
    // all taps of a row. At stride 2 the even taps come first, because they share pixels. All channels of a group of
    // pixels are computed before the next group, so that each cache line is used completely while it is cached.

    /// The parameters of four channels.
    struct DepthwiseParameters {
        var weights, bias: UnsafeRawPointer
        /// Then the kind of the activation; nil for slopes of 0.
        var slope: UnsafeRawPointer?
        /// Bytes from one tap's weights to the next, and from all of this to the next four channels'.
        let tap, next: Int

        @inline(always)
        mutating func advance() {
            weights += next
            bias += next
            if let slope { self.slope = slope + next }
        }
    }

    /// One row of `size` x `size` taps. Strides in bytes, except `channels`.
    @inline(always)
    func depthwiseLine(
        _ size: Int, _ stride: Int, _ input: UnsafeRawPointer, _ inRow: Int, _ pixels: Int, _ channels: Int,
        _ parameters: DepthwiseParameters, _ upper: Float, _ out: UnsafeMutableRawPointer, _ outPixel: Int
    ) {
        let inPixel = 4 &* channels
        // Groups of nearly equal size, of at least six pixels if the row has them.
        let groups = (pixels &+ 7) / 8
        let equal = (pixels &+ groups &- 1) / groups
        let count = pixels < 6 ? (pixels < 4 ? 1 : 4) : (equal < 6 ? 6 : equal)
        var x = 0
        while x < pixels {
            // The last group overlaps the one before it if the row is not a multiple of the group.
            if pixels &- x < count { x = pixels &- count }
            var four = parameters
            var source = input + stride &* x &* inPixel
            var target = out + x &* outPixel
            let end = target + 4 &* channels
            while target < end {
                if count == 8 {
                    depthwiseGroup(8, size, stride, source, inRow, inPixel, four, upper, target, outPixel)
                } else if count == 7 {
                    depthwiseGroup(7, size, stride, source, inRow, inPixel, four, upper, target, outPixel)
                } else if count == 6 {
                    depthwiseGroup(6, size, stride, source, inRow, inPixel, four, upper, target, outPixel)
                } else if count == 4 {
                    depthwiseGroup(4, size, stride, source, inRow, inPixel, four, upper, target, outPixel)
                } else {
                    depthwiseGroup(1, size, stride, source, inRow, inPixel, four, upper, target, outPixel)
                }
                four.advance()
                source += 16
                target += 16
            }
            x &+= count
        }
    }

    /// One, four or six to eight pixels of four channels.
    @inline(always)
    private func depthwiseGroup(
        _ count: Int, _ size: Int, _ stride: Int, _ input: UnsafeRawPointer, _ inRow: Int, _ inPixel: Int,
        _ parameters: DepthwiseParameters, _ upper: Float, _ out: UnsafeMutableRawPointer, _ outPixel: Int
    ) {
        var group = Group(loadFloats(parameters.bias))
        var (line, w) = (input, parameters.weights)
        let (step, tap) = (stride &* inPixel, parameters.tap)
        var r = 0
        while r < size {
            group.add(count, line, step, w)
            if stride == 1 { group.add(count, line + inPixel, step, w + tap) }
            group.add(count, line + 2 &* inPixel, step, w + 2 &* tap)
            if stride == 1 && size > 3 { group.add(count, line + 3 &* inPixel, step, w + 3 &* tap) }
            if size > 3 { group.add(count, line + 4 &* inPixel, step, w + 4 &* tap) }
            if stride == 2 { group.add(count, line + inPixel, step, w + tap) }
            if stride == 2 && size > 3 { group.add(count, line + 3 &* inPixel, step, w + 3 &* tap) }
            line += inRow
            w += size &* tap
            r &+= 1
        }
        let upper = vdupq_n_f32(upper)
        guard let p = parameters.slope else {
            group.put(count, Activation.relu, upper, upper, out, outPixel)
            return
        }
        let slope = loadFloats(p)
        switch (p + 16).load(as: Int.self) {
        case Activation.relu: group.put(count, Activation.relu, slope, upper, out, outPixel)
        case Activation.linear: group.put(count, Activation.linear, slope, upper, out, outPixel)
        default: group.put(count, Activation.general, slope, upper, out, outPixel)
        }
    }

    /// The sums of a group.
    private struct Group {
        var s0, s1, s2, s3, s4, s5, s6, s7: float32x4_t

        @inline(always)
        init(_ bias: float32x4_t) {
            (s0, s1, s2, s3) = (bias, bias, bias, bias)
            (s4, s5, s6, s7) = (bias, bias, bias, bias)
        }

        /// Adds one tap, whose weights are at `w`, for pixels `step` bytes apart.
        @inline(always)
        mutating func add(_ count: Int, _ p: UnsafeRawPointer, _ step: Int, _ w: UnsafeRawPointer) {
            let weights = loadFloats(w)
            s0 = vfmaq_f32(s0, loadFloats(p), weights)
            if count > 1 {
                s1 = vfmaq_f32(s1, loadFloats(p + step), weights)
                s2 = vfmaq_f32(s2, loadFloats(p + 2 &* step), weights)
                s3 = vfmaq_f32(s3, loadFloats(p + 3 &* step), weights)
            }
            if count > 4 {
                s4 = vfmaq_f32(s4, loadFloats(p + 4 &* step), weights)
                s5 = vfmaq_f32(s5, loadFloats(p + 5 &* step), weights)
            }
            if count > 6 { s6 = vfmaq_f32(s6, loadFloats(p + 6 &* step), weights) }
            if count > 7 { s7 = vfmaq_f32(s7, loadFloats(p + 7 &* step), weights) }
        }

        /// Finishes and writes the sums.
        @inline(always)
        func put(
            _ count: Int, _ kind: Int, _ slope: float32x4_t, _ upper: float32x4_t, _ out: UnsafeMutableRawPointer,
            _ pixel: Int
        ) {
            storeFloats(Activation.apply(kind, s0, slope, upper), out)
            if count > 1 {
                storeFloats(Activation.apply(kind, s1, slope, upper), out + pixel)
                storeFloats(Activation.apply(kind, s2, slope, upper), out + 2 &* pixel)
                storeFloats(Activation.apply(kind, s3, slope, upper), out + 3 &* pixel)
            }
            if count > 4 {
                storeFloats(Activation.apply(kind, s4, slope, upper), out + 4 &* pixel)
                storeFloats(Activation.apply(kind, s5, slope, upper), out + 5 &* pixel)
            }
            if count > 6 { storeFloats(Activation.apply(kind, s6, slope, upper), out + 6 &* pixel) }
            if count > 7 { storeFloats(Activation.apply(kind, s7, slope, upper), out + 7 &* pixel) }
        }
    }

    // MARK: The pixel network

    /// See `FloatKernels.Depthwise3x3`.
    @c(gk_dw3x3_f32_neon) @export(interface) @inline(never)
    func floatDepthwise3x3(
        _ input: UnsafePointer<Float>, _ inStride: Int, _ stride: Int,
        _ rows: Int, _ width: Int, _ channels: Int,
        _ weights: UnsafePointer<Float>, _ bias: UnsafePointer<Float>,
        _ out: UnsafeMutablePointer<Float>, _ outStride: Int
    ) {
        let parameters = DepthwiseParameters(
            weights: UnsafeRawPointer(weights), bias: UnsafeRawPointer(bias), slope: nil, tap: 4 &* channels, next: 16)
        var y = 0
        while y < rows {
            let source = UnsafeRawPointer(input + stride &* y &* inStride)
            let target = UnsafeMutableRawPointer(out + y &* outStride)
            if stride == 1 {
                depthwiseLine(
                    3, 1, source, 4 &* inStride, width, channels, parameters, 6, target, 4 &* channels)
            } else {
                depthwiseLine(
                    3, 2, source, 4 &* inStride, width, channels, parameters, 6, target, 4 &* channels)
            }
            y &+= 1
        }
    }

    /// See `FloatKernels.Depthwise7x7`. Sixteen channels times two taps.
    @c(gk_dw7x7_f32_neon) @export(interface) @inline(never)
    func floatDepthwise7x7(
        _ input: UnsafePointer<Float>, _ channels: Int,
        _ weights: UnsafePointer<Float>, _ bias: UnsafePointer<Float>, _ out: UnsafeMutablePointer<Float>
    ) {
        let pixel = 4 &* channels
        var c = 0
        while c < channels {
            var (p, w) = (UnsafeRawPointer(input + c), UnsafeRawPointer(weights + c))
            var even = SixteenFloats(UnsafeRawPointer(bias + c))
            var odd = SixteenFloats()
            even.add(p, w)
            var pair = 0
            while pair < 24 {
                odd.add(p + pixel, w + pixel)
                even.add(p + 2 &* pixel, w + 2 &* pixel)
                p += 2 &* pixel
                w += 2 &* pixel
                pair &+= 1
            }
            even.store(odd, UnsafeMutableRawPointer(out + c))
            c &+= 16
        }
    }

    /// The sums of sixteen channels.
    private struct SixteenFloats {
        var s0, s1, s2, s3: float32x4_t

        @inline(always)
        init() {
            s0 = vdupq_n_f32(0)
            (s1, s2, s3) = (s0, s0, s0)
        }

        @inline(always)
        init(_ p: UnsafeRawPointer) {
            (s0, s1, s2, s3) = (loadFloats(p), loadFloats(p + 16), loadFloats(p + 32), loadFloats(p + 48))
        }

        @inline(always)
        mutating func add(_ p: UnsafeRawPointer, _ w: UnsafeRawPointer) {
            s0 = vfmaq_f32(s0, loadFloats(p), loadFloats(w))
            s1 = vfmaq_f32(s1, loadFloats(p + 16), loadFloats(w + 16))
            s2 = vfmaq_f32(s2, loadFloats(p + 32), loadFloats(w + 32))
            s3 = vfmaq_f32(s3, loadFloats(p + 48), loadFloats(w + 48))
        }

        @inline(always)
        func store(_ other: SixteenFloats, _ out: UnsafeMutableRawPointer) {
            storeFloats(relu6(vaddq_f32(s0, other.s0)), out)
            storeFloats(relu6(vaddq_f32(s1, other.s1)), out + 16)
            storeFloats(relu6(vaddq_f32(s2, other.s2)), out + 32)
            storeFloats(relu6(vaddq_f32(s3, other.s3)), out + 48)
        }
    }
#endif
