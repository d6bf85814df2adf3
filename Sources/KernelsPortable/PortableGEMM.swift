import KernelInterface

/// Matrix products in int8 for every CPU.

/// See `Int8Kernels.GEMM`.
func gk_gemm_u8s8_portable(
    _ a: UnsafePointer<UInt8>, _ aStride: Int, _ rows: Int,
    _ taps: Int, _ tapStride: Int, _ depth: Int, _ columns: Int,
    _ panel: UnsafePointer<Int8>, _ bias: UnsafePointer<Int32>, _ multiplier: UnsafePointer<Float>,
    _ out: UnsafeMutablePointer<UInt8>, _ outStride: Int
) {
    let groupBytes = taps * depth * PackedPanel.columnGroup
    for n in groups(of16: columns) {
        let group = panel + (n / PackedPanel.columnGroup) * groupBytes
        let b = Lanes.int32(bias + n)
        let m = Lanes.float(multiplier + n)
        for row in 0..<rows {
            let sum = sums16(a + row * aStride, taps, tapStride, depth, group)
            Lanes.store(Lanes.requantise(b &+ sum, m), out + row * outStride + n)
        }
    }
}

/// See `Int8Kernels.Sums`.
func gk_sums_u8s8_portable(
    _ a: UnsafePointer<UInt8>, _ depth: Int, _ columns: Int,
    _ panel: UnsafePointer<Int8>, _ bias: UnsafePointer<Int32>, _ out: UnsafeMutablePointer<Int32>
) {
    for n in groups(of16: columns) {
        let group = panel + (n / PackedPanel.columnGroup) * depth * PackedPanel.columnGroup
        let sum = Lanes.int32(bias + n) &+ sums16(a, 1, 0, depth, group)
        UnsafeMutableRawPointer(out + n).storeBytes(of: sum, as: SIMD16<Int32>.self)
    }
}

/// The sums of one row and one group of sixteen columns.
///
/// Four columns of four depths are sixteen weights; the row's four codes stand four times beside them. Products of
/// neighbouring depths are added pairwise (one multiply-add instruction on x86), and the two halves of every column
/// only at the end.
@inline(__always)
private func sums16(
    _ row: UnsafePointer<UInt8>, _ taps: Int, _ tapStride: Int, _ depth: Int, _ group: UnsafePointer<Int8>
) -> SIMD16<Int32> {
    var s0 = SIMD8<Int32>(repeating: 0)
    var s1 = s0
    var s2 = s0
    var s3 = s0
    var w = group
    for tap in 0..<taps {
        let segment = UnsafeRawPointer(row + tap * tapStride)
        var k = 0
        while k < depth {
            let four = segment.loadUnaligned(fromByteOffset: k, as: UInt32.self)
            let codes = SIMD16<Int16>(
                truncatingIfNeeded: unsafeBitCast(SIMD4(repeating: four), to: SIMD16<UInt8>.self))
            s0 &+= pairs(codes, Lanes.weights(w))
            s1 &+= pairs(codes, Lanes.weights(w + 16))
            s2 &+= pairs(codes, Lanes.weights(w + 32))
            s3 &+= pairs(codes, Lanes.weights(w + 48))
            w += 64
            k += 4
        }
    }
    let low = SIMD8(lowHalf: s0.evenHalf &+ s0.oddHalf, highHalf: s1.evenHalf &+ s1.oddHalf)
    let high = SIMD8(lowHalf: s2.evenHalf &+ s2.oddHalf, highHalf: s3.evenHalf &+ s3.oddHalf)
    return SIMD16(lowHalf: low, highHalf: high)
}

/// Products of lanes 2i and 2i + 1, added.
@inline(__always)
private func pairs(_ a: SIMD16<Int16>, _ w: SIMD16<Int16>) -> SIMD8<Int32> {
    let p = SIMD16<Int32>(truncatingIfNeeded: a) &* SIMD16<Int32>(truncatingIfNeeded: w)
    return p.evenHalf &+ p.oddHalf
}
