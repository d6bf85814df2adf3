import KernelInterface
import Kernels
import TestSupport
import Testing
import Vocabulary

private let tiers = KernelRegistry.available.map { (name: $0.tier, kernels: $0.crop) }

/// A line as the contract of `CropKernels` has it.
private struct CropSpecification {
    /// First column, first row, last column, last row.
    var limits: [Int]
    var x: Int
    var y: Int
    var stepX: Int
    var stepY: Int
    var count: Int

    /// The four sums of pixel i: `sample` of columns and rows within the limits, with seven more bits than it needs.
    func mix(_ i: Int, _ sample: (_ column: Int, _ row: Int) -> Int) -> Int {
        let (x, y) = (x + i * stepX + 1_024, y + i * stepY + 1_024)
        let (column, row, across, down) = (x >> 16, y >> 16, (x >> 11) & 31, (y >> 11) & 31)
        func held(_ column: Int, _ row: Int) -> Int {
            sample(min(max(column, limits[0]), limits[2]), min(max(row, limits[1]), limits[3]))
        }
        return (32 - across) * ((32 - down) * held(column, row) + down * held(column, row + 1))
            + across * ((32 - down) * held(column + 1, row) + down * held(column + 1, row + 1))
    }

    /// Any line whose places 16 bits hold, often one along the frame.
    static func random(_ width: Int, _ height: Int, count: Int, _ random: inout SplitMix64) -> Self {
        let first = (Int.random(in: 0..<width, using: &random), Int.random(in: 0..<height, using: &random))
        let last = (Int.random(in: first.0..<width, using: &random), Int.random(in: first.1..<height, using: &random))
        let isWhole = Bool.random(using: &random)
        var line = CropSpecification(
            limits: isWhole ? [0, 0, width - 1, height - 1] : [first.0, first.1, last.0, last.1], x: 0, y: 0, stepX: 0,
            stepY: 0, count: count)
        if Int.random(in: 0..<4, using: &random) == 0 {
            let reach = 32_700 * 65_536
            func place(_ random: inout SplitMix64) -> (Int, Int) {
                let (start, end) = (
                    Int.random(in: -reach...reach, using: &random), Int.random(in: -reach...reach, using: &random)
                )
                return (start, (end - start) / (count + 4))
            }
            (line.x, line.stepX) = place(&random)
            (line.y, line.stepY) = place(&random)
        } else {
            line.x = Int.random(in: -3 * 65_536...(width + 2) * 65_536, using: &random)
            line.y = Int.random(in: -3 * 65_536...(height + 2) * 65_536, using: &random)
            line.stepX = Int.random(in: -100_000...100_000, using: &random)
            line.stepY = Int.random(in: -100_000...100_000, using: &random)
            if Bool.random(using: &random) { line.stepY = 0 }
        }
        return line
    }
}

@Suite struct CropKernelTests {
    private static let counts = Array(0...17) + [31, 224]

    private static func noise(_ count: Int, _ random: inout SplitMix64) -> [UInt8] {
        (0..<count).map { _ in UInt8(truncatingIfNeeded: random.next()) }
    }

    @Test func packedIsExact() throws {
        var random = SplitMix64(seed: 40)
        let page = try GuardedPage()
        for round in 0..<400 {
            let (width, height) = (Int.random(in: 1...40, using: &random), Int.random(in: 1...20, using: &random))
            let stride = 4 * width + [0, 1, 13][round % 3]
            let bytes = Self.noise((height - 1) * stride + 4 * width, &random)
            let line = CropSpecification.random(width, height, count: Self.counts[round % Self.counts.count], &random)
            let limits = line.limits.map { Int32($0) }
            for red in [0, 2] {
                let expected = (0..<line.count).flatMap { i in
                    [red, 1, 2 - red].map { channel in
                        UInt8((line.mix(i) { Int(bytes[$1 * stride + 4 * $0 + channel]) } + 512) >> 10)
                    }
                }
                for (name, kernels) in tiers {
                    let output = GuardedBuffer<UInt8>(count: 3 * line.count, misalignment: round % 5)
                    let memory = unsafe page.place(bytes)
                    let pixels = unsafe memory.baseAddress!.assumingMemoryBound(to: UInt8.self)
                    unsafe kernels.packed(
                        pixels, stride, limits, red, Int32(line.x), Int32(line.y), Int32(line.stepX), Int32(line.stepY),
                        line.count, output.base)
                    let agrees = output.isIntact && output.values == expected
                    #expect(agrees, "\(name), \(width) x \(height), \(line)")
                }
            }
        }
    }

    /// How planes lie: bytes from sample to sample of luma and chroma, whether rows share chroma, and whether both differences
    /// are in one plane, how far apart.
    private struct Layout {
        var lumaStep = 1
        var chromaStep = 1
        var rowShift = 1
        /// Of red after blue; nil for planes of their own.
        var redOffset: Int?
    }

