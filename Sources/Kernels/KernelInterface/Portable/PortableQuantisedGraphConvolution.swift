/// The int8 kernels of network graphs for every CPU, sixteen channels at a time.
///
/// Packed, for each sixteen channels: weights `[depth / 4][16][4]` or `[size * size][16]`, then sixteen biases,
/// multipliers and slopes; channels past the last are 0.

private func groupBytes(_ depth: Int) -> Int { 16 * depth + 192 }

/// What `QuantisedConvolutionKernels.packConvolution` writes.
var quantisedConvolutionLayout: WeightLayout { WeightLayout(width: 16, group: 4, vectors: 3) }

/// What `QuantisedConvolutionKernels.packDepthwise` writes.
var quantisedDepthwiseLayout: WeightLayout { WeightLayout(width: 16, isDepthOutermost: true, vectors: 3) }

/// See `QuantisedConvolutionKernels.Convolve`.
func gk_convolve_q8_portable(
    _ a: UnsafePointer<UInt8>, _ aRow: Int, _ aPixel: Int, _ lines: Int, _ pixels: Int,
    _ taps: Int, _ tapStride: Int, _ depth: Int, _ columns: Int, _ packed: UnsafeRawPointer,
    _ residual: UnsafePointer<UInt8>?, _ residualRow: Int, _ residualPixel: Int, _ residualColumns: Int,
    _ rounding: UnsafeRawPointer, _ out: UnsafeMutablePointer<UInt8>, _ outRow: Int, _ outPixel: Int,
    _ batchRows: Int, _ batchPixels: Int, _ working: UnsafeMutableRawPointer
) {
    let whole = taps * depth
    let rounding = Rounding(rounding)
    for n in groups(of16: columns) {
        let group = packed + n / 16 * groupBytes(whole)
        for y in 0..<lines {
            for x in 0..<pixels {
                let sum = sums16(a + y * aRow + x * aPixel, taps, tapStride, depth, group)
                var v = real(sum, group + 16 * whole)
                if let residual, n < residualColumns {
                    let values = Lanes.quantised(residual + y * residualRow + x * residualPixel + n)
                    v += rounding.residual(values)
                }
                Lanes.store(rounding.quantised(v, group + 16 * whole), out + y * outRow + x * outPixel + n)
            }
        }
    }
}

/// See `QuantisedConvolutionKernels.ConvolveToFloat`.
func gk_convolvefloat_q8_portable(
    _ a: UnsafePointer<UInt8>, _ aRow: Int, _ aPixel: Int, _ lines: Int, _ pixels: Int,
    _ taps: Int, _ tapStride: Int, _ depth: Int, _ columns: Int, _ packed: UnsafeRawPointer,
    _ upper: Float, _ out: UnsafeMutablePointer<Float>, _ outRow: Int, _ outPixel: Int,
    _ batchRows: Int, _ batchPixels: Int, _ working: UnsafeMutableRawPointer
) {
    let whole = taps * depth
    for n in groups(of16: columns) {
        let group = packed + n / 16 * groupBytes(whole)
        let slope = Lanes.float(group + (16 * whole + 128))
        for y in 0..<lines {
            for x in 0..<pixels {
                let sum = sums16(a + y * aRow + x * aPixel, taps, tapStride, depth, group)
                var v = real(sum, group + 16 * whole)
                v.replace(with: v * slope, where: v .< 0)
                v.replace(with: SIMD16(repeating: upper), where: v .> upper)
                let target = out + y * outRow + x * outPixel + n
                for lane in 0..<min(16, columns - n) { target[lane] = v[lane] }
            }
        }
    }
}

/// See `QuantisedConvolutionKernels.Depthwise`.
func gk_dw_q8_portable(
    _ input: UnsafePointer<UInt8>, _ inRow: Int, _ size: Int, _ stride: Int,
    _ lines: Int, _ pixels: Int, _ channels: Int, _ packed: UnsafeRawPointer, _ rounding: UnsafeRawPointer,
    _ out: UnsafeMutablePointer<UInt8>, _ outRow: Int
) {
    let taps = size * size
    let rounding = Rounding(rounding)
    for c in groups(of16: channels) {
        let group = packed + c / 16 * groupBytes(taps)
        for y in 0..<lines {
            for x in 0..<pixels {
                var sum = SIMD16<Int32>(repeating: 0)
                var w = group.assumingMemoryBound(to: Int8.self)
                for r in 0..<size {
                    var p = input + (stride * y + r) * inRow + stride * x * channels + c
                    for _ in 0..<size {
                        sum &+= Lanes.product(Lanes.quantised(p), Lanes.weights(w))
                        p += channels
                        w += 16
                    }
                }
                let v = real(sum, group + 16 * taps)
                Lanes.store(rounding.quantised(v, group + 16 * taps), out + y * outRow + x * channels + c)
            }
        }
    }
}

/// - parameters: sixteen biases, then their multipliers.
@inline(__always)
private func real(_ sum: SIMD16<Int32>, _ parameters: UnsafeRawPointer) -> SIMD16<Float> {
    Lanes.floats(Lanes.int32(parameters) &+ sum) * Lanes.float(parameters + 64)
}

private struct Rounding {
    let zero, lower, upper, residualZero: Int32
    let residualMultiplier: Float
    let hasSlopes: Bool

    init(_ p: UnsafeRawPointer) {
        zero = p.load(as: Int32.self)
        lower = p.load(fromByteOffset: 4, as: Int32.self)
        upper = p.load(fromByteOffset: 8, as: Int32.self)
        residualZero = p.load(fromByteOffset: 12, as: Int32.self)
        residualMultiplier = p.load(fromByteOffset: 16, as: Float.self)
        hasSlopes = p.load(fromByteOffset: 20, as: Int32.self) != 0
    }

    @inline(__always)
    func residual(_ values: SIMD16<Int16>) -> SIMD16<Float> {
        let difference = Lanes.widened(values &- Int16(truncatingIfNeeded: residualZero))
        return Lanes.floats(difference) * residualMultiplier
    }

    /// - parameters: sixteen biases, multipliers and slopes.
    @inline(__always)
    func quantised(_ value: SIMD16<Float>, _ parameters: UnsafeRawPointer) -> SIMD16<UInt8> {
        var v = value
        if hasSlopes { v.replace(with: v * Lanes.float(parameters + 128), where: v .< 0) }
        var code = Lanes.rounded(v) &+ zero
        code.replace(with: SIMD16(repeating: lower), where: code .< lower)
        code.replace(with: SIMD16(repeating: upper), where: code .> upper)
        return Lanes.lowBytes(code)
    }
}
