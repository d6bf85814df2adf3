#if arch(arm64)
    import _Builtin_intrinsics.arm.neon
    package import KernelInterface

    // The int8 kernels of network graphs: one body for three kinds of CPU. FEAT_DotProd and FEAT_I8MM multiply bytes,
    // four of depth a lane; every arm64 CPU multiplies 16-bit words, one of depth at a time. Sums are exact in each.
    //
    // A tile is four pixels by 16 channels, or two pixels where no more are left: sixteen sums, four vectors of
    // weights, and one vector of neighbouring values of each pixel. The instructions take their value from a lane of
    // that vector, so nothing has to be spread to all lanes first.
    //
    // Packed, for each 16 channels: weights as bytes [depth / 4][16][4] or as words [depth][16], 16 biases, 16
    // multipliers, 16 slopes; channels past the last are 0.

    extension NEONTier {
        /// The int8 kernels of network graphs of CPUs with FEAT_DotProd.
        @export(interface) @inline(never)
        package static func dotProdQuantisedConvolutionKernels() -> QuantisedConvolutionKernels {
            QuantisedConvolutionKernels(
                packConvolution: packQuantisedConvolutionDotProd, convolve: convolveQuantisedDotProd,
                convolveToFloat: convolveQuantisedToFloatDotProd,
                packDepthwise: packQuantisedDepthwiseDotProd, depthwise: depthwiseQuantisedDotProd)
        }

        /// Those of CPUs with FEAT_I8MM.
        @export(interface) @inline(never)
        package static func i8mmQuantisedConvolutionKernels() -> QuantisedConvolutionKernels {
            QuantisedConvolutionKernels(
                packConvolution: packQuantisedConvolutionI8MM, convolve: convolveQuantisedI8MM,
                convolveToFloat: convolveQuantisedToFloatI8MM,
                packDepthwise: packQuantisedDepthwiseI8MM, depthwise: depthwiseQuantisedI8MM)
        }

        /// Those of every arm64 CPU.
        @export(interface) @inline(never)
        package static func baseQuantisedConvolutionKernels() -> QuantisedConvolutionKernels {
            QuantisedConvolutionKernels(
                packConvolution: packQuantisedConvolution, convolve: convolveQuantised,
                convolveToFloat: convolveQuantisedToFloat,
                packDepthwise: packQuantisedDepthwise, depthwise: depthwiseQuantised)
        }
    }

    // MARK: Kernels

    // Rows are exported like kernels: the compiler inlines a tile only into a small caller, and what it leaves out of
    // line needs a name that is unique to the tier.

    /// See `QuantisedConvolutionKernels.PackConvolution`.
    @c(gk_packconv_q8_dotprod) @export(interface) @inline(never)
    func packQuantisedConvolutionDotProd(
        _ weights: UnsafePointer<Int8>?, _ bias: UnsafePointer<Int32>?, _ multiplier: UnsafePointer<Float>?,
        _ slope: UnsafePointer<Float>?, _ channels: Int, _ depth: Int, _ packed: UnsafeMutableRawPointer?
    ) -> Int { pack(.bytes(.flipped), weights, bias, multiplier, slope, channels, depth, packed) }

    /// See `QuantisedConvolutionKernels.Convolve`.
    @c(gk_convolve_q8_dotprod) @export(interface) @inline(never)
    func convolveQuantisedDotProd(
        _ a: UnsafePointer<UInt8>, _ aRow: Int, _ aPixel: Int, _ lines: Int, _ pixels: Int,
        _ taps: Int, _ tapStride: Int, _ depth: Int, _ columns: Int, _ packed: UnsafeRawPointer,
        _ residual: UnsafePointer<UInt8>?, _ residualRow: Int, _ residualPixel: Int, _ residualColumns: Int,
        _ rounding: UnsafeRawPointer, _ out: UnsafeMutablePointer<UInt8>, _ outRow: Int, _ outPixel: Int,
        _ batchRows: Int, _ batchPixels: Int, _ working: UnsafeMutableRawPointer
    ) {
        convolve(
            convolveQuantisedRow4DotProd, convolveQuantisedRow2DotProd,
            Source(.bytes(.flipped), taps: taps, tap: tapStride, depth: depth), a, aRow, aPixel, lines, pixels, columns,
            packed,
            residual, residualRow, residualPixel, residualColumns, rounding, out, outRow, outPixel)
    }

    /// A row of a panel of sixteen channels, in tiles of four pixels.
    @c(gk_convolverow4_q8_dotprod) @export(interface) @inline(never)
    func convolveQuantisedRow4DotProd(
        _ a: UnsafeRawPointer, _ aPixel: Int, _ pixels: Int, _ taps: Int, _ tapStride: Int, _ depth: Int,
        _ panel: UnsafeRawPointer, _ residual: UnsafeRawPointer?, _ residualPixel: Int, _ rounding: UnsafeRawPointer,
        _ out: UnsafeMutableRawPointer, _ outPixel: Int
    ) {
        convolveRow(
            4, Source(.bytes(.flipped), taps: taps, tap: tapStride, depth: depth), a, aPixel, pixels, panel, residual,
            residualPixel, QuantisedRounding(rounding), out, outPixel)
    }

    /// The same in tiles of two pixels.
    @c(gk_convolverow2_q8_dotprod) @export(interface) @inline(never)
    func convolveQuantisedRow2DotProd(
        _ a: UnsafeRawPointer, _ aPixel: Int, _ pixels: Int, _ taps: Int, _ tapStride: Int, _ depth: Int,
        _ panel: UnsafeRawPointer, _ residual: UnsafeRawPointer?, _ residualPixel: Int, _ rounding: UnsafeRawPointer,
        _ out: UnsafeMutableRawPointer, _ outPixel: Int
    ) {
        convolveRow(
            2, Source(.bytes(.flipped), taps: taps, tap: tapStride, depth: depth), a, aPixel, pixels, panel, residual,
            residualPixel, QuantisedRounding(rounding), out, outPixel)
    }

    /// See `QuantisedConvolutionKernels.ConvolveToFloat`.
    @c(gk_convolvefloat_q8_dotprod) @export(interface) @inline(never)
    func convolveQuantisedToFloatDotProd(
        _ a: UnsafePointer<UInt8>, _ aRow: Int, _ aPixel: Int, _ lines: Int, _ pixels: Int,
        _ taps: Int, _ tapStride: Int, _ depth: Int, _ columns: Int, _ packed: UnsafeRawPointer,
        _ upper: Float, _ out: UnsafeMutablePointer<Float>, _ outRow: Int, _ outPixel: Int,
        _ batchRows: Int, _ batchPixels: Int, _ working: UnsafeMutableRawPointer
    ) {
        convolveToFloat(
            Source(.bytes(.flipped), taps: taps, tap: tapStride, depth: depth), a, aRow, aPixel, lines, pixels, columns,
            packed,
            upper, out, outRow, outPixel)
    }

    /// See `QuantisedConvolutionKernels.PackConvolution`.
    @c(gk_packconv_q8_i8mm) @export(interface) @inline(never)
    func packQuantisedConvolutionI8MM(
        _ weights: UnsafePointer<Int8>?, _ bias: UnsafePointer<Int32>?, _ multiplier: UnsafePointer<Float>?,
        _ slope: UnsafePointer<Float>?, _ channels: Int, _ depth: Int, _ packed: UnsafeMutableRawPointer?
    ) -> Int { pack(.bytes(.mixed), weights, bias, multiplier, slope, channels, depth, packed) }

    /// See `QuantisedConvolutionKernels.Convolve`.
    @c(gk_convolve_q8_i8mm) @export(interface) @inline(never)
    func convolveQuantisedI8MM(
        _ a: UnsafePointer<UInt8>, _ aRow: Int, _ aPixel: Int, _ lines: Int, _ pixels: Int,
        _ taps: Int, _ tapStride: Int, _ depth: Int, _ columns: Int, _ packed: UnsafeRawPointer,
        _ residual: UnsafePointer<UInt8>?, _ residualRow: Int, _ residualPixel: Int, _ residualColumns: Int,
        _ rounding: UnsafeRawPointer, _ out: UnsafeMutablePointer<UInt8>, _ outRow: Int, _ outPixel: Int,
        _ batchRows: Int, _ batchPixels: Int, _ working: UnsafeMutableRawPointer
    ) {
        convolve(
            convolveQuantisedRow4I8MM, convolveQuantisedRow2I8MM,
            Source(.bytes(.mixed), taps: taps, tap: tapStride, depth: depth), a, aRow, aPixel, lines, pixels, columns,
            packed,
            residual, residualRow, residualPixel, residualColumns, rounding, out, outRow, outPixel)
    }

    /// A row of a panel of sixteen channels, in tiles of four pixels.
    @c(gk_convolverow4_q8_i8mm) @export(interface) @inline(never)
    func convolveQuantisedRow4I8MM(
        _ a: UnsafeRawPointer, _ aPixel: Int, _ pixels: Int, _ taps: Int, _ tapStride: Int, _ depth: Int,
        _ panel: UnsafeRawPointer, _ residual: UnsafeRawPointer?, _ residualPixel: Int, _ rounding: UnsafeRawPointer,
        _ out: UnsafeMutableRawPointer, _ outPixel: Int
    ) {
        convolveRow(
            4, Source(.bytes(.mixed), taps: taps, tap: tapStride, depth: depth), a, aPixel, pixels, panel, residual,
            residualPixel, QuantisedRounding(rounding), out, outPixel)
    }

    /// The same in tiles of two pixels.
    @c(gk_convolverow2_q8_i8mm) @export(interface) @inline(never)
    func convolveQuantisedRow2I8MM(
        _ a: UnsafeRawPointer, _ aPixel: Int, _ pixels: Int, _ taps: Int, _ tapStride: Int, _ depth: Int,
        _ panel: UnsafeRawPointer, _ residual: UnsafeRawPointer?, _ residualPixel: Int, _ rounding: UnsafeRawPointer,
        _ out: UnsafeMutableRawPointer, _ outPixel: Int
    ) {
        convolveRow(
            2, Source(.bytes(.mixed), taps: taps, tap: tapStride, depth: depth), a, aPixel, pixels, panel, residual,
            residualPixel, QuantisedRounding(rounding), out, outPixel)
    }

    /// See `QuantisedConvolutionKernels.ConvolveToFloat`.
    @c(gk_convolvefloat_q8_i8mm) @export(interface) @inline(never)
    func convolveQuantisedToFloatI8MM(
        _ a: UnsafePointer<UInt8>, _ aRow: Int, _ aPixel: Int, _ lines: Int, _ pixels: Int,
        _ taps: Int, _ tapStride: Int, _ depth: Int, _ columns: Int, _ packed: UnsafeRawPointer,
        _ upper: Float, _ out: UnsafeMutablePointer<Float>, _ outRow: Int, _ outPixel: Int,
        _ batchRows: Int, _ batchPixels: Int, _ working: UnsafeMutableRawPointer
    ) {
        convolveToFloat(
            Source(.bytes(.mixed), taps: taps, tap: tapStride, depth: depth), a, aRow, aPixel, lines, pixels, columns,
            packed,
            upper, out, outRow, outPixel)
    }

    /// See `QuantisedConvolutionKernels.PackConvolution`.
    @c(gk_packconv_q8_neon) @export(interface) @inline(never)
    func packQuantisedConvolution(
        _ weights: UnsafePointer<Int8>?, _ bias: UnsafePointer<Int32>?, _ multiplier: UnsafePointer<Float>?,
        _ slope: UnsafePointer<Float>?, _ channels: Int, _ depth: Int, _ packed: UnsafeMutableRawPointer?
    ) -> Int { pack(.words, weights, bias, multiplier, slope, channels, depth, packed) }

    /// See `QuantisedConvolutionKernels.Convolve`.
    @c(gk_convolve_q8_neon) @export(interface) @inline(never)
    func convolveQuantised(
        _ a: UnsafePointer<UInt8>, _ aRow: Int, _ aPixel: Int, _ lines: Int, _ pixels: Int,
        _ taps: Int, _ tapStride: Int, _ depth: Int, _ columns: Int, _ packed: UnsafeRawPointer,
        _ residual: UnsafePointer<UInt8>?, _ residualRow: Int, _ residualPixel: Int, _ residualColumns: Int,
        _ rounding: UnsafeRawPointer, _ out: UnsafeMutablePointer<UInt8>, _ outRow: Int, _ outPixel: Int,
        _ batchRows: Int, _ batchPixels: Int, _ working: UnsafeMutableRawPointer
    ) {
        convolve(
            convolveQuantisedRow4, convolveQuantisedRow2,
            Source(.words, taps: taps, tap: tapStride, depth: depth), a, aRow, aPixel, lines, pixels, columns, packed,
            residual, residualRow, residualPixel, residualColumns, rounding, out, outRow, outPixel)
    }

    /// A row of a panel of sixteen channels, in tiles of four pixels.
    @c(gk_convolverow4_q8_neon) @export(interface) @inline(never)
    func convolveQuantisedRow4(
        _ a: UnsafeRawPointer, _ aPixel: Int, _ pixels: Int, _ taps: Int, _ tapStride: Int, _ depth: Int,
        _ panel: UnsafeRawPointer, _ residual: UnsafeRawPointer?, _ residualPixel: Int, _ rounding: UnsafeRawPointer,
        _ out: UnsafeMutableRawPointer, _ outPixel: Int
    ) {
        convolveRow(
            4, Source(.words, taps: taps, tap: tapStride, depth: depth), a, aPixel, pixels, panel, residual,
            residualPixel, QuantisedRounding(rounding), out, outPixel)
    }

    /// The same in tiles of two pixels.
    @c(gk_convolverow2_q8_neon) @export(interface) @inline(never)
    func convolveQuantisedRow2(
        _ a: UnsafeRawPointer, _ aPixel: Int, _ pixels: Int, _ taps: Int, _ tapStride: Int, _ depth: Int,
        _ panel: UnsafeRawPointer, _ residual: UnsafeRawPointer?, _ residualPixel: Int, _ rounding: UnsafeRawPointer,
        _ out: UnsafeMutableRawPointer, _ outPixel: Int
    ) {
        convolveRow(
            2, Source(.words, taps: taps, tap: tapStride, depth: depth), a, aPixel, pixels, panel, residual,
            residualPixel, QuantisedRounding(rounding), out, outPixel)
    }

    /// See `QuantisedConvolutionKernels.ConvolveToFloat`.
    @c(gk_convolvefloat_q8_neon) @export(interface) @inline(never)
    func convolveQuantisedToFloat(
        _ a: UnsafePointer<UInt8>, _ aRow: Int, _ aPixel: Int, _ lines: Int, _ pixels: Int,
        _ taps: Int, _ tapStride: Int, _ depth: Int, _ columns: Int, _ packed: UnsafeRawPointer,
        _ upper: Float, _ out: UnsafeMutablePointer<Float>, _ outRow: Int, _ outPixel: Int,
        _ batchRows: Int, _ batchPixels: Int, _ working: UnsafeMutableRawPointer
    ) {
        convolveToFloat(
            Source(.words, taps: taps, tap: tapStride, depth: depth), a, aRow, aPixel, lines, pixels, columns, packed,
            upper, out, outRow, outPixel)
    }

    // MARK: Packing

    /// What a CPU multiplies.
    private enum Product {
        case bytes(Dot), words

        /// Bytes that a weight takes.
        @inline(__always)
        var weightBytes: Int {
            switch self {
            case .bytes: 1
            case .words: 2
            }
        }

        @inline(__always)
        func panelBytes(_ depth: Int) -> Int { 16 &* weightBytes &* depth &+ 192 }
    }

    @inline(__always)
    private func pack(
        _ product: Product, _ weights: UnsafePointer<Int8>?, _ bias: UnsafePointer<Int32>?,
        _ multiplier: UnsafePointer<Float>?, _ slope: UnsafePointer<Float>?, _ channels: Int, _ depth: Int,
        _ packed: UnsafeMutableRawPointer?
    ) -> Int {
        let byteCount = (channels &+ 15) / 16 &* product.panelBytes(depth)
        guard let weights, let bias, let multiplier, let slope, let packed else { return byteCount }
        var n = 0
        while n < channels {
            let panel = packed + n / 16 &* product.panelBytes(depth)
            var corrected = bias[n]
            var k = 0
            while k < depth {
                let weight = weights[n &* depth &+ k]
                switch product {
                case .bytes(let dot):
                    panel.storeBytes(
                        of: weight, toByteOffset: k / 4 &* 64 &+ n % 16 &* 4 &+ k % 4, as: Int8.self)
                    corrected &+= dot.correction(weight)
                case .words:
                    panel.storeBytes(
                        of: Int16(weight), toByteOffset: 32 &* k &+ n % 16 &* 2, as: Int16.self)
                }
                k &+= 1
            }
            storeParameters(
                corrected, multiplier[n], slope[n], panel + (16 &* product.weightBytes &* depth &+ n % 16 &* 4))
            n &+= 1
        }
        return byteCount
    }

    /// Writes what follows the weights, for one of sixteen channels.
    @inline(__always)
    func storeParameters(_ bias: Int32, _ multiplier: Float, _ slope: Float, _ p: UnsafeMutableRawPointer) {
        p.storeBytes(of: bias, as: Int32.self)
        p.storeBytes(of: multiplier, toByteOffset: 64, as: Float.self)
        p.storeBytes(of: slope, toByteOffset: 128, as: Float.self)
    }

    // MARK: Requantisation

    /// Sixteen sums of a pixel as real numbers. Every operation is a separate instruction and rounds by itself.
    struct SixteenReals {
        private(set) var v0, v1, v2, v3: float32x4_t

        /// - multipliers: sixteen of them.
        @inline(__always)
        init(_ sums: Sixteen, _ multipliers: UnsafeRawPointer) {
            v0 = vmulq_f32(vcvtq_f32_s32(sums.s0), loadFloats(multipliers))
            v1 = vmulq_f32(vcvtq_f32_s32(sums.s1), loadFloats(multipliers + 16))
            v2 = vmulq_f32(vcvtq_f32_s32(sums.s2), loadFloats(multipliers + 32))
            v3 = vmulq_f32(vcvtq_f32_s32(sums.s3), loadFloats(multipliers + 48))
        }

        /// Multiplies what is below zero by sixteen slopes.
        @inline(__always)
        mutating func slope(_ slopes: UnsafeRawPointer) {
            v0 = sloped(v0, loadFloats(slopes))
            v1 = sloped(v1, loadFloats(slopes + 16))
            v2 = sloped(v2, loadFloats(slopes + 32))
            v3 = sloped(v3, loadFloats(slopes + 48))
        }

        /// Adds the sixteen residual values at `p`.
        @inline(__always)
        mutating func add(_ p: UnsafeRawPointer, _ rounding: QuantisedRounding) {
            let codes = p.loadUnaligned(as: uint8x16_t.self)
            let low = vsubq_s16(vreinterpretq_s16_u16(vmovl_u8(vget_low_u8(codes))), rounding.residualZero)
            let high = vsubq_s16(vreinterpretq_s16_u16(vmovl_high_u8(codes)), rounding.residualZero)
            v0 = vaddq_f32(v0, rounding.residual(vmovl_s16(vget_low_s16(low))))
            v1 = vaddq_f32(v1, rounding.residual(vmovl_high_s16(low)))
            v2 = vaddq_f32(v2, rounding.residual(vmovl_s16(vget_low_s16(high))))
            v3 = vaddq_f32(v3, rounding.residual(vmovl_high_s16(high)))
        }

        @inline(__always)
        func store(_ rounding: QuantisedRounding, _ out: UnsafeMutableRawPointer) {
            let low = vqmovun_s16(rounding.words(v0, v1))
            let high = vqmovun_s16(rounding.words(v2, v3))
            let codes = vminq_u8(vmaxq_u8(vcombine_u8(low, high), rounding.lower), rounding.upper)
            out.storeBytes(of: codes, as: uint8x16_t.self)
        }

        /// Stores the first `count` floats, at most `upper`.
        @inline(__always)
        func storeFloats(_ upper: float32x4_t, _ out: UnsafeMutableRawPointer, _ count: Int) {
            put(bounded(v0, upper), out, count)
            put(bounded(v1, upper), out + 16, count &- 4)
            put(bounded(v2, upper), out + 32, count &- 8)
            put(bounded(v3, upper), out + 48, count &- 12)
        }
    }

    @inline(__always)
    private func sloped(_ v: float32x4_t, _ slope: float32x4_t) -> float32x4_t {
        vbslq_f32(vcltzq_f32(v), vmulq_f32(v, slope), v)
    }

    @inline(__always)
    private func bounded(_ v: float32x4_t, _ upper: float32x4_t) -> float32x4_t {
        vbslq_f32(vcgtq_f32(v, upper), upper, v)
    }

    /// Writes the first `count` of four floats.
    @inline(__always)
    private func put(_ v: float32x4_t, _ out: UnsafeMutableRawPointer, _ count: Int) {
        if count >= 4 {
            out.storeBytes(of: v, as: float32x4_t.self)
            return
        }
        if count > 0 { out.storeBytes(of: v.x, as: Float.self) }
        if count > 1 { out.storeBytes(of: v.y, toByteOffset: 4, as: Float.self) }
        if count > 2 { out.storeBytes(of: v.z, toByteOffset: 8, as: Float.self) }
    }

    /// See `QuantisedConvolutionKernels`.
    struct QuantisedRounding {
        let hasSlopes: Bool
        fileprivate let zero, residualZero: int16x8_t
        fileprivate let lower, upper: uint8x16_t
        private let residualMultiplier: float32x4_t

        @inline(__always)
        init(_ p: UnsafeRawPointer) {
            zero = vdupq_n_s16(Int16(truncatingIfNeeded: p.load(as: Int32.self)))
            lower = vdupq_n_u8(UInt8(truncatingIfNeeded: p.load(fromByteOffset: 4, as: Int32.self)))
            upper = vdupq_n_u8(UInt8(truncatingIfNeeded: p.load(fromByteOffset: 8, as: Int32.self)))
            residualZero = vdupq_n_s16(Int16(truncatingIfNeeded: p.load(fromByteOffset: 12, as: Int32.self)))
            residualMultiplier = vdupq_n_f32(p.load(fromByteOffset: 16, as: Float.self))
            hasSlopes = p.load(fromByteOffset: 20, as: Int32.self) != 0
        }

        /// The contribution of four residual values less their zero point.
        @inline(__always)
        fileprivate func residual(_ difference: int32x4_t) -> float32x4_t {
            vmulq_f32(vcvtq_f32_s32(difference), residualMultiplier)
        }

        /// Eight rounded values. Both steps saturate, and far outside of every clamp.
        @inline(__always)
        fileprivate func words(_ a: float32x4_t, _ b: float32x4_t) -> int16x8_t {
            let rounded = vcombine_s16(vqmovn_s32(vcvtnq_s32_f32(a)), vqmovn_s32(vcvtnq_s32_f32(b)))
            return vqaddq_s16(rounded, zero)
        }
    }

    /// Writes the quantised values of a pixel. At `multipliers` are the multipliers of the channels, then their slopes.
    @inline(__always)
    func putQuantised(
        _ sums: Sixteen, _ multipliers: UnsafeRawPointer, _ rounding: QuantisedRounding, _ residual: UnsafeRawPointer?,
        _ at: Int, _ out: UnsafeMutableRawPointer
    ) {
        var reals = SixteenReals(sums, multipliers)
        if let residual { reals.add(residual + at, rounding) }
        if rounding.hasSlopes { reals.slope(multipliers + 64) }
        reals.store(rounding, out)
    }

    // MARK: Tiles

    /// Where the values of a pixel are.
    private struct Source {
        let product: Product
        let taps, tap, depth: Int

        @inline(__always)
        init(_ product: Product, taps: Int, tap: Int, depth: Int) {
            self.product = product
            self.taps = taps
            self.tap = tap
            self.depth = depth
        }

        /// Bytes of the weights of sixteen channels.
        @inline(__always)
        var weightBytes: Int { 16 &* product.weightBytes &* taps &* depth }
    }

    /// Pixels 0...3 of a tile; pixels from `count` on repeat the last one.
    private struct Pixels {
        let p1, p2, p3: Int

        @inline(__always)
        init(_ stride: Int, _ count: Int) {
            let last = (count &- 1) &* stride
            p1 = count > 1 ? stride : last
            p2 = count > 2 ? 2 &* stride : last
            p3 = count > 3 ? 3 &* stride : last
        }
    }

    /// The weights of sixteen channels for four of depth.
    private struct ByteWeights {
        let w0, w1, w2, w3: int8x16_t

        @inline(__always)
        init(_ p: UnsafeRawPointer) {
            w0 = loadWeights(p)
            w1 = loadWeights(p + 16)
            w2 = loadWeights(p + 32)
            w3 = loadWeights(p + 48)
        }
    }

    /// The weights of sixteen channels for one of depth, or for one tap.
    struct WordWeights {
        let w0, w1: int16x8_t

        @inline(__always)
        init(_ p: UnsafeRawPointer) {
            w0 = p.loadUnaligned(as: int16x8_t.self)
            w1 = (p + 16).loadUnaligned(as: int16x8_t.self)
        }
    }

    extension Sixteen {
        /// Adds four of depth.
        @inline(__always)
        fileprivate mutating func add(_ dot: Dot, _ codes: Int32, _ w: ByteWeights) {
            let x = vreinterpretq_u8_s32(vdupq_n_s32(codes))
            s0 = dot.sum(s0, x, w.w0)
            s1 = dot.sum(s1, x, w.w1)
            s2 = dot.sum(s2, x, w.w2)
            s3 = dot.sum(s3, x, w.w3)
        }

        /// Adds one of depth.
        @inline(__always)
        fileprivate mutating func add(_ code: Int16, _ w: WordWeights) {
            s0 = vmlal_s16(s0, vget_low_s16(w.w0), vdup_n_s16(code))
            s1 = vmlal_high_s16(s1, w.w0, vdupq_n_s16(code))
            s2 = vmlal_s16(s2, vget_low_s16(w.w1), vdup_n_s16(code))
            s3 = vmlal_high_s16(s3, w.w1, vdupq_n_s16(code))
        }
    }

    /// Sixteen values as four groups of four, as multiplied.
    @inline(__always)
    private func groups(_ dot: Dot, _ p: UnsafeRawPointer) -> int32x4_t { vreinterpretq_s32_u8(dot.load(p)) }

    /// Four values, as multiplied.
    @inline(__always)
    private func group(_ dot: Dot, _ p: UnsafeRawPointer) -> Int32 {
        vreinterpretq_s32_u8(dot.broadcast4(word(p))).x
    }

    /// Eight values as words.
    @inline(__always)
    private func words(_ p: UnsafeRawPointer) -> int16x8_t {
        vreinterpretq_s16_u16(vmovl_u8(p.loadUnaligned(as: uint8x8_t.self)))
    }

    /// The sums of two or four pixels and sixteen channels.
    private struct Tile {
        private(set) var t0, t1, t2, t3: Sixteen

        @inline(__always)
        init(_ count: Int, _ source: Source, _ a: UnsafeRawPointer, _ at: Pixels, _ panel: UnsafeRawPointer) {
            t0 = Sixteen(panel + source.weightBytes)
            (t1, t2, t3) = (t0, t0, t0)
            let depth = source.depth
            var w = panel
            var tap = a
            var t = 0
            while t < source.taps {
                var p = tap
                switch source.product {
                case .bytes(let dot):
                    let last = tap + depth / 16 &* 16
                    while p < last {
                        add16(count, dot, p, at, w)
                        w += 256
                        p += 16
                    }
                    while p < tap + depth {
                        add4(count, dot, p, at, w)
                        w += 64
                        p += 4
                    }
                case .words:
                    while p < tap + depth {
                        add4(count, p, at, w)
                        w += 128
                        p += 4
                    }
                }
                tap += source.tap
                t &+= 1
            }
        }

        /// Adds sixteen of depth.
        @inline(__always)
        private mutating func add16(
            _ count: Int, _ dot: Dot, _ p: UnsafeRawPointer, _ at: Pixels, _ w: UnsafeRawPointer
        ) {
            let (x0, x1) = (groups(dot, p), groups(dot, p + at.p1))
            let x2 = count > 2 ? groups(dot, p + at.p2) : x0
            let x3 = count > 2 ? groups(dot, p + at.p3) : x0
            add(count, dot, x0.x, x1.x, x2.x, x3.x, ByteWeights(w))
            add(count, dot, x0.y, x1.y, x2.y, x3.y, ByteWeights(w + 64))
            add(count, dot, x0.z, x1.z, x2.z, x3.z, ByteWeights(w + 128))
            add(count, dot, x0.w, x1.w, x2.w, x3.w, ByteWeights(w + 192))
        }

        /// Adds four of depth.
        @inline(__always)
        private mutating func add4(_ count: Int, _ dot: Dot, _ p: UnsafeRawPointer, _ at: Pixels, _ w: UnsafeRawPointer)
        {
            let (x0, x1) = (group(dot, p), group(dot, p + at.p1))
            let x2 = count > 2 ? group(dot, p + at.p2) : x0
            let x3 = count > 2 ? group(dot, p + at.p3) : x0
            add(count, dot, x0, x1, x2, x3, ByteWeights(w))
        }

        @inline(__always)
        private mutating func add(
            _ count: Int, _ dot: Dot, _ x0: Int32, _ x1: Int32, _ x2: Int32, _ x3: Int32, _ w: ByteWeights
        ) {
            t0.add(dot, x0, w)
            t1.add(dot, x1, w)
            guard count > 2 else { return }
            t2.add(dot, x2, w)
            t3.add(dot, x3, w)
        }

        /// Adds four of depth as words. Eight values of each pixel are read.
        @inline(__always)
        private mutating func add4(_ count: Int, _ p: UnsafeRawPointer, _ at: Pixels, _ w: UnsafeRawPointer) {
            let (x0, x1) = (vget_low_s16(words(p)), vget_low_s16(words(p + at.p1)))
            let x2 = count > 2 ? vget_low_s16(words(p + at.p2)) : x0
            let x3 = count > 2 ? vget_low_s16(words(p + at.p3)) : x0
            add(count, x0.x, x1.x, x2.x, x3.x, WordWeights(w))
            add(count, x0.y, x1.y, x2.y, x3.y, WordWeights(w + 32))
            add(count, x0.z, x1.z, x2.z, x3.z, WordWeights(w + 64))
            add(count, x0.w, x1.w, x2.w, x3.w, WordWeights(w + 96))
        }

        @inline(__always)
        private mutating func add(
            _ count: Int, _ x0: Int16, _ x1: Int16, _ x2: Int16, _ x3: Int16, _ w: WordWeights
        ) {
            t0.add(x0, w)
            t1.add(x1, w)
            guard count > 2 else { return }
            t2.add(x2, w)
            t3.add(x3, w)
        }
    }

    // MARK: Convolution

    /// See `QuantisedConvolutionKernels.Convolve`.
    @inline(__always)
    private func convolve(
        _ row4: Row, _ row2: Row, _ source: Source, _ a: UnsafePointer<UInt8>, _ aRow: Int, _ aPixel: Int,
        _ lines: Int, _ pixels: Int, _ columns: Int, _ packed: UnsafeRawPointer, _ residual: UnsafePointer<UInt8>?,
        _ residualRow: Int, _ residualPixel: Int, _ residualColumns: Int, _ rounding: UnsafeRawPointer,
        _ out: UnsafeMutablePointer<UInt8>, _ outRow: Int, _ outPixel: Int
    ) {
        // Three pixels are a tile of four; one and two are a tile of two.
        let whole = pixels % 4 < 3 ? pixels &- pixels % 4 : pixels
        var panel = packed
        var n = 0
        while n < columns {
            var y = 0
            while y < lines {
                var more: UnsafeRawPointer?
                if let residual, n < residualColumns { more = UnsafeRawPointer(residual + (y &* residualRow &+ n)) }
                let from = UnsafeRawPointer(a + y &* aRow)
                let target = UnsafeMutableRawPointer(out + (y &* outRow &+ n))
                if whole > 0 {
                    row4(
                        from, aPixel, whole, source.taps, source.tap, source.depth, panel, more, residualPixel,
                        rounding, target, outPixel)
                }
                if whole < pixels {
                    if let residual = more { more = residual + whole &* residualPixel }
                    row2(
                        from + whole &* aPixel, aPixel, pixels &- whole, source.taps, source.tap, source.depth, panel,
                        more, residualPixel, rounding, target + whole &* outPixel, outPixel)
                }
                y &+= 1
            }
            panel += source.product.panelBytes(source.taps &* source.depth)
            n &+= 16
        }
    }

    private typealias Row =
        @convention(c) (
            _ a: UnsafeRawPointer, _ aPixel: Int, _ pixels: Int, _ taps: Int, _ tapStride: Int, _ depth: Int,
            _ panel: UnsafeRawPointer, _ residual: UnsafeRawPointer?, _ residualPixel: Int,
            _ rounding: UnsafeRawPointer,
            _ out: UnsafeMutableRawPointer, _ outPixel: Int
        ) -> Void

    @inline(__always)
    private func convolveRow(
        _ width: Int, _ source: Source, _ a: UnsafeRawPointer, _ aPixel: Int, _ pixels: Int,
        _ panel: UnsafeRawPointer, _ residual: UnsafeRawPointer?, _ residualPixel: Int,
        _ rounding: QuantisedRounding, _ out: UnsafeMutableRawPointer, _ outPixel: Int
    ) {
        let multipliers = panel + (source.weightBytes &+ 64)
        var (from, target, more) = (a, out, residual)
        var left = pixels
        while left > 0 {
            let count = left < width ? left : width
            let (to, second) = (Pixels(outPixel, count), Pixels(residualPixel, count))
            let tile = Tile(width, source, from, Pixels(aPixel, count), panel)
            putQuantised(tile.t0, multipliers, rounding, more, 0, target)
            putQuantised(tile.t1, multipliers, rounding, more, second.p1, target + to.p1)
            if width > 2 {
                putQuantised(tile.t2, multipliers, rounding, more, second.p2, target + to.p2)
                putQuantised(tile.t3, multipliers, rounding, more, second.p3, target + to.p3)
            }
            from += count &* aPixel
            target += count &* outPixel
            if let residual = more { more = residual + count &* residualPixel }
            left &-= count
        }
    }

    /// See `QuantisedConvolutionKernels.ConvolveToFloat`.
    @inline(__always)
    private func convolveToFloat(
        _ source: Source, _ a: UnsafePointer<UInt8>, _ aRow: Int, _ aPixel: Int, _ lines: Int, _ pixels: Int,
        _ columns: Int, _ packed: UnsafeRawPointer, _ upper: Float, _ out: UnsafeMutablePointer<Float>, _ outRow: Int,
        _ outPixel: Int
    ) {
        let bound = vdupq_n_f32(upper)
        var panel = packed
        var n = 0
        while n < columns {
            let multipliers = panel + (source.weightBytes &+ 64)
            let width = columns &- n < 16 ? columns &- n : 16
            var y = 0
            while y < lines {
                var x = 0
                while x < pixels {
                    let count = pixels &- x < 4 ? pixels &- x : 4
                    let from = UnsafeRawPointer(a + (y &* aRow &+ x &* aPixel))
                    let tile = Tile(4, source, from, Pixels(aPixel, count), panel)
                    let target = UnsafeMutableRawPointer(out + (y &* outRow &+ x &* outPixel &+ n))
                    let to = Pixels(4 &* outPixel, count)
                    putFloats(tile.t0, multipliers, bound, target, width)
                    putFloats(tile.t1, multipliers, bound, target + to.p1, width)
                    putFloats(tile.t2, multipliers, bound, target + to.p2, width)
                    putFloats(tile.t3, multipliers, bound, target + to.p3, width)
                    x &+= 4
                }
                y &+= 1
            }
            panel += source.product.panelBytes(source.taps &* source.depth)
            n &+= 16
        }
    }

    /// Writes the first `count` values of a pixel.
    @inline(__always)
    private func putFloats(
        _ sums: Sixteen, _ multipliers: UnsafeRawPointer, _ upper: float32x4_t, _ out: UnsafeMutableRawPointer,
        _ count: Int
    ) {
        var reals = SixteenReals(sums, multipliers)
        reals.slope(multipliers + 64)
        reals.storeFloats(upper, out, count)
    }
#endif
