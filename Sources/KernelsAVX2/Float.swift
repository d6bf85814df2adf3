#if arch(x86_64)
    import _Builtin_intrinsics.intel
    package import KernelInterface

    extension AVX2Tier {
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
    typealias FloatVector = __m256

    extension FloatVector {
        @inline(__always) static var laneCount: Int { 8 }
        @inline(__always) static var zeros: FloatVector { _mm256_setzero_ps() }

        @inline(__always)
        init(repeating value: Float) { self = _mm256_set1_ps(value) }

        /// The values of as many bytes as there are lanes.
        @inline(__always)
        init(bytes p: UnsafeRawPointer) {
            self = _mm256_cvtepi32_ps(_mm256_cvtepu8_epi32(_mm_cvtsi64_si128(p.loadUnaligned(as: Int64.self))))
        }

        @inline(__always)
        func multiplied(by factor: FloatVector) -> FloatVector { _mm256_mul_ps(self, factor) }
    }

    @inline(__always)
    func sum(_ a: FloatVector, _ b: FloatVector) -> FloatVector { _mm256_add_ps(a, b) }

    @inline(__always)
    func floats(_ p: UnsafePointer<Float>) -> __m256 { UnsafeRawPointer(p).loadUnaligned(as: __m256.self) }

    @inline(__always)
    func storeFloats(_ v: __m256, _ p: UnsafeMutablePointer<Float>) {
        UnsafeMutableRawPointer(p).storeBytes(of: v, as: __m256.self)
    }

    @inline(__always)
    func minimum(_ a: FloatVector, _ b: FloatVector) -> FloatVector { _mm256_min_ps(a, b) }

    @inline(__always)
    func maximum(_ a: FloatVector, _ b: FloatVector) -> FloatVector { _mm256_max_ps(a, b) }

    @inline(__always)
    func multiplyAdd(_ sum: __m256, _ a: __m256, _ b: __m256) -> __m256 { _mm256_fmadd_ps(a, b, sum) }

    /// A float in every lane.
    @inline(__always)
    func broadcastFloat(_ p: UnsafeRawPointer) -> __m256 { _mm256_set1_ps(p.loadUnaligned(as: Float.self)) }

    // MARK: Stem

    /// See `FloatKernels.Stem`.
    @c(gk_stem_f32_avx2) @export(interface) @inline(never)
    package func floatStem(
        _ frame: UnsafePointer<UInt8>, _ weights: UnsafePointer<Float>, _ bias: UnsafePointer<Float>,
        _ out: UnsafeMutablePointer<Float>, _ outStride: Int
    ) {
        stem(frame, weights, bias, out, outStride)
    }

    /// Where the parameters of the stem lie. Each load of weights serves four pixels.
    struct FloatStemWeights {
        private let weights, bias: UnsafePointer<Float>

        @inline(__always)
        init(_ weights: UnsafePointer<Float>, _ bias: UnsafePointer<Float>) {
            self.weights = weights
            self.bias = bias
        }

        /// Four output pixels of sixteen channels; `p` is the left tap of the first, in the row above.
        @inline(__always)
        func fourPixels(_ p: UnsafeRawPointer, _ out: UnsafeMutablePointer<Float>) {
            let (b0, b1) = (floats(bias), floats(bias + 8))
            var low = FourSums(a: b0, b: b0, c: b0, d: b0)
            var high = FourSums(a: b1, b: b1, c: b1, d: b1)
            var (tap, w) = (p, weights)
            var r = 0
            while r < 3 {
                var s = 0
                while s < 3 {
                    let (w0, w1) = (floats(w), floats(w + 8))
                    var x = broadcastFloat(tap)
                    low.a = multiplyAdd(low.a, x, w0)
                    high.a = multiplyAdd(high.a, x, w1)
                    x = broadcastFloat(tap + 8)
                    low.b = multiplyAdd(low.b, x, w0)
                    high.b = multiplyAdd(high.b, x, w1)
                    x = broadcastFloat(tap + 16)
                    low.c = multiplyAdd(low.c, x, w0)
                    high.c = multiplyAdd(high.c, x, w1)
                    x = broadcastFloat(tap + 24)
                    low.d = multiplyAdd(low.d, x, w0)
                    high.d = multiplyAdd(high.d, x, w1)
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
    }

    // MARK: Depthwise

    /// See `FloatKernels.Depthwise3x3`.
    @c(gk_dw3x3_f32_avx2) @export(interface) @inline(never)
    package func floatDepthwise3x3(
        _ input: UnsafePointer<Float>, _ inStride: Int, _ stride: Int,
        _ rows: Int, _ width: Int, _ channels: Int,
        _ weights: UnsafePointer<Float>, _ bias: UnsafePointer<Float>,
        _ out: UnsafeMutablePointer<Float>, _ outStride: Int
    ) {
        depthwise3x3(input, inStride, stride, rows, width, channels, weights, bias, out, outStride)
    }

    /// See `FloatKernels.Depthwise7x7`.
    @c(gk_dw7x7_f32_avx2) @export(interface) @inline(never)
    package func floatDepthwise7x7(
        _ input: UnsafePointer<Float>, _ channels: Int,
        _ weights: UnsafePointer<Float>, _ bias: UnsafePointer<Float>, _ out: UnsafeMutablePointer<Float>
    ) {
        depthwise7x7(input, channels, weights, bias, out)
    }

    // MARK: Epilogue

    /// See `FloatKernels.BiasReLU6`.
    @c(gk_biasrelu6_f32_avx2) @export(interface) @inline(never)
    package func floatBiasReLU6(
        _ values: UnsafePointer<Float>, _ rows: Int, _ columns: Int, _ bias: UnsafePointer<Float>,
        _ out: UnsafeMutablePointer<Float>
    ) {
        biasReLU6(values, rows, columns, bias, out)
    }
#endif
