import KernelInterface
import Kernels
import TestSupport
import Testing
import Vocabulary

/// Every tier's float convolutions against sums in double precision, between guard bytes.
@Suite struct FloatKernelTests {
    private static let tiers = KernelRegistry.available.map(\.tier)

    private static func kernels(_ tier: String) throws -> FloatKernels {
        try #require(KernelRegistry.available.first { $0.tier == tier }).float
    }

    private static func random(
        _ count: Int, _ range: ClosedRange<Float>, _ generator: inout SplitMix64
    ) -> [Float] {
        (0..<count).map { _ in Float.random(in: range, using: &generator) }
    }

    /// A sum with the largest error that adding its terms in float32, in any order, may make.
    private struct Sum {
        private(set) var value: Double
        private var magnitude: Double
        private var terms = 1.0

        init(_ bias: Float) {
            value = Double(bias)
            magnitude = abs(Double(bias))
        }

        mutating func add(_ a: Double, _ b: Float) {
            value += a * Double(b)
            magnitude += abs(a * Double(b))
            terms += 1
        }

        /// Each term is rounded at most once for every addition, and once or twice on its own (Higham 2002, 3.1).
        func agrees(with result: Float) -> Bool {
            abs(Double(result) - min(max(value, 0), 6)) <= (terms + 2) * magnitude * 0x1p-24
        }

        var isBelow: Bool { value < 0 }
        var isAbove: Bool { value > 6 }
    }

    /// The first disagreement, and whether both ends of the clamp and the middle were seen.
    private struct Verdict {
        var mismatch: Int?
        private var below = false
        private var inside = false
        private var above = false

        mutating func see(_ sum: Sum, _ result: Float, at index: Int) {
            if !sum.agrees(with: result) { mismatch = mismatch ?? index }
            if sum.isBelow { below = true } else if sum.isAbove { above = true } else { inside = true }
        }

        var isTelling: Bool { below && inside && above }
    }

    /// The float whose bytes are all guard bytes: what a kernel leaves where it has nothing to write.
    private static let untouched: UInt32 = 0x8888_8888

    @Test(arguments: tiers, [0, 16, 19])
    func stem(tier: String, padding: Int) throws {
        let kernels = try Self.kernels(tier)
        var generator = SplitMix64(seed: 21)
        let frame = (0..<224 * 224).map { _ in UInt8.random(in: 0...255, using: &generator) }
        let weights = Self.random(9 * 16, -4...4, &generator)
        let bias = Self.random(16, -1...4, &generator)
        let stride = 112 * 16 + padding
        let input = GuardedBuffer(frame, misalignment: 1)
        let output = GuardedBuffer<Float>(count: 112 * stride, misalignment: 4)
        unsafe kernels.stem(input.base, weights, bias, output.base, stride)
        let result = output.values
        var verdict = Verdict()
        for y in 0..<112 {
            for index in 0..<112 * 16 {
                let (x, o) = (index / 16, index % 16)
                var sum = Sum(bias[o])
                for tap in 0..<9 {
                    let (row, column) = (2 * y + tap / 3 - 1, 2 * x + tap % 3 - 1)
                    guard row >= 0, column >= 0 else { continue }
                    sum.add(Double(frame[row * 224 + column]) / 255, weights[tap * 16 + o])
                }
                verdict.see(sum, result[y * stride + index], at: y * stride + index)
            }
            for index in 112 * 16..<stride where result[y * stride + index].bitPattern != Self.untouched {
                verdict.mismatch = verdict.mismatch ?? y * stride + index
            }
        }
        #expect(verdict.mismatch == nil)
        #expect(verdict.isTelling)
        #expect(output.isIntact)
    }

