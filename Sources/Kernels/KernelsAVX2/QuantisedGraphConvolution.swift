#if arch(x86_64)
    import _Builtin_intrinsics.intel
    package import KernelInterface
    import KernelsX86

    // The int8 kernels of network graphs.
    //
    // The byte product takes one unsigned and one signed factor and adds two products in 16 bits: values of 255 against
    // two weights of 127 would not fit. (Values centred on 0, as magnitude and sign, would fit, but then three
    // instructions in ten handle signs.) So a convolution first widens its input to words, one batch of rows or pixels
    // that stays in the first-level cache with the weights of sixteen channels, and multiplies words. That is two
    // instructions for sixteen products, one of them a multiplication: as many as with bytes, which need a second
    // multiplication to add the 16-bit results.
    //
    // Tiles and panels are in QuantisedTile.swift; a value takes two bytes there.

    extension AVX2Tier {
        /// The int8 kernels of network graphs of this tier.
        @export(interface) @inline(never)
        package static func quantisedConvolutionKernels() -> QuantisedConvolutionKernels {
            QuantisedConvolutionKernels(
                convolutionLayout: quantisedLayout(2), convolve: convolveQuantised,
                convolveToFloat: convolveQuantisedToFloat,
                depthwiseLayouts: (depthwiseLayout(3), depthwiseLayout(5)), depthwise: depthwiseQuantised)
        }
    }

    // MARK: Convolution

    /// One batch of widened input and its layout in working memory: bytes from a pixel, a row of taps and a row of the
    /// map to the next.
    private struct Batch {
        let lines, pixels: Int
        let pixel, tap, line: Int

        @inline(always)
        init(_ lines: Int, _ pixels: Int, _ aPixel: Int, _ taps: Int, _ depth: Int) {
            self.lines = lines
            self.pixels = pixels
            pixel = 2 &* aPixel
            tap = (((pixels &- 1) &* aPixel &+ depth) &* 2 &+ 127) & ~63
            line = taps &* tap
        }

        /// Widens the input of `count` pixels in one row of taps. Up to fifteen more values are read and written.
        @inline(always)
        func widen(_ a: UnsafeRawPointer, _ aPixel: Int, _ depth: Int, _ count: Int, _ words: UnsafeMutableRawPointer) {
            let end = (count &- 1) &* aPixel &+ depth
            var index = 0
            while index < end {
                store256(_mm256_cvtepu8_epi16(load128(a + index)), words + 2 &* index)
                index &+= 16
            }
        }
    }

    /// Values are widened to words: depths are multiples of four of them.
    enum WordProducts: Products256 {
        @inline(always)
        static func dot(_ acc: __m256i, _ values: __m256i, _ weights: __m256i) -> __m256i {
            KernelsAVX2.dot(acc, values, weights)
        }

        @inline(always) static var stepsAtOnce: Int { 2 }
    }

    /// See `QuantisedConvolutionKernels.Convolve`.
    @c(gk_convolve_q8_avx2) @export(interface) @inline(never)
    package func convolveQuantised(
        _ a: UnsafePointer<UInt8>, _ aRow: Int, _ aPixel: Int, _ lines: Int, _ pixels: Int,
        _ taps: Int, _ tapStride: Int, _ depth: Int, _ columns: Int, _ packed: UnsafeRawPointer,
        _ residual: UnsafePointer<UInt8>?, _ residualRow: Int, _ residualPixel: Int, _ residualColumns: Int,
        _ rounding: UnsafeRawPointer, _ out: UnsafeMutablePointer<UInt8>, _ outRow: Int, _ outPixel: Int,
        _ batchRows: Int, _ batchPixels: Int, _ working: UnsafeMutableRawPointer
    ) {
        let batch = Batch(batchRows, batchPixels, aPixel, taps, depth)
        var y = 0
        while y < lines {
            let count = lines &- y < batchRows ? lines &- y : batchRows
            var x = 0
            while x < pixels {
                let width = pixels &- x < batchPixels ? pixels &- x : batchPixels
                widenValues(
                    a + (y &* aRow &+ x &* aPixel), aRow, aPixel, tapStride, taps, depth, count, width, batchPixels,
                    working)
                var panel = packed
                var n = 0
                while n < columns {
                    var line = 0
                    while line < count {
                        var more: UnsafeRawPointer?
                        if let residual, n < residualColumns {
                            more = UnsafeRawPointer(
                                residual + ((y &+ line) &* residualRow &+ x &* residualPixel &+ n))
                        }
                        let row = QuantisedRow(
                            source: QuantisedSource(pixel: batch.pixel, taps: taps, tap: batch.tap, depth: 2 &* depth),
                            a: working + line &* batch.line, pixels: width, panel: panel, residual: more,
                            residualPixel: residualPixel, out: out + ((y &+ line) &* outRow &+ x &* outPixel &+ n),
                            outPixel: outPixel)
                        withUnsafePointer(to: row) {
                            if isWhole(panel, 2 &* taps &* depth) {
                                convolveQuantisedRow16($0, rounding)
                            } else {
                                convolveQuantisedRow8($0, rounding)
                            }
                        }
                        line &+= 1
                    }
                    panel += quantisedPanelBytes(2 &* taps &* depth)
                    n &+= 16
                }
                x &+= batchPixels
            }
            y &+= batchRows
        }
    }

    /// Widens a batch of `lines` by `pixels`, whose rows of taps in working memory have room for `batchPixels`.
    @c(gk_widen_q8_avx2) @export(interface) @inline(never)
    package func widenValues(
        _ a: UnsafePointer<UInt8>, _ aRow: Int, _ aPixel: Int, _ tapStride: Int, _ taps: Int, _ depth: Int,
        _ lines: Int, _ pixels: Int, _ batchPixels: Int, _ working: UnsafeMutableRawPointer
    ) {
        let batch = Batch(lines, batchPixels, aPixel, taps, depth)
        var line = 0
        while line < lines {
            var tap = 0
            while tap < taps {
                batch.widen(
                    UnsafeRawPointer(a + (line &* aRow &+ tap &* tapStride)), aPixel, depth, pixels,
                    working + (line &* batch.line &+ tap &* batch.tap))
                tap &+= 1
            }
            line &+= 1
        }
    }

    /// A `QuantisedRow`.
    @c(gk_convolverow16_q8_avx2) @export(interface) @inline(never)
    package func convolveQuantisedRow16(_ row: UnsafeRawPointer, _ rounding: UnsafeRawPointer) {
        WordProducts.convolveRow(2, row.load(as: QuantisedRow.self), Rounding(rounding))
    }

    /// The same, for a panel whose last eight channels have no weights.
    @c(gk_convolverow8_q8_avx2) @export(interface) @inline(never)
    package func convolveQuantisedRow8(_ row: UnsafeRawPointer, _ rounding: UnsafeRawPointer) {
        WordProducts.convolveRow(1, row.load(as: QuantisedRow.self), Rounding(rounding))
    }

    /// See `QuantisedConvolutionKernels.ConvolveToFloat`.
    @c(gk_convolvefloat_q8_avx2) @export(interface) @inline(never)
    package func convolveQuantisedToFloat(
        _ a: UnsafePointer<UInt8>, _ aRow: Int, _ aPixel: Int, _ lines: Int, _ pixels: Int,
        _ taps: Int, _ tapStride: Int, _ depth: Int, _ columns: Int, _ packed: UnsafeRawPointer,
        _ upper: Float, _ out: UnsafeMutablePointer<Float>, _ outRow: Int, _ outPixel: Int,
        _ batchRows: Int, _ batchPixels: Int, _ working: UnsafeMutableRawPointer
    ) {
        let batch = Batch(1, batchPixels, aPixel, taps, depth)
        let source = QuantisedSource(pixel: batch.pixel, taps: taps, tap: batch.tap, depth: 2 &* depth)
        var (y, first) = (0, 0)
        while y < lines {
            let width = pixels &- first < batchPixels ? pixels &- first : batchPixels
            widenValues(
                a + (y &* aRow &+ first &* aPixel), aRow, aPixel, tapStride, taps, depth, 1, width, batchPixels,
                working)
            var panel = packed
            var n = 0
            while n < columns {
                WordProducts.convolveRowToFloat(
                    source, UnsafeRawPointer(working), width, panel, upper, columns &- n,
                    UnsafeMutableRawPointer(out + (y &* outRow &+ first &* outPixel &+ n)), 4 &* outPixel)
                panel += quantisedPanelBytes(2 &* taps &* depth)
                n &+= 16
            }
            first &+= width
            if first == pixels {
                first = 0
                y &+= 1
            }
        }
    }

    // MARK: Depthwise

    // The word product adds two neighbours, and channels lie innermost. So the bytes of two taps are interleaved and
    // widened: vector k holds channels 4k..<4k+4 of each 16. The packs at the end undo exactly this order.
    //
    // Interleaving takes longer than the products. So two output rows of stride 1 are made at once and share the rows
    // that both read, four of 5x5 taps and two of 3x3, which are paired one below the other. The row that is left, the
    // upper output's first or the lower output's last, is paired with its right neighbours. A single output row is
    // treated as a lower row.
    //
    // At stride 1 a row of the map is a row of bytes in which the tap to the right is a constant distance away, so a
    // vector of 32 bytes may span two pixels. With many channels, and with stride 2, every pixel starts a new vector.
    //
    // Packed, for each 32 bytes until channels repeat: for every two taps of a lower row four vectors of 16-bit
    // weights, then four of biases, of multipliers and of slopes, then the weights of an upper row.

    @inline(always)
    private func pairs(_ size: Int) -> Int { size == 3 ? 5 : 13 }

    @inline(always)
    private func upperOffset(_ size: Int) -> Int { (pairs(size) &+ 3) &* 128 }

    @inline(always)
    private func blockBytes(_ size: Int) -> Int { (2 &* pairs(size) &+ 3) &* 128 }

    /// Whether 32 bytes may span two pixels of a row of stride 1.
    @inline(always)
    private func spansPixels(_ channels: Int) -> Bool { channels & 31 == 0 || channels < 256 }

    /// Blocks until channels repeat.
    @inline(always)
    private func blockCount(_ channels: Int) -> Int {
        if !spansPixels(channels) { return (channels &+ 31) &>> 5 }
        return channels & 31 == 0 ? channels &>> 5 : channels &>> 4
    }

    /// What `QuantisedConvolutionKernels.packDepthwise` writes.
    @inline(always)
    private func depthwiseLayout(_ size: Int) -> WeightLayout {
        WeightLayout(
            width: 32, group: 2, weightBytes: 2,
            taps: size == 3 ? "03 14 25 67 8." : "05 af 16 bg 27 ch 38 di 49 ej kl mn o.",
            tapsAfter: size == 3 ? "36 47 58 01 2." : "5a fk 6b gl 7c hm 8d in 9e jo 01 23 4.",
            isDepthOutermost: true, isInterleaved: true, repeatsBelow: 256, vectors: 3)
    }

    /// See `QuantisedConvolutionKernels.Depthwise`.
    @c(gk_dw_q8_avx2) @export(interface) @inline(never)
    package func depthwiseQuantised(
        _ input: UnsafePointer<UInt8>, _ inRow: Int, _ size: Int, _ stride: Int,
        _ lines: Int, _ pixels: Int, _ channels: Int, _ packed: UnsafeRawPointer, _ rounding: UnsafeRawPointer,
        _ out: UnsafeMutablePointer<UInt8>, _ outRow: Int
    ) {
        let isOneRun = stride == 1 && spansPixels(channels)
        let (runs, run) = isOneRun ? (1, pixels &* channels) : (pixels, channels)
        let blocks = blockCount(channels)
        var y = 0
        while y < lines {
            let isPair = stride == 1 && lines &- y > 1
            let rows = DepthwiseRuns(
                input: UnsafeRawPointer(input + stride &* y &* inRow), inRow: inRow, inPixel: channels, runs: runs,
                step: stride &* run, run: run, packed: packed, blocks: blocks, rounding: rounding,
                out: UnsafeMutableRawPointer(out + y &* outRow), outRow: outRow)
            withUnsafePointer(to: rows) {
                switch (size, isPair) {
                case (3, true): depthwiseQuantisedPair3($0)
                case (3, false): depthwiseQuantisedLine3($0)
                case (_, true): depthwiseQuantisedPair5($0)
                default: depthwiseQuantisedLine5($0)
                }
            }
            y &+= isPair ? 2 : 1
        }
    }

    /// `runs` runs of `run` bytes of output each, whose input is `step` bytes apart, of one output row or two.
    private struct DepthwiseRuns {
        let input: UnsafeRawPointer
        let inRow, inPixel, runs, step, run: Int
        let packed: UnsafeRawPointer
        let blocks: Int
        let rounding: UnsafeRawPointer
        let out: UnsafeMutableRawPointer
        let outRow: Int
    }

    // Functions that are not inlined have names that are unique to the tier.

    /// `DepthwiseRuns` of one output row.
    @c(gk_dwline3_q8_avx2) @export(interface) @inline(never)
    package func depthwiseQuantisedLine3(_ rows: UnsafeRawPointer) { depthwiseLines(3, 1, rows) }

    /// The same of two output rows of stride 1.
    @c(gk_dwpair3_q8_avx2) @export(interface) @inline(never)
    package func depthwiseQuantisedPair3(_ rows: UnsafeRawPointer) { depthwiseLines(3, 2, rows) }

    /// One row of 5x5 taps.
    @c(gk_dwline5_q8_avx2) @export(interface) @inline(never)
    package func depthwiseQuantisedLine5(_ rows: UnsafeRawPointer) { depthwiseLines(5, 1, rows) }

    /// Two rows of 5x5 taps.
    @c(gk_dwpair5_q8_avx2) @export(interface) @inline(never)
    package func depthwiseQuantisedPair5(_ rows: UnsafeRawPointer) { depthwiseLines(5, 2, rows) }

    @inline(always)
    private func depthwiseLines(_ size: Int, _ rows: Int, _ address: UnsafeRawPointer) {
        let map = address.load(as: DepthwiseRuns.self)
        let rounding = Rounding(map.rounding)
        let last = map.packed + map.blocks &* blockBytes(size)
        var (source, target) = (map.input, map.out)
        var index = 0
        while index < map.runs {
            var block = map.packed
            var at = 0
            while at < map.run {
                let sums = Rows(size, rows, source + at, map.inRow, map.inPixel, block)
                let multipliers = block + (pairs(size) &+ 1) &* 128
                let left = map.run &- at
                if rows > 1 { put(sums.upper.quantised(multipliers, rounding), target + at, left) }
                let lower = rows > 1 ? target + (map.outRow &+ at) : target + at
                put(sums.lower.quantised(multipliers, rounding), lower, left)
                block += blockBytes(size)
                if block == last { block = map.packed }
                at &+= 32
            }
            source += map.step
            target += map.run
            index &+= 1
        }
    }

    /// Writes a vector, or its first half where no more bytes are left: runs are multiples of 16 bytes.
    @inline(always)
    private func put(_ values: __m256i, _ p: UnsafeMutableRawPointer, _ left: Int) {
        if left >= 32 { store256(values, p) } else { store128(low(values), p) }
    }

    /// The sums of 32 bytes of one output row or two.
    private struct Rows {
        private(set) var upper, lower: Sums

        @inline(always)
        init(
            _ size: Int, _ rows: Int, _ p: UnsafeRawPointer, _ line: Int, _ pixel: Int, _ block: UnsafeRawPointer
        ) {
            let start = Sums(block + pairs(size) &* 128)
            (upper, lower) = (start, start)
            let above = upperOffset(size)
            // The first of the rows that are paired.
            var q = rows > 1 ? p + line : p
            var w = block
            var column = 0
            while column < size {
                add(rows, Pairs(q, q + line), w, above)
                if size == 5 {
                    let third = q + 2 &* line
                    add(rows, Pairs(third, third + line), w + 128, above)
                }
                q += pixel
                w += size == 5 ? 256 : 128
                column &+= 1
            }
            let bottom = p + (rows &+ size &- 2) &* line
            lower.add(size, bottom, pixel, w)
            if rows > 1 { upper.add(size, p, pixel, w + above) }
        }

        /// Adds two taps, one below the other.
        @inline(always)
        private mutating func add(_ rows: Int, _ pairs: Pairs, _ weights: UnsafeRawPointer, _ above: Int) {
            lower.add(pairs, weights)
            if rows > 1 { upper.add(pairs, weights + above) }
        }
    }

    /// The bytes at two addresses, interleaved and widened, vector k those of channels 4k..<4k+4 of each 16.
    private struct Pairs {
        let a, b, c, d: __m256i

        @inline(always)
        init(_ p: UnsafeRawPointer, _ q: UnsafeRawPointer) {
            let (first, second) = (load256(p), load256(q))
            let (lowPairs, highPairs) = (_mm256_unpacklo_epi8(first, second), _mm256_unpackhi_epi8(first, second))
            let zero = _mm256_setzero_si256()
            a = _mm256_unpacklo_epi8(lowPairs, zero)
            b = _mm256_unpackhi_epi8(lowPairs, zero)
            c = _mm256_unpacklo_epi8(highPairs, zero)
            d = _mm256_unpackhi_epi8(highPairs, zero)
        }
    }

    /// The sums of 32 bytes, in the order of `Pairs`.
    private struct Sums {
        private var a, b, c, d: __m256i

        /// - p: four vectors of biases.
        @inline(always)
        init(_ p: UnsafeRawPointer) { (a, b, c, d) = (load256(p), load256(p + 32), load256(p + 64), load256(p + 96)) }

        @inline(always)
        mutating func add(_ x: Pairs, _ weights: UnsafeRawPointer) {
            a = dot(a, x.a, load256(weights))
            b = dot(b, x.b, load256(weights + 32))
            c = dot(c, x.c, load256(weights + 64))
            d = dot(d, x.d, load256(weights + 96))
        }

        /// Adds the taps of one row. The last one is paired with itself, with weights of 0.
        @inline(always)
        mutating func add(_ size: Int, _ p: UnsafeRawPointer, _ pixel: Int, _ weights: UnsafeRawPointer) {
            let third = p + 2 &* pixel
            add(Pairs(p, p + pixel), weights)
            if size == 3 {
                add(Pairs(third, third), weights + 128)
            } else {
                add(Pairs(third, third + pixel), weights + 128)
                add(Pairs(third + 2 &* pixel, third + 2 &* pixel), weights + 256)
            }
        }

        /// - p: four vectors of multipliers, then of slopes.
        @inline(always)
        func quantised(_ p: UnsafeRawPointer, _ rounding: Rounding) -> __m256i {
            var (v, w) = (real(a, loadFloats256(p)), real(b, loadFloats256(p + 32)))
            var (x, y) = (real(c, loadFloats256(p + 64)), real(d, loadFloats256(p + 96)))
            if rounding.hasSlopes {
                v = sloped(v, loadFloats256(p + 128))
                w = sloped(w, loadFloats256(p + 160))
                x = sloped(x, loadFloats256(p + 192))
                y = sloped(y, loadFloats256(p + 224))
            }
            return rounding.quantised(rounded(v), rounded(w), rounded(x), rounded(y))
        }
    }
#endif
