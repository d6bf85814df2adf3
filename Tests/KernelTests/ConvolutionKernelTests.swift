import KernelInterface
import Kernels
import TestSupport
import Testing
import Vocabulary

/// Every tier's kernels of network graphs against sums in double precision, between guard bytes.
@Suite struct ConvolutionKernelTests {
    private static let tiers = KernelRegistry.available.map(\.tier)
    private static let bounds: [Float] = [.infinity, 6, 0.5]

    private static func kernels(_ tier: String) throws -> ConvolutionKernels {
        try #require(KernelRegistry.available.first { $0.tier == tier }).convolution
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

    /// Every remainder of pixels and of columns, several taps, residuals of all columns, of some and of none.
    static let products: [Product] =
        (1...9).map { Product(pixels: $0, depth: 5, columns: 24, residual: $0.isMultiple(of: 2) ? 24 : nil) }
        + (1...33).map {
            Product(lines: 2, pixels: 7, depth: 3, columns: $0, residual: $0.isMultiple(of: 3) ? $0 : nil)
        }
        + [40, 48, 56, 63, 64, 72, 96, 108, 112, 128].map { Product(lines: 3, pixels: 6, depth: 16, columns: $0) }
        + [
            Product(lines: 4, pixels: 14, taps: 3, depth: 9, columns: 24),
            Product(lines: 2, pixels: 11, taps: 5, depth: 15, columns: 32, residual: 16),
            Product(lines: 2, pixels: 12, depth: 32, columns: 64, residual: 32),
            Product(pixels: 1, depth: 672, columns: 63), Product(lines: 7, pixels: 7, depth: 112, columns: 672),
        ]

    @Test(arguments: tiers, products)
    func convolve(tier: String, shape: Product) throws {
        let kernels = try Self.kernels(tier)
        var generator = SplitMix64(seed: UInt64(shape.pixels * 1000 + shape.columns))
        func random(_ count: Int, _ range: ClosedRange<Float> = -1...1) -> [Float] {
            (0..<count).map { _ in Float.random(in: range, using: &generator) }
        }
        let (lines, pixels, taps, depth, columns) = (shape.lines, shape.pixels, shape.taps, shape.depth, shape.columns)
        let whole = taps * depth
        let (weights, bias) = (random(columns * whole), random(columns, -2...6))
        let slope = random(columns).enumerated().map { [0, 1, $1][$0 % 3] }
        let byteCount = kernels.packConvolution(nil, nil, nil, columns, whole, nil)
        #expect(byteCount.isMultiple(of: 64))
        let packed = GuardedBuffer<UInt8>([UInt8](repeating: 0, count: byteCount))
        #expect(unsafe kernels.packConvolution(weights, bias, slope, columns, whole, packed.base) == byteCount)
        #expect(packed.isIntact)

        let (aPixel, tapStride) = (depth + 3, pixels * (depth + 3) + 2)
        let aRow = tapStride + 1
        let input = GuardedBuffer(
            random((lines - 1) * aRow + (pixels - 1) * aPixel + (taps - 1) * tapStride + depth), misalignment: 4)
        let (outPixel, morePixel) = (columns + 5, columns + 2)
        let (outRow, moreLine) = (pixels * outPixel + 3, pixels * morePixel + 1)
        // A residual ends where its last column with one does.
        let more = shape.residual.map {
            GuardedBuffer(random((lines - 1) * moreLine + (pixels - 1) * morePixel + $0), misalignment: 4)
        }
        let (a, r) = (input.values, more?.values ?? [])
        for upper in Self.bounds {
            let output = GuardedBuffer<Float>(
                count: (lines - 1) * outRow + (pixels - 1) * outPixel + columns, misalignment: 4)
            unsafe kernels.convolve(
                input.base, aRow, aPixel, lines, pixels, taps, tapStride, depth, columns, packed.base, more?.base,
                moreLine, morePixel, shape.residual ?? 0, upper, output.base, outRow, outPixel)
            let result = output.values
            var mismatch: [Int]?
            for y in 0..<lines {
                for x in 0..<pixels {
                    for n in 0..<columns {
                        var sum = Sum(bias[n])
                        for t in 0..<taps {
                            for k in 0..<depth {
                                sum.add(
                                    a[y * aRow + x * aPixel + t * tapStride + k], weights[n * whole + t * depth + k])
                            }
                        }
                        if n < shape.residual ?? 0 { sum.add(r[y * moreLine + x * morePixel + n], 1) }
                        if !sum.agrees(with: result[y * outRow + x * outPixel + n], upper, slope[n]) {
                            mismatch = mismatch ?? [y, x, n]
                        }
                    }
                }
            }
            #expect(mismatch == nil, "\(upper) at line, pixel, column")
            #expect(output.isIntact && input.isIntact)
            let written = Set(
                (0..<lines * pixels * columns).map { index in
                    index / (pixels * columns) * outRow + index / columns % pixels * outPixel + index % columns
                })
            #expect(result.indices.allSatisfy { written.contains($0) || result[$0].bitPattern == Self.untouched })
        }
    }

    @Test(arguments: tiers, [(3, 1), (3, 2), (5, 1), (5, 2)])
    func depthwise(tier: String, shape: (size: Int, stride: Int)) throws {
        let (size, stride) = shape
        let kernels = try Self.kernels(tier)
        var generator = SplitMix64(seed: UInt64(size * 10 + stride))
        func random(_ count: Int, _ range: ClosedRange<Float> = -1...1) -> [Float] {
            (0..<count).map { _ in Float.random(in: range, using: &generator) }
        }
        for (lines, pixels, channels) in [
            (1, 1, 8), (2, 2, 16), (1, 3, 8), (3, 4, 24), (2, 5, 8), (7, 7, 32), (2, 14, 40),
        ] {
            let (weights, bias, slope) = (random(size * size * channels), random(channels, -1...5), random(channels))
            let byteCount = kernels.packDepthwise(nil, nil, nil, channels, size, nil)
            #expect(byteCount.isMultiple(of: 64))
            let packed = GuardedBuffer<UInt8>([UInt8](repeating: 0, count: byteCount))
            #expect(unsafe kernels.packDepthwise(weights, bias, slope, channels, size, packed.base) == byteCount)
            #expect(packed.isIntact)
            let inRow = ((pixels - 1) * stride + size) * channels + 6
            let input = GuardedBuffer(
                random(((lines - 1) * stride + size - 1) * inRow + ((pixels - 1) * stride + size) * channels),
                misalignment: 4)
            let outPixel = channels + 3
            let outRow = pixels * outPixel + 2
            let a = input.values
            for upper in Self.bounds {
                let output = GuardedBuffer<Float>(
                    count: (lines - 1) * outRow + (pixels - 1) * outPixel + channels, misalignment: 4)
                unsafe kernels.depthwise(
                    input.base, inRow, size, stride, lines, pixels, channels, packed.base, upper,
                    output.base, outRow, outPixel)
                let result = output.values
                var mismatch: [Int]?
                for y in 0..<lines {
                    for x in 0..<pixels {
                        for c in 0..<channels {
                            var sum = Sum(bias[c])
                            for r in 0..<size {
                                for s in 0..<size {
                                    sum.add(
                                        a[(stride * y + r) * inRow + (stride * x + s) * channels + c],
                                        weights[(r * size + s) * channels + c])
                                }
                            }
                            if !sum.agrees(with: result[y * outRow + x * outPixel + c], upper, slope[c]) {
                                mismatch = mismatch ?? [y, x, c]
                            }
                        }
                    }
                }
                #expect(mismatch == nil, "\(lines)x\(pixels)x\(channels) \(upper) at line, pixel, channel")
                #expect(output.isIntact && input.isIntact)
            }
        }
    }

    /// The float whose bytes are all guard bytes.
    private static let untouched: UInt32 = 0x8888_8888
}

/// A sum with the largest error that adding its terms in float32, in any order, may make.
private struct Sum {
    private var value: Double
    private var magnitude: Double
    private var terms = 1.0

    init(_ bias: Float) {
        value = Double(bias)
        magnitude = abs(Double(bias))
    }

    mutating func add(_ a: Float, _ b: Float) {
        value += Double(a) * Double(b)
        magnitude += abs(Double(a) * Double(b))
        terms += 1
    }

    /// Each term is rounded at most once for every addition, and once or twice on its own (Higham 2002, 3.1); the activation
    /// rounds once more and stretches nothing, as slopes are within -1...1.
    func agrees(with result: Float, _ upper: Float, _ slope: Float) -> Bool {
        let expected = min(max(value, 0) + Double(slope) * min(value, 0), Double(upper))
        return abs(Double(result) - expected) <= (terms + 3) * magnitude * 0x1p-24
    }
}
