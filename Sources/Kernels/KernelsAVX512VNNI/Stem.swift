#if arch(x86_64)
    import _Builtin_intrinsics.intel
    import KernelInterface

    // One output pixel is one vector of 16 channels and three dot products, one per row of taps: four neighbouring
    // bytes in every lane against [0, w0, w1, w2] of each channel. The extra byte is left of the taps, so that reads
    // never pass the end of the row; at the left edge the bytes are shifted by two instead.
    //
    // Packed: three vectors of weights, bias, multipliers.

    /// What `Int8Kernels.packStem` writes.
    var stemLayout: WeightLayout { WeightLayout(width: 16, group: 4, taps: ".012 .345 .678", vectors: 2) }

    /// See `Int8Kernels.Stem`.
    @c(gk_stem_u8s8_avx512vnni) @export(interface) @inline(never)
    package func stem(
        _ frame: UnsafePointer<UInt8>, _ firstRow: Int, _ rows: Int, _ packed: UnsafeRawPointer,
        _ out: UnsafeMutablePointer<UInt8>, _ outStride: Int
    ) {
        let p = StemParameters(packed)
        var target = out
        var y = firstRow
        while y < firstRow &+ rows {
            let middle = UnsafeRawPointer(frame + 2 &* y &* 224)
            // The row above the first is padding: its weights are 0, so any row can be read.
            let above = y == 0 ? middle : middle - 224
            let w0 = y == 0 ? _mm512_setzero_si512() : p.w0
            stemRow(above, middle, middle + 224, w0, p, target)
            target += outStride
            y &+= 1
        }
    }

    private struct StemParameters {
        let w0, w1, w2, bias: __m512i
        let multiplier: __m512
        /// Reorders four pixels, interleaved by quarters of their channels, to one after the other.
        let order: __m512i

        @inline(__always)
        init(_ packed: UnsafeRawPointer) {
            w0 = load(packed)
            w1 = load(packed + 64)
            w2 = load(packed + 128)
            bias = load(packed + 192)
            multiplier = loadFloats(packed + 256)
            order = _mm512_set_epi32(15, 11, 7, 3, 14, 10, 6, 2, 13, 9, 5, 1, 12, 8, 4, 0)
        }
    }

    @inline(__always)
    private func stemRow(
        _ r0: UnsafeRawPointer, _ r1: UnsafeRawPointer, _ r2: UnsafeRawPointer, _ w0: __m512i, _ p: StemParameters,
        _ out: UnsafeMutablePointer<UInt8>
    ) {
        var odd = UnsafeMutableRawPointer(out)
        var even = odd + 56 &* 16
        var offset = -2
        var group = 0
        while group < 14 {
            let e0 = group == 0 ? firstPixel(r0, r1, r2, w0, p) : pixel(r0, r1, r2, offset, w0, p)
            let e1 = pixel(r0, r1, r2, offset &+ 4, w0, p)
            let e2 = pixel(r0, r1, r2, offset &+ 8, w0, p)
            let e3 = pixel(r0, r1, r2, offset &+ 12, w0, p)
            store(four(e0, e1, e2, e3, p), even)
            let o0 = pixel(r0, r1, r2, offset &+ 2, w0, p)
            let o1 = pixel(r0, r1, r2, offset &+ 6, w0, p)
            let o2 = pixel(r0, r1, r2, offset &+ 10, w0, p)
            let o3 = pixel(r0, r1, r2, offset &+ 14, w0, p)
            store(four(o0, o1, o2, o3, p), odd)
            odd += 64
            even += 64
            offset &+= 16
            group &+= 1
        }
    }

    @inline(__always)
    private func pixel(
        _ r0: UnsafeRawPointer, _ r1: UnsafeRawPointer, _ r2: UnsafeRawPointer, _ at: Int, _ w0: __m512i,
        _ p: StemParameters
    ) -> __m512i {
        var sum = dot(p.bias, broadcast4(r0 + at), w0)
        sum = dot(sum, broadcast4(r1 + at), p.w1)
        sum = dot(sum, broadcast4(r2 + at), p.w2)
        return scaled(sum, p.multiplier)
    }

    /// The pixel at the left edge: two bytes of padding, then the row's first two.
    @inline(__always)
    private func firstPixel(
        _ r0: UnsafeRawPointer, _ r1: UnsafeRawPointer, _ r2: UnsafeRawPointer, _ w0: __m512i, _ p: StemParameters
    ) -> __m512i {
        var sum = dot(p.bias, edge(r0), w0)
        sum = dot(sum, edge(r1), p.w1)
        sum = dot(sum, edge(r2), p.w2)
        return scaled(sum, p.multiplier)
    }

    @inline(__always)
    private func edge(_ row: UnsafeRawPointer) -> __m512i {
        _mm512_set1_epi32(row.loadUnaligned(as: Int32.self) &<< 16)
    }

    @inline(__always)
    private func four(_ a: __m512i, _ b: __m512i, _ c: __m512i, _ d: __m512i, _ p: StemParameters) -> __m512i {
        let bytes = _mm512_packus_epi16(_mm512_packs_epi32(a, b), _mm512_packs_epi32(c, d))
        return _mm512_permutexvar_epi32(p.order, bytes)
    }
#endif
