import KernelInterface

/// The parameters of a convolution. Weights reach both ends of their range. Sums hover about the range of values, leave
/// it, or lie halfway between two.
private struct Parameters {
    let weights: [Int8]
    let bias: [Int32]
    let multiplier, slope: [Float]

    init(_ channels: Int, _ depth: Int, _ generator: inout Generator) {
        let kind = generator.integer(0...3)
        weights = (0..<channels * depth).map { index in
            let isEnd = kind == 0 || index % 7 == 0
            return Int8(isEnd ? (generator.next() & 1 == 0 ? 127 : -127) : generator.integer(-127...127))
        }
        bias = (0..<channels).map { _ in Int32(generator.integer(-40_000...40_000)) }
        let scale = Float(depth).squareRoot()
        multiplier = (0..<channels).map { index in
            switch kind {
            case 1: [0.5, 0.25, 0.125, 0.0625][index % 4]
            case 2: index % 5 == 0 ? 12 : generator.number(0.001...0.02) / scale
            default: generator.number(0.001...0.02) / scale
            }
        }
        slope = (0..<channels).map { [0, 1, generator.number(-1...1), generator.number(1...3)][$0 % 4] }
    }
}

/// What is the same for all columns, as kernels read it.
private func rounding(_ generator: inout Generator) -> Guarded {
    let lower = generator.integer(0...3) == 0 ? generator.integer(0...255) : 0
    let upper = generator.integer(0...3) == 0 ? generator.integer(lower...255) : 255
    let numbers = [
        Int32(generator.pick([0, 7, 120, 131, 255, lower])), Int32(lower), Int32(upper),
        Int32(generator.pick([0, 97, 128, 255])),
        Int32(bitPattern: generator.pick([Float(0.734), 1.9, 0.5, 0.01]).bitPattern),
        Int32(generator.integer(0...1)),
    ]
    let memory = Guarded(count: 24)
    for (index, number) in numbers.enumerated() {
        memory.base.storeBytes(of: number, toByteOffset: 4 * index, as: Int32.self)
    }
    return memory
}

/// A convolution's sizes. Those of the networks of hands come first.
private struct Product {
    var lines = 2
    var pixels: Int
    var taps = 1
    var depth: Int
    var columns: Int
    /// Columns with a residual.
    var residual = 0
    /// Elements from pixel to pixel; the depth if nil.
    var pixel: Int?

    static var all: [Product] {
        var products = [
            Product(lines: 4, pixels: 112, taps: 3, depth: 12, columns: 32, pixel: 6),
            Product(pixels: 96, taps: 5, depth: 16, columns: 32, pixel: 6),
            Product(pixels: 112, depth: 24, columns: 16, pixel: 32),
            Product(lines: 5, pixels: 112, depth: 16, columns: 64),
            Product(pixels: 56, depth: 64, columns: 16, residual: 16),
            Product(lines: 9, pixels: 56, depth: 16, columns: 96),
            Product(pixels: 28, depth: 24, columns: 144, pixel: 32),
            Product(pixels: 28, depth: 144, columns: 32, residual: 32),
            Product(pixels: 14, depth: 288, columns: 48, residual: 48), Product(pixels: 14, depth: 384, columns: 64),
            Product(lines: 7, pixels: 7, depth: 112, columns: 672),
            Product(pixels: 7, depth: 672, columns: 112, residual: 112),
            Product(pixels: 96, depth: 32, columns: 32, residual: 32),
            Product(pixels: 48, depth: 32, columns: 64, residual: 32),
            Product(pixels: 24, depth: 128, columns: 128, residual: 128), Product(pixels: 24, depth: 256, columns: 128),
            Product(pixels: 12, depth: 256, columns: 256, residual: 256),
        ]
        for pixels in 1...17 {
            products.append(Product(lines: 1, pixels: pixels, depth: 8, columns: 32, residual: pixels % 2 * 32))
        }
        for columns in stride(from: 16, through: 144, by: 16) {
            products.append(Product(pixels: 7, depth: 12, columns: columns, residual: columns % 32))
        }
        products += [
            Product(lines: 4, pixels: 14, taps: 3, depth: 12, columns: 32),
            Product(pixels: 11, taps: 5, depth: 16, columns: 48, residual: 16),
            Product(lines: 3, pixels: 1, taps: 1, depth: 4, columns: 16),
            Product(pixels: 5, taps: 2, depth: 20, columns: 16),
        ]
        return products
    }