    @Test(arguments: [
        (Layout(chromaStep: 2, redOffset: 1), "nv12"), (Layout(chromaStep: 2, redOffset: -1), "nv21"),
        (Layout(), "i420"), (Layout(lumaStep: 2, chromaStep: 4, rowShift: 0, redOffset: 2), "yuyv"),
        (Layout(chromaStep: 0), "gray"),
    ]) private func planarIsExact(_ layout: Layout, _ name: String) throws {
        var random = SplitMix64(seed: 41)
        let pages = try (0..<3).map { _ in try GuardedPage() }
        let matrices = [
            [9_539, 13_075, 3_209, 6_660, 16_525, 2_048], [8_192, 11_485, 2_819, 5_850, 14_516, 0],
            [32_767, 32_767, 32_767, 32_767, 32_767, 0],
        ]
        for round in 0..<400 {
            // Luma and chroma of YUYV are in one plane, of an even width here.
            let isPacked = layout.rowShift == 0
            let width = isPacked ? 2 * Int.random(in: 1...20, using: &random) : Int.random(in: 1...40, using: &random)
            let height = Int.random(in: 1...20, using: &random)
            let padding = [0, 1, 13][round % 3]
            let stride = layout.lumaStep * width + padding
            let lumaBytes = Self.noise((height - 1) * stride + layout.lumaStep * width, &random)
            let (columns, rows) = ((width + 1) / 2, (height + 1) / 2)
            let isTogether = layout.redOffset != nil
            let chromaStride =
                layout.chromaStep == 0 ? 0 : isPacked ? stride : columns * layout.chromaStep + padding
            let chromaCount = layout.chromaStep == 0 ? 1 : (rows - 1) * chromaStride + columns * layout.chromaStep
            let planes = [Self.noise(chromaCount, &random), Self.noise(chromaCount, &random)]
            let line = CropSpecification.random(width, height, count: Self.counts[round % Self.counts.count], &random)
            let limits = line.limits.map { Int32($0) }
            // A last column below the frame's holds back what is beyond.
            let last = round % 4 == 0 ? columns / 2 : columns - 1
            let matrix = matrices[round % matrices.count]
            let (blueStart, redStart) =
                isPacked ? (1, 3) : layout.redOffset == -1 ? (1, 0) : layout.redOffset == 1 ? (0, 1) : (0, 0)
            func difference(_ isRed: Bool, _ column: Int, _ row: Int) -> Int {
                let bytes = isPacked ? lumaBytes : planes[isRed && !isTogether ? 1 : 0]
                let sample = (row >> layout.rowShift) * chromaStride + min(column >> 1, last) * layout.chromaStep
                return Int(bytes[sample + (isRed ? redStart : blueStart)])
            }
            let expected = (0..<line.count).flatMap { i in
                let level = (line.mix(i) { Int(lumaBytes[$1 * stride + layout.lumaStep * $0]) } >> 3) - matrix[5]
                let blue = (line.mix(i) { difference(false, $0, $1) } >> 3) - 16_384
                let red = (line.mix(i) { difference(true, $0, $1) } >> 3) - 16_384
                let sum = level * matrix[0] + 524_288
                return [sum + red * matrix[1], sum - blue * matrix[2] - red * matrix[3], sum + blue * matrix[4]].map {
                    UInt8(min(max(Int(Int32(truncatingIfNeeded: $0)) >> 20, 0), 255))
                }
            }
            let numbers = (matrix + [last]).map { Int32($0) }
            for (tier, kernels) in tiers {
                let output = GuardedBuffer<UInt8>(count: 3 * line.count, misalignment: round % 5)
                let memory = unsafe [lumaBytes, planes[0], planes[1]].enumerated().map { index, bytes in
                    let placed = unsafe pages[index].place(bytes)
                    return unsafe placed.baseAddress!.assumingMemoryBound(to: UInt8.self)
                }
                let chroma =
                    unsafe isPacked ? [memory[0], memory[0]] : [memory[1], isTogether ? memory[1] : memory[2]]
                unsafe kernels.planar(
                    memory[0], stride, layout.lumaStep, chroma[0] + blueStart, chroma[1] + redStart, chromaStride,
                    layout.chromaStep, layout.rowShift, numbers, limits, Int32(line.x), Int32(line.y),
                    Int32(line.stepX),
                    Int32(line.stepY), line.count, output.base)
                let agrees = output.isIntact && output.values == expected
                #expect(agrees, "\(tier), \(name), \(width) x \(height), \(line)")
            }
        }
    }

    /// Lines up to the last columns of planes behind which no byte may be read. All samples are alike, so that every pixel of a
    /// line is, too.
    @Test func planesAreReadToTheirEndsAndNoFurther() throws {
        let (luma, blue, red) = (81, 90, 240)
        let pages = try (0..<2).map { _ in try GuardedPage() }
        let matrix = [9_539, 13_075, 3_209, 6_660, 16_525, 2_048]
        let (level, b, r) = (128 * luma - matrix[5], 128 * blue - 16_384, 128 * red - 16_384)
        let color = [r * matrix[1], -b * matrix[2] - r * matrix[3], b * matrix[4]].map {
            UInt8(min(max((level * matrix[0] + 524_288 + $0) >> 20, 0), 255))
        }
        for width in 4...13 {
            let columns = (width + 1) / 2
            let matrixAndLast = (matrix + [columns - 1]).map { Int32($0) }
            let memory = unsafe [
                pages[0].place([UInt8](repeating: UInt8(luma), count: 2 * width)),
                pages[1].place((0..<columns).flatMap { _ in [UInt8(blue), UInt8(red)] }),
            ].map { unsafe $0.baseAddress!.assumingMemoryBound(to: UInt8.self) }
            for start in -1..<width {
                for stepX in [65_536, 32_768, 0, -65_536] {
                    for (tier, kernels) in tiers {
                        let output = GuardedBuffer<UInt8>(count: 12)
                        unsafe kernels.planar(
                            memory[0], width, 1, memory[1], memory[1] + 1, 2 * columns, 2, 1, matrixAndLast,
                            [0, 0, Int32(width - 1), 1], Int32(65_536 * start), 0, Int32(stepX), 0, 4, output.base)
                        let agrees = output.isIntact && output.values == color + color + color + color
                        #expect(agrees, "\(tier), width \(width), from \(start) by \(stepX)")
                    }
                }
            }
        }
    }
}
