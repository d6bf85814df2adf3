#if arch(x86_64)
    import _Builtin_intrinsics.intel
    package import KernelInterface

    extension AVX512VNNITier {
        /// The float32 kernels of this tier.
        @export(interface) @inline(never)
        package static func floatKernels() -> FloatKernels {
            FloatKernels(
                stem: floatStem, depthwise3x3: floatDepthwise3x3, depthwise7x7: floatDepthwise7x7,
                biasReLU6: floatBiasReLU6, matrix: FloatMatrix(pack: packFloatGEMM, multiply: floatGEMM))
        }
    }

    /// A vector of floats; the name that FloatDepthwise.swift uses.
    typealias FloatVector = __m512

    extension FloatVector {
        @inline(__always) static var laneCount: Int { 16 }
        @inline(__always) static var zeros: FloatVector { _mm512_setzero_ps() }
    }

    @inline(__always)
    func sum(_ a: FloatVector, _ b: FloatVector) -> FloatVector { _mm512_add_ps(a, b) }

    @inline(__always)
    func floats(_ p: UnsafePointer<Float>) -> __m512 { UnsafeRawPointer(p).loadUnaligned(as: __m512.self) }

    @inline(__always)
    func storeFloats(_ v: __m512, _ p: UnsafeMutablePointer<Float>) {
        UnsafeMutableRawPointer(p).storeBytes(of: v, as: __m512.self)
    }

    @inline(__always)
    func relu6(_ v: __m512) -> __m512 {
        _mm512_min_ps(_mm512_max_ps(v, _mm512_setzero_ps()), _mm512_set1_ps(6))
    }

    @inline(__always)
    func multiplyAdd(_ sum: __m512, _ a: __m512, _ b: __m512) -> __m512 { _mm512_fmadd_ps(a, b, sum) }

    // MARK: Stem

    /// See `FloatKernels.Stem`. One pixel is one vector of channels and nine products whose weights stay in registers.
    /// Bytes are converted to floats in memory for sixteen output pixels at a time and broadcast from there.
    @c(gk_stem_f32_avx512vnni) @export(interface) @inline(never)
    package func floatStem(
        _ frame: UnsafePointer<UInt8>, _ weights: UnsafePointer<Float>, _ bias: UnsafePointer<Float>,
        _ out: UnsafeMutablePointer<Float>, _ outStride: Int
    ) {
        withUnsafeTemporaryAllocation(byteCount: 3 &* StemRow.bytes, alignment: 16) { buffer in
            let rows = buffer.baseAddress.unsafelyUnwrapped
            let w = DepthwiseWeights(weights, 16, bias)
            let scale = _mm512_set1_ps(1 / 255)
            var y = 0
            while y < 112 {
                let middle = UnsafeRawPointer(frame + 2 &* y &* 224)
                // The row above the first is padding: any row, scaled by 0.
                let above = y == 0 ? middle : middle - 224
                let aboveScale = y == 0 ? _mm512_setzero_ps() : scale
                var target = out + y &* outStride
                var at = 0
                while at < 224 {
                    StemRow.fill(rows, above + at, aboveScale, at == 0)
                    StemRow.fill(rows + StemRow.bytes, middle + at, scale, at == 0)
                    StemRow.fill(rows + 2 &* StemRow.bytes, middle + (at &+ 224), scale, at == 0)
                    var p = UnsafeRawPointer(rows + StemRow.left)
                    var group = 0
                    while group < 4 {
                        var s = FourSums(a: w.bias, b: w.bias, c: w.bias, d: w.bias)
                        s.addNumbers(p, w.top)
                        s.addNumbers(p + StemRow.bytes, w.middle)
                        s.addNumbers(p + 2 &* StemRow.bytes, w.bottom)
                        putFour(s, target, 16)
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

    /// Memory for 33 floats of a row: the left neighbour of sixteen output pixels and their 32 input pixels.
    private enum StemRow {
        @inline(__always) static var bytes: Int { 192 }
        @inline(__always) static var left: Int { 60 }

        /// The left neighbour is the last pixel of the sixteen output pixels before, or 0 outside the frame.
        @inline(__always)
        static func fill(
            _ row: UnsafeMutableRawPointer, _ codes: UnsafeRawPointer, _ scale: __m512, _ isFirst: Bool
        ) {
            let before = isFirst ? 0 : (row + 188).load(as: Float.self)
            (row + left).storeBytes(of: before, as: Float.self)
            (row + 64).storeBytes(of: numbers(codes, scale), as: __m512.self)
            (row + 128).storeBytes(of: numbers(codes + 16, scale), as: __m512.self)
        }

        @inline(__always)
        private static func numbers(_ codes: UnsafeRawPointer, _ scale: __m512) -> __m512 {
            let sixteen = _mm512_cvtepu8_epi32(codes.loadUnaligned(as: __m128i.self))
            return _mm512_mul_ps(_mm512_cvtepi32_ps(sixteen), scale)
        }
    }

    @inline(__always)
    private func number(_ p: UnsafeRawPointer) -> __m512 { _mm512_set1_ps(p.load(as: Float.self)) }

    extension FourSums {
        /// Adds a row of taps of four stem pixels, two floats apart; `p` is the left tap of the first.
        @inline(__always)
        fileprivate mutating func addNumbers(_ p: UnsafeRawPointer, _ w: DepthwiseWeights.Row) {
            a = multiplyAdd(
                multiplyAdd(multiplyAdd(a, number(p), w.left), number(p + 4), w.centre), number(p + 8), w.right)
            b = multiplyAdd(
                multiplyAdd(multiplyAdd(b, number(p + 8), w.left), number(p + 12), w.centre), number(p + 16), w.right)
            c = multiplyAdd(
                multiplyAdd(multiplyAdd(c, number(p + 16), w.left), number(p + 20), w.centre), number(p + 24), w.right)
            d = multiplyAdd(
                multiplyAdd(multiplyAdd(d, number(p + 24), w.left), number(p + 28), w.centre), number(p + 32), w.right)
        }
    }

    // MARK: Depthwise

    /// See `FloatKernels.Depthwise3x3`.
    @c(gk_dw3x3_f32_avx512vnni) @export(interface) @inline(never)
    package func floatDepthwise3x3(
        _ input: UnsafePointer<Float>, _ inStride: Int, _ stride: Int,
        _ rows: Int, _ width: Int, _ channels: Int,
        _ weights: UnsafePointer<Float>, _ bias: UnsafePointer<Float>,
        _ out: UnsafeMutablePointer<Float>, _ outStride: Int
    ) {
        depthwise3x3(input, inStride, stride, rows, width, channels, weights, bias, out, outStride)
    }

    /// See `FloatKernels.Depthwise7x7`.
    @c(gk_dw7x7_f32_avx512vnni) @export(interface) @inline(never)
    package func floatDepthwise7x7(
        _ input: UnsafePointer<Float>, _ channels: Int,
        _ weights: UnsafePointer<Float>, _ bias: UnsafePointer<Float>, _ out: UnsafeMutablePointer<Float>
    ) {
        depthwise7x7(input, channels, weights, bias, out)
    }

    // MARK: Epilogue

    /// See `FloatKernels.BiasReLU6`.
    @c(gk_biasrelu6_f32_avx512vnni) @export(interface) @inline(never)
    package func floatBiasReLU6(
        _ values: UnsafePointer<Float>, _ rows: Int, _ columns: Int, _ bias: UnsafePointer<Float>,
        _ out: UnsafeMutablePointer<Float>
    ) {
        var (p, q) = (values, out)
        var left = rows
        while left > 0 {
            var n = 0
            while n < columns {
                storeFloats(relu6(sum(floats(p + n), floats(bias + n))), q + n)
                n &+= 16
            }
            p += columns
            q += columns
            left &-= 1
        }
    }
#endif