    @Test(arguments: tiers, [1, 2])
    func depthwise3x3(tier: String, stride: Int) throws {
        let kernels = try Self.kernels(tier)
        var generator = SplitMix64(seed: 22)
        for channels in [16, 32, 48, 64, 128] {
            for (rows, width) in [(1, 1), (1, 2), (2, 3), (1, 4), (3, 5), (2, 7), (1, 14), (2, 28), (2, 57)] {
                let pixels = stride * (width - 1) + 3
                let inStride = pixels * channels + 3
                let outStride = width * channels + 5
                // The last row ends where its pixels end, and nothing is written behind the last output.
                let values = Self.random((stride * (rows - 1) + 2) * inStride + pixels * channels, -2...6, &generator)
                let weights = Self.random(9 * channels, -1...1, &generator)
                let bias = Self.random(channels, -3...8, &generator)
                let input = GuardedBuffer(values, misalignment: 4)
                let output = GuardedBuffer<Float>(count: (rows - 1) * outStride + width * channels, misalignment: 4)
                unsafe kernels.depthwise3x3(
                    input.base, inStride, stride, rows, width, channels, weights, bias, output.base, outStride)
                let result = output.values
                var verdict = Verdict()
                for index in result.indices {
                    let (y, place) = (index / outStride, index % outStride)
                    guard place < width * channels else {
                        if result[index].bitPattern != Self.untouched { verdict.mismatch = verdict.mismatch ?? index }
                        continue
                    }
                    let (x, channel) = (place / channels, place % channels)
                    var sum = Sum(bias[channel])
                    for tap in 0..<9 {
                        let pixel = stride * x + tap % 3
                        let at = (stride * y + tap / 3) * inStride + pixel * channels + channel
                        sum.add(Double(values[at]), weights[tap * channels + channel])
                    }
                    verdict.see(sum, result[index], at: index)
                }
                #expect(verdict.mismatch == nil, "channels \(channels) rows \(rows) width \(width)")
                #expect(verdict.isTelling || width * rows < 7)
                #expect(output.isIntact)
            }
        }
    }

    @Test(arguments: tiers, [64, 128, 256])
    func depthwise7x7(tier: String, channels: Int) throws {
        let kernels = try Self.kernels(tier)
        var generator = SplitMix64(seed: 23)
        let values = Self.random(49 * channels, 0...6, &generator)
        let weights = Self.random(49 * channels, -0.5...0.5, &generator)
        let bias = Self.random(channels, -3...8, &generator)
        let input = GuardedBuffer(values, misalignment: 4)
        let output = GuardedBuffer<Float>(count: channels, misalignment: 4)
        unsafe kernels.depthwise7x7(input.base, channels, weights, bias, output.base)
        var verdict = Verdict()
        for c in 0..<channels {
            var sum = Sum(bias[c])
            for p in 0..<49 { sum.add(Double(values[p * channels + c]), weights[p * channels + c]) }
            verdict.see(sum, output.values[c], at: c)
        }
        #expect(verdict.mismatch == nil)
        #expect(verdict.isTelling)
        #expect(output.isIntact)
    }

    /// One addition: exact. In place and out of place.
    @Test(arguments: tiers, [(1, 16), (1, 160), (3, 48), (7, 128)])
    func biasReLU6(tier: String, shape: (rows: Int, columns: Int)) throws {
        let kernels = try Self.kernels(tier)
        var generator = SplitMix64(seed: 24)
        let values = Self.random(shape.rows * shape.columns, -4...8, &generator)
        let bias = Self.random(shape.columns, -2...2, &generator)
        let expected = values.indices.map { min(max(values[$0] + bias[$0 % shape.columns], 0), 6) }
        let input = GuardedBuffer(values, misalignment: 4)
        let output = GuardedBuffer<Float>(count: values.count, misalignment: 8)
        unsafe kernels.biasReLU6(input.base, shape.rows, shape.columns, bias, output.base)
        #expect(output.values == expected)
        #expect(input.values == values)
        unsafe kernels.biasReLU6(input.base, shape.rows, shape.columns, bias, input.base)
        #expect(input.values == expected)
        #expect(output.isIntact && input.isIntact)
    }
}
