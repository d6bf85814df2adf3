#if arch(x86_64)
    import _Builtin_intrinsics.intel
    import KernelInterface

    // One source for the tiers of 256 bits: the matrix product of pixels by channels. It takes four bytes of a pixel
    // and of each channel's weights at a time, which are two values or four (`dot` in Products.swift).
    //
    // A tile is four pixels by 16 channels, or three: fourteen pixels are two of each. Eight sums, two vectors of
    // weights, and four bytes of a pixel in every lane.
    //
    // Packed, for each 16 channels: weights [depth in bytes / 4][16][4 bytes], 16 biases, 16 multipliers, 16 slopes,
    // and whether the last eight channels have any weights: with 24 channels the last panel is half empty.

    /// Bytes of a panel of sixteen channels; the depth is in bytes.
    @inline(__always)
    func quantisedPanelBytes(_ depth: Int) -> Int { 16 &* depth &+ 256 }

    /// Whether the last eight channels of a panel have weights.
    @inline(__always)
    func isWhole(_ panel: UnsafeRawPointer, _ depth: Int) -> Bool {
        (panel + (16 &* depth &+ 192)).load(as: Int32.self) != 0
    }

    /// See `QuantisedConvolutionKernels.PackConvolution`. A value takes `valueBytes`, 1 or 2. Without slopes the
    /// rounding must not ask for them.
    /// What `QuantisedConvolutionKernels.packConvolution` writes. A value takes `valueBytes`, 1 or 2.
    @inline(__always)
    func quantisedLayout(_ valueBytes: Int) -> WeightLayout {
        WeightLayout(width: 16, group: 4 / valueBytes, weightBytes: valueBytes, vectors: 3, trailer: .isWhole)
    }

    /// The input of a row. Distances and the depth of a tap are in bytes, the depth a multiple of `4 * stepsAtOnce`.
    struct QuantisedSource {
        let pixel, taps, tap, depth: Int
    }

    @inline(__always)
    func convolveRow(
        _ vectors: Int, _ source: QuantisedSource, _ words: UnsafeRawPointer, _ pixels: Int, _ panel: UnsafeRawPointer,
        _ residual: UnsafeRawPointer?, _ residualPixel: Int, _ rounding: Rounding, _ out: UnsafeMutableRawPointer,
        _ outPixel: Int
    ) {
        let pixel = source.pixel
        let multipliers = panel + (16 &* source.taps &* source.depth &+ 64)
        var (from, target, more) = (words, out, residual)
        var left = pixels
        while left > 0 {
            // Six are two tiles of three.
            let count = left > 3 && left != 6 ? 4 : (left < 3 ? left : 3)
            if count == 4 {
                put(
                    4, QuantisedTile(4, vectors, source, from, QuantisedPixels(pixel, 4), panel), multipliers, rounding,
                    more,
                    QuantisedPixels(residualPixel, 4), target, QuantisedPixels(outPixel, 4))
            } else {
                put(
                    3, QuantisedTile(3, vectors, source, from, QuantisedPixels(pixel, count), panel), multipliers,
                    rounding, more,
                    QuantisedPixels(residualPixel, count), target, QuantisedPixels(outPixel, count))
            }
            from += count &* pixel
            target += count &* outPixel
            if let residual = more { more = residual + count &* residualPixel }
            left &-= count
        }
    }

    /// QuantisedPixels 0...3 of a tile; pixels from `count` on repeat the last one.
    struct QuantisedPixels {
        let p1, p2, p3: Int

        @inline(__always)
        init(_ stride: Int, _ count: Int) {
            let last = (count &- 1) &* stride
            p1 = count > 1 ? stride : last
            p2 = count > 2 ? 2 &* stride : last
            p3 = count > 3 ? 3 &* stride : last
        }
    }

    /// The sums of one, three or four pixels and sixteen channels.
    struct QuantisedTile {
        var s00, s01, s10, s11, s20, s21, s30, s31: __m256i

        @inline(__always)
        init(
            _ count: Int, _ vectors: Int, _ source: QuantisedSource, _ words: UnsafeRawPointer, _ at: QuantisedPixels,
            _ panel: UnsafeRawPointer
        ) {
            let parameters = panel + 16 &* source.taps &* source.depth
            let (b0, b1) = (load(parameters), load(parameters + 32))
            (s00, s10, s20, s30) = (b0, b0, b0, b0)
            (s01, s11, s21, s31) = (b1, b1, b1, b1)
            var w = panel
            var tap = words
            var t = 0
            while t < source.taps {
                var p = tap
                let end = tap + source.depth
                while p < end {
                    add(count, vectors, p, at, w)
                    if stepsAtOnce > 1 { add(count, vectors, p + 4, at, w + 64) }
                    w += 64 &* stepsAtOnce
                    p += 4 &* stepsAtOnce
                }
                tap += source.tap
                t &+= 1
            }
        }

        /// Adds the products of four bytes of each pixel.
        @inline(__always)
        private mutating func add(
            _ count: Int, _ vectors: Int, _ p: UnsafeRawPointer, _ at: QuantisedPixels, _ w: UnsafeRawPointer
        ) {
            let w0 = load(w)
            let w1 = vectors > 1 ? load(w + 32) : w0
            var x = broadcast4(p)
            s00 = dot(s00, x, w0)
            if vectors > 1 { s01 = dot(s01, x, w1) }
            guard count > 1 else { return }
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
    func put(
        _ count: Int, _ tile: QuantisedTile, _ multipliers: UnsafeRawPointer, _ rounding: Rounding,
        _ residual: UnsafeRawPointer?, _ at: QuantisedPixels, _ out: UnsafeMutableRawPointer, _ to: QuantisedPixels
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
    func words(
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
    func putPair(
        _ first: __m256i, _ second: __m256i, _ rounding: Rounding, _ p: UnsafeMutableRawPointer,
        _ q: UnsafeMutableRawPointer
    ) {
        let codes = rounding.clamped(bytes(first, second))
        store128(low(codes), p)
        store128(high(codes), q)
    }

    /// One row as floats, of which the first `columns` of a panel's sixteen channels are written.
    @inline(__always)
    func convolveRowToFloat(
        _ source: QuantisedSource, _ a: UnsafeRawPointer, _ pixels: Int, _ panel: UnsafeRawPointer, _ upper: Float,
        _ columns: Int, _ out: UnsafeMutableRawPointer, _ outPixel: Int
    ) {
        let multipliers = panel + (16 &* source.taps &* source.depth &+ 64)
        let channels = columns < 16 ? columns : 16
        var x = 0
        while x < pixels {
            let count = pixels &- x < 4 ? pixels &- x : 4
            let tile = QuantisedTile(
                4, 2, source, a + x &* source.pixel, QuantisedPixels(source.pixel, count), panel)
            let target = out + x &* outPixel
            let to = QuantisedPixels(outPixel, count)
            putReal(tile.s00, tile.s01, multipliers, upper, channels, target)
            putReal(tile.s10, tile.s11, multipliers, upper, channels, target + to.p1)
            putReal(tile.s20, tile.s21, multipliers, upper, channels, target + to.p2)
            putReal(tile.s30, tile.s31, multipliers, upper, channels, target + to.p3)
            x &+= 4
        }
    }

    /// Writes the first `count` of sixteen sums.
    @inline(__always)
    func putReal(
        _ s0: __m256i, _ s1: __m256i, _ multipliers: UnsafeRawPointer, _ upper: Float, _ count: Int,
        _ out: UnsafeMutableRawPointer
    ) {
        let a = sloped(real(s0, loadFloats(multipliers)), loadFloats(multipliers + 64))
        let b = sloped(real(s1, loadFloats(multipliers + 32)), loadFloats(multipliers + 96))
        let bound = _mm256_set1_ps(upper)
        putSome(_mm256_min_ps(a, bound), out, lanes(before: count))
        putSome(_mm256_min_ps(b, bound), out + 32, lanes(before: count &- 8))
    }
#endif
