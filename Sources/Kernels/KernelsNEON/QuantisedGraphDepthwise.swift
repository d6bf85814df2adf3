#if arch(arm64)
    import _Builtin_intrinsics.arm.neon
    import KernelInterface

    // The int8 depthwise convolutions of network graphs on CPUs with FEAT_DotProd. As in Depthwise3x3.swift, a lane of
    // the dot product sums four bytes, so four bytes of a channel are interleaved ("woven"), for sixteen channels at a
    // time: those of a column of four rows. One dot product then covers a column of three taps, and leaves one byte.
    // With stride 1 two rows of the output use the same woven columns, against [w0, w1, w2, 0] and [0, w0, w1, w2].
    //
    // 3x3: a tile is two neighbouring outputs, in two rows where the stride is 1. Weights are loaded once a tile, and the
    // columns that the next tile needs stay in registers.
    //
    // 5x5: the first four rows are woven like that. The fifth row and, for the second output row, the sixth are woven
    // in pairs of columns, so that three dot products cover them. There are too many for the registers: up to
    // `Block5.columns` columns wait in memory.
    //
    // What a CPU allows. A channel of an output has 9 or 25 products, and everything else is for that channel alone too.
    // Vector instructions for sixteen channels of an output, of stride 1 in the clamped way (`RoundingWay`):
    //
    //                                         3x3   5x5
    //     dot products                         12    32
    //     interleaving                          4     7
    //     flips of the sign, without FEAT_I8MM  2     3
    //     rounding                             12    12
    //     all                                  30    54
    //
    // If every pipe had one each cycle, and nothing else cost anything, 144 products would take 30 turns instead of 9, and
    // 400 products 54 instead of 25. So 3x3 can have at most 30 % of what dot products alone could give, and 5x5 46 %. With
    // stride 2 a column serves one row of outputs: interleaving and flips quadruple. 40 % is out of reach for
    // 3x3, unless maps were stored interleaved, or rounded less often.
    //
    // Packed, for each sixteen channels: weights of the upper output row, of the lower one, and `ChannelParameters`.
    // Weights lie [3][16][4] for 3x3; for 5x5 [5][16][4] for the columns and [3][16][4] for the pairs.

    /// Layout of the parameters of sixteen channels of 3x3 taps.
    private enum Block3 {
        @inline(always) static var lower: Int { 3 &* 64 }
        @inline(always) static var parameters: Int { 6 &* 64 }
    }

    /// The same for 5x5 taps.
    private enum Block5 {
        @inline(always) static var pairs: Int { 5 &* 64 }
        @inline(always) static var lower: Int { 8 &* 64 }
        @inline(always) static var parameters: Int { 16 &* 64 }

        /// Woven columns in memory, and the bytes of one: four rows of it, then its pair.
        @inline(always) static var columns: Int { 32 }
        @inline(always) static var column: Int { 128 }
    }

    // MARK: Packing

    /// How weights lie in the parameters of sixteen channels.
    @inline(always)
    func depthwiseLayout(_ dot: Dot, _ size: Int) -> WeightLayout {
        WeightLayout(
            width: 16, group: 4,
            taps: size == 3
                ? "036. 147. 258. .036 .147 .258"
                : "05af 16bg 27ch 38di 49ej k.l. m.n. o... .05a .16b .27c .38d .49e fkgl hmin jo..",
            isDepthOutermost: true, vectors: 0, trailer: ChannelParameters.trailer, correction: dot.correction)
    }

    // MARK: 3x3

    /// Four rows of the input; the fourth may be another one with weights of 0.
    private struct Rows {
        let dot: Dot
        let first: UnsafeRawPointer
        let stride, fourth: Int

        /// Sixteen channels at `at` bytes into each row.
        @inline(always)
        func column(_ at: Int) -> Woven {
            let p = first + at
            return Woven(dot.load(p), dot.load(p + stride), dot.load(p + 2 &* stride), dot.load(p + fourth))
        }
    }

    extension TwoSums {
        /// Adds a column of each, or a pair of columns of each, by the same weights.
        @inline(always)
        fileprivate mutating func add(_ dot: Dot, _ first: Woven, _ second: Woven, _ weights: UnsafeRawPointer) {
            s0.add(dot, first, weights)
            s1.add(dot, second, weights)
        }
    }

    /// Two neighbouring outputs of sixteen channels, in one row or two.
    private struct Tile {
        private let dot: Dot
        private let hasLower: Bool
        private let lowerWeights: Int
        private var upper, lower: TwoSums

        /// - lowerWeights: bytes from the weights of the upper row to those of the lower one.
        @inline(always)
        init(_ dot: Dot, _ hasLower: Bool, _ lowerWeights: Int, _ biases: UnsafeRawPointer) {
            self.dot = dot
            self.hasLower = hasLower
            self.lowerWeights = lowerWeights
            upper = TwoSums(biases)
            lower = upper
        }

        @inline(always)
        mutating func add(_ first: Woven, _ second: Woven, _ weights: UnsafeRawPointer) {
            upper.add(dot, first, second, weights)
            if hasLower { lower.add(dot, first, second, weights + lowerWeights) }
        }

        /// Writes the outputs. With a `step` of 0 the second one is left out.
        @inline(always)
        func put(_ output: DepthwiseOutput, _ step: Int, _ out: UnsafeMutableRawPointer) {
            output.put(upper, step, out)
            if hasLower { output.put(lower, step, out + output.row) }
        }
    }

    /// Stride 1. A last single output is made together with the one before it, once more.
    @inline(always)
    private func denseRow3(
        _ rows: Rows, _ hasLower: Bool, _ pixels: Int, _ channels: Int, _ block: UnsafeRawPointer,
        _ output: DepthwiseOutput,
        _ out: UnsafeMutableRawPointer
    ) {
        let step = pixels > 1 ? channels : 0
        let end = pixels &* channels
        var at = 0
        var (c0, c1) = (rows.column(0), rows.column(channels))
        while at < end {
            if at &+ step >= end, step > 0 {
                at &-= channels
                c0 = rows.column(at)
                c1 = rows.column(at &+ channels)
            }
            var tile = Tile(rows.dot, hasLower, Block3.lower, output.biases)
            tile.add(c0, c1, block)
            let c2 = rows.column(at &+ 2 &* channels)
            tile.add(c1, c2, block + 64)
            let c3 = rows.column(at &+ 2 &* channels &+ step)
            tile.add(c2, c3, block + 128)
            tile.put(output, step, out + at)
            c0 = c2
            c1 = c3
            at &+= 2 &* channels
        }
    }

    /// Stride 2.
    @inline(always)
    private func sparseRow3(
        _ rows: Rows, _ pixels: Int, _ channels: Int, _ block: UnsafeRawPointer, _ output: DepthwiseOutput,
        _ out: UnsafeMutableRawPointer
    ) {
        let step = pixels > 1 ? channels : 0
        let end = pixels &* channels
        var at = 0
        var c0 = rows.column(0)
        while at < end {
            if at &+ step >= end, step > 0 {
                at &-= channels
                c0 = rows.column(2 &* at)
            }
            var tile = Tile(rows.dot, false, 0, output.biases)
            let c2 = rows.column(2 &* at &+ 2 &* channels)
            tile.add(c0, c2, block)
            tile.add(rows.column(2 &* at &+ channels), rows.column(2 &* at &+ channels &+ 2 &* step), block + 64)
            let c4 = rows.column(2 &* at &+ 2 &* channels &+ 2 &* step)
            tile.add(c2, c4, block + 128)
            tile.put(output, step, out + at)
            c0 = c4
            at &+= 2 &* channels
        }
    }

    // MARK: 5x5

    extension Woven {
        /// Woven values from memory.
        @inline(always)
        fileprivate init(stored p: UnsafeRawPointer) {
            v0 = p.loadUnaligned(as: uint8x16_t.self)
            v1 = (p + 16).loadUnaligned(as: uint8x16_t.self)
            v2 = (p + 32).loadUnaligned(as: uint8x16_t.self)
            v3 = (p + 48).loadUnaligned(as: uint8x16_t.self)
        }

        /// Two columns of two rows.
        @inline(always)
        fileprivate init(_ a: TwoRows, _ b: TwoRows) {
            v0 = vreinterpretq_u8_u16(vzip1q_u16(a.low, b.low))
            v1 = vreinterpretq_u8_u16(vzip2q_u16(a.low, b.low))
            v2 = vreinterpretq_u8_u16(vzip1q_u16(a.high, b.high))
            v3 = vreinterpretq_u8_u16(vzip2q_u16(a.high, b.high))
        }

        @inline(always)
        fileprivate func store(_ p: UnsafeMutableRawPointer) {
            p.storeBytes(of: v0, as: uint8x16_t.self)
            p.storeBytes(of: v1, toByteOffset: 16, as: uint8x16_t.self)
            p.storeBytes(of: v2, toByteOffset: 32, as: uint8x16_t.self)
            p.storeBytes(of: v3, toByteOffset: 48, as: uint8x16_t.self)
        }
    }

    /// A column of two rows, woven.
    private struct TwoRows {
        let low, high: uint16x8_t

        @inline(always)
        init(_ a: uint8x16_t, _ b: uint8x16_t) {
            low = vreinterpretq_u16_u8(vzip1q_u8(a, b))
            high = vreinterpretq_u16_u8(vzip2q_u8(a, b))
        }
    }

    /// Weaves `count` columns into memory: all columns of the first four rows, and the pairs that begin at every
    /// column, or with stride 2 at every second one. The last column is paired with itself.
    /// - sixth: bytes from the fifth row to the sixth; 0 if there is no sixth row.
    @inline(always)
    private func weave(
        _ rows: Rows, _ sixth: Int, _ stride: Int, _ count: Int, _ channels: Int, _ woven: UnsafeMutableRawPointer
    ) {
        let fifth = rows.first + 4 &* rows.stride
        var at = 0
        var target = woven
        let end = woven + (count &- 1) &* Block5.column
        var pair = TwoRows(rows.dot.load(fifth), rows.dot.load(fifth + sixth))
        rows.column(0).store(target)
        while target < end {
            at &+= channels
            var next = TwoRows(rows.dot.load(fifth + at), rows.dot.load(fifth + (at &+ sixth)))
            rows.column(at).store(target + Block5.column)
            Woven(pair, next).store(target + 64)
            target += Block5.column
            if stride == 2 {
                at &+= channels
                next = TwoRows(rows.dot.load(fifth + at), rows.dot.load(fifth + (at &+ sixth)))
                rows.column(at).store(target + Block5.column)
                target += Block5.column
            }
            pair = next
        }
        Woven(pair, pair).store(target + 64)
    }

    /// Sixteen channels of two neighbouring outputs, in one row or two.
    /// - step: bytes from the woven columns of the first output to those of the second one.
    /// - columns: bytes of a tile's weights, 5 times 64; a number that the compiler cannot see. It would write out the
    ///   loop and keep more in registers than there are.
    @inline(always)
    private func put5(
        _ dot: Dot, _ hasLower: Bool, _ woven: UnsafeRawPointer, _ step: Int, _ block: UnsafeRawPointer, _ columns: Int,
        _ output: DepthwiseOutput, _ outStep: Int, _ out: UnsafeMutableRawPointer
    ) {
        var tile = Tile(dot, hasLower, Block5.lower, output.biases)
        let (pairs, end) = (block + columns, block + (columns &+ 192))
        var (p, w, next) = (woven, block, Block5.column)
        // The columns, then the pairs of columns.
        while w < end {
            tile.add(Woven(stored: p), Woven(stored: p + step), w)
            p += next
            w += 64
            if w == pairs { (p, next) = (woven + 64, 2 &* Block5.column) }
        }
        tile.put(output, outStep, out)
    }

    /// One row of sixteen channels, or two rows.
    @inline(always)
    private func row5(
        _ rows: Rows, _ stride: Int, _ hasLower: Bool, _ row: DepthwiseRow, _ output: DepthwiseOutput
    ) {
        let most = (Block5.columns &- 5) / stride &+ 1
        var (from, target) = (rows, row.out)
        var left = row.pixels
        while left > 0 {
            let count = left < most ? left : most
            weave(
                from, hasLower ? rows.stride : 0, stride, stride &* (count &- 1) &+ 5, row.channels, row.woven)
            let outStep = count > 1 ? row.channels : 0
            let step = count > 1 ? stride &* Block5.column : 0
            var x = 0
            while x < count {
                // A last single output is made together with the one before it, once more.
                if x &+ 2 > count, count > 1 { x &-= 1 }
                put5(
                    rows.dot, hasLower, UnsafeRawPointer(row.woven) + x &* stride &* Block5.column, step, row.block,
                    row.columns, output, outStep, target + x &* row.channels)
                x &+= 2
            }
            target += count &* row.channels
            from = Rows(
                dot: rows.dot, first: from.first + count &* stride &* row.channels, stride: rows.stride,
                fourth: rows.fourth)
            left &-= count
        }
    }

    // MARK: Maps

    @inline(always)
    private func makeRow3(_ dot: Dot, _ stride: Int, hasLower: Bool, _ address: UnsafeRawPointer) {
        let row = address.load(as: DepthwiseRow.self)
        row.kind.specialised { kind in
            let rows = Rows(dot: dot, first: row.input, stride: row.inRow, fourth: hasLower ? 3 &* row.inRow : 0)
            let output = DepthwiseOutput(
                kind, row.rounding, ChannelParameters(row.block + Block3.parameters), row.outRow)
            if stride == 1 {
                denseRow3(rows, hasLower, row.pixels, row.channels, row.block, output, row.out)
            } else {
                sparseRow3(rows, row.pixels, row.channels, row.block, output, row.out)
            }
        }
    }

    @inline(always)
    private func makeRow5(_ dot: Dot, _ stride: Int, hasLower: Bool, _ address: UnsafeRawPointer) {
        let row = address.load(as: DepthwiseRow.self)
        row.kind.specialised { kind in
            let rows = Rows(dot: dot, first: row.input, stride: row.inRow, fourth: 3 &* row.inRow)
            let output = DepthwiseOutput(
                kind, row.rounding, ChannelParameters(row.block + Block5.parameters), row.outRow)
            row5(rows, stride, hasLower, row, output)
        }
    }

    // Functions of a tier have names that say so: Tools/gates/emulated looks at their instructions.

    @c(gk_dw3two_q8_i8mm) @export(interface) @inline(never)
    func depthwise3TwoI8MM(_ row: UnsafeRawPointer) { makeRow3(.mixed, 1, hasLower: true, row) }

    @c(gk_dw3one_q8_i8mm) @export(interface) @inline(never)
    func depthwise3OneI8MM(_ row: UnsafeRawPointer) { makeRow3(.mixed, 1, hasLower: false, row) }

    @c(gk_dw3sparse_q8_i8mm) @export(interface) @inline(never)
    func depthwise3SparseI8MM(_ row: UnsafeRawPointer) { makeRow3(.mixed, 2, hasLower: false, row) }

    @c(gk_dw5two_q8_i8mm) @export(interface) @inline(never)
    func depthwise5TwoI8MM(_ row: UnsafeRawPointer) { makeRow5(.mixed, 1, hasLower: true, row) }

    @c(gk_dw5one_q8_i8mm) @export(interface) @inline(never)
    func depthwise5OneI8MM(_ row: UnsafeRawPointer) { makeRow5(.mixed, 1, hasLower: false, row) }

    @c(gk_dw5sparse_q8_i8mm) @export(interface) @inline(never)
    func depthwise5SparseI8MM(_ row: UnsafeRawPointer) { makeRow5(.mixed, 2, hasLower: false, row) }

    /// See `QuantisedConvolutionKernels.Depthwise`.
    @c(gk_dw_q8_i8mm) @export(interface) @inline(never)
    func depthwiseQuantisedI8MM(
        _ input: UnsafePointer<UInt8>, _ inRow: Int, _ size: Int, _ stride: Int,
        _ height: Int, _ width: Int, _ channels: Int, _ packed: UnsafeRawPointer, _ rounding: UnsafeRawPointer,
        _ out: UnsafeMutablePointer<UInt8>, _ outRow: Int
    ) {
        let kernels: DepthwiseRowKernels =
            switch (size, stride) {
            case (3, 1): DepthwiseRowKernels(one: depthwise3OneI8MM, two: depthwise3TwoI8MM)
            case (3, _): DepthwiseRowKernels(one: depthwise3SparseI8MM, two: nil)
            case (_, 1): DepthwiseRowKernels(one: depthwise5OneI8MM, two: depthwise5TwoI8MM)
            default: DepthwiseRowKernels(one: depthwise5SparseI8MM, two: nil)
            }
        depthwise(
            size == 3 ? Block3.parameters : Block5.parameters, columns: size &* 64, input, inRow, stride, height, width,
            channels, packed, rounding, out, outRow, kernels)
    }

    @c(gk_dw3two_q8_dotprod) @export(interface) @inline(never)
    func depthwise3TwoDotProd(_ row: UnsafeRawPointer) { makeRow3(.flipped, 1, hasLower: true, row) }

    @c(gk_dw3one_q8_dotprod) @export(interface) @inline(never)
    func depthwise3OneDotProd(_ row: UnsafeRawPointer) { makeRow3(.flipped, 1, hasLower: false, row) }

    @c(gk_dw3sparse_q8_dotprod) @export(interface) @inline(never)
    func depthwise3SparseDotProd(_ row: UnsafeRawPointer) { makeRow3(.flipped, 2, hasLower: false, row) }

    @c(gk_dw5two_q8_dotprod) @export(interface) @inline(never)
    func depthwise5TwoDotProd(_ row: UnsafeRawPointer) { makeRow5(.flipped, 1, hasLower: true, row) }

    @c(gk_dw5one_q8_dotprod) @export(interface) @inline(never)
    func depthwise5OneDotProd(_ row: UnsafeRawPointer) { makeRow5(.flipped, 1, hasLower: false, row) }

    @c(gk_dw5sparse_q8_dotprod) @export(interface) @inline(never)
    func depthwise5SparseDotProd(_ row: UnsafeRawPointer) { makeRow5(.flipped, 2, hasLower: false, row) }

    /// See `QuantisedConvolutionKernels.Depthwise`.
    @c(gk_dw_q8_dotprod) @export(interface) @inline(never)
    func depthwiseQuantisedDotProd(
        _ input: UnsafePointer<UInt8>, _ inRow: Int, _ size: Int, _ stride: Int,
        _ height: Int, _ width: Int, _ channels: Int, _ packed: UnsafeRawPointer, _ rounding: UnsafeRawPointer,
        _ out: UnsafeMutablePointer<UInt8>, _ outRow: Int
    ) {
        let kernels: DepthwiseRowKernels =
            switch (size, stride) {
            case (3, 1): DepthwiseRowKernels(one: depthwise3OneDotProd, two: depthwise3TwoDotProd)
            case (3, _): DepthwiseRowKernels(one: depthwise3SparseDotProd, two: nil)
            case (_, 1): DepthwiseRowKernels(one: depthwise5OneDotProd, two: depthwise5TwoDotProd)
            default: DepthwiseRowKernels(one: depthwise5SparseDotProd, two: nil)
            }
        depthwise(
            size == 3 ? Block3.parameters : Block5.parameters, columns: size &* 64, input, inRow, stride, height, width,
            channels, packed, rounding, out, outRow, kernels)
    }
#endif
