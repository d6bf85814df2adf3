import KernelInterface

// The int8 kernels of network graphs.
extension Sweeps {
    private typealias GraphComparison = Comparison<QuantisedConvolutionKernels>

    private static let slack = 64

    /// Rows of numbers as `rounding` states them. They take turns.
    private static let roundings: [(zero: Int32, lower: Int32, upper: Int32, residualZero: Int32, residual: Float)] = [
        (0, 0, 255, 0, 0.5), (255, 0, 255, 255, 1.9), (131, 0, 255, 97, 0.734), (7, 7, 201, 0, 0.031),
        (128, 128, 250, 255, 300),
    ]

    private func rounding(_ slopes: Bool) -> Buffer {
        let values = Self.roundings[turn % Self.roundings.count]
        let buffer = Buffer(24, .after)
        buffer.base.storeBytes(of: values.zero, as: Int32.self)
        buffer.base.storeBytes(of: values.lower, toByteOffset: 4, as: Int32.self)
        buffer.base.storeBytes(of: values.upper, toByteOffset: 8, as: Int32.self)
        buffer.base.storeBytes(of: values.residualZero, toByteOffset: 12, as: Int32.self)
        buffer.base.storeBytes(of: values.residual, toByteOffset: 16, as: Float.self)
        buffer.base.storeBytes(of: slopes ? 1 : 0, toByteOffset: 20, as: Int32.self)
        return buffer
    }

    private mutating func slopes(_ count: Int) -> [Float] {
        var slopes = [Float](repeating: 0, count: count)
        for n in 0..<count { slopes[n] = Float(generator.below(2001) - 1000) / 500 }
        return slopes
    }

    private func pack(
        _ pack: QuantisedConvolutionKernels.PackConvolution, _ parameters: Parameters, _ size: Int, _ slopes: [Float],
        _ memory: UnsafeMutableRawPointer?
    ) -> Int {
        guard let memory else { return pack(nil, nil, nil, nil, parameters.channels, size, nil) }
        return pack(
            parameters.weights, parameters.bias, parameters.multiplier, slopes, parameters.channels, size, memory)
    }

    mutating func graphConvolution() {
        var comparison = Comparison("graph convolution", graphTables, sabotage: sabotage)
        for depth in [4, 8, 12, 16, 24, 48, 96, 160] {
            for taps in [1, 3] {
                for channels in [16, 32, 48, 112] {
                    for pixels in [1, 2, 3, 4, 5, 6, 7, 8, 9, 14]
                    where pixels < 5 || pixels * taps * depth * channels < 150_000 {
                        convolution(depth, taps, channels, pixels, in: &comparison)
                    }
                }
            }
        }
        for channels in stride(from: 64, through: 96, by: 16) { convolution(20, 3, channels, 7, in: &comparison) }
        // Of the networks of hands.
        for (depth, taps, channels, pixels) in [
            (12, 3, 32, 112), (16, 5, 32, 96), (24, 1, 16, 112), (64, 1, 16, 56), (144, 1, 32, 28), (32, 1, 64, 48),
            (256, 1, 128, 24), (256, 1, 256, 12), (384, 1, 64, 14), (112, 1, 672, 7), (672, 1, 112, 7),
        ] {
            convolution(depth, taps, channels, pixels, in: &comparison)
        }
        finish(comparison)
    }

