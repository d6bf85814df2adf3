import KernelInterface

extension Buffer {
    var floats: UnsafeMutablePointer<Float> { base.assumingMemoryBound(to: Float.self) }

    /// The absolute values, times a factor.
    borrowing func magnitudes(_ edge: Buffer.Edge, times factor: Float = 1) -> Buffer {
        let copy = Buffer(count, edge)
        for index in 0..<count / 4 { copy.floats[index] = floats[index].magnitude * factor }
        return copy
    }
}

/// What a float kernel is given; all but the slopes enter its sums.
private struct Numbers: ~Copyable {
    let input, weights, bias, slope, residual: Buffer

    /// Absolute values, with slopes of 1: their sums are as large as those of any order of adding become. A small scale
    /// keeps them below the upper bound of 6 that some kernels have.
    func magnitudes(_ edge: Buffer.Edge) -> Numbers {
        let ones = Buffer(slope.count, edge)
        for index in 0..<slope.count / 4 { ones.floats[index] = 1 }
        return Numbers(
            input: input.magnitudes(edge), weights: weights.magnitudes(edge, times: Self.scale),
            bias: bias.magnitudes(edge, times: Self.scale), slope: ones,
            residual: residual.magnitudes(edge, times: Self.scale))
    }

    static let scale: Float = 1 / 4096
}

/// - size: bytes of the packed parameters, which `pack` writes.
private func packed(
    _ size: Int, _ edge: Buffer.Edge, _ pack: (UnsafeMutableRawPointer) -> Int
) -> Buffer {
    let packed = Buffer(size, edge)
    packed.bytes.update(repeating: 0, count: size)
    guard pack(packed.base) == size, size % 64 == 0, packed.isIntact else { fatalError() }
    return packed
}

extension BaseSweeps {
    private mutating func random(_ count: Int, _ edge: Buffer.Edge) -> Buffer {
        let buffer = Buffer(4 * count, edge)
        for index in 0..<count { buffer.floats[index] = Float(generator.below(4001) - 2000) / 1000 }
        return buffer
    }

    private mutating func numbers(
        _ input: Int, _ weights: Int, _ channels: Int, residual: Int = 0, _ edge: Buffer.Edge
    ) -> Numbers {
        // All 0, all 1, or of every kind.
        let slope = random(channels, edge)
        let kind = generator.below(4)
        for n in 0..<channels where kind < 2 || n % 3 < 2 { slope.floats[n] = Float(kind < 2 ? kind : n % 3) }
        return Numbers(
            input: random(input, edge), weights: random(weights, edge), bias: random(channels, edge), slope: slope,
            residual: random(residual, edge))
    }

    /// One case. Each term of a sum is rounded at most once for every addition, and once or twice on its own (Higham
    /// 2002, 3.1); the activation rounds once more. Both tiers make such errors.
    /// - terms: of a sum. body: runs a kernel of a tier.
    private mutating func compare(
        _ numbers: consuming Numbers, _ outCount: Int, _ terms: Int, _ upper: Float, _ edge: Buffer.Edge,
        _ shape: [Int], _ body: (KernelTable, borrowing Numbers, borrowing Buffer, _ upper: Float) -> Void
    ) {
        let expected = Buffer(4 * outCount, edge)
        let found = Buffer(4 * outCount, edge)
        let magnitude = Buffer(4 * outCount, edge)
        body(table(true), numbers, expected, upper)
        body(table(true), numbers.magnitudes(edge), magnitude, .infinity)
        if sabotage { numbers.weights.floats[0] += 1 }
        body(table(false), numbers, found, upper)
        let untouched: UInt32 = 0x8888_8888
        var agrees = found.isIntact && numbers.input.isIntact
        for index in 0..<outCount {
            let (p, q) = (expected.floats[index], found.floats[index])
            if p.bitPattern == untouched || q.bitPattern == untouched {
                agrees = agrees && p.bitPattern == q.bitPattern
            } else {
                let bound = Double(2 * (terms + 3)) * Double(magnitude.floats[index] / Numbers.scale) * 0x1p-24
                agrees = agrees && (Double(p) - Double(q)).magnitude <= bound
            }
        }
        check(agrees, shape)
    }

