#if arch(x86_64)
    import _Builtin_intrinsics.intel
    package import KernelInterface

    extension AVX2Tier {
        /// The float32 kernels of this tier.
        @export(interface) @inline(never)
        package static func floatKernels() -> FloatKernels {
            FloatKernels(
                stem: floatStem, depthwise3x3: floatDepthwise3x3, depthwise7x7: floatDepthwise7x7,
                biasReLU6: floatBiasReLU6, matrix: FloatMatrix(pack: packFloatGEMM, multiply: floatGEMM))
        }
    }

    @inline(__always)
    private func value(_ p: UnsafePointer<Float>) -> __m256 { UnsafeRawPointer(p).loadUnaligned(as: __m256.self) }

    @inline(__always)
    private func put(_ v: __m256, _ p: UnsafeMutablePointer<Float>) {
        UnsafeMutableRawPointer(p).storeBytes(of: v, as: __m256.self)
    }

    @inline(__always)
    private func relu6(_ v: __m256) -> __m256 {
        _mm256_min_ps(_mm256_max_ps(v, _mm256_setzero_ps()), _mm256_set1_ps(6))
    }

    @inline(__always)
    private func add(_ sum: __m256, _ a: __m256, _ b: __m256) -> __m256 { _mm256_fmadd_ps(a, b, sum) }

    // MARK: Stem

    /// See `FloatKernels.Stem`. Codes become numbers for sixteen output pixels at a time, in memory, and are broadcast
    /// from there; each load of weights serves four pixels.
    @c(gk_stem_f32_avx2) @export(interface) @inline(never)
    package func floatStem(
        _ frame: UnsafePointer<UInt8>, _ weights: UnsafePointer<Float>, _ bias: UnsafePointer<Float>,
        _ out: UnsafeMutablePointer<Float>, _ outStride: Int
    ) {
        withUnsafeTemporaryAllocation(byteCount: 3 &* StemRow.bytes, alignment: 16) { buffer in
            let rows = buffer.baseAddress.unsafelyUnwrapped
            let scale = _mm256_set1_ps(1 / 255)
            var y = 0
            while y < 112 {
                let middle = UnsafeRawPointer(frame + 2 &* y &* 224)
                // Above the first row there is nothing: any row times 0.
                let above = y == 0 ? middle : middle - 224
                let aboveScale = y == 0 ? _mm256_setzero_ps() : scale
                var target = out + y &* outStride
                var at = 0
                while at < 224 {
                    StemRow.fill(rows, above + at, aboveScale, at == 0)
                    StemRow.fill(rows + StemRow.bytes, middle + at, scale, at == 0)
                    StemRow.fill(rows + 2 &* StemRow.bytes, middle + (at &+ 224), scale, at == 0)
                    var p = UnsafeRawPointer(rows + StemRow.left)
                    var group = 0
                    while group < 4 {
                        fourPixels(p, weights, bias, target)
                        p += 32
                        target += 64
                        group &+= 1
                    }
                    at &+= 32
                }
                y &+= 1
            }
        }
    }

    /// Memory for 33 numbers of a row: the left neighbour of sixteen output pixels and their 32 codes.
    private enum StemRow {
        @inline(__always) static var bytes: Int { 160 }
        @inline(__always) static var left: Int { 28 }

        /// The left neighbour is the last code of the sixteen pixels before, or 0 outside the frame.
        @inline(__always)
        static func fill(
            _ row: UnsafeMutableRawPointer, _ codes: UnsafeRawPointer, _ scale: __m256, _ isFirst: Bool
        ) {
            let before = isFirst ? 0 : (row + 156).load(as: Float.self)
            (row + left).storeBytes(of: before, as: Float.self)
            var k = 0
            while k < 32 {
                let eight = _mm256_cvtepu8_epi32(_mm_cvtsi64_si128((codes + k).loadUnaligned(as: Int64.self)))
                let numbers = _mm256_mul_ps(_mm256_cvtepi32_ps(eight), scale)
                (row + (32 &+ 4 &* k)).storeBytes(of: numbers, as: __m256.self)
                k &+= 8
            }
        }
    }

    /// Four output pixels of sixteen channels; `p` is the left tap of the first, in the row above.
    @inline(__always)
    private func fourPixels(
        _ p: UnsafeRawPointer, _ weights: UnsafePointer<Float>, _ bias: UnsafePointer<Float>,
        _ out: UnsafeMutablePointer<Float>
    ) {
        let (b0, b1) = (value(bias), value(bias + 8))
        var low = FourSums(a: b0, b: b0, c: b0, d: b0)
        var high = FourSums(a: b1, b: b1, c: b1, d: b1)
        var (tap, w) = (p, weights)
        var r = 0
        while r < 3 {
            var s = 0
            while s < 3 {
                let (w0, w1) = (value(w), value(w + 8))
                var x = number(tap)
                low.a = add(low.a, x, w0)
                high.a = add(high.a, x, w1)
                x = number(tap + 8)
                low.b = add(low.b, x, w0)
                high.b = add(high.b, x, w1)
                x = number(tap + 16)
                low.c = add(low.c, x, w0)
                high.c = add(high.c, x, w1)
                x = number(tap + 24)
                low.d = add(low.d, x, w0)
                high.d = add(high.d, x, w1)
                tap += 4
                w += 16
                s &+= 1
            }
            tap += StemRow.bytes &- 12
            r &+= 1
        }
        putFour(low, out, 16)
        putFour(high, out + 8, 16)
    }

    @inline(__always)
    private func number(_ p: UnsafeRawPointer) -> __m256 { _mm256_set1_ps(p.load(as: Float.self)) }

    // MARK: Depthwise

    /// The nine weights of 8 channels, which stay in registers, and their bias.
    private struct Weights {
        let top, middle, bottom: Row
        let bias: __m256

        struct Row {
            let left, centre, right: __m256

            @inline(__always)
            init(_ p: UnsafePointer<Float>, _ channels: Int) {
                left = value(p)
                centre = value(p + channels)
                right = value(p + 2 &* channels)
            }
        }

        @inline(__always)
        init(_ p: UnsafePointer<Float>, _ channels: Int, _ bias: UnsafePointer<Float>) {
            top = Row(p, channels)
            middle = Row(p + 3 &* channels, channels)
            bottom = Row(p + 6 &* channels, channels)
            self.bias = value(bias)
        }
    }

    /// The sums of four neighbouring outputs.
    private struct FourSums {
        var a, b, c, d: __m256

        /// Adds a row of taps at stride 1: six pixels.
        @inline(__always)
        mutating func addDense(_ p: UnsafePointer<Float>, _ channels: Int, _ w: Weights.Row) {
            var v = value(p)
            a = add(a, v, w.left)
            v = value(p + channels)
            a = add(a, v, w.centre)
            b = add(b, v, w.left)
            v = value(p + 2 &* channels)
            a = add(a, v, w.right)
            b = add(b, v, w.centre)
            c = add(c, v, w.left)
            v = value(p + 3 &* channels)
            b = add(b, v, w.right)
            c = add(c, v, w.centre)
            d = add(d, v, w.left)
            v = value(p + 4 &* channels)
            c = add(c, v, w.right)
            d = add(d, v, w.centre)
            v = value(p + 5 &* channels)
            d = add(d, v, w.right)
        }

        /// Adds a row of taps at stride 2: nine pixels.
        @inline(__always)
        mutating func addSparse(_ p: UnsafePointer<Float>, _ channels: Int, _ w: Weights.Row) {
            a = add(a, value(p), w.left)
            a = add(a, value(p + channels), w.centre)
            var v = value(p + 2 &* channels)
            a = add(a, v, w.right)
            b = add(b, v, w.left)
            b = add(b, value(p + 3 &* channels), w.centre)
            v = value(p + 4 &* channels)
            b = add(b, v, w.right)
            c = add(c, v, w.left)
            c = add(c, value(p + 5 &* channels), w.centre)
            v = value(p + 6 &* channels)
            c = add(c, v, w.right)
            d = add(d, v, w.left)
            d = add(d, value(p + 7 &* channels), w.centre)
            d = add(d, value(p + 8 &* channels), w.right)
        }
    }

    @inline(__always)
    private func row(_ sum: __m256, _ p: UnsafePointer<Float>, _ channels: Int, _ w: Weights.Row) -> __m256 {
        var s = add(sum, value(p), w.left)
        s = add(s, value(p + channels), w.centre)
        return add(s, value(p + 2 &* channels), w.right)
    }

    /// See `FloatKernels.Depthwise3x3`. Row by row, and in a row 8 channels at a time, so that three input rows are in
    /// the L1 cache and the weights in registers.
    @c(gk_dw3x3_f32_avx2) @export(interface) @inline(never)
    package func floatDepthwise3x3(
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
                let w = Weights(weights + c, channels, bias + c)
                if stride == 1 {
                    denseRow(source + c, inStride, width, channels, w, target + c)
                } else {
                    sparseRow(source + c, inStride, width, channels, w, target + c)
                }
                c &+= 8
            }
            y &+= 1
        }
    }

    @inline(__always)
    private func denseRow(
        _ source: UnsafePointer<Float>, _ inStride: Int, _ width: Int, _ channels: Int, _ w: Weights,
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
        _ source: UnsafePointer<Float>, _ inStride: Int, _ width: Int, _ channels: Int, _ w: Weights,
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
    private func putFour(_ s: FourSums, _ q: UnsafeMutablePointer<Float>, _ channels: Int) {
        put(relu6(s.a), q)
        put(relu6(s.b), q + channels)
        put(relu6(s.c), q + 2 &* channels)
        put(relu6(s.d), q + 3 &* channels)
    }

    @inline(__always)
    private func putOne(
        _ p: UnsafePointer<Float>, _ inStride: Int, _ channels: Int, _ w: Weights, _ q: UnsafeMutablePointer<Float>
    ) {
        let top = row(w.bias, p, channels, w.top)
        let middle = row(top, p + inStride, channels, w.middle)
        put(relu6(row(middle, p + 2 &* inStride, channels, w.bottom)), q)
    }

    /// See `FloatKernels.Depthwise7x7`.
    @c(gk_dw7x7_f32_avx2) @export(interface) @inline(never)
    package func floatDepthwise7x7(
        _ input: UnsafePointer<Float>, _ channels: Int,
        _ weights: UnsafePointer<Float>, _ bias: UnsafePointer<Float>, _ out: UnsafeMutablePointer<Float>
    ) {
        var c = 0
        while c < channels {
            let zero = _mm256_setzero_ps()
            var (s0, s1, s2, s3) = (value(bias + c), zero, zero, zero)
            var (p, w) = (input + c, weights + c)
            s0 = add(s0, value(p), value(w))
            p += channels
            w += channels
            var group = 0
            while group < 12 {
                s0 = add(s0, value(p), value(w))
                s1 = add(s1, value(p + channels), value(w + channels))
                s2 = add(s2, value(p + 2 &* channels), value(w + 2 &* channels))
                s3 = add(s3, value(p + 3 &* channels), value(w + 3 &* channels))
                p += 4 &* channels
                w += 4 &* channels
                group &+= 1
            }
            put(relu6(_mm256_add_ps(_mm256_add_ps(s0, s1), _mm256_add_ps(s2, s3))), out + c)
            c &+= 8
        }
    }

    // MARK: Epilogue

    /// See `FloatKernels.BiasReLU6`.
    @c(gk_biasrelu6_f32_avx2) @export(interface) @inline(never)
    package func floatBiasReLU6(
        _ values: UnsafePointer<Float>, _ rows: Int, _ columns: Int, _ bias: UnsafePointer<Float>,
        _ out: UnsafeMutablePointer<Float>
    ) {
        var (p, q) = (values, out)
        var left = rows
        while left > 0 {
            var n = 0
            while n < columns {
                put(relu6(_mm256_add_ps(value(p + n), value(bias + n))), q + n)
                put(relu6(_mm256_add_ps(value(p + (n &+ 8)), value(bias + (n &+ 8)))), q + (n &+ 8))
                n &+= 16
            }
            p += columns
            q += columns
            left &-= 1
        }
    }
#endif
