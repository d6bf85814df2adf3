#if arch(x86_64)
    import _Builtin_intrinsics.intel
    import KernelInterface
    import KernelsX86

    // Two pixels of the 7x7 map make a pair: 24 pairs and one last pixel, which is paired with itself, with weights
    // [w48, 0].
    //
    // Packed, for each 32 channels: 25 pairs of four vectors of weights, four biases, four multipliers. The four
    // vectors are in the order in which the unpack instructions leave the channels, which the packs at the end undo.

    @inline(__always) private var blockBytes: Int { 108 &* 32 }

    /// What `Int8Kernels.packDepthwise7x7` writes.
    var depthwise7x7Layout: WeightLayout {
        WeightLayout(width: 32, group: 2, weightBytes: 2, isInterleaved: true, vectors: 2)
    }

    /// See `Int8Kernels.Depthwise7x7`.
    @c(gk_dw7x7_u8s8_avx2) @export(interface) @inline(never)
    package func depthwise7x7(
        _ input: UnsafePointer<UInt8>, _ channels: Int, _ packed: UnsafeRawPointer, _ out: UnsafeMutablePointer<UInt8>
    ) {
        let zero = _mm256_setzero_si256()
        var c = 0
        var block = packed
        while c < channels {
            let b = block + 100 &* 32
            var (s0, s1, s2, s3) = (load256(b), load256(b + 32), load256(b + 64), load256(b + 96))
            var w = block
            var p = UnsafeRawPointer(input + c)
            var pair = 0
            while pair < 25 {
                let (r0, r1) = (load256(p), load256(p + (pair == 24 ? 0 : channels)))
                let lowPairs = _mm256_unpacklo_epi8(r0, r1)
                let highPairs = _mm256_unpackhi_epi8(r0, r1)
                s0 = dot(s0, _mm256_unpacklo_epi8(lowPairs, zero), load256(w))
                s1 = dot(s1, _mm256_unpackhi_epi8(lowPairs, zero), load256(w + 32))
                s2 = dot(s2, _mm256_unpacklo_epi8(highPairs, zero), load256(w + 64))
                s3 = dot(s3, _mm256_unpackhi_epi8(highPairs, zero), load256(w + 96))
                w += 128
                p += 2 &* channels
                pair &+= 1
            }
            let m = block + 104 &* 32
            let first = words(s0, s1, loadFloats256(m), loadFloats256(m + 32))
            let second = words(s2, s3, loadFloats256(m + 64), loadFloats256(m + 96))
            store256(_mm256_packus_epi16(first, second), UnsafeMutableRawPointer(out + c))
            block += blockBytes
            c &+= 32
        }
    }
#endif
