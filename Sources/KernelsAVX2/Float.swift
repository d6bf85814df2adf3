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

    /// A vector of floats; the name that FloatDepthwise.swift uses.
    typealias FloatVector = __m256

    extension FloatVector {
        @inline(__always) static var laneCount: Int { 8 }
        @inline(__always) static var zeros: FloatVector { _mm256_setzero_ps() }
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
    func relu6(_ v: __m256) -> __m256 {
        _mm256_min_ps(_mm256_max_ps(v, _mm256_setzero_ps()), _mm256_set1_ps(6))
    }

    @inline(__always)
    func multiplyAdd(_ sum: __m256, _ a: __m256, _ b: __m256) -> __m256 { _mm256_fmadd_ps(a, b, sum) }

    // MARK: Stem

    /// See `FloatKernels.Stem`. Bytes are converted to floats in memory for sixteen output pixels at a time and
    /// broadcast from there; each load of weights serves four pixels.
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
                // The row above the first is padding: any row, scaled by 0.
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

    /// Memory for 33 floats of a row: the left neighbour of sixteen output pixels and their 32 input pixels.
    private enum StemRow {
        @inline(__always) static var bytes: Int { 160 }
        @inline(__always) static var left: Int { 28 }

        /// The left neighbour is the last pixel of the sixteen output pixels before, or 0 outside the frame.
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
        let (b0, b1) = (floats(bias), floats(bias + 8))
        var low = FourSums(a: b0, b: b0, c: b0, d: b0)
        var high = FourSums(a: b1, b: b1, c: b1, d: b1)
        var (tap, w) = (p, weights)
        var r = 0
        while r < 3 {
            var s = 0
            while s < 3 {
                let (w0, w1) = (floats(w), floats(w + 8))
                var x = number(tap)
                low.a = multiplyAdd(low.a, x, w0)
                high.a = multiplyAdd(high.a, x, w1)
                x = number(tap + 8)
                low.b = multiplyAdd(low.b, x, w0)
                high.b = multiplyAdd(high.b, x, w1)
                x = number(tap + 16)
                low.c = multiplyAdd(low.c, x, w0)
                high.c = multiplyAdd(high.c, x, w1)
                x = number(tap + 24)
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

    @inline(__always)
    private func number(_ p: UnsafeRawPointer) -> __m256 { _mm256_set1_ps(p.load(as: Float.self)) }

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
        var (p, q) = (values, out)
        var left = rows
        while left > 0 {
            var n = 0
            while n < columns {
                storeFloats(relu6(sum(floats(p + n), floats(bias + n))), q + n)
                storeFloats(relu6(sum(floats(p + (n &+ 8)), floats(bias + (n &+ 8)))), q + (n &+ 8))
                n &+= 16
            }
            p += columns
            q += columns
            left &-= 1
        }
    }
#endif
