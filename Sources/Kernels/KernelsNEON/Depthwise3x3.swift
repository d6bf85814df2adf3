#if arch(arm64)
    import _Builtin_intrinsics.arm.neon
    import KernelInterface

    // A lane of the dot product sums four bytes; a depthwise convolution needs taps of one channel there, but channels
    // lie innermost. So the pixels of four rows are interleaved byte by byte ("woven"), sixteen channels at a time, and
    // all nine taps become three dot products: the woven pixel left of, at and right of the output, against [w0j, w1j,
    // w2j, 0].
    //
    // With stride 1 the fourth row is used too: against [0, w0j, w1j, w2j] the same pixels give the output row below.
    // Along a row, each pixel is woven once and serves three outputs in registers.
    //
    // Packed, for each sixteen channels: weights of the upper row [3][16][4], of the lower [3][16][4], biases,
    // multipliers.

    private enum Block {
        @inline(always) static var lower: Int { 3 &* 64 }
        @inline(always) static var bias: Int { 6 &* 64 }
        @inline(always) static var multiplier: Int { 7 &* 64 }
        @inline(always) static var bytes: Int { 8 &* 64 }
    }

    /// What `Int8Kernels.packDepthwise3x3` writes.
    @inline(always)
    func depthwise3x3Layout(_ dot: Dot) -> WeightLayout {
        WeightLayout(
            width: 16, group: 4, taps: "036. 147. 258. .036 .147 .258", vectors: 2, correction: dot.correction)
    }

    @c(gk_dw3x3_u8s8_dotprod) @export(interface) @inline(never)
    func depthwise3x3DotProd(
        _ input: UnsafePointer<UInt8>, _ inStride: Int, _ stride: Int,
        _ rows: Int, _ width: Int, _ channels: Int, _ packed: UnsafeRawPointer,
        _ out: UnsafeMutablePointer<UInt8>, _ scratch: UnsafeMutablePointer<UInt8>
    ) { depthwise(.flipped, input, inStride, stride, rows, width, channels, packed, out) }

    @c(gk_dw3x3_u8s8_i8mm) @export(interface) @inline(never)
    func depthwise3x3I8MM(
        _ input: UnsafePointer<UInt8>, _ inStride: Int, _ stride: Int,
        _ rows: Int, _ width: Int, _ channels: Int, _ packed: UnsafeRawPointer,
        _ out: UnsafeMutablePointer<UInt8>, _ scratch: UnsafeMutablePointer<UInt8>
    ) { depthwise(.mixed, input, inStride, stride, rows, width, channels, packed, out) }

    /// Neither tier needs scratch memory.
    @c(gk_dwscratch_u8s8_neon) @export(interface) @inline(never)
    func depthwiseScratch(_ width: Int, _ channels: Int) -> Int { 0 }

    /// See `Int8Kernels.Depthwise3x3`.
    @inline(always)
    private func depthwise(
        _ dot: Dot, _ input: UnsafePointer<UInt8>, _ inStride: Int, _ stride: Int,
        _ rows: Int, _ width: Int, _ channels: Int, _ packed: UnsafeRawPointer, _ out: UnsafeMutablePointer<UInt8>
    ) {
        let outStride = width &* channels
        var block = packed
        var c = 0
        while c < channels {
            var source = UnsafeRawPointer(input + c)
            var target = UnsafeMutableRawPointer(out + c)
            var y = 0
            if stride == 1 {
                while y &+ 2 <= rows {
                    let pixels = Pixels(dot, source, inStride, 3 &* inStride)
                    twoRows(dot, pixels, width, channels, block, target, outStride)
                    source += 2 &* inStride
                    target += 2 &* outStride
                    y &+= 2
                }
                if y < rows { oneRow(dot, Pixels(dot, source, inStride, 0), width, channels, block, target) }
            } else {
                while y < rows {
                    oneSplitRow(dot, Pixels(dot, source, inStride, 0), width, channels, block, target)
                    source += 2 &* inStride
                    target += outStride
                    y &+= 1
                }
            }
            block += Block.bytes
            c &+= 16
        }
    }

    /// Four rows of the input.
    private struct Pixels {
        let dot: Dot
        let row: UnsafeRawPointer
        let stride, fourth: Int

        /// - fourth: bytes from the first row to the fourth; 0 if there is no fourth row, whose weights are then 0.
        @inline(always)
        init(_ dot: Dot, _ row: UnsafeRawPointer, _ stride: Int, _ fourth: Int) {
            self.dot = dot
            self.row = row
            self.stride = stride
            self.fourth = fourth
        }

        /// The sixteen channels at `at` bytes into each row.
        @inline(always)
        func at(_ at: Int) -> Woven {
            let p = row + at
            return Woven(
                dot.load(p), dot.load(p + stride), dot.load(p + 2 &* stride), dot.load(p + fourth))
        }
    }

    @inline(always)
    private func output(
        _ dot: Dot, _ left: Woven, _ centre: Woven, _ right: Woven, _ block: UnsafeRawPointer, _ variant: Int,
        _ out: UnsafeMutableRawPointer
    ) {
        var sums = Sixteen(block + Block.bias)
        sums.add(dot, left, block + variant)
        sums.add(dot, centre, block + (variant &+ 64))
        sums.add(dot, right, block + (variant &+ 128))
        sums.store(block + Block.multiplier, out)
    }

    @inline(always)
    private func twoRows(
        _ dot: Dot, _ pixels: Pixels, _ width: Int, _ channels: Int, _ block: UnsafeRawPointer,
        _ out: UnsafeMutableRawPointer, _ outStride: Int
    ) {
        var left = pixels.at(0)
        var centre = pixels.at(channels)
        var at = 0
        while at < width &* channels {
            let right = pixels.at(at &+ 2 &* channels)
            output(dot, left, centre, right, block, 0, out + at)
            output(dot, left, centre, right, block, Block.lower, out + (at &+ outStride))
            left = centre
            centre = right
            at &+= channels
        }
    }

    @inline(always)
    private func oneRow(
        _ dot: Dot, _ pixels: Pixels, _ width: Int, _ channels: Int, _ block: UnsafeRawPointer,
        _ out: UnsafeMutableRawPointer
    ) {
        var left = pixels.at(0)
        var centre = pixels.at(channels)
        var at = 0
        while at < width &* channels {
            let right = pixels.at(at &+ 2 &* channels)
            output(dot, left, centre, right, block, 0, out + at)
            left = centre
            centre = right
            at &+= channels
        }
    }

    /// Stride 2 in `MapLayout.split`: the odd pixel before, the even one, the odd one.
    @inline(always)
    private func oneSplitRow(
        _ dot: Dot, _ pixels: Pixels, _ width: Int, _ channels: Int, _ block: UnsafeRawPointer,
        _ out: UnsafeMutableRawPointer
    ) {
        let even = (width &+ 1) &* channels
        var left = pixels.at(0)
        var at = 0
        while at < width &* channels {
            let right = pixels.at(at &+ channels)
            output(dot, left, pixels.at(at &+ even), right, block, 0, out + at)
            left = right
            at &+= channels
        }
    }
#endif
