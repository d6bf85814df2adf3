#if arch(x86_64)
    import KernelInterface
    import KernelsX86
    import _Builtin_intrinsics.intel

    /// Byte products: depths are multiples of four.
    enum ByteProducts: Products256 {
        @inline(always)
        static func dot(_ sums: __m256i, _ values: __m256i, _ weights: __m256i) -> __m256i {
            _mm256_dpbusd_avx_epi32(sums, values, weights)
        }

        @inline(always) static var stepsAtOnce: Int { 1 }
    }

    // MARK: Convolution

    /// See `QuantisedConvolutionKernels.Convolve`.
    @c(gk_convolve_q8_avxvnni) @export(interface) @inline(never)
    package func convolveQuantised(
        _ a: UnsafePointer<UInt8>, _ aRow: Int, _ aPixel: Int, _ lines: Int, _ pixels: Int,
        _ taps: Int, _ tapStride: Int, _ depth: Int, _ columns: Int, _ packed: UnsafeRawPointer,
        _ residual: UnsafePointer<UInt8>?, _ residualRow: Int, _ residualPixel: Int, _ residualColumns: Int,
        _ rounding: UnsafeRawPointer, _ out: UnsafeMutablePointer<UInt8>, _ outRow: Int, _ outPixel: Int,
        _ batchRows: Int, _ batchPixels: Int, _ working: UnsafeMutableRawPointer
    ) {
        var panel = packed
        var n = 0
        while n < columns {
            var more: UnsafeRawPointer?
            if let residual, n < residualColumns { more = UnsafeRawPointer(residual + n) }
            let isWhole = isWhole(panel, taps &* depth)
            var y = 0
            while y < lines {
                let row = QuantisedRow(
                    source: QuantisedSource(pixel: aPixel, taps: taps, tap: tapStride, depth: depth),
                    a: UnsafeRawPointer(a + y &* aRow), pixels: pixels, panel: panel, residual: more,
                    residualPixel: residualPixel, out: UnsafeMutableRawPointer(out + (y &* outRow &+ n)),
                    outPixel: outPixel)
                withUnsafePointer(to: row) {
                    if isWhole { convolveQuantisedRow16($0, rounding) } else { convolveQuantisedRow8($0, rounding) }
                }
                if let residual = more { more = residual + residualRow }
                y &+= 1
            }
            panel += quantisedPanelBytes(taps &* depth)
            n &+= 16
        }
    }

    /// A `QuantisedRow`. Functions that are not inlined have names that are unique to the tier.
    @c(gk_convolverow16_q8_avxvnni) @export(interface) @inline(never)
    package func convolveQuantisedRow16(_ row: UnsafeRawPointer, _ rounding: UnsafeRawPointer) {
        ByteProducts.convolveRow(2, row.load(as: QuantisedRow.self), Rounding(rounding))
    }

    /// The same, for a panel whose last eight channels have no weights.
    @c(gk_convolverow8_q8_avxvnni) @export(interface) @inline(never)
    package func convolveQuantisedRow8(_ row: UnsafeRawPointer, _ rounding: UnsafeRawPointer) {
        ByteProducts.convolveRow(1, row.load(as: QuantisedRow.self), Rounding(rounding))
    }

    /// See `QuantisedConvolutionKernels.ConvolveToFloat`.
    @c(gk_convolvefloat_q8_avxvnni) @export(interface) @inline(never)
    package func convolveQuantisedToFloat(
        _ a: UnsafePointer<UInt8>, _ aRow: Int, _ aPixel: Int, _ lines: Int, _ pixels: Int,
        _ taps: Int, _ tapStride: Int, _ depth: Int, _ columns: Int, _ packed: UnsafeRawPointer,
        _ upper: Float, _ out: UnsafeMutablePointer<Float>, _ outRow: Int, _ outPixel: Int,
        _ batchRows: Int, _ batchPixels: Int, _ working: UnsafeMutableRawPointer
    ) {
        let source = QuantisedSource(pixel: aPixel, taps: taps, tap: tapStride, depth: depth)
        var panel = packed
        var n = 0
        while n < columns {
            var y = 0
            while y < lines {
                ByteProducts.convolveRowToFloat(
                    source, UnsafeRawPointer(a + y &* aRow), pixels, panel, upper, columns &- n,
                    UnsafeMutableRawPointer(out + (y &* outRow &+ n)), 4 &* outPixel)
                y &+= 1
            }
            panel += quantisedPanelBytes(taps &* depth)
            n &+= 16
        }
    }

    // MARK: Depthwise

    enum QuadVectors256: QuadVectors {
        @inline(always)
        static func dot(_ sums: __m256i, _ values: __m256i, _ weights: __m256i) -> __m256i {
            ByteProducts.dot(sums, values, weights)
        }

        @inline(always) static var vectorsAtOnce: Int { 1 }
        @inline(always) static func lowBytes(_ a: __m256i, _ b: __m256i) -> __m256i { _mm256_unpacklo_epi8(a, b) }
        @inline(always) static func highBytes(_ a: __m256i, _ b: __m256i) -> __m256i { _mm256_unpackhi_epi8(a, b) }
        @inline(always) static func lowWords(_ a: __m256i, _ b: __m256i) -> __m256i { _mm256_unpacklo_epi16(a, b) }
        @inline(always) static func highWords(_ a: __m256i, _ b: __m256i) -> __m256i { _mm256_unpackhi_epi16(a, b) }

        @inline(always) static func rounding(_ p: UnsafeRawPointer) -> Rounding { Rounding(p) }
        @inline(always) static func hasSlopes(_ rounding: Rounding) -> Bool { rounding.hasSlopes }

        @inline(always)
        static func real(_ sums: __m256i, _ multipliers: UnsafeRawPointer) -> __m256 {
            KernelsX86.real(sums, loadFloats256(multipliers))
        }

        @inline(always)
        static func sloped(_ v: __m256, _ slopes: UnsafeRawPointer) -> __m256 {
            KernelsX86.sloped(v, loadFloats256(slopes))
        }

        @inline(always)
        static func quantised(_ a: __m256, _ b: __m256, _ c: __m256, _ d: __m256, _ rounding: Rounding) -> __m256i {
            rounding.quantised(rounded(a), rounded(b), rounded(c), rounded(d))
        }

        /// Channels are multiples of 16, so half a vector is written where fewer than 32 bytes are left.
        @inline(always)
        static func storeFirst(_ v: __m256i, _ p: UnsafeMutableRawPointer, _ count: Int) {
            if count >= 32 { store256(v, p) } else { store128(low(v), p) }
        }

        @inline(always)
        static func depthwiseRows(_ size: Int, _ rows: Int, _ address: UnsafeRawPointer) {
            switch (size, rows) {
            case (3, 1): depthwiseRow3(address)
            case (3, _): depthwisePair3(address)
            case (_, 1): depthwiseRow5(address)
            default: depthwisePair5(address)
            }
        }
    }

    /// See `QuantisedConvolutionKernels.Depthwise`.
    @c(gk_dw_q8_avxvnni) @export(interface) @inline(never)
    package func depthwiseQuantised(
        _ input: UnsafePointer<UInt8>, _ inRow: Int, _ size: Int, _ stride: Int,
        _ height: Int, _ width: Int, _ channels: Int, _ packed: UnsafeRawPointer, _ rounding: UnsafeRawPointer,
        _ out: UnsafeMutablePointer<UInt8>, _ outRow: Int
    ) { QuadVectors256.depthwise(input, inRow, size, stride, height, width, channels, packed, rounding, out, outRow) }

    /// `QuantisedDepthwiseRows`: one output row of 3x3 taps.
    @c(gk_dwrow3_q8_avxvnni) @export(interface) @inline(never)
    package func depthwiseRow3(_ rows: UnsafeRawPointer) { QuadVectors256.computeDepthwiseRows(3, 1, rows) }

    /// The same for two output rows.
    @c(gk_dwpair3_q8_avxvnni) @export(interface) @inline(never)
    package func depthwisePair3(_ rows: UnsafeRawPointer) { QuadVectors256.computeDepthwiseRows(3, 2, rows) }

    /// The same for one output row of 5x5 taps.
    @c(gk_dwrow5_q8_avxvnni) @export(interface) @inline(never)
    package func depthwiseRow5(_ rows: UnsafeRawPointer) { QuadVectors256.computeDepthwiseRows(5, 1, rows) }

    /// The same for two output rows of 5x5 taps.
    @c(gk_dwpair5_q8_avxvnni) @export(interface) @inline(never)
    package func depthwisePair5(_ rows: UnsafeRawPointer) { QuadVectors256.computeDepthwiseRows(5, 2, rows) }

    // MARK: The pixel network

    // A pixel network's matrix product is a convolution whose rounding has no zero point, and its rows are pixels
    // (QuantisedTile.swift).

    /// See `Int8Kernels.GEMM`.
    @c(gk_gemm_u8s8_4x16_avxvnni) @export(interface) @inline(never)
    package func gemm(
        _ a: UnsafePointer<UInt8>, _ aStride: Int, _ rows: Int,
        _ taps: Int, _ tapStride: Int, _ depth: Int, _ columns: Int, _ packed: UnsafeRawPointer,
        _ out: UnsafeMutablePointer<UInt8>, _ outStride: Int
    ) {
        let source = QuantisedSource(pixel: aStride, taps: taps, tap: tapStride, depth: depth)
        var panel = packed
        var n = 0
        while n < columns {
            let row = QuantisedRow(
                source: source, a: UnsafeRawPointer(a), pixels: rows, panel: panel, residual: nil, residualPixel: 0,
                out: UnsafeMutableRawPointer(out + n), outPixel: outStride)
            ByteProducts.convolveRow(2, row, Rounding())
            panel += quantisedPanelBytes(taps &* depth)
            n &+= 16
        }
    }

    /// See `Int8Kernels.Classify`. The parameters are packed as those of the matrix product.
    @c(gk_classify_u8s8_avxvnni) @export(interface) @inline(never)
    package func classify(
        _ a: UnsafePointer<UInt8>, _ depth: Int, _ columns: Int, _ packed: UnsafeRawPointer,
        _ out: UnsafeMutablePointer<Float>
    ) {
        let source = QuantisedSource(pixel: 0, taps: 1, tap: 0, depth: depth)
        var panel = packed
        var n = 0
        while n < columns {
            let tile = ByteProducts.tile(1, 2, source, UnsafeRawPointer(a), PixelOffsets(1, 0, 1), panel)
            let multipliers = panel + (16 &* depth &+ 64)
            let target = UnsafeMutableRawPointer(out + n)
            target.storeBytes(of: real(tile[0].low, loadFloats256(multipliers)), as: __m256.self)
            (target + 32).storeBytes(of: real(tile[0].high, loadFloats256(multipliers + 32)), as: __m256.self)
            panel += quantisedPanelBytes(depth)
            n &+= 16
        }
    }
#endif
