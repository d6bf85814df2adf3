#if arch(x86_64)
    import _Builtin_intrinsics.intel
    package import KernelInterface

    // The int8 kernels of network graphs. Tiles and panels are those of the float kernels (GraphConvolution.swift); a
    // dot product takes four values of a pixel, broadcast, and four weights of each channel.
    //
    // Packed, for each panel of w channels: weights [depth / 4][w][4], then w biases, w multipliers, w slopes.

    extension AVX512VNNITier {
        /// The int8 kernels of network graphs of this tier.
        @export(interface) @inline(never)
        package static func quantisedConvolutionKernels() -> QuantisedConvolutionKernels {
            QuantisedConvolutionKernels(
                packConvolution: packQuantisedConvolution, convolve: convolveQuantised,
                convolveToFloat: convolveQuantisedToFloat,
                packDepthwise: packQuantisedDepthwise, depthwise: depthwiseQuantised)
        }
    }

    @inline(__always)
    private func panelBytes(_ width: Int, _ depth: Int) -> Int { width &* (depth &+ 12) }

    /// See `QuantisedConvolutionKernels.PackConvolution`.
    @c(gk_packconv_q8_avx512vnni) @export(interface) @inline(never)
    package func packQuantisedConvolution(
        _ weights: UnsafePointer<Int8>?, _ bias: UnsafePointer<Int32>?, _ multiplier: UnsafePointer<Float>?,
        _ slope: UnsafePointer<Float>?, _ channels: Int, _ depth: Int, _ packed: UnsafeMutableRawPointer?
    ) -> Int {
        var byteCount = 0
        var first = 0
        while first < channels {
            let width = panelWidth(channels &- first)
            let end = first &+ width < channels ? first &+ width : channels
            if let weights, let bias, let multiplier, let slope, let packed {
                var n = first
                while n < end {
                    let column = packed + (byteCount &+ 4 &* (n &- first))
                    var k = 0
                    while k < depth {
                        let four = UnsafeRawPointer(weights + (n &* depth &+ k)).loadUnaligned(as: Int32.self)
                        column.storeBytes(of: four, toByteOffset: width &* k, as: Int32.self)
                        k &+= 4
                    }
                    let parameters = column + width &* depth
                    parameters.storeBytes(of: bias[n], as: Int32.self)
                    parameters.storeBytes(of: multiplier[n], toByteOffset: 4 &* width, as: Float.self)
                    parameters.storeBytes(of: slope[n], toByteOffset: 8 &* width, as: Float.self)
                    n &+= 1
                }
            }
            byteCount &+= panelBytes(width, depth)
            first = end
        }
        return byteCount
    }

    // MARK: Requantisation

    /// See `QuantisedConvolutionKernels`.
    private struct Rounding {
        let zero, lower, upper: __m512i
        let residualZero: UInt8
        let residualMultiplier: Float
        let hasSlopes: Bool

        @inline(__always)
        init(_ p: UnsafeRawPointer) {
            zero = _mm512_set1_epi16(Int16(truncatingIfNeeded: p.load(as: Int32.self)))
            lower = _mm512_set1_epi8(Int8(truncatingIfNeeded: p.load(fromByteOffset: 4, as: Int32.self)))
            upper = _mm512_set1_epi8(Int8(truncatingIfNeeded: p.load(fromByteOffset: 8, as: Int32.self)))
            residualZero = UInt8(truncatingIfNeeded: p.load(fromByteOffset: 12, as: Int32.self))
            residualMultiplier = p.load(fromByteOffset: 16, as: Float.self)
            hasSlopes = p.load(fromByteOffset: 20, as: Int32.self) != 0
        }

        /// The contribution of the sixteen residual values at `p`, in the mask's lanes; nothing else is read.
        @inline(__always)
        func residual(_ p: UnsafeRawPointer, _ mask: __mmask16) -> __m512 {
            let codes = _mm_mask_loadu_epi8(_mm_set1_epi8(Int8(bitPattern: residualZero)), mask, p)
            let difference = _mm512_sub_epi32(
                _mm512_cvtepu8_epi32(codes), _mm512_set1_epi32(Int32(residualZero)))
            return _mm512_mul_ps(_mm512_cvtepi32_ps(difference), _mm512_set1_ps(residualMultiplier))
        }

        /// Four vectors of rounded values, in the lane order of the packs.
        @inline(__always)
        func codes(_ a: __m512i, _ b: __m512i, _ c: __m512i, _ d: __m512i) -> __m512i {
            let ab = _mm512_adds_epi16(_mm512_packs_epi32(a, b), zero)
            let cd = _mm512_adds_epi16(_mm512_packs_epi32(c, d), zero)
            return _mm512_min_epu8(_mm512_max_epu8(_mm512_packus_epi16(ab, cd), lower), upper)
        }
    }

    @inline(__always)
    private func real(_ sum: __m512i, _ multiplier: __m512) -> __m512 {
        _mm512_mul_ps(_mm512_cvtepi32_ps(sum), multiplier)
    }

    @inline(__always)
    private func sloped(_ v: __m512, _ slope: __m512) -> __m512 {
        _mm512_mask_mul_ps(v, _mm512_movepi32_mask(_mm512_castps_si512(v)), v, slope)
    }

    /// The sums of one pixel, or the weights of four depths.
    private struct Sums {
        var a, b, c: __m512i

        @inline(__always)
        init(_ vectors: Int, _ p: UnsafeRawPointer) {
            a = load(p)
            b = vectors > 1 ? load(p + 64) : a
            c = vectors > 2 ? load(p + 128) : a
        }

        @inline(__always)
        mutating func add(_ vectors: Int, _ x: __m512i, _ w: Sums) {
            a = dot(a, x, w.a)
            if vectors > 1 { b = dot(b, x, w.b) }
            if vectors > 2 { c = dot(c, x, w.c) }
        }
    }

    /// The output of a panel; strides are in bytes.
    private struct Target {
        let pixel: Int
        let rounding: Rounding
        let residualPixel: Int
        let residualMasks: Masks

        @inline(__always)
        init(_ pixel: Int, _ rounding: UnsafeRawPointer, _ residualPixel: Int, _ residualColumns: Int) {
            self.pixel = pixel
            self.rounding = Rounding(rounding)
            self.residualPixel = residualPixel
            residualMasks = Masks(residualColumns)
        }

        /// Rounds and writes the sums of a pixel. At `multipliers` are the multipliers of the panel's channels, then
        /// their slopes.
        @inline(__always)
        func put(
            _ vectors: Int, _ s: Sums, _ multipliers: UnsafeRawPointer, _ residual: UnsafeRawPointer?,
            _ out: UnsafeMutableRawPointer
        ) {
            var a = real(s.a, loadFloats(multipliers))
            var b = vectors > 1 ? real(s.b, loadFloats(multipliers + 64)) : a
            var c = vectors > 2 ? real(s.c, loadFloats(multipliers + 128)) : a
            if let residual {
                a = _mm512_add_ps(a, rounding.residual(residual, residualMasks.a))
                if vectors > 1 { b = _mm512_add_ps(b, rounding.residual(residual + 16, residualMasks.b)) }
                if vectors > 2 { c = _mm512_add_ps(c, rounding.residual(residual + 32, residualMasks.c)) }
            }
            if rounding.hasSlopes {
                let slopes = multipliers + 64 &* vectors
                a = sloped(a, loadFloats(slopes))
                if vectors > 1 { b = sloped(b, loadFloats(slopes + 64)) }
                if vectors > 2 { c = sloped(c, loadFloats(slopes + 128)) }
            }
            let (x, y) = (_mm512_cvtps_epi32(a), vectors > 1 ? _mm512_cvtps_epi32(b) : _mm512_setzero_si512())
            let z = vectors > 2 ? _mm512_cvtps_epi32(c) : y
            let codes = _mm512_permutexvar_epi32(
                _mm512_set_epi32(15, 11, 7, 3, 14, 10, 6, 2, 13, 9, 5, 1, 12, 8, 4, 0), rounding.codes(x, y, z, z))
            if vectors == 1 {
                out.storeBytes(of: _mm256_castsi256_si128(codes.lowHalf), as: __m128i.self)
            } else {
                out.storeBytes(of: codes.lowHalf, as: __m256i.self)
                if vectors > 2 {
                    out.storeBytes(
                        of: _mm256_castsi256_si128(codes.highHalf), toByteOffset: 32, as: __m128i.self)
                }
            }
        }
    }

    // MARK: Convolution

    /// See `QuantisedConvolutionKernels.Convolve`.
    @c(gk_convolve_q8_avx512vnni) @export(interface) @inline(never)
    package func convolveQuantised(
        _ a: UnsafePointer<UInt8>, _ aRow: Int, _ aPixel: Int, _ lines: Int, _ pixels: Int,
        _ taps: Int, _ tapStride: Int, _ depth: Int, _ columns: Int, _ packed: UnsafeRawPointer,
        _ residual: UnsafePointer<UInt8>?, _ residualRow: Int, _ residualPixel: Int, _ residualColumns: Int,
        _ rounding: UnsafeRawPointer, _ out: UnsafeMutablePointer<UInt8>, _ outRow: Int, _ outPixel: Int,
        _ batchRows: Int, _ batchPixels: Int, _ working: UnsafeMutableRawPointer
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
                let line = QuantisedRow(
                    source: Source(pixel: aPixel, taps: taps, tap: tapStride, depth: depth), panel: panel,
                    rounding: rounding, outPixel: outPixel, residualPixel: residualPixel,
                    residualColumns: residualColumns &- n, pixels: pixels, a: source + aRow &* y,
                    out: target + outRow &* y, residual: more)
                withUnsafePointer(to: line) { convolveRow(width, $0) }
                if let residual = more { more = residual + residualRow }
                y &+= 1
            }
            panel += panelBytes(width, taps &* depth)
            n &+= width
        }
    }

    /// One row of a panel: its input, its output, and how far it has been computed. Strides are in bytes.
    private struct QuantisedRow {
        let source: Source
        let panel, rounding: UnsafeRawPointer
        let outPixel, residualPixel, residualColumns: Int
        /// Pixels that are left.
        var pixels: Int
        var a: UnsafeRawPointer
        var out: UnsafeMutableRawPointer
        var residual: UnsafeRawPointer?

        @inline(__always)
        var target: Target { Target(outPixel, rounding, residualPixel, residualColumns) }

        @inline(__always)
        mutating func skip(_ count: Int) {
            a += count &* source.pixel
            out += count &* outPixel
            if let more = residual { residual = more + count &* residualPixel }
            pixels &-= count
        }
    }

    // A function that is not inlined needs a name that is unique to the tier, and the compiler inlines a whole tile
    // only into a small caller. So each panel width has a function for the row and another for the rest of the row. C
    // functions cannot take Swift structures, so they take the address of a `QuantisedRow`.

    @inline(__always)
    private func convolveRow(_ width: Int, _ line: UnsafeRawPointer) {
        if width == 48 {
            convolveQuantisedRow48(line)
        } else if width == 32 {
            convolveQuantisedRow32(line)
        } else {
            convolveQuantisedRow16(line)
        }
    }

    /// Computes a row except its last one to four pixels.
    /// - Returns: the pixels that are left.
    @inline(__always)
    private func convolveTiles(_ vectors: Int, _ address: UnsafeRawPointer) -> QuantisedRow {
        var line = address.load(as: QuantisedRow.self)
        let target = line.target
        while line.pixels > 4 {
            let count = tile(line.pixels)
            eightPixels(vectors, line.source, line.a, count, line.panel, target, line.out, line.residual)
            line.skip(count)
        }
        return line
    }

    @inline(__always)
    private func convolveRest(_ vectors: Int, _ address: UnsafeRawPointer) {
        let line = address.load(as: QuantisedRow.self)
        fourPixels(vectors, line.source, line.a, line.pixels, line.panel, line.target, line.out, line.residual)
    }

    /// A row of a panel of 48 channels.
    @c(gk_convolverow48_q8_avx512vnni) @export(interface) @inline(never)
    package func convolveQuantisedRow48(_ line: UnsafeRawPointer) {
        let rest = convolveTiles(3, line)
        if rest.pixels > 0 { withUnsafePointer(to: rest) { convolveQuantisedRest48($0) } }
    }

    /// The last one to four pixels of such a row.
    @c(gk_convolverest48_q8_avx512vnni) @export(interface) @inline(never)
    package func convolveQuantisedRest48(_ line: UnsafeRawPointer) { convolveRest(3, line) }

    /// The same for 32 channels.
    @c(gk_convolverow32_q8_avx512vnni) @export(interface) @inline(never)
    package func convolveQuantisedRow32(_ line: UnsafeRawPointer) {
        let rest = convolveTiles(2, line)
        if rest.pixels > 0 { withUnsafePointer(to: rest) { convolveQuantisedRest32($0) } }
    }

    /// The same for 32 channels.
    @c(gk_convolverest32_q8_avx512vnni) @export(interface) @inline(never)
    package func convolveQuantisedRest32(_ line: UnsafeRawPointer) { convolveRest(2, line) }

    /// The same for 16 channels.
    @c(gk_convolverow16_q8_avx512vnni) @export(interface) @inline(never)
    package func convolveQuantisedRow16(_ line: UnsafeRawPointer) {
        let rest = convolveTiles(1, line)
        if rest.pixels > 0 { withUnsafePointer(to: rest) { convolveQuantisedRest16($0) } }
    }

    /// The same for 16 channels.
    @c(gk_convolverest16_q8_avx512vnni) @export(interface) @inline(never)
    package func convolveQuantisedRest16(_ line: UnsafeRawPointer) { convolveRest(1, line) }

    /// - count: 5...8.
    @inline(__always)
    private func eightPixels(
        _ vectors: Int, _ source: Source, _ a: UnsafeRawPointer, _ count: Int, _ panel: UnsafeRawPointer,
        _ target: Target, _ out: UnsafeMutableRawPointer, _ residual: UnsafeRawPointer?
    ) {
        var w = panel
        let end = panel + 16 &* vectors &* source.taps &* source.depth
        let bias = Sums(vectors, end)
        var (s0, s1, s2, s3, s4, s5, s6, s7) = (bias, bias, bias, bias, bias, bias, bias, bias)
        let at = Pixels(source.pixel, count)
        var tap = a
        var t = 0
        while t < source.taps {
            var p = tap
            let tapEnd = tap + source.depth
            if count == 8 {
                while p < tapEnd {
                    let weights = Sums(vectors, w)
                    s0.add(vectors, broadcast4(p), weights)
                    s1.add(vectors, broadcast4(p + at.p1), weights)
                    s2.add(vectors, broadcast4(p + at.p2), weights)
                    s3.add(vectors, broadcast4(p + at.p3), weights)
                    s4.add(vectors, broadcast4(p + at.p4), weights)
                    s5.add(vectors, broadcast4(p + at.p5), weights)
                    s6.add(vectors, broadcast4(p + at.p6), weights)
                    s7.add(vectors, broadcast4(p + at.p7), weights)
                    w += 64 &* vectors
                    p += 4
                }
            } else {
                while p < tapEnd {
                    let weights = Sums(vectors, w)
                    s0.add(vectors, broadcast4(p), weights)
                    s1.add(vectors, broadcast4(p + at.p1), weights)
                    s2.add(vectors, broadcast4(p + at.p2), weights)
                    s3.add(vectors, broadcast4(p + at.p3), weights)
                    s4.add(vectors, broadcast4(p + at.p4), weights)
                    s5.add(vectors, broadcast4(p + at.p5), weights)
                    s6.add(vectors, broadcast4(p + at.p6), weights)
                    w += 64 &* vectors
                    p += 4
                }
            }
            tap += source.tap
            t &+= 1
        }
        let multipliers = end + 64 &* vectors
        let (to, more) = (Pixels(target.pixel, count), Pixels(target.residualPixel, count))
        target.put(vectors, s0, multipliers, residual, out)
        target.put(vectors, s1, multipliers, residual.map { $0 + more.p1 }, out + to.p1)
        target.put(vectors, s2, multipliers, residual.map { $0 + more.p2 }, out + to.p2)
        target.put(vectors, s3, multipliers, residual.map { $0 + more.p3 }, out + to.p3)
        target.put(vectors, s4, multipliers, residual.map { $0 + more.p4 }, out + to.p4)
        target.put(vectors, s5, multipliers, residual.map { $0 + more.p5 }, out + to.p5)
        target.put(vectors, s6, multipliers, residual.map { $0 + more.p6 }, out + to.p6)
        if count == 8 {
            target.put(vectors, s7, multipliers, residual.map { $0 + more.p7 }, out + to.p7)
        }
    }

    /// - count: 1...4.
    @inline(__always)
    private func fourPixels(
        _ vectors: Int, _ source: Source, _ a: UnsafeRawPointer, _ count: Int, _ panel: UnsafeRawPointer,
        _ target: Target, _ out: UnsafeMutableRawPointer, _ residual: UnsafeRawPointer?
    ) {
        var w = panel
        let end = panel + 16 &* vectors &* source.taps &* source.depth
        let bias = Sums(vectors, end)
        var (s0, s1, s2, s3) = (bias, bias, bias, bias)
        let at = Pixels(source.pixel, count)
        var tap = a
        var t = 0
        while t < source.taps {
            var p = tap
            let tapEnd = tap + source.depth
            while p < tapEnd {
                let weights = Sums(vectors, w)
                s0.add(vectors, broadcast4(p), weights)
                s1.add(vectors, broadcast4(p + at.p1), weights)
                s2.add(vectors, broadcast4(p + at.p2), weights)
                s3.add(vectors, broadcast4(p + at.p3), weights)
                w += 64 &* vectors
                p += 4
            }
            tap += source.tap
            t &+= 1
        }
        let multipliers = end + 64 &* vectors
        let (to, more) = (Pixels(target.pixel, count), Pixels(target.residualPixel, count))
        target.put(vectors, s0, multipliers, residual, out)
        target.put(vectors, s1, multipliers, residual.map { $0 + more.p1 }, out + to.p1)
        target.put(vectors, s2, multipliers, residual.map { $0 + more.p2 }, out + to.p2)
        target.put(vectors, s3, multipliers, residual.map { $0 + more.p3 }, out + to.p3)
    }

    // MARK: Float output

    /// See `QuantisedConvolutionKernels.ConvolveToFloat`. Four pixels by sixteen channels: few outputs are floats.
    @c(gk_convolvefloat_q8_avx512vnni) @export(interface) @inline(never)
    package func convolveQuantisedToFloat(
        _ a: UnsafePointer<UInt8>, _ aRow: Int, _ aPixel: Int, _ lines: Int, _ pixels: Int,
        _ taps: Int, _ tapStride: Int, _ depth: Int, _ columns: Int, _ packed: UnsafeRawPointer,
        _ upper: Float, _ out: UnsafeMutablePointer<Float>, _ outRow: Int, _ outPixel: Int,
        _ batchRows: Int, _ batchPixels: Int, _ working: UnsafeMutableRawPointer
    ) {
        var panel = packed
        var first = 0
        while first < columns {
            let width = panelWidth(columns &- first)
            let parameters = panel + width &* taps &* depth
            var n = 0
            while n < width && first &+ n < columns {
                let mask = lanes(before: columns &- first &- n)
                let (bias, multiplier) = (
                    load(parameters + 4 &* n), loadFloats(parameters + 4 &* (width &+ n))
                )
                let slope = loadFloats(parameters + 4 &* (2 &* width &+ n))
                var y = 0
                while y < lines {
                    var x = 0
                    while x < pixels {
                        let count = pixels &- x < 4 ? pixels &- x : 4
                        let source = UnsafeRawPointer(a + (y &* aRow &+ x &* aPixel))
                        let at = Pixels(aPixel, count)
                        var (s0, s1, s2, s3) = (bias, bias, bias, bias)
                        var w = panel + 4 &* n
                        var t = 0
                        while t < taps {
                            var p = source + t &* tapStride
                            let end = p + depth
                            while p < end {
                                let weights = load(w)
                                s0 = dot(s0, broadcast4(p), weights)
                                s1 = dot(s1, broadcast4(p + at.p1), weights)
                                s2 = dot(s2, broadcast4(p + at.p2), weights)
                                s3 = dot(s3, broadcast4(p + at.p3), weights)
                                w += 4 &* width
                                p += 4
                            }
                            t &+= 1
                        }
                        let target = UnsafeMutableRawPointer(out + (y &* outRow &+ x &* outPixel &+ first &+ n))
                        let to = Pixels(4 &* outPixel, count)
                        putReal(s0, multiplier, slope, upper, mask, target)
                        putReal(s1, multiplier, slope, upper, mask, target + to.p1)
                        putReal(s2, multiplier, slope, upper, mask, target + to.p2)
                        putReal(s3, multiplier, slope, upper, mask, target + to.p3)
                        x &+= 4
                    }
                    y &+= 1
                }
                n &+= 16
            }
            panel += panelBytes(width, taps &* depth)
            first &+= width
        }
    }

    @inline(__always)
    private func putReal(
        _ sum: __m512i, _ multiplier: __m512, _ slope: __m512, _ upper: Float, _ mask: __mmask16,
        _ out: UnsafeMutableRawPointer
    ) {
        let v = _mm512_min_ps(sloped(real(sum, multiplier), slope), _mm512_set1_ps(upper))
        _mm512_mask_storeu_ps(out, mask, v)
    }

    // MARK: Depthwise

    // The dot product sums four neighbouring bytes, and channels lie innermost. So the taps are taken four at a time,
    // in the order of their rows, and their bytes interleaved in two operations, which give four vectors: vector k
    // holds channels 4k..<4k+4 of each 16. The packs at the end undo exactly this order.
    //
    // At stride 1 a row of the map is a row of bytes in which the tap to the right is a constant distance away, so a
    // vector of 64 bytes may span several pixels. With many channels, and with stride 2, every pixel starts a new
    // vector.
    //
    // Packed, for each 64 bytes until channels repeat: for every four taps four vectors of weights, then four of
    // biases, of multipliers and of slopes.

    @inline(__always)
    private func quads(_ size: Int) -> Int { size == 3 ? 3 : 7 }

    @inline(__always)
    private func blockBytes(_ size: Int) -> Int { (quads(size) &+ 3) &* 256 }

    /// Whether 64 bytes may span several pixels of a row of stride 1.
    @inline(__always)
    private func spansPixels(_ channels: Int) -> Bool { channels & 63 == 0 || channels < 256 }

    /// Blocks until channels repeat.
    @inline(__always)
    private func blockCount(_ channels: Int) -> Int {
        if !spansPixels(channels) { return (channels &+ 63) &>> 6 }
        // channels / gcd(channels, 64), channels being a multiple of 16.
        return channels & 63 == 0 ? channels &>> 6 : channels & 31 == 0 ? channels &>> 5 : channels &>> 4
    }

    /// See `QuantisedConvolutionKernels.PackDepthwise`.
    @c(gk_packdw_q8_avx512vnni) @export(interface) @inline(never)
    package func packQuantisedDepthwise(
        _ weights: UnsafePointer<Int8>?, _ bias: UnsafePointer<Int32>?, _ multiplier: UnsafePointer<Float>?,
        _ slope: UnsafePointer<Float>?, _ channels: Int, _ size: Int, _ packed: UnsafeMutableRawPointer?
    ) -> Int {
        let byteCount = blockCount(channels) &* blockBytes(size)
        guard let weights, let bias, let multiplier, let slope, let packed else { return byteCount }
        let taps = size &* size
        var index = 0
        while index < blockCount(channels) &* 64 {
            let block = packed + index / 64 &* blockBytes(size)
            let (k, element) = (index / 4 % 4, index % 64 / 16 &* 4 &+ index % 4)
            let c = index % channels
            var tap = 0
            while tap < taps {
                block.storeBytes(
                    of: weights[tap &* channels &+ c],
                    toByteOffset: tap / 4 &* 256 &+ 64 &* k &+ 4 &* element &+ tap % 4, as: Int8.self)
                tap &+= 1
            }
            let parameters = block + (quads(size) &* 256 &+ 64 &* k &+ 4 &* element)
            parameters.storeBytes(of: bias[c], as: Int32.self)
            parameters.storeBytes(of: multiplier[c], toByteOffset: 256, as: Float.self)
            parameters.storeBytes(of: slope[c], toByteOffset: 512, as: Float.self)
            index &+= 1
        }
        return byteCount
    }

    /// See `QuantisedConvolutionKernels.Depthwise`.
    @c(gk_dw_q8_avx512vnni) @export(interface) @inline(never)
    package func depthwiseQuantised(
        _ input: UnsafePointer<UInt8>, _ inRow: Int, _ size: Int, _ stride: Int,
        _ lines: Int, _ pixels: Int, _ channels: Int, _ packed: UnsafeRawPointer, _ rounding: UnsafeRawPointer,
        _ out: UnsafeMutablePointer<UInt8>, _ outRow: Int
    ) {
        let isOneRun = stride == 1 && spansPixels(channels)
        let (runs, run) = isOneRun ? (1, pixels &* channels) : (pixels, channels)
        var y = 0
        while y < lines {
            let source = UnsafeRawPointer(input + stride &* y &* inRow)
            let target = UnsafeMutableRawPointer(out + y &* outRow)
            if size == 3 {
                depthwiseQuantisedLine3(
                    source, inRow, channels, runs, stride &* run, run, packed, blockCount(channels), rounding, target)
            } else {
                depthwiseQuantisedLine5(
                    source, inRow, channels, runs, stride &* run, run, packed, blockCount(channels), rounding, target)
            }
            y &+= 1
        }
    }

    /// `runs` runs of `run` bytes of output each, whose input is `step` bytes apart.
    @c(gk_dwline3_q8_avx512vnni) @export(interface) @inline(never)
    package func depthwiseQuantisedLine3(
        _ input: UnsafeRawPointer, _ inRow: Int, _ inPixel: Int, _ runs: Int, _ step: Int, _ run: Int,
        _ packed: UnsafeRawPointer, _ blocks: Int, _ rounding: UnsafeRawPointer, _ out: UnsafeMutableRawPointer
    ) {
        depthwiseLine(3, input, inRow, inPixel, runs, step, run, packed, blocks, Rounding(rounding), out)
    }

    /// The same for 5x5 taps.
    @c(gk_dwline5_q8_avx512vnni) @export(interface) @inline(never)
    package func depthwiseQuantisedLine5(
        _ input: UnsafeRawPointer, _ inRow: Int, _ inPixel: Int, _ runs: Int, _ step: Int, _ run: Int,
        _ packed: UnsafeRawPointer, _ blocks: Int, _ rounding: UnsafeRawPointer, _ out: UnsafeMutableRawPointer
    ) {
        depthwiseLine(5, input, inRow, inPixel, runs, step, run, packed, blocks, Rounding(rounding), out)
    }

    @inline(__always)
    private func depthwiseLine(
        _ size: Int, _ input: UnsafeRawPointer, _ inRow: Int, _ inPixel: Int, _ runs: Int, _ step: Int, _ run: Int,
        _ packed: UnsafeRawPointer, _ blocks: Int, _ rounding: Rounding, _ out: UnsafeMutableRawPointer
    ) {
        let last = packed + blocks &* blockBytes(size)
        var (source, target) = (input, out)
        var index = 0
        while index < runs {
            var block = packed
            var at = 0
            while at < run {
                let sums = Four(size, source + at, inRow, inPixel, block)
                let codes = sums.codes(block + quads(size) &* 256, rounding)
                if run &- at >= 64 {
                    store(codes, target + at)
                } else {
                    _mm512_mask_storeu_epi8(target + at, byteMask(run &- at), codes)
                }
                block += blockBytes(size)
                if block == last { block = packed }
                at &+= 64
            }
            source += step
            target += run
            index &+= 1
        }
    }

    /// The sums of 64 bytes, vector k those of channels 4k..<4k+4 of each 16.
    private struct Four {
        private var q0, q1, q2, q3: __m512i

        @inline(__always)
        init(_ size: Int, _ p: UnsafeRawPointer, _ line: Int, _ pixel: Int, _ block: UnsafeRawPointer) {
            let bias = block + quads(size) &* 256
            q0 = load(bias)
            q1 = load(bias + 64)
            q2 = load(bias + 128)
            q3 = load(bias + 192)
            let r1 = p + line
            let r2 = r1 + line
            if size == 3 {
                add(p, p + pixel, p + 2 &* pixel, r1, block)
                add(r1 + pixel, r1 + 2 &* pixel, r2, r2 + pixel, block + 256)
                add(r2 + 2 &* pixel, block + 512)
            } else {
                let r3 = r2 + line
                let r4 = r3 + line
                add(p, p + pixel, p + 2 &* pixel, p + 3 &* pixel, block)
                add(p + 4 &* pixel, r1, r1 + pixel, r1 + 2 &* pixel, block + 256)
                add(r1 + 3 &* pixel, r1 + 4 &* pixel, r2, r2 + pixel, block + 512)
                add(r2 + 2 &* pixel, r2 + 3 &* pixel, r2 + 4 &* pixel, r3, block + 768)
                add(r3 + pixel, r3 + 2 &* pixel, r3 + 3 &* pixel, r3 + 4 &* pixel, block + 1024)
                add(r4, r4 + pixel, r4 + 2 &* pixel, r4 + 3 &* pixel, block + 1280)
                add(r4 + 4 &* pixel, block + 1536)
            }
        }

        /// Adds four taps.
        @inline(__always)
        private mutating func add(
            _ a: UnsafeRawPointer, _ b: UnsafeRawPointer, _ c: UnsafeRawPointer, _ d: UnsafeRawPointer,
            _ weights: UnsafeRawPointer
        ) {
            let (va, vb, vc, vd) = (load(a), load(b), load(c), load(d))
            let (abLow, abHigh) = (_mm512_unpacklo_epi8(va, vb), _mm512_unpackhi_epi8(va, vb))
            let (cdLow, cdHigh) = (_mm512_unpacklo_epi8(vc, vd), _mm512_unpackhi_epi8(vc, vd))
            q0 = dot(q0, _mm512_unpacklo_epi16(abLow, cdLow), load(weights))
            q1 = dot(q1, _mm512_unpackhi_epi16(abLow, cdLow), load(weights + 64))
            q2 = dot(q2, _mm512_unpacklo_epi16(abHigh, cdHigh), load(weights + 128))
            q3 = dot(q3, _mm512_unpackhi_epi16(abHigh, cdHigh), load(weights + 192))
        }

        /// Adds the last tap; the weights of the three bytes beside it are 0.
        @inline(__always)
        private mutating func add(_ a: UnsafeRawPointer, _ weights: UnsafeRawPointer) {
            let va = load(a)
            let (low, high) = (_mm512_unpacklo_epi8(va, va), _mm512_unpackhi_epi8(va, va))
            q0 = dot(q0, _mm512_unpacklo_epi16(low, low), load(weights))
            q1 = dot(q1, _mm512_unpackhi_epi16(low, low), load(weights + 64))
            q2 = dot(q2, _mm512_unpacklo_epi16(high, high), load(weights + 128))
            q3 = dot(q3, _mm512_unpackhi_epi16(high, high), load(weights + 192))
        }

        /// - parameters: four vectors of biases, of multipliers and of slopes.
        @inline(__always)
        func codes(_ parameters: UnsafeRawPointer, _ rounding: Rounding) -> __m512i {
            var (a, b) = (real(q0, loadFloats(parameters + 256)), real(q1, loadFloats(parameters + 320)))
            var (c, d) = (real(q2, loadFloats(parameters + 384)), real(q3, loadFloats(parameters + 448)))
            if rounding.hasSlopes {
                a = sloped(a, loadFloats(parameters + 512))
                b = sloped(b, loadFloats(parameters + 576))
                c = sloped(c, loadFloats(parameters + 640))
                d = sloped(d, loadFloats(parameters + 704))
            }
            return rounding.codes(
                _mm512_cvtps_epi32(a), _mm512_cvtps_epi32(b), _mm512_cvtps_epi32(c), _mm512_cvtps_epi32(d))
        }
    }
#endif
