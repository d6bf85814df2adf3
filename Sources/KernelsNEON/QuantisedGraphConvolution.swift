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
        @inline(__always) static var matrix: Multiplier { Multiplier(isMatrix: true, isDot: false) }
        /// `sdot`, FEAT_DotProd.
        @inline(__always) static var dot: Multiplier { Multiplier(isMatrix: false, isDot: true) }
        /// `smull` and `smlal`, which every CPU has.
        @inline(__always) static var long: Multiplier { Multiplier(isMatrix: false, isDot: false) }

        /// Bytes of the weights of sixteen channels.
        @inline(__always)
        func weightBytes(_ depth: Int) -> Int { isMatrix ? (depth &+ 7) / 8 &* 128 : 16 &* depth }

        @inline(__always)
        func panelBytes(_ depth: Int) -> Int { parameters(depth) &+ ChannelParameters.bytes }

        /// Bytes from a panel's start to the parameters of its channels.
        @inline(__always)
        func parameters(_ depth: Int) -> Int { (weightBytes(depth) &+ 63) / 64 &* 64 }

        /// How weights lie in a panel. Only `usmmla` multiplies unsigned values; see `Dot`.
        @inline(__always)
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

    /// Bytes from the first pixel of a tile to the others. Pixels from `count` on repeat the last one.
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

    /// The sums of two or four pixels (`count`). The compiler leaves out those that are not used.
    private struct Tile {
        var t0, t1, t2, t3: Sixteen

        /// `sdot`: four deep. A row of taps may end with four, eight or twelve values, of which a whole vector is read.
        @inline(__always)
        init(
            dot source: Source, _ count: Int, _ a: UnsafeRawPointer, _ at: Pixels, _ panel: UnsafeRawPointer,
            _ biases: UnsafeRawPointer
        ) {
            let bias = Sixteen(biases)
            (t0, t1, t2, t3) = (bias, bias, bias, bias)
            var w = panel
            var tap = a
            var t = 0
            while t < source.taps {
                var p = tap
                var left = source.depth
                while left > 12 {
                    let x = FourPixels(count, p, at)
                    addDot(count, x.first, w)
                    addDot(count, x.second, w + 64)
                    addDot(count, x.third, w + 128)
                    addDot(count, x.fourth, w + 192)
                    w += 256
                    p += 16
                    left &-= 16
                }
                if left > 0 {
                    let x = FourPixels(count, p, at)
                    addDot(count, x.first, w)
                    if left > 4 { addDot(count, x.second, w + 64) }
                    if left > 8 { addDot(count, x.third, w + 128) }
                    w += 16 &* left
                }
                tap += source.tapStride
                t &+= 1
            }
        }

        @inline(__always)
        private mutating func addDot(_ count: Int, _ x: Fours, _ w: UnsafeRawPointer) {
            let (w0, w1, w2, w3) = (loadWeights(w), loadWeights(w + 16), loadWeights(w + 32), loadWeights(w + 48))
            t0.addDot(x.p0, w0, w1, w2, w3)
            t1.addDot(x.p1, w0, w1, w2, w3)
            guard count > 2 else { return }
            t2.addDot(x.p2, w0, w1, w2, w3)
            t3.addDot(x.p3, w0, w1, w2, w3)
        }

        /// Long products: the same, eight channels after another, for lack of registers.
        @inline(__always)
        init(
            long source: Source, _ count: Int, _ a: UnsafeRawPointer, _ at: Pixels, _ panel: UnsafeRawPointer,
            _ biases: UnsafeRawPointer
        ) {
            let low = LongTile(source, count, a, at, panel, biases)
            let high = LongTile(source, count, a, at, panel + 8 &* source.taps &* source.depth, biases + 32)
            t0 = Sixteen(low.t0.s0, low.t0.s1, high.t0.s0, high.t0.s1)
            t1 = Sixteen(low.t1.s0, low.t1.s1, high.t1.s0, high.t1.s1)
            t2 = Sixteen(low.t2.s0, low.t2.s1, high.t2.s0, high.t2.s1)
            t3 = Sixteen(low.t3.s0, low.t3.s1, high.t3.s0, high.t3.s1)
        }

        /// `usmmla`: eight deep, with sums of two pixels by two channels.
        @inline(__always)
        init(
            matrix source: Source, _ count: Int, _ a: UnsafeRawPointer, _ at: Pixels, _ panel: UnsafeRawPointer,
            _ biases: UnsafeRawPointer
        ) {
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
                    let x = Pair(p, p + at.p1)
                    let y = count > 2 ? Pair(p + at.p2, p + at.p3) : x
                    low.add(x.low, w)
                    if count > 2 { high.add(y.low, w) }
                    low.add(x.high, w + 128)
                    if count > 2 { high.add(y.high, w + 128) }
                    w += 256
                    k &+= 16
                }
                if k &+ 8 <= source.depth {
                    let p = tap + k
                    low.add(Pair(p, p + at.p1).low, w)
                    if count > 2 { high.add(Pair(p + at.p2, p + at.p3).low, w) }
                    w += 128
                    k &+= 8
                }
                let next = tap + source.tapStride
                t &+= 1
                if k < source.depth {
                    // After the last row the weights are 0.
                    let (p, q) = (tap + k, t < source.taps ? next : tap)
                    low.add(fours(p, q, at.p1), w)
                    if count > 2 { high.add(fours(p + at.p2, q + at.p2, at.p3 &- at.p2), w) }
                    w += 128
                    k = 4
                } else {
                    k = 0
                }
                tap = next
            }
            (t0, t1, t2, t3) = (low.first, low.second, high.first, high.second)
        }
    }

    /// Sixteen values less 128, as four groups of four.
    @inline(__always)
    private func sixteen(_ p: UnsafeRawPointer) -> int32x4_t {
        vreinterpretq_s32_u8(veorq_u8(p.loadUnaligned(as: uint8x16_t.self), vdupq_n_u8(0x80)))
    }

    /// Four values of each of four pixels.
    private struct Fours {
        let p0, p1, p2, p3: Int32
    }

    /// Sixteen values of each of four pixels, as `sdot` and long products take them.
    private struct FourPixels {
        private let p0, p1, p2, p3: int32x4_t

        @inline(__always)
        init(_ count: Int, _ p: UnsafeRawPointer, _ at: Pixels) {
            p0 = sixteen(p)
            p1 = sixteen(p + at.p1)
            p2 = count > 2 ? sixteen(p + at.p2) : p0
            p3 = count > 2 ? sixteen(p + at.p3) : p0
        }

        @inline(__always) var first: Fours { Fours(p0: p0.x, p1: p1.x, p2: p2.x, p3: p3.x) }
        @inline(__always) var second: Fours { Fours(p0: p0.y, p1: p1.y, p2: p2.y, p3: p3.y) }
        @inline(__always) var third: Fours { Fours(p0: p0.z, p1: p1.z, p2: p2.z, p3: p3.z) }
        @inline(__always) var fourth: Fours { Fours(p0: p0.w, p1: p1.w, p2: p2.w, p3: p3.w) }
    }

    extension Sixteen {
        /// Adds the products of four values and the weights `[16][4]`.
        @inline(__always)
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

    /// The sums of four pixels and eight channels, with long products.
    private struct LongTile {
        private(set) var t0, t1, t2, t3: Eight

        @inline(__always)
        init(
            _ source: Source, _ count: Int, _ a: UnsafeRawPointer, _ at: Pixels, _ weights: UnsafeRawPointer,
            _ biases: UnsafeRawPointer
        ) {
            let bias = Eight(biases)
            (t0, t1, t2, t3) = (bias, bias, bias, bias)
            var w = weights
            var tap = a
            var t = 0
            while t < source.taps {
                var p = tap
                var left = source.depth
                while left > 12 {
                    let x = FourPixels(count, p, at)
                    add(count, x.first, w)
                    add(count, x.second, w + 32)
                    add(count, x.third, w + 64)
                    add(count, x.fourth, w + 96)
                    w += 128
                    p += 16
                    left &-= 16
                }
                if left > 0 {
                    let x = FourPixels(count, p, at)
                    add(count, x.first, w)
                    if left > 4 { add(count, x.second, w + 32) }
                    if left > 8 { add(count, x.third, w + 64) }
                    w += 8 &* left
                }
                tap += source.tapStride
                t &+= 1
            }
        }

        @inline(__always)
        private mutating func add(_ count: Int, _ x: Fours, _ w: UnsafeRawPointer) {
            let (w0, w1) = (loadWeights(w), loadWeights(w + 16))
            t0.addLong(x.p0, w0, w1)
            t1.addLong(x.p1, w0, w1)
            guard count > 2 else { return }
            t2.addLong(x.p2, w0, w1)
            t3.addLong(x.p3, w0, w1)
        }
    }

    extension Eight {
        /// Adds the products of four values and the weights `[2][8][2]`.
        @inline(__always)
        fileprivate mutating func addLong(_ values: Int32, _ w0: int8x16_t, _ w1: int8x16_t) {
            let (x, y) = (pairs(values), pairs(values &>> 16))
            s0 = vpadalq_s16(s0, vmlal_s8(vmull_s8(low(x), low(w0)), low(y), low(w1)))
            s1 = vpadalq_s16(s1, vmlal_high_s8(vmull_high_s8(x, w0), y, w1))
        }
    }

    /// The first two of four values, eight times.
    @inline(__always)
    private func pairs(_ values: Int32) -> int8x16_t {
        vreinterpretq_s8_s16(vdupq_n_s16(Int16(truncatingIfNeeded: values)))
    }

    @inline(__always)
    private func low(_ v: int8x16_t) -> int8x8_t { vget_low_s8(v) }

    /// Sums of two pixels, two channels a vector: [pixel 0, pixel 0, pixel 1, pixel 1].
    private struct TwoPixels {
        var s0, s1, s2, s3, s4, s5, s6, s7: int32x4_t

        /// Both pixels start with the same sums.
        @inline(__always)
        init(_ sums: Sixteen) {
            (s0, s1) = (lowHalves(sums.s0, sums.s0), highHalves(sums.s0, sums.s0))
            (s2, s3) = (lowHalves(sums.s1, sums.s1), highHalves(sums.s1, sums.s1))
            (s4, s5) = (lowHalves(sums.s2, sums.s2), highHalves(sums.s2, sums.s2))
            (s6, s7) = (lowHalves(sums.s3, sums.s3), highHalves(sums.s3, sums.s3))
        }

        @inline(__always)
        var first: Sixteen {
            Sixteen(lowHalves(s0, s1), lowHalves(s2, s3), lowHalves(s4, s5), lowHalves(s6, s7))
        }

        @inline(__always)
        var second: Sixteen {
            Sixteen(highHalves(s0, s1), highHalves(s2, s3), highHalves(s4, s5), highHalves(s6, s7))
        }

        /// Adds the products of eight values of each pixel and their weights `[16][8]`.
        @inline(__always)
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

        @inline(__always)
        init(_ p: UnsafeRawPointer, _ q: UnsafeRawPointer) {
            let (x, y) = (p.loadUnaligned(as: uint64x2_t.self), q.loadUnaligned(as: uint64x2_t.self))
            low = vreinterpretq_u8_u64(vzip1q_u64(x, y))
            high = vreinterpretq_u8_u64(vzip2q_u64(x, y))
        }
    }

    /// Four values at `p` and four at `q`, and the same `next` bytes on: the pixel after them.
    @inline(__always)
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
    }

    // The rows of a panel are exported like kernels: a function that is not inlined needs a name that is unique to the
    // tier, and the compiler inlines a whole row only into a small caller. They take the address of a `Row`.

    private typealias MakeRow = @convention(c) (_ row: UnsafeRawPointer) -> Void

    @inline(__always)
    private func tile(
        _ multiplier: Multiplier, _ source: Source, _ count: Int, _ a: UnsafeRawPointer, _ at: Pixels,
        _ panel: UnsafeRawPointer, _ biases: UnsafeRawPointer
    ) -> Tile {
        if multiplier.isMatrix { return Tile(matrix: source, count, a, at, panel, biases) }
        if multiplier.isDot { return Tile(dot: source, count, a, at, panel, biases) }
        return Tile(long: source, count, a, at, panel, biases)
    }

    /// A row in tiles of `width` pixels. Pixels past the last one repeat it.
    @inline(__always)
    private func convolveRow(_ multiplier: Multiplier, _ width: Int, _ kind: RowKind, _ row: UnsafeRawPointer) {
        var row = row.load(as: Row.self)
        let source = row.source
        let parameters = ChannelParameters(row.panel + multiplier.parameters(source.taps &* source.depth))
        let rounding = QuantisedRounding(row.rounding)
        let way = rounding.way(kind, parameters, hasResidual: row.hasResidual)
        let biases = parameters.biases(way)
        while row.pixels > 0 {
            let count = row.pixels < width ? row.pixels : width
            let tile = tile(multiplier, source, width, row.a, Pixels(source.pixel, count), row.panel, biases)
            if kind.isClamped {
                let to = Pixels(row.outPixel, count)
                rounding.putClamped(tile.t0, parameters, row.out)
                rounding.putClamped(tile.t1, parameters, row.out + to.p1)
                if width > 2 {
                    rounding.putClamped(tile.t2, parameters, row.out + to.p2)
                    rounding.putClamped(tile.t3, parameters, row.out + to.p3)
                }
            } else if kind.isSigned {
                let (to, from) = (Pixels(row.outPixel, count), Pixels(row.residualPixel, count))
                rounding.putSigned(tile.t0, parameters, hasResidual: row.hasResidual, row.residual, row.out)
                rounding.putSigned(
                    tile.t1, parameters, hasResidual: row.hasResidual, row.residual + from.p1, row.out + to.p1)
                if width > 2 {
                    rounding.putSigned(
                        tile.t2, parameters, hasResidual: row.hasResidual, row.residual + from.p2, row.out + to.p2)
                    rounding.putSigned(
                        tile.t3, parameters, hasResidual: row.hasResidual, row.residual + from.p3, row.out + to.p3)
                }
            } else {
                var sums = PixelSums(tile.t0, tile.t1, tile.t2, tile.t3)
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

    @c(gk_convolverow4clamped_q8_i8mm) @export(interface) @inline(never)
    func convolveQuantisedRow4ClampedI8MM(_ row: UnsafeRawPointer) { convolveRow(.matrix, 4, .clamped, row) }

    @c(gk_convolverow4signed_q8_i8mm) @export(interface) @inline(never)
    func convolveQuantisedRow4SignedI8MM(_ row: UnsafeRawPointer) { convolveRow(.matrix, 4, .signed, row) }

    @c(gk_convolverow4_q8_i8mm) @export(interface) @inline(never)
    func convolveQuantisedRow4I8MM(_ row: UnsafeRawPointer) { convolveRow(.matrix, 4, .other, row) }

    @c(gk_convolverow2clamped_q8_i8mm) @export(interface) @inline(never)
    func convolveQuantisedRow2ClampedI8MM(_ row: UnsafeRawPointer) { convolveRow(.matrix, 2, .clamped, row) }

    @c(gk_convolverow2signed_q8_i8mm) @export(interface) @inline(never)
    func convolveQuantisedRow2SignedI8MM(_ row: UnsafeRawPointer) { convolveRow(.matrix, 2, .signed, row) }

    @c(gk_convolverow2_q8_i8mm) @export(interface) @inline(never)
    func convolveQuantisedRow2I8MM(_ row: UnsafeRawPointer) { convolveRow(.matrix, 2, .other, row) }

    @c(gk_convolverow4clamped_q8_dotprod) @export(interface) @inline(never)
    func convolveQuantisedRow4ClampedDotProd(_ row: UnsafeRawPointer) { convolveRow(.dot, 4, .clamped, row) }

    @c(gk_convolverow4signed_q8_dotprod) @export(interface) @inline(never)
    func convolveQuantisedRow4SignedDotProd(_ row: UnsafeRawPointer) { convolveRow(.dot, 4, .signed, row) }

    @c(gk_convolverow4_q8_dotprod) @export(interface) @inline(never)
    func convolveQuantisedRow4DotProd(_ row: UnsafeRawPointer) { convolveRow(.dot, 4, .other, row) }

    @c(gk_convolverow2clamped_q8_dotprod) @export(interface) @inline(never)
    func convolveQuantisedRow2ClampedDotProd(_ row: UnsafeRawPointer) { convolveRow(.dot, 2, .clamped, row) }

    @c(gk_convolverow2signed_q8_dotprod) @export(interface) @inline(never)
    func convolveQuantisedRow2SignedDotProd(_ row: UnsafeRawPointer) { convolveRow(.dot, 2, .signed, row) }

    @c(gk_convolverow2_q8_dotprod) @export(interface) @inline(never)
    func convolveQuantisedRow2DotProd(_ row: UnsafeRawPointer) { convolveRow(.dot, 2, .other, row) }

    @c(gk_convolverow4clamped_q8_neon) @export(interface) @inline(never)
    func convolveQuantisedRow4ClampedBase(_ row: UnsafeRawPointer) { convolveRow(.long, 4, .clamped, row) }

    @c(gk_convolverow4signed_q8_neon) @export(interface) @inline(never)
    func convolveQuantisedRow4SignedBase(_ row: UnsafeRawPointer) { convolveRow(.long, 4, .signed, row) }

    @c(gk_convolverow4_q8_neon) @export(interface) @inline(never)
    func convolveQuantisedRow4Base(_ row: UnsafeRawPointer) { convolveRow(.long, 4, .other, row) }

    @c(gk_convolverow2clamped_q8_neon) @export(interface) @inline(never)
    func convolveQuantisedRow2ClampedBase(_ row: UnsafeRawPointer) { convolveRow(.long, 2, .clamped, row) }

    @c(gk_convolverow2signed_q8_neon) @export(interface) @inline(never)
    func convolveQuantisedRow2SignedBase(_ row: UnsafeRawPointer) { convolveRow(.long, 2, .signed, row) }

    @c(gk_convolverow2_q8_neon) @export(interface) @inline(never)
    func convolveQuantisedRow2Base(_ row: UnsafeRawPointer) { convolveRow(.long, 2, .other, row) }

    /// Makes rows in tiles of four and of two pixels.
    private struct RowKernels {
        let four, two: MakeRow
    }

    /// Those of each kind.
    private struct Rows {
        let clamped, signed, other: RowKernels

        @inline(__always)
        func kernels(_ kind: RowKind) -> RowKernels { kind.isClamped ? clamped : (kind.isSigned ? signed : other) }
    }

    /// See `QuantisedConvolutionKernels.Convolve`. A batch of rows stays in the cache while all panels pass over it.
    @inline(__always)
    private func convolve(
        _ multiplier: Multiplier, _ rows: Rows, _ a: UnsafePointer<UInt8>, _ aRow: Int, _ lines: Int, _ pixels: Int,
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
                let kernels = rows.kernels(
                    QuantisedRounding(rounding).kind(
                        ChannelParameters(panel + multiplier.parameters(depth)), hasResidual: hasResidual))
                var y = first
                while y < end {
                    let target = UnsafeMutableRawPointer(out + (y &* outRow &+ n))
                    var row = Row(
                        a: UnsafeRawPointer(a + y &* aRow), pixels: wide, panel: panel,
                        residual: UnsafeRawPointer(target), hasResidual: hasResidual, out: target, source: source,
                        residualPixel: hasResidual ? residualPixel : 0, outPixel: outPixel, rounding: rounding)
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
    @inline(__always)
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
                    let at = Pixels(source.pixel, count)
                    let tile = tile(multiplier, source, 4, from, at, panel, parameters.biases(.general))
                    let target = UnsafeMutableRawPointer(out + (y &* outRow &+ x &* outPixel &+ n))
                    let to = Pixels(4 &* outPixel, count)
                    putFloats(tile.t0, parameters, bound, channels, target)
                    putFloats(tile.t1, parameters, bound, channels, target + to.p1)
                    putFloats(tile.t2, parameters, bound, channels, target + to.p2)
                    putFloats(tile.t3, parameters, bound, channels, target + to.p3)
                    x &+= 4
                }
                y &+= 1
            }
            panel += multiplier.panelBytes(depth)
            n &+= 16
        }
    }

    @inline(__always)
    private func putFloats(
        _ sums: Sixteen, _ parameters: ChannelParameters, _ upper: float32x4_t, _ count: Int,
        _ out: UnsafeMutableRawPointer
    ) {
        var v = SixteenReals(sums, parameters.multipliers)
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
            Rows(
                clamped: RowKernels(
                    four: convolveQuantisedRow4ClampedI8MM, two: convolveQuantisedRow2ClampedI8MM),
                signed: RowKernels(four: convolveQuantisedRow4SignedI8MM, two: convolveQuantisedRow2SignedI8MM),
                other: RowKernels(four: convolveQuantisedRow4I8MM, two: convolveQuantisedRow2I8MM)),
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
            Rows(
                clamped: RowKernels(
                    four: convolveQuantisedRow4ClampedDotProd, two: convolveQuantisedRow2ClampedDotProd),
                signed: RowKernels(four: convolveQuantisedRow4SignedDotProd, two: convolveQuantisedRow2SignedDotProd),
                other: RowKernels(four: convolveQuantisedRow4DotProd, two: convolveQuantisedRow2DotProd)),
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
            Rows(
                clamped: RowKernels(
                    four: convolveQuantisedRow4ClampedBase, two: convolveQuantisedRow2ClampedBase),
                signed: RowKernels(four: convolveQuantisedRow4SignedBase, two: convolveQuantisedRow2SignedBase),
                other: RowKernels(four: convolveQuantisedRow4Base, two: convolveQuantisedRow2Base)),
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
