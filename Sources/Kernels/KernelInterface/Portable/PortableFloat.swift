/// The float32 kernels for every CPU. Products and sums are separate: without FMA a fused one is a library call per
/// lane.

/// See `FloatKernels.Stem`.
func gk_stem_f32_portable(
    _ frame: UnsafePointer<UInt8>, _ weights: UnsafePointer<Float>, _ bias: UnsafePointer<Float>,
    _ out: UnsafeMutablePointer<Float>, _ outStride: Int
) {
    let side = 224
    let b = Lanes.float(bias)
    for y in 0..<112 {
        for x in 0..<112 {
            var sum = SIMD16<Float>(repeating: 0)
            for r in (y == 0 ? 1 : 0)..<3 {
                let row = frame + (2 * y + r - 1) * side + 2 * x - 1
                for s in (x == 0 ? 1 : 0)..<3 {
                    sum += Float(row[s]) * Lanes.float(weights + (3 * r + s) * 16)
                }
            }
            Lanes.store(Lanes.relu6(b + sum * (1 / 255)), out + y * outStride + x * 16)
        }
    }
}

/// See `FloatKernels.Depthwise3x3`.
func gk_dw3x3_f32_portable(
    _ input: UnsafePointer<Float>, _ inStride: Int, _ stride: Int,
    _ rows: Int, _ width: Int, _ channels: Int,
    _ weights: UnsafePointer<Float>, _ bias: UnsafePointer<Float>,
    _ out: UnsafeMutablePointer<Float>, _ outStride: Int
) {
    for c in groups(of16: channels) {
        let b = Lanes.float(bias + c)
        for y in 0..<rows {
            for x in 0..<width {
                var sum = b
                for r in 0..<3 {
                    let row = input + (stride * y + r) * inStride + stride * x * channels + c
                    for s in 0..<3 {
                        sum += Lanes.float(row + s * channels) * Lanes.float(weights + (3 * r + s) * channels + c)
                    }
                }
                Lanes.store(Lanes.relu6(sum), out + y * outStride + x * channels + c)
            }
        }
    }
}

/// See `FloatKernels.Depthwise7x7`.
func gk_dw7x7_f32_portable(
    _ input: UnsafePointer<Float>, _ channels: Int,
    _ weights: UnsafePointer<Float>, _ bias: UnsafePointer<Float>, _ out: UnsafeMutablePointer<Float>
) {
    for c in groups(of16: channels) {
        var sum = Lanes.float(bias + c)
        for p in 0..<49 {
            sum += Lanes.float(input + p * channels + c) * Lanes.float(weights + p * channels + c)
        }
        Lanes.store(Lanes.relu6(sum), out + c)
    }
}

/// See `FloatKernels.BiasReLU6`.
func gk_biasrelu6_f32_portable(
    _ values: UnsafePointer<Float>, _ rows: Int, _ columns: Int, _ bias: UnsafePointer<Float>,
    _ out: UnsafeMutablePointer<Float>
) {
    for row in 0..<rows {
        for n in groups(of16: columns) {
            let at = row * columns + n
            Lanes.store(Lanes.relu6(Lanes.float(values + at) + Lanes.float(bias + n)), out + at)
        }
    }
}