    /// Every remainder of pixels and of columns, several taps, residuals of all columns, of some and of none.
    mutating func convolve() {
        for pixels in 1...17 { convolve(1, pixels, 1, 5, 56, pixels % 2 == 0 ? 56 : nil) }
        for columns in 1...33 { convolve(2, 7, 1, 3, columns, columns % 3 == 0 ? columns : nil) }
        for depth in 1...9 {
            convolve(1, 2, 2, depth, 28, nil)
            convolve(1, 6, 2, depth, 28, nil)
        }
        for columns in [40, 48, 63, 64, 88, 108, 128] { convolve(3, 6, 1, 16, columns, nil) }
        convolve(4, 14, 3, 9, 24, nil)
        convolve(2, 11, 5, 15, 32, 16)
        convolve(2, 12, 1, 32, 56, 40)
        convolve(1, 1, 1, 672, 63, nil)
        convolve(7, 7, 1, 112, 672, nil)
    }

    private mutating func convolve(
        _ lines: Int, _ pixels: Int, _ taps: Int, _ depth: Int, _ columns: Int, _ residual: Int?
    ) {
        for upper in [Float.infinity, 6, 0.5] {
            let edge = nextEdge()
            // Sometimes rows follow each other without gaps: those of all maps or of all but the residual.
            let gap = upper == 6 ? 0 : 1
            let (aPixel, outPixel, morePixel) = (depth + 3 * gap, columns + 5 * gap, columns + 2 * gap)
            let tapStride = taps == 1 ? 0 : pixels * aPixel + 2
            let aRow = pixels * aPixel + (taps - 1) * tapStride + gap
            let (outRow, moreRow) = (pixels * outPixel + 3 * gap, pixels * morePixel + (columns % 2 == 0 ? gap : 1))
            let whole = taps * depth
            let numbers = numbers(
                (lines - 1) * aRow + (pixels - 1) * aPixel + (taps - 1) * tapStride + depth, columns * whole, columns,
                residual: residual.map { (lines - 1) * moreRow + (pixels - 1) * morePixel + $0 } ?? 0, edge)
            compare(
                numbers, (lines - 1) * outRow + (pixels - 1) * outPixel + columns, whole + 2, upper, edge,
                [lines, pixels, taps, depth, columns, residual ?? -1, gap]
            ) { table, numbers, out, upper in
                let kernels = table.convolution
                let (weights, bias, slope) = (numbers.weights.floats, numbers.bias.floats, numbers.slope.floats)
                let packed = packed(kernels.packConvolution(nil, nil, nil, columns, whole, nil), edge) {
                    kernels.packConvolution(weights, bias, slope, columns, whole, $0)
                }
                kernels.convolve(
                    numbers.input.floats, aRow, aPixel, lines, pixels, taps, tapStride, depth, columns, packed.base,
                    residual == nil ? nil : UnsafePointer(numbers.residual.floats), moreRow, morePixel, residual ?? 0,
                    upper, out.floats, outRow, outPixel)
            }
        }
    }

    mutating func depthwise() {
        for (size, stride) in [(3, 1), (3, 2), (5, 1), (5, 2)] {
            for pixels in 1...17 { depthwise(size, stride, pixels % 3 + 1, pixels, pixels % 2 == 0 ? 8 : 24) }
            depthwise(size, stride, 2, 28, 40)
        }
    }

    private mutating func depthwise(_ size: Int, _ stride: Int, _ lines: Int, _ pixels: Int, _ channels: Int) {
        for upper in [Float.infinity, 6, 0.5] {
            let edge = nextEdge()
            let width = ((pixels - 1) * stride + size) * channels
            let (inRow, outPixel) = (width + 6, channels + 3)
            let outRow = pixels * outPixel + 2
            let numbers = numbers(
                ((lines - 1) * stride + size - 1) * inRow + width, size * size * channels, channels, edge)
            compare(
                numbers, (lines - 1) * outRow + (pixels - 1) * outPixel + channels, size * size + 1, upper, edge,
                [size, stride, lines, pixels, channels]
            ) { table, numbers, out, upper in
                let kernels = table.convolution
                let (weights, bias, slope) = (numbers.weights.floats, numbers.bias.floats, numbers.slope.floats)
                let packed = packed(kernels.packDepthwise(nil, nil, nil, channels, size, nil), edge) {
                    kernels.packDepthwise(weights, bias, slope, channels, size, $0)
                }
                kernels.depthwise(
                    numbers.input.floats, inRow, size, stride, lines, pixels, channels, packed.base, upper, out.floats,
                    outRow, outPixel)
            }
        }
    }

