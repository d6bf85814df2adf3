import KernelInterface
import Kernels
import TestSupport
import Testing
import Vocabulary

/// Every tier of the registry against the plain loops, bit for bit.
@Suite struct Int8KernelTests {
    /// How values and weights are drawn: random, and the extremes that overflow first.
    enum Fill: CaseIterable, Sendable {
        /// Values below 128 but for one in sixteen: kernels may treat the two halves apart.
        case random, mostlyLow, allHigh, highLow

        func values(_ count: Int, _ generator: inout SplitMix64) -> [UInt8] {
            switch self {
            case .random: (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
            case .mostlyLow:
                (0..<count).map { _ in
                    let high = UInt8.random(in: 0..<16, using: &generator) == 0
                    return UInt8.random(in: high ? 128...255 : 0...127, using: &generator)
                }
            case .allHigh, .highLow: [UInt8](repeating: 255, count: count)
            }
        }

        func weights(_ count: Int, _ generator: inout SplitMix64) -> [Int8] {
            switch self {
            case .random, .mostlyLow: (0..<count).map { _ in Int8.random(in: -127...127, using: &generator) }
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

    /// Parameters as the tier packs them, 64-byte aligned between guards.
    private static func packed(
        _ pack: Int8Kernels.Pack, _ weights: [Int8], _ bias: [Int32], _ multiplier: [Float], depth: Int
    ) -> GuardedBuffer<UInt8> {
        let count = pack(nil, nil, nil, bias.count, depth, nil)
        #expect(count.isMultiple(of: 64))
        let buffer = GuardedBuffer<UInt8>([UInt8](repeating: 0, count: count))
        let written = unsafe pack(weights, bias, multiplier, bias.count, depth, buffer.base)
        #expect(written == count)
        #expect(buffer.isIntact)
        return buffer
    }

    private static func kernels(_ tier: String) throws -> Int8Kernels {
        try #require(KernelRegistry.available.first { $0.tier == tier }).int8
    }

    @Test(arguments: KernelRegistry.available.map(\.tier), Fill.allCases)
    func stem(tier: String, fill: Fill) throws {
        let kernels = try Self.kernels(tier)
        var generator = SplitMix64(seed: 11)
        let frame = fill.values(224 * 224, &generator)
        let weights = fill.weights(16 * 9, &generator)
        let (bias, multiplier) = Self.epilogue(16, depth: 9, &generator)
        let sums = ReferenceKernels.convolution(
            frame, size: 224, inputChannels: 1, weights: weights, outputChannels: 16, kernel: 3, stride: 2, padding: 1)
        let parameters = unsafe Self.packed(kernels.packStem, weights, bias, multiplier, depth: 9)
        for (firstRow, rows, padding) in [(0, 112, 0), (0, 1, 16), (17, 5, 3), (111, 1, 0)] {
            let stride = 112 * 16 + padding
            let input = GuardedBuffer(frame, misalignment: 1)
            let output = GuardedBuffer<UInt8>(count: rows * stride, misalignment: 3)
            unsafe kernels.stem(input.base, firstRow, rows, parameters.base, output.base, stride)
            let result = output.values
            var mismatch: Int?
            for y in 0..<rows {
                for index in 0..<112 * 16 {
                    let (x, o) = (index / 16, index % 16)
                    let expected = ReferenceKernels.requantise(
                        sums[(firstRow + y) * 112 * 16 + index] + Int(bias[o]), multiplier: multiplier[o])
                    let column = x % 2 == 1 ? x / 2 : 56 + x / 2
                    if result[y * stride + column * 16 + o] != expected { mismatch = mismatch ?? index }
                }
                for index in 112 * 16..<stride where result[y * stride + index] != 0x88 { mismatch = mismatch ?? index }
            }
            #expect(mismatch == nil, "rows from \(firstRow)")
            #expect(output.isIntact)
        }
    }

    @Test(arguments: KernelRegistry.available.map(\.tier), Fill.allCases)
    func depthwise3x3(tier: String, fill: Fill) throws {
        let kernels = try Self.kernels(tier)
        var generator = SplitMix64(seed: 12)
        for channels in [16, 32, 48, 64, 96, 128] {
            for stride in [1, 2] {
                for (rows, width) in [(1, 1), (1, 7), (2, 5), (3, 14), (4, 28), (2, 56)] {
                    let rowPixels = stride == 1 ? width + 2 : 2 * width + 1
                    let inputRows = stride * (rows - 1) + 3
                    let inStride = rowPixels * channels + 5
                    // The last row ends where its pixels end: a kernel may not read past them.
                    let values = fill.values((inputRows - 1) * inStride + rowPixels * channels, &generator)
                    let weights = fill.weights(9 * channels, &generator)
                    let (bias, multiplier) = Self.epilogue(channels, depth: 9, &generator)
                    let parameters = unsafe Self.packed(kernels.packDepthwise3x3, weights, bias, multiplier, depth: 9)
                    let input = GuardedBuffer(values, misalignment: 5)
                    let output = GuardedBuffer<UInt8>(count: rows * width * channels, misalignment: 1)
                    let scratch = GuardedBuffer<UInt8>(count: kernels.depthwiseScratch(width, channels))
                    unsafe kernels.depthwise3x3(
                        input.base, inStride, stride, rows, width, channels, parameters.base, output.base,
                        scratch.base)
                    let result = output.values
                    var mismatch: Int?
                    for index in result.indices {
                        let (y, x, c) = (index / channels / width, index / channels % width, index % channels)
                        var sum = Int(bias[c])
                        for r in 0..<3 {
                            for s in 0..<3 {
                                let pixel = Self.position(of: stride * x + s - 1, stride: stride, width: width)
                                let at = (stride * y + r) * inStride + pixel * channels + c
                                sum += Int(values[at]) * Int(weights[c * 9 + 3 * r + s])
                            }
                        }
                        let expected = ReferenceKernels.requantise(sum, multiplier: multiplier[c])
                        if result[index] != expected { mismatch = mismatch ?? index }
                    }
                    #expect(mismatch == nil, "channels \(channels) stride \(stride) rows \(rows) width \(width)")
                    #expect(output.isIntact)
                    #expect(scratch.isIntact)
                }
            }
        }
    }

    /// Where input column `x` (-1 is the border) lies in a row, in pixels.
    private static func position(of x: Int, stride: Int, width: Int) -> Int {
        guard stride == 2, x >= 0 else { return x + 1 }
        return x % 2 == 1 ? 1 + x / 2 : 1 + width + x / 2
    }

    @Test(arguments: KernelRegistry.available.map(\.tier), Fill.allCases)
    func depthwise7x7(tier: String, fill: Fill) throws {
        let kernels = try Self.kernels(tier)
        var generator = SplitMix64(seed: 13)
        for channels in [64, 128, 256] {
            let values = fill.values(49 * channels, &generator)
            let weights = fill.weights(49 * channels, &generator)
            let (bias, multiplier) = Self.epilogue(channels, depth: 49, &generator)
            let expected = (0..<channels).map { c in
                let sum = (0..<49).reduce(Int(bias[c])) {
                    $0 + Int(values[$1 * channels + c]) * Int(weights[c * 49 + $1])
                }
                return ReferenceKernels.requantise(sum, multiplier: multiplier[c])
            }
            let parameters = unsafe Self.packed(kernels.packDepthwise7x7, weights, bias, multiplier, depth: 49)
            let input = GuardedBuffer(values, misalignment: 1)
            let output = GuardedBuffer<UInt8>(count: channels, misalignment: 1)
            unsafe kernels.depthwise7x7(input.base, channels, parameters.base, output.base)
            #expect(output.values == expected, "channels \(channels)")
            #expect(output.isIntact)
        }
    }

    /// The plain product of a shape is shared by the tiers, as it takes far longer than theirs.
    @Test(arguments: Fill.allCases, [32, 64, 96, 160])
    func gemm(fill: Fill, columns: Int) throws {
        var generator = SplitMix64(seed: 14 + UInt64(columns))
        for (taps, depth) in [
            (1, 4), (1, 16), (1, 36), (1, 52), (1, 128), (1, 256), (1, 260), (3, 128), (3, 160),
        ] {
            for rows in [1, 2, 3, 5, 6, 7, 8, 13, 14, 21] {
                let tapStride = depth + 12
                let aStride = taps * tapStride + 3
                let outStride = columns + 9
                // The last row ends with its last tap: a kernel may not read past it.
                let a = fill.values((rows - 1) * aStride + (taps - 1) * tapStride + depth, &generator)
                let weights = fill.weights(columns * taps * depth, &generator)
                let (bias, multiplier) = Self.epilogue(columns, depth: taps * depth, &generator)
                var gathered: [UInt8] = []
                for row in 0..<rows {
                    for tap in 0..<taps {
                        let start = row * aStride + tap * tapStride
                        gathered += a[start..<start + depth]
                    }
                }
                let sums = ReferenceKernels.product(
                    gathered, depth: taps * depth, weights: weights, columns: columns)
                let expected = (0..<rows * outStride).map { index in
                    let (m, n) = (index / outStride, index % outStride)
                    guard n < columns else { return UInt8(0x88) }
                    return ReferenceKernels.requantise(
                        sums[m * columns + n] + Int(bias[n]), multiplier: multiplier[n])
                }
                for (tier, kernels) in KernelRegistry.available.map({ ($0.tier, $0.int8) }) {
                    let parameters = unsafe Self.packed(
                        kernels.packGEMM, weights, bias, multiplier, depth: taps * depth)
                    let input = GuardedBuffer(a, misalignment: 3)
                    let output = GuardedBuffer<UInt8>(count: rows * outStride, misalignment: 5)
                    unsafe kernels.gemm(
                        input.base, aStride, rows, taps, tapStride, depth, columns, parameters.base, output.base,
                        outStride)
                    #expect(output.values == expected, "\(tier): taps \(taps) depth \(depth) rows \(rows)")
                    #expect(output.isIntact)
                }
            }
        }
    }

    @Test(arguments: KernelRegistry.available.map(\.tier), Fill.allCases)
    func classify(tier: String, fill: Fill) throws {
        let kernels = try Self.kernels(tier)
        var generator = SplitMix64(seed: 15)
        for depth in [4, 12, 160] {
            for classes in [2, 13, 16, 17, 40] {
                let a = fill.values(depth, &generator)
                let weights = fill.weights(classes * depth, &generator)
                let (bias, multiplier) = Self.epilogue(classes, depth: depth, &generator)
                let parameters = unsafe Self.packed(kernels.packClassifier, weights, bias, multiplier, depth: depth)
                let sums = ReferenceKernels.product(a, depth: depth, weights: weights, columns: classes)
                let input = GuardedBuffer(a, misalignment: 1)
                let output = GuardedBuffer<Float>(count: (classes + 15) / 16 * 16)
                unsafe kernels.classify(input.base, depth, classes, parameters.base, output.base)
                for n in 0..<classes {
                    #expect(output.values[n] == Float(Int32(sums[n]) + bias[n]) * multiplier[n])
                }
                #expect(output.isIntact)
            }
        }
    }
}
