#if arch(x86_64)
    import _Builtin_intrinsics.intel
    package import KernelInterface

    // The int8 kernels of network graphs. Tiles are those of the float kernels (GraphConvolution.swift); a
    // dot product takes four values of a pixel, broadcast, and four weights of each channel.
    //
    // Packed, for each panel of w channels: weights [depth / 4][w][4], then w biases, w multipliers, w slopes.
    //
    // AVX2 and AVX-VNNI have another source: of their panels one is 16 channels, and their tiles are of four pixels.

    extension AVX512VNNITier {
        /// The int8 kernels of network graphs of this tier.
        @export(interface) @inline(never)
        package static func quantisedConvolutionKernels() -> QuantisedConvolutionKernels {
            QuantisedConvolutionKernels(
                convolutionLayout: quantisedConvolutionLayout, convolve: convolveQuantised,
                convolveToFloat: convolveQuantisedToFloat,
                depthwiseLayouts: (depthwiseLayout(3), depthwiseLayout(5)), depthwise: depthwiseQuantised)
        }
    }

    /// The width of the panel that begins before the last `left` channels. Panels of 48, as the float kernels have,
    /// multiply as fast, but three vectors are rounded slower than two or four.
    @inline(__always)
    private func quantisedPanelWidth(_ left: Int) -> Int { left <= 16 ? 16 : 32 }

    @inline(__always)
    private func quantisedPanelBytes(_ width: Int, _ depth: Int) -> Int { width &* (depth &+ 12) }

    /// The same for `WeightLayout`.
    @c(gk_panelwidth_q8_avx512vnni) @export(interface) @inline(never)
    package func quantisedWidth(_ left: Int) -> Int { quantisedPanelWidth(left) }

    /// What `QuantisedConvolutionKernels.packConvolution` writes.
    var quantisedConvolutionLayout: WeightLayout {
        WeightLayout(width: 32, panelWidth: quantisedWidth, group: 4, vectors: 3)
    }

    /// The sums of one pixel, or the weights of four depths.
    private struct Sums {
        var a, b: __m512i

        @inline(__always)
        init(_ vectors: Int, _ p: UnsafeRawPointer) {
            a = load(p)
            b = vectors > 1 ? load(p + 64) : a
        }

        @inline(__always)
        init(_ a: __m512i, _ b: __m512i) { (self.a, self.b) = (a, b) }

        @inline(__always)
        mutating func add(_ vectors: Int, _ x: __m512i, _ w: Sums) {
            a = dot(a, x, w.a)
            if vectors > 1 { b = dot(b, x, w.b) }
        }
    }

    /// The output of a panel; strides are in bytes.
    private struct Target {
        let pixel: Int
        let rounding: Rounding
        let residualPixel: Int
        /// Vectors of the panel that have a residual: columns are multiples of sixteen.
        let residualVectors: Int

        @inline(__always)
        init(_ pixel: Int, _ rounding: UnsafeRawPointer, _ residualPixel: Int, _ residualColumns: Int) {
            self.pixel = pixel
            self.rounding = Rounding(rounding)
            self.residualPixel = residualPixel
            residualVectors = residualColumns &>> 4
        }

        /// Rounds and writes the sums of four pixels. At `multipliers` are the multipliers of the panel's channels,
        /// then their slopes.
        @inline(__always)
        func put(
            _ vectors: Int, _ s0: Sums, _ s1: Sums, _ s2: Sums, _ s3: Sums, _ multipliers: UnsafeRawPointer,
            _ residual: UnsafeRawPointer?, _ more: Pixels, _ out: UnsafeMutableRawPointer, _ to: Pixels
        ) {
            let (out1, out2, out3) = (out + to.p1, out + to.p2, out + to.p3)
            let (more1, more2) = (residual.map { $0 + more.p1 }, residual.map { $0 + more.p2 })
            let more3 = residual.map { $0 + more.p3 }
            let (a, b) = (numbers(vectors, s0, multipliers, residual), numbers(vectors, s1, multipliers, more1))
            let (c, d) = (numbers(vectors, s2, multipliers, more2), numbers(vectors, s3, multipliers, more3))
            if vectors == 1 {
                let codes = inOrder(a.a, b.a, c.a, d.a)
                out.storeBytes(of: low(codes.lowHalf), as: __m128i.self)
                out1.storeBytes(of: high(codes.lowHalf), as: __m128i.self)
                out2.storeBytes(of: low(codes.highHalf), as: __m128i.self)
                out3.storeBytes(of: high(codes.highHalf), as: __m128i.self)
            } else {
                let (ab, cd) = (inOrder(a.a, a.b, b.a, b.b), inOrder(c.a, c.b, d.a, d.b))
                out.storeBytes(of: ab.lowHalf, as: __m256i.self)
                out1.storeBytes(of: ab.highHalf, as: __m256i.self)
                out2.storeBytes(of: cd.lowHalf, as: __m256i.self)
                out3.storeBytes(of: cd.highHalf, as: __m256i.self)
            }
        }

        /// The sums of a pixel, scaled and rounded.
        @inline(__always)
        private func numbers(
            _ vectors: Int, _ s: Sums, _ multipliers: UnsafeRawPointer, _ residual: UnsafeRawPointer?
        ) -> Sums {
            var a = real(s.a, loadFloats(multipliers))
            var b = vectors > 1 ? real(s.b, loadFloats(multipliers + 64)) : a
            if let residual {
                a = _mm512_add_ps(a, rounding.residual(residual))
                if vectors > 1 && residualVectors > 1 { b = _mm512_add_ps(b, rounding.residual(residual + 16)) }
            }
            if rounding.hasSlopes {
                let slopes = multipliers + 64 &* vectors
                a = sloped(a, loadFloats(slopes))
                if vectors > 1 { b = sloped(b, loadFloats(slopes + 64)) }
            }
            let x = rounded(a)
            return Sums(x, vectors > 1 ? rounded(b) : x)
        }

        /// The quantised values of four vectors, one vector after the other.
        @inline(__always)
        private func inOrder(_ a: __m512i, _ b: __m512i, _ c: __m512i, _ d: __m512i) -> __m512i {
            if rounding.isPlain { return ordered(rounding.plainCodes(a, b, c, d)) }
            return ordered(rounding.codes(a, b, c, d))
        }

        @inline(__always)
        private func ordered(_ codes: __m512i) -> __m512i {
            _mm512_permutexvar_epi32(
                _mm512_set_epi32(15, 11, 7, 3, 14, 10, 6, 2, 13, 9, 5, 1, 12, 8, 4, 0), codes)
        }
    }

    // MARK: Convolution

    /// See `QuantisedConvolutionKernels.Convolve`.
    @c(gk_convolve_q8_avx512vnni) @export(interface) @inline(never)
    package func convolveQuantised(
        _ a: UnsafePointer<UInt8>, _ aRow: Int, _ aPixel: Int, _ lines: Int, _ pixels: Int,
        _ taps: Int, _ tapStride: Int, _ depth: Int, _ columns: Int, _ packed: UnsafeRawPointer,
        _ residual: UnsafePointer<UInt8>?, _ residualRow: Int, _ residualPixel: Int, _ residualColumns: Int,
        _ rounding: UnsafeRawPointer, _ out: UnsafeMutablePointer<UInt8>, _ outRow: Int, _ outPixel: Int,
        _ batchRows: Int, _ batchPixels: Int, _ working: UnsafeMutableRawPointer
    ) {
        let source = UnsafeRawPointer(a)
        var panel = packed
        var n = 0
        while n < columns {
            let width = quantisedPanelWidth(columns &- n)
            var more: UnsafeRawPointer?
            if let residual, n < residualColumns { more = UnsafeRawPointer(residual + n) }
            let target = UnsafeMutableRawPointer(out + n)
            var y = 0
            while y < lines {
                let line = QuantisedRow(
                    source: Source(pixel: aPixel, taps: taps, tap: tapStride, depth: depth), panel: panel,
                    rounding: rounding, outPixel: outPixel, residualPixel: residualPixel,
                    residualColumns: residualColumns &- n, pixels: pixels, a: source + aRow &* y,
                    out: target + outRow &* y, residual: more)
                withUnsafePointer(to: line) { convolveQuantisedRow(width, $0) }
                if let residual = more { more = residual + residualRow }
                y &+= 1
            }
            panel += quantisedPanelBytes(width, taps &* depth)
            n &+= width
        }
    }

    /// One row of a panel: its input, its output, and how far it has been computed. Strides are in bytes.
    private struct QuantisedRow {
        let source: Source
        let panel, rounding: UnsafeRawPointer
        let outPixel, residualPixel, residualColumns: Int
        /// Pixels that are left.
        var pixels: Int
        var a: UnsafeRawPointer
        var out: UnsafeMutableRawPointer
        var residual: UnsafeRawPointer?

        @inline(__always)
        var target: Target { Target(outPixel, rounding, residualPixel, residualColumns) }

        @inline(__always)
        mutating func skip(_ count: Int) {
            a += count &* source.pixel
            out += count &* outPixel
            if let more = residual { residual = more + count &* residualPixel }
            pixels &-= count
        }
    }

    // A function that is not inlined needs a name that is unique to the tier, and the compiler inlines a whole tile
    // only into a small caller. So each panel width has a function for the row and another for the rest of the row. C
    // functions cannot take Swift structures, so they take the address of a `QuantisedRow`.

    @inline(__always)
    private func convolveQuantisedRow(_ width: Int, _ line: UnsafeRawPointer) {
        if width == 32 {
            convolveQuantisedRow32(line)
        } else {
            convolveQuantisedRow16(line)
        }
    }

    /// Computes a row except its last one to four pixels.
    /// - Returns: the pixels that are left.
    @inline(__always)
    private func convolveTiles(_ vectors: Int, _ address: UnsafeRawPointer) -> QuantisedRow {
        var line = address.load(as: QuantisedRow.self)
        let target = line.target
        while line.pixels > 4 {
            let count = tile(line.pixels)
            eightPixels(vectors, line.source, line.a, count, line.panel, target, line.out, line.residual)
            line.skip(count)
        }
        return line
    }

    @inline(__always)
    private func convolveRest(_ vectors: Int, _ address: UnsafeRawPointer) {
        let line = address.load(as: QuantisedRow.self)
        fourPixels(vectors, line.source, line.a, line.pixels, line.panel, line.target, line.out, line.residual)
    }

    /// A row of a panel of 32 channels.
    @c(gk_convolverow32_q8_avx512vnni) @export(interface) @inline(never)
    package func convolveQuantisedRow32(_ line: UnsafeRawPointer) {
        let rest = convolveTiles(2, line)
        if rest.pixels > 0 { withUnsafePointer(to: rest) { convolveQuantisedRest32($0) } }
    }

    /// The last one to four pixels of such a row.
    @c(gk_convolverest32_q8_avx512vnni) @export(interface) @inline(never)
    package func convolveQuantisedRest32(_ line: UnsafeRawPointer) { convolveRest(2, line) }

    /// The same for 16 channels.
    @c(gk_convolverow16_q8_avx512vnni) @export(interface) @inline(never)
    package func convolveQuantisedRow16(_ line: UnsafeRawPointer) {
        let rest = convolveTiles(1, line)
        if rest.pixels > 0 { withUnsafePointer(to: rest) { convolveQuantisedRest16($0) } }
    }

    /// The same for 16 channels.
    @c(gk_convolverest16_q8_avx512vnni) @export(interface) @inline(never)
    package func convolveQuantisedRest16(_ line: UnsafeRawPointer) { convolveRest(1, line) }

    /// - count: 5...8.
    @inline(__always)
    private func eightPixels(
        _ vectors: Int, _ source: Source, _ a: UnsafeRawPointer, _ count: Int, _ panel: UnsafeRawPointer,
        _ target: Target, _ out: UnsafeMutableRawPointer, _ residual: UnsafeRawPointer?
    ) {
        var w = panel
        let end = panel + 16 &* vectors &* source.taps &* source.depth
        let bias = Sums(vectors, end)
        var (s0, s1, s2, s3, s4, s5, s6, s7) = (bias, bias, bias, bias, bias, bias, bias, bias)
        let at = Pixels(source.pixel, count)
        var tap = a
        var t = 0
        while t < source.taps {
            var p = tap
            let tapEnd = tap + source.depth
            if count == 8 {
                while p < tapEnd {
                    let weights = Sums(vectors, w)
                    s0.add(vectors, broadcast4(p), weights)
                    s1.add(vectors, broadcast4(p + at.p1), weights)
                    s2.add(vectors, broadcast4(p + at.p2), weights)
                    s3.add(vectors, broadcast4(p + at.p3), weights)
                    s4.add(vectors, broadcast4(p + at.p4), weights)
                    s5.add(vectors, broadcast4(p + at.p5), weights)
                    s6.add(vectors, broadcast4(p + at.p6), weights)
                    s7.add(vectors, broadcast4(p + at.p7), weights)
                    w += 64 &* vectors
                    p += 4
                }
            } else {
                while p < tapEnd {
                    let weights = Sums(vectors, w)
                    s0.add(vectors, broadcast4(p), weights)
                    s1.add(vectors, broadcast4(p + at.p1), weights)
                    s2.add(vectors, broadcast4(p + at.p2), weights)
                    s3.add(vectors, broadcast4(p + at.p3), weights)
                    s4.add(vectors, broadcast4(p + at.p4), weights)
                    s5.add(vectors, broadcast4(p + at.p5), weights)
                    s6.add(vectors, broadcast4(p + at.p6), weights)
                    w += 64 &* vectors
                    p += 4
                }
            }
            tap += source.tap
            t &+= 1
        }
        let multipliers = end + 64 &* vectors
        let (to, more) = (Pixels(target.pixel, 4), Pixels(target.residualPixel, 4))
        target.put(vectors, s0, s1, s2, s3, multipliers, residual, more, out, to)
        target.put(
            vectors, s4, s5, s6, count == 8 ? s7 : s6, multipliers, residual.map { $0 + 4 &* target.residualPixel },
            Pixels(target.residualPixel, count &- 4), out + 4 &* target.pixel, Pixels(target.pixel, count &- 4))
    }

    /// - count: 1...4.
    @inline(__always)
    private func fourPixels(
        _ vectors: Int, _ source: Source, _ a: UnsafeRawPointer, _ count: Int, _ panel: UnsafeRawPointer,
        _ target: Target, _ out: UnsafeMutableRawPointer, _ residual: UnsafeRawPointer?
    ) {
        var w = panel
        let end = panel + 16 &* vectors &* source.taps &* source.depth
        let bias = Sums(vectors, end)
        var (s0, s1, s2, s3) = (bias, bias, bias, bias)
        let at = Pixels(source.pixel, count)
        var tap = a
        var t = 0
        while t < source.taps {
            var p = tap
            let tapEnd = tap + source.depth
            while p < tapEnd {
                let weights = Sums(vectors, w)
                s0.add(vectors, broadcast4(p), weights)
                s1.add(vectors, broadcast4(p + at.p1), weights)
                s2.add(vectors, broadcast4(p + at.p2), weights)
                s3.add(vectors, broadcast4(p + at.p3), weights)
                w += 64 &* vectors
                p += 4
            }
            tap += source.tap
            t &+= 1
        }
        let multipliers = end + 64 &* vectors
        let (to, more) = (Pixels(target.pixel, count), Pixels(target.residualPixel, count))
        target.put(vectors, s0, s1, s2, s3, multipliers, residual, more, out, to)
    }

    // MARK: Float output

    /// See `QuantisedConvolutionKernels.ConvolveToFloat`. Four pixels by sixteen channels: few outputs are floats.
    @c(gk_convolvefloat_q8_avx512vnni) @export(interface) @inline(never)
    package func convolveQuantisedToFloat(
        _ a: UnsafePointer<UInt8>, _ aRow: Int, _ aPixel: Int, _ lines: Int, _ pixels: Int,
        _ taps: Int, _ tapStride: Int, _ depth: Int, _ columns: Int, _ packed: UnsafeRawPointer,
        _ upper: Float, _ out: UnsafeMutablePointer<Float>, _ outRow: Int, _ outPixel: Int,
        _ batchRows: Int, _ batchPixels: Int, _ working: UnsafeMutableRawPointer
    ) {
        var panel = packed
        var first = 0
        while first < columns {
            let width = quantisedPanelWidth(columns &- first)
            let parameters = panel + width &* taps &* depth
            var n = 0
            while n < width && first &+ n < columns {
                let mask = lanes(before: columns &- first &- n)
                let (bias, multiplier) = (
                    load(parameters + 4 &* n), loadFloats(parameters + 4 &* (width &+ n))
                )
                let slope = loadFloats(parameters + 4 &* (2 &* width &+ n))
                var y = 0
                while y < lines {
                    var x = 0
                    while x < pixels {
                        let count = pixels &- x < 4 ? pixels &- x : 4
                        let source = UnsafeRawPointer(a + (y &* aRow &+ x &* aPixel))
                        let at = Pixels(aPixel, count)
                        var (s0, s1, s2, s3) = (bias, bias, bias, bias)
                        var w = panel + 4 &* n
                        var t = 0
                        while t < taps {
                            var p = source + t &* tapStride
                            let end = p + depth
                            while p < end {
                                let weights = load(w)
                                s0 = dot(s0, broadcast4(p), weights)
                                s1 = dot(s1, broadcast4(p + at.p1), weights)
                                s2 = dot(s2, broadcast4(p + at.p2), weights)
                                s3 = dot(s3, broadcast4(p + at.p3), weights)
                                w += 4 &* width
                                p += 4
                            }
                            t &+= 1
                        }
                        let target = UnsafeMutableRawPointer(out + (y &* outRow &+ x &* outPixel &+ first &+ n))
                        let to = Pixels(4 &* outPixel, count)
                        putReal(s0, multiplier, slope, upper, mask, target)
                        putReal(s1, multiplier, slope, upper, mask, target + to.p1)
                        putReal(s2, multiplier, slope, upper, mask, target + to.p2)
                        putReal(s3, multiplier, slope, upper, mask, target + to.p3)
                        x &+= 4
                    }
                    y &+= 1
                }
                n &+= 16
            }
            panel += quantisedPanelBytes(width, taps &* depth)
            first &+= width
        }
    }

    @inline(__always)
    private func putReal(
        _ sum: __m512i, _ multiplier: __m512, _ slope: __m512, _ upper: Float, _ mask: __mmask16,
        _ out: UnsafeMutableRawPointer
    ) {
        let v = _mm512_min_ps(sloped(real(sum, multiplier), slope), _mm512_set1_ps(upper))
        _mm512_mask_storeu_ps(out, mask, v)
    }

    // MARK: Depthwise (QuantisedDepthwise.swift)

    /// See `QuantisedConvolutionKernels.Depthwise`.
    @c(gk_dw_q8_avx512vnni) @export(interface) @inline(never)
    package func depthwiseQuantised(
        _ input: UnsafePointer<UInt8>, _ inRow: Int, _ size: Int, _ stride: Int,
        _ lines: Int, _ pixels: Int, _ channels: Int, _ packed: UnsafeRawPointer, _ rounding: UnsafeRawPointer,
        _ out: UnsafeMutablePointer<UInt8>, _ outRow: Int
    ) { depthwise(input, inRow, size, stride, lines, pixels, channels, packed, rounding, out, outRow) }

    /// One output row of 3x3 taps.
    @c(gk_dwrow3_q8_avx512vnni) @export(interface) @inline(never)
    package func depthwiseRow3(
        _ columns: Int, _ input: UnsafeRawPointer, _ inRow: Int, _ stride: Int, _ pixels: Int, _ channels: Int,
        _ packed: UnsafeRawPointer, _ rounding: UnsafeRawPointer, _ out: UnsafeMutableRawPointer
    ) { depthwiseLines(3, 1, columns, input, inRow, stride, pixels, channels, packed, rounding, out, 0) }

    /// Two output rows of stride 1.
    @c(gk_dwpair3_q8_avx512vnni) @export(interface) @inline(never)
    package func depthwisePair3(
        _ columns: Int, _ input: UnsafeRawPointer, _ inRow: Int, _ stride: Int, _ pixels: Int, _ channels: Int,
        _ packed: UnsafeRawPointer, _ rounding: UnsafeRawPointer, _ out: UnsafeMutableRawPointer, _ outRow: Int
    ) { depthwiseLines(3, 2, columns, input, inRow, stride, pixels, channels, packed, rounding, out, outRow) }

    /// One output row of 5x5 taps.
    @c(gk_dwrow5_q8_avx512vnni) @export(interface) @inline(never)
    package func depthwiseRow5(
        _ input: UnsafeRawPointer, _ inRow: Int, _ stride: Int, _ pixels: Int, _ channels: Int,
        _ packed: UnsafeRawPointer, _ rounding: UnsafeRawPointer, _ out: UnsafeMutableRawPointer
    ) { depthwiseLines(5, 1, 5, input, inRow, stride, pixels, channels, packed, rounding, out, 0) }

    /// Two output rows of stride 1.
    @c(gk_dwpair5_q8_avx512vnni) @export(interface) @inline(never)
    package func depthwisePair5(
        _ input: UnsafeRawPointer, _ inRow: Int, _ stride: Int, _ pixels: Int, _ channels: Int,
        _ packed: UnsafeRawPointer, _ rounding: UnsafeRawPointer, _ out: UnsafeMutableRawPointer, _ outRow: Int
    ) { depthwiseLines(5, 2, 5, input, inRow, stride, pixels, channels, packed, rounding, out, outRow) }
#endif
