#if arch(x86_64)
    import _Builtin_intrinsics.intel
    package import KernelInterface

    // The kernels of network graphs. A convolution is a matrix product of pixels by channels; its depth is all that the
    // taps cover.
    //
    // Eight chains of fused multiply-adds cover their latency on two ports. So a tile is four pixels by 16 channels, or
    // three by 16; four and three cover every row of 6 pixels or more. Twelve sums, four pixels by 24, would load less,
    // but with their operands they need all sixteen registers: the compiler then keeps one sum in memory, and the tile
    // waits for it, at 40 % of the peak. Channels are cut into panels of 16, the last of 8 if that is enough. Bias,
    // residual and activation are applied while the sums are in registers.
    //
    // Packed, for each panel of w channels: weights [depth][w], w biases, w slopes; channels past the last are 0.

    extension AVX2Tier {
        /// The kernels of network graphs of this tier.
        @export(interface) @inline(never)
        package static func convolutionKernels() -> ConvolutionKernels {
            ConvolutionKernels(
                packConvolution: packGraphConvolution, convolve: convolveGraph, packDepthwise: packGraphDepthwise,
                depthwise: depthwiseGraph)
        }
    }

    /// The width of the panel that begins before the last `left` channels.
    @inline(__always)
    private func panelWidth(_ left: Int) -> Int { left <= 8 ? 8 : 16 }

    @inline(__always)
    private func panelBytes(_ width: Int, _ depth: Int) -> Int { 4 &* width &* (depth &+ 2) }

    /// See `ConvolutionKernels.PackConvolution`.
    @c(gk_packconv_f32_avx2) @export(interface) @inline(never)
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
        return (byteCount &+ 63) / 64 &* 64
    }

    /// See `ConvolutionKernels.PackDepthwise`. Packed as a convolution whose panels are 8 wide.
    @c(gk_packdw_f32_avx2) @export(interface) @inline(never)
    package func packGraphDepthwise(
        _ weights: UnsafePointer<Float>?, _ bias: UnsafePointer<Float>?, _ slope: UnsafePointer<Float>?,
        _ channels: Int, _ size: Int, _ packed: UnsafeMutableRawPointer?
    ) -> Int {
        let taps = size &* size
        let byteCount = (channels / 8 &* panelBytes(8, taps) &+ 63) / 64 &* 64
        guard let weights, let bias, let slope, let packed else { return byteCount }
        var c = 0
        while c < channels {
            let column = packed + (c / 8 &* panelBytes(8, taps) &+ c % 8 &* 4)
            var tap = 0
            while tap < taps {
                column.storeBytes(of: weights[tap &* channels &+ c], toByteOffset: 32 &* tap, as: Float.self)
                tap &+= 1
            }
            column.storeBytes(of: bias[c], toByteOffset: 32 &* taps, as: Float.self)
            column.storeBytes(of: slope[c], toByteOffset: 32 &* (taps &+ 1), as: Float.self)
            c &+= 1
        }
        return byteCount
    }

    // MARK: Convolution

    // Each panel width has its own function, exported like a kernel: a function that is not inlined needs a name that
    // is unique to the tier, and the compiler inlines a whole tile only into a small caller.

    /// See `ConvolutionKernels.Convolve`.
    @c(gk_convolve_f32_avx2) @export(interface) @inline(never)
    package func convolveGraph(
        _ a: UnsafePointer<Float>, _ aRow: Int, _ aPixel: Int, _ lines: Int, _ pixels: Int,
        _ taps: Int, _ tapStride: Int, _ depth: Int, _ columns: Int, _ packed: UnsafeRawPointer,
        _ residual: UnsafePointer<Float>?, _ residualRow: Int, _ residualPixel: Int, _ residualColumns: Int,
        _ upper: Float, _ out: UnsafeMutablePointer<Float>, _ outRow: Int, _ outPixel: Int
    ) {
        // Rows that are contiguous in all maps are computed as one row: fewer tiles of three pixels.
        let follows = residual == nil || residualRow == pixels &* residualPixel
        let isOneLine = follows && aRow == pixels &* aPixel && outRow == pixels &* outPixel
        let (lines, pixels) = isOneLine ? (1, lines &* pixels) : (lines, pixels)
        let source = UnsafeRawPointer(a)
        var panel = packed
        var n = 0
        while n < columns {
            let width = panelWidth(columns &- n)
            var more: UnsafeRawPointer?
            if let residual, n < residualColumns { more = UnsafeRawPointer(residual + n) }
            let target = UnsafeMutableRawPointer(out + n)
            let (left, moreLeft) = (columns &- n, residualColumns &- n)
            var y = 0
            while y < lines {
                if width == 16 {
                    convolveRow16(
                        source + 4 &* aRow &* y, 4 &* aPixel, pixels, taps, 4 &* tapStride, depth, panel, more,
                        4 &* residualPixel, moreLeft, upper, target + 4 &* outRow &* y, 4 &* outPixel, left)
                } else {
                    convolveRow8(
                        source + 4 &* aRow &* y, 4 &* aPixel, pixels, taps, 4 &* tapStride, depth, panel, more,
                        4 &* residualPixel, moreLeft, upper, target + 4 &* outRow &* y, 4 &* outPixel, left)
                }
                if let residual = more { more = residual + 4 &* residualRow }
                y &+= 1
            }
            panel += panelBytes(width, taps &* depth)
            n &+= width
        }
    }

    /// One row of a panel of 16 channels; strides are in bytes.
    @c(gk_convolverow16_f32_avx2) @export(interface) @inline(never)
    package func convolveRow16(
        _ a: UnsafeRawPointer, _ aPixel: Int, _ pixels: Int, _ taps: Int, _ tapStride: Int, _ depth: Int,
        _ panel: UnsafeRawPointer, _ residual: UnsafeRawPointer?, _ residualPixel: Int, _ residualColumns: Int,
        _ upper: Float, _ out: UnsafeMutableRawPointer, _ outPixel: Int, _ columns: Int
    ) {
        convolveRow(
            2, Source(pixel: aPixel, taps: taps, tap: tapStride, depth: depth), a, pixels, panel,
            Target(
                pixel: outPixel, columns: columns, upper: upper, residualPixel: residualPixel,
                residualColumns: residualColumns), out, residual)
    }

    /// The same for 8 channels.
    @c(gk_convolverow8_f32_avx2) @export(interface) @inline(never)
    package func convolveRow8(
        _ a: UnsafeRawPointer, _ aPixel: Int, _ pixels: Int, _ taps: Int, _ tapStride: Int, _ depth: Int,
        _ panel: UnsafeRawPointer, _ residual: UnsafeRawPointer?, _ residualPixel: Int, _ residualColumns: Int,
        _ upper: Float, _ out: UnsafeMutableRawPointer, _ outPixel: Int, _ columns: Int
    ) {
        convolveRow(
            1, Source(pixel: aPixel, taps: taps, tap: tapStride, depth: depth), a, pixels, panel,
            Target(
                pixel: outPixel, columns: columns, upper: upper, residualPixel: residualPixel,
                residualColumns: residualColumns), out, residual)
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

    /// One row of a panel of `vectors` times 8 channels.
    @inline(__always)
    private func convolveRow(
        _ vectors: Int, _ source: Source, _ line: UnsafeRawPointer, _ pixels: Int, _ panel: UnsafeRawPointer,
        _ target: Target, _ row: UnsafeMutableRawPointer, _ residualRow: UnsafeRawPointer?
    ) {
        var (a, out, residual) = (line, row, residualRow)
        var left = pixels
        while left > 0 {
            // Six are two tiles of three.
            let count = left > 3 && left != 6 ? 4 : (left < 3 ? left : 3)
            if count == 4 {
                fourPixels(vectors, source, a, panel, target, out, residual)
            } else {
                threePixels(vectors, source, a, count, panel, target, out, residual)
            }
            a += count &* source.pixel
            out += count &* target.pixel
            if let more = residual { residual = more + count &* target.residualPixel }
            left &-= count
        }
    }

    /// The sums of one pixel, or the weights of one depth.
    private struct Sums {
        var a, b: __m256

        @inline(__always)
        init(_ vectors: Int, _ p: UnsafeRawPointer) {
            a = loadFloats(p)
            b = vectors > 1 ? loadFloats(p + 32) : a
        }

        @inline(__always)
        mutating func add(_ vectors: Int, _ x: __m256, _ w: Sums) {
            a = _mm256_fmadd_ps(x, w.a, a)
            if vectors > 1 { b = _mm256_fmadd_ps(x, w.b, b) }
        }

        /// Adds the values at `p`, for the channels that have a residual.
        @inline(__always)
        mutating func add(_ vectors: Int, _ p: UnsafeRawPointer, _ columns: Int) {
            a = _mm256_add_ps(a, some(p, columns))
            if vectors > 1 { b = _mm256_add_ps(b, some(p + 32, columns &- 8)) }
        }
    }

    @inline(__always)
    private func fourPixels(
        _ vectors: Int, _ source: Source, _ a: UnsafeRawPointer, _ panel: UnsafeRawPointer, _ target: Target,
        _ out: UnsafeMutableRawPointer, _ residual: UnsafeRawPointer?
    ) {
        var w = panel
        let end = panel + 32 &* vectors &* source.taps &* source.depth
        let bias = Sums(vectors, end)
        var (s0, s1, s2, s3) = (bias, bias, bias, bias)
        if let residual {
            s0.add(vectors, residual, target.residualColumns)
            s1.add(vectors, residual + target.residualPixel, target.residualColumns)
            s2.add(vectors, residual + 2 &* target.residualPixel, target.residualColumns)
            s3.add(vectors, residual + 3 &* target.residualPixel, target.residualColumns)
        }
        var tap = a
        let (two, three) = (2 &* source.pixel, 3 &* source.pixel)
        var t = 0
        while t < source.taps {
            var p = tap
            let tapEnd = tap + 4 &* source.depth
            while p < tapEnd {
                let weights = Sums(vectors, w)
                s0.add(vectors, broadcastFloat(p), weights)
                s1.add(vectors, broadcastFloat(p + source.pixel), weights)
                s2.add(vectors, broadcastFloat(p + two), weights)
                s3.add(vectors, broadcastFloat(p + three), weights)
                w += 32 &* vectors
                p += 4
            }
            tap += source.tap
            t &+= 1
        }
        let slopes = Sums(vectors, end + 32 &* vectors)
        put(vectors, s0, slopes, target, out)
        put(vectors, s1, slopes, target, out + target.pixel)
        put(vectors, s2, slopes, target, out + 2 &* target.pixel)
        put(vectors, s3, slopes, target, out + 3 &* target.pixel)
    }

    /// - count: 1...3; if fewer than three, the last pixel is computed and written more than once.
    @inline(__always)
    private func threePixels(
        _ vectors: Int, _ source: Source, _ a: UnsafeRawPointer, _ count: Int, _ panel: UnsafeRawPointer,
        _ target: Target, _ out: UnsafeMutableRawPointer, _ residual: UnsafeRawPointer?
    ) {
        var w = panel
        let end = panel + 32 &* vectors &* source.taps &* source.depth
        let bias = Sums(vectors, end)
        var (s0, s1, s2) = (bias, bias, bias)
        let second = count > 1 ? 1 : 0
        let third = count > 2 ? 2 : second
        if let residual {
            s0.add(vectors, residual, target.residualColumns)
            s1.add(vectors, residual + second &* target.residualPixel, target.residualColumns)
            s2.add(vectors, residual + third &* target.residualPixel, target.residualColumns)
        }
        var tap = a
        let (one, two) = (second &* source.pixel, third &* source.pixel)
        var t = 0
        while t < source.taps {
            var p = tap
            let tapEnd = tap + 4 &* source.depth
            while p < tapEnd {
                let weights = Sums(vectors, w)
                s0.add(vectors, broadcastFloat(p), weights)
                s1.add(vectors, broadcastFloat(p + one), weights)
                s2.add(vectors, broadcastFloat(p + two), weights)
                w += 32 &* vectors
                p += 4
            }
            tap += source.tap
            t &+= 1
        }
        let slopes = Sums(vectors, end + 32 &* vectors)
        put(vectors, s0, slopes, target, out)
        put(vectors, s1, slopes, target, out + second &* target.pixel)
        put(vectors, s2, slopes, target, out + third &* target.pixel)
    }

    /// Finishes and writes the sums of a pixel.
    @inline(__always)
    private func put(_ vectors: Int, _ s: Sums, _ slopes: Sums, _ target: Target, _ out: UnsafeMutableRawPointer) {
        let a = activated(s.a, slopes.a, target.upper)
        let b = activated(s.b, slopes.b, target.upper)
        if target.columns >= 8 &* vectors {
            out.storeBytes(of: a, as: __m256.self)
            if vectors > 1 { (out + 32).storeBytes(of: b, as: __m256.self) }
        } else {
            putSome(a, out, target.columns)
            if vectors > 1 { putSome(b, out + 32, target.columns &- 8) }
        }
    }

    /// The first `count` floats at `p`, then zeros; nothing after them is read.
    @inline(__always)
    private func some(_ p: UnsafeRawPointer, _ count: Int) -> __m256 {
        _mm256_maskload_ps(p.assumingMemoryBound(to: Float.self), lanes(before: count))
    }

    /// `min(max(v, 0) + slope * min(v, 0), upper)`
    @inline(__always)
    private func activated(_ v: __m256, _ slope: __m256, _ upper: Float) -> __m256 {
        let zero = _mm256_setzero_ps()
        let both = _mm256_fmadd_ps(_mm256_min_ps(v, zero), slope, _mm256_max_ps(v, zero))
        return _mm256_min_ps(both, _mm256_set1_ps(upper))
    }

    @inline(__always)
    private func broadcastFloat(_ p: UnsafeRawPointer) -> __m256 { _mm256_set1_ps(p.loadUnaligned(as: Float.self)) }

    // MARK: Depthwise

    // The sums of seven or six neighbouring pixels of a row stay in registers, nearly the eight chains that two ports
    // need, together with the pixels under one tap. The next tap covers the same pixels but one. So a weight is loaded
    // once for seven sums, and an input pixel once for the five taps of a row. At stride 2 the even taps come first,
    // because they share pixels. All channels of a group are computed before the next group, so that each cache line is
    // used completely while it is cached.

    /// See `ConvolutionKernels.Depthwise`.
    @c(gk_dw_f32_avx2) @export(interface) @inline(never)
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
                    depthwiseLine31(source, 4 &* inRow, pixels, channels, packed, upper, target, 4 &* outPixel)
                } else {
                    depthwiseLine32(source, 4 &* inRow, pixels, channels, packed, upper, target, 4 &* outPixel)
                }
            } else if stride == 1 {
                depthwiseLine51(source, 4 &* inRow, pixels, channels, packed, upper, target, 4 &* outPixel)
            } else {
                depthwiseLine52(source, 4 &* inRow, pixels, channels, packed, upper, target, 4 &* outPixel)
            }
            y &+= 1
        }
    }

    /// One row of 3x3 taps at stride 1; strides in bytes, except `channels`.
    @c(gk_dwline31_f32_avx2) @export(interface) @inline(never)
    package func depthwiseLine31(
        _ input: UnsafeRawPointer, _ inRow: Int, _ pixels: Int, _ channels: Int, _ packed: UnsafeRawPointer,
        _ upper: Float, _ out: UnsafeMutableRawPointer, _ outPixel: Int
    ) {
        depthwiseLine(3, 1, input, inRow, pixels, channels, packed, upper, out, outPixel)
    }

    /// The same for 3x3 taps at stride 2.
    @c(gk_dwline32_f32_avx2) @export(interface) @inline(never)
    package func depthwiseLine32(
        _ input: UnsafeRawPointer, _ inRow: Int, _ pixels: Int, _ channels: Int, _ packed: UnsafeRawPointer,
        _ upper: Float, _ out: UnsafeMutableRawPointer, _ outPixel: Int
    ) {
        depthwiseLine(3, 2, input, inRow, pixels, channels, packed, upper, out, outPixel)
    }

    /// The same for 5x5 taps at stride 1.
    @c(gk_dwline51_f32_avx2) @export(interface) @inline(never)
    package func depthwiseLine51(
        _ input: UnsafeRawPointer, _ inRow: Int, _ pixels: Int, _ channels: Int, _ packed: UnsafeRawPointer,
        _ upper: Float, _ out: UnsafeMutableRawPointer, _ outPixel: Int
    ) {
        depthwiseLine(5, 1, input, inRow, pixels, channels, packed, upper, out, outPixel)
    }

    /// The same for 5x5 taps at stride 2.
    @c(gk_dwline52_f32_avx2) @export(interface) @inline(never)
    package func depthwiseLine52(
        _ input: UnsafeRawPointer, _ inRow: Int, _ pixels: Int, _ channels: Int, _ packed: UnsafeRawPointer,
        _ upper: Float, _ out: UnsafeMutableRawPointer, _ outPixel: Int
    ) {
        depthwiseLine(5, 2, input, inRow, pixels, channels, packed, upper, out, outPixel)
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
            // The last group overlaps the one before it if the row is not a multiple of the group.
            let count = pixels % 7 == 0 ? 7 : (pixels < 6 ? pixels : 6)
            if pixels &- x < count { x = pixels &- count }
            var w = packed
            var source = input + stride &* x &* inPixel
            var target = out + x &* outPixel
            let end = target + 4 &* channels
            while target < end {
                if count == 7 {
                    depthwiseGroup(7, size, stride, source, inRow, inPixel, w, upper, target, outPixel)
                } else if count == 6 {
                    depthwiseGroup(6, size, stride, source, inRow, inPixel, w, upper, target, outPixel)
                } else {
                    depthwiseOnes(size, stride, source, inRow, inPixel, count, w, upper, target, outPixel)
                }
                w += panelBytes(8, size &* size)
                source += 32
                target += 32
            }
            x &+= count
        }
    }

    /// Six or seven pixels of eight channels.
    @inline(__always)
    private func depthwiseGroup(
        _ count: Int, _ size: Int, _ stride: Int, _ input: UnsafeRawPointer, _ inRow: Int, _ inPixel: Int,
        _ packed: UnsafeRawPointer, _ upper: Float, _ out: UnsafeMutableRawPointer, _ outPixel: Int
    ) {
        let parameters = packed + 32 &* size &* size
        var group = Group(loadFloats(parameters))
        var (line, w) = (input, packed)
        let step = stride &* inPixel
        var r = 0
        while r < size {
            group.add(count, line, step, w)
            if stride == 1 { group.add(count, line + inPixel, step, w + 32) }
            group.add(count, line + 2 &* inPixel, step, w + 64)
            if stride == 1 && size > 3 { group.add(count, line + 3 &* inPixel, step, w + 96) }
            if size > 3 { group.add(count, line + 4 &* inPixel, step, w + 128) }
            if stride == 2 { group.add(count, line + inPixel, step, w + 32) }
            if stride == 2 && size > 3 { group.add(count, line + 3 &* inPixel, step, w + 96) }
            line += inRow
            w += 32 &* size
            r &+= 1
        }
        store8(group.s0, parameters, upper, out)
        store8(group.s1, parameters, upper, out + outPixel)
        store8(group.s2, parameters, upper, out + 2 &* outPixel)
        store8(group.s3, parameters, upper, out + 3 &* outPixel)
        store8(group.s4, parameters, upper, out + 4 &* outPixel)
        store8(group.s5, parameters, upper, out + 5 &* outPixel)
        if count > 6 { store8(group.s6, parameters, upper, out + 6 &* outPixel) }
    }

    /// The sums of a group.
    private struct Group {
        var s0, s1, s2, s3, s4, s5, s6: __m256

        @inline(__always)
        init(_ bias: __m256) { (s0, s1, s2, s3, s4, s5, s6) = (bias, bias, bias, bias, bias, bias, bias) }

        /// Adds one tap, whose weights are at `w`, for pixels `step` bytes apart.
        @inline(__always)
        mutating func add(_ count: Int, _ p: UnsafeRawPointer, _ step: Int, _ w: UnsafeRawPointer) {
            let weights = loadFloats(w)
            s0 = _mm256_fmadd_ps(loadFloats(p), weights, s0)
            s1 = _mm256_fmadd_ps(loadFloats(p + step), weights, s1)
            s2 = _mm256_fmadd_ps(loadFloats(p + 2 &* step), weights, s2)
            s3 = _mm256_fmadd_ps(loadFloats(p + 3 &* step), weights, s3)
            s4 = _mm256_fmadd_ps(loadFloats(p + 4 &* step), weights, s4)
            s5 = _mm256_fmadd_ps(loadFloats(p + 5 &* step), weights, s5)
            if count > 6 { s6 = _mm256_fmadd_ps(loadFloats(p + 6 &* step), weights, s6) }
        }
    }

    /// Fewer than six pixels, one by one.
    @inline(__always)
    private func depthwiseOnes(
        _ size: Int, _ stride: Int, _ input: UnsafeRawPointer, _ inRow: Int, _ inPixel: Int, _ count: Int,
        _ packed: UnsafeRawPointer, _ upper: Float, _ out: UnsafeMutableRawPointer, _ outPixel: Int
    ) {
        let parameters = packed + 32 &* size &* size
        var x = 0
        while x < count {
            var sum = loadFloats(parameters)
            var (line, w) = (input + x &* stride &* inPixel, packed)
            var r = 0
            while r < size {
                var s = 0
                while s < size {
                    sum = _mm256_fmadd_ps(loadFloats(line + s &* inPixel), loadFloats(w), sum)
                    w += 32
                    s &+= 1
                }
                line += inRow
                r &+= 1
            }
            store8(sum, parameters, upper, out + x &* outPixel)
            x &+= 1
        }
    }

    /// - parameters: eight biases, which the sum already contains, and eight slopes.
    @inline(__always)
    private func store8(_ sum: __m256, _ parameters: UnsafeRawPointer, _ upper: Float, _ out: UnsafeMutableRawPointer) {
        out.storeBytes(of: activated(sum, loadFloats(parameters + 32), upper), as: __m256.self)
    }
#endif
