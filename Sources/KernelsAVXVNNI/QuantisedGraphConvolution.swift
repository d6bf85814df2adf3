#if arch(x86_64)
    import _Builtin_intrinsics.intel

    // The int8 kernels of network graphs: tiles and panels of QuantisedTile.swift, in which a value takes one byte, and
    // QuantisedDepthwise.swift.

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
                let source = UnsafeRawPointer(a + y &* aRow)
                let target = UnsafeMutableRawPointer(out + (y &* outRow &+ n))
                if isWhole {
                    convolveQuantisedRow16(
                        source, aPixel, pixels, taps, tapStride, depth, panel, more, residualPixel, rounding, target,
                        outPixel)
                } else {
                    convolveQuantisedRow8(
                        source, aPixel, pixels, taps, tapStride, depth, panel, more, residualPixel, rounding, target,
                        outPixel)
                }
                if let residual = more { more = residual + residualRow }
                y &+= 1
            }
            panel += quantisedPanelBytes(taps &* depth)
            n &+= 16
        }
    }

    // Exported like kernels: a function that is not inlined needs a name that is unique to the tier, and the compiler
    // inlines a whole tile only into a small caller.

    /// One row of a panel of sixteen channels.
    @c(gk_convolverow16_q8_avxvnni) @export(interface) @inline(never)
    package func convolveQuantisedRow16(
        _ a: UnsafeRawPointer, _ pixel: Int, _ pixels: Int, _ taps: Int, _ tap: Int, _ depth: Int,
        _ panel: UnsafeRawPointer, _ residual: UnsafeRawPointer?, _ residualPixel: Int, _ rounding: UnsafeRawPointer,
        _ out: UnsafeMutableRawPointer, _ outPixel: Int
    ) {
        convolveRow(
            2, QuantisedSource(pixel: pixel, taps: taps, tap: tap, depth: depth), a, pixels, panel, residual,
            residualPixel, Rounding(rounding), out, outPixel)
    }

    /// The same, for a panel whose last eight channels have no weights.
    @c(gk_convolverow8_q8_avxvnni) @export(interface) @inline(never)
    package func convolveQuantisedRow8(
        _ a: UnsafeRawPointer, _ pixel: Int, _ pixels: Int, _ taps: Int, _ tap: Int, _ depth: Int,
        _ panel: UnsafeRawPointer, _ residual: UnsafeRawPointer?, _ residualPixel: Int, _ rounding: UnsafeRawPointer,
        _ out: UnsafeMutableRawPointer, _ outPixel: Int
    ) {
        convolveRow(
            1, QuantisedSource(pixel: pixel, taps: taps, tap: tap, depth: depth), a, pixels, panel, residual,
            residualPixel, Rounding(rounding), out, outPixel)
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
                convolveRowToFloat(
                    source, UnsafeRawPointer(a + y &* aRow), pixels, panel, upper, columns &- n,
                    UnsafeMutableRawPointer(out + (y &* outRow &+ n)), 4 &* outPixel)
                y &+= 1
            }
            panel += quantisedPanelBytes(taps &* depth)
            n &+= 16
        }
    }

    /// See `QuantisedConvolutionKernels.Depthwise`.
    @c(gk_dw_q8_avxvnni) @export(interface) @inline(never)
    package func depthwiseQuantised(
        _ input: UnsafePointer<UInt8>, _ inRow: Int, _ size: Int, _ stride: Int,
        _ lines: Int, _ pixels: Int, _ channels: Int, _ packed: UnsafeRawPointer, _ rounding: UnsafeRawPointer,
        _ out: UnsafeMutablePointer<UInt8>, _ outRow: Int
    ) { depthwise(input, inRow, size, stride, lines, pixels, channels, packed, rounding, out, outRow) }

    /// One output row of 3x3 taps.
    @c(gk_dwrow3_q8_avxvnni) @export(interface) @inline(never)
    package func depthwiseRow3(
        _ columns: Int, _ input: UnsafeRawPointer, _ inRow: Int, _ stride: Int, _ pixels: Int, _ channels: Int,
        _ packed: UnsafeRawPointer, _ rounding: UnsafeRawPointer, _ out: UnsafeMutableRawPointer
    ) { depthwiseLines(3, 1, columns, input, inRow, stride, pixels, channels, packed, rounding, out, 0) }

    /// Two output rows of stride 1.
    @c(gk_dwpair3_q8_avxvnni) @export(interface) @inline(never)
    package func depthwisePair3(
        _ columns: Int, _ input: UnsafeRawPointer, _ inRow: Int, _ stride: Int, _ pixels: Int, _ channels: Int,
        _ packed: UnsafeRawPointer, _ rounding: UnsafeRawPointer, _ out: UnsafeMutableRawPointer, _ outRow: Int
    ) { depthwiseLines(3, 2, columns, input, inRow, stride, pixels, channels, packed, rounding, out, outRow) }

    /// One output row of 5x5 taps.
    @c(gk_dwrow5_q8_avxvnni) @export(interface) @inline(never)
    package func depthwiseRow5(
        _ input: UnsafeRawPointer, _ inRow: Int, _ stride: Int, _ pixels: Int, _ channels: Int,
        _ packed: UnsafeRawPointer, _ rounding: UnsafeRawPointer, _ out: UnsafeMutableRawPointer
    ) { depthwiseLines(5, 1, 5, input, inRow, stride, pixels, channels, packed, rounding, out, 0) }

    /// Two output rows of stride 1.
    @c(gk_dwpair5_q8_avxvnni) @export(interface) @inline(never)
    package func depthwisePair5(
        _ input: UnsafeRawPointer, _ inRow: Int, _ stride: Int, _ pixels: Int, _ channels: Int,
        _ packed: UnsafeRawPointer, _ rounding: UnsafeRawPointer, _ out: UnsafeMutableRawPointer, _ outRow: Int
    ) { depthwiseLines(5, 2, 5, input, inRow, stride, pixels, channels, packed, rounding, out, outRow) }
#endif
