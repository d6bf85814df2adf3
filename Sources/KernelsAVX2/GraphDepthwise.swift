#if arch(x86_64)
    // The float32 depthwise convolutions of network graphs, one source for AVX2 and AVX-512.
    //
    // The sums of seven or six neighbouring pixels of a row stay in registers, nearly the eight chains that two ports
    // need, together with the pixels under one tap. The next tap covers the same pixels but one. So a weight is loaded
    // once for seven sums, and an input pixel once for the five taps of a row. All channels of a group are computed
    // before the next group, so that each cache line is used completely while it is cached.

    /// See `ConvolutionKernels.Depthwise`. `depthwiseLine` is one function a size and stride in each tier, because the
    /// compiler inlines all of a group only into a small caller.
    @inline(__always)
    func depthwise(
        _ input: UnsafePointer<Float>, _ inRow: Int, _ size: Int, _ stride: Int,
        _ lines: Int, _ pixels: Int, _ channels: Int, _ packed: UnsafeRawPointer, _ upper: Float,
        _ out: UnsafeMutablePointer<Float>, _ outRow: Int, _ outPixel: Int
    ) {
        var y = 0
        while y < lines {
            let source = UnsafeRawPointer(input + stride &* y &* inRow)
            let target = UnsafeMutableRawPointer(out + y &* outRow)
            if size == 3 {
                if stride == 1 {
                    depthwiseLine31(source, 4 &* inRow, pixels, channels, packed, upper, target, 4 &* outPixel)
                } else {
                    depthwiseLine32(source, 4 &* inRow, pixels, channels, packed, upper, target, 4 &* outPixel)
                }
            } else if stride == 1 {
                depthwiseLine51(source, 4 &* inRow, pixels, channels, packed, upper, target, 4 &* outPixel)
            } else {
                depthwiseLine52(source, 4 &* inRow, pixels, channels, packed, upper, target, 4 &* outPixel)
            }
            y &+= 1
        }
    }

    /// Strides in bytes, except `channels`.
    @inline(__always)
    func depthwiseLine(
        _ size: Int, _ stride: Int, _ input: UnsafeRawPointer, _ inRow: Int, _ pixels: Int, _ channels: Int,
        _ packed: UnsafeRawPointer, _ upper: Float, _ out: UnsafeMutableRawPointer, _ outPixel: Int
    ) {
        let inPixel = 4 &* channels
        var x = 0
        while x < pixels {
            // The last group overlaps the one before it if the row is not a multiple of the group.
            let count = depthwisePixels(size, stride, pixels)
            if pixels &- x < count { x = pixels &- count }
            var w = packed
            var source = input + stride &* x &* inPixel
            var target = out + x &* outPixel
            var left = channels
            while left > 0 {
                let some = DepthwiseChannels(left)
                if count == 7 {
                    depthwiseGroup(7, size, stride, source, inRow, inPixel, some, w, upper, target, outPixel)
                } else if count == 6 {
                    depthwiseGroup(6, size, stride, source, inRow, inPixel, some, w, upper, target, outPixel)
                } else if DepthwiseChannels.hasFours && count == 4 {
                    depthwiseGroup(4, size, stride, source, inRow, inPixel, some, w, upper, target, outPixel)
                } else {
                    depthwiseOnes(size, stride, source, inRow, inPixel, count, some, w, upper, target, outPixel)
                }
                w += panelBytes(FloatVector.laneCount, size &* size)
                source += FloatVector.bytes
                target += FloatVector.bytes
                left &-= FloatVector.laneCount
            }
            x &+= count
        }
    }

    /// Six or seven pixels of a vector of channels.
    @inline(__always)
    private func depthwiseGroup(
        _ count: Int, _ size: Int, _ stride: Int, _ input: UnsafeRawPointer, _ inRow: Int, _ inPixel: Int,
        _ some: DepthwiseChannels, _ packed: UnsafeRawPointer, _ upper: Float, _ out: UnsafeMutableRawPointer,
        _ outPixel: Int
    ) {
        let parameters = packed + FloatVector.bytes &* size &* size
        var group = Group(loadFloats(parameters))
        var (line, w) = (input, packed)
        // At stride 2 even taps share pixels. Where there are few registers, they come first.
        let isInOrder = stride == 1 || FloatVector.laneCount > 8
        var r = 0
        while r < size {
            group.add(count, 0, stride, some, line, inPixel, w)
            if isInOrder { group.add(count, 1, stride, some, line, inPixel, w) }
            group.add(count, 2, stride, some, line, inPixel, w)
            if isInOrder && size > 3 { group.add(count, 3, stride, some, line, inPixel, w) }
            if size > 3 { group.add(count, 4, stride, some, line, inPixel, w) }
            if !isInOrder { group.add(count, 1, stride, some, line, inPixel, w) }
            if !isInOrder && size > 3 { group.add(count, 3, stride, some, line, inPixel, w) }
            line += inRow
            w += FloatVector.bytes &* size
            r &+= 1
        }
        put(group.s0, some, parameters, upper, out)
        put(group.s1, some, parameters, upper, out + outPixel)
        put(group.s2, some, parameters, upper, out + 2 &* outPixel)
        put(group.s3, some, parameters, upper, out + 3 &* outPixel)
        if count > 4 { put(group.s4, some, parameters, upper, out + 4 &* outPixel) }
        if count > 5 { put(group.s5, some, parameters, upper, out + 5 &* outPixel) }
        if count > 6 { put(group.s6, some, parameters, upper, out + 6 &* outPixel) }
    }

    /// The sums of a group.
    private struct Group {
        var s0, s1, s2, s3, s4, s5, s6: FloatVector

        @inline(__always)
        init(_ bias: FloatVector) { (s0, s1, s2, s3, s4, s5, s6) = (bias, bias, bias, bias, bias, bias, bias) }

        /// Adds tap `tap` of a row of taps, whose weights begin at `w`. Offsets are multiples of a pixel, so that the
        /// compiler sees which pixels two taps share.
        @inline(__always)
        mutating func add(
            _ count: Int, _ tap: Int, _ stride: Int, _ some: DepthwiseChannels, _ line: UnsafeRawPointer,
            _ pixel: Int, _ w: UnsafeRawPointer
        ) {
            let weights = loadFloats(w + tap &* FloatVector.bytes)
            s0 = multiplyAdd(s0, some.load(line + tap &* pixel), weights)
            s1 = multiplyAdd(s1, some.load(line + (tap &+ stride) &* pixel), weights)
            s2 = multiplyAdd(s2, some.load(line + (tap &+ 2 &* stride) &* pixel), weights)
            s3 = multiplyAdd(s3, some.load(line + (tap &+ 3 &* stride) &* pixel), weights)
            if count > 4 { s4 = multiplyAdd(s4, some.load(line + (tap &+ 4 &* stride) &* pixel), weights) }
            if count > 5 { s5 = multiplyAdd(s5, some.load(line + (tap &+ 5 &* stride) &* pixel), weights) }
            if count > 6 { s6 = multiplyAdd(s6, some.load(line + (tap &+ 6 &* stride) &* pixel), weights) }
        }
    }

    /// Fewer than six pixels, one by one.
    @inline(__always)
    private func depthwiseOnes(
        _ size: Int, _ stride: Int, _ input: UnsafeRawPointer, _ inRow: Int, _ inPixel: Int, _ count: Int,
        _ some: DepthwiseChannels, _ packed: UnsafeRawPointer, _ upper: Float, _ out: UnsafeMutableRawPointer,
        _ outPixel: Int
    ) {
        let parameters = packed + FloatVector.bytes &* size &* size
        var x = 0
        while x < count {
            var sum = loadFloats(parameters)
            var (line, w) = (input + x &* stride &* inPixel, packed)
            var r = 0
            while r < size {
                var s = 0
                while s < size {
                    sum = multiplyAdd(sum, some.load(line + s &* inPixel), loadFloats(w))
                    w += FloatVector.bytes
                    s &+= 1
                }
                line += inRow
                r &+= 1
            }
            put(sum, some, parameters, upper, out + x &* outPixel)
            x &+= 1
        }
    }

    /// - parameters: a vector of biases, which the sum already contains, and one of slopes.
    @inline(__always)
    private func put(
        _ sum: FloatVector, _ some: DepthwiseChannels, _ parameters: UnsafeRawPointer, _ upper: Float,
        _ out: UnsafeMutableRawPointer
    ) {
        some.store(activated(sum, loadFloats(parameters + FloatVector.bytes), upper), out)
    }
#endif
