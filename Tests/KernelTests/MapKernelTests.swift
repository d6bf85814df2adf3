import KernelInterface
import Kernels
import TestSupport
import Testing
import Vocabulary

private let tiers = KernelRegistry.available.map { (name: $0.tier, kernels: $0.map) }

/// Every tier has the bits that the contract of `MapKernels` states.
@Suite struct MapKernelTests {
    private static let counts = Array(0...17) + [24, 31, 33, 48, 100, 128]

    private static func noise(_ count: Int, _ random: inout SplitMix64) -> [UInt8] {
        (0..<count).map { _ in UInt8(truncatingIfNeeded: random.next()) }
    }

    private static func quantised(_ v: Float) -> UInt8 {
        v > 0 ? UInt8(min(v, 255).rounded(.toNearestOrEven)) : 0
    }

    /// Scales that overflow give infinities, and their differences NaN.
    @Test func sumsAreRoundedOnceAnOperation() {
        var random = SplitMix64(seed: 50)
        for round in 0..<300 {
            let count = Self.counts[round % Self.counts.count]
            let (a, b) = (Self.noise(count, &random), Self.noise(count, &random))
            func scale() -> Float { Float.random(in: 0.001...0.1, using: &random) }
            func zero() -> Float { Float(Int.random(in: 0...255, using: &random)) }
            var p = [zero(), scale(), zero(), scale(), scale(), zero()]
            if round % 10 == 0 { (p[1], p[3]) = (.greatestFiniteMagnitude, .greatestFiniteMagnitude) }
            // Halves, to be rounded to even.
            if round % 10 == 1 { p = [0, 0.5, 0, 1, 1, 0] }
            let expected = zip(a, b).map { a, b in
                let left = (Float(a) - p[0]) * p[1]
                let right = (Float(b) - p[2]) * p[3]
                return Self.quantised((left + right) / p[4] + p[5])
            }
            for (name, kernels) in tiers {
                let output = GuardedBuffer<UInt8>(count: count, misalignment: round % 5)
                unsafe kernels.add(a, b, count, p, output.base)
                #expect(output.isIntact && output.values == expected, "\(name), \(count) values, \(p)")
            }
        }
    }

    @Test func windowsHaveTheirLargestValue() {
        var random = SplitMix64(seed: 51)
        for round in 0..<200 {
            let channels = Self.counts[1 + round % (Self.counts.count - 1)]
            let (height, width) = (Int.random(in: 1...3, using: &random), Int.random(in: 1...3, using: &random))
            let (pixels, stride) = (Int.random(in: 0...5, using: &random), Int.random(in: 1...3, using: &random))
            let (pixel, gap) = (channels + [0, 3][round % 2], Int.random(in: 0...9, using: &random))
            let row = ((max(pixels, 1) - 1) * stride + width) * pixel + gap
            let input = Self.noise(height * row, &random)
            let outPixel = channels + [0, 5][round % 2]
            var expected = [UInt8](repeating: 0, count: pixels * outPixel)
            for x in 0..<pixels {
                for c in 0..<channels {
                    var largest: UInt8 = 0
                    for v in 0..<height {
                        for u in 0..<width {
                            let element = v * row + (x * stride + u) * pixel + c
                            largest = max(largest, input[element])
                        }
                    }
                    expected[x * outPixel + c] = largest
                }
            }
            for (name, kernels) in tiers {
                let output = GuardedBuffer<UInt8>(count: pixels * outPixel, misalignment: round % 5)
                let before = output.values
                unsafe kernels.maxPool(
                    input, row, pixel, height, width, stride * pixel, pixels, channels, output.base, outPixel)
                // What lies between the pixels stays as it was.
                let values = output.values.indices.map { $0 % outPixel < channels ? expected[$0] : before[$0] }
                #expect(
                    output.isIntact && output.values == values, "\(name), \(height)x\(width) of \(channels), \(pixels)")
            }
        }
    }

    @Test func columnsAndRowsAreInterpolated() {
        var random = SplitMix64(seed: 52)
        for round in 0..<200 {
            let count = Self.counts[round % Self.counts.count]
            let (a, b) = (Self.noise(count, &random), Self.noise(count, &random))
            let share = [0, 0.25, 0.5, Float.random(in: 0..<1, using: &random)][round % 4]
            let columns = zip(a, b).map { Float($0) + share * (Float($1) - Float($0)) }
            let (above, below) = (columns.map { $0 - 20 }, columns.map { $0 * 1.3 })
            let rows = zip(above, below).map { Self.quantised($0 + share * ($1 - $0)) }
            for (name, kernels) in tiers {
                let floats = GuardedBuffer<Float>(count: count)
                unsafe kernels.interpolateColumns(a, b, share, count, floats.base)
                #expect(floats.isIntact && floats.values == columns, "\(name), \(count) values, \(share)")
                let output = GuardedBuffer<UInt8>(count: count, misalignment: round % 5)
                unsafe kernels.interpolateRows(above, below, share, count, output.base)
                #expect(output.isIntact && output.values == rows, "\(name), \(count) values, \(share)")
            }
        }
    }
}
