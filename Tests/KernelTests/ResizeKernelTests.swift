import KernelInterface
import Kernels
import TestSupport
import Testing
import Vocabulary

/// A line as the contract of `ResizeKernels` has it, one pixel at a time.
private struct LineSpecification {
    var width: Int
    var pixelBytes: Int
    var columns: [Int32]
    var weights: [Int16]
    var bias: Int
    /// Of a colour's three bytes; nil is luma.
    var shares: [Int]?

    func code(_ row: [UInt8], _ x: Int) -> Int {
        guard let shares else { return Int(row[x * pixelBytes]) << 7 }
        return (0..<3).reduce(64) { $0 + Int(row[x * pixelBytes + $1]) * shares[$1] } >> 7
    }

    func line(_ top: [UInt8], _ bottom: [UInt8], _ weight: Int) -> [UInt8] {
        func mix(_ x: Int) -> Int {
            guard x < width else { return 0 }
            let (p, q) = (code(top, x), code(bottom, x))
            return p + (((q - p) * weight + 16384) >> 15)
        }
        return columns.indices.map { i in
            let x = Int(columns[i])
            let sum = mix(x) * Int(weights[2 * i]) + mix(x + 1) * Int(weights[2 * i + 1]) + bias
            return UInt8(min(max(sum >> 21, 0), 255))
        }
    }
}

/// Lines of a tier, between guard bytes, from rows with nothing readable before or behind them.
private struct LineRunner {
    let kernels: ResizeKernels
    let top: GuardedPage
    let bottom: GuardedPage

    init(_ kernels: ResizeKernels) throws {
        self.kernels = kernels
        top = try GuardedPage()
        bottom = try GuardedPage()
    }

    /// Nil if a byte outside the line or outside the packed columns was written.
    func line(
        _ line: LineSpecification, _ topRow: [UInt8], _ bottomRow: [UInt8], _ weights: [Int], atEnd: Bool
    ) -> [[UInt8]]? {
        let (width, bytes, bias) = (line.width, line.pixelBytes, Int32(line.bias))
        let size = kernels.pack(nil, nil, line.columns.count, width, bytes, bias, nil)
        let packed = GuardedBuffer<UInt8>(count: size)
        let written = unsafe kernels.pack(
            line.columns, line.weights, line.columns.count, width, bytes, bias, packed.base)
        guard written == size, packed.isIntact else { return nil }
        let rows = unsafe (
            atEnd ? top.place(topRow) : top.placeFirst(topRow),
            atEnd ? bottom.place(bottomRow) : bottom.placeFirst(bottomRow)
        )
        guard let upper = unsafe rows.0.baseAddress?.assumingMemoryBound(to: UInt8.self),
            let lower = unsafe rows.1.baseAddress?.assumingMemoryBound(to: UInt8.self)
        else { return nil }
        var lines: [[UInt8]] = []
        for (index, weight) in weights.enumerated() {
            let output = GuardedBuffer<UInt8>(count: line.columns.count, misalignment: index)
            if let shares = line.shares {
                unsafe kernels.colour(
                    upper, lower, Int32(weight), Int32(shares[0]), Int32(shares[1]), Int32(shares[2]), packed.base,
                    output.base)
            } else {
                unsafe kernels.luma(upper, lower, Int32(weight), packed.base, output.base)
            }
            guard output.isIntact else { return nil }
            lines.append(output.values)
        }
        return lines
    }
}

private let tiers = KernelRegistry.available.map { (name: $0.tier, kernels: $0.resize) }

private let full = (unit: 16384, bias: 1 << 20)
private let video = (unit: 19077, bias: (1 << 20) - 16 * 128 * 19077)

private let rowWeights = [0, 1, 127, 8192, 16384, 20000, 32694, 32767]

private let shares = [[1868, 9617, 4899], [4899, 9617, 1868], [16383, 1, 0], [0, 1, 16383]]

@Suite struct ResizeKernelTests {
    /// The columns of bilinear interpolation with half-pixel centres, from the first to the last or back.
    private static func spread(
        _ count: Int, _ width: Int, _ pixelBytes: Int, reversed: Bool, _ range: (unit: Int, bias: Int)
    ) -> LineSpecification {
        var line = LineSpecification(width: width, pixelBytes: pixelBytes, columns: [], weights: [], bias: range.bias)
        for i in reversed ? (0..<count).reversed() : Array(0..<count) {
            let place = min(max((Double(i) + 0.5) * Double(width) / Double(count) - 0.5, 0), Double(width - 1))
            let share = Int(((place - place.rounded(.down)) * Double(range.unit)).rounded())
            line.columns.append(Int32(place))
            line.weights += [Int16(range.unit - share), Int16(share)]
        }
        return line
    }

