import KernelInterface

// The kernels of a graph's operators that are no convolutions. With `sabotage`, one number is wrong.
extension BaseSweeps {
    private static var counts: [Int] { [Int](0...17) + [24, 31, 32, 33, 47, 64, 100, 256] }

    /// Zero points and scales of both inputs and of the output. Large ones leave the range; with the last, halves are
    /// common.
    private static let parameters: [[Float]] = [
        [131, 0.0729, 7, 0.119, 0.151, 122], [0, 0.0235, 255, 0.5, 0.0471, 0], [128, 300, 127, 0.001, 0.02, 255],
        [12, 0.5, 200, 0.5, 1, 100],
    ]

    mutating func mapAdd() {
        for round in 0..<20 {
            for count in Self.counts {
                let edge = nextEdge()
                let a = bytes(count, edge)
                let b = bytes(count, edge)
                var parameters = Self.parameters[round % Self.parameters.count]
                let expected = Buffer(count, edge)
                let found = Buffer(count, edge)
                table(true).map.add(a.bytes, b.bytes, count, parameters, expected.bytes)
                if sabotage { parameters[0] += 9 }
                table(false).map.add(a.bytes, b.bytes, count, parameters, found.bytes)
                check(areEqual(expected, found), [round, count])
                // In place.
                if !sabotage {
                    table(false).map.add(a.bytes, b.bytes, count, parameters, b.bytes)
                    check(areEqual(expected, b), [round, count, 1])
                }
            }
        }
        // Every pair of values.
        for parameters in Self.parameters {
            let a = Buffer(65_536, .after)
            let b = Buffer(65_536, .after)
            for index in 0..<65_536 {
                a.bytes[index] = UInt8(index / 256)
                b.bytes[index] = UInt8(index % 256)
            }
            let expected = Buffer(65_536, .after)
            let found = Buffer(65_536, .after)
            table(true).map.add(a.bytes, b.bytes, 65_536, parameters, expected.bytes)
            table(false).map.add(a.bytes, b.bytes, 65_536, parameters, found.bytes)
            check(areEqual(expected, found), [65_536])
        }
    }

    mutating func mapMaxPool() {
        for height in 1...3 {
            for width in 1...3 {
                for channels in [1, 3, 15, 16, 17, 31, 32, 40, 64] {
                    for pixels in [0, 1, 2, 5] {
                        let edge = nextEdge()
                        let (pixel, stride) = (channels + turns(3), 1 + turns(2))
                        let row = (stride * (pixels + 1) + width) * pixel + turns(5)
                        let last = pixels == 0 ? 0 : stride * (pixels - 1) + width - 1
                        let input = bytes((height - 1) * row + last * pixel + channels, edge)
                        let outPixel = channels + turns(2)
                        let size = pixels == 0 ? 0 : (pixels - 1) * outPixel + channels
                        let expected = Buffer(size, edge)
                        let found = Buffer(size, edge)
                        table(true).map.maxPool(
                            input.bytes, row, pixel, height, width, stride * pixel, pixels, channels, expected.bytes,
                            outPixel)
                        if sabotage { input.bytes[0] ^= 255 }
                        table(false).map.maxPool(
                            input.bytes, row, pixel, height, width, stride * pixel, pixels, channels, found.bytes,
                            outPixel)
                        check(areEqual(expected, found), [height, width, channels, pixels])
                    }
                }
            }
        }
    }

    mutating func mapInterpolateColumns() {
        for round in 0..<12 {
            for count in Self.counts {
                let edge = nextEdge()
                let a = bytes(count, edge)
                let b = bytes(count, edge)
                let share = Float(generator.below(1025)) / 1024
                let expected = Buffer(4 * count, edge)
                let found = Buffer(4 * count, edge)
                table(true).map.interpolateColumns(a.bytes, b.bytes, share, count, expected.floats)
                if sabotage && count > 0 { a.bytes[0] ^= 64 }
                table(false).map.interpolateColumns(a.bytes, b.bytes, share, count, found.floats)
                check(areEqual(expected, found), [round, count])
            }
        }
    }

    mutating func mapInterpolateRows() {
        for round in 0..<24 {
            for count in Self.counts {
                let edge = nextEdge()
                let a = Buffer(4 * count, edge)
                let b = Buffer(4 * count, edge)
                for index in 0..<count {
                    // Within bytes and far outside, halves, and what is no number.
                    a.floats[index] =
                        Float(generator.below(round % 3 == 0 ? 2000 : 510)) / 2 - (round % 3 == 0 ? 500 : 0)
                    b.floats[index] = round % 4 == 0 ? a.floats[index] : Float(generator.below(256))
                    if generator.below(50) == 0 {
                        a.floats[index] = [.nan, .infinity, -.infinity, -0][generator.below(4)]
                    }
                }
                let share = Float(generator.below(5)) / 4
                let expected = Buffer(count, edge)
                let found = Buffer(count, edge)
                table(true).map.interpolateRows(a.floats, b.floats, share, count, expected.bytes)
                if sabotage && count > 0 {
                    a.floats[0] = expected.bytes[0] > 127 ? -5000 : 5000
                    b.floats[0] = a.floats[0]
                }
                table(false).map.interpolateRows(a.floats, b.floats, share, count, found.bytes)
                check(areEqual(expected, found), [round, count])
            }
        }
    }

    private mutating func turns(_ count: Int) -> Int { generator.below(count) }
}