    private mutating func convolution(
        _ depth: Int, _ taps: Int, _ channels: Int, _ pixels: Int, in comparison: inout GraphComparison
    ) {
        let (fill, edge) = next()
        let lines = 1 + turn % 3
        let parameters = Parameters(fill, channels: channels, depth: taps * depth, &generator)
        // A pixel of three taps may step by less than a tap's depth.
        let aPixel = taps == 1 ? depth + [0, 4, 16][turn % 3] : max(4, depth / 3 / 4 * 4)
        let tapStride = (pixels - 1) * aPixel + depth + [0, 3][turn % 2]
        let aRow = tapStride
        let a = codes((lines + taps - 2) * tapStride + (pixels - 1) * aPixel + depth + Self.slack, fill, edge)
        let residualColumns = turn % 3 == 0 ? 0 : (turn % 3 == 1 ? channels : channels / 32 * 16)
        let residualPixel = channels + [0, 16][turn % 2]
        let residual = codes(lines * pixels * residualPixel, .random, edge)
        let rounding = rounding(turn % 2 == 0)
        let outPixel = channels + [0, 16, 5][turn % 3]
        let outRow = pixels * outPixel + [0, 7][turn % 2]
        let batch = QuantisedConvolutionKernels.Batch(
            taps: taps, pixel: aPixel, depth: depth, height: lines, width: pixels)
        let working = Buffer(batch.byteCount, .before)
        let slopes = slopes(parameters.channels)
        comparison.run(
            parameters, outBytes: (lines - 1) * outRow + (pixels - 1) * outPixel + channels, edge: edge,
            shape: [depth, taps, channels, pixels, lines, residualColumns, fill.rawValue],
            pack: { pack($0.packConvolution, $1, $1.depth, slopes, $2) }
        ) { kernels, packed, out in
            kernels.convolve(
                a.bytes, aRow, aPixel, lines, pixels, taps, tapStride, depth, channels, packed,
                residualColumns > 0 ? UnsafePointer(residual.bytes) : nil, pixels * residualPixel, residualPixel,
                residualColumns, rounding.base, out.assumingMemoryBound(to: UInt8.self), outRow, outPixel,
                batch.height, batch.width, working.base)
        }
    }

    mutating func graphConvolutionToFloat() {
        var comparison = Comparison("graph convolution to floats", graphTables, sabotage: sabotage)
        for depth in [4, 12, 16, 24, 96] {
            for taps in [1, 3] {
                for columns in [1, 4, 6, 11, 16, 17, 31, 48] {
                    for pixels in [1, 3, 4, 7] { convolutionToFloat(depth, taps, columns, pixels, in: &comparison) }
                }
            }
        }
        finish(comparison)
    }

    private mutating func convolutionToFloat(
        _ depth: Int, _ taps: Int, _ columns: Int, _ pixels: Int, in comparison: inout GraphComparison
    ) {
        let (fill, edge) = next()
        let lines = 1 + turn % 2
        let parameters = Parameters(fill, channels: columns, depth: taps * depth, &generator)
        let tapStride = pixels * depth
        let a = codes((lines + taps - 1) * tapStride + Self.slack, fill, edge)
        let upper: Float = [.infinity, 6, 0.25][turn % 3]
        let (outPixel, outRow) = (columns + turn % 3, pixels * (columns + 2) + 1)
        let batch = QuantisedConvolutionKernels.Batch(
            taps: taps, pixel: depth, depth: depth, height: lines, width: pixels)
        let working = Buffer(batch.byteCount, .before)
        let slopes = slopes(parameters.channels)
        comparison.run(
            parameters,
            outBytes: 4 * ((lines - 1) * outRow + (pixels - 1) * outPixel + columns), edge: edge,
            shape: [depth, taps, columns, pixels, lines, fill.rawValue],
            pack: { pack($0.packConvolution, $1, $1.depth, slopes, $2) }
        ) { kernels, packed, out in
            kernels.convolveToFloat(
                a.bytes, tapStride, depth, lines, pixels, taps, tapStride, depth, columns, packed, upper,
                out.assumingMemoryBound(to: Float.self), outRow, outPixel, batch.height, batch.width, working.base)
        }
    }

    mutating func graphDepthwise() {
        var comparison = Comparison("graph depthwise", graphTables, sabotage: sabotage)
        for size in [3, 5] {
            for step in [1, 2] {
                for channels in [16, 32, 48, 112, 128] {
                    for pixels in [1, 2, 3, 4, 5, 7, 8, 14] { depthwise(size, step, channels, pixels, in: &comparison) }
                }
            }
        }
        // Of the networks of hands, and wider.
        for (size, step, channels, pixels) in [
            (5, 2, 32, 112), (3, 2, 64, 56), (5, 1, 96, 56), (3, 1, 144, 28), (5, 1, 384, 14), (5, 1, 672, 7),
            (5, 1, 32, 96),
            (5, 1, 256, 12), (3, 1, 16, 230), (3, 2, 32, 115), (5, 2, 16, 57),
        ] {
            depthwise(size, step, channels, pixels, in: &comparison)
        }
        finish(comparison)
    }