    var text: String { "\(lines)x\(pixels), \(taps) taps, depth \(depth), \(columns) columns, residual \(residual)" }
}

private func packed(
    _ pack: QuantisedConvolutionKernels.PackConvolution, _ parameters: Parameters, _ channels: Int, _ depth: Int
) -> Guarded {
    let memory = Guarded(count: pack(nil, nil, nil, nil, channels, depth, nil), isZeroed: true)
    _ = pack(
        parameters.weights, parameters.bias, parameters.multiplier, parameters.slope, channels, depth, memory.base)
    return memory
}

/// See `QuantisedConvolutionKernels.Convolve`.
func compareConvolve(_ comparison: inout Comparison) {
    var generator = Generator(seed: 1)
    for round in 0..<3 {
        for shape in Product.all {
            let (lines, pixels, taps, depth, columns) = (
                shape.lines, shape.pixels, shape.taps, shape.depth, shape.columns
            )
            let parameters = Parameters(columns, taps * depth, &generator)
            // Neighbouring pixels share elements where a pixel has fewer than the depth.
            let aPixel = (shape.pixel ?? depth) + (round == 1 && shape.pixel == nil ? 4 : 0)
            let tapStride = (pixels - 1) * aPixel + depth + round
            let aRow = tapStride + 1
            let input = Guarded(
                generator.bytes((lines - 1) * aRow + (taps - 1) * tapStride + (pixels - 1) * aPixel + depth + 64),
                misalignment: round)
            let (outPixel, morePixel) = (columns + 5 * round, columns + 2 * round)
            let (outRow, moreRow) = (pixels * outPixel + 3, pixels * morePixel + 1)
            let more = Guarded(generator.bytes(lines * moreRow), misalignment: 3)
            let batch = QuantisedConvolutionKernels.Batch(
                taps: taps, pixel: aPixel, depth: depth, lines: lines, pixels: pixels)
            let numbers = rounding(&generator)
            var outputs: [Guarded] = []
            var isIntact = true
            for kernels in [comparison.portable.quantisedConvolution, comparison.tier.quantisedConvolution] {
                let packed = packed(kernels.packConvolution, parameters, columns, taps * depth)
                let working = Guarded(count: batch.byteCount)
                let output = Guarded(count: lines * outRow, misalignment: round)
                kernels.convolve(
                    input.bound(to: UInt8.self), aRow, aPixel, lines, pixels, taps, tapStride, depth, columns,
                    packed.base, shape.residual > 0 ? UnsafePointer(more.bound(to: UInt8.self)) : nil, moreRow,
                    morePixel, shape.residual, numbers.base, output.bound(to: UInt8.self), outRow, outPixel,
                    batch.lines, batch.pixels, working.base)
                isIntact = isIntact && packed.isIntact && working.isIntact && output.isIntact && input.isIntact
                outputs.append(output)
            }
            withExtendedLifetime((more, numbers)) {}
            comparison.note(isIntact && outputs[0].equals(outputs[1]), shape.text)
        }
    }
}

