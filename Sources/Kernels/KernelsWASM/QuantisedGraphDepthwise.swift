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
    @inline(always)
    private func pairCount(_ size: Int) -> Int { size / 2 &+ 1 }

    /// Bytes of the weights of four channels for one kind of output rows.
    @inline(always)
    private func weightBytes(_ size: Int) -> Int { 16 &* size &* pairCount(size) }

    /// Bytes of the packed parameters of sixteen channels.
    @inline(always)
    private func panelBytes(_ size: Int) -> Int { 8 &* weightBytes(size) &+ 192 }

    /// What `QuantisedConvolutionKernels.packDepthwise` writes.
    @inline(always)
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
        @inline(always)
        private static var rowBytes: Int { 64 &* 64 }

        @inline(always)
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
        @inline(always)
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
        @inline(always)
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

        @inline(always)
        init(_ first: UnsafeRawPointer, _ second: UnsafeRawPointer, _ third: UnsafeRawPointer) {
            self.first = first
            self.second = second
            self.third = third
        }

        /// Makes four channels of an output row.
        /// - k: which four of sixteen.
        @inline(always)
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
        private var sums: RegisterArray<Vector>

        @inline(always)
        init(_ bias: Vector) { sums = RegisterArray(repeating: bias) }

        /// Adds the taps of one row of pairs, column by column: a column is read once, for all sums that have a tap there.
        @inline(always)
        mutating func add(_ size: Int, _ stride: Int, _ isSix: Bool, _ p: UnsafeRawPointer, _ w: UnsafeRawPointer) {
            let count = isSix ? 6 : 7
            let weights = RegisterArray(size) { load(w + 16 &* $0) }

            @inline(always)
            func add(_ column: Int) {
                guard column < stride &* (count &- 1) &+ size else { return }
                let values = load(p + 64 &* column)
                sums.update(count) {
                    let tap = column &- stride &* $1
                    if tap >= 0 && tap < size { $0 = dot($0, values, weights[tap]) }
                }
            }
            unrolled(8) { add($0) }
            unrolled(8) { add($0 &+ 8) }
            add(16)
        }

        /// Writes the pixels, of which `left` are left in the row.
        /// - multipliers: four, and four slopes 64 bytes after them.
        @inline(always)
        func put(
            _ isSix: Bool, _ multipliers: UnsafeRawPointer, _ rounding: Rounding, _ out: UnsafeMutableRawPointer,
            _ outPixel: Int, _ left: Int
        ) {
            let count = isSix ? 6 : 7
            let multiplier = load(multipliers)
            var v = RegisterArray(count) { rounding.real(sums[$0], multiplier) }
            if rounding.hasSlopes {
                let slope = load(multipliers + 64)
                v.update(count) { value, _ in value = rounding.sloped(value, slope) }
            }
            let last = isSix ? v[5] : v[6]
            let (low, high) = (rounding.quantised(v[0], v[1], v[2], v[3]), rounding.quantised(v[4], v[5], last, last))
            // A row may have fewer pixels than a block.
            let some = left < count ? left : count
            var p = out
            var index = 0
            if some == count {
                unrolled(count) {
                    p.storeBytes(of: word($0 < 4 ? low : high, $0 & 3), as: Int32.self)
                    p += outPixel
                }
                return
            }
            while index < some {
                p.storeBytes(of: word(index < 4 ? low : high, index & 3), as: Int32.self)
                p += outPixel
                index &+= 1
            }
        }
    }
#endif
