import KernelInterface
import Kernels
import TestSupport
import Testing

/// The one rounding of int8: half to even, then the clamp, on exact ties.
@Suite struct RequantisationTests {
    /// Zero weights leave the bias as the sum; the multiplier 0.5 makes ties of odd ones.
    @Test(arguments: KernelRegistry.available.map(\.tier))
    func tiesGoToEven(tier: String) throws {
        let kernels = try #require(KernelRegistry.available.first { $0.tier == tier }).int8
        let sums = Array(Int32(-8)...Int32(535))
        let expected = sums.map { sum -> UInt8 in
            let half = sum.isMultiple(of: 2) ? sum / 2 : (sum + (sum % 4 == 1 || sum % 4 == -3 ? -1 : 1)) / 2
            return UInt8(max(0, min(255, half)))
        }
        let weights = [Int8](repeating: 0, count: 4 * sums.count)
        let multiplier = [Float](repeating: 0.5, count: sums.count)
        let count = kernels.packGEMM(nil, nil, nil, sums.count, 4, nil)
        let packed = GuardedBuffer([UInt8](repeating: 0, count: count))
        _ = unsafe kernels.packGEMM(weights, sums, multiplier, sums.count, 4, packed.base)
        let a = GuardedBuffer([UInt8](repeating: 1, count: 4))
        let output = GuardedBuffer<UInt8>(count: sums.count)
        unsafe kernels.gemm(a.base, 4, 1, 1, 0, 4, sums.count, packed.base, output.base, sums.count)
        #expect(output.values == expected)
    }

    @Test func referenceRoundsTiesToEven() {
        #expect(ReferenceKernels.requantise(1, multiplier: 0.5) == 0)
        #expect(ReferenceKernels.requantise(3, multiplier: 0.5) == 2)
        #expect(ReferenceKernels.requantise(5, multiplier: 0.5) == 2)
        #expect(ReferenceKernels.requantise(-7, multiplier: 0.5) == 0)
        #expect(ReferenceKernels.requantise(1_000, multiplier: 0.5) == 255)
    }
}
