#if arch(wasm32)
    import CWasmSIMD
    import KernelInterface

    // Depthwise convolutions of network graphs.
    //
    // The word product adds two neighbours, and channels lie innermost. So two rows of the map are interleaved and
    // widened. That is done once, for all the output rows and all the columns of taps that need them; the interleaved rows
    // are kept in a ring on the stack, sixteen channels and some pixels wide. A row of taps without a partner has weights of 0 for the other row of its pair, so an output row
    // that begins with the second row of a pair has weights of its own.
    //
    // A block is four channels of six or seven output pixels. Its sums and the weights of one row of pairs are in
    // registers. Networks' maps have widths that are multiples of six or of seven. The last block of a row is moved
    // back to end with the row.
    //
    // Packed, for each sixteen channels, four of them at a time: the weights for output rows that begin with the first
    // row of a pair, then those for the others; then sixteen biases, multipliers and slopes.

    /// Rows of pairs that the taps of an output row need.
    @inline(__always)
    private func pairCount(_ size: Int) -> Int { size / 2 &+ 1 }

    /// Bytes of the weights of four channels for one kind of output rows.
    @inline(__always)
    private func weightBytes(_ size: Int) -> Int { 16 &* size &* pairCount(size) }

    /// Bytes of the packed parameters of sixteen channels.
    @inline(__always)
    private func panelBytes(_ size: Int) -> Int { 8 &* weightBytes(size) &+ 192 }

    /// What `QuantisedConvolutionKernels.packDepthwise` writes.
    @inline(__always)
    func quantisedDepthwiseLayout(_ size: Int) -> WeightLayout {
        WeightLayout(
            width: 16, run: 4, group: 2, weightBytes: 2,
            taps: size == 3
                ? "03 14 25 6. 7. 8.  .0 .1 .2 36 47 58"
                : """
                05 16 27 38 49 af bg ch di ej k. l. m. n. o. .0 .1 .2 .3 .4 5a 6b 7c 8d 9e fk gl hm in jo
                """,
            isDepthOutermost: true, vectors: 3)
    }

    /// See `QuantisedConvolutionKernels.Depthwise`.
    @c(gk_dw_q8_simd128) @export(interface) @inline(never)
    func depthwiseQuantised(
        _ input: UnsafePointer<UInt8>, _ inRow: Int, _ size: Int, _ stride: Int,
        _ lines: Int, _ pixels: Int, _ channels: Int, _ packed: UnsafeRawPointer, _ rounding: UnsafeRawPointer,
        _ out: UnsafeMutablePointer<UInt8>, _ outRow: Int
    ) {
        let rounding = Rounding(rounding)
        var ring = PairRing()
        withUnsafeMutableBytes(of: &ring) { ring in
            let source = DepthwiseSource(
                UnsafeRawPointer(input), inRow, channels, stride, size, lines, ring.baseAddress!)
            // The ring has room for these with their taps.
            let widest = (pixels % 6 == 0 ? 48 : 56) / stride
            var c = 0
            var panel = packed
            while c < channels {
                var x = 0
                while x < pixels {
                    let width = pixels &- x < widest ? pixels &- x : widest
                    let target = UnsafeMutableRawPointer(out + (x &* channels &+ c))
                    let isSix = width % 6 == 0
                    if size == 3 {
                        if isSix {
                            source.put(3, true, x, c, width, panel, rounding, target, outRow)
                        } else {
                            source.put(3, false, x, c, width, panel, rounding, target, outRow)
                        }
                    } else {
                        if isSix {
                            source.put(5, true, x, c, width, panel, rounding, target, outRow)
                        } else {
                            source.put(5, false, x, c, width, panel, rounding, target, outRow)
                        }
                    }
                    x &+= widest
                }
                c &+= 16
                panel += panelBytes(size)
            }
        }
    }

    /// Three interleaved rows of 64 pixels with sixteen channels.
    private typealias PairRing = InlineArray<768, Vector>

    extension PairRing { fileprivate init() { self.init(repeating: zeros()) } }

    /// Part of a map, and the ring of its interleaved rows.
    private struct DepthwiseSource {
        private let input: UnsafeRawPointer
        private let inRow, channels, stride, lines, pairs: Int
        /// The last row that any tap reads.
        private let lastRow: Int
        private let ring: UnsafeMutableRawPointer

        /// Bytes of an interleaved row.
        @inline(__always)
        private static var rowBytes: Int { 64 &* 64 }

        @inline(__always)
        init(
            _ input: UnsafeRawPointer, _ inRow: Int, _ channels: Int, _ stride: Int, _ size: Int, _ lines: Int,
            _ ring: UnsafeMutableRawPointer
        ) {
            self.input = input
            self.inRow = inRow
            self.channels = channels
            self.stride = stride
            self.lines = lines
            pairs = pairCount(size)
            lastRow = stride &* (lines &- 1) &+ size &- 1
            self.ring = ring
        }

        /// Interleaves rows 2 * pair and 2 * pair + 1 of `columns` pixels. A row after the last has no influence.
        @inline(__always)
        private func interleave(
            _ pair: Int, _ start: UnsafeRawPointer, _ columns: Int, _ target: UnsafeMutableRawPointer
        ) {
            var above = start + 2 &* pair &* inRow
            var below = 2 &* pair < lastRow ? above + inRow : above
            var to = target
            var left = columns
            while left > 0 {
                let (a, b) = (loadWords(above), loadWords(below))
                let (c, d) = (loadWords(above + 8), loadWords(below + 8))
                store(lowWordPairs(a, b), to)
                store(highWordPairs(a, b), to + 16)
                store(lowWordPairs(c, d), to + 32)
                store(highWordPairs(c, d), to + 48)
                above += channels
                below += channels
                to += 64
                left &-= 1
            }
        }

        /// Makes sixteen channels of all rows, `pixels` wide.
        @inline(__always)
        func put(
            _ size: Int, _ isSix: Bool, _ x: Int, _ c: Int, _ pixels: Int, _ panel: UnsafeRawPointer,
            _ rounding: Rounding, _ out: UnsafeMutableRawPointer, _ outRow: Int
        ) {
            let start = input + (stride &* x &* channels &+ c)
            let columns = stride &* (pixels &- 1) &+ size
            let pairs = pairs
            var made = 0
            var y = 0
            var target = out
            while y < lines {
                let first = (stride &* y) &>> 1
                while made < first &+ pairs {
                    interleave(made, start, columns, ring + made % pairs &* Self.rowBytes)
                    made &+= 1
                }
                let rows = PairRows(
                    ring + first % pairs &* Self.rowBytes, ring + (first &+ 1) % pairs &* Self.rowBytes,
                    ring + (first &+ 2) % pairs &* Self.rowBytes)
                let isSecond = (stride &* y) & 1
                var k = 0
                while k < 4 {
                    let weights = panel + (2 &* k &+ isSecond) &* weightBytes(size)
                    let parameters = panel + (8 &* weightBytes(size) &+ 16 &* k)
                    if stride == 1 {
                        rows.put(
                            size, 1, isSix, k, pixels, weights, parameters, rounding, target + 4 &* k, channels,
                            pairs)
                    } else {
                        rows.put(
                            size, 2, isSix, k, pixels, weights, parameters, rounding, target + 4 &* k, channels,
                            pairs)
                    }
                    k &+= 1
                }
                target += outRow
                y &+= 1
            }
        }
    }

    /// The interleaved rows of an output row; the third is for 5x5 taps.
    private struct PairRows {
        let first, second, third: UnsafeRawPointer

        @inline(__always)
        init(_ first: UnsafeRawPointer, _ second: UnsafeRawPointer, _ third: UnsafeRawPointer) {
            self.first = first
            self.second = second
            self.third = third
        }

        /// Makes four channels of an output row.
        /// - k: which four of sixteen.
        @inline(__always)
        func put(
            _ size: Int, _ stride: Int, _ isSix: Bool, _ k: Int, _ pixels: Int, _ weights: UnsafeRawPointer,
            _ parameters: UnsafeRawPointer, _ rounding: Rounding, _ out: UnsafeMutableRawPointer, _ outPixel: Int,
            _ pairs: Int
        ) {
            let count = isSix ? 6 : 7
            let bias = load(parameters)
            var x = 0
            while x < pixels {
                if x &+ count > pixels, pixels >= count { x = pixels &- count }
                let at = 64 &* stride &* x &+ 16 &* k
                var sums = Seven(bias)
                // A loop, so that the weights of one row of pairs alone are in registers.
                var (p, next, w) = (first, second, weights)
                var left = pairs
                while left > 0 {
                    sums.add(size, stride, isSix, masked(p + at, 16), masked(w, 16))
                    (p, next) = (next, third)
                    w += 16 &* size
                    left &-= 1
                }
                sums.put(isSix, parameters + 64, rounding, out + x &* outPixel, outPixel, pixels &- x)
                x &+= count
            }
        }
    }

    /// The sums of four channels of six or seven pixels.
    private struct Seven {
        private var s0, s1, s2, s3, s4, s5, s6: Vector

        @inline(__always)
        init(_ bias: Vector) { (s0, s1, s2, s3, s4, s5, s6) = (bias, bias, bias, bias, bias, bias, bias) }

        /// Adds the taps of one row of pairs.
        @inline(__always)
        mutating func add(_ size: Int, _ stride: Int, _ isSix: Bool, _ p: UnsafeRawPointer, _ w: UnsafeRawPointer) {
            let (w0, w1, w2) = (load(w), load(w + 16), load(w + 32))
            @inline(__always) func x(_ column: Int) -> Vector { load(p + 64 &* column) }
            if size == 3 {
                if stride == 1 {
                    var v = x(0)
                    s0 = dot(s0, v, w0)
                    v = x(1)
                    (s0, s1) = (dot(s0, v, w1), dot(s1, v, w0))
                    v = x(2)
                    (s0, s1, s2) = (dot(s0, v, w2), dot(s1, v, w1), dot(s2, v, w0))
                    v = x(3)
                    (s1, s2, s3) = (dot(s1, v, w2), dot(s2, v, w1), dot(s3, v, w0))
                    v = x(4)
                    (s2, s3, s4) = (dot(s2, v, w2), dot(s3, v, w1), dot(s4, v, w0))
                    v = x(5)
                    (s3, s4, s5) = (dot(s3, v, w2), dot(s4, v, w1), dot(s5, v, w0))
                    v = x(6)
                    (s4, s5) = (dot(s4, v, w2), dot(s5, v, w1))
                    if !isSix { s6 = dot(s6, v, w0) }
                    v = x(7)
                    s5 = dot(s5, v, w2)
                    guard !isSix else { return }
                    s6 = dot(s6, v, w1)
                    s6 = dot(s6, x(8), w2)
                } else {
                    s0 = dot(dot(s0, x(0), w0), x(1), w1)
                    var v = x(2)
                    (s0, s1) = (dot(s0, v, w2), dot(s1, v, w0))
                    s1 = dot(s1, x(3), w1)
                    v = x(4)
                    (s1, s2) = (dot(s1, v, w2), dot(s2, v, w0))
                    s2 = dot(s2, x(5), w1)
                    v = x(6)
                    (s2, s3) = (dot(s2, v, w2), dot(s3, v, w0))
                    s3 = dot(s3, x(7), w1)
                    v = x(8)
                    (s3, s4) = (dot(s3, v, w2), dot(s4, v, w0))
                    s4 = dot(s4, x(9), w1)
                    v = x(10)
                    (s4, s5) = (dot(s4, v, w2), dot(s5, v, w0))
                    s5 = dot(s5, x(11), w1)
                    v = x(12)
                    s5 = dot(s5, v, w2)
                    guard !isSix else { return }
                    s6 = dot(dot(dot(s6, v, w0), x(13), w1), x(14), w2)
                }
                return
            }
            let (w3, w4) = (load(w + 48), load(w + 64))
            if stride == 1 {
                var v = x(0)
                s0 = dot(s0, v, w0)
                v = x(1)
                (s0, s1) = (dot(s0, v, w1), dot(s1, v, w0))
                v = x(2)
                (s0, s1, s2) = (dot(s0, v, w2), dot(s1, v, w1), dot(s2, v, w0))
                v = x(3)
                (s0, s1, s2, s3) = (dot(s0, v, w3), dot(s1, v, w2), dot(s2, v, w1), dot(s3, v, w0))
                v = x(4)
                (s0, s1, s2, s3) = (dot(s0, v, w4), dot(s1, v, w3), dot(s2, v, w2), dot(s3, v, w1))
                s4 = dot(s4, v, w0)
                v = x(5)
                (s1, s2, s3, s4) = (dot(s1, v, w4), dot(s2, v, w3), dot(s3, v, w2), dot(s4, v, w1))
                s5 = dot(s5, v, w0)
                v = x(6)
                (s2, s3, s4, s5) = (dot(s2, v, w4), dot(s3, v, w3), dot(s4, v, w2), dot(s5, v, w1))
                if !isSix { s6 = dot(s6, v, w0) }
                v = x(7)
                (s3, s4, s5) = (dot(s3, v, w4), dot(s4, v, w3), dot(s5, v, w2))
                if !isSix { s6 = dot(s6, v, w1) }
                v = x(8)
                (s4, s5) = (dot(s4, v, w4), dot(s5, v, w3))
                if !isSix { s6 = dot(s6, v, w2) }
                v = x(9)
                s5 = dot(s5, v, w4)
                guard !isSix else { return }
                s6 = dot(dot(s6, v, w3), x(10), w4)
            } else {
                s0 = dot(dot(s0, x(0), w0), x(1), w1)
                var v = x(2)
                (s0, s1) = (dot(s0, v, w2), dot(s1, v, w0))
                v = x(3)
                (s0, s1) = (dot(s0, v, w3), dot(s1, v, w1))
                v = x(4)
                (s0, s1, s2) = (dot(s0, v, w4), dot(s1, v, w2), dot(s2, v, w0))
                v = x(5)
                (s1, s2) = (dot(s1, v, w3), dot(s2, v, w1))
                v = x(6)
                (s1, s2, s3) = (dot(s1, v, w4), dot(s2, v, w2), dot(s3, v, w0))
                v = x(7)
                (s2, s3) = (dot(s2, v, w3), dot(s3, v, w1))
                v = x(8)
                (s2, s3, s4) = (dot(s2, v, w4), dot(s3, v, w2), dot(s4, v, w0))
                v = x(9)
                (s3, s4) = (dot(s3, v, w3), dot(s4, v, w1))
                v = x(10)
                (s3, s4, s5) = (dot(s3, v, w4), dot(s4, v, w2), dot(s5, v, w0))
                v = x(11)
                (s4, s5) = (dot(s4, v, w3), dot(s5, v, w1))
                v = x(12)
                (s4, s5) = (dot(s4, v, w4), dot(s5, v, w2))
                if !isSix { s6 = dot(s6, v, w0) }
                v = x(13)
                s5 = dot(s5, v, w3)
                if !isSix { s6 = dot(s6, v, w1) }
                v = x(14)
                s5 = dot(s5, v, w4)
                guard !isSix else { return }
                s6 = dot(dot(dot(s6, v, w2), x(15), w3), x(16), w4)
            }
        }

        /// Writes the pixels, of which `left` are left in the row.
        /// - multipliers: four, and four slopes 64 bytes after them.
        @inline(__always)
        func put(
            _ isSix: Bool, _ multipliers: UnsafeRawPointer, _ rounding: Rounding, _ out: UnsafeMutableRawPointer,
            _ outPixel: Int, _ left: Int
        ) {
            let multiplier = load(multipliers)
            var (a, b, c) = (
                rounding.real(s0, multiplier), rounding.real(s1, multiplier), rounding.real(s2, multiplier)
            )
            var (d, e, f) = (
                rounding.real(s3, multiplier), rounding.real(s4, multiplier), rounding.real(s5, multiplier)
            )
            var g = isSix ? f : rounding.real(s6, multiplier)
            if rounding.hasSlopes {
                let slope = load(multipliers + 64)
                (a, b, c) = (rounding.sloped(a, slope), rounding.sloped(b, slope), rounding.sloped(c, slope))
                (d, e, f) = (rounding.sloped(d, slope), rounding.sloped(e, slope), rounding.sloped(f, slope))
                if !isSix { g = rounding.sloped(g, slope) }
            }
            let (low, high) = (rounding.codes(a, b, c, d), rounding.codes(e, f, g, g))
            var p = out
            @inline(__always) func put(_ v: Vector, _ lane: Int) {
                p.storeBytes(of: word(v, lane), as: Int32.self)
                p += outPixel
            }
            let count = isSix ? 6 : 7
            if left >= count {
                put(low, 0)
                put(low, 1)
                put(low, 2)
                put(low, 3)
                put(high, 0)
                put(high, 1)
                if !isSix { put(high, 2) }
                return
            }
            // A row of fewer pixels than a block.
            var index = 0
            while index < left {
                put(index < 4 ? low : high, index & 3)
                index &+= 1
            }
        }
    }
#endif
