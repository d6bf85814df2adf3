#if arch(arm64)
    import _Builtin_intrinsics.arm.neon
    package import KernelInterface

    // The kernels of network graphs. A convolution is a matrix product of pixels by channels; its depth is all that the
    // taps cover.
    //
    // Fused multiply-adds take four cycles and up to four start in each, so a tile holds sixteen sums or more: five
    // pixels by 16 channels, or eight by 8. Four consecutive values of each pixel are one load, and the instruction
    // itself broadcasts one of them. A panel is 16 channels; what is left is a panel of 8 or 4. Bias, residual and
    // activation are applied while the sums are in registers.
    //
    // Packed, for each panel of w channels: weights [depth][w], w biases, w slopes, the kind of its activation as an Int
    // and 8 bytes; channels past the last are 0.

    extension NEONTier {
        /// The kernels of network graphs of every arm64 CPU.
        @export(interface) @inline(never)
        package static func convolutionKernels() -> ConvolutionKernels {
            ConvolutionKernels(
                convolutionLayout: floatConvolutionLayout, convolve: convolveGraph,
                depthwiseLayout: floatDepthwiseLayout, depthwise: depthwiseGraph)
        }
    }

    /// The width of the panel that begins before the last `left` channels. Panels of 16 are always full.
    @inline(__always)
    private func panelWidth(_ left: Int) -> Int { left >= 16 ? 16 : (left > 4 ? 8 : 4) }

    @inline(__always)
    func panelBytes(_ width: Int, _ depth: Int) -> Int { 4 &* width &* (depth &+ 2) &+ 16 }

    /// The same for `WeightLayout`.
    @c(gk_panelwidth_f32_neon) @export(interface) @inline(never)
    func floatPanelWidth(_ left: Int) -> Int { panelWidth(left) }

    /// What `ConvolutionKernels.packConvolution` and `FloatMatrix.pack` write.
    var floatConvolutionLayout: WeightLayout {
        WeightLayout(width: 16, panelWidth: floatPanelWidth, weightBytes: 4, vectors: 2, trailer: .slopeKind)
    }

    /// See `ConvolutionKernels.Convolve`.
    @c(gk_convolve_f32_neon) @export(interface) @inline(never)
    func convolveGraph(
        _ a: UnsafePointer<Float>, _ aRow: Int, _ aPixel: Int, _ lines: Int, _ pixels: Int,
        _ taps: Int, _ tapStride: Int, _ depth: Int, _ columns: Int, _ packed: UnsafeRawPointer,
        _ residual: UnsafePointer<Float>?, _ residualRow: Int, _ residualPixel: Int, _ residualColumns: Int,
        _ upper: Float, _ out: UnsafeMutablePointer<Float>, _ outRow: Int, _ outPixel: Int
    ) {
        // Rows that are contiguous in all maps are computed as one row: fewer small tiles.
        let follows = residual == nil || residualRow == pixels &* residualPixel
        let isOneLine = follows && aRow == pixels &* aPixel && outRow == pixels &* outPixel
        let (lines, pixels) = isOneLine ? (1, lines &* pixels) : (lines, pixels)
        let (inPixel, morePixel, toPixel) = (4 &* aPixel, 4 &* residualPixel, 4 &* outPixel)
        var panel = packed
        var n = 0
        while n < columns {
            let left = columns &- n
            let width = panelWidth(left)
            var source = UnsafeRawPointer(a)
            var target = UnsafeMutableRawPointer(out + n)
            var more: UnsafeRawPointer?
            if let residual, n < residualColumns { more = UnsafeRawPointer(residual + n) }
            var y = 0
            while y < lines {
                if left < width {
                    convolveRowPart(
                        source, inPixel, pixels, taps, 4 &* tapStride, depth, panel, more, morePixel, upper, target,
                        toPixel, width, left)
                } else if width == 16 {
                    // A residual has all channels of the panel or the first eight.
                    let half = residualColumns &- n == 8 ? 1 : 0
                    convolveRow16(
                        source, inPixel, pixels, taps, 4 &* tapStride, depth, panel, more, morePixel, half, upper,
                        target, toPixel)
                } else if width == 8 {
                    convolveRow8(
                        source, inPixel, pixels, taps, 4 &* tapStride, depth, panel, more, morePixel, upper, target,
                        toPixel)
                } else {
                    convolveRow4(
                        source, inPixel, pixels, taps, 4 &* tapStride, depth, panel, more, morePixel, upper, target,
                        toPixel)
                }
                source += 4 &* aRow
                target += 4 &* outRow
                if let residual = more { more = residual + 4 &* residualRow }
                y &+= 1
            }
            panel += panelBytes(width, taps &* depth)
            n &+= width
        }
    }

    // Each panel width has its own function, exported like a kernel: a function that is not inlined needs a name that
    // is unique to the tier. Strides are in bytes.

    /// One row of a panel of 16 channels.
    /// - half: 1 if the residual has the first eight channels only.
    @c(gk_convolverow16_f32_neon) @export(interface) @inline(never)
    func convolveRow16(
        _ a: UnsafeRawPointer, _ aPixel: Int, _ pixels: Int, _ taps: Int, _ tapStride: Int, _ depth: Int,
        _ panel: UnsafeRawPointer, _ residual: UnsafeRawPointer?, _ residualPixel: Int, _ half: Int,
        _ upper: Float, _ out: UnsafeMutableRawPointer, _ outPixel: Int
    ) {
        let source = Source(pixel: aPixel, taps: taps, tap: tapStride, depth: depth)
        let target = Target(pixel: outPixel, upper: upper, residualPixel: residualPixel, half: half != 0)
        convolveRow(4, source, a, pixels, panel, target, out, residual)
    }

    /// The same for 8 channels.
    @c(gk_convolverow8_f32_neon) @export(interface) @inline(never)
    func convolveRow8(
        _ a: UnsafeRawPointer, _ aPixel: Int, _ pixels: Int, _ taps: Int, _ tapStride: Int, _ depth: Int,
        _ panel: UnsafeRawPointer, _ residual: UnsafeRawPointer?, _ residualPixel: Int,
        _ upper: Float, _ out: UnsafeMutableRawPointer, _ outPixel: Int
    ) {
        let source = Source(pixel: aPixel, taps: taps, tap: tapStride, depth: depth)
        let target = Target(pixel: outPixel, upper: upper, residualPixel: residualPixel, half: false)
        convolveRow(2, source, a, pixels, panel, target, out, residual)
    }

    /// The same for 4 channels.
    @c(gk_convolverow4_f32_neon) @export(interface) @inline(never)
    func convolveRow4(
        _ a: UnsafeRawPointer, _ aPixel: Int, _ pixels: Int, _ taps: Int, _ tapStride: Int, _ depth: Int,
        _ panel: UnsafeRawPointer, _ residual: UnsafeRawPointer?, _ residualPixel: Int,
        _ upper: Float, _ out: UnsafeMutableRawPointer, _ outPixel: Int
    ) {
        let source = Source(pixel: aPixel, taps: taps, tap: tapStride, depth: depth)
        let target = Target(pixel: outPixel, upper: upper, residualPixel: residualPixel, half: false)
        convolveRow(1, source, a, pixels, panel, target, out, residual)
    }

    /// The same for the last panel of a map that has only `columns` of its channels. Eight pixels at a time have a full
    /// residual and a full output in memory of their own.
    @c(gk_convolverowpart_f32_neon) @export(interface) @inline(never)
    func convolveRowPart(
        _ a: UnsafeRawPointer, _ aPixel: Int, _ pixels: Int, _ taps: Int, _ tapStride: Int, _ depth: Int,
        _ panel: UnsafeRawPointer, _ residual: UnsafeRawPointer?, _ residualPixel: Int,
        _ upper: Float, _ out: UnsafeMutableRawPointer, _ outPixel: Int, _ width: Int, _ columns: Int
    ) {
        let pixel = 4 &* width
        withUnsafeTemporaryAllocation(byteCount: 512, alignment: 16) { buffer in
            let whole = buffer.baseAddress.unsafelyUnwrapped
            let added = whole + 256
            var x = 0
            while x < pixels {
                let count = pixels &- x < 8 ? pixels &- x : 8
                if let residual {
                    copyPixels(residual + x &* residualPixel, residualPixel, added, pixel, count, columns)
                }
                let more = residual == nil ? nil : UnsafeRawPointer(added)
                if width == 8 {
                    convolveRow8(
                        a + x &* aPixel, aPixel, count, taps, tapStride, depth, panel, more, pixel, upper, whole, pixel)
                } else {
                    convolveRow4(
                        a + x &* aPixel, aPixel, count, taps, tapStride, depth, panel, more, pixel, upper, whole, pixel)
                }
                copyPixels(whole, pixel, out + x &* outPixel, outPixel, count, columns)
                x &+= count
            }
        }
    }

    /// Copies the first `columns` floats of each of `count` pixels.
    @inline(__always)
    private func copyPixels(
        _ from: UnsafeRawPointer, _ fromPixel: Int, _ to: UnsafeMutableRawPointer, _ toPixel: Int, _ count: Int,
        _ columns: Int
    ) {
        var x = 0
        while x < count {
            var n = 0
            while n < columns {
                let value = (from + (x &* fromPixel &+ 4 &* n)).loadUnaligned(as: Float.self)
                (to + (x &* toPixel &+ 4 &* n)).storeBytes(of: value, as: Float.self)
                n &+= 1
            }
            x &+= 1
        }
    }

    /// The input of a pixel's sums; strides are in bytes.
    private struct Source {
        let pixel, taps, tap, depth: Int
    }

    /// The output of the sums and the residual; strides are in bytes.
    private struct Target {
        let pixel: Int
        let upper: Float
        let residualPixel: Int
        /// Whether the residual has the first half of a panel's channels only.
        let half: Bool
    }

    // `@inline(always)`, because the older `@inline(__always)` gives up in functions as large as these become.

    /// One row of a panel of `vectors` times 4 channels, in tiles of nearly equal size.
    @inline(always)
    private func convolveRow(
        _ vectors: Int, _ source: Source, _ line: UnsafeRawPointer, _ pixels: Int, _ panel: UnsafeRawPointer,
        _ target: Target, _ row: UnsafeMutableRawPointer, _ residualRow: UnsafeRawPointer?
    ) {
        let most = vectors > 2 ? 5 : 8
        var (a, out, residual) = (line, row, residualRow)
        var left = pixels
        while left > 0 {
            let tiles = (left &+ most &- 1) / most
            let count = left < 3 ? 1 : (left &+ tiles &- 1) / tiles
            switch count {
            case 8 where vectors < 4: tile(vectors, 8, source, a, panel, target, out, residual)
            case 7 where vectors < 4: tile(vectors, 7, source, a, panel, target, out, residual)
            case 6 where vectors < 4: tile(vectors, 6, source, a, panel, target, out, residual)
            case 5: tile(vectors, 5, source, a, panel, target, out, residual)
            case 4: tile(vectors, 4, source, a, panel, target, out, residual)
            case 3: tile(vectors, 3, source, a, panel, target, out, residual)
            default: onePixel(vectors, source, a, panel, target, out, residual)
            }
            a += count &* source.pixel
            out += count &* target.pixel
            if let more = residual { residual = more + count &* target.residualPixel }
            left &-= count
        }
    }

    /// The sums of one pixel, or the weights of one depth.
    private struct Sums {
        var a, b, c, d: float32x4_t

        @inline(always)
        init(_ vectors: Int, _ p: UnsafeRawPointer) {
            a = loadFloats(p)
            b = vectors > 1 ? loadFloats(p + 16) : a
            c = vectors > 2 ? loadFloats(p + 32) : a
            d = vectors > 2 ? loadFloats(p + 48) : a
        }

        @inline(always)
        init() {
            a = vdupq_n_f32(0)
            (b, c, d) = (a, a, a)
        }

        @inline(always)
        mutating func add(_ vectors: Int, _ x: Float, _ w: Sums) {
            a = vfmaq_n_f32(a, w.a, x)
            if vectors > 1 { b = vfmaq_n_f32(b, w.b, x) }
            if vectors > 2 {
                c = vfmaq_n_f32(c, w.c, x)
                d = vfmaq_n_f32(d, w.d, x)
            }
        }

        @inline(always)
        mutating func add(_ other: Sums) {
            a = vaddq_f32(a, other.a)
            b = vaddq_f32(b, other.b)
            c = vaddq_f32(c, other.c)
            d = vaddq_f32(d, other.d)
        }

        /// Adds the residual at `p`.
        @inline(always)
        mutating func add(_ vectors: Int, residual p: UnsafeRawPointer, half: Bool) {
            a = vaddq_f32(a, loadFloats(p))
            if vectors > 1 { b = vaddq_f32(b, loadFloats(p + 16)) }
            if vectors > 2 && !half {
                c = vaddq_f32(c, loadFloats(p + 32))
                d = vaddq_f32(d, loadFloats(p + 48))
            }
        }

        /// Finishes and writes the sums.
        @inline(always)
        func put(
            _ vectors: Int, _ kind: Int, _ slopes: Sums, _ upper: float32x4_t, _ out: UnsafeMutableRawPointer
        ) {
            storeFloats(Activation.apply(kind, a, slopes.a, upper), out)
            if vectors > 1 { storeFloats(Activation.apply(kind, b, slopes.b, upper), out + 16) }
            if vectors > 2 {
                storeFloats(Activation.apply(kind, c, slopes.c, upper), out + 32)
                storeFloats(Activation.apply(kind, d, slopes.d, upper), out + 48)
            }
        }
    }

    /// The sums of a tile of at most eight pixels.
    private struct Tile {
        private var s0, s1, s2, s3, s4, s5, s6, s7: Sums

        @inline(always)
        init(_ bias: Sums) {
            (s0, s1, s2, s3) = (bias, bias, bias, bias)
            (s4, s5, s6, s7) = (bias, bias, bias, bias)
        }

        /// Adds one depth: a value of each pixel.
        @inline(always)
        mutating func add(
            _ vectors: Int, _ count: Int, _ w: UnsafeRawPointer, _ x0: Float, _ x1: Float, _ x2: Float, _ x3: Float,
            _ x4: Float, _ x5: Float, _ x6: Float, _ x7: Float
        ) {
            let weights = Sums(vectors, w)
            s0.add(vectors, x0, weights)
            s1.add(vectors, x1, weights)
            s2.add(vectors, x2, weights)
            if count > 3 { s3.add(vectors, x3, weights) }
            if count > 4 { s4.add(vectors, x4, weights) }
            if count > 5 { s5.add(vectors, x5, weights) }
            if count > 6 { s6.add(vectors, x6, weights) }
            if count > 7 { s7.add(vectors, x7, weights) }
        }

        @inline(always)
        mutating func add(_ vectors: Int, _ count: Int, residual p: UnsafeRawPointer, _ target: Target) {
            let (pixel, half) = (target.residualPixel, target.half)
            s0.add(vectors, residual: p, half: half)
            s1.add(vectors, residual: p + pixel, half: half)
            s2.add(vectors, residual: p + 2 &* pixel, half: half)
            if count > 3 { s3.add(vectors, residual: p + 3 &* pixel, half: half) }
            if count > 4 { s4.add(vectors, residual: p + 4 &* pixel, half: half) }
            if count > 5 { s5.add(vectors, residual: p + 5 &* pixel, half: half) }
            if count > 6 { s6.add(vectors, residual: p + 6 &* pixel, half: half) }
            if count > 7 { s7.add(vectors, residual: p + 7 &* pixel, half: half) }
        }

        /// Finishes and writes the sums.
        /// - slopes: of the panel; the kind of its activation follows.
        @inline(always)
        func put(
            _ vectors: Int, _ count: Int, _ slopes: UnsafeRawPointer, _ target: Target, _ out: UnsafeMutableRawPointer
        ) {
            switch (slopes + 16 &* vectors).load(as: Int.self) {
            case Activation.relu: put(vectors, count, Activation.relu, slopes, target, out)
            case Activation.linear: put(vectors, count, Activation.linear, slopes, target, out)
            default: put(vectors, count, Activation.general, slopes, target, out)
            }
        }

        @inline(always)
        private func put(
            _ vectors: Int, _ count: Int, _ kind: Int, _ slopes: UnsafeRawPointer, _ target: Target,
            _ out: UnsafeMutableRawPointer
        ) {
            let slopes = Sums(vectors, slopes)
            let upper = vdupq_n_f32(target.upper)
            s0.put(vectors, kind, slopes, upper, out)
            s1.put(vectors, kind, slopes, upper, out + target.pixel)
            s2.put(vectors, kind, slopes, upper, out + 2 &* target.pixel)
            if count > 3 { s3.put(vectors, kind, slopes, upper, out + 3 &* target.pixel) }
            if count > 4 { s4.put(vectors, kind, slopes, upper, out + 4 &* target.pixel) }
            if count > 5 { s5.put(vectors, kind, slopes, upper, out + 5 &* target.pixel) }
            if count > 6 { s6.put(vectors, kind, slopes, upper, out + 6 &* target.pixel) }
            if count > 7 { s7.put(vectors, kind, slopes, upper, out + 7 &* target.pixel) }
        }
    }

    /// - count: 3...8.
    @inline(always)
    private func tile(
        _ vectors: Int, _ count: Int, _ source: Source, _ a: UnsafeRawPointer, _ panel: UnsafeRawPointer,
        _ target: Target, _ out: UnsafeMutableRawPointer, _ residual: UnsafeRawPointer?
    ) {
        var w = panel
        let end = panel + 16 &* vectors &* source.taps &* source.depth
        var sums = Tile(Sums(vectors, end))
        if let residual { sums.add(vectors, count, residual: residual, target) }
        let step = source.pixel
        var tap = a
        var t = 0
        while t < source.taps {
            var p = tap
            let last = tap + 4 &* source.depth
            while p + 16 <= last {
                let x0 = loadFloats(p)
                let x1 = loadFloats(p + step)
                let x2 = loadFloats(p + 2 &* step)
                let x3 = count > 3 ? loadFloats(p + 3 &* step) : x0
                let x4 = count > 4 ? loadFloats(p + 4 &* step) : x0
                let x5 = count > 5 ? loadFloats(p + 5 &* step) : x0
                let x6 = count > 6 ? loadFloats(p + 6 &* step) : x0
                let x7 = count > 7 ? loadFloats(p + 7 &* step) : x0
                sums.add(vectors, count, w, x0.x, x1.x, x2.x, x3.x, x4.x, x5.x, x6.x, x7.x)
                sums.add(vectors, count, w + 16 &* vectors, x0.y, x1.y, x2.y, x3.y, x4.y, x5.y, x6.y, x7.y)
                sums.add(vectors, count, w + 32 &* vectors, x0.z, x1.z, x2.z, x3.z, x4.z, x5.z, x6.z, x7.z)
                sums.add(vectors, count, w + 48 &* vectors, x0.w, x1.w, x2.w, x3.w, x4.w, x5.w, x6.w, x7.w)
                w += 64 &* vectors
                p += 16
            }
            while p < last {
                let x0 = number(p)
                sums.add(
                    vectors, count, w, x0, number(p + step), number(p + 2 &* step),
                    count > 3 ? number(p + 3 &* step) : x0, count > 4 ? number(p + 4 &* step) : x0,
                    count > 5 ? number(p + 5 &* step) : x0, count > 6 ? number(p + 6 &* step) : x0,
                    count > 7 ? number(p + 7 &* step) : x0)
                w += 16 &* vectors
                p += 4
            }
            tap += source.tap
            t &+= 1
        }
        sums.put(vectors, count, end + 16 &* vectors, target, out)
    }

    /// One pixel, with separate sums for each of four depths.
    @inline(always)
    private func onePixel(
        _ vectors: Int, _ source: Source, _ a: UnsafeRawPointer, _ panel: UnsafeRawPointer, _ target: Target,
        _ out: UnsafeMutableRawPointer, _ residual: UnsafeRawPointer?
    ) {
        var w = panel
        let end = panel + 16 &* vectors &* source.taps &* source.depth
        var (s0, s1, s2, s3) = (Sums(vectors, end), Sums(), Sums(), Sums())
        if let residual { s0.add(vectors, residual: residual, half: target.half) }
        var tap = a
        var t = 0
        while t < source.taps {
            var p = tap
            let last = tap + 4 &* source.depth
            while p + 16 <= last {
                let x = loadFloats(p)
                s0.add(vectors, x.x, Sums(vectors, w))
                s1.add(vectors, x.y, Sums(vectors, w + 16 &* vectors))
                s2.add(vectors, x.z, Sums(vectors, w + 32 &* vectors))
                s3.add(vectors, x.w, Sums(vectors, w + 48 &* vectors))
                w += 64 &* vectors
                p += 16
            }
            while p < last {
                s0.add(vectors, number(p), Sums(vectors, w))
                w += 16 &* vectors
                p += 4
            }
            tap += source.tap
            t &+= 1
        }
        s0.add(s1)
        s2.add(s3)
        s0.add(s2)
        s0.put(
            vectors, Activation.general, Sums(vectors, end + 16 &* vectors), vdupq_n_f32(target.upper), out)
    }

    @inline(always)
    private func number(_ p: UnsafeRawPointer) -> Float { p.loadUnaligned(as: Float.self) }

    // MARK: Depthwise

    // See FloatDepthwise.swift.

    /// What `ConvolutionKernels.packDepthwise` writes: a convolution whose panels are 4 wide.
    var floatDepthwiseLayout: WeightLayout {
        WeightLayout(width: 4, weightBytes: 4, isDepthOutermost: true, vectors: 2, trailer: .slopeKind)
    }

    /// See `ConvolutionKernels.Depthwise`.
    @c(gk_dw_f32_neon) @export(interface) @inline(never)
    func depthwiseGraph(
        _ input: UnsafePointer<Float>, _ inRow: Int, _ size: Int, _ stride: Int,
        _ lines: Int, _ pixels: Int, _ channels: Int, _ packed: UnsafeRawPointer, _ upper: Float,
        _ out: UnsafeMutablePointer<Float>, _ outRow: Int, _ outPixel: Int
    ) {
        var y = 0
        while y < lines {
            let source = UnsafeRawPointer(input + stride &* y &* inRow)
            let target = UnsafeMutableRawPointer(out + y &* outRow)
            if size == 3 {
                if stride == 1 {
                    depthwiseLine31(source, 4 &* inRow, pixels, channels, packed, upper, target, 4 &* outPixel)
                } else {
                    depthwiseLine32(source, 4 &* inRow, pixels, channels, packed, upper, target, 4 &* outPixel)
                }
            } else if stride == 1 {
                depthwiseLine51(source, 4 &* inRow, pixels, channels, packed, upper, target, 4 &* outPixel)
            } else {
                depthwiseLine52(source, 4 &* inRow, pixels, channels, packed, upper, target, 4 &* outPixel)
            }
            y &+= 1
        }
    }

    @inline(__always)
    private func parameters(_ packed: UnsafeRawPointer, _ size: Int) -> DepthwiseParameters {
        let bias = packed + 16 &* size &* size
        return DepthwiseParameters(
            weights: packed, bias: bias, slope: bias + 16, tap: 16, next: panelBytes(4, size &* size))
    }

    /// One row of 3x3 taps at stride 1; strides in bytes, except `channels`.
    @c(gk_dwline31_f32_neon) @export(interface) @inline(never)
    func depthwiseLine31(
        _ input: UnsafeRawPointer, _ inRow: Int, _ pixels: Int, _ channels: Int, _ packed: UnsafeRawPointer,
        _ upper: Float, _ out: UnsafeMutableRawPointer, _ outPixel: Int
    ) {
        depthwiseLine(
            3, 1, input, inRow, pixels, channels, parameters(packed, 3), upper, out, outPixel)
    }

    /// The same for 3x3 taps at stride 2.
    @c(gk_dwline32_f32_neon) @export(interface) @inline(never)
    func depthwiseLine32(
        _ input: UnsafeRawPointer, _ inRow: Int, _ pixels: Int, _ channels: Int, _ packed: UnsafeRawPointer,
        _ upper: Float, _ out: UnsafeMutableRawPointer, _ outPixel: Int
    ) {
        depthwiseLine(
            3, 2, input, inRow, pixels, channels, parameters(packed, 3), upper, out, outPixel)
    }

    /// The same for 5x5 taps at stride 1.
    @c(gk_dwline51_f32_neon) @export(interface) @inline(never)
    func depthwiseLine51(
        _ input: UnsafeRawPointer, _ inRow: Int, _ pixels: Int, _ channels: Int, _ packed: UnsafeRawPointer,
        _ upper: Float, _ out: UnsafeMutableRawPointer, _ outPixel: Int
    ) {
        depthwiseLine(
            5, 1, input, inRow, pixels, channels, parameters(packed, 5), upper, out, outPixel)
    }

    /// The same for 5x5 taps at stride 2.
    @c(gk_dwline52_f32_neon) @export(interface) @inline(never)
    func depthwiseLine52(
        _ input: UnsafeRawPointer, _ inRow: Int, _ pixels: Int, _ channels: Int, _ packed: UnsafeRawPointer,
        _ upper: Float, _ out: UnsafeMutableRawPointer, _ outPixel: Int
    ) {
        depthwiseLine(
            5, 2, input, inRow, pixels, channels, parameters(packed, 5), upper, out, outPixel)
    }
#endif
