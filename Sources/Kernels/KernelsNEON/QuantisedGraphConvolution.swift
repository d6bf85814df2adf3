#if arch(arm64)
    import _Builtin_intrinsics.arm.neon
    package import KernelInterface

    // The int8 convolutions of network graphs, for three kinds of CPU (`Multiplier`). A tile is four pixels by sixteen
    // channels, or fewer pixels: sixteen sums, a vector of weights at a time, and sixteen values of each pixel.
    //
    // FEAT_I8MM multiplies two pixels by two channels, eight deep. If the depth of a row of taps is no multiple of 8,
    // its last four values share an instruction with the first four of the next row.
    //
    // FEAT_DotProd multiplies four deep; the instruction takes four of a pixel's sixteen values and broadcasts them.
    //
    // Without either, two byte products are added in 16 bits, and pairs of these sums in 32. A value less 128 and a
    // weight have a product of at most 128 * 127, so that two of them fit 16 bits.
    //
    // Packed, for each sixteen channels: weights, 16 biases, 16 multipliers, 16 slopes, and whether the last eight
    // channels have any weights: with 24 channels the last panel is half empty. Weights lie [depth / 8][16][8] for the
    // matrix product, [depth / 4][16][4] for the dot product, and [2][depth / 2][8][2] for long products.

    extension NEONTier {
        /// The int8 kernels of network graphs for CPUs with FEAT_I8MM and FEAT_DotProd.
        @export(interface) @inline(never)
        package static func i8mmQuantisedConvolutionKernels() -> QuantisedConvolutionKernels {
            QuantisedConvolutionKernels(
                convolutionLayout: Multiplier.matrix.layout, convolve: convolveQuantisedI8MM,
                convolveToFloat: convolveQuantisedToFloatI8MM,
                depthwiseLayouts: (depthwiseLayout(.mixed, 3), depthwiseLayout(.mixed, 5)),
                depthwise: depthwiseQuantisedI8MM)
        }

        /// The same for CPUs with FEAT_DotProd.
        @export(interface) @inline(never)
        package static func dotProdQuantisedConvolutionKernels() -> QuantisedConvolutionKernels {
            QuantisedConvolutionKernels(
                convolutionLayout: Multiplier.dot.layout, convolve: convolveQuantisedDotProd,
                convolveToFloat: convolveQuantisedToFloatDotProd,
                depthwiseLayouts: (depthwiseLayout(.flipped, 3), depthwiseLayout(.flipped, 5)),
                depthwise: depthwiseQuantisedDotProd)
        }

        /// The same for every arm64 CPU.
        @export(interface) @inline(never)
        package static func baseQuantisedConvolutionKernels() -> QuantisedConvolutionKernels {
            QuantisedConvolutionKernels(
                convolutionLayout: Multiplier.long.layout, convolve: convolveQuantisedBase,
                convolveToFloat: convolveQuantisedToFloatBase,
                depthwiseLayouts: (baseDepthwiseLayout, baseDepthwiseLayout), depthwise: depthwiseQuantisedBase)
        }
    }

    /// The instructions that multiply bytes.
    private struct Multiplier {
        let isMatrix, isDot: Bool

        /// `usmmla`, FEAT_I8MM.
        @inline(always) static var matrix: Multiplier { Multiplier(isMatrix: true, isDot: false) }
        /// `sdot`, FEAT_DotProd.
        @inline(always) static var dot: Multiplier { Multiplier(isMatrix: false, isDot: true) }
        /// `smull` and `smlal`, which every CPU has.
        @inline(always) static var long: Multiplier { Multiplier(isMatrix: false, isDot: false) }

        /// Bytes of the weights of sixteen channels.
        @inline(always)
        func weightBytes(_ depth: Int) -> Int { isMatrix ? (depth &+ 7) / 8 &* 128 : 16 &* depth }

        @inline(always)
        func panelBytes(_ depth: Int) -> Int { parameters(depth) &+ ChannelParameters.bytes }

        /// Bytes from a panel's start to the parameters of its channels.
        @inline(always)
        func parameters(_ depth: Int) -> Int { (weightBytes(depth) &+ 63) / 64 &* 64 }

        /// How weights lie in a panel. Only `usmmla` multiplies unsigned values; see `Dot`.
        @inline(always)
        var layout: WeightLayout {
            WeightLayout(
                width: 16, run: isMatrix || isDot ? 16 : 8, group: isMatrix ? 8 : isDot ? 4 : 2, vectors: 0,
                trailer: ChannelParameters.trailer, alignment: 64,
                correction: isMatrix ? 0 : Dot.flipped.correction)
        }
    }

    // MARK: Sums

    /// What the sums of a pixel read: values `depth` at a time from each row of taps.
    private struct Source {
        let pixel, taps, tapStride, depth: Int
    }

    /// The sums of two or four pixels (`count`).
    private typealias Tile = RegisterArray<Sixteen>

    /// `sdot`: four deep. A row of taps may end with four, eight or twelve values, of which a whole vector is read.
    @inline(always)
    private func dotTile(
        _ source: Source, _ count: Int, _ a: UnsafeRawPointer, _ at: PixelOffsets, _ panel: UnsafeRawPointer,
        _ biases: UnsafeRawPointer
    ) -> Tile {
        var tile = Tile(repeating: Sixteen(biases))
        forEachFour(source, count, a, at, panel, 64) { x, w in
            let (w0, w1, w2, w3) = (loadWeights(w), loadWeights(w + 16), loadWeights(w + 32), loadWeights(w + 48))
            tile.update(count) { $0.addDot(x[$1], w0, w1, w2, w3) }
        }
        return tile
    }

    /// Long products: the same, eight channels after another, for lack of registers.
    @inline(always)
    private func longTile(
        _ source: Source, _ count: Int, _ a: UnsafeRawPointer, _ at: PixelOffsets, _ panel: UnsafeRawPointer,
        _ biases: UnsafeRawPointer
    ) -> Tile {
        @inline(always)
        func eights(_ weights: UnsafeRawPointer, _ biases: UnsafeRawPointer) -> RegisterArray<Eight> {
            var sums = RegisterArray(repeating: Eight(biases))
            forEachFour(source, count, a, at, weights, 32) { x, w in
                let (w0, w1) = (loadWeights(w), loadWeights(w + 16))
                sums.update(count) { $0.addLong(x[$1], w0, w1) }
            }
            return sums
        }
        let low = eights(panel, biases)
        let high = eights(panel + 8 &* source.taps &* source.depth, biases + 32)
        return Tile(count) { Sixteen(low[$0].s0, low[$0].s1, high[$0].s0, high[$0].s1) }
    }

    /// Calls `body` with each four values of each pixel and their weights, of which there are `weightBytes`.
    @inline(always)
    private func forEachFour(
        _ source: Source, _ count: Int, _ a: UnsafeRawPointer, _ at: PixelOffsets, _ weights: UnsafeRawPointer,
        _ weightBytes: Int, _ body: (_ values: RegisterArray<Int32>, _ weights: UnsafeRawPointer) -> Void
    ) {
        var w = weights
        var tap = a
        var t = 0
        while t < source.taps {
            var p = tap
            var left = source.depth
            while left > 12 {
                let x = RegisterArray(count) { sixteen(p + at[$0]) }
                body(RegisterArray(count) { x[$0].x }, w)
                body(RegisterArray(count) { x[$0].y }, w + weightBytes)
                body(RegisterArray(count) { x[$0].z }, w + 2 &* weightBytes)
                body(RegisterArray(count) { x[$0].w }, w + 3 &* weightBytes)
                w += 4 &* weightBytes
                p += 16
                left &-= 16
            }
            if left > 0 {
                let x = RegisterArray(count) { sixteen(p + at[$0]) }
                body(RegisterArray(count) { x[$0].x }, w)
                if left > 4 { body(RegisterArray(count) { x[$0].y }, w + weightBytes) }
                if left > 8 { body(RegisterArray(count) { x[$0].z }, w + 2 &* weightBytes) }
                w += left / 4 &* weightBytes
            }
            tap += source.tapStride
            t &+= 1
        }
    }

    /// `usmmla`: eight deep, with sums of two pixels by two channels.
    @inline(always)
    private func matrixTile(
        _ source: Source, _ count: Int, _ a: UnsafeRawPointer, _ at: PixelOffsets, _ panel: UnsafeRawPointer,
        _ biases: UnsafeRawPointer
    ) -> Tile {
        let bias = Sixteen(biases)
        var (low, high) = (TwoPixels(bias), TwoPixels(bias))
        var w = panel
        var tap = a
        /// Values of the row that were multiplied with the row before.
        var k = 0
        var t = 0
        while t < source.taps {
            while k &+ 16 <= source.depth {
                let p = tap + k
                let x = Pair(p, p + at[1])
                let y = count > 2 ? Pair(p + at[2], p + at[3]) : x
                low.add(x.low, w)
                if count > 2 { high.add(y.low, w) }
                low.add(x.high, w + 128)
                if count > 2 { high.add(y.high, w + 128) }
                w += 256
                k &+= 16
            }
            if k &+ 8 <= source.depth {
                let p = tap + k
                low.add(Pair(p, p + at[1]).low, w)
                if count > 2 { high.add(Pair(p + at[2], p + at[3]).low, w) }
                w += 128
                k &+= 8
            }
            let next = tap + source.tapStride
            t &+= 1
            if k < source.depth {
                // After the last row the weights are 0.
                let (p, q) = (tap + k, t < source.taps ? next : tap)
                low.add(fours(p, q, at[1]), w)
                if count > 2 { high.add(fours(p + at[2], q + at[2], at[3] &- at[2]), w) }
                w += 128
                k = 4
            } else {
                k = 0
            }
            tap = next
        }
        return Tile(count) { $0 < 2 ? ($0 == 0 ? low.first : low.second) : ($0 == 2 ? high.first : high.second) }
    }

    /// Sixteen values less 128, as four groups of four.
    @inline(always)
    private func sixteen(_ p: UnsafeRawPointer) -> int32x4_t {
        vreinterpretq_s32_u8(veorq_u8(p.loadUnaligned(as: uint8x16_t.self), vdupq_n_u8(0x80)))
    }

    extension Sixteen {
        /// Adds the products of four values and the weights `[16][4]`.
        @inline(always)
        fileprivate mutating func addDot(
            _ values: Int32, _ w0: int8x16_t, _ w1: int8x16_t, _ w2: int8x16_t, _ w3: int8x16_t
        ) {
            let x = vreinterpretq_s8_s32(vdupq_n_s32(values))
            s0 = vdotq_s32(s0, w0, x)
            s1 = vdotq_s32(s1, w1, x)
            s2 = vdotq_s32(s2, w2, x)
            s3 = vdotq_s32(s3, w3, x)
        }
    }

    extension Eight {
        /// Adds the products of four values and the weights `[2][8][2]`.
        @inline(always)
        fileprivate mutating func addLong(_ values: Int32, _ w0: int8x16_t, _ w1: int8x16_t) {
            let (x, y) = (pairs(values), pairs(values &>> 16))
            s0 = vpadalq_s16(s0, vmlal_s8(vmull_s8(low(x), low(w0)), low(y), low(w1)))
            s1 = vpadalq_s16(s1, vmlal_high_s8(vmull_high_s8(x, w0), y, w1))
        }
    }

    /// The first two of four values, eight times.
    @inline(always)
    private func pairs(_ values: Int32) -> int8x16_t {
        vreinterpretq_s8_s16(vdupq_n_s16(Int16(truncatingIfNeeded: values)))
    }

    @inline(always)
    private func low(_ v: int8x16_t) -> int8x8_t { vget_low_s8(v) }

    /// Sums of two pixels, two channels a vector: [pixel 0, pixel 0, pixel 1, pixel 1].
    private struct TwoPixels {
        var s0, s1, s2, s3, s4, s5, s6, s7: int32x4_t

        /// Both pixels start with the same sums.
        @inline(always)
        init(_ sums: Sixteen) {
            (s0, s1) = (lowHalves(sums.s0, sums.s0), highHalves(sums.s0, sums.s0))
            (s2, s3) = (lowHalves(sums.s1, sums.s1), highHalves(sums.s1, sums.s1))
            (s4, s5) = (lowHalves(sums.s2, sums.s2), highHalves(sums.s2, sums.s2))
            (s6, s7) = (lowHalves(sums.s3, sums.s3), highHalves(sums.s3, sums.s3))
        }

        @inline(always)
        var first: Sixteen {
            Sixteen(lowHalves(s0, s1), lowHalves(s2, s3), lowHalves(s4, s5), lowHalves(s6, s7))
        }

        @inline(always)
        var second: Sixteen {
            Sixteen(highHalves(s0, s1), highHalves(s2, s3), highHalves(s4, s5), highHalves(s6, s7))
        }

        /// Adds the products of eight values of each pixel and their weights `[16][8]`.
        @inline(always)
        mutating func add(_ x: uint8x16_t, _ w: UnsafeRawPointer) {
            s0 = vusmmlaq_s32(s0, x, loadWeights(w))
            s1 = vusmmlaq_s32(s1, x, loadWeights(w + 16))
            s2 = vusmmlaq_s32(s2, x, loadWeights(w + 32))
            s3 = vusmmlaq_s32(s3, x, loadWeights(w + 48))
            s4 = vusmmlaq_s32(s4, x, loadWeights(w + 64))
            s5 = vusmmlaq_s32(s5, x, loadWeights(w + 80))
            s6 = vusmmlaq_s32(s6, x, loadWeights(w + 96))
            s7 = vusmmlaq_s32(s7, x, loadWeights(w + 112))
        }
    }

    /// Sixteen values of two pixels: the first eight of both, and the last eight.
    private struct Pair {
        let low, high: uint8x16_t

        @inline(always)
        init(_ p: UnsafeRawPointer, _ q: UnsafeRawPointer) {
            let (x, y) = (p.loadUnaligned(as: uint64x2_t.self), q.loadUnaligned(as: uint64x2_t.self))
            low = vreinterpretq_u8_u64(vzip1q_u64(x, y))
            high = vreinterpretq_u8_u64(vzip2q_u64(x, y))
        }
    }

    /// Four values at `p` and four at `q`, and the same `next` bytes on: the pixel after them.
    @inline(always)
    private func fours(_ p: UnsafeRawPointer, _ q: UnsafeRawPointer, _ next: Int) -> uint8x16_t {
        let x = vreinterpretq_u64_u32(vzip1q_u32(vdupq_n_u32(word(p)), vdupq_n_u32(word(q))))
        let y = vreinterpretq_u64_u32(vzip1q_u32(vdupq_n_u32(word(p + next)), vdupq_n_u32(word(q + next))))
        return vreinterpretq_u8_u64(vzip1q_u64(x, y))
    }

    // MARK: Convolution

    /// One row of a panel of sixteen channels.
    private struct Row {
        var a: UnsafeRawPointer
        var pixels: Int
        var panel: UnsafeRawPointer
        /// Anything where there is no residual.
        var residual: UnsafeRawPointer
        let hasResidual: Bool
        var out: UnsafeMutableRawPointer
        let source: Source
        let residualPixel, outPixel: Int
        let rounding: UnsafeRawPointer
        let kind: RowKind
    }

    // A function that is not inlined has a name that is unique to the tier. Those of rows take the address of a `Row`.

    private typealias MakeRow = @convention(c) (_ row: UnsafeRawPointer) -> Void

    @inline(always)
    private func tile(
        _ multiplier: Multiplier, _ source: Source, _ count: Int, _ a: UnsafeRawPointer, _ at: PixelOffsets,
        _ panel: UnsafeRawPointer, _ biases: UnsafeRawPointer
    ) -> Tile {
        if multiplier.isMatrix { return matrixTile(source, count, a, at, panel, biases) }
        if multiplier.isDot { return dotTile(source, count, a, at, panel, biases) }
        return longTile(source, count, a, at, panel, biases)
    }

    /// A row in tiles of `width` pixels. Pixels past the last one repeat it.
    @inline(always)
    private func convolveRow(_ multiplier: Multiplier, _ width: Int, _ address: UnsafeRawPointer) {
        address.load(as: Row.self).kind.specialised { kind in
            var row = address.load(as: Row.self)
            let source = row.source
            let parameters = ChannelParameters(row.panel + multiplier.parameters(source.taps &* source.depth))
            let rounding = QuantisedRounding(row.rounding)
            let way = rounding.way(kind, parameters, hasResidual: row.hasResidual)
            let biases = parameters.biases(way)
            while row.pixels > 0 {
                let count = row.pixels < width ? row.pixels : width
                let at = PixelOffsets(width, source.pixel, count)
                let tile = tile(multiplier, source, width, row.a, at, row.panel, biases)
                let to = PixelOffsets(width, row.outPixel, count)
                if kind.isClamped {
                    tile.forEach(width) { rounding.putClamped($0, parameters, row.out + to[$1]) }
                } else if kind.isSigned {
                    let from = PixelOffsets(width, row.residualPixel, count)
                    tile.forEach(width) {
                        rounding.putSigned(
                            $0, parameters, hasResidual: row.hasResidual, row.residual + from[$1], row.out + to[$1])
                    }
                } else {
                    var sums = PixelSums(tile[0], tile[1], tile[2], tile[3])
                    var target = PixelTarget(
                        count: count, parameters: parameters, rounding: row.rounding,
                        residual: row.hasResidual ? row.residual : nil,
                        residualPixel: row.residualPixel, out: row.out, outPixel: row.outPixel)
                    putQuantised(&sums, &target)
                }
                row.a += count &* source.pixel
                row.residual += count &* row.residualPixel
                row.out += count &* row.outPixel
                row.pixels &-= count
            }
        }
    }

    @c(gk_convolverow4_q8_i8mm) @export(interface) @inline(never)
    func convolveQuantisedRow4I8MM(_ row: UnsafeRawPointer) { convolveRow(.matrix, 4, row) }

    @c(gk_convolverow2_q8_i8mm) @export(interface) @inline(never)
    func convolveQuantisedRow2I8MM(_ row: UnsafeRawPointer) { convolveRow(.matrix, 2, row) }

    @c(gk_convolverow4_q8_dotprod) @export(interface) @inline(never)
    func convolveQuantisedRow4DotProd(_ row: UnsafeRawPointer) { convolveRow(.dot, 4, row) }

    @c(gk_convolverow2_q8_dotprod) @export(interface) @inline(never)
    func convolveQuantisedRow2DotProd(_ row: UnsafeRawPointer) { convolveRow(.dot, 2, row) }

    @c(gk_convolverow4_q8_neon) @export(interface) @inline(never)
    func convolveQuantisedRow4Base(_ row: UnsafeRawPointer) { convolveRow(.long, 4, row) }

    @c(gk_convolverow2_q8_neon) @export(interface) @inline(never)
    func convolveQuantisedRow2Base(_ row: UnsafeRawPointer) { convolveRow(.long, 2, row) }

    /// Makes rows in tiles of four and of two pixels.
    private struct RowKernels {
        let four, two: MakeRow
    }

    /// See `QuantisedConvolutionKernels.Convolve`. A batch of rows stays in the cache while all panels pass over it.
    @inline(always)
    private func convolve(
        _ multiplier: Multiplier, _ kernels: RowKernels, _ a: UnsafePointer<UInt8>, _ aRow: Int, _ lines: Int,
        _ pixels: Int,
        _ source: Source, _ columns: Int, _ packed: UnsafeRawPointer, _ residual: UnsafePointer<UInt8>?,
        _ residualRow: Int, _ residualPixel: Int, _ residualColumns: Int, _ rounding: UnsafeRawPointer,
        _ out: UnsafeMutablePointer<UInt8>, _ outRow: Int, _ outPixel: Int, _ batchRows: Int
    ) {
        let depth = source.taps &* source.depth
        // Three pixels are a tile of four; one and two are a tile of two.
        let wide = pixels % 4 < 3 ? pixels &- pixels % 4 : pixels
        var first = 0
        while first < lines {
            let end = lines &- first < batchRows ? lines : first &+ batchRows
            var panel = packed
            var n = 0
            while n < columns {
                let hasResidual = residual != nil && n < residualColumns
                let kind = QuantisedRounding(rounding).kind(
                    ChannelParameters(panel + multiplier.parameters(depth)), hasResidual: hasResidual)
                var y = first
                while y < end {
                    let target = UnsafeMutableRawPointer(out + (y &* outRow &+ n))
                    var row = Row(
                        a: UnsafeRawPointer(a + y &* aRow), pixels: wide, panel: panel,
                        residual: UnsafeRawPointer(target), hasResidual: hasResidual, out: target, source: source,
                        residualPixel: hasResidual ? residualPixel : 0, outPixel: outPixel, rounding: rounding,
                        kind: kind)
                    if let residual, hasResidual {
                        row.residual = UnsafeRawPointer(residual + (y &* residualRow &+ n))
                    }
                    if wide > 0 { kernels.four(&row) }
                    if wide < pixels {
                        row.a += wide &* source.pixel
                        row.pixels = pixels &- wide
                        row.residual += wide &* row.residualPixel
                        row.out += wide &* outPixel
                        kernels.two(&row)
                    }
                    y &+= 1
                }
                panel += multiplier.panelBytes(depth)
                n &+= 16
            }
            first = end
        }
    }

    /// See `QuantisedConvolutionKernels.ConvolveToFloat`.
    @inline(always)
    private func convolveToFloat(
        _ multiplier: Multiplier, _ a: UnsafePointer<UInt8>, _ aRow: Int, _ lines: Int, _ pixels: Int,
        _ source: Source, _ columns: Int, _ packed: UnsafeRawPointer, _ upper: Float,
        _ out: UnsafeMutablePointer<Float>, _ outRow: Int, _ outPixel: Int
    ) {
        let depth = source.taps &* source.depth
        let bound = vdupq_n_f32(upper)
        var panel = packed
        var n = 0
        while n < columns {
            let parameters = ChannelParameters(panel + multiplier.parameters(depth))
            let channels = columns &- n
            var y = 0
            while y < lines {
                var x = 0
                while x < pixels {
                    let count = pixels &- x < 4 ? pixels &- x : 4
                    let from = UnsafeRawPointer(a + (y &* aRow &+ x &* source.pixel))
                    let at = PixelOffsets(4, source.pixel, count)
                    let tile = tile(multiplier, source, 4, from, at, panel, parameters.biases(.general))
                    let target = UnsafeMutableRawPointer(out + (y &* outRow &+ x &* outPixel &+ n))
                    let to = PixelOffsets(4, 4 &* outPixel, count)
                    tile.forEach(4) { putFloats($0, parameters, bound, channels, target + to[$1]) }
                    x &+= 4
                }
                y &+= 1
            }
            panel += multiplier.panelBytes(depth)
            n &+= 16
        }
    }

    @inline(always)
    private func putFloats(
        _ sums: Sixteen, _ parameters: ChannelParameters, _ upper: float32x4_t, _ count: Int,
        _ out: UnsafeMutableRawPointer
    ) {
        var v = Float32x16(sums, parameters.multipliers)
        v.slope(parameters.slopes)
        v.storeFloats(upper, out, count)
    }

    // The functions of the three tiers differ by a word, but a table of C functions needs each by itself.

    @c(gk_convolve_q8_i8mm) @export(interface) @inline(never)
    func convolveQuantisedI8MM(
        _ a: UnsafePointer<UInt8>, _ aRow: Int, _ aPixel: Int, _ lines: Int, _ pixels: Int,
        _ taps: Int, _ tapStride: Int, _ depth: Int, _ columns: Int, _ packed: UnsafeRawPointer,
        _ residual: UnsafePointer<UInt8>?, _ residualRow: Int, _ residualPixel: Int, _ residualColumns: Int,
        _ rounding: UnsafeRawPointer, _ out: UnsafeMutablePointer<UInt8>, _ outRow: Int, _ outPixel: Int,
        _ batchRows: Int, _ batchPixels: Int, _ working: UnsafeMutableRawPointer
    ) {
        convolve(
            .matrix,
            RowKernels(four: convolveQuantisedRow4I8MM, two: convolveQuantisedRow2I8MM),
            a, aRow, lines, pixels, Source(pixel: aPixel, taps: taps, tapStride: tapStride, depth: depth), columns,
            packed, residual, residualRow, residualPixel, residualColumns, rounding, out, outRow, outPixel, batchRows)
    }

    @c(gk_convolvefloat_q8_i8mm) @export(interface) @inline(never)
    func convolveQuantisedToFloatI8MM(
        _ a: UnsafePointer<UInt8>, _ aRow: Int, _ aPixel: Int, _ lines: Int, _ pixels: Int,
        _ taps: Int, _ tapStride: Int, _ depth: Int, _ columns: Int, _ packed: UnsafeRawPointer,
        _ upper: Float, _ out: UnsafeMutablePointer<Float>, _ outRow: Int, _ outPixel: Int,
        _ batchRows: Int, _ batchPixels: Int, _ working: UnsafeMutableRawPointer
    ) {
        convolveToFloat(
            .matrix, a, aRow, lines, pixels, Source(pixel: aPixel, taps: taps, tapStride: tapStride, depth: depth),
            columns, packed, upper, out, outRow, outPixel)
    }

    @c(gk_convolve_q8_dotprod) @export(interface) @inline(never)
    func convolveQuantisedDotProd(
        _ a: UnsafePointer<UInt8>, _ aRow: Int, _ aPixel: Int, _ lines: Int, _ pixels: Int,
        _ taps: Int, _ tapStride: Int, _ depth: Int, _ columns: Int, _ packed: UnsafeRawPointer,
        _ residual: UnsafePointer<UInt8>?, _ residualRow: Int, _ residualPixel: Int, _ residualColumns: Int,
        _ rounding: UnsafeRawPointer, _ out: UnsafeMutablePointer<UInt8>, _ outRow: Int, _ outPixel: Int,
        _ batchRows: Int, _ batchPixels: Int, _ working: UnsafeMutableRawPointer
    ) {
        convolve(
            .dot,
            RowKernels(four: convolveQuantisedRow4DotProd, two: convolveQuantisedRow2DotProd),
            a, aRow, lines, pixels, Source(pixel: aPixel, taps: taps, tapStride: tapStride, depth: depth), columns,
            packed, residual, residualRow, residualPixel, residualColumns, rounding, out, outRow, outPixel, batchRows)
    }

    @c(gk_convolvefloat_q8_dotprod) @export(interface) @inline(never)
    func convolveQuantisedToFloatDotProd(
        _ a: UnsafePointer<UInt8>, _ aRow: Int, _ aPixel: Int, _ lines: Int, _ pixels: Int,
        _ taps: Int, _ tapStride: Int, _ depth: Int, _ columns: Int, _ packed: UnsafeRawPointer,
        _ upper: Float, _ out: UnsafeMutablePointer<Float>, _ outRow: Int, _ outPixel: Int,
        _ batchRows: Int, _ batchPixels: Int, _ working: UnsafeMutableRawPointer
    ) {
        convolveToFloat(
            .dot, a, aRow, lines, pixels, Source(pixel: aPixel, taps: taps, tapStride: tapStride, depth: depth),
            columns, packed, upper, out, outRow, outPixel)
    }

    @c(gk_convolve_q8_neon) @export(interface) @inline(never)
    func convolveQuantisedBase(
        _ a: UnsafePointer<UInt8>, _ aRow: Int, _ aPixel: Int, _ lines: Int, _ pixels: Int,
        _ taps: Int, _ tapStride: Int, _ depth: Int, _ columns: Int, _ packed: UnsafeRawPointer,
        _ residual: UnsafePointer<UInt8>?, _ residualRow: Int, _ residualPixel: Int, _ residualColumns: Int,
        _ rounding: UnsafeRawPointer, _ out: UnsafeMutablePointer<UInt8>, _ outRow: Int, _ outPixel: Int,
        _ batchRows: Int, _ batchPixels: Int, _ working: UnsafeMutableRawPointer
    ) {
        convolve(
            .long,
            RowKernels(four: convolveQuantisedRow4Base, two: convolveQuantisedRow2Base),
            a, aRow, lines, pixels, Source(pixel: aPixel, taps: taps, tapStride: tapStride, depth: depth), columns,
            packed, residual, residualRow, residualPixel, residualColumns, rounding, out, outRow, outPixel, batchRows)
    }

    @c(gk_convolvefloat_q8_neon) @export(interface) @inline(never)
    func convolveQuantisedToFloatBase(
        _ a: UnsafePointer<UInt8>, _ aRow: Int, _ aPixel: Int, _ lines: Int, _ pixels: Int,
        _ taps: Int, _ tapStride: Int, _ depth: Int, _ columns: Int, _ packed: UnsafeRawPointer,
        _ upper: Float, _ out: UnsafeMutablePointer<Float>, _ outRow: Int, _ outPixel: Int,
        _ batchRows: Int, _ batchPixels: Int, _ working: UnsafeMutableRawPointer
    ) {
        convolveToFloat(
            .long, a, aRow, lines, pixels, Source(pixel: aPixel, taps: taps, tapStride: tapStride, depth: depth),
            columns, packed, upper, out, outRow, outPixel)
    }
#endif
