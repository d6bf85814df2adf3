#if arch(x86_64)
    import _Builtin_intrinsics.intel
    package import KernelInterface

    extension AVX512VNNITier {
        /// The float32 kernels of this tier.
        @export(interface) @inline(never)
        package static func floatKernels() -> FloatKernels {
            FloatKernels(
                stem: floatStem, depthwise3x3: floatDepthwise3x3, depthwise7x7: floatDepthwise7x7,
                biasReLU6: floatBiasReLU6,
                matrix: FloatMatrix(layout: floatGEMMLayout, multiply: floatGEMM))
        }
    }

    /// A vector of floats, by the name that the sources which AVX2 and AVX-512 share call it.
    typealias FloatVector = __m512

    extension FloatVector {
        @inline(__always) static var laneCount: Int { 16 }
        @inline(__always) static var zeros: FloatVector { _mm512_setzero_ps() }

        @inline(__always)
        init(repeating value: Float) { self = _mm512_set1_ps(value) }

        /// The values of as many bytes as there are lanes.
        @inline(__always)
        init(bytes p: UnsafeRawPointer) {
            self = _mm512_cvtepi32_ps(_mm512_cvtepu8_epi32(p.loadUnaligned(as: __m128i.self)))
        }

        @inline(__always)
        func multiplied(by factor: FloatVector) -> FloatVector { _mm512_mul_ps(self, factor) }
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
    func minimum(_ a: FloatVector, _ b: FloatVector) -> FloatVector { _mm512_min_ps(a, b) }

    @inline(__always)
    func maximum(_ a: FloatVector, _ b: FloatVector) -> FloatVector { _mm512_max_ps(a, b) }

    @inline(__always)
    func multiplyAdd(_ sum: __m512, _ a: __m512, _ b: __m512) -> __m512 { _mm512_fmadd_ps(a, b, sum) }

    /// A float in every lane.
    @inline(__always)
    func broadcastFloat(_ p: UnsafeRawPointer) -> __m512 { _mm512_set1_ps(p.loadUnaligned(as: Float.self)) }

    // MARK: Stem

    /// See `FloatKernels.Stem`.
    @c(gk_stem_f32_avx512vnni) @export(interface) @inline(never)
    package func floatStem(
        _ frame: UnsafePointer<UInt8>, _ weights: UnsafePointer<Float>, _ bias: UnsafePointer<Float>,
        _ out: UnsafeMutablePointer<Float>, _ outStride: Int
    ) {
        stem(frame, weights, bias, out, outStride)
    }

    /// The parameters of the stem. A pixel is one vector of channels and nine products whose weights stay in registers.
    struct FloatStemWeights {
        private let taps: DepthwiseWeights

        @inline(__always)
        init(_ weights: UnsafePointer<Float>, _ bias: UnsafePointer<Float>) {
            taps = DepthwiseWeights(weights, 16, bias)
        }

        /// Four output pixels; `p` is the left tap of the first, in the row above.
        @inline(__always)
        func fourPixels(_ p: UnsafeRawPointer, _ out: UnsafeMutablePointer<Float>) {
            var s = FourSums(a: taps.bias, b: taps.bias, c: taps.bias, d: taps.bias)
            s.addNumbers(p, taps.top)
            s.addNumbers(p + StemRow.bytes, taps.middle)
            s.addNumbers(p + 2 &* StemRow.bytes, taps.bottom)
            putFour(s, out, 16)
        }
    }

    extension FourSums {
        /// Adds a row of taps of four stem pixels, two floats apart; `p` is the left tap of the first.
        @inline(__always)
        fileprivate mutating func addNumbers(_ p: UnsafeRawPointer, _ w: DepthwiseWeights.Row) {
            a = multiplyAdd(
                multiplyAdd(multiplyAdd(a, broadcastFloat(p), w.left), broadcastFloat(p + 4), w.centre),
                broadcastFloat(p + 8), w.right)
            b = multiplyAdd(
                multiplyAdd(multiplyAdd(b, broadcastFloat(p + 8), w.left), broadcastFloat(p + 12), w.centre),
                broadcastFloat(p + 16), w.right)
            c = multiplyAdd(
                multiplyAdd(multiplyAdd(c, broadcastFloat(p + 16), w.left), broadcastFloat(p + 20), w.centre),
                broadcastFloat(p + 24), w.right)
            d = multiplyAdd(
                multiplyAdd(multiplyAdd(d, broadcastFloat(p + 24), w.left), broadcastFloat(p + 28), w.centre),
                broadcastFloat(p + 32), w.right)
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
        biasReLU6(values, rows, columns, bias, out)
    }
#endif
