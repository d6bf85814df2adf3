/// The kernels of network graphs for every CPU, eight channels at a time.
///
/// Packed, for each eight channels: weights `[depth][8]` or `[size * size][8]`, eight biases, eight slopes; channels
/// past the last are 0.

private typealias Eight = SIMD8<Float>

@inline(__always)
private func load(_ p: UnsafeRawPointer) -> Eight { p.loadUnaligned(as: Eight.self) }

private func panelBytes(_ depth: Int) -> Int { 32 * (depth + 2) }

/// What `ConvolutionKernels.packConvolution` writes.
var floatConvolutionLayout: WeightLayout { WeightLayout(width: 8, weightBytes: 4, vectors: 2) }

/// What `ConvolutionKernels.packDepthwise` writes.
var floatDepthwiseLayout: WeightLayout {
    WeightLayout(width: 8, weightBytes: 4, isDepthOutermost: true, vectors: 2)
}

/// See `ConvolutionKernels.Convolve`.
func gk_convolve_f32_portable(
    _ a: UnsafePointer<Float>, _ aRow: Int, _ aPixel: Int, _ lines: Int, _ pixels: Int,
    _ taps: Int, _ tapStride: Int, _ depth: Int, _ columns: Int, _ packed: UnsafeRawPointer,
    _ residual: UnsafePointer<Float>?, _ residualRow: Int, _ residualPixel: Int, _ residualColumns: Int,
    _ upper: Float, _ out: UnsafeMutablePointer<Float>, _ outRow: Int, _ outPixel: Int
) {
    let panel = panelBytes(taps * depth)
    for y in 0..<lines {
        var x = 0
        while x < pixels {
            // Four pixels share each load of weights; at the end of a row some pixels are computed twice.
            let last = pixels - 1 - x
            let step = (min(1, last), min(2, last), min(3, last))
            let source = a + y * aRow + x * aPixel
            guard last > 0 else {
                convolveOne(
                    source, taps, tapStride, depth, columns, packed,
                    residual.map { $0 + y * residualRow + x * residualPixel }, residualColumns, upper,
                    out + y * outRow + x * outPixel)
                break
            }
            for n in stride(from: 0, to: columns, by: 8) {
                var w = packed + n / 8 * panel
                var (s0, s1, s2, s3) = (Eight(), Eight(), Eight(), Eight())
                for t in 0..<taps {
                    let p0 = source + t * tapStride
                    let (p1, p2, p3) = (p0 + step.0 * aPixel, p0 + step.1 * aPixel, p0 + step.2 * aPixel)
                    for k in 0..<depth {
                        let weights = load(w)
                        s0 += p0[k] * weights
                        s1 += p1[k] * weights
                        s2 += p2[k] * weights
                        s3 += p3[k] * weights
                        w += 32
                    }
                }
                let (bias, slope) = (load(w), load(w + 32))
                let target = out + y * outRow + x * outPixel + n
                let count = min(8, columns - n)
                var more: UnsafePointer<Float>?
                if let residual, n < residualColumns { more = residual + y * residualRow + x * residualPixel + n }
                finish(s0 + bias, more, slope, upper, count, target)
                finish(
                    s1 + bias, more.map { $0 + step.0 * residualPixel }, slope, upper, count,
                    target + step.0 * outPixel)
                finish(
                    s2 + bias, more.map { $0 + step.1 * residualPixel }, slope, upper, count,
                    target + step.1 * outPixel)
                finish(
                    s3 + bias, more.map { $0 + step.2 * residualPixel }, slope, upper, count,
                    target + step.2 * outPixel)
            }
            x += 4
        }
    }
}

/// One pixel, with the same sums in the same order. Thirty-two channels at a time hide the latency of the additions.
private func convolveOne(
    _ a: UnsafePointer<Float>, _ taps: Int, _ tapStride: Int, _ depth: Int, _ columns: Int,
    _ packed: UnsafeRawPointer, _ residual: UnsafePointer<Float>?, _ residualColumns: Int, _ upper: Float,
    _ out: UnsafeMutablePointer<Float>
) {
    let panel = panelBytes(taps * depth)
    let last = (columns - 1) / 8
    for first in stride(from: 0, through: last, by: 4) {
        // Panels past the last repeat it and are not written.
        let panels = (first, min(first + 1, last), min(first + 2, last), min(first + 3, last))
        var (w0, w1) = (packed + panels.0 * panel, packed + panels.1 * panel)
        var (w2, w3) = (packed + panels.2 * panel, packed + panels.3 * panel)
        var (s0, s1, s2, s3) = (Eight(), Eight(), Eight(), Eight())
        for t in 0..<taps {
            let p = a + t * tapStride
            for k in 0..<depth {
                s0 += p[k] * load(w0)
                s1 += p[k] * load(w1)
                s2 += p[k] * load(w2)
                s3 += p[k] * load(w3)
                w0 += 32
                w1 += 32
                w2 += 32
                w3 += 32
            }
        }
        func put(_ index: Int, _ sum: Eight, _ parameters: UnsafeRawPointer) {
            let n = 8 * (first + index)
            guard n < columns else { return }
            finish(
                sum + load(parameters), n < residualColumns ? residual.map { $0 + n } : nil, load(parameters + 32),
                upper, min(8, columns - n), out + n)
        }
        put(0, s0, w0)
        put(1, s1, w1)
        put(2, s2, w2)
        put(3, s3, w3)
    }
}

/// See `ConvolutionKernels.Depthwise`.
func gk_dw_f32_portable(
    _ input: UnsafePointer<Float>, _ inRow: Int, _ size: Int, _ stride: Int,
    _ lines: Int, _ pixels: Int, _ channels: Int, _ packed: UnsafeRawPointer, _ upper: Float,
    _ out: UnsafeMutablePointer<Float>, _ outRow: Int, _ outPixel: Int
) {
    let panel = panelBytes(size * size)
    for y in 0..<lines {
        for x in 0..<pixels {
            for c in Swift.stride(from: 0, to: channels, by: 8) {
                var w = packed + c / 8 * panel
                var sum = Eight()
                for r in 0..<size {
                    var p = input + (stride * y + r) * inRow + stride * x * channels + c
                    for _ in 0..<size {
                        sum += load(p) * load(w)
                        p += channels
                        w += 32
                    }
                }
                finish(sum + load(w), nil, load(w + 32), upper, 8, out + y * outRow + x * outPixel + c)
            }
        }
    }
}

/// Adds the residual, if there is one, applies the activation and writes the first `count` of eight values.
@inline(__always)
private func finish(
    _ sum: Eight, _ residual: UnsafePointer<Float>?, _ slope: Eight, _ upper: Float, _ count: Int,
    _ out: UnsafeMutablePointer<Float>
) {
    var v = sum
    if let residual {
        if count == 8 {
            v += load(residual)
        } else {
            for index in 0..<count { v[index] += residual[index] }
        }
    }
    v.replace(with: v * slope, where: v .< 0)
    v.replace(with: Eight(repeating: upper), where: v .> upper)
    if count == 8 {
        UnsafeMutableRawPointer(out).storeBytes(of: v, as: Eight.self)
    } else {
        for index in 0..<count { out[index] = v[index] }
    }
}
