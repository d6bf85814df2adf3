#if arch(arm64)
    import _Builtin_intrinsics.arm.neon
    import KernelInterface

    // The int8 depthwise convolutions of network graphs on CPUs without FEAT_DotProd, sixteen channels at a time. Two
    // byte products are added in 16 bits (see QuantisedGraphConvolution.swift), and these sums widened and added in 32.
    // Two neighbouring outputs share the values that both read.
    //
    // Packed, for each sixteen channels: weights [size * size][16], `ChannelParameters`.

    @inline(always)
    private func weightBytes(_ taps: Int) -> Int { (16 &* taps &+ 63) / 64 &* 64 }

    @inline(always)
    private func blockBytes(_ taps: Int) -> Int { weightBytes(taps) &+ ChannelParameters.bytes }

    /// How weights lie in the parameters of sixteen channels.
    var baseDepthwiseLayout: WeightLayout {
        WeightLayout(
            width: 16, isDepthOutermost: true, vectors: 0, trailer: ChannelParameters.trailer, alignment: 64,
            correction: Dot.flipped.correction)
    }

    /// One row of sixteen channels. A last single output is made together with the one before it, once more.
    @inline(always)
    private func makeRow(_ size: Int, _ stride: Int, _ address: UnsafeRawPointer) {
        let row = address.load(as: DepthwiseRow.self)
        row.kind.specialised { kind in
            let output = DepthwiseOutput(
                kind, row.rounding, ChannelParameters(row.block + weightBytes(size &* size)), 0)
            let step = row.pixels > 1 ? row.channels : 0
            let end = row.pixels &* row.channels
            var at = 0
            while at < end {
                if at &+ step >= end, step > 0 { at &-= step }
                let outputs = Outputs(
                    size, row.input + stride &* at, row.inRow, row.channels, stride &* step, row.block, output.biases)
                output.put(outputs.sums, step, row.out + at)
                at &+= 2 &* row.channels
            }
        }
    }

    @c(gk_dw3one_q8_neon) @export(interface) @inline(never)
    func depthwise3OneBase(_ row: UnsafeRawPointer) { makeRow(3, 1, row) }

    @c(gk_dw3sparse_q8_neon) @export(interface) @inline(never)
    func depthwise3SparseBase(_ row: UnsafeRawPointer) { makeRow(3, 2, row) }

    @c(gk_dw5one_q8_neon) @export(interface) @inline(never)
    func depthwise5OneBase(_ row: UnsafeRawPointer) { makeRow(5, 1, row) }

    @c(gk_dw5sparse_q8_neon) @export(interface) @inline(never)
    func depthwise5SparseBase(_ row: UnsafeRawPointer) { makeRow(5, 2, row) }

    /// See `QuantisedConvolutionKernels.Depthwise`.
    @c(gk_dw_q8_neon) @export(interface) @inline(never)
    func depthwiseQuantisedBase(
        _ input: UnsafePointer<UInt8>, _ inRow: Int, _ size: Int, _ stride: Int,
        _ height: Int, _ width: Int, _ channels: Int, _ packed: UnsafeRawPointer, _ rounding: UnsafeRawPointer,
        _ out: UnsafeMutablePointer<UInt8>, _ outRow: Int
    ) {
        let one: MakeDepthwiseRow =
            switch (size, stride) {
            case (3, 1): depthwise3OneBase
            case (3, _): depthwise3SparseBase
            case (_, 1): depthwise5OneBase
            default: depthwise5SparseBase
            }
        depthwise(
            weightBytes(size &* size), columns: 0, input, inRow, stride, height, width, channels, packed, rounding, out,
            outRow, DepthwiseRowKernels(one: one, two: nil))
    }

    /// Sums of two neighbouring outputs.
    private struct Outputs {
        private(set) var sums: TwoSums

        /// - right: elements from what the first output reads to what the second one reads.
        @inline(always)
        init(
            _ size: Int, _ input: UnsafeRawPointer, _ inRow: Int, _ channels: Int, _ right: Int,
            _ block: UnsafeRawPointer, _ biases: UnsafeRawPointer
        ) {
            sums = TwoSums(biases)
            // A row has an odd number of taps: the last one waits for that of the next row.
            let (last, row) = ((size &- 1) &* channels, 16 &* size)
            var (p, w) = (input, block)
            var r = 1
            while r < size {
                let (below, next) = (p + inRow, w + row)
                addRow(size, p, channels, right, w)
                addRow(size, below, channels, right, next)
                let (w0, w1) = (loadWeights(next - 16), loadWeights(next + (row &- 16)))
                sums.s0.add(Products(value(p + last), w0).adding(value(below + last), w1))
                sums.s1.add(Products(value(p + (last &+ right)), w0).adding(value(below + (last &+ right)), w1))
                p = below + inRow
                w = next + row
                r &+= 2
            }
            addRow(size, p, channels, right, w)
            let w0 = loadWeights(w + (row &- 16))
            sums.s0.add(Products(value(p + last), w0))
            sums.s1.add(Products(value(p + (last &+ right)), w0))
        }

        /// Adds all taps of a row but the last one, two at a time.
        @inline(always)
        private mutating func addRow(
            _ size: Int, _ p: UnsafeRawPointer, _ channels: Int, _ right: Int, _ w: UnsafeRawPointer
        ) {
            var (from, weights) = (p, w)
            while weights < w + 16 &* (size &- 1) {
                let (w0, w1) = (loadWeights(weights), loadWeights(weights + 16))
                sums.s0.add(Products(value(from), w0).adding(value(from + channels), w1))
                sums.s1.add(
                    Products(value(from + right), w0).adding(value(from + (channels &+ right)), w1))
                from += 2 &* channels
                weights += 32
            }
        }
    }

    /// Sixteen values less 128.
    @inline(always)
    private func value(_ p: UnsafeRawPointer) -> int8x16_t { vreinterpretq_s8_u8(Dot.flipped.load(p)) }

    /// Products of sixteen channels, or sums of two products.
    private struct Products {
        let low, high: int16x8_t

        @inline(always)
        init(_ values: int8x16_t, _ weights: int8x16_t) {
            low = vmull_s8(vget_low_s8(values), vget_low_s8(weights))
            high = vmull_high_s8(values, weights)
        }

        @inline(always)
        private init(_ low: int16x8_t, _ high: int16x8_t) {
            self.low = low
            self.high = high
        }

        @inline(always)
        func adding(_ values: int8x16_t, _ weights: int8x16_t) -> Products {
            Products(
                vmlal_s8(low, vget_low_s8(values), vget_low_s8(weights)), vmlal_high_s8(high, values, weights))
        }
    }

    extension Sixteen {
        @inline(always)
        fileprivate mutating func add(_ products: Products) {
            s0 = vaddw_s16(s0, vget_low_s16(products.low))
            s1 = vaddw_high_s16(s1, products.low)
            s2 = vaddw_s16(s2, vget_low_s16(products.high))
            s3 = vaddw_high_s16(s3, products.high)
        }
    }
#endif
