import KernelInterface
import Kernels
import TestSupport
import Testing
import Vocabulary

/// Every tier's int8 kernels of network graphs against the stated steps, bit by bit, between guard bytes.
@Suite struct QuantisedConvolutionKernelTests {
    private static let tiers = KernelRegistry.available.map(\.tier)

    private static func kernels(_ tier: String) throws -> QuantisedConvolutionKernels {
        try #require(KernelRegistry.available.first { $0.tier == tier }).quantisedConvolution
    }

    /// What is the same for all columns, as kernels read it.
    struct Rounding: Sendable {
        var zero: Int32 = 0
        var lower: Int32 = 0
        var upper: Int32 = 255
        var residualZero: Int32 = 0
        var residualMultiplier: Float = 0
        var hasSlopes = false

        var words: [Int32] {
            [
                zero, lower, upper, residualZero, Int32(bitPattern: residualMultiplier.bitPattern),
                hasSlopes ? 1 : 0,
            ]
        }

        func output(_ sum: Int32, _ multiplier: Float, _ slope: Float, residual: UInt8?) -> UInt8 {
            var v = Float(sum) * multiplier
            if let residual { v += Float(Int32(residual) - residualZero) * residualMultiplier }
            if hasSlopes, v < 0 { v *= slope }
            let rounded = Int32(min(max(v.rounded(.toNearestOrEven), -32_768), 32_767))
            return UInt8(min(max(rounded + zero, lower), upper))
        }
    }

    static let roundings: [Rounding] = [
        Rounding(), Rounding(zero: 131), Rounding(zero: 7, lower: 7, upper: 201),
        Rounding(zero: 120, residualZero: 97, residualMultiplier: 0.734, hasSlopes: true),
        Rounding(zero: 255, residualZero: 255, residualMultiplier: 1.9),
    ]

    /// Weights reach both ends of their range, inputs too; sums hover about the range of values and leave it.
    private struct Parameters {
        let weights: [Int8]
        let bias: [Int32]
        let multiplier, slope: [Float]

        init(_ channels: Int, _ depth: Int, _ generator: inout SplitMix64) {
            weights = (0..<channels * depth).map { index in
                index.isMultiple(of: 7)
                    ? (Bool.random(using: &generator) ? 127 : -127)
                    : Int8.random(in: -127...127, using: &generator)
            }
            bias = (0..<channels).map { _ in Int32.random(in: -40_000...40_000, using: &generator) }
            let scale = Float(depth).squareRoot()
            multiplier = (0..<channels).map { _ in Float.random(in: 0.001...0.02, using: &generator) / scale }
            slope = (0..<channels).map { [0, 1, Float.random(in: -1...1, using: &generator)][$0 % 3] }
        }
    }

    private static func values(_ count: Int, _ generator: inout SplitMix64) -> [UInt8] {
        (0..<count).map { _ in
            let value = UInt8.random(in: 0...255, using: &generator)
            return value < 24 ? 0 : (value > 231 ? 255 : value)
        }
    }

    struct Product: Sendable, CustomTestStringConvertible {
        var lines = 1
        var pixels: Int
        var taps = 1
        var depth: Int
        var columns: Int
        /// Columns with a residual; nil is none at all.
        var residual: Int?
        var testDescription: String {
            "\(lines)x\(pixels) taps \(taps) depth \(depth) columns \(columns) \(residual ?? -1)"
        }
    }

    /// Every remainder of pixels and every cut of columns, several taps, residuals of all columns, of some and of none.
    static let products: [Product] =
        (1...17).map { Product(pixels: $0, depth: 8, columns: 32, residual: $0.isMultiple(of: 2) ? 32 : nil) }
        + [16, 32, 48, 64, 80, 96, 112, 128, 144].map {
            Product(lines: 2, pixels: 7, depth: 12, columns: $0, residual: $0.isMultiple(of: 32) ? $0 : nil)
        }
        + [
            Product(lines: 4, pixels: 14, taps: 3, depth: 12, columns: 32),
            Product(lines: 2, pixels: 11, taps: 5, depth: 16, columns: 48, residual: 16),
            Product(lines: 2, pixels: 12, depth: 32, columns: 64, residual: 32),
            Product(pixels: 1, depth: 672, columns: 64), Product(lines: 7, pixels: 7, depth: 112, columns: 672),
        ]