/// See `QuantisedConvolutionKernels.ConvolveToFloat`.
func compareConvolveToFloat(_ comparison: inout Comparison) {
    var generator = Generator(seed: 2)
    for columns in [1, 2, 6, 15, 16, 18, 36, 63, 108] {
        for (lines, pixels, taps, depth) in [
            (1, 1, 1, 8), (2, 7, 1, 32), (3, 5, 3, 12), (2, 24, 1, 128), (2, 12, 1, 256),
        ] {
            let parameters = Parameters(columns, taps * depth, &generator)
            let aRow = pixels * depth + 40
            let input = Guarded(generator.bytes((lines + taps) * aRow), misalignment: 1)
            let outPixel = columns + lines - 1
            let outRow = pixels * outPixel + 2
            let batch = QuantisedConvolutionKernels.Batch(
                taps: taps, pixel: depth, depth: depth, lines: lines, pixels: pixels)
            for upper in [Float.infinity, 6] {
                var outputs: [Guarded] = []
                var isIntact = true
                for kernels in [comparison.portable.quantisedConvolution, comparison.tier.quantisedConvolution] {
                    let packed = packed(kernels.packConvolution, parameters, columns, taps * depth)
                    let working = Guarded(count: batch.byteCount)
                    let output = Guarded(count: 4 * lines * outRow)
                    kernels.convolveToFloat(
                        input.bound(to: UInt8.self), aRow, depth, lines, pixels, taps, aRow, depth, columns,
                        packed.base, upper, output.bound(to: Float.self), outRow, outPixel, batch.lines, batch.pixels,
                        working.base)
                    isIntact = isIntact && packed.isIntact && working.isIntact && output.isIntact
                    outputs.append(output)
                }
                withExtendedLifetime(input) {}
                comparison.note(
                    isIntact && outputs[0].equals(outputs[1]),
                    "\(lines)x\(pixels), \(taps) taps, depth \(depth), \(columns) columns")
            }
        }
    }
}

/// See `QuantisedConvolutionKernels.Depthwise`.
func compareDepthwise(_ comparison: inout Comparison) {
    var generator = Generator(seed: 3)
    // Lines, pixels, channels; those of the networks of hands first.
    var shapes = [
        (5, 112, 32), (4, 56, 64), (5, 56, 96), (4, 28, 96), (3, 28, 144), (3, 14, 144), (3, 14, 288), (3, 14, 384),
        (3, 7, 384), (7, 7, 672), (4, 96, 32), (4, 48, 32), (5, 48, 64), (3, 24, 64), (3, 24, 128), (3, 12, 128),
        (3, 12, 256), (6, 6, 256), (2, 128, 16), (1, 115, 32), (2, 57, 16), (3, 230, 16),
    ]
    for pixels in 1...15 { shapes.append((1 + pixels % 4, pixels, 16 + pixels % 3 * 16)) }
    for (lines, pixels, channels) in shapes {
        for (size, stride) in [(3, 1), (3, 2), (5, 1), (5, 2)] {
            let parameters = Parameters(channels, size * size, &generator)
            let inRow = ((pixels - 1) * stride + size) * channels + generator.integer(0...6)
            let input = Guarded(
                generator.bytes((stride * (lines - 1) + size) * inRow + 64), misalignment: generator.integer(0...3))
            let outRow = pixels * channels + generator.integer(0...2)
            for _ in 0..<2 {
                let numbers = rounding(&generator)
                var outputs: [Guarded] = []
                var isIntact = true
                for kernels in [comparison.portable.quantisedConvolution, comparison.tier.quantisedConvolution] {
                    let byteCount = kernels.packDepthwise(nil, nil, nil, nil, channels, size, nil)
                    let packed = Guarded(count: byteCount, isZeroed: true)
                    _ = kernels.packDepthwise(
                        parameters.weights, parameters.bias, parameters.multiplier, parameters.slope, channels, size,
                        packed.base)
                    let output = Guarded(count: (lines - 1) * outRow + pixels * channels, misalignment: 5)
                    kernels.depthwise(
                        input.bound(to: UInt8.self), inRow, size, stride, lines, pixels, channels, packed.base,
                        numbers.base, output.bound(to: UInt8.self), outRow)
                    isIntact = isIntact && packed.isIntact && output.isIntact && input.isIntact
                    outputs.append(output)
                }
                withExtendedLifetime(numbers) {}
                comparison.note(
                    isIntact && outputs[0].equals(outputs[1]),
                    "\(size)x\(size), stride \(stride), \(lines)x\(pixels), \(channels) channels")
            }
        }
    }
}

