import KernelInterface
import Kernels
import TestSupport
import Testing
import Vocabulary

private let tiers = KernelRegistry.available.map { (name: $0.tier, kernels: $0.resize.area) }

/// Rows of one line as the contract of `AreaKernels` has them.
private struct RowsSpecification {
    var width: Int
    /// From one row to the next; the last row has no padding.
    var bytesPerRow: Int
    /// 1 or 2 of luma, 4 of a colour with `shares`.
    var pixelBytes: Int
    var weights: [Int]
    var shares = [4899, 9617, 1868]
    var bytes: [UInt8]

    func codes() -> [Int16] {
        (0..<width).map { x in
            var sum = pixelBytes == 4 ? 8192 : 64
            for (r, weight) in weights.enumerated() {
                let pixel = r * bytesPerRow + x * pixelBytes
                if pixelBytes == 4 {
                    sum += weight * ((0..<3).reduce(64) { $0 + Int(bytes[pixel + $1]) * shares[$1] } >> 7)
                } else {
                    sum += weight * Int(bytes[pixel])
                }
            }
            return Int16(sum >> (pixelBytes == 4 ? 14 : 7))
        }
    }

    /// Nil if a tier wrote where it may not. The rows end where the process's memory does.
    func codes(of kernels: AreaKernels, _ page: GuardedPage) -> [Int16]? {
        let packed = (weights + [0]).map { Int16($0) }
        let output = GuardedBuffer<Int16>(count: width + 63)
        let memory = unsafe page.place(bytes)
        guard let rows = unsafe memory.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return nil }
        if pixelBytes == 4 {
            unsafe kernels.colour(
                rows, bytesPerRow, packed, weights.count, width, Int32(shares[0]), Int32(shares[1]), Int32(shares[2]),
                output.base)
        } else {
            unsafe kernels.luma(rows, bytesPerRow, packed, weights.count, width, pixelBytes, output.base)
        }
        return output.isIntact ? Array(output.values.prefix(width)) : nil
    }
}

/// Shares of `count` that add up to `unit`; every third time one has all.
private func shares(_ count: Int, of unit: Int, _ random: inout SplitMix64) -> [Int] {
    var cuts = (1..<max(count, 1)).map { _ in Int.random(in: 0...unit, using: &random) }
    if Int.random(in: 0..<3, using: &random) == 0 { cuts = cuts.map { _ in unit } }
    let all = [0] + cuts.sorted() + [unit]
    return zip(all, all.dropFirst()).map { $1 - $0 }
}

@Suite struct AreaKernelTests {
    @Test(arguments: [1, 2, 4]) func rowsAreExact(_ pixelBytes: Int) throws {
        var random = SplitMix64(seed: 21)
        let page = try GuardedPage()
        let widths = Array(1...70) + [127, 128, 129, 449, 640, 1001]
        for (name, kernels) in tiers {
            for width in widths {
                for (index, count) in [1, 2, 3, 4, 5, 9].enumerated() where width < 300 || count < 4 {
                    let stride = width * pixelBytes + [0, 1, 19][index % 3]
                    let size = (count - 1) * stride + width * pixelBytes
                    let fill: UInt8? = index == 1 ? 255 : nil
                    var rows = RowsSpecification(
                        width: width, bytesPerRow: stride, pixelBytes: pixelBytes,
                        weights: shares(count, of: 16_384, &random),
                        bytes: (0..<size).map { _ in fill ?? UInt8(truncatingIfNeeded: random.next()) })
                    if index % 2 == 1 { rows.shares = [0, 1, 16_383] }
                    let agrees = rows.codes(of: kernels, page) == rows.codes()
                    #expect(agrees, "\(name), \(pixelBytes) bytes, width \(width), \(count) rows")
                }
            }
        }
    }

    /// Every number of output pixels, with windows anywhere, of one chunk and of several.
    @Test(arguments: [1, 2, 3, 14]) func linesAreExact(_ chunks: Int) throws {
        var random = SplitMix64(seed: UInt64(22 + chunks))
        let taps = chunks * AreaColumns.taps
        for (name, kernels) in tiers {
            for count in Array(1...50) + [223, 224] {
                let width = Int.random(in: 1...500, using: &random) + taps
                let extreme = count % 5 == 0
                let codes = (0..<width).map { _ in extreme ? 32_640 : Int16.random(in: 0...32_640, using: &random) }
                let (unit, bias) = count % 2 == 0 ? (16_384, 1 << 20) : (19_077, (1 << 20) - 16 * 128 * 19_077)
                let blockBytes = AreaColumns.blockBytes(chunks)
                let columns = GuardedBuffer<UInt8>(count: AreaColumns.blocks(count) * blockBytes)
                let memory = unsafe UnsafeMutableRawPointer(columns.base)
                unsafe memory.initializeMemory(
                    as: UInt8.self, repeating: 0, count: AreaColumns.blocks(count) * blockBytes)
                let expected = (0..<count).map { i in
                    let first = Int.random(in: 0...(width - taps), using: &random)
                    let weights = shares(taps, of: unit, &random)
                    let block = i / AreaColumns.pixels * blockBytes
                    unsafe memory.storeBytes(
                        of: Int32(first), toByteOffset: block + 4 * (i % AreaColumns.pixels), as: Int32.self)
                    var sum = bias
                    for (tap, weight) in weights.enumerated() {
                        let group = 16 * (tap / AreaColumns.taps) + AreaColumns.group(i)
                        unsafe memory.storeBytes(
                            of: Int16(weight), toByteOffset: block + 64 + 16 * group + 2 * (tap % AreaColumns.taps),
                            as: Int16.self)
                        sum += Int(codes[first + tap]) * weight
                    }
                    return UInt8(min(max(sum >> 21, 0), 255))
                }
                let output = GuardedBuffer<UInt8>(count: count, misalignment: count % 3)
                unsafe kernels.line(codes, memory, chunks, Int32(bias), count, output.base)
                #expect(output.isIntact && columns.isIntact, "\(name), count \(count), \(chunks) chunks")
                let agrees = output.values == expected
                #expect(agrees, "\(name), count \(count), \(chunks) chunks")
            }
        }
    }
}
