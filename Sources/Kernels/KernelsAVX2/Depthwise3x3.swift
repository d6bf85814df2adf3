#if arch(x86_64)
    import _Builtin_intrinsics.intel
    import KernelInterface
    import KernelsX86

    // Nine taps of one channel are five pairs: three of two rows, one below the other, and in the third row one pair of
    // neighbours and one single pixel. Pairs are made once, in scratch memory, and used by every output that covers
    // them; 16 channels of a pixel's pairs are 64 bytes there, so a neighbour is a constant distance away, whatever the
    // channel count.
    //
    // Stride 1 makes two output rows at once. Both use the two middle rows of the four, which are paired vertically:
    // they are rows 1 and 2 of the upper output and rows 0 and 1 of the lower. The row above and the row below are
    // paired with their right neighbours, (x, x + 1): the output at x takes its tap 0 from the pair at x and its taps 1
    // and 2 from the pair at x + 1.
    //
    // In `MapLayout.split` the three pixels under an output are the odd one before, the even one, and the odd one. Rows
    // 0 and 1 are again paired vertically; in row 2 the odd pixel i, counted from the border, is paired with the even
    // pixel i - 1: the output at x takes its tap 0 from the pair at x and its taps 2 and 1 from the pair at x + 1.
    //
    // Packed, for each 16 channels, in vectors of two halves: five for the upper output of two, five for the lower, one
    // more for stride 2 in place of the lower's last, then biases and multipliers.

    private enum Block {
        @inline(__always) static var bytes: Int { 13 &* 64 }
        @inline(__always) static var lower: Int { 5 &* 64 }
        @inline(__always) static var strideTwo: Int { 10 &* 64 }
        @inline(__always) static var bias: Int { 11 &* 64 }
        @inline(__always) static var multiplier: Int { 12 &* 64 }
    }

    /// What `Int8Kernels.packDepthwise3x3` writes.
    var depthwise3x3Layout: WeightLayout {
        WeightLayout(
            width: 16, group: 2, weightBytes: 2, taps: "36 47 58 0. 12 03 14 25 6. 78 87", vectors: 2)
    }

    /// See `Int8Kernels.Scratch`: three rows of pairs, each as wide as the wider of the two row layouts needs.
    @c(gk_dwscratch_u8s8_avx2) @export(interface) @inline(never)
    package func depthwiseScratch(_ width: Int, _ channels: Int) -> Int { 12 &* (width &+ 2) &* channels }

    /// See `Int8Kernels.Depthwise3x3`.
    @c(gk_dw3x3_u8s8_avx2) @export(interface) @inline(never)
    package func depthwise3x3(
        _ input: UnsafePointer<UInt8>, _ inStride: Int, _ stride: Int,
        _ rows: Int, _ width: Int, _ channels: Int, _ packed: UnsafeRawPointer,
        _ out: UnsafeMutablePointer<UInt8>, _ scratch: UnsafeMutablePointer<UInt8>
    ) {
        let rowBytes = width &* channels
        let down = UnsafeMutableRawPointer(scratch)
        var source = UnsafeRawPointer(input)
        var target = UnsafeMutableRawPointer(out)
        if stride == 1 {
            let inputBytes = rowBytes &+ 2 &* channels
            let across = down + 4 &* inputBytes
            let below = across + 4 &* inputBytes
            let taps = Taps(channels, 2 &* channels, channels)
            var left = rows
            while left > 1 {
                let last = source + 3 &* inStride
                makePairs(source + inStride, source + 2 &* inStride, inputBytes, down)
                makePairs(source, source + channels, inputBytes &- channels, across)
                makePairs(last, last + channels, inputBytes &- channels, below)
                twoRows(down, across, below, taps, rowBytes, channels, packed, target)
                source += 2 &* inStride
                target += 2 &* rowBytes
                left &-= 2
            }
            if left == 1 {
                let last = source + 2 &* inStride
                makePairs(source, source + inStride, inputBytes, down)
                makePairs(last, last + channels, inputBytes &- channels, across)
                oneRow(down, across, taps, Block.lower &+ 256, rowBytes, channels, packed, target)
            }
        } else {
            let inputBytes = 2 &* rowBytes &+ channels
            let across = down + 4 &* inputBytes
            let taps = Taps(rowBytes &+ channels, channels, channels)
            var left = rows
            while left > 0 {
                let last = source + 2 &* inStride
                makePairs(source, source + inStride, inputBytes, down)
                makePairs(last, last + rowBytes, rowBytes &+ channels, across)
                oneRow(down, across, taps, Block.strideTwo, rowBytes, channels, packed, target)
                source += 2 &* inStride
                target += rowBytes
                left &-= 1
            }
        }
    }

    /// Offsets from the pair of an output's left tap to its other pairs, in bytes of scratch memory.
    private struct Taps {
        let centre, right, next: Int

        /// The offsets are given in bytes of the input row.
        @inline(__always)
        init(_ centre: Int, _ right: Int, _ next: Int) {
            self.centre = 4 &* centre
            self.right = 4 &* right
            self.next = 4 &* next
        }
    }

    /// Pairs of values from two addresses, `count` bytes each, a multiple of 16; each 16 become 64 in order.
    @inline(__always)
    private func makePairs(
        _ first: UnsafeRawPointer, _ second: UnsafeRawPointer, _ count: Int, _ out: UnsafeMutableRawPointer
    ) {
        var at = 0
        while at < count {
            let (a, b) = (load128(first + at), load128(second + at))
            store256(_mm256_cvtepu8_epi16(_mm_unpacklo_epi8(a, b)), out + 4 &* at)
            store256(_mm256_cvtepu8_epi16(_mm_unpackhi_epi8(a, b)), out + (4 &* at &+ 32))
            at &+= 16
        }
    }

    /// Two output rows, `rowBytes` each, one below the other in `out`.
    @inline(__always)
    private func twoRows(
        _ down: UnsafeRawPointer, _ above: UnsafeRawPointer, _ below: UnsafeRawPointer, _ taps: Taps,
        _ rowBytes: Int, _ channels: Int, _ packed: UnsafeRawPointer, _ out: UnsafeMutableRawPointer
    ) {
        let end = packed + channels / 16 &* Block.bytes
        var block = packed
        var at = 0
        while at < rowBytes {
            let d = down + 4 &* at
            let (a, b) = (above + 4 &* at, below + 4 &* at)
            let u0 = sum(d, a, taps, block, 0, 256, 0)
            let u1 = sum(d, a, taps, block, 0, 256, 32)
            let l0 = sum(d, b, taps, block, Block.lower, Block.lower &+ 256, 0)
            let l1 = sum(d, b, taps, block, Block.lower, Block.lower &+ 256, 32)
            let (m0, m1) = (loadFloats256(block + Block.multiplier), loadFloats256(block + (Block.multiplier &+ 32)))
            let both = bytes(words(u0, u1, m0, m1), words(l0, l1, m0, m1))
            store128(low(both), out + at)
            store128(high(both), out + (rowBytes &+ at))
            block += Block.bytes
            if block == end { block = packed }
            at &+= 16
        }
    }

    @inline(__always)
    private func oneRow(
        _ down: UnsafeRawPointer, _ across: UnsafeRawPointer, _ taps: Taps, _ lastWeights: Int,
        _ rowBytes: Int, _ channels: Int, _ packed: UnsafeRawPointer, _ out: UnsafeMutableRawPointer
    ) {
        let end = packed + channels / 16 &* Block.bytes
        var block = packed
        var at = 0
        while at < rowBytes {
            let (d, a) = (down + 4 &* at, across + 4 &* at)
            let s0 = sum(d, a, taps, block, Block.lower, lastWeights, 0)
            let s1 = sum(d, a, taps, block, Block.lower, lastWeights, 32)
            let (m0, m1) = (loadFloats256(block + Block.multiplier), loadFloats256(block + (Block.multiplier &+ 32)))
            let row = words(s0, s1, m0, m1)
            store128(low(bytes(row, row)), out + at)
            block += Block.bytes
            if block == end { block = packed }
            at &+= 16
        }
    }

    /// Eight sums: the first or second half (`half` 0 or 32) of a pixel's 16 channels.
    @inline(__always)
    private func sum(
        _ down: UnsafeRawPointer, _ across: UnsafeRawPointer, _ taps: Taps, _ block: UnsafeRawPointer,
        _ weights: Int, _ lastWeights: Int, _ half: Int
    ) -> __m256i {
        let w = block + (weights &+ half)
        let (d, a) = (down + half, across + half)
        var sum = load256(block + (Block.bias &+ half))
        sum = dot(sum, load256(d), load256(w))
        sum = dot(sum, load256(d + taps.centre), load256(w + 64))
        sum = dot(sum, load256(d + taps.right), load256(w + 128))
        sum = dot(sum, load256(a), load256(w + 192))
        return dot(sum, load256(a + taps.next), load256(block + (lastWeights &+ half)))
    }
#endif
