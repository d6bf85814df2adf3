#if arch(x86_64)
    public import KernelInterface

    // The float32 convolutions of network graphs: matrix products of pixels by channels, whose depth is all that the taps
    // cover. Bias, residual and activation are applied while the sums are in registers.
    //
    // Packed, for each panel of w channels: weights [depth][w], w biases, w slopes; channels past the last are 0.

    @export(implementation) @inline(always)
    func floatPanelBytes(_ width: Int, _ depth: Int) -> Int { 4 &* width &* (depth &+ 2) }

    /// One row of a panel: its input, its output, and how far it has been computed. Strides are in bytes.
    public struct FloatRow {
        /// From a pixel of the input to the next, rows of taps, from one to the next, and values of each.
        @usableFromInline
        let inPixel, taps, tap, depth: Int
        @usableFromInline
        let panel: UnsafeRawPointer
        @usableFromInline
        let outPixel: Int
        /// Channels that are left in the map.
        @usableFromInline
        let channels: Int
        @usableFromInline
        let upper: Float
        @usableFromInline
        let residualPixel, residualChannels: Int
        /// Pixels that are left.
        public var pixels: Int
        @usableFromInline
        var a: UnsafeRawPointer
        @usableFromInline
        var out: UnsafeMutableRawPointer
        @usableFromInline
        var residual: UnsafeRawPointer?

        @export(implementation) @inline(always)
        init(
            inPixel: Int, taps: Int, tap: Int, depth: Int, panel: UnsafeRawPointer, outPixel: Int, channels: Int,
            upper: Float, residualPixel: Int, residualChannels: Int, pixels: Int, a: UnsafeRawPointer,
            out: UnsafeMutableRawPointer, residual: UnsafeRawPointer?
        ) {
            (self.inPixel, self.taps, self.tap, self.depth) = (inPixel, taps, tap, depth)
            (self.panel, self.outPixel, self.channels, self.upper) = (panel, outPixel, channels, upper)
            (self.residualPixel, self.residualChannels) = (residualPixel, residualChannels)
            (self.pixels, self.a, self.out, self.residual) = (pixels, a, out, residual)
        }

        /// Goes on by `count` pixels.
        @export(implementation) @inline(always)
        public mutating func skip(_ count: Int) {
            a += count &* inPixel
            out += count &* outPixel
            if let more = residual { residual = more + count &* residualPixel }
            pixels &-= count
        }
    }

    extension FloatVectors {
        /// See `ConvolutionKernels.Convolve`.
        @export(implementation) @inline(always)
        public static func convolve(
            _ a: UnsafePointer<Float>, _ aRow: Int, _ aPixel: Int, _ height: Int, _ width: Int,
            _ taps: Int, _ tapStride: Int, _ depth: Int, _ channels: Int, _ packed: UnsafeRawPointer,
            _ residual: UnsafePointer<Float>?, _ residualRow: Int, _ residualPixel: Int, _ residualChannels: Int,
            _ upper: Float, _ out: UnsafeMutablePointer<Float>, _ outRow: Int, _ outPixel: Int
        ) {
            // Rows that are contiguous in all maps are computed as one row: fewer tiles that are not full.
            let follows = residual == nil || residualRow == width &* residualPixel
            let isOneRow = follows && aRow == width &* aPixel && outRow == width &* outPixel
            let (rows, pixels) = isOneRow ? (1, height &* width) : (height, width)
            let source = UnsafeRawPointer(a)
            var panel = packed
            var n = 0
            while n < channels {
                let width = panelWidth(channels &- n)
                var more: UnsafeRawPointer?
                if let residual, n < residualChannels { more = UnsafeRawPointer(residual + n) }
                let target = UnsafeMutableRawPointer(out + n)
                var y = 0
                while y < rows {
                    let row = FloatRow(
                        inPixel: 4 &* aPixel, taps: taps, tap: 4 &* tapStride, depth: depth, panel: panel,
                        outPixel: 4 &* outPixel, channels: channels &- n, upper: upper,
                        residualPixel: 4 &* residualPixel, residualChannels: residualChannels &- n, pixels: pixels,
                        a: source + 4 &* aRow &* y, out: target + 4 &* outRow &* y, residual: more)
                    withUnsafePointer(to: row) { convolveRow(width, $0) }
                    if let residual = more { more = residual + 4 &* residualRow }
                    y &+= 1
                }
                panel += floatPanelBytes(width, taps &* depth)
                n &+= width
            }
        }

        /// Computes the next `count` pixels of a row.
        /// - most: pixels of the tile, at least `count`; a literal, as `vectors` is. If they are eight and `count` is less,
        ///   seven are computed.
        @export(implementation) @inline(always)
        public static func convolveTile(_ most: Int, _ vectors: Int, _ row: FloatRow, _ count: Int) {
            let step = bytes &* vectors
            let end = row.panel + step &* row.taps &* row.depth
            var sums = RegisterArray(repeating: FloatSums<Self>(vectors, end))
            if let residual = row.residual {
                let at = PixelOffsets(most, row.residualPixel, count)
                let masks = masks(vectors, row.residualChannels)
                sums.update(most) { pixel, index in
                    pixel.vectors.update(vectors) {
                        $0 = sum($0, load(residual + (at[index] &+ $1 &* bytes), masks[$1]))
                    }
                }
            }
            let at = PixelOffsets(most, row.inPixel, count)
            var w = row.panel
            var tap = row.a
            var t = 0
            while t < row.taps {
                let tapEnd = tap + 4 &* row.depth
                if most < 8 || count == 8 {
                    addTap(most, vectors, &sums, tap, tapEnd, at, &w)
                } else {
                    addTap(7, vectors, &sums, tap, tapEnd, at, &w)
                }
                tap += row.tap
                t &+= 1
            }
            let slopes = FloatSums<Self>(vectors, end + step)
            let to = PixelOffsets(most, row.outPixel, count)
            sums.update(most) { pixel, _ in
                pixel.vectors.update(vectors) { $0 = activated($0, slopes.vectors[$1], row.upper) }
            }
            if !areMasksFree && row.channels >= laneCount &* vectors {
                sums.forEach(most) { pixel, index in
                    pixel.vectors.forEach(vectors) { store($0, row.out + (to[index] &+ $1 &* bytes)) }
                }
            } else {
                let masks = masks(vectors, row.channels)
                sums.forEach(most) { pixel, index in
                    if index < 7 || count == 8 {
                        pixel.vectors.forEach(vectors) {
                            store($0, row.out + (to[index] &+ $1 &* bytes), masks[$1])
                        }
                    }
                }
            }
        }

        /// The lanes of some vectors that are among the first channels.
        @export(implementation) @inline(always)
        static func masks(_ vectors: Int, _ channels: Int) -> RegisterArray<Mask> {
            RegisterArray(vectors) { mask(before: channels &- $0 &* laneCount) }
        }

        /// Adds the products of a row of taps.
        @export(implementation) @inline(always)
        static func addTap(
            _ pixels: Int, _ vectors: Int, _ sums: inout RegisterArray<FloatSums<Self>>, _ tap: UnsafeRawPointer,
            _ end: UnsafeRawPointer, _ at: PixelOffsets, _ w: inout UnsafeRawPointer
        ) {
            var p = tap
            while p < end {
                let weights = FloatSums<Self>(vectors, w)
                sums.update(pixels) { $0.add(vectors, p + at[$1], weights) }
                w += bytes &* vectors
                p += 4
            }
        }
    }
#endif
