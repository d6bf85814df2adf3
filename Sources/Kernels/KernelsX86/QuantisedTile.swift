#if arch(x86_64)
    public import KernelInterface
    public import _Builtin_intrinsics.intel

    // The matrix product of pixels by channels of the tiers of 256 bits. It takes four bytes of a pixel and of each channel's
    // weights at a time, which are two values or four.
    //
    // A tile is four pixels by 16 channels, or three: fourteen pixels are two of each. Eight sums, two vectors of weights,
    // and four bytes of a pixel in every lane.
    //
    // Packed, for each 16 channels: weights [depth in bytes / 4][16][4 bytes], 16 biases, 16 multipliers, 16 slopes, and
    // whether the last eight channels have any weights: with 24 channels the last panel is half empty.

    /// Bytes of a panel of sixteen channels; the depth is in bytes.
    @export(implementation) @inline(always)
    public func quantisedPanelBytes(_ depth: Int) -> Int { 16 &* depth &+ 256 }

    /// Whether the last eight channels of a panel have weights.
    @export(implementation) @inline(always)
    public func isWhole(_ panel: UnsafeRawPointer, _ depth: Int) -> Bool {
        (panel + (16 &* depth &+ 192)).load(as: Int32.self) != 0
    }

    /// What `QuantisedConvolutionKernels.packConvolution` writes. A value takes `valueBytes`, 1 or 2.
    package func quantisedLayout(_ valueBytes: Int) -> WeightLayout {
        WeightLayout(width: 16, group: 4 / valueBytes, weightBytes: valueBytes, vectors: 3, trailer: .isWhole)
    }

    /// The input of a row. Distances and the depth of a tap are in bytes, the depth a multiple of four times
    /// `Products256.stepsAtOnce`.
    public struct QuantisedSource {
        @usableFromInline
        let pixel, taps, tap, depth: Int

        /// All values are as above.
        @export(implementation) @inline(always)
        public init(pixel: Int, taps: Int, tap: Int, depth: Int) {
            (self.pixel, self.taps, self.tap, self.depth) = (pixel, taps, tap, depth)
        }
    }

    /// One row of a panel of sixteen channels: its input, its output and what it is rounded by. Distances are in bytes.
    public struct QuantisedRow {
        @usableFromInline
        let source: QuantisedSource
        @usableFromInline
        let a: UnsafeRawPointer
        @usableFromInline
        let pixels: Int
        @usableFromInline
        let panel: UnsafeRawPointer
        @usableFromInline
        let residual: UnsafeRawPointer?
        @usableFromInline
        let residualPixel: Int
        @usableFromInline
        let out: UnsafeMutableRawPointer
        @usableFromInline
        let outPixel: Int

        /// All values are as above.
        @export(implementation) @inline(always)
        public init(
            source: QuantisedSource, a: UnsafeRawPointer, pixels: Int, panel: UnsafeRawPointer,
            residual: UnsafeRawPointer?, residualPixel: Int, out: UnsafeMutableRawPointer, outPixel: Int
        ) {
            (self.source, self.a, self.pixels, self.panel) = (source, a, pixels, panel)
            (self.residual, self.residualPixel, self.out, self.outPixel) = (residual, residualPixel, out, outPixel)
        }
    }

    /// The sums of a pixel and sixteen channels, or sixteen weights of four bytes each: two vectors, or one that is used.
    public struct QuantisedSums {
        /// The first eight channels, and the last eight.
        public var low, high: __m256i

        @export(implementation) @inline(always)
        init(_ vectors: Int, _ p: UnsafeRawPointer) {
            low = load256(p)
            high = vectors > 1 ? load256(p + 32) : low
        }
    }

    extension Products256 {
        /// Quantises a row.
        /// - vectors: of the panel that have weights, a literal.
        @export(implementation) @inline(always)
        public static func convolveRow(_ vectors: Int, _ row: QuantisedRow, _ rounding: Rounding) {
            let pixel = row.source.pixel
            var (from, target, more) = (row.a, row.out, row.residual)
            var left = row.pixels
            while left > 0 {
                // Six are two tiles of three.
                let count = left > 3 && left != 6 ? 4 : (left < 3 ? left : 3)
                if count == 4 {
                    putTile(4, 4, vectors, row, from, rounding, more, target)
                } else {
                    putTile(3, count, vectors, row, from, rounding, more, target)
                }
                from += count &* pixel
                target += count &* row.outPixel
                if let residual = more { more = residual + count &* row.residualPixel }
                left &-= count
            }
        }

        /// The sums of up to four pixels and sixteen channels.
        /// - most, vectors: literals.
        @export(implementation) @inline(always)
        public static func tile(
            _ most: Int, _ vectors: Int, _ source: QuantisedSource, _ a: UnsafeRawPointer, _ at: PixelOffsets,
            _ panel: UnsafeRawPointer
        ) -> RegisterArray<QuantisedSums> {
            var sums = RegisterArray(repeating: QuantisedSums(2, panel + 16 &* source.taps &* source.depth))
            var w = panel

            /// Adds the products of four bytes of each pixel.
            @inline(always)
            func add(_ p: UnsafeRawPointer, _ w: UnsafeRawPointer) {
                let weights = QuantisedSums(vectors, w)
                sums.update(most) {
                    let x = broadcast256(p + at[$1])
                    $0.low = dot($0.low, x, weights.low)
                    if vectors > 1 { $0.high = dot($0.high, x, weights.high) }
                }
            }
            var tap = a
            var t = 0
            while t < source.taps {
                var p = tap
                let end = tap + source.depth
                while p < end {
                    add(p, w)
                    if stepsAtOnce > 1 { add(p + 4, w + 64) }
                    w += 64 &* stepsAtOnce
                    p += 4 &* stepsAtOnce
                }
                tap += source.tap
                t &+= 1
            }
            return sums
        }

        /// Writes the quantised values of a tile.
        @export(implementation) @inline(always)
        static func putTile(
            _ most: Int, _ count: Int, _ vectors: Int, _ row: QuantisedRow, _ a: UnsafeRawPointer,
            _ rounding: Rounding, _ residual: UnsafeRawPointer?, _ out: UnsafeMutableRawPointer
        ) {
            let source = row.source
            let sums = tile(most, vectors, source, a, PixelOffsets(most, source.pixel, count), row.panel)
            let multipliers = row.panel + (16 &* source.taps &* source.depth &+ 64)
            let (more, to) = (PixelOffsets(4, row.residualPixel, count), PixelOffsets(4, row.outPixel, count))

            @inline(always)
            func words(_ index: Int) -> __m256i {
                quantisedWords(sums[index], multipliers, rounding, residual.map { $0 + more[index] })
            }
            putPair(words(0), words(1), rounding, out, out + to[1])
            let third = words(2)
            putPair(third, most > 3 ? words(3) : third, rounding, out + to[2], out + to[3])
        }

        /// One row as floats, of which the first `channels` of a panel's sixteen are written.
        @export(implementation) @inline(always)
        public static func convolveRowToFloat(
            _ source: QuantisedSource, _ a: UnsafeRawPointer, _ pixels: Int, _ panel: UnsafeRawPointer, _ upper: Float,
            _ channels: Int, _ out: UnsafeMutableRawPointer, _ outPixel: Int
        ) {
            let multipliers = panel + (16 &* source.taps &* source.depth &+ 64)
            let channels = channels < 16 ? channels : 16
            var x = 0
            while x < pixels {
                let count = pixels &- x < 4 ? pixels &- x : 4
                let at = PixelOffsets(4, source.pixel, count)
                let target = out + x &* outPixel
                let to = PixelOffsets(4, outPixel, count)
                tile(4, 2, source, a + x &* source.pixel, at, panel).forEach(4) {
                    putFloats($0, multipliers, upper, channels, target + to[$1])
                }
                x &+= 4
            }
        }
    }

    /// Sixteen sums of a pixel as words. At `multipliers` are the multipliers of the channels, then their slopes.
    @export(implementation) @inline(always)
    func quantisedWords(
        _ sums: QuantisedSums, _ multipliers: UnsafeRawPointer, _ rounding: Rounding, _ residual: UnsafeRawPointer?
    ) -> __m256i {
        var (a, b) = (
            real(sums.low, loadFloats256(multipliers)), real(sums.high, loadFloats256(multipliers + 32))
        )
        if let residual {
            a = _mm256_add_ps(a, rounding.residual(residual))
            b = _mm256_add_ps(b, rounding.residual(residual + 8))
        }
        if rounding.hasSlopes {
            a = sloped(a, loadFloats256(multipliers + 64))
            b = sloped(b, loadFloats256(multipliers + 96))
        }
        return rounding.words(rounded(a), rounded(b))
    }

    @export(implementation) @inline(always)
    func putPair(
        _ first: __m256i, _ second: __m256i, _ rounding: Rounding, _ p: UnsafeMutableRawPointer,
        _ q: UnsafeMutableRawPointer
    ) {
        let values = rounding.clamped(bytes(first, second))
        store128(low(values), p)
        store128(high(values), q)
    }

    /// Writes the first `count` of sixteen sums as floats.
    @export(implementation) @inline(always)
    func putFloats(
        _ sums: QuantisedSums, _ multipliers: UnsafeRawPointer, _ upper: Float, _ count: Int,
        _ out: UnsafeMutableRawPointer
    ) {
        let a = sloped(real(sums.low, loadFloats256(multipliers)), loadFloats256(multipliers + 64))
        let b = sloped(real(sums.high, loadFloats256(multipliers + 32)), loadFloats256(multipliers + 96))
        let bound = _mm256_set1_ps(upper)
        putSome(_mm256_min_ps(a, bound), out, lanes(before: count))
        putSome(_mm256_min_ps(b, bound), out + 32, lanes(before: count &- 8))
    }
#endif
