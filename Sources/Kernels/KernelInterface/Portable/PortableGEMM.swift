/// Matrix products in int8 for every CPU.
///
/// Packed parameters, for each group of sixteen channels: weights `[depth / 4][16][4]`, sixteen biases, sixteen
/// multipliers. Channels past the last are zero.

private func groupBytes(_ depth: Int) -> Int { 16 * depth + 128 }

/// What `Int8Kernels.packGEMM` writes.
var gemmLayout: WeightLayout { WeightLayout(width: 16, group: 4, vectors: 2) }

/// See `Int8Kernels.GEMM`.
func gk_gemm_u8s8_portable(
    _ a: UnsafePointer<UInt8>, _ aStride: Int, _ rows: Int,
    _ taps: Int, _ tapStride: Int, _ depth: Int, _ columns: Int, _ packed: UnsafeRawPointer,
    _ out: UnsafeMutablePointer<UInt8>, _ outStride: Int
) {
    let whole = taps * depth
    for n in groups(of16: columns) {
        let group = packed + n / 16 * groupBytes(whole)
        let bias = Lanes.int32(group + 16 * whole)
        let multiplier = Lanes.float(group + 16 * whole + 64)
        for row in 0..<rows {
            let sum = bias &+ sums16(a + row * aStride, taps, tapStride, depth, group)
            Lanes.store(Lanes.requantise(sum, multiplier), out + row * outStride + n)
        }
    }
}

/// See `Int8Kernels.Classify`.
func gk_classify_u8s8_portable(
    _ a: UnsafePointer<UInt8>, _ depth: Int, _ columns: Int, _ packed: UnsafeRawPointer,
    _ out: UnsafeMutablePointer<Float>
) {
    for n in groups(of16: columns) {
        let group = packed + n / 16 * groupBytes(depth)
        let sum = Lanes.int32(group + 16 * depth) &+ sums16(a, 1, 0, depth, group)
        Lanes.store(Lanes.floats(sum) * Lanes.float(group + 16 * depth + 64), out + n)
    }
}

/// The sums of one row and one group of sixteen channels.
///
/// Sixteen weights (four channels of four depths) meet the row's four values, repeated four times. Products of
/// neighbouring depths are added in pairs (one multiply-add instruction on x86); the two halves of each channel are
/// added at the end.
@inline(__always)
func sums16(
    _ row: UnsafePointer<UInt8>, _ taps: Int, _ tapStride: Int, _ depth: Int, _ group: UnsafeRawPointer
) -> SIMD16<Int32> {
    var s0 = SIMD8<Int32>(repeating: 0)
    var s1 = s0
    var s2 = s0
    var s3 = s0
    var w = group.assumingMemoryBound(to: Int8.self)
    for tap in 0..<taps {
        let segment = UnsafeRawPointer(row + tap * tapStride)
        var k = 0
        while k < depth {
            let four = segment.loadUnaligned(fromByteOffset: k, as: UInt32.self)
            let values = Lanes.quantised(unsafeBitCast(SIMD4(repeating: four), to: SIMD16<UInt8>.self))
            s0 &+= Lanes.pairs(values, Lanes.weights(w))
            s1 &+= Lanes.pairs(values, Lanes.weights(w + 16))
            s2 &+= Lanes.pairs(values, Lanes.weights(w + 32))
            s3 &+= Lanes.pairs(values, Lanes.weights(w + 48))
            w += 64
            k += 4
        }
    }
    let low = SIMD8(lowHalf: s0.evenHalf &+ s0.oddHalf, highHalf: s1.evenHalf &+ s1.oddHalf)
    let high = SIMD8(lowHalf: s2.evenHalf &+ s2.oddHalf, highHalf: s3.evenHalf &+ s3.oddHalf)
    return SIMD16(lowHalf: low, highHalf: high)
}
