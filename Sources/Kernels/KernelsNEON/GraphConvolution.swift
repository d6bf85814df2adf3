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
    @inline(always)
    private func panelWidth(_ left: Int) -> Int { left >= 16 ? 16 : (left > 4 ? 8 : 4) }

    @inline(always)
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
    @inline(always)
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

    /// The sums of one pixel, or the weights of one depth: vectors of neighbouring channels.
    private typealias Sums = RegisterArray<float32x4_t>

    @inline(always)
    private func sums(_ vectors: Int, _ p: UnsafeRawPointer) -> Sums { Sums(vectors) { loadFloats(p + 16 &* $0) } }

    extension RegisterArray<float32x4_t> {
        @inline(always)
        fileprivate mutating func add(_ vectors: Int, _ x: Float, _ w: Sums) {
            update(vectors) { $0 = vfmaq_n_f32($0, w[$1], x) }
        }

        @inline(always)
        fileprivate mutating func add(_ vectors: Int, _ other: Sums) {
            update(vectors) { $0 = vaddq_f32($0, other[$1]) }
        }

        /// Adds the residual at `p`.
        @inline(always)
        fileprivate mutating func add(_ vectors: Int, residual p: UnsafeRawPointer, half: Bool) {
            update(vectors) { if $1 < 2 || !half { $0 = vaddq_f32($0, loadFloats(p + 16 &* $1)) } }
        }

        /// Finishes and writes the sums.
        @inline(always)
        fileprivate func put(
            _ vectors: Int, _ kind: Int, _ slopes: Sums, _ upper: float32x4_t, _ out: UnsafeMutableRawPointer
        ) {
            forEach(vectors) { storeFloats(Activation.apply(kind, $0, slopes[$1], upper), out + 16 &* $1) }
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
        var tile = RegisterArray(repeating: sums(vectors, end))
        if let residual {
            tile.update(count) {
                $0.add(vectors, residual: residual + $1 &* target.residualPixel, half: target.half)
            }
        }

        /// Adds one depth: a value of each pixel.
        @inline(always)
        func add(_ value: (_ pixel: Int) -> Float) {
            let weights = sums(vectors, w)
            tile.update(count) { $0.add(vectors, value($1), weights) }
            w += 16 &* vectors
        }
        var tap = a
        var t = 0
        while t < source.taps {
            var p = tap
            let last = tap + 4 &* source.depth
            while p + 16 <= last {
                let x = RegisterArray(count) { loadFloats(p + $0 &* source.pixel) }
                add { x[$0].x }
                add { x[$0].y }
                add { x[$0].z }
                add { x[$0].w }
                p += 16
            }
            while p < last {
                add { number(p + $0 &* source.pixel) }
                p += 4
            }
            tap += source.tap
            t &+= 1
        }

        // The kind of the panel's activation follows its slopes.
        let slopes = sums(vectors, end + 16 &* vectors)
        let upper = vdupq_n_f32(target.upper)
        @inline(always)
        func put(_ kind: Int) {
            tile.forEach(count) { $0.put(vectors, kind, slopes, upper, out + $1 &* target.pixel) }
        }
        switch (end + 32 &* vectors).load(as: Int.self) {
        case Activation.relu: put(Activation.relu)
        case Activation.linear: put(Activation.linear)
        default: put(Activation.general)
        }
    }

    /// One pixel, with separate sums for each of four depths.
    @inline(always)
    private func onePixel(
        _ vectors: Int, _ source: Source, _ a: UnsafeRawPointer, _ panel: UnsafeRawPointer, _ target: Target,
        _ out: UnsafeMutableRawPointer, _ residual: UnsafeRawPointer?
    ) {
        var w = panel
        let end = panel + 16 &* vectors &* source.taps &* source.depth
        var s0 = sums(vectors, end)
        var (s1, s2) = (Sums(repeating: vdupq_n_f32(0)), Sums(repeating: vdupq_n_f32(0)))
        var s3 = s1
        if let residual { s0.add(vectors, residual: residual, half: target.half) }
        var tap = a
        var t = 0
        while t < source.taps {
            var p = tap
            let last = tap + 4 &* source.depth
            while p + 16 <= last {
                let x = loadFloats(p)
                s0.add(vectors, x.x, sums(vectors, w))
                s1.add(vectors, x.y, sums(vectors, w + 16 &* vectors))
                s2.add(vectors, x.z, sums(vectors, w + 32 &* vectors))
                s3.add(vectors, x.w, sums(vectors, w + 48 &* vectors))
                w += 64 &* vectors
                p += 16
            }
            while p < last {
                s0.add(vectors, number(p), sums(vectors, w))
                w += 16 &* vectors
                p += 4
            }
            tap += source.tap
            t &+= 1
        }
        s0.add(vectors, s1)
        s2.add(vectors, s3)
        s0.add(vectors, s2)
        s0.put(
            vectors, Activation.general, sums(vectors, end + 16 &* vectors), vdupq_n_f32(target.upper), out)
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

    @inline(always)
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
