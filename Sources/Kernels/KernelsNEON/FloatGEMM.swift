#if arch(arm64)
    // The product is a convolution over one row whose pixels are the rows of the matrix, whose slopes are 0 and whose
    // upper bound is 6. Columns are a multiple of 32, so every panel has 16.

    /// See `FloatMatrix.Multiply`.
    @c(gk_gemm_f32_5x16_neon) @export(interface) @inline(never)
    func floatGEMM(
        _ a: UnsafePointer<Float>, _ aStride: Int, _ rows: Int,
        _ taps: Int, _ tapStride: Int, _ depth: Int, _ columns: Int, _ packed: UnsafeRawPointer,
        _ out: UnsafeMutablePointer<Float>, _ outStride: Int
    ) {
        var panel = packed
        var n = 0
        while n < columns {
            convolveRow16(
                UnsafeRawPointer(a), 4 &* aStride, rows, taps, 4 &* tapStride, depth, panel, nil, 0, 0, 6,
                UnsafeMutableRawPointer(out + n), 4 &* outStride)
            panel += panelBytes(16, taps &* depth)
            n &+= 16
        }
    }
#endif
