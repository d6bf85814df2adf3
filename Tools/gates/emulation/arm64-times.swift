import KernelInterface
import KernelsNEON
import KernelsPortable

// Runs one kernel once, on the shape that the arguments give, between two calls of `estimate_mark`: what an emulator
// notes between them is the kernel. Buffers hold constants, since no kernel's time depends on values.
//
//     program TIER KERNEL NUMBER...
//
// TIER is 0 for portable, 1 for dotprod, 2 for i8mm, 3 for neon; the numbers of each kernel are read below.

@_extern(c, "valloc")
func valloc(_ count: Int) -> UnsafeMutableRawPointer?

@_extern(c, "atol")
func atol(_ text: UnsafePointer<CChar>) -> Int

@c(estimate_mark) @inline(never)
func mark(_ value: Int) {
    marks &+= value
}

nonisolated(unsafe) private var marks = 0

/// Memory with equal bytes, at the start of a page.
private func buffer(_ count: Int, _ byte: UInt8) -> UnsafeMutableRawPointer {
    let base = valloc(count + 64).unsafelyUnwrapped
    base.initializeMemory(as: UInt8.self, repeating: byte, count: count + 64)
    return base
}

/// The numbers of a call, in order.
private struct Numbers {
    private let arguments: UnsafePointer<UnsafePointer<CChar>>
    private let count: Int
    private var next = 1

    init(_ arguments: UnsafeRawPointer, _ count: Int) {
        self.arguments = arguments.assumingMemoryBound(to: UnsafePointer<CChar>.self)
        self.count = count
    }

    mutating func take() -> Int {
        guard next < count else { fatalError() }
        next += 1
        return atol(arguments[next - 1])
    }
}

/// Parameters whose sums and results have the given bounds: weights are 1.
private struct Parameters {
    let weights: UnsafePointer<Int8>
    let bias: UnsafePointer<Int32>
    let multiplier, slope: UnsafePointer<Float>

    init(channels: Int, depth: Int, sum: Int, value: Int) {
        weights = UnsafePointer(buffer(channels * depth, 1).assumingMemoryBound(to: Int8.self))
        let bias = buffer(4 * channels, 0).assumingMemoryBound(to: Int32.self)
        let multiplier = buffer(4 * channels, 0).assumingMemoryBound(to: Float.self)
        let slope = buffer(4 * channels, 0).assumingMemoryBound(to: Float.self)
        for n in 0..<channels {
            bias[n] = Int32(sum - 255 * depth)
            multiplier[n] = Float(value) / Float(max(sum, 1))
            slope[n] = 0.25
        }
        self.bias = UnsafePointer(bias)
        self.multiplier = UnsafePointer(multiplier)
        self.slope = UnsafePointer(slope)
    }
}

/// What a call of the quantised kernels says of its rounding.
private func rounding(_ numbers: inout Numbers) -> UnsafeRawPointer {
    let p = buffer(24, 0)
    for offset in [0, 4, 8] { p.storeBytes(of: Int32(numbers.take()), toByteOffset: offset, as: Int32.self) }
    p.storeBytes(of: 0.5, toByteOffset: 16, as: Float.self)
    p.storeBytes(of: Int32(numbers.take()), toByteOffset: 20, as: Int32.self)
    return UnsafeRawPointer(p)
}

private func convolve(_ kernels: QuantisedConvolutionKernels, toFloat: Bool, _ numbers: inout Numbers) {
    let (lines, pixels, aPixel) = (numbers.take(), numbers.take(), numbers.take())
    let (taps, depth, columns) = (numbers.take(), numbers.take(), numbers.take())
    let (hasResidual, outPixel) = (numbers.take() != 0, numbers.take())
    let (sum, value) = (numbers.take(), numbers.take())
    let rounding = rounding(&numbers)
    let parameters = Parameters(channels: columns, depth: taps * depth, sum: sum, value: value)
    let size = kernels.packConvolution(nil, nil, nil, nil, columns, taps * depth, nil)
    let packed = buffer(size, 0)
    _ = kernels.packConvolution(
        parameters.weights, parameters.bias, parameters.multiplier, parameters.slope, columns, taps * depth, packed)
    let row = (pixels - 1) * aPixel + depth + 64
    let a = buffer((lines + taps) * row, 3).assumingMemoryBound(to: UInt8.self)
    let residual = buffer(lines * pixels * columns, 3).assumingMemoryBound(to: UInt8.self)
    let out = buffer(4 * (lines * pixels * outPixel + columns), 0)
    let batch = QuantisedConvolutionKernels.Batch(
        taps: taps, pixel: aPixel, depth: depth, lines: lines, pixels: pixels)
    let working = buffer(batch.byteCount, 0)
    mark(1)
    if toFloat {
        kernels.convolveToFloat(
            a, row, aPixel, lines, pixels, taps, row, depth, columns, packed, 6,
            out.assumingMemoryBound(to: Float.self), pixels * outPixel, outPixel, batch.lines, batch.pixels, working)
    } else {
        kernels.convolve(
            a, row, aPixel, lines, pixels, taps, row, depth, columns, packed, hasResidual ? residual : nil,
            pixels * columns, columns, columns, rounding, out.assumingMemoryBound(to: UInt8.self), pixels * outPixel,
            outPixel, batch.lines, batch.pixels, working)
    }
    mark(2)
}

