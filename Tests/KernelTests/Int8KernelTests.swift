import KernelInterface
import Kernels
import TestSupport
import Testing

/// Every tier of the registry against the plain loops, bit for bit.
@Suite struct Int8KernelTests {
    /// How codes and weights are drawn: random, and the extremes that overflow first.
    enum Fill: CaseIterable, Sendable {
        case random, allHigh, highLow

        func codes(_ count: Int, _ generator: inout SplitMix64) -> [UInt8] {
            switch self {
            case .random: (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
            case .allHigh, .highLow: [UInt8](repeating: 255, count: count)
            }
        }

        func weights(_ count: Int, _ generator: inout SplitMix64) -> [Int8] {
            switch self {
            case .random: (0..<count).map { _ in Int8.random(in: -127...127, using: &generator) }
            case .allHigh: [Int8](repeating: 127, count: count)
            case .highLow: [Int8](repeating: -127, count: count)
            }
        }
    }

    /// Bias and multiplier of `count` channels such that results fall on both sides of the clamp.
    private static func epilogue(
        _ count: Int, depth: Int, _ generator: inout SplitMix64
    ) -> (bias: [Int32], multiplier: [Float]) {
        let bias = (0..<count).map { _ in Int32.random(in: -40_000...40_000, using: &generator) }
        let multiplier = (0..<count).map { _ in
            Float.random(in: 0.2...2, using: &generator) / Float(100 * depth)
        }
        return (bias, multiplier)
    }

    @Test(arguments: KernelRegistry.available.map(\.tier), Fill.allCases)
    func stem(tier: String, fill: Fill) throws {
        let kernels = try #require(KernelRegistry.available.first { $0.tier == tier }).int8
        var generator = SplitMix64(seed: 11)
        let frame = fill.codes(224 * 224, &generator)
        let weights = fill.weights(16 * 9, &generator)
        let (bias, multiplier) = Self.epilogue(16, depth: 9, &generator)
        let sums = ReferenceKernels.convolution(
            frame, size: 224, inputChannels: 1, weights: weights, outputChannels: 16, kernel: 3, stride: 2, padding: 1)
        var packed: [Int8] = []
        for tap in 0..<9 {
            for channel in 0..<16 { packed.append(weights[channel * 9 + tap]) }
        }
        for (firstRow, rows, padding) in [(0, 112, 0), (0, 1, 16), (17, 5, 3), (111, 1, 0)] {
            let stride = 112 * 16 + padding
            let input = GuardedBuffer(frame, misalignment: 1)
            let output = GuardedBuffer<UInt8>(count: rows * stride, misalignment: 3)
            let (w, b, m) = (GuardedBuffer(packed), GuardedBuffer(bias), GuardedBuffer(multiplier))
            unsafe kernels.stem(input.base, firstRow, rows, w.base, b.base, m.base, output.base, stride)
            for y in 0..<rows {
                for index in 0..<112 * 16 {
                    let expected = ReferenceKernels.requantise(
                        sums[(firstRow + y) * 112 * 16 + index] + Int(bias[index % 16]),
                        multiplier: multiplier[index % 16])
                    guard output.values[y * stride + index] != expected else { continue }
                    Issue.record("row \(firstRow + y) element \(index)")
                    return
                }
                #expect(output.values[y * stride + 112 * 16..<(y + 1) * stride].allSatisfy { $0 == 0x88 })
            }
            #expect(output.isIntact)
        }
    }

    @Test(arguments: KernelRegistry.available.map(\.tier), Fill.allCases)
    func depthwise3x3(tier: String, fill: Fill) throws {
        let kernels = try #require(KernelRegistry.available.first { $0.tier == tier }).int8
        var generator = SplitMix64(seed: 12)
        for channels in [16, 32, 48, 64, 128] {
            for stride in [1, 2] {
                for (rows, width) in [(1, 1), (1, 7), (2, 5), (3, 14), (4, 28), (2, 56)] {
                    let inputWidth = stride * (width - 1) + 3
                    let inputRows = stride * (rows - 1) + 3
                    let inStride = inputWidth * channels + 5
                    let outStride = width * channels + 7
                    let codes = fill.codes(inputRows * inStride, &generator)
                    let weights = fill.weights(9 * channels, &generator)
                    let (bias, multiplier) = Self.epilogue(channels, depth: 9, &generator)
                    let input = GuardedBuffer(codes, misalignment: 5)
                    let output = GuardedBuffer<UInt8>(count: rows * outStride, misalignment: 1)
                    let (w, b, m) = (GuardedBuffer(weights), GuardedBuffer(bias), GuardedBuffer(multiplier))
                    unsafe kernels.depthwise3x3(
                        input.base, inStride, stride, rows, width, channels, w.base, b.base, m.base, output.base,
                        outStride)
                    let result = output.values
                    var mismatch: Int?
                    for y in 0..<rows {
                        for index in 0..<width * channels {
                            let (x, c) = (index / channels, index % channels)
                            var sum = Int(bias[c])
                            for r in 0..<3 {
                                for s in 0..<3 {
                                    let at = (stride * y + r) * inStride + (stride * x + s) * channels + c
                                    sum += Int(codes[at]) * Int(weights[(3 * r + s) * channels + c])
                                }
                            }
                            let expected = ReferenceKernels.requantise(sum, multiplier: multiplier[c])
                            if result[y * outStride + index] != expected { mismatch = mismatch ?? index }
                        }
                        for index in width * channels..<outStride where result[y * outStride + index] != 0x88 {
                            mismatch = mismatch ?? index
                        }
                    }
                    #expect(mismatch == nil, "channels \(channels) stride \(stride) rows \(rows) width \(width)")
                    #expect(output.isIntact)
                }
            }
        }
    }

