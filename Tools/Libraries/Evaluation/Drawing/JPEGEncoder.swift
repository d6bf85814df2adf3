import Foundation

/// Baseline JPEG (ITU-T T.81) of pictures in red, green and blue: small pictures for pages, without a program beside.
///
/// Chroma has the resolution of luma. All components share one quantisation table and one pair of Huffman tables, those
/// of the standard's annex K for luma.
package struct JPEGEncoder {
    private let width: Int
    private let height: Int
    private var bytes: [UInt8] = []
    private var bits: UInt32 = 0
    private var bitCount = 0

    /// - Parameters:
    ///   - pixels: three bytes a pixel, rows from the top without padding; `3 * width * height` of them.
    ///   - width, height: 1...65535.
    ///   - quality: 1...100, as in other encoders.
    package static func encode(_ pixels: [UInt8], width: Int, height: Int, quality: Int = 75) -> [UInt8] {
        precondition((1...65_535).contains(width) && (1...65_535).contains(height), "size out of range")
        precondition(pixels.count == 3 * width * height, "pixels of another size")
        precondition((1...100).contains(quality), "quality out of range")
        var encoder = JPEGEncoder(width: width, height: height)
        return encoder.file(pixels, quality)
    }

    private init(width: Int, height: Int) { (self.width, self.height) = (width, height) }

    private mutating func file(_ pixels: [UInt8], _ quality: Int) -> [UInt8] {
        let scale = quality < 50 ? 5000 / quality : 200 - 2 * quality
        let steps = Self.luma.map { min(255, max(1, ($0 * scale + 50) / 100)) }
        bytes = [0xFF, 0xD8]
        segment(0xE0, Array("JFIF".utf8) + [0, 1, 1, 0, 0, 1, 0, 1, 0, 0])
        segment(0xDB, [0] + Self.zigzag.map { UInt8(steps[$0]) })
        func big(_ value: Int) -> [UInt8] { [UInt8(value >> 8), UInt8(value & 255)] }
        segment(0xC0, [8] + big(height) + big(width) + [3] + (1...3).flatMap { [UInt8($0), 0x11, 0] })
        segment(0xC4, [0x00] + Self.constantLengths + Self.constantSymbols)
        segment(0xC4, [0x10] + Self.changeLengths + Self.changeSymbols)
        segment(0xDA, [3] + (1...3).flatMap { [UInt8($0), 0x00] } + [0, 63, 0])
        let constants = Self.codes(Self.constantLengths, Self.constantSymbols)
        let changes = Self.codes(Self.changeLengths, Self.changeSymbols)
        var previous = [0, 0, 0]
        for top in stride(from: 0, to: height, by: 8) {
            for left in stride(from: 0, to: width, by: 8) {
                let blocks = blocks(pixels, left, top)
                for component in 0..<3 {
                    let values = Self.transformed(blocks[component])
                    let quantised = Self.zigzag.map { Int((values[$0] / Double(steps[$0])).rounded()) }
                    write(quantised, after: &previous[component], constants, changes)
                }
            }
        }
        if bitCount > 0 { write(0x7F, 7) }
        return bytes + [0xFF, 0xD9]
    }

    private mutating func segment(_ marker: UInt8, _ content: [UInt8]) {
        let length = content.count + 2
        bytes += [0xFF, marker, UInt8(length >> 8), UInt8(length & 255)] + content
    }

    /// Luma and the two chroma differences of 8x8 pixels, less 128; beyond the edge the last pixel is repeated.
    private func blocks(_ pixels: [UInt8], _ left: Int, _ top: Int) -> [[Double]] {
        var blocks = [[Double]](repeating: [Double](repeating: 0, count: 64), count: 3)
        for y in 0..<8 {
            for x in 0..<8 {
                let first = 3 * (min(height - 1, top + y) * width + min(width - 1, left + x))
                let (r, g, b) = (Double(pixels[first]), Double(pixels[first + 1]), Double(pixels[first + 2]))
                // BT.601 in full range, as JFIF has it.
                blocks[0][8 * y + x] = 0.299 * r + 0.587 * g + 0.114 * b - 128
                blocks[1][8 * y + x] = -0.168_736 * r - 0.331_264 * g + 0.5 * b
                blocks[2][8 * y + x] = 0.5 * r - 0.418_688 * g - 0.081_312 * b
            }
        }
        return blocks
    }

    /// The discrete cosine transform of the standard's section A.3.3, first along rows, then along columns.
    private static func transformed(_ block: [Double]) -> [Double] {
        var rows = [Double](repeating: 0, count: 64)
        var result = rows
        for y in 0..<8 {
            for u in 0..<8 {
                rows[8 * y + u] = (0..<8).reduce(0) { $0 + block[8 * y + $1] * cosines[8 * u + $1] }
            }
        }
        for v in 0..<8 {
            for u in 0..<8 {
                result[8 * v + u] = (0..<8).reduce(0) { $0 + rows[8 * $1 + u] * cosines[8 * v + $1] }
            }
        }
        return result
    }

    /// [frequency][sample], orthonormal.
    private static let cosines: [Double] = (0..<64).map { index in
        let (u, x) = (index / 8, index % 8)
        let scale = u == 0 ? (1.0 / 8).squareRoot() : 0.5
        return scale * cos(Double((2 * x + 1) * u) * .pi / 16)
    }

    /// Writes a block of quantised values in the order of the zigzag.
    private mutating func write(
        _ values: [Int], after previous: inout Int, _ constants: [Code?], _ changes: [Code?]
    ) {
        let difference = values[0] - previous
        previous = values[0]
        let size = Self.size(difference)
        write(constants[size])
        write(Self.magnitude(difference, size), size)
        var zeros = 0
        for value in values.dropFirst() {
            guard value != 0 else {
                zeros += 1
                continue
            }
            while zeros > 15 {
                write(changes[0xF0])
                zeros -= 16
            }
            let size = Self.size(value)
            write(changes[zeros << 4 | size])
            write(Self.magnitude(value, size), size)
            zeros = 0
        }
        if zeros > 0 { write(changes[0]) }
    }

    private static func size(_ value: Int) -> Int { Int.bitWidth - abs(value).leadingZeroBitCount }

    private static func magnitude(_ value: Int, _ size: Int) -> UInt32 {
        UInt32(value < 0 ? value + (1 << size) - 1 : value)
    }

    private mutating func write(_ code: Code?) {
        guard let code else { preconditionFailure("a value beyond the tables") }
        write(code.bits, code.length)
    }

    private mutating func write(_ value: UInt32, _ length: Int) {
        for place in (0..<length).reversed() {
            bits = bits << 1 | value >> UInt32(place) & 1
            bitCount += 1
            guard bitCount == 8 else { continue }
            bytes.append(UInt8(bits))
            // A byte of ones is followed by a zero, so that it is no marker.
            if bits == 0xFF { bytes.append(0) }
            (bits, bitCount) = (0, 0)
        }
    }

    private struct Code {
        let bits: UInt32
        let length: Int
    }

    /// The codes of all symbols, by the standard's annex C: ascending, the shortest first.
    private static func codes(_ lengths: [UInt8], _ symbols: [UInt8]) -> [Code?] {
        var codes = [Code?](repeating: nil, count: 256)
        var (code, next): (UInt32, Int) = (0, 0)
        for (index, count) in lengths.enumerated() {
            for _ in 0..<count {
                codes[Int(symbols[next])] = Code(bits: code, length: index + 1)
                code += 1
                next += 1
            }
            code <<= 1
        }
        return codes
    }

    /// The place in the block of each value in the file.
    private static let zigzag: [Int] = (0..<64).sorted { one, other in
        func key(_ place: Int) -> (Int, Int) {
            let (y, x) = (place / 8, place % 8)
            return (x + y, (x + y).isMultiple(of: 2) ? x : y)
        }
        return key(one) < key(other)
    }

    /// Table K.1.
    private static let luma = [
        16, 11, 10, 16, 24, 40, 51, 61, 12, 12, 14, 19, 26, 58, 60, 55, 14, 13, 16, 24, 40, 57, 69, 56, 14, 17, 22, 29,
        51,
        87, 80, 62, 18, 22, 37, 56, 68, 109, 103, 77, 24, 35, 55, 64, 81, 104, 113, 92, 49, 64, 78, 87, 103, 121, 120,
        101,
        72, 92, 95, 98, 112, 100, 103, 99,
    ]

    /// Table K.3: how many codes have 1, 2, ... 16 bits, and their symbols.
    private static let constantLengths: [UInt8] = [0, 1, 5, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0]
    private static let constantSymbols: [UInt8] = Array(0...11)

    /// Table K.5.
    private static let changeLengths: [UInt8] = [0, 2, 1, 3, 3, 2, 4, 3, 5, 5, 4, 4, 0, 0, 1, 0x7D]
    private static let changeSymbols: [UInt8] = {
        let frequent: [UInt8] = [
            0x01, 0x02, 0x03, 0x00, 0x04, 0x11, 0x05, 0x12, 0x21, 0x31, 0x41, 0x06, 0x13, 0x51, 0x61, 0x07, 0x22, 0x71,
            0x14, 0x32, 0x81, 0x91, 0xA1, 0x08, 0x23, 0x42, 0xB1, 0xC1, 0x15, 0x52, 0xD1, 0xF0, 0x24, 0x33, 0x62, 0x72,
            0x82,
        ]
        // The others, all of 16 bits, in their order.
        let all = (0..<16).flatMap { run in (1...10).map { UInt8(run << 4 | $0) } }
        return frequent + all.filter { !frequent.contains($0) }
    }()
}
