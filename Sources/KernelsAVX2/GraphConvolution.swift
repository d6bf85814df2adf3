#if arch(x86_64)
    import _Builtin_intrinsics.intel
    package import KernelInterface

    // The kernels of network graphs. A convolution is a matrix product of pixels by channels; its depth is all that the
    // taps cover.
    //
    // Eight chains of fused multiply-adds cover their latency on two ports. So a tile is four pixels by 16 channels, or
    // three by 16; four and three cover every row of 6 pixels or more. Twelve sums, four pixels by 24, would load less,
    // but with their operands they need all sixteen registers: the compiler then keeps one sum in memory, and the tile
    // waits for it, at 40 % of the peak. Channels are cut into panels of 16, the last of 8 if that is enough. Bias,
    // residual and activation are applied while the sums are in registers.
    //
    // Packed, for each panel of w channels: weights [depth][w], w biases, w slopes; channels past the last are 0.

    extension AVX2Tier {
        /// The kernels of network graphs of this tier.
        @export(interface) @inline(never)
        package static func convolutionKernels() -> ConvolutionKernels {
            ConvolutionKernels(
                convolutionLayout: floatConvolutionLayout, convolve: convolveGraph,
                depthwiseLayout: floatDepthwiseLayout, depthwise: depthwiseGraph)
        }
    }

    /// The width of the panel that begins before the last `left` channels.
    @inline(__always)
    func panelWidth(_ left: Int) -> Int { left <= 8 ? 8 : 16 }

    /// The same for `WeightLayout`.
    @c(gk_panelwidth_f32_avx2) @export(interface) @inline(never)
    package func floatPanelWidth(_ left: Int) -> Int { panelWidth(left) }

    /// What `ConvolutionKernels.packConvolution` writes.
    var floatConvolutionLayout: WeightLayout {
        WeightLayout(width: 16, panelWidth: floatPanelWidth, weightBytes: 4, vectors: 2)
    }

    /// What `ConvolutionKernels.packDepthwise` writes.
    var floatDepthwiseLayout: WeightLayout {
        WeightLayout(width: 8, weightBytes: 4, isDepthOutermost: true, vectors: 2)
    }

    // MARK: Convolution

    // Each panel width has its own function, exported like a kernel: a function that is not inlined needs a name that
    // is unique to the tier, and the compiler inlines a whole tile only into a small caller.

    /// See `ConvolutionKernels.Convolve`.
    @c(gk_convolve_f32_avx2) @export(interface) @inline(never)
    package func convolveGraph(
        _ a: UnsafePointer<Float>, _ aRow: Int, _ aPixel: Int, _ lines: Int, _ pixels: Int,
        _ taps: Int, _ tapStride: Int, _ depth: Int, _ columns: Int, _ packed: UnsafeRawPointer,
        _ residual: UnsafePointer<Float>?, _ residualRow: Int, _ residualPixel: Int, _ residualColumns: Int,
        _ upper: Float, _ out: UnsafeMutablePointer<Float>, _ outRow: Int, _ outPixel: Int
    ) {
        convolve(
            a, aRow, aPixel, lines, pixels, taps, tapStride, depth, columns, packed, residual, residualRow,
            residualPixel, residualColumns, upper, out, outRow, outPixel)
    }

    @inline(__always)
    func convolveFloatRow(_ width: Int, _ line: UnsafeRawPointer) {
        if width == 16 {
            convolveRow16(line)
        } else {
            convolveRow8(line)
        }
    }

    /// One row of a panel of 16 channels.
    @c(gk_convolverow16_f32_avx2) @export(interface) @inline(never)
    package func convolveRow16(_ line: UnsafeRawPointer) { convolveTiles(2, line) }

    /// The same for 8 channels.
    @c(gk_convolverow8_f32_avx2) @export(interface) @inline(never)
    package func convolveRow8(_ line: UnsafeRawPointer) { convolveTiles(1, line) }

    @inline(__always)
    private func convolveTiles(_ vectors: Int, _ address: UnsafeRawPointer) {
        var line = address.load(as: FloatRow.self)
        while line.pixels > 0 {
            // Six are two tiles of three.
            let count = line.pixels > 3 && line.pixels != 6 ? 4 : (line.pixels < 3 ? line.pixels : 3)
            if count == 4 {
                fourPixels(vectors, line, 4)
            } else {
                threePixels(vectors, line, count)
            }
            line.skip(count)
        }
    }

    /// - count: 1...3; if fewer than three, the last pixel is computed and written more than once.
    @inline(__always)
    private func threePixels(_ vectors: Int, _ line: FloatRow, _ count: Int) {
        let (source, target) = (line.source, line.target)
        let step = 32 &* vectors
        var w = line.panel
        let end = w + step &* source.taps &* source.depth
        let bias = FloatSums(vectors, end)
        var (s0, s1, s2) = (bias, bias, bias)
        if let residual = line.residual {
            let at = Pixels(target.residualPixel, count)
            let masks = Masks(target.residualColumns)
            s0.add(vectors, residual, masks)
            s1.add(vectors, residual + at.p1, masks)
            s2.add(vectors, residual + at.p2, masks)
        }
        let at = Pixels(source.pixel, count)
        var tap = line.a
        var t = 0
        while t < source.taps {
            var p = tap
            let tapEnd = tap + 4 &* source.depth
            while p < tapEnd {
                let weights = FloatSums(vectors, w)
                s0.add(vectors, p, weights)
                s1.add(vectors, p + at.p1, weights)
                s2.add(vectors, p + at.p2, weights)
                w += step
                p += 4
            }
            tap += source.tap
            t &+= 1
        }
        let slopes = FloatSums(vectors, end + step)
        let masks = Masks(target.columns)
        let to = Pixels(target.pixel, count)
        s0.put(vectors, slopes, target.upper, masks, line.out)
        s1.put(vectors, slopes, target.upper, masks, line.out + to.p1)
        s2.put(vectors, slopes, target.upper, masks, line.out + to.p2)
    }

    /// Which of the first channels of a panel are in the map. A mask is made where it is used: most panels are whole.
    struct Masks {
        private let columns: Int

        @inline(__always)
        init(_ columns: Int) { self.columns = columns }

        @inline(__always) var a: __m256i { lanes(before: columns) }
        @inline(__always) var b: __m256i { lanes(before: columns &- 8) }
        @inline(__always) var c: __m256i { lanes(before: columns &- 16) }

        @inline(__always)
        func areWhole(_ vectors: Int) -> Bool { columns >= 8 &* vectors }
    }

    /// The floats at `p` in the mask's lanes and zeros elsewhere; nothing else is read.
    @inline(__always)
    func some(_ p: UnsafeRawPointer, _ mask: __m256i) -> __m256 {
        _mm256_maskload_ps(p.assumingMemoryBound(to: Float.self), mask)
    }

    // MARK: Depthwise (GraphDepthwise.swift)

    /// Channels are multiples of eight, so a depthwise convolution has whole vectors alone.
    struct DepthwiseChannels {
        /// Whether four pixels may be computed at once.
        @inline(__always) static var hasFours: Bool { false }

        @inline(__always)
        init(_ left: Int) {}

        @inline(__always)
        func load(_ p: UnsafeRawPointer) -> __m256 { loadFloats(p) }

        @inline(__always)
        func store(_ v: __m256, _ p: UnsafeMutableRawPointer) { p.storeBytes(of: v, as: __m256.self) }
    }

    /// Pixels of a row that are computed at once; fewer than six are computed one by one.
    @inline(__always)
    func depthwisePixels(_ size: Int, _ stride: Int, _ pixels: Int) -> Int {
        pixels % 7 == 0 ? 7 : (pixels < 6 ? pixels : 6)
    }

    /// See `ConvolutionKernels.Depthwise`.
    @c(gk_dw_f32_avx2) @export(interface) @inline(never)
    package func depthwiseGraph(
        _ input: UnsafePointer<Float>, _ inRow: Int, _ size: Int, _ stride: Int,
        _ lines: Int, _ pixels: Int, _ channels: Int, _ packed: UnsafeRawPointer, _ upper: Float,
        _ out: UnsafeMutablePointer<Float>, _ outRow: Int, _ outPixel: Int
    ) {
        depthwise(input, inRow, size, stride, lines, pixels, channels, packed, upper, out, outRow, outPixel)
    }

    /// One row of 3x3 taps at stride 1; strides in bytes, except `channels`.
    @c(gk_dwline31_f32_avx2) @export(interface) @inline(never)
    package func depthwiseLine31(
        _ input: UnsafeRawPointer, _ inRow: Int, _ pixels: Int, _ channels: Int, _ packed: UnsafeRawPointer,
        _ upper: Float, _ out: UnsafeMutableRawPointer, _ outPixel: Int
    ) {
        depthwiseLine(3, 1, input, inRow, pixels, channels, packed, upper, out, outPixel)
    }

    /// The same for 3x3 taps at stride 2.
    @c(gk_dwline32_f32_avx2) @export(interface) @inline(never)
    package func depthwiseLine32(
        _ input: UnsafeRawPointer, _ inRow: Int, _ pixels: Int, _ channels: Int, _ packed: UnsafeRawPointer,
        _ upper: Float, _ out: UnsafeMutableRawPointer, _ outPixel: Int
    ) {
        depthwiseLine(3, 2, input, inRow, pixels, channels, packed, upper, out, outPixel)
    }

    /// The same for 5x5 taps at stride 1.
    @c(gk_dwline51_f32_avx2) @export(interface) @inline(never)
    package func depthwiseLine51(
        _ input: UnsafeRawPointer, _ inRow: Int, _ pixels: Int, _ channels: Int, _ packed: UnsafeRawPointer,
        _ upper: Float, _ out: UnsafeMutableRawPointer, _ outPixel: Int
    ) {
        depthwiseLine(5, 1, input, inRow, pixels, channels, packed, upper, out, outPixel)
    }

    /// The same for 5x5 taps at stride 2.
    @c(gk_dwline52_f32_avx2) @export(interface) @inline(never)
    package func depthwiseLine52(
        _ input: UnsafeRawPointer, _ inRow: Int, _ pixels: Int, _ channels: Int, _ packed: UnsafeRawPointer,
        _ upper: Float, _ out: UnsafeMutableRawPointer, _ outPixel: Int
    ) {
        depthwiseLine(5, 2, input, inRow, pixels, channels, packed, upper, out, outPixel)
    }
#endif
