#if arch(x86_64)
    import _Builtin_intrinsics.intel
    package import KernelInterface

    // The kernels of network graphs. A convolution is a matrix product of pixels by channels; its depth is all that the
    // taps cover.
    //
    // A tile is eight pixels by 48 channels: 24 sums, three vectors of weights and the broadcast value fill 28 of 32
    // registers, and 24 multiply-adds take 11 loads. If 48 does not divide the channels, the last panels are 32 or 16
    // wide. Rows end in tiles of seven or of four, so that 7, 14 and 28 pixels waste nothing and 12 little. Bias,
    // residual and activation are applied while the sums are in registers.
    //
    // Packed, for each panel of w channels: weights [depth][w], w biases, w slopes; channels past the last are 0.

    extension AVX512VNNITier {
        /// The kernels of network graphs of this tier.
        @export(interface) @inline(never)
        package static func convolutionKernels() -> ConvolutionKernels {
            ConvolutionKernels(
                packConvolution: packGraphConvolution, convolve: convolveGraph, packDepthwise: packGraphDepthwise,
                depthwise: depthwiseGraph)
        }
    }

    /// The width of the panel that begins before the last `left` channels. For 49...64 channels, two panels of 32
    /// replace 48 and 16.
    @inline(__always)
    func panelWidth(_ left: Int) -> Int {
        if left <= 16 { return 16 }
        if left <= 32 { return 32 }
        return left > 48 && left <= 64 ? 32 : 48
    }

    @inline(__always)
    private func panelBytes(_ width: Int, _ depth: Int) -> Int { 4 &* width &* (depth &+ 2) }

    /// See `ConvolutionKernels.PackConvolution`.
    @c(gk_packconv_f32_avx512vnni) @export(interface) @inline(never)
    package func packGraphConvolution(
        _ weights: UnsafePointer<Float>?, _ bias: UnsafePointer<Float>?, _ slope: UnsafePointer<Float>?,
        _ channels: Int, _ depth: Int, _ packed: UnsafeMutableRawPointer?
    ) -> Int {
        var byteCount = 0
        var first = 0
        while first < channels {
            let width = panelWidth(channels &- first)
            let end = first &+ width < channels ? first &+ width : channels
            if let weights, let bias, let slope, let packed {
                var n = first
                while n < end {
                    let column = packed + (byteCount &+ 4 &* (n &- first))
                    var k = 0
                    while k < depth {
                        column.storeBytes(of: weights[n &* depth &+ k], toByteOffset: 4 &* width &* k, as: Float.self)
                        k &+= 1
                    }
                    column.storeBytes(of: bias[n], toByteOffset: 4 &* width &* depth, as: Float.self)
                    column.storeBytes(of: slope[n], toByteOffset: 4 &* width &* (depth &+ 1), as: Float.self)
                    n &+= 1
                }
            }
            byteCount &+= panelBytes(width, depth)
            first = end
        }
        return byteCount
    }

    /// See `ConvolutionKernels.PackDepthwise`. Packed as a convolution whose panels are 16 wide.
    @c(gk_packdw_f32_avx512vnni) @export(interface) @inline(never)
    package func packGraphDepthwise(
        _ weights: UnsafePointer<Float>?, _ bias: UnsafePointer<Float>?, _ slope: UnsafePointer<Float>?,
        _ channels: Int, _ size: Int, _ packed: UnsafeMutableRawPointer?
    ) -> Int {
        let taps = size &* size
        let byteCount = (channels &+ 15) / 16 &* panelBytes(16, taps)
        guard let weights, let bias, let slope, let packed else { return byteCount }
        var c = 0
        while c < channels {
            let column = packed + (c / 16 &* panelBytes(16, taps) &+ c % 16 &* 4)
            var tap = 0
            while tap < taps {
                column.storeBytes(of: weights[tap &* channels &+ c], toByteOffset: 64 &* tap, as: Float.self)
                tap &+= 1
            }
            column.storeBytes(of: bias[c], toByteOffset: 64 &* taps, as: Float.self)
            column.storeBytes(of: slope[c], toByteOffset: 64 &* (taps &+ 1), as: Float.self)
            c &+= 1
        }
        return byteCount
    }

    // MARK: Convolution

    /// See `ConvolutionKernels.Convolve`.
    @c(gk_convolve_f32_avx512vnni) @export(interface) @inline(never)
    package func convolveGraph(
        _ a: UnsafePointer<Float>, _ aRow: Int, _ aPixel: Int, _ lines: Int, _ pixels: Int,
        _ taps: Int, _ tapStride: Int, _ depth: Int, _ columns: Int, _ packed: UnsafeRawPointer,
        _ residual: UnsafePointer<Float>?, _ residualRow: Int, _ residualPixel: Int, _ residualColumns: Int,
        _ upper: Float, _ out: UnsafeMutablePointer<Float>, _ outRow: Int, _ outPixel: Int
    ) {
        let source = UnsafeRawPointer(a)
        var panel = packed
        var n = 0
        while n < columns {
            let width = panelWidth(columns &- n)
            var more: UnsafeRawPointer?
            if let residual, n < residualColumns { more = UnsafeRawPointer(residual + n) }
            let target = UnsafeMutableRawPointer(out + n)
            var y = 0
            while y < lines {
                let line = FloatRow(
                    source: Source(pixel: 4 &* aPixel, taps: taps, tap: 4 &* tapStride, depth: depth), panel: panel,
                    target: Target(
                        pixel: 4 &* outPixel, columns: columns &- n, upper: upper, residualPixel: 4 &* residualPixel,
                        residualColumns: residualColumns &- n), pixels: pixels, a: source + 4 &* aRow &* y,
                    out: target + 4 &* outRow &* y, residual: more)
                withUnsafePointer(to: line) { convolveFloatRow(width, $0) }
                if let residual = more { more = residual + 4 &* residualRow }
                y &+= 1
            }
            panel += panelBytes(width, taps &* depth)
            n &+= width
        }
    }

    /// One row of a panel: its input, its output, and how far it has been computed. Strides are in bytes.
    private struct FloatRow {
        let source: Source
        let panel: UnsafeRawPointer
        let target: Target
        /// Pixels that are left.
        var pixels: Int
        var a: UnsafeRawPointer
        var out: UnsafeMutableRawPointer
        var residual: UnsafeRawPointer?

        @inline(__always)
        mutating func skip(_ count: Int) {
            a += count &* source.pixel
            out += count &* target.pixel
            if let more = residual { residual = more + count &* target.residualPixel }
            pixels &-= count
        }
    }

    // A function that is not inlined needs a name that is unique to the tier, and the compiler inlines a whole tile
    // only into a small caller. So each panel width has a function for the row and another for the rest of the row. C
    // functions cannot take Swift structures, so they take the address of a `FloatRow`.

    @inline(__always)
    private func convolveFloatRow(_ width: Int, _ line: UnsafeRawPointer) {
        if width == 48 {
            convolveRow48(line)
        } else if width == 32 {
            convolveRow32(line)
        } else {
            convolveRow16(line)
        }
    }

    /// Computes a row except its last one to four pixels.
    /// - Returns: the pixels that are left.
    @inline(__always)
    private func convolveTiles(_ vectors: Int, _ address: UnsafeRawPointer) -> FloatRow {
        var line = address.load(as: FloatRow.self)
        while line.pixels > 4 {
            let count = tile(line.pixels)
            eightPixels(vectors, line.source, line.a, count, line.panel, line.target, line.out, line.residual)
            line.skip(count)
        }
        return line
    }

    @inline(__always)
    private func convolveRest(_ vectors: Int, _ address: UnsafeRawPointer) {
        let line = address.load(as: FloatRow.self)
        fourPixels(vectors, line.source, line.a, line.pixels, line.panel, line.target, line.out, line.residual)
    }

    /// A row of a panel of 48 channels.
    @c(gk_convolverow48_f32_avx512vnni) @export(interface) @inline(never)
    package func convolveRow48(_ line: UnsafeRawPointer) {
        let rest = convolveTiles(3, line)
        if rest.pixels > 0 { withUnsafePointer(to: rest) { convolveRest48($0) } }
    }

    /// The last one to four pixels of such a row.
    @c(gk_convolverest48_f32_avx512vnni) @export(interface) @inline(never)
    package func convolveRest48(_ line: UnsafeRawPointer) { convolveRest(3, line) }

    /// The same for 32 channels.
    @c(gk_convolverow32_f32_avx512vnni) @export(interface) @inline(never)
    package func convolveRow32(_ line: UnsafeRawPointer) {
        let rest = convolveTiles(2, line)
        if rest.pixels > 0 { withUnsafePointer(to: rest) { convolveRest32($0) } }
    }

    /// The same for 32 channels.
    @c(gk_convolverest32_f32_avx512vnni) @export(interface) @inline(never)
    package func convolveRest32(_ line: UnsafeRawPointer) { convolveRest(2, line) }

    /// The same for 16 channels.
    @c(gk_convolverow16_f32_avx512vnni) @export(interface) @inline(never)
    package func convolveRow16(_ line: UnsafeRawPointer) {
        let rest = convolveTiles(1, line)
        if rest.pixels > 0 { withUnsafePointer(to: rest) { convolveRest16($0) } }
    }

    /// The same for 16 channels.
    @c(gk_convolverest16_f32_avx512vnni) @export(interface) @inline(never)
    package func convolveRest16(_ line: UnsafeRawPointer) { convolveRest(1, line) }

    /// Pixels of the next tile, 5...8, of a row that has `left` more, over 4: 14 are two tiles of seven, 28 four.
    @inline(__always)
    func tile(_ left: Int) -> Int {
        if left < 8 { return left }
        return left % 8 != 0 && left % 7 == 0 ? 7 : 8
    }

    /// The input of a pixel's sums; strides are in bytes.
    struct Source {
        let pixel, taps, tap, depth: Int
    }

    /// The output of the sums; strides are in bytes, `columns` are the channels left in the map.
    private struct Target {
        let pixel, columns: Int
        let upper: Float
        let residualPixel, residualColumns: Int
    }

    /// The sums of one pixel, or the weights of one depth.
    private struct Sums {
        var a, b, c: __m512

        @inline(__always)
        init(_ vectors: Int, _ p: UnsafeRawPointer) {
            a = loadFloats(p)
            b = vectors > 1 ? loadFloats(p + 64) : a
            c = vectors > 2 ? loadFloats(p + 128) : a
        }

        @inline(__always)
        mutating func add(_ vectors: Int, _ x: __m512, _ w: Sums) {
            a = _mm512_fmadd_ps(x, w.a, a)
            if vectors > 1 { b = _mm512_fmadd_ps(x, w.b, b) }
            if vectors > 2 { c = _mm512_fmadd_ps(x, w.c, c) }
        }

        /// Adds the values at `p`, for the channels that have a residual.
        @inline(__always)
        mutating func add(_ vectors: Int, _ p: UnsafeRawPointer, _ masks: Masks) {
            a = _mm512_add_ps(a, some(p, masks.a))
            if vectors > 1 { b = _mm512_add_ps(b, some(p + 64, masks.b)) }
            if vectors > 2 { c = _mm512_add_ps(c, some(p + 128, masks.c)) }
        }
    }

    /// The lanes of a panel's three vectors that are channels.
    struct Masks {
        let a, b, c: __mmask16

        @inline(__always)
        init(_ columns: Int) {
            a = lanes(before: columns)
            b = lanes(before: columns &- 16)
            c = lanes(before: columns &- 32)
        }
    }

    /// Pixels 0, 1, ... of a tile; pixels from `count` on repeat the last one, which is computed and written more than
    /// once.
    struct Pixels {
        let p1, p2, p3, p4, p5, p6, p7: Int

        @inline(__always)
        init(_ stride: Int, _ count: Int) {
            let last = (count &- 1) &* stride
            p1 = count > 1 ? stride : last
            p2 = count > 2 ? 2 &* stride : last
            p3 = count > 3 ? 3 &* stride : last
            p4 = count > 4 ? 4 &* stride : last
            p5 = count > 5 ? 5 &* stride : last
            p6 = count > 6 ? 6 &* stride : last
            p7 = count > 7 ? 7 &* stride : last
        }
    }

    /// - count: 5...8.
    @inline(__always)
    private func eightPixels(
        _ vectors: Int, _ source: Source, _ a: UnsafeRawPointer, _ count: Int, _ panel: UnsafeRawPointer,
        _ target: Target, _ out: UnsafeMutableRawPointer, _ residual: UnsafeRawPointer?
    ) {
        var w = panel
        let end = panel + 64 &* vectors &* source.taps &* source.depth
        let bias = Sums(vectors, end)
        var (s0, s1, s2, s3, s4, s5, s6, s7) = (bias, bias, bias, bias, bias, bias, bias, bias)
        if let residual {
            let at = Pixels(target.residualPixel, count)
            let masks = Masks(target.residualColumns)
            s0.add(vectors, residual, masks)
            s1.add(vectors, residual + at.p1, masks)
            s2.add(vectors, residual + at.p2, masks)
            s3.add(vectors, residual + at.p3, masks)
            s4.add(vectors, residual + at.p4, masks)
            s5.add(vectors, residual + at.p5, masks)
            s6.add(vectors, residual + at.p6, masks)
            s7.add(vectors, residual + at.p7, masks)
        }
        let at = Pixels(source.pixel, count)
        var tap = a
        var t = 0
        while t < source.taps {
            var p = tap
            let tapEnd = tap + 4 &* source.depth
            if count == 8 {
                while p < tapEnd {
                    let weights = Sums(vectors, w)
                    s0.add(vectors, broadcast(p), weights)
                    s1.add(vectors, broadcast(p + at.p1), weights)
                    s2.add(vectors, broadcast(p + at.p2), weights)
                    s3.add(vectors, broadcast(p + at.p3), weights)
                    s4.add(vectors, broadcast(p + at.p4), weights)
                    s5.add(vectors, broadcast(p + at.p5), weights)
                    s6.add(vectors, broadcast(p + at.p6), weights)
                    s7.add(vectors, broadcast(p + at.p7), weights)
                    w += 64 &* vectors
                    p += 4
                }
            } else {
                while p < tapEnd {
                    let weights = Sums(vectors, w)
                    s0.add(vectors, broadcast(p), weights)
                    s1.add(vectors, broadcast(p + at.p1), weights)
                    s2.add(vectors, broadcast(p + at.p2), weights)
                    s3.add(vectors, broadcast(p + at.p3), weights)
                    s4.add(vectors, broadcast(p + at.p4), weights)
                    s5.add(vectors, broadcast(p + at.p5), weights)
                    s6.add(vectors, broadcast(p + at.p6), weights)
                    w += 64 &* vectors
                    p += 4
                }
            }
            tap += source.tap
            t &+= 1
        }
        let slopes = Sums(vectors, end + 64 &* vectors)
        let masks = Masks(target.columns)
        let to = Pixels(target.pixel, count)
        put(vectors, s0, slopes, target.upper, masks, out)
        put(vectors, s1, slopes, target.upper, masks, out + to.p1)
        put(vectors, s2, slopes, target.upper, masks, out + to.p2)
        put(vectors, s3, slopes, target.upper, masks, out + to.p3)
        put(vectors, s4, slopes, target.upper, masks, out + to.p4)
        put(vectors, s5, slopes, target.upper, masks, out + to.p5)
        put(vectors, s6, slopes, target.upper, masks, out + to.p6)
        if count == 8 { put(vectors, s7, slopes, target.upper, masks, out + to.p7) }
    }

    /// - count: 1...4.
    @inline(__always)
    private func fourPixels(
        _ vectors: Int, _ source: Source, _ a: UnsafeRawPointer, _ count: Int, _ panel: UnsafeRawPointer,
        _ target: Target, _ out: UnsafeMutableRawPointer, _ residual: UnsafeRawPointer?
    ) {
        var w = panel
        let end = panel + 64 &* vectors &* source.taps &* source.depth
        let bias = Sums(vectors, end)
        var (s0, s1, s2, s3) = (bias, bias, bias, bias)
        if let residual {
            let at = Pixels(target.residualPixel, count)
            let masks = Masks(target.residualColumns)
            s0.add(vectors, residual, masks)
            s1.add(vectors, residual + at.p1, masks)
            s2.add(vectors, residual + at.p2, masks)
            s3.add(vectors, residual + at.p3, masks)
        }
        let at = Pixels(source.pixel, count)
        var tap = a
        var t = 0
        while t < source.taps {
            var p = tap
            let tapEnd = tap + 4 &* source.depth
            while p < tapEnd {
                let weights = Sums(vectors, w)
                s0.add(vectors, broadcast(p), weights)
                s1.add(vectors, broadcast(p + at.p1), weights)
                s2.add(vectors, broadcast(p + at.p2), weights)
                s3.add(vectors, broadcast(p + at.p3), weights)
                w += 64 &* vectors
                p += 4
            }
            tap += source.tap
            t &+= 1
        }
        let slopes = Sums(vectors, end + 64 &* vectors)
        let masks = Masks(target.columns)
        let to = Pixels(target.pixel, count)
        put(vectors, s0, slopes, target.upper, masks, out)
        put(vectors, s1, slopes, target.upper, masks, out + to.p1)
        put(vectors, s2, slopes, target.upper, masks, out + to.p2)
        put(vectors, s3, slopes, target.upper, masks, out + to.p3)
    }

    /// Finishes and writes the sums of a pixel.
    @inline(__always)
    private func put(
        _ vectors: Int, _ s: Sums, _ slopes: Sums, _ upper: Float, _ masks: Masks, _ out: UnsafeMutableRawPointer
    ) {
        putSome(activated(s.a, slopes.a, upper), out, masks.a)
        if vectors > 1 { putSome(activated(s.b, slopes.b, upper), out + 64, masks.b) }
        if vectors > 2 { putSome(activated(s.c, slopes.c, upper), out + 128, masks.c) }
    }

    /// A bit for each lane before `count`.
    @inline(__always)
    func lanes(before count: Int) -> __mmask16 {
        count >= 16 ? 0xffff : (count <= 0 ? 0 : (1 &<< UInt16(truncatingIfNeeded: count)) &- 1)
    }

    /// The floats at `p` in the mask's lanes and zeros elsewhere; nothing else is read.
    @inline(__always)
    private func some(_ p: UnsafeRawPointer, _ mask: __mmask16) -> __m512 { _mm512_maskz_loadu_ps(mask, p) }

    @inline(__always)
    private func putSome(_ v: __m512, _ p: UnsafeMutableRawPointer, _ mask: __mmask16) {
        _mm512_mask_storeu_ps(p, mask, v)
    }

    /// `min(max(v, 0) + slope * min(v, 0), upper)`
    @inline(__always)
    private func activated(_ v: __m512, _ slope: __m512, _ upper: Float) -> __m512 {
        let zero = _mm512_setzero_ps()
        let both = _mm512_fmadd_ps(_mm512_min_ps(v, zero), slope, _mm512_max_ps(v, zero))
        return _mm512_min_ps(both, _mm512_set1_ps(upper))
    }

    @inline(__always)
    private func broadcast(_ p: UnsafeRawPointer) -> __m512 { _mm512_set1_ps(p.loadUnaligned(as: Float.self)) }

    // MARK: Depthwise

    // Four neighbouring pixels of a row share the weights of a kernel row, which stay in registers, and each input
    // pixel is loaded once for all the taps that cover it: 20 multiply-adds of a row of five taps take 13 loads. All
    // channels of these pixels are computed before the next pixels, so that each cache line is used completely while it
    // is cached. A remainder of eight channels is half a vector under a mask.

    /// See `ConvolutionKernels.Depthwise`.
    @c(gk_dw_f32_avx512vnni) @export(interface) @inline(never)
    package func depthwiseGraph(
        _ input: UnsafePointer<Float>, _ inRow: Int, _ size: Int, _ stride: Int,
        _ lines: Int, _ pixels: Int, _ channels: Int, _ packed: UnsafeRawPointer, _ upper: Float,
        _ out: UnsafeMutablePointer<Float>, _ outRow: Int, _ outPixel: Int
    ) {
        var y = 0
        while y < lines {
            let source = UnsafeRawPointer(input + stride &* y &* inRow)
            let target = UnsafeMutableRawPointer(out + y &* outRow)
            if size == 3 {
                if stride == 1 {
                    depthwiseLine(
                        3, 1, source, 4 &* inRow, pixels, channels, packed, upper, target, 4 &* outPixel)
                } else {
                    depthwiseLine(
                        3, 2, source, 4 &* inRow, pixels, channels, packed, upper, target, 4 &* outPixel)
                }
            } else if stride == 1 {
                depthwiseLine(5, 1, source, 4 &* inRow, pixels, channels, packed, upper, target, 4 &* outPixel)
            } else {
                depthwiseLine(5, 2, source, 4 &* inRow, pixels, channels, packed, upper, target, 4 &* outPixel)
            }
            y &+= 1
        }
    }

    /// Strides in bytes, except `channels`.
    @inline(__always)
    private func depthwiseLine(
        _ size: Int, _ stride: Int, _ input: UnsafeRawPointer, _ inRow: Int, _ pixels: Int, _ channels: Int,
        _ packed: UnsafeRawPointer, _ upper: Float, _ out: UnsafeMutableRawPointer, _ outPixel: Int
    ) {
        let inPixel = 4 &* channels
        var x = 0
        while x < pixels {
            // The last four pixels overlap those before them if the row is not a multiple of four.
            if pixels &- x < 4 && pixels >= 4 { x = pixels &- 4 }
            let count = pixels &- x < 4 ? pixels &- x : 4
            var w = packed
            var source = input + stride &* x &* inPixel
            var target = out + x &* outPixel
            var left = channels
            while left > 0 {
                let mask = lanes(before: left)
                if count == 4 {
                    depthwiseFour(size, stride, source, inRow, inPixel, w, upper, mask, target, outPixel)
                } else {
                    depthwiseOnes(size, stride, source, inRow, inPixel, count, w, upper, mask, target, outPixel)
                }
                w += panelBytes(16, size &* size)
                source += 64
                target += 64
                left &-= 16
            }
            x &+= 4
        }
    }

    /// Four pixels of up to sixteen channels.
    @inline(__always)
    private func depthwiseFour(
        _ size: Int, _ stride: Int, _ input: UnsafeRawPointer, _ inRow: Int, _ inPixel: Int,
        _ packed: UnsafeRawPointer, _ upper: Float, _ mask: __mmask16, _ out: UnsafeMutableRawPointer, _ outPixel: Int
    ) {
        let parameters = packed + 64 &* size &* size
        let bias = loadFloats(parameters)
        var (s0, s1, s2, s3) = (bias, bias, bias, bias)
        var (line, w) = (input, packed)
        var r = 0
        while r < size {
            let weights = RowWeights(size, w)
            s0 = weights.add(size, s0, line, inPixel, mask)
            s1 = weights.add(size, s1, line + stride &* inPixel, inPixel, mask)
            s2 = weights.add(size, s2, line + 2 &* stride &* inPixel, inPixel, mask)
            s3 = weights.add(size, s3, line + 3 &* stride &* inPixel, inPixel, mask)
            line += inRow
            w += 64 &* size
            r &+= 1
        }
        let slope = loadFloats(parameters + 64)
        putSome(activated(s0, slope, upper), out, mask)
        putSome(activated(s1, slope, upper), out + outPixel, mask)
        putSome(activated(s2, slope, upper), out + 2 &* outPixel, mask)
        putSome(activated(s3, slope, upper), out + 3 &* outPixel, mask)
    }

    /// Fewer than four pixels, one by one.
    @inline(__always)
    private func depthwiseOnes(
        _ size: Int, _ stride: Int, _ input: UnsafeRawPointer, _ inRow: Int, _ inPixel: Int, _ count: Int,
        _ packed: UnsafeRawPointer, _ upper: Float, _ mask: __mmask16, _ out: UnsafeMutableRawPointer, _ outPixel: Int
    ) {
        let parameters = packed + 64 &* size &* size
        var x = 0
        while x < count {
            var sum = loadFloats(parameters)
            var r = 0
            while r < size {
                let line = input + (r &* inRow &+ x &* stride &* inPixel)
                sum = RowWeights(size, packed + 64 &* size &* r).add(size, sum, line, inPixel, mask)
                r &+= 1
            }
            putSome(activated(sum, loadFloats(parameters + 64), upper), out + x &* outPixel, mask)
            x &+= 1
        }
    }

    /// The weights of one row of taps, three or five.
    private struct RowWeights {
        let w0, w1, w2, w3, w4: __m512

        @inline(__always)
        init(_ size: Int, _ p: UnsafeRawPointer) {
            w0 = loadFloats(p)
            w1 = loadFloats(p + 64)
            w2 = loadFloats(p + 128)
            w3 = size > 3 ? loadFloats(p + 192) : w0
            w4 = size > 3 ? loadFloats(p + 256) : w0
        }

        @inline(__always)
        func add(
            _ size: Int, _ sum: __m512, _ p: UnsafeRawPointer, _ pixel: Int, _ mask: __mmask16
        ) -> __m512 {
            var sum = _mm512_fmadd_ps(some(p, mask), w0, sum)
            sum = _mm512_fmadd_ps(some(p + pixel, mask), w1, sum)
            sum = _mm512_fmadd_ps(some(p + 2 &* pixel, mask), w2, sum)
            guard size > 3 else { return sum }
            sum = _mm512_fmadd_ps(some(p + 3 &* pixel, mask), w3, sum)
            return _mm512_fmadd_ps(some(p + 4 &* pixel, mask), w4, sum)
        }
    }
#endif
