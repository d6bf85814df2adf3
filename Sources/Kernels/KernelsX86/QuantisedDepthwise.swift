#if arch(x86_64)
    package import KernelInterface

    // The int8 depthwise convolutions of graphs, for the tiers that sum four neighbouring bytes.
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

    /// A tier's vectors of bytes and how it rounds sums.
    public protocol QuadVectors {
        associatedtype Integers: BitwiseCopyable
        associatedtype Floats
        associatedtype Rounding

        /// Vectors that are computed at once: with 32 registers two, with 16 one.
        static var vectorsAtOnce: Int { get }

        /// The low or high halves of the 128-bit lanes of two vectors, interleaved byte by byte or word by word.
        static func lowBytes(_ a: Integers, _ b: Integers) -> Integers
        static func highBytes(_ a: Integers, _ b: Integers) -> Integers
        static func lowWords(_ a: Integers, _ b: Integers) -> Integers
        static func highWords(_ a: Integers, _ b: Integers) -> Integers

        /// `sums` and the four products of each lane's values and weights, exact.
        static func dot(_ sums: Integers, _ values: Integers, _ weights: Integers) -> Integers

        static func rounding(_ p: UnsafeRawPointer) -> Rounding
        static func hasSlopes(_ rounding: Rounding) -> Bool
        /// Sums times the multipliers at `multipliers`.
        static func real(_ sums: Integers, _ multipliers: UnsafeRawPointer) -> Floats
        /// `v < 0 ? v * slope : v`
        static func sloped(_ v: Floats, _ slopes: UnsafeRawPointer) -> Floats
        /// The quantised values of four vectors, in the lane order of the packs.
        static func quantised(_ a: Floats, _ b: Floats, _ c: Floats, _ d: Floats, _ rounding: Rounding) -> Integers

        /// Writes the first `count` bytes of a vector, or all.
        static func storeFirst(_ v: Integers, _ p: UnsafeMutableRawPointer, _ count: Int)
        /// Computes `QuantisedDepthwiseRows`: a function of the tier for each size and number of rows, 1 or 2.
        static func depthwiseRows(_ size: Int, _ rows: Int, _ address: UnsafeRawPointer)
    }

    /// One output row, or two of stride 1. Distances are in bytes.
    @usableFromInline
    struct QuantisedDepthwiseRows {
        @usableFromInline
        let input: UnsafeRawPointer
        @usableFromInline
        let inRow, stride, pixels, channels: Int
        @usableFromInline
        let packed, rounding: UnsafeRawPointer
        @usableFromInline
        let out: UnsafeMutableRawPointer
        @usableFromInline
        let outRow: Int
        /// Columns of taps, as the size. Where the compiler does not know them it does not unroll their loop: the unrolled
        /// loop keeps all weights of 3x3 taps, far more than there are registers for.
        @usableFromInline
        let columns: Int

        @export(implementation) @inline(always)
        init(
            input: UnsafeRawPointer, inRow: Int, stride: Int, pixels: Int, channels: Int, packed: UnsafeRawPointer,
            rounding: UnsafeRawPointer, out: UnsafeMutableRawPointer, outRow: Int, columns: Int
        ) {
            (self.input, self.inRow, self.stride, self.pixels) = (input, inRow, stride, pixels)
            (self.channels, self.packed, self.rounding) = (channels, packed, rounding)
            (self.out, self.outRow, self.columns) = (out, outRow, columns)
        }
    }

    /// What `QuantisedConvolutionKernels.packDepthwise` writes.
    package func quadLayout(_ size: Int, vectorBytes: Int) -> WeightLayout {
        WeightLayout(
            width: vectorBytes, group: 4,
            taps: size == 3 ? ".036 .147 .258" : "05af 16bg 27ch 38di 49ej klmn o...",
            tapsAfter: size == 3 ? "036. 147. 258." : "5afk 6bgl 7chm 8din 9ejo 0123 .4..",
            isDepthOutermost: true, isInterleaved: true, repeatsBelow: 256, vectors: 3)
    }

    extension QuadVectors {
        @export(implementation) @inline(always)
        static var vectorBytes: Int { MemoryLayout<Integers>.size }

        /// Four vectors, as the weights of a quad.
        @export(implementation) @inline(always)
        static var quadBytes: Int { 4 &* vectorBytes }

        @export(implementation) @inline(always)
        static func load(_ p: UnsafeRawPointer) -> Integers { p.loadUnaligned(as: Integers.self) }

        @export(implementation) @inline(always)
        static func quads(_ size: Int) -> Int { size == 3 ? 3 : 7 }

        @export(implementation) @inline(always)
        static func upperOffset(_ size: Int) -> Int { (quads(size) &+ 3) &* quadBytes }

        @export(implementation) @inline(always)
        static func blockBytes(_ size: Int) -> Int { (2 &* quads(size) &+ 3) &* quadBytes }

        /// Whether a vector may span several pixels of a row of stride 1.
        @export(implementation) @inline(always)
        static func spansPixels(_ channels: Int) -> Bool { channels & (vectorBytes &- 1) == 0 || channels < 256 }

        /// Vectors until channels repeat.
        @export(implementation) @inline(always)
        static func blockCount(_ channels: Int) -> Int {
            var bytes = channels
            // The least common multiple with a power of two; channels are a multiple of 16.
            if spansPixels(channels) {
                while bytes & (vectorBytes &- 1) != 0 { bytes &*= 2 }
            }
            return (bytes &+ vectorBytes &- 1) / vectorBytes
        }

        /// See `QuantisedConvolutionKernels.Depthwise`.
        @export(implementation) @inline(always)
        public static func depthwise(
            _ input: UnsafePointer<UInt8>, _ inRow: Int, _ size: Int, _ stride: Int,
            _ height: Int, _ width: Int, _ channels: Int, _ packed: UnsafeRawPointer, _ rounding: UnsafeRawPointer,
            _ out: UnsafeMutablePointer<UInt8>, _ outRow: Int
        ) {
            var y = 0
            while y < height {
                let count = stride == 1 && height &- y > 1 ? 2 : 1
                let rows = QuantisedDepthwiseRows(
                    input: UnsafeRawPointer(input + stride &* y &* inRow), inRow: inRow, stride: stride, pixels: width,
                    channels: channels, packed: packed, rounding: rounding,
                    out: UnsafeMutableRawPointer(out + y &* outRow),
                    outRow: outRow, columns: size)
                withUnsafePointer(to: rows) { depthwiseRows(size, count, $0) }
                y &+= count
            }
        }

        /// - size, count: literals.
        /// - address: of `QuantisedDepthwiseRows`.
        @export(implementation) @inline(always)
        public static func computeDepthwiseRows(_ size: Int, _ count: Int, _ address: UnsafeRawPointer) {
            let rows = address.load(as: QuantisedDepthwiseRows.self)
            let blocks = blockCount(rows.channels)
            let isOneRun = rows.stride == 1 && spansPixels(rows.channels)
            // From a vector of the output to the next of the same channels. A run of one pixel ends before channels repeat.
            let outStep = isOneRun ? blocks &* vectorBytes : rows.channels
            let map = QuadMap<Self>(rows, isOneRun ? outStep : rows.stride &* rows.channels, outStep)
            var block = rows.packed
            var at = 0
            while at < outStep {
                var left = isOneRun ? rows.pixels &* rows.channels &- at : rows.channels &- at
                let leftStep = isOneRun ? outStep : 0
                var vectors = isOneRun ? (left &+ outStep &- 1) / outStep : rows.pixels
                var (source, target) = (rows.input + at, rows.out + at)
                while vectors >= vectorsAtOnce {
                    map.put(size, count, vectorsAtOnce, source, block, target, left, left &- leftStep)
                    source += vectorsAtOnce &* map.step
                    target += vectorsAtOnce &* outStep
                    left &-= vectorsAtOnce &* leftStep
                    vectors &-= vectorsAtOnce
                }
                if vectors > 0 { map.put(size, count, 1, source, block, target, left, left) }
                block += blockBytes(size)
                at &+= vectorBytes
            }
        }
    }

    /// Distances are in bytes.
    @usableFromInline
    struct QuadMap<V: QuadVectors> {
        @usableFromInline
        let columns, row, pixel, step, outStep, outRow: Int
        @usableFromInline
        let rounding: V.Rounding

        @export(implementation) @inline(always)
        init(_ rows: QuantisedDepthwiseRows, _ step: Int, _ outStep: Int) {
            (columns, row, pixel) = (rows.columns, rows.inRow, rows.channels)
            (self.step, self.outStep, outRow) = (step, outStep, rows.outRow)
            rounding = V.rounding(rows.rounding)
        }

        /// One or two vectors of one or two output rows. Of the output, `left` and `next` bytes are to be written.
        @export(implementation) @inline(always)
        func put(
            _ size: Int, _ rows: Int, _ vectors: Int, _ p: UnsafeRawPointer, _ block: UnsafeRawPointer,
            _ out: UnsafeMutableRawPointer, _ left: Int, _ next: Int
        ) {
            let bias = block + V.quads(size) &* V.quadBytes
            let start = Quad<V>(stored: bias)
            var (lower, lowerNext, upper, upperNext) = (start, start, start, start)
            // The four rows of the quads. With 5x5 taps the row above them is the upper output's alone; a single output
            // of 3x3 taps has three rows, and its weights of the first of four are 0.
            var p0 = size == 5 && rows == 2 ? p + row : p
            var p1 = size == 3 && rows == 1 ? p : p0 + row
            var w = block
            let columns = size == 5 ? 5 : columns
            var column = 0
            while column < columns {
                let quad = Quad<V>(p0, p1, p1 + row, p1 + 2 &* row)
                let (q0, q1) = (p0 + step, p1 + step)
                let quadNext = vectors > 1 ? Quad<V>(q0, q1, q1 + row, q1 + 2 &* row) : quad
                add(vectors, &lower, &lowerNext, quad, quadNext, w)
                if rows > 1 { add(vectors, &upper, &upperNext, quad, quadNext, w + V.upperOffset(size)) }
                p0 += pixel
                p1 += pixel
                w += V.quadBytes
                column &+= 1
            }
            if size == 5 {
                let bottom = p0 - 5 &* pixel + 4 &* row
                let above = w + V.upperOffset(size)
                let (quad, quadNext) = fourNeighbours(vectors, bottom)
                add(vectors, &lower, &lowerNext, quad, quadNext, w)
                if rows > 1 {
                    let (quad, quadNext) = fourNeighbours(vectors, p)
                    add(vectors, &upper, &upperNext, quad, quadNext, above)
                }
                let (last, first) = (bottom + 4 &* pixel, p + 4 &* pixel)
                let fifth = Quad<V>(last, rows > 1 ? first : last)
                let fifthNext = vectors > 1 ? Quad<V>(last + step, rows > 1 ? first + step : last + step) : fifth
                add(vectors, &lower, &lowerNext, fifth, fifthNext, w + V.quadBytes)
                if rows > 1 { add(vectors, &upper, &upperNext, fifth, fifthNext, above + V.quadBytes) }
            }
            let multipliers = bias + V.quadBytes
            if rows > 1 {
                V.storeFirst(upper.quantised(multipliers, rounding), out, left)
                if vectors > 1 { V.storeFirst(upperNext.quantised(multipliers, rounding), out + outStep, next) }
            }
            let target = rows > 1 ? out + outRow : out
            V.storeFirst(lower.quantised(multipliers, rounding), target, left)
            if vectors > 1 { V.storeFirst(lowerNext.quantised(multipliers, rounding), target + outStep, next) }
        }

        /// Four neighbours of a row, for each vector.
        @export(implementation) @inline(always)
        func fourNeighbours(_ vectors: Int, _ p: UnsafeRawPointer) -> (Quad<V>, Quad<V>) {
            let q = p + step
            let quad = Quad<V>(p, p + pixel, p + 2 &* pixel, p + 3 &* pixel)
            return (quad, vectors > 1 ? Quad(q, q + pixel, q + 2 &* pixel, q + 3 &* pixel) : quad)
        }

        @export(implementation) @inline(always)
        func add(
            _ vectors: Int, _ sums: inout Quad<V>, _ sumsNext: inout Quad<V>, _ quad: Quad<V>, _ quadNext: Quad<V>,
            _ w: UnsafeRawPointer
        ) {
            let weights = Quad<V>(stored: w)
            sums.add(quad, weights)
            if vectors > 1 { sumsNext.add(quadNext, weights) }
        }
    }

    /// Four vectors; vector k has four bytes, or the sum, of each of channels 4k..<4k+4 of each 16.
    @usableFromInline
    struct Quad<V: QuadVectors> {
        @usableFromInline
        var a, b, c, d: V.Integers

        @export(implementation) @inline(always)
        init(stored p: UnsafeRawPointer) {
            (a, b) = (V.load(p), V.load(p + V.vectorBytes))
            (c, d) = (V.load(p + 2 &* V.vectorBytes), V.load(p + 3 &* V.vectorBytes))
        }

        /// The bytes at four addresses, interleaved.
        @export(implementation) @inline(always)
        init(_ p0: UnsafeRawPointer, _ p1: UnsafeRawPointer, _ p2: UnsafeRawPointer, _ p3: UnsafeRawPointer) {
            let (v0, v1, v2, v3) = (V.load(p0), V.load(p1), V.load(p2), V.load(p3))
            let (low01, high01) = (V.lowBytes(v0, v1), V.highBytes(v0, v1))
            let (low23, high23) = (V.lowBytes(v2, v3), V.highBytes(v2, v3))
            (a, b) = (V.lowWords(low01, low23), V.highWords(low01, low23))
            (c, d) = (V.lowWords(high01, high23), V.highWords(high01, high23))
        }

        /// The bytes at two addresses, interleaved, twice.
        @export(implementation) @inline(always)
        init(_ p0: UnsafeRawPointer, _ p1: UnsafeRawPointer) { self.init(p0, p1, p0, p1) }

        @export(implementation) @inline(always)
        mutating func add(_ quad: Quad, _ weights: Quad) {
            (a, b) = (V.dot(a, quad.a, weights.a), V.dot(b, quad.b, weights.b))
            (c, d) = (V.dot(c, quad.c, weights.c), V.dot(d, quad.d, weights.d))
        }

        /// - p: four vectors of multipliers, then of slopes.
        @export(implementation) @inline(always)
        func quantised(_ p: UnsafeRawPointer, _ rounding: V.Rounding) -> V.Integers {
            let (p1, p2, p3) = (p + V.vectorBytes, p + 2 &* V.vectorBytes, p + 3 &* V.vectorBytes)
            var (v, w, x, y) = (V.real(a, p), V.real(b, p1), V.real(c, p2), V.real(d, p3))
            if V.hasSlopes(rounding) {
                (v, w) = (V.sloped(v, p + V.quadBytes), V.sloped(w, p1 + V.quadBytes))
                (x, y) = (V.sloped(x, p2 + V.quadBytes), V.sloped(y, p3 + V.quadBytes))
            }
            return V.quantised(v, w, x, y, rounding)
        }
    }
#endif
