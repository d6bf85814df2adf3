#if arch(x86_64)
    import _Builtin_intrinsics.intel
    package import KernelInterface

    // The int8 kernels of network graphs.
    //
    // The byte product takes one unsigned and one signed factor and adds two products in 16 bits: values of 255 against
    // two weights of 127 would not fit. (Values centred on 0, as magnitude and sign, would fit, but then three
    // instructions in ten handle signs.) So a convolution first widens its input to words, one batch of rows or pixels
    // that stays in the first-level cache with the weights of sixteen channels, and multiplies words. That is two
    // instructions for sixteen products, one of them a multiplication: as many as with bytes, which need a second
    // multiplication to add the 16-bit results.
    //
    // A tile is four pixels by 16 channels, or three: fourteen pixels are two of each. Eight sums, two vectors of
    // weights, and two values of a pixel in every lane.
    //
    // Packed, for each 16 channels: weights as words [depth / 2][16][2], 16 biases, 16 multipliers, 16 slopes, and
    // whether the last eight channels have any weights: with 24 channels the last panel is half empty.

    extension AVX2Tier {
        /// The int8 kernels of network graphs of this tier.
        @export(interface) @inline(never)
        package static func quantisedConvolutionKernels() -> QuantisedConvolutionKernels {
            QuantisedConvolutionKernels(
                packConvolution: packQuantisedConvolution, convolve: convolveQuantised,
                convolveToFloat: convolveQuantisedToFloat,
                packDepthwise: packQuantisedDepthwise, depthwise: depthwiseQuantised)
        }
    }

    @inline(__always)
    private func panelBytes(_ depth: Int) -> Int { 32 &* depth &+ 256 }

    /// See `QuantisedConvolutionKernels.PackConvolution`.
    @c(gk_packconv_q8_avx2) @export(interface) @inline(never)
    package func packQuantisedConvolution(
        _ weights: UnsafePointer<Int8>?, _ bias: UnsafePointer<Int32>?, _ multiplier: UnsafePointer<Float>?,
        _ slope: UnsafePointer<Float>?, _ channels: Int, _ depth: Int, _ packed: UnsafeMutableRawPointer?
    ) -> Int {
        let byteCount = (channels &+ 15) / 16 &* panelBytes(depth)
        guard let weights, let bias, let multiplier, let slope, let packed else { return byteCount }
        var n = 0
        while n < channels {
            let panel = packed + n / 16 &* panelBytes(depth)
            let column = panel + n % 16 &* 4
            var k = 0
            while k < depth {
                let weight = Int16(weights[n &* depth &+ k])
                column.storeBytes(of: weight, toByteOffset: k / 2 &* 64 &+ k % 2 &* 2, as: Int16.self)
                if weight != 0 && n % 16 >= 8 {
                    panel.storeBytes(of: 1, toByteOffset: 32 &* depth &+ 192, as: Int32.self)
                }
                k &+= 1
            }
            let parameters = column + 32 &* depth
            parameters.storeBytes(of: bias[n], as: Int32.self)
            parameters.storeBytes(of: multiplier[n], toByteOffset: 64, as: Float.self)
            parameters.storeBytes(of: slope[n], toByteOffset: 128, as: Float.self)
            n &+= 1
        }
        return byteCount
    }

    // MARK: Requantisation

    /// See `QuantisedConvolutionKernels`.
    private struct Rounding {
        let zero, lower, upper: __m256i
        let residualZero: Int32
        let residualMultiplier: Float
        let hasSlopes: Bool

        @inline(__always)
        init(_ p: UnsafeRawPointer) {
            zero = _mm256_set1_epi16(Int16(truncatingIfNeeded: p.load(as: Int32.self)))
            lower = _mm256_set1_epi8(Int8(truncatingIfNeeded: p.load(fromByteOffset: 4, as: Int32.self)))
            upper = _mm256_set1_epi8(Int8(truncatingIfNeeded: p.load(fromByteOffset: 8, as: Int32.self)))
            residualZero = p.load(fromByteOffset: 12, as: Int32.self)
            residualMultiplier = p.load(fromByteOffset: 16, as: Float.self)
            hasSlopes = p.load(fromByteOffset: 20, as: Int32.self) != 0
        }

        /// The contribution of the eight residual values at `p`.
        @inline(__always)
        func residual(_ p: UnsafeRawPointer) -> __m256 {
            let codes = _mm_cvtsi64_si128(p.loadUnaligned(as: Int64.self))
            let difference = _mm256_sub_epi32(_mm256_cvtepu8_epi32(codes), _mm256_set1_epi32(residualZero))
            return _mm256_mul_ps(_mm256_cvtepi32_ps(difference), _mm256_set1_ps(residualMultiplier))
        }

        /// Two vectors of rounded values as 16-bit words, in the lane order of the packs.
        @inline(__always)
        func words(_ a: __m256i, _ b: __m256i) -> __m256i {
            _mm256_adds_epi16(_mm256_packs_epi32(a, b), zero)
        }

        @inline(__always)
        func clamped(_ bytes: __m256i) -> __m256i { _mm256_min_epu8(_mm256_max_epu8(bytes, lower), upper) }
    }

    @inline(__always)
    private func real(_ sum: __m256i, _ multiplier: __m256) -> __m256 {
        _mm256_mul_ps(_mm256_cvtepi32_ps(sum), multiplier)
    }

    @inline(__always)
    private func sloped(_ v: __m256, _ slope: __m256) -> __m256 {
        _mm256_blendv_ps(v, _mm256_mul_ps(v, slope), v)
    }

    // MARK: Convolution

    /// One batch of widened input and its layout in working memory: bytes from a pixel, a row of taps and a row of the
    /// map to the next.
    private struct Batch {
        let lines, pixels: Int
        let pixel, tap, line: Int

        @inline(__always)
        init(_ lines: Int, _ pixels: Int, _ aPixel: Int, _ taps: Int, _ depth: Int) {
            self.lines = lines
            self.pixels = pixels
            pixel = 2 &* aPixel
            tap = (((pixels &- 1) &* aPixel &+ depth) &* 2 &+ 127) & ~63
            line = taps &* tap
        }

        /// Widens the input of `count` pixels in one row of taps. Up to fifteen more values are read and written.
        @inline(__always)
        func widen(_ a: UnsafeRawPointer, _ aPixel: Int, _ depth: Int, _ count: Int, _ words: UnsafeMutableRawPointer) {
            let end = (count &- 1) &* aPixel &+ depth
            var index = 0
            while index < end {
                store(_mm256_cvtepu8_epi16(load128(a + index)), words + 2 &* index)
                index &+= 16
            }
        }
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
                widenCodes(
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
                        let target = out + ((y &+ line) &* outRow &+ x &* outPixel &+ n)
                        if isWhole(panel, taps &* depth) {
                            convolveQuantisedRow16(
                                working + line &* batch.line, batch.pixel, width, taps, batch.tap, depth, panel, more,
                                residualPixel, rounding, target, outPixel)
                        } else {
                            convolveQuantisedRow8(
                                working + line &* batch.line, batch.pixel, width, taps, batch.tap, depth, panel, more,
                                residualPixel, rounding, target, outPixel)
                        }
                        line &+= 1
                    }
                    panel += panelBytes(taps &* depth)
                    n &+= 16
                }
                x &+= batchPixels
            }
            y &+= batchRows
        }
    }

    /// Widens a batch of `lines` by `pixels`, whose rows of taps in working memory have room for `batchPixels`.
    @c(gk_widen_q8_avx2) @export(interface) @inline(never)
    package func widenCodes(
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

    /// Whether the last eight channels of a panel have weights.
    @inline(__always)
    private func isWhole(_ panel: UnsafeRawPointer, _ depth: Int) -> Bool {
        (panel + (32 &* depth &+ 192)).load(as: Int32.self) != 0
    }

    /// One row of a panel of sixteen channels; distances of words are in bytes.
    @c(gk_convolverow16_q8_avx2) @export(interface) @inline(never)
    package func convolveQuantisedRow16(
        _ words: UnsafeRawPointer, _ pixel: Int, _ pixels: Int, _ taps: Int, _ tap: Int, _ depth: Int,
        _ panel: UnsafeRawPointer, _ residual: UnsafeRawPointer?, _ residualPixel: Int, _ rounding: UnsafeRawPointer,
        _ out: UnsafeMutableRawPointer, _ outPixel: Int
    ) {
        convolveRow(
            2, Source(pixel: pixel, taps: taps, tap: tap, depth: depth), words, pixels, panel, residual, residualPixel,
            Rounding(rounding), out, outPixel)
    }

    /// The same, for a panel whose last eight channels have no weights.
    @c(gk_convolverow8_q8_avx2) @export(interface) @inline(never)
    package func convolveQuantisedRow8(
        _ words: UnsafeRawPointer, _ pixel: Int, _ pixels: Int, _ taps: Int, _ tap: Int, _ depth: Int,
        _ panel: UnsafeRawPointer, _ residual: UnsafeRawPointer?, _ residualPixel: Int, _ rounding: UnsafeRawPointer,
        _ out: UnsafeMutableRawPointer, _ outPixel: Int
    ) {
        convolveRow(
            1, Source(pixel: pixel, taps: taps, tap: tap, depth: depth), words, pixels, panel, residual, residualPixel,
            Rounding(rounding), out, outPixel)
    }

    @inline(__always)
    private func convolveRow(
        _ vectors: Int, _ source: Source, _ words: UnsafeRawPointer, _ pixels: Int, _ panel: UnsafeRawPointer,
        _ residual: UnsafeRawPointer?, _ residualPixel: Int, _ rounding: Rounding, _ out: UnsafeMutableRawPointer,
        _ outPixel: Int
    ) {
        let pixel = source.pixel
        let multipliers = panel + (32 &* source.taps &* source.depth &+ 64)
        var (from, target, more) = (words, out, residual)
        var left = pixels
        while left > 0 {
            // Six are two tiles of three.
            let count = left > 3 && left != 6 ? 4 : (left < 3 ? left : 3)
            if count == 4 {
                put(
                    4, Tile(4, vectors, source, from, Pixels(pixel, 4), panel), multipliers, rounding, more,
                    Pixels(residualPixel, 4), target, Pixels(outPixel, 4))
            } else {
                put(
                    3, Tile(3, vectors, source, from, Pixels(pixel, count), panel), multipliers, rounding, more,
                    Pixels(residualPixel, count), target, Pixels(outPixel, count))
            }
            from += count &* pixel
            target += count &* outPixel
            if let residual = more { more = residual + count &* residualPixel }
            left &-= count
        }
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

    /// The sums of three or four pixels and sixteen channels.
    private struct Tile {
        var s00, s01, s10, s11, s20, s21, s30, s31: __m256i

        @inline(__always)
        init(
            _ count: Int, _ vectors: Int, _ source: Source, _ words: UnsafeRawPointer, _ at: Pixels,
            _ panel: UnsafeRawPointer
        ) {
            let parameters = panel + 32 &* source.taps &* source.depth
            let (b0, b1) = (load(parameters), load(parameters + 32))
            (s00, s10, s20, s30) = (b0, b0, b0, b0)
            (s01, s11, s21, s31) = (b1, b1, b1, b1)
            var w = panel
            var tap = words
            var t = 0
            while t < source.taps {
                var p = tap
                let end = tap + 2 &* source.depth
                // Depths are multiples of 4: two pairs at a time.
                while p < end {
                    add(count, vectors, p, at, w)
                    add(count, vectors, p + 4, at, w + 64)
                    w += 128
                    p += 8
                }
                tap += source.tap
                t &+= 1
            }
        }

        /// Adds the products of a pair of values of each pixel.
        @inline(__always)
        private mutating func add(
            _ count: Int, _ vectors: Int, _ p: UnsafeRawPointer, _ at: Pixels, _ w: UnsafeRawPointer
        ) {
            let w0 = load(w)
            let w1 = vectors > 1 ? load(w + 32) : w0
            var x = broadcast4(p)
            s00 = dot(s00, x, w0)
            if vectors > 1 { s01 = dot(s01, x, w1) }
            x = broadcast4(p + at.p1)
            s10 = dot(s10, x, w0)
            if vectors > 1 { s11 = dot(s11, x, w1) }
            x = broadcast4(p + at.p2)
            s20 = dot(s20, x, w0)
            if vectors > 1 { s21 = dot(s21, x, w1) }
            guard count > 3 else { return }
            x = broadcast4(p + at.p3)
            s30 = dot(s30, x, w0)
            if vectors > 1 { s31 = dot(s31, x, w1) }
        }
    }

    /// Writes the quantised values of a tile.
    @inline(__always)
    private func put(
        _ count: Int, _ tile: Tile, _ multipliers: UnsafeRawPointer, _ rounding: Rounding,
        _ residual: UnsafeRawPointer?, _ at: Pixels, _ out: UnsafeMutableRawPointer, _ to: Pixels
    ) {
        let first = words(tile.s00, tile.s01, multipliers, rounding, residual)
        let second = words(tile.s10, tile.s11, multipliers, rounding, residual.map { $0 + at.p1 })
        putPair(first, second, rounding, out, out + to.p1)
        let third = words(tile.s20, tile.s21, multipliers, rounding, residual.map { $0 + at.p2 })
        let fourth =
            count > 3 ? words(tile.s30, tile.s31, multipliers, rounding, residual.map { $0 + at.p3 }) : third
        putPair(third, fourth, rounding, out + to.p2, out + to.p3)
    }

    /// Sixteen sums of a pixel as words. At `multipliers` are the multipliers of the channels, then their slopes.
    @inline(__always)
    private func words(
        _ s0: __m256i, _ s1: __m256i, _ multipliers: UnsafeRawPointer, _ rounding: Rounding,
        _ residual: UnsafeRawPointer?
    ) -> __m256i {
        var (a, b) = (real(s0, loadFloats(multipliers)), real(s1, loadFloats(multipliers + 32)))
        if let residual {
            a = _mm256_add_ps(a, rounding.residual(residual))
            b = _mm256_add_ps(b, rounding.residual(residual + 8))
        }
        if rounding.hasSlopes {
            a = sloped(a, loadFloats(multipliers + 64))
            b = sloped(b, loadFloats(multipliers + 96))
        }
        return rounding.words(_mm256_cvtps_epi32(a), _mm256_cvtps_epi32(b))
    }

    @inline(__always)
    private func putPair(
        _ first: __m256i, _ second: __m256i, _ rounding: Rounding, _ p: UnsafeMutableRawPointer,
        _ q: UnsafeMutableRawPointer
    ) {
        let codes = rounding.clamped(bytes(first, second))
        store128(low(codes), p)
        store128(high(codes), q)
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
        let source = Source(pixel: batch.pixel, taps: taps, tap: batch.tap, depth: depth)
        var (y, first) = (0, 0)
        while y < lines {
            let width = pixels &- first < batchPixels ? pixels &- first : batchPixels
            widenCodes(
                a + (y &* aRow &+ first &* aPixel), aRow, aPixel, tapStride, taps, depth, 1, width, batchPixels,
                working)
            var panel = packed
            var n = 0
            while n < columns {
                let multipliers = panel + (32 &* taps &* depth &+ 64)
                let count = columns &- n < 16 ? columns &- n : 16
                var x = 0
                while x < width {
                    let pixelCount = width &- x < 4 ? width &- x : 4
                    let tile = Tile(4, 2, source, working + x &* batch.pixel, Pixels(batch.pixel, pixelCount), panel)
                    let target = UnsafeMutableRawPointer(out + (y &* outRow &+ (first &+ x) &* outPixel &+ n))
                    let to = Pixels(4 &* outPixel, pixelCount)
                    putReal(tile.s00, tile.s01, multipliers, upper, count, target)
                    putReal(tile.s10, tile.s11, multipliers, upper, count, target + to.p1)
                    putReal(tile.s20, tile.s21, multipliers, upper, count, target + to.p2)
                    putReal(tile.s30, tile.s31, multipliers, upper, count, target + to.p3)
                    x &+= 4
                }
                panel += panelBytes(taps &* depth)
                n &+= 16
            }
            first &+= width
            if first == pixels {
                first = 0
                y &+= 1
            }
        }
    }

    /// Writes the first `count` of sixteen sums.
    @inline(__always)
    private func putReal(
        _ s0: __m256i, _ s1: __m256i, _ multipliers: UnsafeRawPointer, _ upper: Float, _ count: Int,
        _ out: UnsafeMutableRawPointer
    ) {
        let a = sloped(real(s0, loadFloats(multipliers)), loadFloats(multipliers + 64))
        let b = sloped(real(s1, loadFloats(multipliers + 32)), loadFloats(multipliers + 96))
        let bound = _mm256_set1_ps(upper)
        putSome(_mm256_min_ps(a, bound), out, count)
        putSome(_mm256_min_ps(b, bound), out + 32, count &- 8)
    }

    // MARK: Depthwise

    // The word product adds two neighbours, and channels lie innermost. So the taps are taken two at a time, in the
    // order of their rows, and their bytes are interleaved and widened: vector k holds channels 4k..<4k+4 of each 16.
    // The packs at the end undo exactly this order.
    //
    // At stride 1 a row of the map is a row of bytes in which the tap to the right is a constant distance away, so a
    // vector of 32 bytes may span two pixels. With many channels, and with stride 2, every pixel starts a new vector.
    //
    // Packed, for each 32 bytes until channels repeat: for every two taps four vectors of 16-bit weights, then four of
    // biases, of multipliers and of slopes.

    @inline(__always)
    private func pairs(_ size: Int) -> Int { size == 3 ? 5 : 13 }

    @inline(__always)
    private func blockBytes(_ size: Int) -> Int { (pairs(size) &+ 3) &* 128 }

    /// Whether 32 bytes may span two pixels of a row of stride 1.
    @inline(__always)
    private func spansPixels(_ channels: Int) -> Bool { channels & 31 == 0 || channels < 256 }

    /// Blocks until channels repeat.
    @inline(__always)
    private func blockCount(_ channels: Int) -> Int {
        if !spansPixels(channels) { return (channels &+ 31) &>> 5 }
        return channels & 31 == 0 ? channels &>> 5 : channels &>> 4
    }

    /// See `QuantisedConvolutionKernels.PackDepthwise`.
    @c(gk_packdw_q8_avx2) @export(interface) @inline(never)
    package func packQuantisedDepthwise(
        _ weights: UnsafePointer<Int8>?, _ bias: UnsafePointer<Int32>?, _ multiplier: UnsafePointer<Float>?,
        _ slope: UnsafePointer<Float>?, _ channels: Int, _ size: Int, _ packed: UnsafeMutableRawPointer?
    ) -> Int {
        let byteCount = blockCount(channels) &* blockBytes(size)
        guard let weights, let bias, let multiplier, let slope, let packed else { return byteCount }
        let taps = size &* size
        var index = 0
        while index < blockCount(channels) &* 32 {
            let block = packed + index / 32 &* blockBytes(size)
            let (k, element) = (index / 4 % 4, index % 32 / 16 &* 4 &+ index % 4)
            let c = index % channels
            var tap = 0
            while tap < taps {
                block.storeBytes(
                    of: Int16(weights[tap &* channels &+ c]),
                    toByteOffset: tap / 2 &* 128 &+ 32 &* k &+ 4 &* element &+ tap % 2 &* 2, as: Int16.self)
                tap &+= 1
            }
            let parameters = block + (pairs(size) &* 128 &+ 32 &* k &+ 4 &* element)
            parameters.storeBytes(of: bias[c], as: Int32.self)
            parameters.storeBytes(of: multiplier[c], toByteOffset: 128, as: Float.self)
            parameters.storeBytes(of: slope[c], toByteOffset: 256, as: Float.self)
            index &+= 1
        }
        return byteCount
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
        var y = 0
        while y < lines {
            let source = UnsafeRawPointer(input + stride &* y &* inRow)
            let target = UnsafeMutableRawPointer(out + y &* outRow)
            if size == 3 {
                depthwiseQuantisedLine3(
                    source, inRow, channels, runs, stride &* run, run, packed, blockCount(channels), rounding, target)
            } else {
                depthwiseQuantisedLine5(
                    source, inRow, channels, runs, stride &* run, run, packed, blockCount(channels), rounding, target)
            }
            y &+= 1
        }
    }

    // Exported like kernels: a function that is not inlined needs a name that is unique to the tier, and the compiler
    // inlines a whole run only into a small caller.

    /// `runs` runs of `run` bytes of output each, whose input is `step` bytes apart.
    @c(gk_dwline3_q8_avx2) @export(interface) @inline(never)
    package func depthwiseQuantisedLine3(
        _ input: UnsafeRawPointer, _ inRow: Int, _ inPixel: Int, _ runs: Int, _ step: Int, _ run: Int,
        _ packed: UnsafeRawPointer, _ blocks: Int, _ rounding: UnsafeRawPointer, _ out: UnsafeMutableRawPointer
    ) {
        depthwiseLine(3, input, inRow, inPixel, runs, step, run, packed, blocks, Rounding(rounding), out)
    }

    /// The same for 5x5 taps.
    @c(gk_dwline5_q8_avx2) @export(interface) @inline(never)
    package func depthwiseQuantisedLine5(
        _ input: UnsafeRawPointer, _ inRow: Int, _ inPixel: Int, _ runs: Int, _ step: Int, _ run: Int,
        _ packed: UnsafeRawPointer, _ blocks: Int, _ rounding: UnsafeRawPointer, _ out: UnsafeMutableRawPointer
    ) {
        depthwiseLine(5, input, inRow, inPixel, runs, step, run, packed, blocks, Rounding(rounding), out)
    }

    @inline(__always)
    private func depthwiseLine(
        _ size: Int, _ input: UnsafeRawPointer, _ inRow: Int, _ inPixel: Int, _ runs: Int, _ step: Int, _ run: Int,
        _ packed: UnsafeRawPointer, _ blocks: Int, _ rounding: Rounding, _ out: UnsafeMutableRawPointer
    ) {
        let last = packed + blocks &* blockBytes(size)
        var (source, target) = (input, out)
        var index = 0
        while index < runs {
            var block = packed
            var at = 0
            while at < run {
                let sums = Four(size, source + at, inRow, inPixel, block)
                let codes = sums.codes(block + pairs(size) &* 128, rounding)
                // Runs are multiples of 16 bytes.
                if run &- at >= 32 { store(codes, target + at) } else { store128(low(codes), target + at) }
                block += blockBytes(size)
                if block == last { block = packed }
                at &+= 32
            }
            source += step
            target += run
            index &+= 1
        }
    }

    /// The sums of 32 bytes, vector k those of channels 4k..<4k+4 of each 16.
    private struct Four {
        private var q0, q1, q2, q3: __m256i

        @inline(__always)
        init(_ size: Int, _ p: UnsafeRawPointer, _ line: Int, _ pixel: Int, _ block: UnsafeRawPointer) {
            let bias = block + pairs(size) &* 128
            q0 = load(bias)
            q1 = load(bias + 32)
            q2 = load(bias + 64)
            q3 = load(bias + 96)
            let r1 = p + line
            let r2 = r1 + line
            if size == 3 {
                add(p, p + pixel, block)
                add(p + 2 &* pixel, r1, block + 128)
                add(r1 + pixel, r1 + 2 &* pixel, block + 256)
                add(r2, r2 + pixel, block + 384)
                // The last tap is paired with itself, with weights of 0.
                add(r2 + 2 &* pixel, r2 + 2 &* pixel, block + 512)
            } else {
                let r3 = r2 + line
                let r4 = r3 + line
                add(p, p + pixel, block)
                add(p + 2 &* pixel, p + 3 &* pixel, block + 128)
                add(p + 4 &* pixel, r1, block + 256)
                add(r1 + pixel, r1 + 2 &* pixel, block + 384)
                add(r1 + 3 &* pixel, r1 + 4 &* pixel, block + 512)
                add(r2, r2 + pixel, block + 640)
                add(r2 + 2 &* pixel, r2 + 3 &* pixel, block + 768)
                add(r2 + 4 &* pixel, r3, block + 896)
                add(r3 + pixel, r3 + 2 &* pixel, block + 1024)
                add(r3 + 3 &* pixel, r3 + 4 &* pixel, block + 1152)
                add(r4, r4 + pixel, block + 1280)
                add(r4 + 2 &* pixel, r4 + 3 &* pixel, block + 1408)
                add(r4 + 4 &* pixel, r4 + 4 &* pixel, block + 1536)
            }
        }

        /// Adds two taps.
        @inline(__always)
        private mutating func add(_ a: UnsafeRawPointer, _ b: UnsafeRawPointer, _ weights: UnsafeRawPointer) {
            let (va, vb) = (load(a), load(b))
            let (lowPairs, highPairs) = (_mm256_unpacklo_epi8(va, vb), _mm256_unpackhi_epi8(va, vb))
            let zero = _mm256_setzero_si256()
            q0 = dot(q0, _mm256_unpacklo_epi8(lowPairs, zero), load(weights))
            q1 = dot(q1, _mm256_unpackhi_epi8(lowPairs, zero), load(weights + 32))
            q2 = dot(q2, _mm256_unpacklo_epi8(highPairs, zero), load(weights + 64))
            q3 = dot(q3, _mm256_unpackhi_epi8(highPairs, zero), load(weights + 96))
        }

        /// - parameters: four vectors of biases, of multipliers and of slopes.
        @inline(__always)
        func codes(_ parameters: UnsafeRawPointer, _ rounding: Rounding) -> __m256i {
            var (a, b) = (real(q0, loadFloats(parameters + 128)), real(q1, loadFloats(parameters + 160)))
            var (c, d) = (real(q2, loadFloats(parameters + 192)), real(q3, loadFloats(parameters + 224)))
            if rounding.hasSlopes {
                a = sloped(a, loadFloats(parameters + 256))
                b = sloped(b, loadFloats(parameters + 288))
                c = sloped(c, loadFloats(parameters + 320))
                d = sloped(d, loadFloats(parameters + 352))
            }
            let ab = rounding.words(_mm256_cvtps_epi32(a), _mm256_cvtps_epi32(b))
            let cd = rounding.words(_mm256_cvtps_epi32(c), _mm256_cvtps_epi32(d))
            return rounding.clamped(_mm256_packus_epi16(ab, cd))
        }
    }
#endif
