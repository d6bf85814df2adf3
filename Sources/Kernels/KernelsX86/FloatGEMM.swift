#if arch(x86_64)
    public import KernelInterface

    // Tiles are seven rows by 32 channels where there are 32 registers, and four rows by 16 or three by 32 where there are
    // 16: at least eight chains of fused multiply-adds, which cover their latency on two ports. Seven divides every row
    // length of the network (56, 28, 14, 7), and four and three make up each. It is faster than a BLAS because the
    // network's matrices are small (depth 16 to 256): nothing is packed per call, a band of rows is used while it is in the
    // L1 cache, and bias and ReLU6 are applied while the sums are in registers.
    //
    // Packed, for each 32 channels: weights [depth][32], 32 biases.

    /// What `FloatMatrix.pack` writes.
    package var floatGEMMLayout: WeightLayout { WeightLayout(width: 32, weightBytes: 4, vectors: 1) }

    extension FloatVectors {
        /// See `FloatMatrix.Multiply`.
        @export(implementation) @inline(always)
        public static func multiply(
            _ a: UnsafePointer<Float>, _ aStride: Int, _ rows: Int,
            _ taps: Int, _ tapStride: Int, _ depth: Int, _ columns: Int, _ packed: UnsafeRawPointer,
            _ out: UnsafeMutablePointer<Float>, _ outStride: Int
        ) {
            let (aStride, tapStride, outStride) = (4 &* aStride, 4 &* tapStride, 4 &* outStride)
            var n = 0
            var block = packed
            while n < columns {
                var source = UnsafeRawPointer(a)
                var target = UnsafeMutableRawPointer(out + n)
                var left = rows
                while left > 0 {
                    var count = 1
                    if taps == 1 && laneCount == 16 && left > 6 {
                        count = 7
                        multiplyRows(7, 2, source, aStride, depth, block, 0, target, outStride)
                    } else if taps == 1 && laneCount == 8 && left > 3 && left != 6 {
                        count = 4
                        multiplyRows(4, 2, source, aStride, depth, block, 0, target, outStride)
                        multiplyRows(4, 2, source, aStride, depth, block, 64, target, outStride)
                    } else if taps == 1 && laneCount == 8 && left > 2 {
                        count = 3
                        multiplyRows(3, 4, source, aStride, depth, block, 0, target, outStride)
                    } else {
                        multiplyRow(source, taps, tapStride, depth, block, target)
                    }
                    source += count &* aStride
                    target += count &* outStride
                    left &-= count
                }
                block += 128 &* (taps &* depth &+ 1)
                n &+= 32
            }
        }

        /// - first: bytes before the channels of the tile among those of the block.
        @export(implementation) @inline(always)
        static func multiplyRows(
            _ rows: Int, _ vectors: Int, _ a: UnsafeRawPointer, _ aStride: Int, _ depth: Int, _ block: UnsafeRawPointer,
            _ first: Int, _ out: UnsafeMutableRawPointer, _ outStride: Int
        ) {
            var w = block + first
            let end = w + 128 &* depth
            var sums = RegisterArray(repeating: FloatSums<Self>(vectors, end))
            var p = a
            while w < end {
                if vectors < rows {
                    let weights = FloatSums<Self>(vectors, w)
                    sums.update(rows) { $0.add(vectors, p + $1 &* aStride, weights) }
                } else {
                    // The fewer of both stay in registers.
                    let values = RegisterArray(rows) { broadcast(p + $0 &* aStride) }
                    unrolled(vectors) { index in
                        let weights = load(w + index &* bytes)
                        sums.update(rows) {
                            $0.vectors[index] = multiplyAdd($0.vectors[index], values[$1], weights)
                        }
                    }
                }
                w += 128
                p += 4
            }
            sums.forEach(rows) { $0.putReLU6(vectors, out + (first &+ $1 &* outStride)) }
        }

        /// One row, eight chains: the vectors of 32 channels times two or four depths.
        @export(implementation) @inline(always)
        static func multiplyRow(
            _ a: UnsafeRawPointer, _ taps: Int, _ tapStride: Int, _ depth: Int, _ block: UnsafeRawPointer,
            _ out: UnsafeMutableRawPointer
        ) {
            let (vectors, depths) = (32 / laneCount, laneCount / 4)
            let bias = FloatSums<Self>(vectors, block + 128 &* taps &* depth)
            var sums = RegisterArray(depths) { $0 == 0 ? bias : FloatSums<Self>(repeating: zeros) }
            var w = block
            var tap = a
            var t = 0
            while t < taps {
                var p = tap
                let end = tap + 4 &* depth
                while p < end {
                    sums.update(depths) { $0.add(vectors, p + 4 &* $1, FloatSums(vectors, w + 128 &* $1)) }
                    w += 128 &* depths
                    p += 4 &* depths
                }
                tap += tapStride
                t &+= 1
            }
            let pair = sums[0].plus(sums[1])
            (depths > 2 ? pair.plus(sums[2].plus(sums[3])) : pair).putReLU6(vectors, out)
        }
    }
#endif