    /// Any columns and weights that the contract allows.
    private static func scattered(
        _ count: Int, _ width: Int, _ pixelBytes: Int, _ range: (unit: Int, bias: Int), _ random: inout SplitMix64
    ) -> LineSpecification {
        var line = LineSpecification(width: width, pixelBytes: pixelBytes, columns: [], weights: [], bias: range.bias)
        for _ in 0..<count {
            let column = Int.random(in: 0..<width, using: &random)
            let any = Int.random(in: 0...range.unit, using: &random)
            let share =
                column == width - 1 ? 0 : [0, range.unit, range.unit / 2, any].randomElement(using: &random) ?? 0
            line.columns.append(Int32(column))
            line.weights += [Int16(range.unit - share), Int16(share)]
        }
        return line
    }

    private static func row(_ bytes: Int, _ fill: UInt8?, _ random: inout SplitMix64) -> [UInt8] {
        (0..<bytes).map { _ in fill ?? UInt8(truncatingIfNeeded: random.next()) }
    }

    /// Random rows at both ends of memory under every weight, and the extremes against each other under two.
    private static func check(
        _ runner: LineRunner, _ line: LineSpecification, _ name: String, _ random: inout SplitMix64
    ) {
        let bytes = line.width * line.pixelBytes
        for (fills, weights, atEnd) in [
            ((nil, nil), rowWeights, true), ((nil, nil), [1, 16384, 30001], false), ((0, 255), [0, 32767], true),
            ((255, 0), [1, 16385], false),
        ] as [((UInt8?, UInt8?), [Int], Bool)] {
            let (top, bottom) = (row(bytes, fills.0, &random), row(bytes, fills.1, &random))
            let expected = weights.map { line.line(top, bottom, $0) }
            let agrees = runner.line(line, top, bottom, weights, atEnd: atEnd) == expected
            #expect(
                agrees,
                "\(name), \(line.pixelBytes) bytes, width \(line.width), count \(line.columns.count), at end \(atEnd)")
        }
    }

    /// The shapes of frames: both sides of every way a tier may choose to read a row, both directions.
    @Test(arguments: [1, 2, 4]) func linesAreExact(_ pixelBytes: Int) throws {
        var random = SplitMix64(seed: 8)
        for (name, kernels) in tiers {
            let runner = try LineRunner(kernels)
            var widths = Array(1...20)
            for bytes in [16, 32, 64, 128, 192] {
                let pivot = bytes / pixelBytes
                widths += [pivot - 1, pivot, pivot + 1].filter { $0 > 0 }
            }
            widths +=
                [223, 224, 225, 320, 447, 448, 640, 641, 800, 1024, 1280, 1751, 1920, 1921, 2047, 3000, 3840, 4097]
            for (index, width) in widths.enumerated() {
                for reversed in [false, true] {
                    let count = index % 3 == 0 ? 223 : 224
                    var line = Self.spread(
                        count, width, pixelBytes, reversed: reversed, index % 2 == 0 ? full : video)
                    if pixelBytes == 4 { line.shares = shares[index % 4] }
                    Self.check(runner, line, name, &random)
                }
            }
        }
    }

    /// Every number of output pixels, which leaves every tail, and every width of short rows.
    @Test(arguments: [1, 2, 4]) func tailsAreExact(_ pixelBytes: Int) throws {
        var random = SplitMix64(seed: 9)
        for (name, kernels) in tiers {
            let runner = try LineRunner(kernels)
            for count in 1...70 {
                for width in [count, 131 + count, 7 * count, 1 + count / 3] {
                    var line = Self.spread(count, width, pixelBytes, reversed: count % 2 == 0, full)
                    if pixelBytes == 4 { line.shares = shares[count % 4] }
                    Self.check(runner, line, name, &random)
                }
            }
        }
    }

    /// Columns in any order, near and far.
    @Test(arguments: [1, 2, 4]) func scatteredColumnsAreExact(_ pixelBytes: Int) throws {
        var random = SplitMix64(seed: 10)
        for (name, kernels) in tiers {
            let runner = try LineRunner(kernels)
            for step in 0..<120 {
                let count = Int.random(in: 1...224, using: &random)
                let limit = [20, 130, 260, 600, 5000, 16384][step % 6]
                let width = Int.random(in: 1...limit, using: &random)
                var line = Self.scattered(count, width, pixelBytes, step % 2 == 0 ? full : video, &random)
                if pixelBytes == 4 { line.shares = shares[step % 4] }
                Self.check(runner, line, name, &random)
            }
        }
    }
}
