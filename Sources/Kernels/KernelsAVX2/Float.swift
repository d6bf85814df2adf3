#if arch(x86_64)
    import _Builtin_intrinsics.intel
    package import KernelInterface
    import KernelsX86

    extension AVX2Tier {
        /// The float32 kernels of this tier.
        @export(interface) @inline(never)
        package static func floatKernels() -> FloatKernels {
            FloatKernels(
                stem: floatStem, depthwise3x3: floatDepthwise3x3, depthwise7x7: floatDepthwise7x7,
                biasReLU6: floatBiasReLU6,
                matrix: FloatMatrix(layout: floatGEMMLayout, multiply: floatGEMM))
        }

        /// The kernels of network graphs of this tier.
        @export(interface) @inline(never)
        package static func convolutionKernels() -> ConvolutionKernels {
            ConvolutionKernels(
                convolutionLayout: WeightLayout(width: 16, panelWidth: floatPanelWidth, weightBytes: 4, vectors: 2),
                convolve: convolveGraph,
                depthwiseLayout: WeightLayout(width: 8, weightBytes: 4, isDepthOutermost: true, vectors: 2),
                depthwise: depthwiseGraph)
        }
    }

    // Eight chains of fused multiply-adds cover their latency on two ports. So a tile of a graph's convolution is four
    // pixels by 16 channels, or three by 16; four and three cover every row of 6 pixels or more. Twelve sums, four pixels by
    // 24, would load less, but with their operands they need all sixteen registers: the compiler then keeps one sum in
    // memory, and the tile waits for it, at 40 % of the peak. The last panel is of 8 channels if that is enough.
    enum FloatVectors256: FloatVectors {
        @inline(always) static var laneCount: Int { 8 }
        @inline(always) static var zeros: __m256 { _mm256_setzero_ps() }
        @inline(always) static func repeating(_ value: Float) -> __m256 { _mm256_set1_ps(value) }

        @inline(always)
        static func floats(ofBytes p: UnsafeRawPointer) -> __m256 {
            _mm256_cvtepi32_ps(_mm256_cvtepu8_epi32(_mm_cvtsi64_si128(p.loadUnaligned(as: Int64.self))))
        }

        @inline(always) static func sum(_ a: __m256, _ b: __m256) -> __m256 { _mm256_add_ps(a, b) }
        @inline(always) static func product(_ a: __m256, _ b: __m256) -> __m256 { _mm256_mul_ps(a, b) }
        @inline(always) static func minimum(_ a: __m256, _ b: __m256) -> __m256 { _mm256_min_ps(a, b) }
        @inline(always) static func maximum(_ a: __m256, _ b: __m256) -> __m256 { _mm256_max_ps(a, b) }

        @inline(always)
        static func multiplyAdd(_ sum: __m256, _ a: __m256, _ b: __m256) -> __m256 { _mm256_fmadd_ps(a, b, sum) }

        @inline(always) static func mask(before count: Int) -> __m256i { lanes(before: count) }

        @inline(always)
        static func load(_ p: UnsafeRawPointer, _ mask: __m256i) -> __m256 {
            _mm256_maskload_ps(p.assumingMemoryBound(to: Float.self), mask)
        }

        @inline(always)
        static func store(_ v: __m256, _ p: UnsafeMutableRawPointer, _ mask: __m256i) { putSome(v, p, mask) }

        @inline(always) static var areMasksFree: Bool { false }
        @inline(always) static func panelWidth(_ left: Int) -> Int { left <= 8 ? 8 : 16 }

        @inline(always)
        static func convolveRow(_ width: Int, _ row: UnsafeRawPointer) {
            if width == 16 { convolveRow16(row) } else { convolveRow8(row) }
        }

        @inline(always)
        static func depthwisePixels(_ size: Int, _ stride: Int, _ pixels: Int) -> Int {
            pixels % 7 == 0 ? 7 : (pixels < 6 ? pixels : 6)
        }

        @inline(always)
        static func depthwiseRow(_ size: Int, _ stride: Int, _ row: UnsafeRawPointer) {
            switch (size, stride) {
            case (3, 1): depthwiseRow31(row)
            case (3, _): depthwiseRow32(row)
            case (_, 1): depthwiseRow51(row)
            default: depthwiseRow52(row)
            }
        }
    }

    // MARK: Pixel network

    /// See `FloatKernels.Stem`.
    @c(gk_stem_f32_avx2) @export(interface) @inline(never)
    package func floatStem(
        _ frame: UnsafePointer<UInt8>, _ weights: UnsafePointer<Float>, _ bias: UnsafePointer<Float>,
        _ out: UnsafeMutablePointer<Float>, _ outStride: Int
    ) { FloatVectors256.stem(frame, weights, bias, out, outStride) }

    /// See `FloatKernels.Depthwise3x3`.
    @c(gk_dw3x3_f32_avx2) @export(interface) @inline(never)
    package func floatDepthwise3x3(
        _ input: UnsafePointer<Float>, _ inStride: Int, _ stride: Int, _ rows: Int, _ width: Int, _ channels: Int,
        _ weights: UnsafePointer<Float>, _ bias: UnsafePointer<Float>, _ out: UnsafeMutablePointer<Float>,
        _ outStride: Int
    ) {
        FloatVectors256.depthwise3x3(input, inStride, stride, rows, width, channels, weights, bias, out, outStride)
    }

    /// See `FloatKernels.Depthwise7x7`.
    @c(gk_dw7x7_f32_avx2) @export(interface) @inline(never)
    package func floatDepthwise7x7(
        _ input: UnsafePointer<Float>, _ channels: Int, _ weights: UnsafePointer<Float>,
        _ bias: UnsafePointer<Float>, _ out: UnsafeMutablePointer<Float>
    ) { FloatVectors256.depthwise7x7(input, channels, weights, bias, out) }

    /// See `FloatKernels.BiasReLU6`.
    @c(gk_biasrelu6_f32_avx2) @export(interface) @inline(never)
    package func floatBiasReLU6(
        _ values: UnsafePointer<Float>, _ rows: Int, _ columns: Int, _ bias: UnsafePointer<Float>,
        _ out: UnsafeMutablePointer<Float>
    ) { FloatVectors256.biasReLU6(values, rows, columns, bias, out) }

    /// See `FloatMatrix.Multiply`.
    @c(gk_gemm_f32_4x16_avx2) @export(interface) @inline(never)
    package func floatGEMM(
        _ a: UnsafePointer<Float>, _ aStride: Int, _ rows: Int,
        _ taps: Int, _ tapStride: Int, _ depth: Int, _ columns: Int, _ packed: UnsafeRawPointer,
        _ out: UnsafeMutablePointer<Float>, _ outStride: Int
    ) { FloatVectors256.multiply(a, aStride, rows, taps, tapStride, depth, columns, packed, out, outStride) }

    // MARK: Graphs

    /// The width of a panel, for `WeightLayout`.
    @c(gk_panelwidth_f32_avx2) @export(interface) @inline(never)
    package func floatPanelWidth(_ left: Int) -> Int { FloatVectors256.panelWidth(left) }

    /// See `ConvolutionKernels.Convolve`.
    @c(gk_convolve_f32_avx2) @export(interface) @inline(never)
    package func convolveGraph(
        _ a: UnsafePointer<Float>, _ aRow: Int, _ aPixel: Int, _ height: Int, _ width: Int,
        _ taps: Int, _ tapStride: Int, _ depth: Int, _ channels: Int, _ packed: UnsafeRawPointer,
        _ residual: UnsafePointer<Float>?, _ residualRow: Int, _ residualPixel: Int, _ residualChannels: Int,
        _ upper: Float, _ out: UnsafeMutablePointer<Float>, _ outRow: Int, _ outPixel: Int
    ) {
        FloatVectors256.convolve(
            a, aRow, aPixel, height, width, taps, tapStride, depth, channels, packed, residual, residualRow,
            residualPixel, residualChannels, upper, out, outRow, outPixel)
    }

    // Functions that are not inlined have names that are unique to the tier.

    @inline(always)
    private func convolveTiles(_ vectors: Int, _ address: UnsafeRawPointer) {
        var row = address.load(as: FloatRow.self)
        while row.pixels > 0 {
            // Six are two tiles of three.
            let count = row.pixels > 3 && row.pixels != 6 ? 4 : (row.pixels < 3 ? row.pixels : 3)
            if count == 4 {
                FloatVectors256.convolveTile(4, vectors, row, 4)
            } else {
                FloatVectors256.convolveTile(3, vectors, row, count)
            }
            row.skip(count)
        }
    }

    /// A `FloatRow` of a panel of 16 channels.
    @c(gk_convolverow16_f32_avx2) @export(interface) @inline(never)
    package func convolveRow16(_ row: UnsafeRawPointer) { convolveTiles(2, row) }

    /// The same for 8 channels.
    @c(gk_convolverow8_f32_avx2) @export(interface) @inline(never)
    package func convolveRow8(_ row: UnsafeRawPointer) { convolveTiles(1, row) }

    /// See `ConvolutionKernels.Depthwise`.
    @c(gk_dw_f32_avx2) @export(interface) @inline(never)
    package func depthwiseGraph(
        _ input: UnsafePointer<Float>, _ inRow: Int, _ size: Int, _ stride: Int,
        _ height: Int, _ width: Int, _ channels: Int, _ packed: UnsafeRawPointer, _ upper: Float,
        _ out: UnsafeMutablePointer<Float>, _ outRow: Int, _ outPixel: Int
    ) {
        FloatVectors256.depthwise(
            input, inRow, size, stride, height, width, channels, packed, upper, out, outRow, outPixel)
    }

    /// A `FloatDepthwiseRow` of 3x3 taps at stride 1.
    @c(gk_dwline31_f32_avx2) @export(interface) @inline(never)
    package func depthwiseRow31(_ row: UnsafeRawPointer) { FloatVectors256.computeDepthwiseRow(3, 1, row) }

    /// The same for 3x3 taps at stride 2.
    @c(gk_dwline32_f32_avx2) @export(interface) @inline(never)
    package func depthwiseRow32(_ row: UnsafeRawPointer) { FloatVectors256.computeDepthwiseRow(3, 2, row) }

    /// The same for 5x5 taps at stride 1.
    @c(gk_dwline51_f32_avx2) @export(interface) @inline(never)
    package func depthwiseRow51(_ row: UnsafeRawPointer) { FloatVectors256.computeDepthwiseRow(5, 1, row) }

    /// The same for 5x5 taps at stride 2.
    @c(gk_dwline52_f32_avx2) @export(interface) @inline(never)
    package func depthwiseRow52(_ row: UnsafeRawPointer) { FloatVectors256.computeDepthwiseRow(5, 2, row) }
#endif
