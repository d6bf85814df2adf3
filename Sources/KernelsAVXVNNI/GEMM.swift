#if arch(x86_64)
    import _Builtin_intrinsics.intel

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
            convolveRow(
                2, source, UnsafeRawPointer(a), rows, panel, nil, 0, Rounding(), UnsafeMutableRawPointer(out + n),
                outStride)
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
            let tile = QuantisedTile(1, 2, source, UnsafeRawPointer(a), QuantisedPixels(0, 1), panel)
            let multipliers = panel + (16 &* depth &+ 64)
            let target = UnsafeMutableRawPointer(out + n)
            target.storeBytes(of: real(tile.s00, loadFloats(multipliers)), as: __m256.self)
            (target + 32).storeBytes(of: real(tile.s01, loadFloats(multipliers + 32)), as: __m256.self)
            panel += quantisedPanelBytes(depth)
            n &+= 16
        }
    }
#endif
