#if arch(arm64)
    import _Builtin_intrinsics.arm.neon
    import KernelInterface

    // One output pixel is three dot products of sixteen channels, one per row of taps: four neighbouring bytes in every
    // lane against [0, w0, w1, w2] of each channel. The extra byte is left of the taps, so that reads never pass the
    // end of the row; at the left edge the bytes are shifted by two instead.
    //
    // The row above the first is padding: another row is read instead, with weights of 0 and its own bias.
    //
    // Packed: weights of the three rows [3][16][4], 64 zeros, bias, bias of the first row, multipliers.

    private enum Packed {
        @inline(always) static var zeros: Int { 192 }
        @inline(always) static var bias: Int { 256 }
        @inline(always) static var firstBias: Int { 320 }
        @inline(always) static var multiplier: Int { 384 }
    }

    @c(gk_stem_u8s8_dotprod) @export(interface) @inline(never)
    func stemDotProd(
        _ frame: UnsafePointer<UInt8>, _ firstRow: Int, _ rows: Int, _ packed: UnsafeRawPointer,
        _ out: UnsafeMutablePointer<UInt8>, _ outStride: Int
    ) { stem(.flipped, frame, firstRow, rows, packed, out, outStride) }

    @c(gk_stem_u8s8_i8mm) @export(interface) @inline(never)
    func stemI8MM(
        _ frame: UnsafePointer<UInt8>, _ firstRow: Int, _ rows: Int, _ packed: UnsafeRawPointer,
        _ out: UnsafeMutablePointer<UInt8>, _ outStride: Int
    ) { stem(.mixed, frame, firstRow, rows, packed, out, outStride) }

    /// What `Int8Kernels.packStem` writes.
    @inline(always)
    func stemLayout(_ dot: Dot) -> WeightLayout {
        WeightLayout(
            width: 16, group: 4, taps: ".012 .345 .678 ....", vectors: 3, hasEdgeBias: true,
            correction: dot.correction)
    }

    /// See `Int8Kernels.Stem`.
    @inline(always)
    private func stem(
        _ dot: Dot, _ frame: UnsafePointer<UInt8>, _ firstRow: Int, _ rows: Int, _ packed: UnsafeRawPointer,
        _ out: UnsafeMutablePointer<UInt8>, _ outStride: Int
    ) {
        var target = UnsafeMutableRawPointer(out)
        var y = firstRow
        while y < firstRow &+ rows {
            let middle = UnsafeRawPointer(frame + 2 &* y &* 224)
            let top = y == 0
            let taps = StemTaps(
                dot: dot, r0: top ? middle : middle - 224, r1: middle, r2: middle + 224,
                w0: top ? packed + Packed.zeros : packed, w1: packed + 64, w2: packed + 128,
                bias: packed + (top ? Packed.firstBias : Packed.bias), multiplier: packed + Packed.multiplier)
            let even = target + 56 &* 16
            taps.firstPixel(even)
            taps.pixel(2, target)
            var x = 1
            while x < 56 {
                taps.pixel(4 &* x, even + 16 &* x)
                taps.pixel(4 &* x &+ 2, target + 16 &* x)
                x &+= 1
            }
            target += outStride
            y &+= 1
        }
    }

    /// Three rows of the frame and what multiplies them.
    private struct StemTaps {
        let dot: Dot
        let r0, r1, r2: UnsafeRawPointer
        let w0, w1, w2, bias, multiplier: UnsafeRawPointer

        /// The output whose middle tap is at `column`, at least 2.
        @inline(always)
        func pixel(_ column: Int, _ out: UnsafeMutableRawPointer) {
            write(word(r0 + (column &- 2)), word(r1 + (column &- 2)), word(r2 + (column &- 2)), out)
        }

        /// The output at the left edge: two bytes of padding, then each row's first two.
        @inline(always)
        func firstPixel(_ out: UnsafeMutableRawPointer) {
            write(word(r0) &<< 16, word(r1) &<< 16, word(r2) &<< 16, out)
        }

        @inline(always)
        private func write(_ c0: UInt32, _ c1: UInt32, _ c2: UInt32, _ out: UnsafeMutableRawPointer) {
            var sums = Sixteen(bias)
            sums.add(dot, Woven(repeating: dot.broadcast4(c0)), w0)
            sums.add(dot, Woven(repeating: dot.broadcast4(c1)), w1)
            sums.add(dot, Woven(repeating: dot.broadcast4(c2)), w2)
            sums.store(multiplier, out)
        }
    }
#endif
