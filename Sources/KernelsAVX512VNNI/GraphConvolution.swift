#if arch(x86_64)
    import _Builtin_intrinsics.intel
    package import KernelInterface

    // The kernels of network graphs. A convolution is a matrix product of pixels by channels; its depth is all that the
    // taps cover.
    //
    // A tile is eight pixels by 48 channels: 24 sums, three vectors of weights and the broadcast value fill 28 of 32
    // registers, and 24 multiply-adds take 11 loads. If 48 does not divide the channels, the last panels are 32 or 16
    // wide. Rows end in tiles of seven or of four, so that 7, 14 and 28 pixels waste nothing and 12 little. Bias,
    // residual and activation are applied while the sums are in registers.
    //
    // Packed, for each panel of w channels: weights [depth][w], w biases, w slopes; channels past the last are 0.

    extension AVX512VNNITier {
        /// The kernels of network graphs of this tier.
        @export(interface) @inline(never)
        package static func convolutionKernels() -> ConvolutionKernels {
            ConvolutionKernels(
                convolutionLayout: floatConvolutionLayout, convolve: convolveGraph,
                depthwiseLayout: floatDepthwiseLayout, depthwise: depthwiseGraph)
        }
    }

    /// The width of the panel that begins before the last `left` channels. For 49...64 channels, two panels of 32
    /// replace 48 and 16.
    @inline(__always)
    func panelWidth(_ left: Int) -> Int {
        if left <= 16 { return 16 }
        if left <= 32 { return 32 }
        return left > 48 && left <= 64 ? 32 : 48
    }

    /// The same for `WeightLayout`.
    @c(gk_panelwidth_f32_avx512vnni) @export(interface) @inline(never)
    package func floatPanelWidth(_ left: Int) -> Int { panelWidth(left) }

    /// What `ConvolutionKernels.packConvolution` writes.
    var floatConvolutionLayout: WeightLayout {
        WeightLayout(width: 48, panelWidth: floatPanelWidth, weightBytes: 4, vectors: 2)
    }

    /// What `ConvolutionKernels.packDepthwise` writes.
    var floatDepthwiseLayout: WeightLayout {
        WeightLayout(width: 16, weightBytes: 4, isDepthOutermost: true, vectors: 2)
    }

    // MARK: Convolution

    /// See `ConvolutionKernels.Convolve`.
    @c(gk_convolve_f32_avx512vnni) @export(interface) @inline(never)
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

    // A function that is not inlined needs a name that is unique to the tier, and the compiler inlines a whole tile
    // only into a small caller. So each panel width has a function for the row and another for the rest of the row. C
    // functions cannot take Swift structures, so they take the address of a `FloatRow`.

    @inline(__always)
    func convolveFloatRow(_ width: Int, _ line: UnsafeRawPointer) {
        if width == 48 {
            convolveRow48(line)
        } else if width == 32 {
            convolveRow32(line)
        } else {
            convolveRow16(line)
        }
    }

    /// Computes a row except its last one to four pixels.
    /// - Returns: the pixels that are left.
    @inline(__always)
    private func convolveTiles(_ vectors: Int, _ address: UnsafeRawPointer) -> FloatRow {
        var line = address.load(as: FloatRow.self)
        while line.pixels > 4 {
            let count = tile(line.pixels)
            eightPixels(vectors, line, count)
            line.skip(count)
        }
        return line
    }

    @inline(__always)
    private func convolveRest(_ vectors: Int, _ address: UnsafeRawPointer) {
        let line = address.load(as: FloatRow.self)
        fourPixels(vectors, line, line.pixels)
    }

    /// A row of a panel of 48 channels.
    @c(gk_convolverow48_f32_avx512vnni) @export(interface) @inline(never)
    package func convolveRow48(_ line: UnsafeRawPointer) {
        let rest = convolveTiles(3, line)
        if rest.pixels > 0 { withUnsafePointer(to: rest) { convolveRest48($0) } }
    }

    /// The last one to four pixels of such a row.
    @c(gk_convolverest48_f32_avx512vnni) @export(interface) @inline(never)
    package func convolveRest48(_ line: UnsafeRawPointer) { convolveRest(3, line) }

    /// The same for 32 channels.
    @c(gk_convolverow32_f32_avx512vnni) @export(interface) @inline(never)
    package func convolveRow32(_ line: UnsafeRawPointer) {
        let rest = convolveTiles(2, line)
        if rest.pixels > 0 { withUnsafePointer(to: rest) { convolveRest32($0) } }
    }

    /// The same for 32 channels.
    @c(gk_convolverest32_f32_avx512vnni) @export(interface) @inline(never)
    package func convolveRest32(_ line: UnsafeRawPointer) { convolveRest(2, line) }

    /// The same for 16 channels.
    @c(gk_convolverow16_f32_avx512vnni) @export(interface) @inline(never)
    package func convolveRow16(_ line: UnsafeRawPointer) {
        let rest = convolveTiles(1, line)
        if rest.pixels > 0 { withUnsafePointer(to: rest) { convolveRest16($0) } }
    }

    /// The same for 16 channels.
    @c(gk_convolverest16_f32_avx512vnni) @export(interface) @inline(never)
    package func convolveRest16(_ line: UnsafeRawPointer) { convolveRest(1, line) }

    /// Pixels of the next tile, 5...8, of a row that has `left` more, over 4: 14 are two tiles of seven, 28 four.
    @inline(__always)
    func tile(_ left: Int) -> Int {
        if left < 8 { return left }
        return left % 8 != 0 && left % 7 == 0 ? 7 : 8
    }

    /// The lanes of a panel's three vectors that are channels.
    struct Masks {
        let a, b, c: __mmask16

        @inline(__always)
        init(_ columns: Int) {
            a = lanes(before: columns)
            b = lanes(before: columns &- 16)
            c = lanes(before: columns &- 32)
        }

        /// A store under a mask is no slower than another.
        @inline(__always)
        func areWhole(_ vectors: Int) -> Bool { false }
    }

    /// - count: 5...8.
    @inline(__always)
    private func eightPixels(_ vectors: Int, _ line: FloatRow, _ count: Int) {
        let (source, target) = (line.source, line.target)
        var w = line.panel
        let end = w + 64 &* vectors &* source.taps &* source.depth
        let bias = FloatSums(vectors, end)
        var (s0, s1, s2, s3, s4, s5, s6, s7) = (bias, bias, bias, bias, bias, bias, bias, bias)
        if let residual = line.residual {
            let at = Pixels(target.residualPixel, count)
            let masks = Masks(target.residualColumns)
            s0.add(vectors, residual, masks)
            s1.add(vectors, residual + at.p1, masks)
            s2.add(vectors, residual + at.p2, masks)
            s3.add(vectors, residual + at.p3, masks)
            s4.add(vectors, residual + at.p4, masks)
            s5.add(vectors, residual + at.p5, masks)
            s6.add(vectors, residual + at.p6, masks)
            s7.add(vectors, residual + at.p7, masks)
        }
        let at = Pixels(source.pixel, count)
        var tap = line.a
        var t = 0
        while t < source.taps {
            var p = tap
            let tapEnd = tap + 4 &* source.depth
            if count == 8 {
                while p < tapEnd {
                    let weights = FloatSums(vectors, w)
                    s0.add(vectors, p, weights)
                    s1.add(vectors, p + at.p1, weights)
                    s2.add(vectors, p + at.p2, weights)
                    s3.add(vectors, p + at.p3, weights)
                    s4.add(vectors, p + at.p4, weights)
                    s5.add(vectors, p + at.p5, weights)
                    s6.add(vectors, p + at.p6, weights)
                    s7.add(vectors, p + at.p7, weights)
                    w += 64 &* vectors
                    p += 4
                }
            } else {
                while p < tapEnd {
                    let weights = FloatSums(vectors, w)
                    s0.add(vectors, p, weights)
                    s1.add(vectors, p + at.p1, weights)
                    s2.add(vectors, p + at.p2, weights)
                    s3.add(vectors, p + at.p3, weights)
                    s4.add(vectors, p + at.p4, weights)
                    s5.add(vectors, p + at.p5, weights)
                    s6.add(vectors, p + at.p6, weights)
                    w += 64 &* vectors
                    p += 4
                }
            }
            tap += source.tap
            t &+= 1
        }
        let slopes = FloatSums(vectors, end + 64 &* vectors)
        let masks = Masks(target.columns)
        let to = Pixels(target.pixel, count)
        s0.put(vectors, slopes, target.upper, masks, line.out)
        s1.put(vectors, slopes, target.upper, masks, line.out + to.p1)
        s2.put(vectors, slopes, target.upper, masks, line.out + to.p2)
        s3.put(vectors, slopes, target.upper, masks, line.out + to.p3)
        s4.put(vectors, slopes, target.upper, masks, line.out + to.p4)
        s5.put(vectors, slopes, target.upper, masks, line.out + to.p5)
        s6.put(vectors, slopes, target.upper, masks, line.out + to.p6)
        if count == 8 { s7.put(vectors, slopes, target.upper, masks, line.out + to.p7) }
    }

    /// A bit for each lane before `count`.
    @inline(__always)
    func lanes(before count: Int) -> __mmask16 {
        count >= 16 ? 0xffff : (count <= 0 ? 0 : (1 &<< UInt16(truncatingIfNeeded: count)) &- 1)
    }

    /// The floats at `p` in the mask's lanes and zeros elsewhere; nothing else is read.
    @inline(__always)
    func some(_ p: UnsafeRawPointer, _ mask: __mmask16) -> __m512 { _mm512_maskz_loadu_ps(mask, p) }

    @inline(__always)
    func putSome(_ v: __m512, _ p: UnsafeMutableRawPointer, _ mask: __mmask16) {
        _mm512_mask_storeu_ps(p, mask, v)
    }

    // MARK: Depthwise (GraphDepthwise.swift)

    /// A remainder of eight channels is half a vector under a mask.
    struct DepthwiseChannels {
        /// Whether four pixels may be computed at once.
        @inline(__always) static var hasFours: Bool { true }

        private let mask: __mmask16

        @inline(__always)
        init(_ left: Int) { mask = lanes(before: left) }

        @inline(__always)
        func load(_ p: UnsafeRawPointer) -> __m512 { some(p, mask) }

        @inline(__always)
        func store(_ v: __m512, _ p: UnsafeMutableRawPointer) { putSome(v, p, mask) }
    }

    /// Pixels of a row that are computed at once; fewer than four are computed one by one. Four of 3x3 taps at
    /// stride 1 are faster than seven.
    @inline(__always)
    func depthwisePixels(_ size: Int, _ stride: Int, _ pixels: Int) -> Int {
        if pixels < 4 { return pixels }
        if pixels < 6 || size == 3 && stride == 1 && pixels != 6 { return 4 }
        return pixels % 7 == 0 ? 7 : 6
    }

    /// See `ConvolutionKernels.Depthwise`.
    @c(gk_dw_f32_avx512vnni) @export(interface) @inline(never)
    package func depthwiseGraph(
        _ input: UnsafePointer<Float>, _ inRow: Int, _ size: Int, _ stride: Int,
        _ lines: Int, _ pixels: Int, _ channels: Int, _ packed: UnsafeRawPointer, _ upper: Float,
        _ out: UnsafeMutablePointer<Float>, _ outRow: Int, _ outPixel: Int
    ) {
        depthwise(input, inRow, size, stride, lines, pixels, channels, packed, upper, out, outRow, outPixel)
    }

    /// One row of 3x3 taps at stride 1; strides in bytes, except `channels`.
    @c(gk_dwline31_f32_avx512vnni) @export(interface) @inline(never)
    package func depthwiseLine31(
        _ input: UnsafeRawPointer, _ inRow: Int, _ pixels: Int, _ channels: Int, _ packed: UnsafeRawPointer,
        _ upper: Float, _ out: UnsafeMutableRawPointer, _ outPixel: Int
    ) {
        depthwiseLine(3, 1, input, inRow, pixels, channels, packed, upper, out, outPixel)
    }

    /// The same for 3x3 taps at stride 2.
    @c(gk_dwline32_f32_avx512vnni) @export(interface) @inline(never)
    package func depthwiseLine32(
        _ input: UnsafeRawPointer, _ inRow: Int, _ pixels: Int, _ channels: Int, _ packed: UnsafeRawPointer,
        _ upper: Float, _ out: UnsafeMutableRawPointer, _ outPixel: Int
    ) {
        depthwiseLine(3, 2, input, inRow, pixels, channels, packed, upper, out, outPixel)
    }

    /// The same for 5x5 taps at stride 1.
    @c(gk_dwline51_f32_avx512vnni) @export(interface) @inline(never)
    package func depthwiseLine51(
        _ input: UnsafeRawPointer, _ inRow: Int, _ pixels: Int, _ channels: Int, _ packed: UnsafeRawPointer,
        _ upper: Float, _ out: UnsafeMutableRawPointer, _ outPixel: Int
    ) {
        depthwiseLine(5, 1, input, inRow, pixels, channels, packed, upper, out, outPixel)
    }

    /// The same for 5x5 taps at stride 2.
    @c(gk_dwline52_f32_avx512vnni) @export(interface) @inline(never)
    package func depthwiseLine52(
        _ input: UnsafeRawPointer, _ inRow: Int, _ pixels: Int, _ channels: Int, _ packed: UnsafeRawPointer,
        _ upper: Float, _ out: UnsafeMutableRawPointer, _ outPixel: Int
    ) {
        depthwiseLine(5, 2, input, inRow, pixels, channels, packed, upper, out, outPixel)
    }
#endif