/// See `Int8Kernels.GEMM`.
func compareGEMM(_ comparison: inout Comparison) {
    var generator = Generator(seed: 4)
    for (rows, taps, depth, columns) in [
        (1, 1, 96, 96), (1, 3, 96, 96), (1, 1, 128, 64), (1, 3, 128, 128), (2, 3, 4, 32), (3, 2, 12, 64), (7, 1, 8, 32),
        (5, 3, 68, 96), (49, 1, 160, 64),
    ] {
        for _ in 0..<6 {
            let parameters = Parameters(columns, taps * depth, &generator)
            let (aStride, tapStride) = (depth + 3, rows * (depth + 3) + 1)
            let input = Guarded(
                generator.bytes((rows - 1) * aStride + (taps - 1) * tapStride + depth), misalignment: 1)
            let outStride = columns + 7
            var outputs: [Guarded] = []
            var isIntact = true
            for kernels in [comparison.portable.int8, comparison.tier.int8] {
                let byteCount = kernels.packGEMM(nil, nil, nil, columns, taps * depth, nil)
                let packed = Guarded(count: byteCount, isZeroed: true)
                _ = kernels.packGEMM(
                    parameters.weights, parameters.bias, parameters.multiplier, columns, taps * depth, packed.base)
                let output = Guarded(count: rows * outStride, misalignment: 3)
                kernels.gemm(
                    input.bound(to: UInt8.self), aStride, rows, taps, tapStride, depth, columns, packed.base,
                    output.bound(to: UInt8.self), outStride)
                isIntact = isIntact && packed.isIntact && output.isIntact
                outputs.append(output)
            }
            withExtendedLifetime(input) {}
            comparison.note(
                isIntact && outputs[0].equals(outputs[1]),
                "\(rows) rows, \(taps) taps, depth \(depth), \(columns) columns")
        }
    }
}

/// See `Int8Kernels.Classify`.
func compareClassify(_ comparison: inout Comparison) {
    var generator = Generator(seed: 5)
    for depth in [4, 8, 12, 96, 128, 132] {
        for columns in [1, 9, 15, 16, 17, 27, 40] {
            let parameters = Parameters(columns, depth, &generator)
            let input = Guarded(generator.bytes(depth), misalignment: 1)
            var outputs: [Guarded] = []
            var isIntact = true
            for kernels in [comparison.portable.int8, comparison.tier.int8] {
                let byteCount = kernels.packClassifier(nil, nil, nil, columns, depth, nil)
                let packed = Guarded(count: byteCount, isZeroed: true)
                _ = kernels.packClassifier(
                    parameters.weights, parameters.bias, parameters.multiplier, columns, depth, packed.base)
                let output = Guarded(count: 4 * ((columns + 15) / 16 * 16))
                kernels.classify(
                    input.bound(to: UInt8.self), depth, columns, packed.base, output.bound(to: Float.self))
                isIntact = isIntact && packed.isIntact && output.isIntact
                outputs.append(output)
            }
            withExtendedLifetime(input) {}
            comparison.note(
                isIntact && outputs[0].equals(outputs[1], first: 4 * columns), "depth \(depth), \(columns) columns")
        }
    }
}

private let counts = Array(0...17) + [24, 31, 33, 48, 100, 128]

