#if arch(wasm32)
    import CWasmSIMD
    package import KernelInterface

    // Convolutions of network graphs.
    //
    // There is no product of unsigned with signed bytes, so a convolution widens its input to words, one batch of rows
    // or pixels that stays in the first-level cache with the weights of sixteen channels, and multiplies words.
    //
    // A tile is two pixels by sixteen channels: eight sums, and for every two values of the depth four loads of weights
    // and two of a pixel's values in every lane.
    //
    // Packed, for each sixteen channels: weights [depth / 2][16][2] as words, then sixteen biases, multipliers and
    // slopes.

    extension SIMD128Tier {
        /// The int8 kernels of network graphs of this tier.
        @export(interface) @inline(never)
        package static func quantisedConvolutionKernels() -> QuantisedConvolutionKernels {
            QuantisedConvolutionKernels(
                convolutionLayout: WeightLayout(width: 16, group: 2, weightBytes: 2, vectors: 3),
                convolve: convolveQuantised, convolveToFloat: convolveQuantisedToFloat,
                depthwiseLayouts: (quantisedDepthwiseLayout(3), quantisedDepthwiseLayout(5)),
                depthwise: depthwiseQuantised)
        }
    }

    /// Bytes of the packed parameters of sixteen channels.
    @inline(always)
    private func panelBytes(_ depth: Int) -> Int { 32 &* depth &+ 192 }

    /// The layout of one batch of widened input, in bytes: of a pixel, from a row of taps and a row of the map to the
    /// next.
    private struct Batch {
        let pixel, taps, tap, line, depth: Int

        /// - pixels: of a whole batch.
        @inline(always)
        init(_ pixels: Int, _ aPixel: Int, _ taps: Int, _ depth: Int) {
            pixel = 2 &* aPixel
            self.taps = taps
            tap = (((pixels &- 1) &* aPixel &+ depth) &* 2 &+ 127) & ~63
            line = taps &* tap
            self.depth = 2 &* depth
        }

        /// Widens `lines` by `pixels`. Up to fifteen more values of each row are read and written.
        @inline(always)
        func widen(
            _ a: UnsafePointer<UInt8>, _ aRow: Int, _ tapStride: Int, _ lines: Int, _ pixels: Int,
            _ working: UnsafeMutableRawPointer
        ) {
            let count = ((pixels &- 1) &* pixel &+ depth) &>> 1
            var line = 0
            while line < lines {
                var tap = 0
                while tap < taps {
                    var from = UnsafeRawPointer(a + (line &* aRow &+ tap &* tapStride))
                    var to = working + (line &* self.line &+ tap &* self.tap)
                    var left = count
                    while left > 0 {
                        store(loadWords(from), to)
                        store(loadWords(from + 8), to + 16)
                        from += 16
                        to += 32
                        left &-= 16
                    }
                    tap &+= 1
                }
                line &+= 1
            }
        }
    }

    /// See `QuantisedConvolutionKernels.Convolve`.
    @c(gk_convolve_q8_simd128) @export(interface) @inline(never)
    func convolveQuantised(
        _ a: UnsafePointer<UInt8>, _ aRow: Int, _ aPixel: Int, _ lines: Int, _ pixels: Int,
        _ taps: Int, _ tapStride: Int, _ depth: Int, _ columns: Int, _ packed: UnsafeRawPointer,
        _ residual: UnsafePointer<UInt8>?, _ residualRow: Int, _ residualPixel: Int, _ residualColumns: Int,
        _ rounding: UnsafeRawPointer, _ out: UnsafeMutablePointer<UInt8>, _ outRow: Int, _ outPixel: Int,
        _ batchRows: Int, _ batchPixels: Int, _ working: UnsafeMutableRawPointer
    ) {
        let rounding = Rounding(rounding)
        let batch = Batch(batchPixels, aPixel, taps, depth)
        var y = 0
        while y < lines {
            let count = lines &- y < batchRows ? lines &- y : batchRows
            var x = 0
            while x < pixels {
                let width = pixels &- x < batchPixels ? pixels &- x : batchPixels
                batch.widen(a + (y &* aRow &+ x &* aPixel), aRow, tapStride, count, width, working)
                var panel = packed
                var n = 0
                while n < columns {
                    var line = 0
                    while line < count {
                        let words = UnsafeRawPointer(working + line &* batch.line)
                        let target = UnsafeMutableRawPointer(
                            out + ((y &+ line) &* outRow &+ x &* outPixel &+ n))
                        if let residual, n < residualColumns {
                            let more = residual + ((y &+ line) &* residualRow &+ x &* residualPixel &+ n)
                            convolveRow(
                                batch, words, width, panel, UnsafeRawPointer(more), residualPixel, rounding, target,
                                outPixel)
                        } else {
                            convolveRow(batch, words, width, panel, nil, 0, rounding, target, outPixel)
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

    /// One row of sixteen channels.
    @inline(always)
    private func convolveRow(
        _ batch: Batch, _ words: UnsafeRawPointer, _ pixels: Int, _ panel: UnsafeRawPointer,
        _ residual: UnsafeRawPointer?, _ residualPixel: Int, _ rounding: Rounding, _ out: UnsafeMutableRawPointer,
        _ outPixel: Int
    ) {
        let parameters = panel + 16 &* batch.taps &* batch.depth
        var (from, more, to) = (words, residual, out)
        var left = pixels
        while left >= 2 {
            let sums = tile(2, batch, from, panel, parameters)
            // Read once for both pixels, before the first is written.
            let (multipliers, slopes) = (Sixteen(parameters + 64), Sixteen(parameters + 128))
            rounding.put(sums[0], multipliers, slopes, more, to)
            rounding.put(sums[1], multipliers, slopes, more.map { $0 + residualPixel }, to + outPixel)
            from += 2 &* batch.pixel
            to += 2 &* outPixel
            if let residual = more { more = residual + 2 &* residualPixel }
            left &-= 2
        }
        if left > 0 {
            let sums = tile(1, batch, from, panel, parameters)
            rounding.put(sums[0], Sixteen(parameters + 64), Sixteen(parameters + 128), more, to)
        }
    }

    /// The sums of one pixel, or of two neighbouring ones, and sixteen channels.
    @inline(always)
    private func tile(
        _ pixels: Int, _ batch: Batch, _ words: UnsafeRawPointer, _ panel: UnsafeRawPointer,
        _ parameters: UnsafeRawPointer
    ) -> RegisterArray<Sixteen> {
        var sums = RegisterArray(repeating: Sixteen(parameters))
        var (w, tap) = (panel, words)
        var taps = batch.taps
        while taps > 0 {
            var p = tap
            let end = p + batch.depth
            while p < end {
                let weights = masked(w, 64)
                let values = RegisterArray(pixels) { broadcast4(p + $0 &* batch.pixel) }
                unrolled(4) { channels in
                    let four = load(weights + 16 &* channels)
                    sums.update(pixels) { $0[channels] = dot($0[channels], values[$1], four) }
                }
                p += 4
                w += 64
            }
            tap += batch.tap
            taps &-= 1
        }
        return sums
    }

    /// See `QuantisedConvolutionKernels.ConvolveToFloat`.
    @c(gk_convolvefloat_q8_simd128) @export(interface) @inline(never)
    func convolveQuantisedToFloat(
        _ a: UnsafePointer<UInt8>, _ aRow: Int, _ aPixel: Int, _ lines: Int, _ pixels: Int,
        _ taps: Int, _ tapStride: Int, _ depth: Int, _ columns: Int, _ packed: UnsafeRawPointer,
        _ upper: Float, _ out: UnsafeMutablePointer<Float>, _ outRow: Int, _ outPixel: Int,
        _ batchRows: Int, _ batchPixels: Int, _ working: UnsafeMutableRawPointer
    ) {
        let batch = Batch(batchPixels, aPixel, taps, depth)
        let bound = wasm_f32x4_splat(upper)
        var y = 0
        while y < lines {
            var x = 0
            while x < pixels {
                let width = pixels &- x < batchPixels ? pixels &- x : batchPixels
                batch.widen(a + (y &* aRow &+ x &* aPixel), aRow, tapStride, 1, width, working)
                var panel = packed
                var n = 0
                while n < columns {
                    let parameters = panel + 32 &* taps &* depth
                    var from = UnsafeRawPointer(working)
                    var to = UnsafeMutableRawPointer(out + (y &* outRow &+ x &* outPixel &+ n))
                    var left = width
                    while left >= 2 {
                        tile(2, batch, from, panel, parameters).forEach(2) {
                            putFloats($0, parameters + 64, bound, columns &- n, to + 4 &* $1 &* outPixel)
                        }
                        from += 2 &* batch.pixel
                        to += 8 &* outPixel
                        left &-= 2
                    }
                    if left > 0 {
                        let sums = tile(1, batch, from, panel, parameters)
                        putFloats(sums[0], parameters + 64, bound, columns &- n, to)
                    }
                    panel += panelBytes(taps &* depth)
                    n &+= 16
                }
                x &+= batchPixels
            }
            y &+= 1
        }
    }

    /// Writes the first `count` of sixteen sums as floats, or all.
    /// - multipliers: sixteen, then sixteen slopes.
    @inline(always)
    private func putFloats(
        _ sums: Sixteen, _ multipliers: UnsafeRawPointer, _ bound: Vector, _ count: Int, _ out: UnsafeMutableRawPointer
    ) {
        var index = 0
        @inline(always) func put(_ sum: Vector) {
            let v = wasm_f32x4_mul(wasm_f32x4_convert_i32x4(sum), load(multipliers + 4 &* index))
            // Not by a sum of two parts as in `Rounding`: the sign of a zero counts here.
            let isNegative = wasm_f32x4_lt(v, zeros())
            let sloped = wasm_v128_bitselect(
                wasm_f32x4_mul(v, load(multipliers + (64 &+ 4 &* index))), v, isNegative)
            let bounded = wasm_f32x4_pmin(sloped, bound)
            if index &+ 4 <= count {
                store(bounded, out + 4 &* index)
            } else {
                var lane = index
                while lane < count {
                    out.storeBytes(of: word(bounded, lane & 3), toByteOffset: 4 &* lane, as: Int32.self)
                    lane &+= 1
                }
            }
            index &+= 4
        }
        unrolled(4) { put(sums[$0]) }
    }
#endif
