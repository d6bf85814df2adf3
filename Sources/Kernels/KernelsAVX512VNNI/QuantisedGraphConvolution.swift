#if arch(x86_64)
    import _Builtin_intrinsics.intel
    package import KernelInterface
    import KernelsX86

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
                depthwiseLayouts: (quadLayout(3, vectorBytes: 64), quadLayout(5, vectorBytes: 64)),
                depthwise: depthwiseQuantised)
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

    // MARK: Convolution

    /// See `QuantisedConvolutionKernels.Convolve`.
    @c(gk_convolve_q8_avx512vnni) @export(interface) @inline(never)
    package func convolveQuantised(
        _ a: UnsafePointer<UInt8>, _ aRow: Int, _ aPixel: Int, _ height: Int, _ width: Int,
        _ taps: Int, _ tapStride: Int, _ depth: Int, _ channels: Int, _ packed: UnsafeRawPointer,
        _ residual: UnsafePointer<UInt8>?, _ residualRow: Int, _ residualPixel: Int, _ residualChannels: Int,
        _ rounding: UnsafeRawPointer, _ out: UnsafeMutablePointer<UInt8>, _ outRow: Int, _ outPixel: Int,
        _ batchRows: Int, _ batchPixels: Int, _ working: UnsafeMutableRawPointer
    ) {
        let source = UnsafeRawPointer(a)
        var panel = packed
        var n = 0
        while n < channels {
            let panelWidth = quantisedPanelWidth(channels &- n)
            var more: UnsafeRawPointer?
            if let residual, n < residualChannels { more = UnsafeRawPointer(residual + n) }
            let target = UnsafeMutableRawPointer(out + n)
            var y = 0
            while y < height {
                let row = QuantisedRow512(
                    inPixel: aPixel, taps: taps, tap: tapStride, depth: depth, panel: panel, rounding: rounding,
                    outPixel: outPixel, residualPixel: residualPixel, residualVectors: (residualChannels &- n) &>> 4,
                    pixels: width, a: source + aRow &* y, out: target + outRow &* y, residual: more)
                withUnsafePointer(to: row) {
                    if panelWidth == 32 { convolveQuantisedRow32($0) } else { convolveQuantisedRow16($0) }
                }
                if let residual = more { more = residual + residualRow }
                y &+= 1
            }
            panel += quantisedPanelBytes(panelWidth, taps &* depth)
            n &+= panelWidth
        }
    }

    /// One row of a panel: its input, its output, and how far it has been computed. Strides are in bytes.
    private struct QuantisedRow512 {
        let inPixel, taps, tap, depth: Int
        let panel, rounding: UnsafeRawPointer
        let outPixel, residualPixel: Int
        /// Vectors of the panel that have a residual: channels are multiples of sixteen.
        let residualVectors: Int
        /// Pixels that are left.
        var pixels: Int
        var a: UnsafeRawPointer
        var out: UnsafeMutableRawPointer
        var residual: UnsafeRawPointer?

        @inline(always)
        mutating func skip(_ count: Int) {
            a += count &* inPixel
            out += count &* outPixel
            if let more = residual { residual = more + count &* residualPixel }
            pixels &-= count
        }

        /// Computes the next `count` pixels.
        /// - most: pixels of the tile, 4 or 8, at least `count`. Of eight, more than four are computed.
        @inline(always)
        func putTile(_ most: Int, _ vectors: Int, _ count: Int, _ rounding: Rounding) {
            let end = panel + 16 &* vectors &* taps &* depth
            let at = PixelOffsets(most, inPixel, count)
            var sums = RegisterArray(repeating: Sums(vectors, end))
            var w = panel
            var tap = a
            var t = 0
            while t < taps {
                if most == 8 && count < 8 {
                    addTap(7, vectors, &sums, tap, at, &w)
                } else {
                    addTap(most, vectors, &sums, tap, at, &w)
                }
                tap += self.tap
                t &+= 1
            }
            let multipliers = end + 64 &* vectors
            if most == 4 {
                putFour(vectors, sums[0], sums[1], sums[2], sums[3], count, 0, multipliers, rounding)
            } else {
                putFour(vectors, sums[0], sums[1], sums[2], sums[3], 4, 0, multipliers, rounding)
                let last = count == 8 ? sums[7] : sums[6]
                putFour(vectors, sums[4], sums[5], sums[6], last, count &- 4, 4, multipliers, rounding)
            }
        }

        @inline(always)
        private func addTap(
            _ pixels: Int, _ vectors: Int, _ sums: inout RegisterArray<Sums>, _ tap: UnsafeRawPointer,
            _ at: PixelOffsets, _ w: inout UnsafeRawPointer
        ) {
            var p = tap
            let end = tap + depth
            while p < end {
                let weights = Sums(vectors, w)
                sums.update(pixels) { $0.add(vectors, broadcast4(p + at[$1]), weights) }
                w += 64 &* vectors
                p += 4
            }
        }

        /// Rounds and writes the sums of four pixels, or of fewer, after `first` others. At `multipliers` are the
        /// multipliers of the panel's channels, then their slopes.
        @inline(always)
        private func putFour(
            _ vectors: Int, _ s0: Sums, _ s1: Sums, _ s2: Sums, _ s3: Sums, _ count: Int, _ first: Int,
            _ multipliers: UnsafeRawPointer, _ rounding: Rounding
        ) {
            let residual = residual.map { $0 + first &* residualPixel }
            let more = PixelOffsets(4, residualPixel, count)
            let out = out + first &* outPixel
            let to = PixelOffsets(4, outPixel, count)

            /// The sums of a pixel, scaled and rounded.
            @inline(always)
            func rounded(_ s: Sums, _ index: Int) -> Sums {
                var a = real(s.a, loadFloats(multipliers))
                var b = vectors > 1 ? real(s.b, loadFloats(multipliers + 64)) : a
                if let residual = residual.map({ $0 + more[index] }) {
                    a = _mm512_add_ps(a, rounding.residual(residual))
                    if vectors > 1 && residualVectors > 1 { b = _mm512_add_ps(b, rounding.residual(residual + 16)) }
                }
                if rounding.hasSlopes {
                    let slopes = multipliers + 64 &* vectors
                    a = sloped(a, loadFloats(slopes))
                    if vectors > 1 { b = sloped(b, loadFloats(slopes + 64)) }
                }
                let x = KernelsAVX512VNNI.rounded(a)
                return Sums(x, vectors > 1 ? KernelsAVX512VNNI.rounded(b) : x)
            }
            let (a, b, c, d) = (rounded(s0, 0), rounded(s1, 1), rounded(s2, 2), rounded(s3, 3))
            if vectors == 1 {
                let values = rounding.inOrder(a.a, b.a, c.a, d.a)
                store128(low(values.lowHalf), out)
                store128(high(values.lowHalf), out + to[1])
                store128(low(values.highHalf), out + to[2])
                store128(high(values.highHalf), out + to[3])
            } else {
                let (ab, cd) = (rounding.inOrder(a.a, a.b, b.a, b.b), rounding.inOrder(c.a, c.b, d.a, d.b))
                store256(ab.lowHalf, out)
                store256(ab.highHalf, out + to[1])
                store256(cd.lowHalf, out + to[2])
                store256(cd.highHalf, out + to[3])
            }
        }
    }

    // Functions that are not inlined have names that are unique to the tier. Each panel width has one for the row and
    // another for the rest of the row, because the compiler allocates registers well only in small functions.

    /// Computes a row except its last one to four pixels, and gives them.
    @inline(always)
    private func convolveTiles(_ vectors: Int, _ address: UnsafeRawPointer) -> QuantisedRow512 {
        var row = address.load(as: QuantisedRow512.self)
        let rounding = Rounding(row.rounding)
        while row.pixels > 4 {
            let count = tile(row.pixels)
            row.putTile(8, vectors, count, rounding)
            row.skip(count)
        }
        return row
    }

    @inline(always)
    private func convolveRest(_ vectors: Int, _ address: UnsafeRawPointer) {
        let row = address.load(as: QuantisedRow512.self)
        row.putTile(4, vectors, row.pixels, Rounding(row.rounding))
    }

    /// A row of a panel of 32 channels.
    @c(gk_convolverow32_q8_avx512vnni) @export(interface) @inline(never)
    package func convolveQuantisedRow32(_ row: UnsafeRawPointer) {
        let rest = convolveTiles(2, row)
        if rest.pixels > 0 { withUnsafePointer(to: rest) { convolveQuantisedRest32($0) } }
    }

    /// The last one to four pixels of such a row.
    @c(gk_convolverest32_q8_avx512vnni) @export(interface) @inline(never)
    package func convolveQuantisedRest32(_ row: UnsafeRawPointer) { convolveRest(2, row) }

    /// The same for 16 channels.
    @c(gk_convolverow16_q8_avx512vnni) @export(interface) @inline(never)
    package func convolveQuantisedRow16(_ row: UnsafeRawPointer) {
        let rest = convolveTiles(1, row)
        if rest.pixels > 0 { withUnsafePointer(to: rest) { convolveQuantisedRest16($0) } }
    }

    /// The same for 16 channels.
    @c(gk_convolverest16_q8_avx512vnni) @export(interface) @inline(never)
    package func convolveQuantisedRest16(_ row: UnsafeRawPointer) { convolveRest(1, row) }

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
                let mask: __mmask16 = lanes(before: columns &- first &- n)
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
                        let at = PixelOffsets(4, aPixel, count)
                        var sums = RegisterArray(repeating: bias)
                        var w = panel + 4 &* n
                        var t = 0
                        while t < taps {
                            var p = source + t &* tapStride
                            let end = p + depth
                            while p < end {
                                let weights = load(w)
                                sums.update(4) { $0 = dot($0, broadcast4(p + at[$1]), weights) }
                                w += 4 &* width
                                p += 4
                            }
                            t &+= 1
                        }
                        let target = UnsafeMutableRawPointer(out + (y &* outRow &+ x &* outPixel &+ first &+ n))
                        let to = PixelOffsets(4, 4 &* outPixel, count)
                        sums.forEach(4) {
                            let v = sloped(real($0, multiplier), slope)
                            _mm512_mask_storeu_ps(target + to[$1], mask, _mm512_min_ps(v, _mm512_set1_ps(upper)))
                        }
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

    // MARK: Depthwise

    enum QuadVectors512: QuadVectors {
        @inline(always) static var vectorsAtOnce: Int { 2 }
        @inline(always) static func lowBytes(_ a: __m512i, _ b: __m512i) -> __m512i { _mm512_unpacklo_epi8(a, b) }
        @inline(always) static func highBytes(_ a: __m512i, _ b: __m512i) -> __m512i { _mm512_unpackhi_epi8(a, b) }
        @inline(always) static func lowWords(_ a: __m512i, _ b: __m512i) -> __m512i { _mm512_unpacklo_epi16(a, b) }
        @inline(always) static func highWords(_ a: __m512i, _ b: __m512i) -> __m512i { _mm512_unpackhi_epi16(a, b) }

        @inline(always)
        static func dot(_ sums: __m512i, _ values: __m512i, _ weights: __m512i) -> __m512i {
            _mm512_dpbusd_epi32(sums, values, weights)
        }

        @inline(always) static func rounding(_ p: UnsafeRawPointer) -> Rounding { Rounding(p) }
        @inline(always) static func hasSlopes(_ rounding: Rounding) -> Bool { rounding.hasSlopes }

        @inline(always)
        static func real(_ sums: __m512i, _ multipliers: UnsafeRawPointer) -> __m512 {
            KernelsAVX512VNNI.real(sums, loadFloats(multipliers))
        }

        @inline(always)
        static func sloped(_ v: __m512, _ slopes: UnsafeRawPointer) -> __m512 {
            KernelsAVX512VNNI.sloped(v, loadFloats(slopes))
        }

        @inline(always)
        static func quantised(_ a: __m512, _ b: __m512, _ c: __m512, _ d: __m512, _ rounding: Rounding) -> __m512i {
            rounding.quantised(rounded(a), rounded(b), rounded(c), rounded(d))
        }

        @inline(always)
        static func storeFirst(_ v: __m512i, _ p: UnsafeMutableRawPointer, _ count: Int) {
            if count >= 64 { store(v, p) } else { _mm512_mask_storeu_epi8(p, byteMask(count), v) }
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
    @c(gk_dw_q8_avx512vnni) @export(interface) @inline(never)
    package func depthwiseQuantised(
        _ input: UnsafePointer<UInt8>, _ inRow: Int, _ size: Int, _ stride: Int,
        _ height: Int, _ width: Int, _ channels: Int, _ packed: UnsafeRawPointer, _ rounding: UnsafeRawPointer,
        _ out: UnsafeMutablePointer<UInt8>, _ outRow: Int
    ) { QuadVectors512.depthwise(input, inRow, size, stride, height, width, channels, packed, rounding, out, outRow) }

    /// `QuantisedDepthwiseRows`: one output row of 3x3 taps.
    @c(gk_dwrow3_q8_avx512vnni) @export(interface) @inline(never)
    package func depthwiseRow3(_ rows: UnsafeRawPointer) { QuadVectors512.computeDepthwiseRows(3, 1, rows) }

    /// The same for two output rows.
    @c(gk_dwpair3_q8_avx512vnni) @export(interface) @inline(never)
    package func depthwisePair3(_ rows: UnsafeRawPointer) { QuadVectors512.computeDepthwiseRows(3, 2, rows) }

    /// The same for one output row of 5x5 taps.
    @c(gk_dwrow5_q8_avx512vnni) @export(interface) @inline(never)
    package func depthwiseRow5(_ rows: UnsafeRawPointer) { QuadVectors512.computeDepthwiseRows(5, 1, rows) }

    /// The same for two output rows of 5x5 taps.
    @c(gk_dwpair5_q8_avx512vnni) @export(interface) @inline(never)
    package func depthwisePair5(_ rows: UnsafeRawPointer) { QuadVectors512.computeDepthwiseRows(5, 2, rows) }
#endif