/// See `MapKernels.Add`.
func compareAdd(_ comparison: inout Comparison) {
    var generator = Generator(seed: 6)
    for round in 0..<300 {
        let count = counts[round % counts.count]
        let (a, b) = (Guarded(generator.bytes(count)), Guarded(generator.bytes(count), misalignment: 1))
        func zero() -> Float { Float(generator.integer(0...255)) }
        func scale() -> Float { generator.number(0.001...0.1) }
        var p = [zero(), scale(), zero(), scale(), scale(), zero()]
        // Infinities, whose differences are NaN, and halves, to be rounded to even.
        if round % 10 == 0 { (p[1], p[3]) = (.greatestFiniteMagnitude, .greatestFiniteMagnitude) }
        if round % 10 == 1 { p = [0, 0.5, 0, 1, 1, 0] }
        var outputs: [Guarded] = []
        for kernels in [comparison.portable.map, comparison.tier.map] {
            let output = Guarded(count: count, misalignment: round % 5)
            kernels.add(a.bound(to: UInt8.self), b.bound(to: UInt8.self), count, p, output.bound(to: UInt8.self))
            outputs.append(output)
        }
        withExtendedLifetime((a, b)) {}
        comparison.note(outputs[1].isIntact && outputs[0].equals(outputs[1]), "\(count) values")
    }
}

/// See `MapKernels.MaxPool`.
func compareMaxPool(_ comparison: inout Comparison) {
    var generator = Generator(seed: 7)
    for round in 0..<300 {
        let channels = counts[1 + round % (counts.count - 1)]
        let (height, width) = (generator.integer(1...3), generator.integer(1...3))
        let (pixels, stride) = (generator.integer(0...5), generator.integer(1...3))
        let pixel = channels + round % 2 * 3
        let row = ((max(pixels, 1) - 1) * stride + width) * pixel + generator.integer(0...9)
        let input = Guarded(generator.bytes(height * row), misalignment: round % 3)
        let outPixel = channels + round % 2 * 5
        var outputs: [Guarded] = []
        for kernels in [comparison.portable.map, comparison.tier.map] {
            let output = Guarded(count: pixels * outPixel, misalignment: round % 5)
            kernels.maxPool(
                input.bound(to: UInt8.self), row, pixel, height, width, stride * pixel, pixels, channels,
                output.bound(to: UInt8.self), outPixel)
            outputs.append(output)
        }
        withExtendedLifetime(input) {}
        comparison.note(
            outputs[1].isIntact && outputs[0].equals(outputs[1]), "\(height)x\(width) of \(channels), \(pixels) pixels")
    }
}

/// See `MapKernels.InterpolateColumns` and `MapKernels.InterpolateRows`.
func compareInterpolate(_ comparison: inout Comparison) {
    var generator = Generator(seed: 8)
    for round in 0..<200 {
        let count = counts[round % counts.count]
        let (a, b) = (Guarded(generator.bytes(count)), Guarded(generator.bytes(count), misalignment: 1))
        let share = generator.pick([0, 0.25, 0.5, 0.75, 1, generator.number(0...1)])
        let (x, y) = (Guarded(count: 4 * count), Guarded(count: 4 * count))
        for index in 0..<count {
            let special = [Float.nan, .infinity, -3, 300][index % 4]
            x.bound(to: Float.self)[index] = round % 9 == 0 ? special : generator.number(-2...258)
            y.bound(to: Float.self)[index] = Float(generator.integer(0...510)) / 2
        }
        var outputs: [(columns: Guarded, rows: Guarded)] = []
        for kernels in [comparison.portable.map, comparison.tier.map] {
            let (columns, rows) = (Guarded(count: 4 * count), Guarded(count: count, misalignment: round % 5))
            kernels.interpolateColumns(
                a.bound(to: UInt8.self), b.bound(to: UInt8.self), share, count, columns.bound(to: Float.self))
            kernels.interpolateRows(
                x.bound(to: Float.self), y.bound(to: Float.self), share, count, rows.bound(to: UInt8.self))
            outputs.append((columns, rows))
        }
        withExtendedLifetime((a, b, x, y)) {}
        let isIntact = outputs[1].columns.isIntact && outputs[1].rows.isIntact
        let areEqual = outputs[0].columns.equals(outputs[1].columns) && outputs[0].rows.equals(outputs[1].rows)
        comparison.note(isIntact && areEqual, "\(count) values, share \(share)")
    }
}
