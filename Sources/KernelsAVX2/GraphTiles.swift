#if arch(x86_64)
    // The float32 convolutions of network graphs, one source for AVX2 and AVX-512: rows of panels, tiles of up to four
    // pixels, and what follows the sums. Each tier's GraphConvolution.swift has its widths of panels, its larger tiles and
    // the exported functions.

    /// See `ConvolutionKernels.Convolve`.
    @inline(__always)
    func convolve(
        _ a: UnsafePointer<Float>, _ aRow: Int, _ aPixel: Int, _ lines: Int, _ pixels: Int,
        _ taps: Int, _ tapStride: Int, _ depth: Int, _ columns: Int, _ packed: UnsafeRawPointer,
        _ residual: UnsafePointer<Float>?, _ residualRow: Int, _ residualPixel: Int, _ residualColumns: Int,
        _ upper: Float, _ out: UnsafeMutablePointer<Float>, _ outRow: Int, _ outPixel: Int
    ) {
        // Rows that are contiguous in all maps are computed as one row: fewer tiles that are not full.
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
            var y = 0
            while y < lines {
                let line = FloatRow(
                    source: Source(pixel: 4 &* aPixel, taps: taps, tap: 4 &* tapStride, depth: depth), panel: panel,
                    target: FloatTarget(
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

    @inline(__always)
    func panelBytes(_ width: Int, _ depth: Int) -> Int { 4 &* width &* (depth &+ 2) }

    /// The input of a pixel's sums; strides are in bytes.
    struct Source {
        let pixel, taps, tap, depth: Int
    }

    /// The output of the sums; strides are in bytes, `columns` are the channels left in the map.
    struct FloatTarget {
        let pixel, columns: Int
        let upper: Float
        let residualPixel, residualColumns: Int
    }

    /// One row of a panel: its input, its output, and how far it has been computed. Strides are in bytes. C functions
    /// cannot take Swift structures, so those that compute a row take its address.
    struct FloatRow {
        let source: Source
        let panel: UnsafeRawPointer
        let target: FloatTarget
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

    /// The sums of one pixel, or the weights of one depth: `vectors` vectors, 1...3.
    struct FloatSums {
        var a, b, c: FloatVector

        @inline(__always)
        init(_ vectors: Int, _ p: UnsafeRawPointer) {
            a = loadFloats(p)
            b = vectors > 1 ? loadFloats(p + FloatVector.bytes) : a
            c = vectors > 2 ? loadFloats(p + 2 &* FloatVector.bytes) : a
        }

        /// Adds the products of the value at `p` and of its weights.
        @inline(__always)
        mutating func add(_ vectors: Int, _ p: UnsafeRawPointer, _ w: FloatSums) {
            let x = broadcastFloat(p)
            a = multiplyAdd(a, x, w.a)
            if vectors > 1 { b = multiplyAdd(b, x, w.b) }
            if vectors > 2 { c = multiplyAdd(c, x, w.c) }
        }

        /// Adds the values at `p`, for the channels that have a residual.
        @inline(__always)
        mutating func add(_ vectors: Int, _ p: UnsafeRawPointer, _ masks: Masks) {
            a = sum(a, some(p, masks.a))
            if vectors > 1 { b = sum(b, some(p + FloatVector.bytes, masks.b)) }
            if vectors > 2 { c = sum(c, some(p + 2 &* FloatVector.bytes, masks.c)) }
        }

        /// Applies the activation and writes the channels of the map.
        @inline(__always)
        func put(_ vectors: Int, _ slopes: FloatSums, _ upper: Float, _ masks: Masks, _ out: UnsafeMutableRawPointer) {
            let first = activated(a, slopes.a, upper)
            let second = vectors > 1 ? activated(b, slopes.b, upper) : first
            let third = vectors > 2 ? activated(c, slopes.c, upper) : first
            if masks.areWhole(vectors) {
                out.storeBytes(of: first, as: FloatVector.self)
                if vectors > 1 { out.storeBytes(of: second, toByteOffset: FloatVector.bytes, as: FloatVector.self) }
                if vectors > 2 { out.storeBytes(of: third, toByteOffset: 2 &* FloatVector.bytes, as: FloatVector.self) }
            } else {
                putSome(first, out, masks.a)
                if vectors > 1 { putSome(second, out + FloatVector.bytes, masks.b) }
                if vectors > 2 { putSome(third, out + 2 &* FloatVector.bytes, masks.c) }
            }
        }
    }

    /// - count: 1...4.
    @inline(__always)
    func fourPixels(_ vectors: Int, _ line: FloatRow, _ count: Int) {
        let (source, target) = (line.source, line.target)
        let step = FloatVector.bytes &* vectors
        var w = line.panel
        let end = w + step &* source.taps &* source.depth
        let bias = FloatSums(vectors, end)
        var (s0, s1, s2, s3) = (bias, bias, bias, bias)
        if let residual = line.residual {
            let at = Pixels(target.residualPixel, count)
            let masks = Masks(target.residualColumns)
            s0.add(vectors, residual, masks)
            s1.add(vectors, residual + at.p1, masks)
            s2.add(vectors, residual + at.p2, masks)
            s3.add(vectors, residual + at.p3, masks)
        }
        let at = Pixels(source.pixel, count)
        var tap = line.a
        var t = 0
        while t < source.taps {
            var p = tap
            let tapEnd = tap + 4 &* source.depth
            while p < tapEnd {
                let weights = FloatSums(vectors, w)
                s0.add(vectors, p, weights)
                s1.add(vectors, p + at.p1, weights)
                s2.add(vectors, p + at.p2, weights)
                s3.add(vectors, p + at.p3, weights)
                w += step
                p += 4
            }
            tap += source.tap
            t &+= 1
        }
        let slopes = FloatSums(vectors, end + step)
        let masks = Masks(target.columns)
        let to = Pixels(target.pixel, count)
        s0.put(vectors, slopes, target.upper, masks, line.out)
        s1.put(vectors, slopes, target.upper, masks, line.out + to.p1)
        s2.put(vectors, slopes, target.upper, masks, line.out + to.p2)
        s3.put(vectors, slopes, target.upper, masks, line.out + to.p3)
    }

    /// `min(max(v, 0) + slope * min(v, 0), upper)`
    @inline(__always)
    func activated(_ v: FloatVector, _ slope: FloatVector, _ upper: Float) -> FloatVector {
        let zero = FloatVector.zeros
        return minimum(multiplyAdd(maximum(v, zero), minimum(v, zero), slope), FloatVector(repeating: upper))
    }
#endif