    @Test(arguments: KernelRegistry.available.map(\.tier), Fill.allCases)
    func depthwise7x7(tier: String, fill: Fill) throws {
        let kernels = try #require(KernelRegistry.available.first { $0.tier == tier }).int8
        var generator = SplitMix64(seed: 13)
        for channels in [16, 48, 256] {
            let codes = fill.codes(49 * channels, &generator)
            let weights = fill.weights(49 * channels, &generator)
            let (bias, multiplier) = Self.epilogue(channels, depth: 49, &generator)
            let expected = (0..<channels).map { c in
                let sum = (0..<49).reduce(Int(bias[c])) {
                    $0 + Int(codes[$1 * channels + c]) * Int(weights[$1 * channels + c])
                }
                return ReferenceKernels.requantise(sum, multiplier: multiplier[c])
            }
            let input = GuardedBuffer(codes, misalignment: 1)
            let output = GuardedBuffer<UInt8>(count: channels, misalignment: 1)
            let (w, b, m) = (GuardedBuffer(weights), GuardedBuffer(bias), GuardedBuffer(multiplier))
            unsafe kernels.depthwise7x7(input.base, channels, w.base, b.base, m.base, output.base)
            #expect(output.values == expected, "channels \(channels)")
            #expect(output.isIntact)
        }
    }

    @Test(arguments: KernelRegistry.available.map(\.tier), Fill.allCases)
    func gemm(tier: String, fill: Fill) throws {
        let kernels = try #require(KernelRegistry.available.first { $0.tier == tier }).int8
        var generator = SplitMix64(seed: 14)
        for (taps, depth) in [(1, 4), (1, 16), (1, 36), (1, 256), (3, 128), (3, 160)] {
            for columns in [16, 32, 64, 160] {
                for rows in [1, 2, 3, 5, 7, 14] {
                    let tapStride = depth + 12
                    let aStride = taps * tapStride + 3
                    let outStride = columns + 9
                    let a = fill.codes(rows * aStride, &generator)
                    let weights = fill.weights(columns * taps * depth, &generator)
                    let (bias, multiplier) = Self.epilogue(columns, depth: taps * depth, &generator)
                    let panel = Self.panel(weights, depth: taps * depth, columns: columns)
                    var gathered: [UInt8] = []
                    for row in 0..<rows {
                        for tap in 0..<taps {
                            let start = row * aStride + tap * tapStride
                            gathered += a[start..<start + depth]
                        }
                    }
                    let sums = ReferenceKernels.product(
                        gathered, depth: taps * depth, weights: weights, columns: columns)
                    let input = GuardedBuffer(a, misalignment: 3)
                    let output = GuardedBuffer<UInt8>(count: rows * outStride, misalignment: 5)
                    let (w, b, m) = (GuardedBuffer(panel), GuardedBuffer(bias), GuardedBuffer(multiplier))
                    unsafe kernels.gemm(
                        input.base, aStride, rows, taps, tapStride, depth, columns, w.base, b.base, m.base,
                        output.base, outStride)
                    let result = output.values
                    var mismatch: Int?
                    for index in 0..<rows * outStride {
                        let (m, n) = (index / outStride, index % outStride)
                        let expected =
                            n < columns
                            ? ReferenceKernels.requantise(
                                sums[m * columns + n] + Int(bias[n]), multiplier: multiplier[n]) : 0x88
                        if result[index] != expected { mismatch = mismatch ?? index }
                    }
                    #expect(mismatch == nil, "taps \(taps) depth \(depth) columns \(columns) rows \(rows)")
                    #expect(output.isIntact)
                }
            }
        }
    }

    @Test(arguments: KernelRegistry.available.map(\.tier), Fill.allCases)
    func sums(tier: String, fill: Fill) throws {
        let kernels = try #require(KernelRegistry.available.first { $0.tier == tier }).int8
        var generator = SplitMix64(seed: 15)
        for depth in [4, 160] {
            for classes in [2, 13, 16, 17, 40] {
                let columns = PackedPanel.paddedColumns(classes)
                let a = fill.codes(depth, &generator)
                let weights = fill.weights(classes * depth, &generator)
                let bias = (0..<columns).map { _ in Int32.random(in: -9_999...9_999, using: &generator) }
                let panel = Self.panel(weights, depth: depth, columns: classes)
                let sums = ReferenceKernels.product(a, depth: depth, weights: weights, columns: classes)
                let (input, output) = (GuardedBuffer(a, misalignment: 1), GuardedBuffer<Int32>(count: columns))
                let (w, b) = (GuardedBuffer(panel), GuardedBuffer(bias))
                unsafe kernels.sums(input.base, depth, columns, w.base, b.base, output.base)
                for n in 0..<columns {
                    #expect(Int(output.values[n]) == (n < classes ? sums[n] : 0) + Int(bias[n]))
                }
                #expect(output.isIntact)
            }
        }
    }

    /// The panel as its definition says.
    private static func panel(_ weights: [Int8], depth: Int, columns: Int) -> [Int8] {
        var panel = [Int8](repeating: 0, count: PackedPanel.byteCount(depth: depth, columns: columns))
        for n in 0..<columns {
            for k in 0..<depth {
                panel[(n / 16) * 16 * depth + (k / 4) * 64 + (n % 16) * 4 + k % 4] = weights[n * depth + k]
            }
        }
        return panel
    }
}
