#if arch(x86_64)
    import _Builtin_intrinsics.intel
    import KernelInterface

    // The dot product sums four neighbouring bytes; a depthwise convolution needs taps of one channel there, but
    // channels lie innermost. So four input rows are interleaved byte by byte, once for each pixel, and all nine taps
    // become three dot products: the interleaved pixel left of, at and right of the output, against [w0j, w1j, w2j, 0].
    //
    // With stride 1 the fourth row is used too: against [0, w0j, w1j, w2j] the same vectors give the output row below.
    // So two output rows cost one interleaving.
    //
    // Interleaving 64 bytes of four rows gives four vectors; the unpack instructions put bytes 4k..<4k+4 of each
    // 16-byte lane into vector k. Each k has its own stream in scratch memory, where a pixel takes as many bytes as it
    // has channels: the neighbouring pixel is a constant distance away, whatever the channel count. The packs at the
    // end undo exactly this order, so the results need no shuffle.
    //
    // In `MapLayout.split` the three pixels under an output are the odd one before, the even one, and the odd one:
    // again three constant distances, so stride 2 runs like stride 1.
    //
    // Packed, for each 64 bytes of output until channels repeat: for each k three weights of the upper row and three of
    // the lower, then four biases and four multipliers, one for each k.

    private enum Block {
        @inline(__always) static var bytes: Int { 32 &* 64 }
        @inline(__always) static var bias: Int { 24 &* 64 }
        @inline(__always) static var multiplier: Int { 28 &* 64 }

        /// Blocks until channels repeat: the bytes of 64-byte blocks run through channels in steps of 64.
        @inline(__always)
        static func count(_ channels: Int) -> Int {
            // channels / gcd(channels, 64), channels being a multiple of 16.
            channels & 63 == 0 ? channels &>> 6 : channels & 31 == 0 ? channels &>> 5 : channels &>> 4
        }
    }

    /// What `Int8Kernels.packDepthwise3x3` writes.
    var depthwise3x3Layout: WeightLayout {
        WeightLayout(
            width: 64, run: 16, group: 4, taps: "036. 147. 258. .036 .147 .258", isInterleaved: true,
            repeatsBelow: .max, vectors: 2)
    }

    /// Bytes of one of the four streams: the longer of the two row layouts, plus what a full vector reads past its end.
    @inline(__always)
    private func streamBytes(_ width: Int, _ channels: Int) -> Int {
        let pixels = width &+ 2 > 2 &* width &+ 1 ? width &+ 2 : 2 &* width &+ 1
        return (pixels &* channels &+ 127) / 64 &* 64
    }

    /// See `Int8Kernels.Scratch`.
    @c(gk_dwscratch_u8s8_avx512vnni) @export(interface) @inline(never)
    package func depthwiseScratch(_ width: Int, _ channels: Int) -> Int { 4 &* streamBytes(width, channels) }

    /// See `Int8Kernels.Depthwise3x3`.
    @c(gk_dw3x3_u8s8_avx512vnni) @export(interface) @inline(never)
    package func depthwise3x3(
        _ input: UnsafePointer<UInt8>, _ inStride: Int, _ stride: Int,
        _ rows: Int, _ width: Int, _ channels: Int, _ packed: UnsafeRawPointer,
        _ out: UnsafeMutablePointer<UInt8>, _ scratch: UnsafeMutablePointer<UInt8>
    ) {
        let rowBytes = width &* channels
        let stream = streamBytes(width, channels)
        let streams = UnsafeMutableRawPointer(scratch)
        var source = UnsafeRawPointer(input)
        var target = UnsafeMutableRawPointer(out)
        var y = 0
        if stride == 1 {
            let taps = Taps(0, channels, 2 &* channels)
            let inputBytes = rowBytes &+ 2 &* channels
            while y &+ 2 <= rows {
                interleave(source, inStride, source + 3 &* inStride, inputBytes, streams, stream)
                twoRows(streams, stream, taps, rowBytes, channels, packed, target)
                source += 2 &* inStride
                target += 2 &* rowBytes
                y &+= 2
            }
            if y < rows {
                interleave(source, inStride, source, inputBytes, streams, stream)
                oneRow(streams, stream, taps, rowBytes, channels, packed, target)
            }
        } else {
            let taps = Taps(0, rowBytes &+ channels, channels)
            while y < rows {
                interleave(source, inStride, source, 2 &* rowBytes &+ channels, streams, stream)
                oneRow(streams, stream, taps, rowBytes, channels, packed, target)
                source += 2 &* inStride
                target += rowBytes
                y &+= 1
            }
        }
    }

    /// The offsets in a stream of the three pixels under the first output.
    private struct Taps {
        let left, centre, right: Int

        @inline(__always)
        init(_ left: Int, _ centre: Int, _ right: Int) {
            self.left = left
            self.centre = centre
            self.right = right
        }
    }

    /// Interleaves rows `r0`, `r0 + stride`, `r0 + 2 * stride` and `r3`, `count` bytes each, into the four streams.
    @inline(__always)
    private func interleave(
        _ r0: UnsafeRawPointer, _ stride: Int, _ r3: UnsafeRawPointer, _ count: Int,
        _ streams: UnsafeMutableRawPointer, _ stream: Int
    ) {
        let r1 = r0 + stride
        let r2 = r1 + stride
        var at = 0
        while at &+ 64 <= count {
            weave(load(r0 + at), load(r1 + at), load(r2 + at), load(r3 + at), streams + at, stream)
            at &+= 64
        }
        if at < count {
            let mask = byteMask(count &- at)
            weave(
                _mm512_maskz_loadu_epi8(mask, r0 + at), _mm512_maskz_loadu_epi8(mask, r1 + at),
                _mm512_maskz_loadu_epi8(mask, r2 + at), _mm512_maskz_loadu_epi8(mask, r3 + at), streams + at, stream)
        }
    }

    @inline(__always)
    private func weave(
        _ a: __m512i, _ b: __m512i, _ c: __m512i, _ d: __m512i, _ p: UnsafeMutableRawPointer, _ stream: Int
    ) {
        let abLow = _mm512_unpacklo_epi8(a, b)
        let abHigh = _mm512_unpackhi_epi8(a, b)
        let cdLow = _mm512_unpacklo_epi8(c, d)
        let cdHigh = _mm512_unpackhi_epi8(c, d)
        store(_mm512_unpacklo_epi16(abLow, cdLow), p)
        store(_mm512_unpackhi_epi16(abLow, cdLow), p + stream)
        store(_mm512_unpacklo_epi16(abHigh, cdHigh), p + 2 &* stream)
        store(_mm512_unpackhi_epi16(abHigh, cdHigh), p + 3 &* stream)
    }

    /// Two output rows, `rowBytes` each, one below the other in `out`.
    @inline(__always)
    private func twoRows(
        _ streams: UnsafeRawPointer, _ stream: Int, _ taps: Taps, _ rowBytes: Int, _ channels: Int,
        _ packed: UnsafeRawPointer, _ out: UnsafeMutableRawPointer
    ) {
        let last = packed + Block.count(channels) &* Block.bytes
        var block = packed
        var at = 0
        while at < rowBytes {
            let upper = Four(streams + at, stream, taps, block, 0)
            let lower = Four(streams + at, stream, taps, block, 192)
            let mask = byteMask(rowBytes &- at)
            _mm512_mask_storeu_epi8(out + at, mask, upper.bytes)
            _mm512_mask_storeu_epi8(out + (rowBytes &+ at), mask, lower.bytes)
            block += Block.bytes
            if block == last { block = packed }
            at &+= 64
        }
    }

    @inline(__always)
    private func oneRow(
        _ streams: UnsafeRawPointer, _ stream: Int, _ taps: Taps, _ rowBytes: Int, _ channels: Int,
        _ packed: UnsafeRawPointer, _ out: UnsafeMutableRawPointer
    ) {
        let last = packed + Block.count(channels) &* Block.bytes
        var block = packed
        var at = 0
        while at < rowBytes {
            let row = Four(streams + at, stream, taps, block, 0)
            _mm512_mask_storeu_epi8(out + at, byteMask(rowBytes &- at), row.bytes)
            block += Block.bytes
            if block == last { block = packed }
            at &+= 64
        }
    }

    /// 64 results: four vectors of sums, one per stream, packed back into pixel order.
    private struct Four {
        let bytes: __m512i

        /// - variant: bytes from a stream's weights to those of the wanted output row.
        @inline(__always)
        init(_ p: UnsafeRawPointer, _ stream: Int, _ taps: Taps, _ block: UnsafeRawPointer, _ variant: Int) {
            let q0 = Four.sum(p, taps, block, block + variant, 0)
            let q1 = Four.sum(p + stream, taps, block, block + (variant &+ 384), 64)
            let q2 = Four.sum(p + 2 &* stream, taps, block, block + (variant &+ 768), 128)
            let q3 = Four.sum(p + 3 &* stream, taps, block, block + (variant &+ 1152), 192)
            bytes = _mm512_packus_epi16(_mm512_packs_epi32(q0, q1), _mm512_packs_epi32(q2, q3))
        }

        @inline(__always)
        private static func sum(
            _ p: UnsafeRawPointer, _ taps: Taps, _ block: UnsafeRawPointer, _ weights: UnsafeRawPointer, _ lane: Int
        ) -> __m512i {
            var sum = load(block + (Block.bias &+ lane))
            sum = dot(sum, load(p + taps.left), load(weights))
            sum = dot(sum, load(p + taps.centre), load(weights + 64))
            sum = dot(sum, load(p + taps.right), load(weights + 128))
            return scaled(sum, loadFloats(block + (Block.multiplier &+ lane)))
        }
    }
#endif
