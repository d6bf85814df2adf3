/// Stem and depthwise convolutions in int8 for every CPU.

/// See `Int8Kernels.Stem`.
func gk_stem_u8s8_portable(
    _ frame: UnsafePointer<UInt8>, _ firstRow: Int, _ rows: Int,
    _ weights: UnsafePointer<Int8>, _ bias: UnsafePointer<Int32>, _ multiplier: UnsafePointer<Float>,
    _ out: UnsafeMutablePointer<UInt8>, _ outStride: Int
) {
    let side = 224
    let b = Lanes.int32(bias)
    let m = Lanes.float(multiplier)
    for y in firstRow..<firstRow + rows {
        let target = out + (y - firstRow) * outStride
        let firstTapRow = y == 0 ? 1 : 0
        for x in 0..<112 {
            var sum = b
            for r in firstTapRow..<3 {
                let row = frame + (2 * y + r - 1) * side + 2 * x - 1
                for s in (x == 0 ? 1 : 0)..<3 {
                    let code = SIMD16<Int16>(repeating: Int16(truncatingIfNeeded: row[s]))
                    sum &+= Lanes.product(code, Lanes.weights(weights + (3 * r + s) * 16))
                }
            }
            Lanes.store(Lanes.requantise(sum, m), target + x * 16)
        }
    }
}

/// See `Int8Kernels.Depthwise3x3`.
func gk_dw3x3_u8s8_portable(
    _ input: UnsafePointer<UInt8>, _ inStride: Int, _ stride: Int,
    _ rows: Int, _ width: Int, _ channels: Int,
    _ weights: UnsafePointer<Int8>, _ bias: UnsafePointer<Int32>, _ multiplier: UnsafePointer<Float>,
    _ out: UnsafeMutablePointer<UInt8>, _ outStride: Int
) {
    for c in groups(of16: channels) {
        let b = Lanes.int32(bias + c)
        let m = Lanes.float(multiplier + c)
        for y in 0..<rows {
            for x in 0..<width {
                var sum = b
                for r in 0..<3 {
                    let row = input + (stride * y + r) * inStride + stride * x * channels + c
                    for s in 0..<3 {
                        let w = Lanes.weights(weights + (3 * r + s) * channels + c)
                        sum &+= Lanes.product(Lanes.codes(row + s * channels), w)
                    }
                }
                Lanes.store(Lanes.requantise(sum, m), out + y * outStride + x * channels + c)
            }
        }
    }
}

/// See `Int8Kernels.Depthwise7x7`.
func gk_dw7x7_u8s8_portable(
    _ input: UnsafePointer<UInt8>, _ channels: Int,
    _ weights: UnsafePointer<Int8>, _ bias: UnsafePointer<Int32>, _ multiplier: UnsafePointer<Float>,
    _ out: UnsafeMutablePointer<UInt8>
) {
    for c in groups(of16: channels) {
        var sum = Lanes.int32(bias + c)
        for p in 0..<49 {
            let at = p * channels + c
            sum &+= Lanes.product(Lanes.codes(input + at), Lanes.weights(weights + at))
        }
        Lanes.store(Lanes.requantise(sum, Lanes.float(multiplier + c)), out + c)
    }
}

/// First channels of the groups of sixteen.
@inline(__always)
func groups(of16 channels: Int) -> StrideTo<Int> { stride(from: 0, to: channels, by: 16) }
