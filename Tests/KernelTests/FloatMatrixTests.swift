import KernelInterface
import Kernels
import TestSupport
import Testing
import Vocabulary

/// Every tier's own float product against sums in double precision.
@Suite struct FloatMatrixTests {
    private static let tiers = KernelRegistry.available.filter { $0.float.matrix != nil }.map(\.tier)

    /// Rows on both sides of a tile, columns of one and several groups, taps of a temporal layer, odd strides.
    @Test(
        arguments: tiers,
        [(1, 1, 16, 32), (7, 1, 16, 32), (15, 1, 64, 64), (56, 1, 32, 32), (1, 3, 128, 160), (3, 3, 20, 96)])
    func product(tier: String, shape: (rows: Int, taps: Int, depth: Int, columns: Int)) throws {
        let matrix = try #require(KernelRegistry.available.first { $0.tier == tier }?.float.matrix)
        let (rows, taps, depth, columns) = shape
        var generator = SplitMix64(seed: UInt64(rows * 1000 + depth))
        func random(_ count: Int) -> [Float] { (0..<count).map { _ in Float.random(in: -1...1, using: &generator) } }
        let whole = taps * depth
        let (weights, bias) = (random(columns * whole), random(columns))
        let byteCount = matrix.pack(nil, nil, columns, whole, nil)
        #expect(byteCount.isMultiple(of: 64))
        let packed = GuardedBuffer<UInt8>([UInt8](repeating: 0, count: byteCount))
        #expect(unsafe matrix.pack(weights, bias, columns, whole, packed.base) == byteCount)
        #expect(packed.isIntact)

        let (aStride, tapStride, outStride) = (depth + 5, 2 * depth + 3, columns + 7)
        let values = random((rows - 1) * aStride + (taps - 1) * tapStride + depth)
        let input = GuardedBuffer(values, misalignment: 4)
        let output = GuardedBuffer<Float>(count: (rows - 1) * outStride + columns, misalignment: 4)
        unsafe matrix.multiply(
            input.base, aStride, rows, taps, tapStride, depth, columns, packed.base, output.base, outStride)
        let result = output.values
        var worst = 0.0
        for m in 0..<rows {
            for n in 0..<columns {
                var sum = Double(bias[n])
                for t in 0..<taps {
                    for k in 0..<depth {
                        sum +=
                            Double(values[m * aStride + t * tapStride + k]) * Double(weights[n * whole + t * depth + k])
                    }
                }
                worst = max(worst, abs(Double(result[m * outStride + n]) - min(max(sum, 0), 6)))
            }
        }
        #expect(worst < 2e-5)
        #expect(result.contains { $0 > 0 && $0 < 6 })
        #expect(input.isIntact && output.isIntact)
    }
}
