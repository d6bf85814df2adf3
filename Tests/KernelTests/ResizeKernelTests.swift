import KernelInterface
import Kernels
import TestSupport
import Testing

/// The row primitives as their contract has them, one pixel at a time.
private enum Specification {
    static func mix(_ p: Int, _ q: Int, _ weight: Int) -> Int16 {
        Int16(p + (((q - p) * weight + 16384) >> 15))
    }

    static func blend(_ top: [UInt8], _ bottom: [UInt8], _ weight: Int, _ width: Int, step: Int) -> [Int16] {
        (0..<width).map { mix(Int(top[$0 * step]) << 7, Int(bottom[$0 * step]) << 7, weight) }
    }

    static func blend(_ top: [UInt8], _ bottom: [UInt8], _ weight: Int, _ width: Int, shares: [Int]) -> [Int16] {
        func luma(_ row: [UInt8], _ x: Int) -> Int {
            (0..<3).reduce(64) { $0 + Int(row[4 * x + $1]) * shares[$1] } >> 7
        }
        return (0..<width).map { mix(luma(top, $0), luma(bottom, $0), weight) }
    }

    static func gather(_ row: [Int16], _ offsets: [Int32], _ weights: [Int16], _ bias: Int) -> [UInt8] {
        offsets.indices.map { i in
            let at = Int(offsets[i])
            let sum = Int(row[at]) * Int(weights[2 * i]) + Int(row[at + 1]) * Int(weights[2 * i + 1]) + bias
            return UInt8(min(max(sum >> 21, 0), 255))
        }
    }
}

private let tiers = KernelRegistry.available.map { (name: $0.tier, kernels: $0.resize) }

private let weights = [0, 1, 127, 8192, 16384, 20000, 32694, 32767]
private let fills: [UInt8?] = [0, 255, nil]

@Suite struct ResizeKernelTests {
    private static func rows(_ bytes: Int, _ seed: Int) -> [[UInt8]] {
        var random = SplitMix64(seed: UInt64(seed))
        return fills.map { fill in
            (0..<bytes).map { _ in fill ?? UInt8(truncatingIfNeeded: random.next()) }
        }
    }

    /// Runs a blend between guard elements; nil if it wrote one of them.
    private static func guarded(_ width: Int, _ body: (UnsafeMutablePointer<Int16>) -> Void) -> [Int16]? {
        let edge = 32
        var row = [Int16](repeating: 0x4848, count: width + 2 * edge)
        unsafe row.withUnsafeMutableBufferPointer { buffer in
            guard let base = buffer.baseAddress else { return }
            unsafe body(base + edge)
        }
        guard row.prefix(edge).allSatisfy({ $0 == 0x4848 }), row.suffix(edge).allSatisfy({ $0 == 0x4848 }) else {
            return nil
        }
        return Array(row[edge..<(edge + width)])
    }

    @Test func lumaBlendsAreExact() {
        for (name, kernels) in tiers {
            for unsafe(step, blend) in unsafe [(1, kernels.blendPlanar), (2, kernels.blendInterleaved)] {
                for width in Array(1...67) + [127, 128, 129, 255, 257] {
                    let tops = Self.rows(width * step, width)
                    for (top, bottom) in tops.flatMap({ top in Self.rows(width * step, 99).map { (top, $0) } }) {
                        for weight in weights {
                            let found = unsafe Self.guarded(width) {
                                unsafe blend(top, bottom, Int32(weight), width, $0)
                            }
                            let expected = Specification.blend(top, bottom, weight, width, step: step)
                            #expect(found == expected, "\(name), step \(step), width \(width), weight \(weight)")
                        }
                    }
                }
            }
        }
    }

    @Test func colourBlendsAreExact() {
        for (name, kernels) in tiers {
            for shares in [[1868, 9617, 4899], [4899, 9617, 1868], [16384, 0, 0], [0, 0, 16384]] {
                for width in Array(1...35) + [127, 128, 129] {
                    let tops = Self.rows(width * 4, width)
                    for (top, bottom) in tops.flatMap({ top in Self.rows(width * 4, 99).map { (top, $0) } }) {
                        for weight in weights {
                            let found = unsafe Self.guarded(width) {
                                unsafe kernels.blendColour(
                                    top, bottom, Int32(weight), Int32(shares[0]), Int32(shares[1]), Int32(shares[2]),
                                    width,
                                    $0)
                            }
                            let expected = Specification.blend(top, bottom, weight, width, shares: shares)
                            #expect(found == expected, "\(name), shares \(shares), width \(width), weight \(weight)")
                        }
                    }
                }
            }
        }
    }

    /// Lines and columns, full and video range, over values from the lowest to the highest a row can hold.
    @Test func gathersAreExact() {
        var random = SplitMix64(seed: 8)
        for (name, kernels) in tiers {
            for count in Array(1...40) + [126, 223, 224] {
                for (unit, bias) in [(16384, 1 << 20), (19077, (1 << 20) - 16 * 128 * 19077)] {
                    let row = (0..<300).map { _ in
                        Int16([0, 32640, Int.random(in: 0...32640, using: &random)].randomElement(using: &random) ?? 0)
                    }
                    let offsets = (0..<count).map { _ in Int32.random(in: 0...298, using: &random) }
                    let pairs = (0..<count).flatMap { _ in
                        let share =
                            [0, unit, unit / 2, Int.random(in: 0...unit, using: &random)].randomElement(using: &random)
                            ?? 0
                        return [Int16(unit - share), Int16(share)]
                    }
                    let expected = Specification.gather(row, offsets, pairs, bias)
                    for unsafe(stride, gather) in unsafe [
                        (1, kernels.gatherLine), (1, kernels.gatherColumn), (224, kernels.gatherColumn),
                    ] {
                        var output = [UInt8](repeating: 0x88, count: count * stride + 64)
                        unsafe output.withUnsafeMutableBufferPointer { buffer in
                            guard let base = buffer.baseAddress else { return }
                            unsafe gather(row, offsets, pairs, count, Int32(bias), stride, base + 32)
                        }
                        var wanted = [UInt8](repeating: 0x88, count: count * stride + 64)
                        for i in 0..<count { wanted[32 + i * stride] = expected[i] }
                        let agrees = output == wanted
                        #expect(agrees, "\(name), count \(count), stride \(stride), unit \(unit)")
                    }
                }
            }
        }
    }
}
