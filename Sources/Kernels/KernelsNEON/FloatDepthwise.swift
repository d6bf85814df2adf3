#if arch(arm64)
    import KernelInterface
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
        var sums = RegisterArray(repeating: loadFloats(parameters.bias))
        var (line, w) = (input, parameters.weights)
        let (step, tap) = (stride &* inPixel, parameters.tap)

        @inline(always)
        func add(_ column: Int) {
            let weights = loadFloats(w + column &* tap)
            let p = line + column &* inPixel
            sums.update(count) { $0 = vfmaq_f32($0, loadFloats(p + $1 &* step), weights) }
        }
        var r = 0
        while r < size {
            add(0)
            if stride == 1 { add(1) }
            add(2)
            if stride == 1 && size > 3 { add(3) }
            if size > 3 { add(4) }
            if stride == 2 { add(1) }
            if stride == 2 && size > 3 { add(3) }
            line += inRow
            w += size &* tap
            r &+= 1
        }
        let upper = vdupq_n_f32(upper)

        @inline(always)
        func put(_ kind: Int, _ slope: float32x4_t) {
            sums.forEach(count) { storeFloats(Activation.apply(kind, $0, slope, upper), out + $1 &* outPixel) }
        }
        guard let p = parameters.slope else {
            put(Activation.relu, upper)
            return
        }
        let slope = loadFloats(p)
        switch (p + 16).load(as: Int.self) {
        case Activation.relu: put(Activation.relu, slope)
        case Activation.linear: put(Activation.linear, slope)
        default: put(Activation.general, slope)
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
