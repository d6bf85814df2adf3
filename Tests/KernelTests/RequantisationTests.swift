import KernelInterface
import Kernels
import TestSupport
import Testing

/// The one rounding of int8: half to even, then the clamp, on exact ties.
@Suite struct RequantisationTests {
    /// A depth-4 product of one code 1 with weight w leaves `bias + w`; the multiplier 0.5 makes ties of odd sums.
    @Test(arguments: KernelRegistry.available.map(\.tier))
    func tiesGoToEven(tier: String) throws {
        let kernels = try #require(KernelRegistry.available.first { $0.tier == tier }).int8
        let sums = Array(Int32(-8)...Int32(519))
        let expected = sums.map { sum -> UInt8 in
            let half = sum.isMultiple(of: 2) ? sum / 2 : (sum + (sum % 4 == 1 || sum % 4 == -3 ? -1 : 1)) / 2
            return UInt8(max(0, min(255, half)))
        }
        for start in stride(from: 0, to: sums.count, by: 16) {
            let bias = GuardedBuffer(Array(sums[start..<start + 16]))
            let zeros = GuardedBuffer([Int8](repeating: 0, count: 64))
            let multiplier = GuardedBuffer([Float](repeating: 0.5, count: 16))
            let a = GuardedBuffer([UInt8](repeating: 1, count: 4))
            let output = GuardedBuffer<UInt8>(count: 16)
            unsafe kernels.gemm(
                a.base, 4, 1, 1, 0, 4, 16, zeros.base, bias.base, multiplier.base, output.base, 16)
            #expect(output.values == Array(expected[start..<start + 16]), "sums from \(sums[start])")
        }
    }

    @Test func referenceRoundsTiesToEven() {
        #expect(ReferenceKernels.requantise(1, multiplier: 0.5) == 0)
        #expect(ReferenceKernels.requantise(3, multiplier: 0.5) == 2)
        #expect(ReferenceKernels.requantise(5, multiplier: 0.5) == 2)
        #expect(ReferenceKernels.requantise(-7, multiplier: 0.5) == 0)
        #expect(ReferenceKernels.requantise(1_000, multiplier: 0.5) == 255)
    }
}
