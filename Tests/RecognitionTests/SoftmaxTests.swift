import Foundation
import Recognition
import Testing
import Vocabulary

@Suite struct SoftmaxTests {
    private static func softmax(_ logits: [Float]) -> [Float]? {
        var values = logits
        var span = values.mutableSpan
        return Softmax.apply(to: &span) ? values : nil
    }

    /// The oracle works in Float64 from the same Float32 differences.
    private static func oracle(_ logits: [Float]) -> [Double] {
        let highest = logits.max() ?? 0
        let powers = logits.map { exp(Double($0 - highest)) }
        let sum = powers.reduce(0, +)
        return powers.map { $0 / sum }
    }

    @Test func exponentialIsWithinTwoUnitsInTheLastPlace() {
        var worst = 0.0
        // Each 64th Float32 from -87.33654 to the smallest: far closer together than the steps of the reduction.
        let last = Float(87.33654).bitPattern
        for bits in stride(from: UInt32(0), through: last, by: 64) {
            let x = -Float(bitPattern: bits)
            let exact = exp(Double(x))
            let error = abs(Double(Softmax.exponential(x)) - exact) / Double(Float(exact).ulp)
            worst = max(worst, error)
        }
        #expect(worst <= 2, "\(worst)")
    }

    /// A checksum of results, as the first machine gave them.
    @Test func exponentialHasTheSameBitsOnEveryMachine() {
        var sum: UInt64 = 0xCBF2_9CE4_8422_2325
        for bits in stride(from: UInt32(0), through: Float(87.33654).bitPattern, by: 65_536) {
            let result = Softmax.exponential(-Float(bitPattern: bits))
            sum = (sum ^ UInt64(result.bitPattern)) &* 0x100_0000_01B3
        }
        #expect(sum == 0xDC26_77E3_3112_C9E0)
    }

    @Test func exponentialAtItsEdges() {
        #expect(Softmax.exponential(0) == 1)
        #expect(Softmax.exponential(-0.0) == 1)
        #expect(Softmax.exponential(-.leastNonzeroMagnitude) == 1)
        #expect(Softmax.exponential(-87.33654) >= .leastNormalMagnitude)
        #expect(Softmax.exponential(Float(-87.33654).nextDown) == 0)
        #expect(Softmax.exponential(-1e30) == 0)
        #expect(Softmax.exponential(-.infinity) == 0)
    }

    @Test func agreesWithFloat64AndSumsToOne() throws {
        var generator = SplitMix64(seed: 5)
        for count in [2, 3, 13, 15, 64, 1024] {
            for spread in [Float(0), 0.01, 1, 10, 100, 1e4] {
                let logits = (0..<count).map { _ in Float.random(in: -1...1, using: &generator) * spread }
                let found = try #require(Self.softmax(logits))
                for (value, expected) in zip(found, Self.oracle(logits)) {
                    #expect(abs(Double(value) - expected) <= 5e-7 * expected + 1e-37, "\(count) \(spread)")
                }
                #expect(abs(found.reduce(0.0) { $0 + Double($1) } - 1) <= 1e-6)
            }
        }
    }

    @Test func extremeLogits() {
        #expect(Self.softmax([1e4, -1e4, 0]) == [1, 0, 0])
        #expect(Self.softmax([-1e4, -1e4]) == [0.5, 0.5])
        #expect(Self.softmax([1e4, 1e4, 1e4, 1e4]) == [0.25, 0.25, 0.25, 0.25])
        #expect(Self.softmax([.greatestFiniteMagnitude, -.greatestFiniteMagnitude]) == [1, 0])
        #expect(Self.softmax([0, -.infinity, 0]) == [0.5, 0, 0.5])
    }

    @Test func withoutADistributionTheValuesStay() {
        for logits: [Float] in [
            [0, .infinity], [-.infinity, -.infinity], [.nan, 0], [0, .nan], [-.infinity, .nan],
        ] {
            var values = logits
            var span = values.mutableSpan
            let isDistribution = Softmax.apply(to: &span)
            #expect(!isDistribution)
            #expect(values.map(\.bitPattern) == logits.map(\.bitPattern))
        }
    }
}
