#if arch(x86_64)
    import _Builtin_intrinsics.intel

    // The float32 depthwise convolutions of the AVX2 and AVX-512 tiers, which differ only in the width of a vector.
    // Both modules compile this one source, AVX-512 through a symbolic link. Each module has its own `FloatVector`, its
    // operations and the exported functions in Float.swift. All else is inlined, so neither module has a symbol that
    // the linker could take for the other's.

    /// The nine weights of a vector of channels, which stay in registers, and their bias.
    struct DepthwiseWeights {
        let top, middle, bottom: Row
        let bias: FloatVector

        struct Row {
            let left, centre, right: FloatVector

            @inline(__always)
            init(_ p: UnsafePointer<Float>, _ channels: Int) {
                left = floats(p)
                centre = floats(p + channels)
                right = floats(p + 2 &* channels)
            }
        }

        @inline(__always)
        init(_ p: UnsafePointer<Float>, _ channels: Int, _ bias: UnsafePointer<Float>) {
            top = Row(p, channels)
            middle = Row(p + 3 &* channels, channels)
            bottom = Row(p + 6 &* channels, channels)
            self.bias = floats(bias)
        }
    }

    /// The sums of four neighbouring outputs.
    struct FourSums {
        var a, b, c, d: FloatVector

        /// Adds a row of taps at stride 1: six pixels.
        @inline(__always)
        mutating func addDense(_ p: UnsafePointer<Float>, _ channels: Int, _ w: DepthwiseWeights.Row) {
            var v = floats(p)
            a = multiplyAdd(a, v, w.left)
            v = floats(p + channels)
            a = multiplyAdd(a, v, w.centre)
            b = multiplyAdd(b, v, w.left)
            v = floats(p + 2 &* channels)
            a = multiplyAdd(a, v, w.right)
            b = multiplyAdd(b, v, w.centre)
            c = multiplyAdd(c, v, w.left)
            v = floats(p + 3 &* channels)
            b = multiplyAdd(b, v, w.right)
            c = multiplyAdd(c, v, w.centre)
            d = multiplyAdd(d, v, w.left)
            v = floats(p + 4 &* channels)
            c = multiplyAdd(c, v, w.right)
            d = multiplyAdd(d, v, w.centre)
            v = floats(p + 5 &* channels)
            d = multiplyAdd(d, v, w.right)
        }

        /// Adds a row of taps at stride 2: nine pixels.
        @inline(__always)
        mutating func addSparse(_ p: UnsafePointer<Float>, _ channels: Int, _ w: DepthwiseWeights.Row) {
            a = multiplyAdd(a, floats(p), w.left)
            a = multiplyAdd(a, floats(p + channels), w.centre)
            var v = floats(p + 2 &* channels)
            a = multiplyAdd(a, v, w.right)
            b = multiplyAdd(b, v, w.left)
            b = multiplyAdd(b, floats(p + 3 &* channels), w.centre)
            v = floats(p + 4 &* channels)
            b = multiplyAdd(b, v, w.right)
            c = multiplyAdd(c, v, w.left)
            c = multiplyAdd(c, floats(p + 5 &* channels), w.centre)
            v = floats(p + 6 &* channels)
            c = multiplyAdd(c, v, w.right)
            d = multiplyAdd(d, v, w.left)
            d = multiplyAdd(d, floats(p + 7 &* channels), w.centre)
            d = multiplyAdd(d, floats(p + 8 &* channels), w.right)
        }
    }

    @inline(__always)
    private func row(_ sum: FloatVector, _ p: UnsafePointer<Float>, _ channels: Int, _ w: DepthwiseWeights.Row)
        -> FloatVector
    {
        var s = multiplyAdd(sum, floats(p), w.left)
        s = multiplyAdd(s, floats(p + channels), w.centre)
        return multiplyAdd(s, floats(p + 2 &* channels), w.right)
    }

    /// See `FloatKernels.Depthwise3x3`. Row by row, and within a row one vector of channels at a time, so that three
    /// input rows stay in the L1 cache and the weights in registers.
    @inline(__always)
    func depthwise3x3(
        _ input: UnsafePointer<Float>, _ inStride: Int, _ stride: Int,
        _ rows: Int, _ width: Int, _ channels: Int,
        _ weights: UnsafePointer<Float>, _ bias: UnsafePointer<Float>,
        _ out: UnsafeMutablePointer<Float>, _ outStride: Int
    ) {
        var y = 0
        while y < rows {
            let source = input + stride &* y &* inStride
            let target = out + y &* outStride
            var c = 0
            while c < channels {
                let w = DepthwiseWeights(weights + c, channels, bias + c)
                if stride == 1 {
                    denseRow(source + c, inStride, width, channels, w, target + c)
                } else {
                    sparseRow(source + c, inStride, width, channels, w, target + c)
                }
                c &+= FloatVector.laneCount
            }
            y &+= 1
        }
    }

    @inline(__always)
    private func denseRow(
        _ source: UnsafePointer<Float>, _ inStride: Int, _ width: Int, _ channels: Int, _ w: DepthwiseWeights,
        _ out: UnsafeMutablePointer<Float>
    ) {
        var (p, q, left) = (source, out, width)
        while left >= 4 {
            var s = FourSums(a: w.bias, b: w.bias, c: w.bias, d: w.bias)
            s.addDense(p, channels, w.top)
            s.addDense(p + inStride, channels, w.middle)
            s.addDense(p + 2 &* inStride, channels, w.bottom)
            putFour(s, q, channels)
            p += 4 &* channels
            q += 4 &* channels
            left &-= 4
        }
        while left > 0 {
            putOne(p, inStride, channels, w, q)
            p += channels
            q += channels
            left &-= 1
        }
    }

    @inline(__always)
    private func sparseRow(
        _ source: UnsafePointer<Float>, _ inStride: Int, _ width: Int, _ channels: Int, _ w: DepthwiseWeights,
        _ out: UnsafeMutablePointer<Float>
    ) {
        var (p, q, left) = (source, out, width)
        while left >= 4 {
            var s = FourSums(a: w.bias, b: w.bias, c: w.bias, d: w.bias)
            s.addSparse(p, channels, w.top)
            s.addSparse(p + inStride, channels, w.middle)
            s.addSparse(p + 2 &* inStride, channels, w.bottom)
            putFour(s, q, channels)
            p += 8 &* channels
            q += 4 &* channels
            left &-= 4
        }
        while left > 0 {
            putOne(p, inStride, channels, w, q)
            p += 2 &* channels
            q += channels
            left &-= 1
        }
    }

    @inline(__always)
    func putFour(_ s: FourSums, _ q: UnsafeMutablePointer<Float>, _ channels: Int) {
        storeFloats(relu6(s.a), q)
        storeFloats(relu6(s.b), q + channels)
        storeFloats(relu6(s.c), q + 2 &* channels)
        storeFloats(relu6(s.d), q + 3 &* channels)
    }

    @inline(__always)
    private func putOne(
        _ p: UnsafePointer<Float>, _ inStride: Int, _ channels: Int, _ w: DepthwiseWeights,
        _ q: UnsafeMutablePointer<Float>
    ) {
        let top = row(w.bias, p, channels, w.top)
        let middle = row(top, p + inStride, channels, w.middle)
        storeFloats(relu6(row(middle, p + 2 &* inStride, channels, w.bottom)), q)
    }

    /// See `FloatKernels.Depthwise7x7`.
    @inline(__always)
    func depthwise7x7(
        _ input: UnsafePointer<Float>, _ channels: Int,
        _ weights: UnsafePointer<Float>, _ bias: UnsafePointer<Float>, _ out: UnsafeMutablePointer<Float>
    ) {
        var c = 0
        while c < channels {
            let zero = FloatVector.zeros
            var (s0, s1, s2, s3) = (floats(bias + c), zero, zero, zero)
            var (p, w) = (input + c, weights + c)
            s0 = multiplyAdd(s0, floats(p), floats(w))
            p += channels
            w += channels
            var group = 0
            while group < 12 {
                s0 = multiplyAdd(s0, floats(p), floats(w))
                s1 = multiplyAdd(s1, floats(p + channels), floats(w + channels))
                s2 = multiplyAdd(s2, floats(p + 2 &* channels), floats(w + 2 &* channels))
                s3 = multiplyAdd(s3, floats(p + 3 &* channels), floats(w + 3 &* channels))
                p += 4 &* channels
                w += 4 &* channels
                group &+= 1
            }
            storeFloats(relu6(sum(sum(s0, s1), sum(s2, s3))), out + c)
            c &+= FloatVector.laneCount
        }
    }
#endif
