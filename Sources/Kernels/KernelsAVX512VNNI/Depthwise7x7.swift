#if arch(x86_64)
    import _Builtin_intrinsics.intel
    import KernelInterface

    // As in the 3x3 convolution, but the four bytes are four pixels of the 7x7 map: twelve groups of four and one last
    // pixel, which is repeated four times, with weights [w48, 0, 0, 0].
    //
    // Packed, for each 64 channels: 13 groups of four vectors of weights, four biases, four multipliers.

    @inline(__always) private var blockBytes: Int { 60 &* 64 }

    /// What `Int8Kernels.packDepthwise7x7` writes.
    var depthwise7x7Layout: WeightLayout { WeightLayout(width: 64, group: 4, isInterleaved: true, vectors: 2) }

    /// See `Int8Kernels.Depthwise7x7`.
    @c(gk_dw7x7_u8s8_avx512vnni) @export(interface) @inline(never)
    package func depthwise7x7(
        _ input: UnsafePointer<UInt8>, _ channels: Int, _ packed: UnsafeRawPointer, _ out: UnsafeMutablePointer<UInt8>
    ) {
        var c = 0
        var block = packed
        while c < channels {
            let b = block + 52 &* 64
            var (s0, s1, s2, s3) = (load(b), load(b + 64), load(b + 128), load(b + 192))
            var w = block
            var p = UnsafeRawPointer(input + c)
            var group = 0
            while group < 13 {
                let step = group == 12 ? 0 : channels
                let (r0, r1, r2, r3) = (load(p), load(p + step), load(p + 2 &* step), load(p + 3 &* step))
                let abLow = _mm512_unpacklo_epi8(r0, r1)
                let abHigh = _mm512_unpackhi_epi8(r0, r1)
                let cdLow = _mm512_unpacklo_epi8(r2, r3)
                let cdHigh = _mm512_unpackhi_epi8(r2, r3)
                s0 = dot(s0, _mm512_unpacklo_epi16(abLow, cdLow), load(w))
                s1 = dot(s1, _mm512_unpackhi_epi16(abLow, cdLow), load(w + 64))
                s2 = dot(s2, _mm512_unpacklo_epi16(abHigh, cdHigh), load(w + 128))
                s3 = dot(s3, _mm512_unpackhi_epi16(abHigh, cdHigh), load(w + 192))
                w += 256
                p += 4 &* channels
                group &+= 1
            }
            let m = block + 56 &* 64
            let low = _mm512_packs_epi32(scaled(s0, loadFloats(m)), scaled(s1, loadFloats(m + 64)))
            let high = _mm512_packs_epi32(scaled(s2, loadFloats(m + 128)), scaled(s3, loadFloats(m + 192)))
            store(_mm512_packus_epi16(low, high), UnsafeMutableRawPointer(out + c))
            block += blockBytes
            c &+= 64
        }
    }
#endif