    @Test(arguments: tiers, products)
    func convolve(tier: String, shape: Product) throws {
        let kernels = try Self.kernels(tier)
        var generator = SplitMix64(seed: UInt64(shape.pixels * 1000 + shape.columns))
        let (lines, pixels, taps, depth, columns) = (shape.lines, shape.pixels, shape.taps, shape.depth, shape.columns)
        let whole = taps * depth
        let parameters = Parameters(columns, whole, &generator)
        let packed = try unsafe Self.packed(kernels.packConvolution, parameters, columns, whole)

        let (aPixel, tapStride) = (depth + 3, pixels * (depth + 3) + 2)
        let aRow = tapStride + 1
        let input = GuardedBuffer(
            Self.values((lines - 1) * aRow + (pixels - 1) * aPixel + (taps - 1) * tapStride + depth, &generator),
            misalignment: 1)
        let (outPixel, morePixel) = (columns + 5, columns + 2)
        let (outRow, moreLine) = (pixels * outPixel + 3, pixels * morePixel + 1)
        let more = shape.residual.map {
            GuardedBuffer(
                Self.values((lines - 1) * moreLine + (pixels - 1) * morePixel + $0, &generator), misalignment: 3)
        }
        let (a, r) = (input.values, more?.values ?? [])
        let sums = Self.sums(parameters, whole, columns, lines * pixels) { m, k in
            a[m / pixels * aRow + m % pixels * aPixel + k / depth * tapStride + k % depth]
        }
        let batch = QuantisedConvolutionKernels.Batch(
            taps: taps, pixel: aPixel, depth: depth, height: lines, width: pixels)
        let working = GuardedBuffer<UInt8>(count: batch.byteCount)
        for rounding in Self.roundings {
            let words = GuardedBuffer(rounding.words)
            let output = GuardedBuffer<UInt8>(
                count: (lines - 1) * outRow + (pixels - 1) * outPixel + columns, misalignment: 5)
            unsafe kernels.convolve(
                input.base, aRow, aPixel, lines, pixels, taps, tapStride, depth, columns, packed.base, more?.base,
                moreLine, morePixel, shape.residual ?? 0, words.base, output.base, outRow, outPixel, batch.height,
                batch.width, working.base)
            var expected = [UInt8](repeating: 0x88, count: output.count)
            for m in 0..<lines * pixels {
                let (y, x) = (m / pixels, m % pixels)
                for n in 0..<columns {
                    let residual = n < shape.residual ?? 0 ? r[y * moreLine + x * morePixel + n] : nil
                    expected[y * outRow + x * outPixel + n] = rounding.output(
                        sums[m * columns + n], parameters.multiplier[n], parameters.slope[n], residual: residual)
                }
            }
            #expect(output.values == expected, "\(rounding)")
            #expect(output.isIntact && input.isIntact && words.isIntact && working.isIntact)
        }
    }

    @Test(arguments: tiers, [1, 2, 6, 15, 16, 18, 36, 63, 108])
    func convolveToFloat(tier: String, columns: Int) throws {
        let kernels = try Self.kernels(tier)
        var generator = SplitMix64(seed: UInt64(columns))
        for (lines, pixels, taps, depth) in [(1, 1, 1, 8), (2, 7, 1, 32), (3, 5, 3, 12)] {
            let whole = taps * depth
            let parameters = Parameters(columns, whole, &generator)
            let packed = try unsafe Self.packed(kernels.packConvolution, parameters, columns, whole)
            let (aRow, aPixel) = (pixels * depth + 40, depth)
            let input = GuardedBuffer(Self.values((lines - 1) * aRow + taps * aRow, &generator), misalignment: 1)
            let (outRow, outPixel) = (pixels * (columns + 1) + 2, columns + 1)
            let a = input.values
            let sums = Self.sums(parameters, whole, columns, lines * pixels) { m, k in
                a[m / pixels * aRow + m % pixels * aPixel + k / depth * aRow + k % depth]
            }
            let batch = QuantisedConvolutionKernels.Batch(
                taps: taps, pixel: aPixel, depth: depth, height: lines, width: pixels)
            let working = GuardedBuffer<UInt8>(count: batch.byteCount)
            for upper in [Float.infinity, 6] {
                let output = GuardedBuffer<Float>(
                    count: (lines - 1) * outRow + (pixels - 1) * outPixel + columns, misalignment: 4)
                unsafe kernels.convolveToFloat(
                    input.base, aRow, aPixel, lines, pixels, taps, aRow, depth, columns, packed.base, upper,
                    output.base, outRow, outPixel, batch.height, batch.width, working.base)
                var expected = [UInt32](repeating: 0x8888_8888, count: output.count)
                for m in 0..<lines * pixels {
                    for n in 0..<columns {
                        var v = Float(sums[m * columns + n]) * parameters.multiplier[n]
                        if v < 0 { v *= parameters.slope[n] }
                        expected[m / pixels * outRow + m % pixels * outPixel + n] = min(v, upper).bitPattern
                    }
                }
                #expect(output.values.map(\.bitPattern) == expected, "\(lines)x\(pixels)x\(depth) \(upper)")
                #expect(output.isIntact && input.isIntact && working.isIntact)
            }
        }
    }