    private mutating func depthwise(
        _ size: Int, _ step: Int, _ channels: Int, _ pixels: Int, in comparison: inout GraphComparison
    ) {
        let (fill, edge) = next()
        let lines = 1 + turn % 4
        let parameters = Parameters(fill, channels: channels, depth: size * size, &generator)
        let rowBytes = (step * (pixels - 1) + size) * channels
        let inRow = rowBytes + [0, 5, 16][turn % 3]
        let input = codes((step * (lines - 1) + size - 1) * inRow + rowBytes + Self.slack, fill, edge)
        let rounding = rounding(turn % 2 == 0)
        let outRow = pixels * channels + [0, 9][turn % 2]
        let slopes = slopes(parameters.channels)
        comparison.run(
            parameters, outBytes: (lines - 1) * outRow + pixels * channels, edge: edge,
            shape: [size, step, channels, pixels, lines, fill.rawValue],
            pack: { pack($0.packDepthwise, $1, size, slopes, $2) }
        ) { kernels, packed, out in
            kernels.depthwise(
                input.bytes, inRow, size, step, lines, pixels, channels, packed, rounding.base,
                out.assumingMemoryBound(to: UInt8.self), outRow)
        }
    }

    /// Bounds of sums and of results, on both sides of where kernels round in another way.
    private static let bounds: [(sum: Int, value: Float)] = {
        var bounds: [(sum: Int, value: Float)] = []
        for sum in [0, 4_194_303, 4_194_304, -4_194_303, -4_194_304, 8_388_608, -8_388_609, 16_777_217] {
            for value: Float in [0.4, 300, 14_900, 29_900, 30_100, 32_700, 1_000_000] { bounds.append((sum, value)) }
        }
        return bounds
    }()

    mutating func graphRoundingOfConvolution() {
        var comparison = Comparison("graph convolution, bounds of rounding", graphTables, sabotage: sabotage)
        for (index, bounds) in Self.bounds.enumerated() {
            for _ in 0..<6 {
                for fill in [Fill.random, .allHigh, .highLow] {
                    turn += 1
                    let parameters = Parameters(
                        fill, channels: 32, depth: 8, sum: bounds.sum, value: bounds.value, &generator)
                    let a = codes(5 * 8 + Self.slack, fill, .after)
                    let residual = codes(5 * 32, .random, .after)
                    let residualColumns = turn % 4 == 0 ? 16 : (turn % 4 == 1 ? 32 : 0)
                    let rounding = rounding(turn % 7 < 2)
                    let batch = QuantisedConvolutionKernels.Batch(taps: 1, pixel: 8, depth: 8, height: 1, width: 5)
                    let working = Buffer(batch.byteCount, .before)
                    let slopes = slopes(parameters.channels)
                    comparison.run(
                        parameters, outBytes: 5 * 32, edge: .after,
                        shape: [index, fill.rawValue, turn, residualColumns],
                        pack: { pack($0.packConvolution, $1, $1.depth, slopes, $2) }
                    ) { kernels, packed, out in
                        kernels.convolve(
                            a.bytes, 40, 8, 1, 5, 1, 0, 8, 32, packed,
                            residualColumns > 0 ? UnsafePointer(residual.bytes) : nil, 160, 32, residualColumns,
                            rounding.base, out.assumingMemoryBound(to: UInt8.self), 160, 32, batch.height, batch.width,
                            working.base)
                    }
                }
            }
        }
        finish(comparison)
    }

    mutating func graphRoundingOfDepthwise() {
        var comparison = Comparison("graph depthwise, bounds of rounding", graphTables, sabotage: sabotage)
        for (index, bounds) in Self.bounds.enumerated() {
            for size in [3, 5] {
                for fill in [Fill.random, .allHigh, .highLow] {
                    for hasSlopes in [false, true] {
                        turn += 1
                        let parameters = Parameters(
                            fill, channels: 32, depth: size * size, sum: bounds.sum, value: bounds.value, &generator)
                        let inRow = (3 + size) * 32
                        let input = codes((size + 1) * inRow + Self.slack, fill, .after)
                        let rounding = rounding(hasSlopes)
                        let slopes = slopes(parameters.channels)
                        comparison.run(
                            parameters, outBytes: 2 * 4 * 32, edge: .after,
                            shape: [size, index, fill.rawValue, turn],
                            pack: { pack($0.packDepthwise, $1, size, slopes, $2) }
                        ) { kernels, packed, out in
                            kernels.depthwise(
                                input.bytes, inRow, size, 1, 2, 4, 32, packed, rounding.base,
                                out.assumingMemoryBound(to: UInt8.self), 4 * 32)
                        }
                    }
                }
            }
        }
        finish(comparison)
    }
}
