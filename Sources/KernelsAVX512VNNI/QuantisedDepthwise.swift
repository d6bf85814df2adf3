#if arch(x86_64)
    import _Builtin_intrinsics.intel
    import KernelInterface

    // One source for the tiers that sum four neighbouring bytes, whatever the size of their vectors (Vectors.swift).
    //
    // Channels lie innermost, so the bytes of four taps are interleaved in two operations, which give four vectors:
    // vector k holds channels 4k..<4k+4 of each 16. The packs at the end undo exactly this order. Four such vectors are
    // a quad.
    //
    // Interleaving would take longer than the products. So the four taps lie one below the other, in the four rows that
    // an output row at stride 1 has in common with the output row below it, and two output rows share their quads. Of
    // 5x5 taps this leaves the upper row's first and the lower row's last taps: a quad each of four neighbours, and one
    // of both fifth taps. The four rows are all that 3x3 taps read. A single output row is treated as a lower row.
    //
    // At stride 1 a row of the map is a row of bytes in which the tap to the right is a constant distance away, so a
    // vector may span several pixels. With many channels, and with stride 2, every pixel starts a new vector. Vectors
    // that have the same channels use the same weights: where there are registers enough, two of them at once.
    //
    // Packed, for each vector until channels repeat: for every quad of a lower row four vectors of weights, then four
    // of biases, of multipliers and of slopes, then the weights of an upper row.

    /// Four vectors, as the weights of a quad.
    @inline(__always) private var quadBytes: Int { 4 &* vectorBytes }

    @inline(__always)
    private func quads(_ size: Int) -> Int { size == 3 ? 3 : 7 }

    @inline(__always)
    private func upperOffset(_ size: Int) -> Int { (quads(size) &+ 3) &* quadBytes }

    @inline(__always)
    private func blockBytes(_ size: Int) -> Int { (2 &* quads(size) &+ 3) &* quadBytes }

    /// Whether a vector may span several pixels of a row of stride 1.
    @inline(__always)
    private func spansPixels(_ channels: Int) -> Bool { channels & (vectorBytes &- 1) == 0 || channels < 256 }

    /// Vectors until channels repeat.
    @inline(__always)
    private func blockCount(_ channels: Int) -> Int {
        var bytes = channels
        // The least common multiple with a power of two; channels are a multiple of 16.
        if spansPixels(channels) {
            while bytes & (vectorBytes &- 1) != 0 { bytes &*= 2 }
        }
        return (bytes &+ vectorBytes &- 1) / vectorBytes
    }

    /// The tap whose weight byte `index` of a quad is multiplied by; nil if the weight is 0.

    /// See `QuantisedConvolutionKernels.PackDepthwise`.
    /// What `QuantisedConvolutionKernels.packDepthwise` writes.
    @inline(__always)
    func depthwiseLayout(_ size: Int) -> WeightLayout {
        WeightLayout(
            width: vectorBytes, group: 4,
            taps: size == 3 ? ".036 .147 .258" : "05af 16bg 27ch 38di 49ej klmn o...",
            tapsAfter: size == 3 ? "036. 147. 258." : "5afk 6bgl 7chm 8din 9ejo 0123 .4..",
            isDepthOutermost: true, isInterleaved: true, repeatsBelow: 256, vectors: 3)
    }

    /// See `QuantisedConvolutionKernels.Depthwise`. `depthwiseLines` is one function a size and number of rows in each
    /// tier, because the compiler inlines all of a tile only into a small caller.
    @inline(__always)
    func depthwise(
        _ input: UnsafePointer<UInt8>, _ inRow: Int, _ size: Int, _ stride: Int,
        _ lines: Int, _ pixels: Int, _ channels: Int, _ packed: UnsafeRawPointer, _ rounding: UnsafeRawPointer,
        _ out: UnsafeMutablePointer<UInt8>, _ outRow: Int
    ) {
        var y = 0
        while y < lines {
            let rows = stride == 1 && lines &- y > 1 ? 2 : 1
            let source = UnsafeRawPointer(input + stride &* y &* inRow)
            let target = UnsafeMutableRawPointer(out + y &* outRow)
            if size == 3 {
                if rows == 2 {
                    depthwisePair3(size, source, inRow, stride, pixels, channels, packed, rounding, target, outRow)
                } else {
                    depthwiseRow3(size, source, inRow, stride, pixels, channels, packed, rounding, target)
                }
            } else {
                if rows == 2 {
                    depthwisePair5(source, inRow, stride, pixels, channels, packed, rounding, target, outRow)
                } else {
                    depthwiseRow5(source, inRow, stride, pixels, channels, packed, rounding, target)
                }
            }
            y &+= rows
        }
    }

    /// One output row, or two of stride 1.
    /// - columns: of taps, as `size`. Where the compiler does not know them it does not unroll their loop: the unrolled
    ///   loop keeps all weights of 3x3 taps, far more than there are registers for.
    @inline(__always)
    func depthwiseLines(
        _ size: Int, _ rows: Int, _ columns: Int, _ input: UnsafeRawPointer, _ inRow: Int, _ stride: Int, _ pixels: Int,
        _ channels: Int, _ packed: UnsafeRawPointer, _ rounding: UnsafeRawPointer, _ out: UnsafeMutableRawPointer,
        _ outRow: Int
    ) {
        let blocks = blockCount(channels)
        let isOneRun = stride == 1 && spansPixels(channels)
        // From a vector of the output to the next of the same channels. A run of one pixel ends before channels repeat.
        let outStep = isOneRun ? blocks &* vectorBytes : channels
        let lines = DepthwiseLines(
            columns: columns, line: inRow, pixel: channels, step: isOneRun ? outStep : stride &* channels,
            outStep: outStep, outRow: outRow, rounding: Rounding(rounding))
        var block = packed
        var at = 0
        while at < outStep {
            var left = isOneRun ? pixels &* channels &- at : channels &- at
            let leftStep = isOneRun ? outStep : 0
            var count = isOneRun ? (left &+ outStep &- 1) / outStep : pixels
            var (source, target) = (input + at, out + at)
            while count >= vectorsAtOnce {
                lines.put(size, rows, vectorsAtOnce, source, block, target, left, left &- leftStep)
                source += vectorsAtOnce &* lines.step
                target += vectorsAtOnce &* outStep
                left &-= vectorsAtOnce &* leftStep
                count &-= vectorsAtOnce
            }
            if count > 0 { lines.put(size, rows, 1, source, block, target, left, left) }
            block += blockBytes(size)
            at &+= vectorBytes
        }
    }

    /// Distances are in bytes.
    private struct DepthwiseLines {
        let columns, line, pixel, step: Int
        let outStep, outRow: Int
        let rounding: Rounding

        /// One or two vectors of one or two output rows. Of the output, `left` and `next` bytes are to be written.
        @inline(always)
        func put(
            _ size: Int, _ rows: Int, _ vectors: Int, _ p: UnsafeRawPointer, _ block: UnsafeRawPointer,
            _ out: UnsafeMutableRawPointer, _ left: Int, _ next: Int
        ) {
            let bias = block + quads(size) &* quadBytes
            let start = Sums(bias)
            var (lower, lowerNext, upper, upperNext) = (start, start, start, start)
            // The four rows of the quads. With 5x5 taps the row above them is the upper output's alone; a single output
            // of 3x3 taps has three rows, and its weights of the first of four are 0.
            var p0 = size == 5 && rows == 2 ? p + line : p
            var p1 = size == 3 && rows == 1 ? p : p0 + line
            var w = block
            var column = 0
            while column < columns {
                let quad = Quad(p0, p1, p1 + line, p1 + 2 &* line)
                let (q0, q1) = (p0 + step, p1 + step)
                let quadNext = vectors > 1 ? Quad(q0, q1, q1 + line, q1 + 2 &* line) : quad
                add(vectors, &lower, &lowerNext, quad, quadNext, w)
                if rows > 1 { add(vectors, &upper, &upperNext, quad, quadNext, w + upperOffset(size)) }
                p0 += pixel
                p1 += pixel
                w += quadBytes
                column &+= 1
            }
            if size == 5 {
                let bottom = p0 - 5 &* pixel + 4 &* line
                let above = w + upperOffset(size)
                let (quad, quadNext) = fourNeighbours(vectors, bottom)
                add(vectors, &lower, &lowerNext, quad, quadNext, w)
                if rows > 1 {
                    let (quad, quadNext) = fourNeighbours(vectors, p)
                    add(vectors, &upper, &upperNext, quad, quadNext, above)
                }
                let (last, first) = (bottom + 4 &* pixel, p + 4 &* pixel)
                let fifth = Quad(last, rows > 1 ? first : last)
                let fifthNext = vectors > 1 ? Quad(last + step, rows > 1 ? first + step : last + step) : fifth
                add(vectors, &lower, &lowerNext, fifth, fifthNext, w + quadBytes)
                if rows > 1 { add(vectors, &upper, &upperNext, fifth, fifthNext, above + quadBytes) }
            }
            let multipliers = bias + quadBytes
            if rows > 1 {
                storeFirst(upper.codes(multipliers, rounding), out, left)
                if vectors > 1 { storeFirst(upperNext.codes(multipliers, rounding), out + outStep, next) }
            }
            let target = rows > 1 ? out + outRow : out
            storeFirst(lower.codes(multipliers, rounding), target, left)
            if vectors > 1 { storeFirst(lowerNext.codes(multipliers, rounding), target + outStep, next) }
        }

        /// Four neighbours of a row, for each vector.
        @inline(__always)
        private func fourNeighbours(_ vectors: Int, _ p: UnsafeRawPointer) -> (Quad, Quad) {
            let q = p + step
            let quad = Quad(p, p + pixel, p + 2 &* pixel, p + 3 &* pixel)
            return (quad, vectors > 1 ? Quad(q, q + pixel, q + 2 &* pixel, q + 3 &* pixel) : quad)
        }

        @inline(__always)
        private func add(
            _ vectors: Int, _ sums: inout Sums, _ sumsNext: inout Sums, _ quad: Quad, _ quadNext: Quad,
            _ w: UnsafeRawPointer
        ) {
            let weights = Quad(
                load(w), load(w + vectorBytes), load(w + 2 &* vectorBytes), load(w + 3 &* vectorBytes))
            sums.add(quad, weights)
            if vectors > 1 { sumsNext.add(quadNext, weights) }
        }
    }

    /// Four vectors; vector k has four bytes each of channels 4k..<4k+4 of each 16.
    private struct Quad {
        let a, b, c, d: Integers

        @inline(__always)
        init(_ a: Integers, _ b: Integers, _ c: Integers, _ d: Integers) {
            (self.a, self.b, self.c, self.d) = (a, b, c, d)
        }

        /// The bytes at four addresses, interleaved.
        @inline(__always)
        init(_ p0: UnsafeRawPointer, _ p1: UnsafeRawPointer, _ p2: UnsafeRawPointer, _ p3: UnsafeRawPointer) {
            let (v0, v1, v2, v3) = (load(p0), load(p1), load(p2), load(p3))
            self.init(lowBytes(v0, v1), highBytes(v0, v1), low23: lowBytes(v2, v3), high23: highBytes(v2, v3))
        }

        /// The bytes at two addresses, interleaved, twice.
        @inline(__always)
        init(_ p0: UnsafeRawPointer, _ p1: UnsafeRawPointer) {
            let (v0, v1) = (load(p0), load(p1))
            let (low, high) = (lowBytes(v0, v1), highBytes(v0, v1))
            self.init(low, high, low23: low, high23: high)
        }

        /// Of bytes of two taps each.
        @inline(__always)
        private init(_ low01: Integers, _ high01: Integers, low23: Integers, high23: Integers) {
            a = lowWords(low01, low23)
            b = highWords(low01, low23)
            c = lowWords(high01, high23)
            d = highWords(high01, high23)
        }
    }

    /// The sums of a vector of bytes, in the order of a quad.
    private struct Sums {
        private var a, b, c, d: Integers

        /// - p: four vectors of biases.
        @inline(__always)
        init(_ p: UnsafeRawPointer) {
            a = load(p)
            b = load(p + vectorBytes)
            c = load(p + 2 &* vectorBytes)
            d = load(p + 3 &* vectorBytes)
        }

        @inline(__always)
        mutating func add(_ quad: Quad, _ weights: Quad) {
            a = dot(a, quad.a, weights.a)
            b = dot(b, quad.b, weights.b)
            c = dot(c, quad.c, weights.c)
            d = dot(d, quad.d, weights.d)
        }

        /// - p: four vectors of multipliers, then of slopes.
        @inline(__always)
        func codes(_ p: UnsafeRawPointer, _ rounding: Rounding) -> Integers {
            var (v, w) = (real(a, loadFloats(p)), real(b, loadFloats(p + vectorBytes)))
            var (x, y) = (real(c, loadFloats(p + 2 &* vectorBytes)), real(d, loadFloats(p + 3 &* vectorBytes)))
            if rounding.hasSlopes {
                let q = p + quadBytes
                v = sloped(v, loadFloats(q))
                w = sloped(w, loadFloats(q + vectorBytes))
                x = sloped(x, loadFloats(q + 2 &* vectorBytes))
                y = sloped(y, loadFloats(q + 3 &* vectorBytes))
            }
            return rounding.codes(rounded(v), rounded(w), rounded(x), rounded(y))
        }
    }
#endif