    mutating func floatStem() {
        for padding in [0, 16, 19] {
            let edge = nextEdge()
            let stride = 112 * 16 + padding
            let frame = bytes(224 * 224, edge)
            let numbers = numbers(0, 9 * 16, 16, edge)
            compare(numbers, 111 * stride + 112 * 16, 10, 6, edge, [padding]) { table, numbers, out, _ in
                table.float.stem(frame.bytes, numbers.weights.floats, numbers.bias.floats, out.floats, stride)
            }
        }
    }

    mutating func floatDepthwise3x3() {
        for stride in [1, 2] {
            for channels in [16, 32, 48, 128] {
                for (rows, width) in [(1, 1), (1, 2), (2, 3), (1, 4), (3, 5), (2, 7), (1, 14), (2, 28), (2, 57)] {
                    let edge = nextEdge()
                    let pixels = stride * (width - 1) + 3
                    let (inStride, outStride) = (pixels * channels + 3, width * channels + 5)
                    let numbers = numbers(
                        (stride * (rows - 1) + 2) * inStride + pixels * channels, 9 * channels, channels, edge)
                    compare(
                        numbers, (rows - 1) * outStride + width * channels, 10, 6, edge,
                        [stride, channels, rows, width]
                    ) { table, numbers, out, _ in
                        table.float.depthwise3x3(
                            numbers.input.floats, inStride, stride, rows, width, channels, numbers.weights.floats,
                            numbers.bias.floats, out.floats, outStride)
                    }
                }
            }
        }
    }

    mutating func floatDepthwise7x7() {
        for channels in [64, 128, 256] {
            let edge = nextEdge()
            let numbers = numbers(49 * channels, 49 * channels, channels, edge)
            compare(numbers, channels, 50, 6, edge, [channels]) { table, numbers, out, _ in
                table.float.depthwise7x7(
                    numbers.input.floats, channels, numbers.weights.floats, numbers.bias.floats, out.floats)
            }
        }
    }

    mutating func floatBias() {
        for (rows, columns) in [(1, 16), (1, 160), (3, 48), (7, 128)] {
            let edge = nextEdge()
            let numbers = numbers(rows * columns, columns, columns, edge)
            compare(numbers, rows * columns, 1, 6, edge, [rows, columns]) { table, numbers, out, _ in
                table.float.biasReLU6(numbers.input.floats, rows, columns, numbers.weights.floats, out.floats)
            }
        }
    }

    /// The portable tier has no such product; its convolution over one row is the same.
    mutating func floatGEMM() {
        for (rows, taps, depth, columns) in [
            (1, 1, 16, 32), (7, 1, 16, 32), (15, 1, 64, 64), (56, 1, 32, 32), (1, 3, 128, 160), (3, 3, 20, 96),
        ] {
            let edge = nextEdge()
            let (aStride, tapStride, outStride) = (depth + 5, 2 * depth + 3, columns + 7)
            let whole = taps * depth
            let numbers = numbers(
                (rows - 1) * aStride + (taps - 1) * tapStride + depth, columns * whole, columns, edge)
            for n in 0..<columns { numbers.slope.floats[n] = 0 }
            compare(
                numbers, (rows - 1) * outStride + columns, whole + 1, 6, edge, [rows, taps, depth, columns]
            ) { table, numbers, out, upper in
                let (weights, bias, slope) = (numbers.weights.floats, numbers.bias.floats, numbers.slope.floats)
                guard let matrix = table.float.matrix else {
                    let kernels = table.convolution
                    let packed = packed(kernels.packConvolution(nil, nil, nil, columns, whole, nil), edge) {
                        kernels.packConvolution(weights, bias, slope, columns, whole, $0)
                    }
                    kernels.convolve(
                        numbers.input.floats, 0, aStride, 1, rows, taps, tapStride, depth, columns, packed.base, nil, 0,
                        0, 0, upper, out.floats, 0, outStride)
                    return
                }
                let packed = packed(matrix.pack(nil, nil, columns, whole, nil), edge) {
                    matrix.pack(weights, bias, columns, whole, $0)
                }
                matrix.multiply(
                    numbers.input.floats, aStride, rows, taps, tapStride, depth, columns, packed.base, out.floats,
                    outStride)
            }
        }
    }
}