private func depthwise(_ kernels: QuantisedConvolutionKernels, _ numbers: inout Numbers) {
    let (size, stride, lines) = (numbers.take(), numbers.take(), numbers.take())
    let (pixels, channels) = (numbers.take(), numbers.take())
    let (sum, value) = (numbers.take(), numbers.take())
    let rounding = rounding(&numbers)
    let parameters = Parameters(channels: channels, depth: size * size, sum: sum, value: value)
    let packed = buffer(kernels.packDepthwise(nil, nil, nil, nil, channels, size, nil), 0)
    _ = kernels.packDepthwise(
        parameters.weights, parameters.bias, parameters.multiplier, parameters.slope, channels, size, packed)
    let row = (stride * (pixels - 1) + size) * channels + 64
    let input = buffer((stride * (lines - 1) + size) * row, 3).assumingMemoryBound(to: UInt8.self)
    let out = buffer(lines * pixels * channels, 0).assumingMemoryBound(to: UInt8.self)
    mark(1)
    kernels.depthwise(input, row, size, stride, lines, pixels, channels, packed, rounding, out, pixels * channels)
    mark(2)
}

private func mapKernel(_ kernels: MapKernels, _ kernel: Int, _ numbers: inout Numbers) {
    if kernel == 4 {
        let (height, width, pixels, channels) = (numbers.take(), numbers.take(), numbers.take(), numbers.take())
        let row = (width * pixels + width) * channels
        let input = buffer(height * row, 3).assumingMemoryBound(to: UInt8.self)
        let out = buffer(pixels * channels, 0).assumingMemoryBound(to: UInt8.self)
        mark(1)
        kernels.maxPool(input, row, channels, height, width, width * channels, pixels, channels, out, channels)
        mark(2)
        return
    }
    let count = numbers.take()
    let (a, b, out) = (buffer(4 * count, 0), buffer(4 * count, 0), buffer(4 * count, 0))
    let p = buffer(24, 0x3F).assumingMemoryBound(to: Float.self)
    let (x, y) = (a.assumingMemoryBound(to: UInt8.self), b.assumingMemoryBound(to: UInt8.self))
    mark(1)
    switch kernel {
    case 3: kernels.add(x, y, count, p, out.assumingMemoryBound(to: UInt8.self))
    case 5: kernels.interpolateColumns(x, y, 0.25, count, out.assumingMemoryBound(to: Float.self))
    default:
        kernels.interpolateRows(
            a.assumingMemoryBound(to: Float.self), b.assumingMemoryBound(to: Float.self), 0.25, count,
            out.assumingMemoryBound(to: UInt8.self))
    }
    mark(2)
}

@c(main)
func main(_ count: Int32, _ arguments: UnsafeRawPointer) -> Int32 {
    var numbers = Numbers(arguments, Int(count))
    let (tier, kernel) = (numbers.take(), numbers.take())
    let quantised: QuantisedConvolutionKernels
    switch tier {
    case 0: quantised = PortableTier.table.quantisedConvolution
    case 1: quantised = NEONTier.dotProdQuantisedConvolutionKernels()
    case 2: quantised = NEONTier.i8mmQuantisedConvolutionKernels()
    default: quantised = NEONTier.baseQuantisedConvolutionKernels()
    }
    switch kernel {
    case 0: convolve(quantised, toFloat: false, &numbers)
    case 1: convolve(quantised, toFloat: true, &numbers)
    case 2: depthwise(quantised, &numbers)
    default: mapKernel(tier == 0 ? PortableTier.table.map : NEONTier.mapKernels(), kernel, &numbers)
    }
    return 0
}
