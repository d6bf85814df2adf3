#if arch(x86_64)
    import _Builtin_intrinsics.intel
    package import KernelInterface
    import KernelsX86

    extension AVX512VNNITier {
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
                convolutionLayout: WeightLayout(width: 48, panelWidth: floatPanelWidth, weightBytes: 4, vectors: 2),
                convolve: convolveGraph,
                depthwiseLayout: WeightLayout(width: 16, weightBytes: 4, isDepthOutermost: true, vectors: 2),
                depthwise: depthwiseGraph)
        }
    }

    // A tile of a graph's convolution is eight pixels by 48 channels: 24 sums, three vectors of weights and the broadcast
    // value fill 28 of 32 registers, and 24 multiply-adds take 11 loads. If 48 does not divide the channels, the last panels
    // are 32 or 16 wide. Rows end in tiles of seven or of four, so that 7, 14 and 28 pixels waste nothing and 12 little.
    enum FloatVectors512: FloatVectors {
        @inline(always) static var laneCount: Int { 16 }
        @inline(always) static var zeros: __m512 { _mm512_setzero_ps() }
        @inline(always) static func repeating(_ value: Float) -> __m512 { _mm512_set1_ps(value) }

        @inline(always)
        static func floats(ofBytes p: UnsafeRawPointer) -> __m512 {
            _mm512_cvtepi32_ps(_mm512_cvtepu8_epi32(p.loadUnaligned(as: __m128i.self)))
        }

        @inline(always) static func sum(_ a: __m512, _ b: __m512) -> __m512 { _mm512_add_ps(a, b) }
        @inline(always) static func product(_ a: __m512, _ b: __m512) -> __m512 { _mm512_mul_ps(a, b) }
        @inline(always) static func minimum(_ a: __m512, _ b: __m512) -> __m512 { _mm512_min_ps(a, b) }
        @inline(always) static func maximum(_ a: __m512, _ b: __m512) -> __m512 { _mm512_max_ps(a, b) }

        @inline(always)
        static func multiplyAdd(_ sum: __m512, _ a: __m512, _ b: __m512) -> __m512 { _mm512_fmadd_ps(a, b, sum) }

        @inline(always) static func mask(before count: Int) -> __mmask16 { lanes(before: count) }

        @inline(always)
        static func load(_ p: UnsafeRawPointer, _ mask: __mmask16) -> __m512 { _mm512_maskz_loadu_ps(mask, p) }

        @inline(always)
        static func store(_ v: __m512, _ p: UnsafeMutableRawPointer, _ mask: __mmask16) {
            _mm512_mask_storeu_ps(p, mask, v)
        }

        @inline(always) static var areMasksFree: Bool { true }

        /// For 49...64 channels, two panels of 32 replace 48 and 16.
        @inline(always)
        static func panelWidth(_ left: Int) -> Int {
            if left <= 16 { return 16 }
            if left <= 32 { return 32 }
            return left > 48 && left <= 64 ? 32 : 48
        }

        @inline(always)
        static func convolveRow(_ width: Int, _ row: UnsafeRawPointer) {
            if width == 48 {
                convolveRow48(row)
            } else if width == 32 {
                convolveRow32(row)
            } else {
                convolveRow16(row)
            }
        }

        /// Four pixels of 3x3 taps at stride 1 are faster than seven.
        @inline(always)
        static func depthwisePixels(_ size: Int, _ stride: Int, _ pixels: Int) -> Int {
            if pixels < 4 { return pixels }
            if pixels < 6 || size == 3 && stride == 1 && pixels != 6 { return 4 }
            return pixels % 7 == 0 ? 7 : 6
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
    @c(gk_stem_f32_avx512vnni) @export(interface) @inline(never)
    package func floatStem(
        _ frame: UnsafePointer<UInt8>, _ weights: UnsafePointer<Float>, _ bias: UnsafePointer<Float>,
        _ out: UnsafeMutablePointer<Float>, _ outStride: Int
    ) { FloatVectors512.stem(frame, weights, bias, out, outStride) }

    /// See `FloatKernels.Depthwise3x3`.
    @c(gk_dw3x3_f32_avx512vnni) @export(interface) @inline(never)
    package func floatDepthwise3x3(
        _ input: UnsafePointer<Float>, _ inStride: Int, _ stride: Int, _ rows: Int, _ width: Int, _ channels: Int,
        _ weights: UnsafePointer<Float>, _ bias: UnsafePointer<Float>, _ out: UnsafeMutablePointer<Float>,
        _ outStride: Int
    ) {
        FloatVectors512.depthwise3x3(input, inStride, stride, rows, width, channels, weights, bias, out, outStride)
    }

    /// See `FloatKernels.Depthwise7x7`.
    @c(gk_dw7x7_f32_avx512vnni) @export(interface) @inline(never)
    package func floatDepthwise7x7(
        _ input: UnsafePointer<Float>, _ channels: Int, _ weights: UnsafePointer<Float>,
        _ bias: UnsafePointer<Float>, _ out: UnsafeMutablePointer<Float>
    ) { FloatVectors512.depthwise7x7(input, channels, weights, bias, out) }

    /// See `FloatKernels.BiasReLU6`.
    @c(gk_biasrelu6_f32_avx512vnni) @export(interface) @inline(never)
    package func floatBiasReLU6(
        _ values: UnsafePointer<Float>, _ rows: Int, _ columns: Int, _ bias: UnsafePointer<Float>,
        _ out: UnsafeMutablePointer<Float>
    ) { FloatVectors512.biasReLU6(values, rows, columns, bias, out) }

    /// See `FloatMatrix.Multiply`.
    @c(gk_gemm_f32_7x32_avx512vnni) @export(interface) @inline(never)
    package func floatGEMM(
        _ a: UnsafePointer<Float>, _ aStride: Int, _ rows: Int,
        _ taps: Int, _ tapStride: Int, _ depth: Int, _ columns: Int, _ packed: UnsafeRawPointer,
        _ out: UnsafeMutablePointer<Float>, _ outStride: Int
    ) { FloatVectors512.multiply(a, aStride, rows, taps, tapStride, depth, columns, packed, out, outStride) }

    // MARK: Graphs

    /// The width of a panel, for `WeightLayout`.
    @c(gk_panelwidth_f32_avx512vnni) @export(interface) @inline(never)
    package func floatPanelWidth(_ left: Int) -> Int { FloatVectors512.panelWidth(left) }

    /// See `ConvolutionKernels.Convolve`.
    @c(gk_convolve_f32_avx512vnni) @export(interface) @inline(never)
    package func convolveGraph(
        _ a: UnsafePointer<Float>, _ aRow: Int, _ aPixel: Int, _ height: Int, _ width: Int,
        _ taps: Int, _ tapStride: Int, _ depth: Int, _ channels: Int, _ packed: UnsafeRawPointer,
        _ residual: UnsafePointer<Float>?, _ residualRow: Int, _ residualPixel: Int, _ residualChannels: Int,
        _ upper: Float, _ out: UnsafeMutablePointer<Float>, _ outRow: Int, _ outPixel: Int
    ) {
        FloatVectors512.convolve(
            a, aRow, aPixel, height, width, taps, tapStride, depth, channels, packed, residual, residualRow,
            residualPixel, residualChannels, upper, out, outRow, outPixel)
    }

    // Functions that are not inlined have names that are unique to the tier.

    /// Computes a row except its last one to four pixels, and gives them.
    @inline(always)
    private func convolveTiles(_ vectors: Int, _ address: UnsafeRawPointer) -> FloatRow {
        var row = address.load(as: FloatRow.self)
        while row.pixels > 4 {
            let count = tile(row.pixels)
            FloatVectors512.convolveTile(8, vectors, row, count)
            row.skip(count)
        }
        return row
    }

    @inline(always)
    private func convolveRest(_ vectors: Int, _ address: UnsafeRawPointer) {
        let row = address.load(as: FloatRow.self)
        FloatVectors512.convolveTile(4, vectors, row, row.pixels)
    }

    /// A `FloatRow` of a panel of 48 channels.
    @c(gk_convolverow48_f32_avx512vnni) @export(interface) @inline(never)
    package func convolveRow48(_ row: UnsafeRawPointer) {
        let rest = convolveTiles(3, row)
        if rest.pixels > 0 { withUnsafePointer(to: rest) { convolveRest48($0) } }
    }

    /// The last one to four pixels of such a row.
    @c(gk_convolverest48_f32_avx512vnni) @export(interface) @inline(never)
    package func convolveRest48(_ row: UnsafeRawPointer) { convolveRest(3, row) }

    /// The same for 32 channels.
    @c(gk_convolverow32_f32_avx512vnni) @export(interface) @inline(never)
    package func convolveRow32(_ row: UnsafeRawPointer) {
        let rest = convolveTiles(2, row)
        if rest.pixels > 0 { withUnsafePointer(to: rest) { convolveRest32($0) } }
    }

    /// The same for 32 channels.
    @c(gk_convolverest32_f32_avx512vnni) @export(interface) @inline(never)
    package func convolveRest32(_ row: UnsafeRawPointer) { convolveRest(2, row) }

    /// The same for 16 channels.
    @c(gk_convolverow16_f32_avx512vnni) @export(interface) @inline(never)
    package func convolveRow16(_ row: UnsafeRawPointer) {
        let rest = convolveTiles(1, row)
        if rest.pixels > 0 { withUnsafePointer(to: rest) { convolveRest16($0) } }
    }

    /// The same for 16 channels.
    @c(gk_convolverest16_f32_avx512vnni) @export(interface) @inline(never)
    package func convolveRest16(_ row: UnsafeRawPointer) { convolveRest(1, row) }

    /// Pixels of the next tile, 5...8, of a row that has `left` more, over 4: 14 are two tiles of seven, 28 four.
    @inline(always)
    func tile(_ left: Int) -> Int {
        if left < 8 { return left }
        return left % 8 != 0 && left % 7 == 0 ? 7 : 8
    }

    /// A bit for each lane before `count`.
    @inline(always)
    func lanes(before count: Int) -> __mmask16 {
        count >= 16 ? 0xffff : (count <= 0 ? 0 : (1 &<< UInt16(truncatingIfNeeded: count)) &- 1)
    }

    /// See `ConvolutionKernels.Depthwise`.
    @c(gk_dw_f32_avx512vnni) @export(interface) @inline(never)
    package func depthwiseGraph(
        _ input: UnsafePointer<Float>, _ inRow: Int, _ size: Int, _ stride: Int,
        _ height: Int, _ width: Int, _ channels: Int, _ packed: UnsafeRawPointer, _ upper: Float,
        _ out: UnsafeMutablePointer<Float>, _ outRow: Int, _ outPixel: Int
    ) {
        FloatVectors512.depthwise(
            input, inRow, size, stride, height, width, channels, packed, upper, out, outRow, outPixel)
    }

    /// A `FloatDepthwiseRow` of 3x3 taps at stride 1.
    @c(gk_dwline31_f32_avx512vnni) @export(interface) @inline(never)
    package func depthwiseRow31(_ row: UnsafeRawPointer) { FloatVectors512.computeDepthwiseRow(3, 1, row) }

    /// The same for 3x3 taps at stride 2.
    @c(gk_dwline32_f32_avx512vnni) @export(interface) @inline(never)
    package func depthwiseRow32(_ row: UnsafeRawPointer) { FloatVectors512.computeDepthwiseRow(3, 2, row) }

    /// The same for 5x5 taps at stride 1.
    @c(gk_dwline51_f32_avx512vnni) @export(interface) @inline(never)
    package func depthwiseRow51(_ row: UnsafeRawPointer) { FloatVectors512.computeDepthwiseRow(5, 1, row) }

    /// The same for 5x5 taps at stride 2.
    @c(gk_dwline52_f32_avx512vnni) @export(interface) @inline(never)
    package func depthwiseRow52(_ row: UnsafeRawPointer) { FloatVectors512.computeDepthwiseRow(5, 2, row) }
#endif