    @Test(arguments: tiers, [(3, 1), (3, 2), (5, 1), (5, 2)])
    func depthwise(tier: String, shape: (size: Int, stride: Int)) throws {
        let (size, stride) = shape
        let kernels = try Self.kernels(tier)
        var generator = SplitMix64(seed: UInt64(size * 10 + stride))
        for (lines, pixels, channels) in [
            (1, 1, 16), (2, 2, 32), (1, 3, 48), (3, 4, 64), (2, 5, 96), (7, 7, 144), (2, 3, 288), (1, 2, 304),
            (1, 3, 672),
        ] {
            let taps = size * size
            let parameters = Parameters(channels, taps, &generator)
            let byteCount = kernels.packDepthwise(nil, nil, nil, nil, channels, size, nil)
            #expect(byteCount.isMultiple(of: 64))
            let packed = GuardedBuffer<UInt8>([UInt8](repeating: 0, count: byteCount))
            // Weights are one row a tap here.
            #expect(
                unsafe kernels.packDepthwise(
                    parameters.weights, parameters.bias, parameters.multiplier, parameters.slope, channels, size,
                    packed.base) == byteCount)
            #expect(packed.isIntact)
            let inRow = ((pixels - 1) * stride + size) * channels + 6
            let last = ((lines - 1) * stride + size - 1) * inRow + ((pixels - 1) * stride + size) * channels
            let input = GuardedBuffer(Self.values(last + 64, &generator), misalignment: 1)
            let outRow = pixels * channels + 2
            let a = input.values
            for rounding in Self.roundings {
                let words = GuardedBuffer(rounding.words)
                let output = GuardedBuffer<UInt8>(count: (lines - 1) * outRow + pixels * channels, misalignment: 5)
                unsafe kernels.depthwise(
                    input.base, inRow, size, stride, lines, pixels, channels, packed.base, words.base, output.base,
                    outRow)
                var expected = [UInt8](repeating: 0x88, count: output.count)
                for y in 0..<lines {
                    for x in 0..<pixels {
                        for c in 0..<channels {
                            var sum = parameters.bias[c]
                            for tap in 0..<taps {
                                let (row, column) = (stride * y + tap / size, stride * x + tap % size)
                                sum +=
                                    Int32(a[row * inRow + column * channels + c])
                                    * Int32(parameters.weights[tap * channels + c])
                            }
                            expected[y * outRow + x * channels + c] = rounding.output(
                                sum, parameters.multiplier[c], parameters.slope[c], residual: nil)
                        }
                    }
                }
                #expect(output.values == expected, "\(lines)x\(pixels)x\(channels) \(rounding)")
                #expect(output.isIntact && input.isIntact)
            }
        }
    }

    private static func packed(
        _ pack: QuantisedConvolutionKernels.PackConvolution, _ parameters: Parameters, _ columns: Int, _ depth: Int
    ) throws -> GuardedBuffer<UInt8> {
        let byteCount = pack(nil, nil, nil, nil, columns, depth, nil)
        try #require(byteCount.isMultiple(of: 64))
        let packed = GuardedBuffer<UInt8>([UInt8](repeating: 0, count: byteCount))
        #expect(
            unsafe pack(
                parameters.weights, parameters.bias, parameters.multiplier, parameters.slope, columns, depth,
                packed.base) == byteCount)
        #expect(packed.isIntact)
        return packed
    }

    /// `[rows][columns]` sums with the bias.
    private static func sums(
        _ parameters: Parameters, _ depth: Int, _ columns: Int, _ rows: Int, _ value: (Int, Int) -> UInt8
    ) -> [Int32] {
        var sums: [Int32] = []
        for row in 0..<rows {
            let values = (0..<depth).map { Int32(value(row, $0)) }
            for n in 0..<columns {
                var sum = parameters.bias[n]
                for k in 0..<depth { sum += values[k] * Int32(parameters.weights[n * depth + k]) }
                sums.append(sum)
            }
        }
        return sums
    }
}
