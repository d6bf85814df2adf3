/// The portable kernels, for every CPU: pixels are loaded one by one and computed eight at a time, which the compiler
/// lowers to SSE2 or NEON.
package let portableResizeKernels = ResizeKernels(
    pack: { pack($0, $1, $2, $3, $4, $5, $6) },
    luma: { luma($0, $1, $2, $3, $4) },
    colour: { colour($0, $1, $2, $3, $4, $5, $6, $7) },
    area: portableAreaKernels
)

// Packed: count and bias, then a `Group` for every eight output pixels. The last group repeats the last pixel.

private struct Header {
    var count: Int
    var bias: Int32
}

/// Eight output pixels.
private struct Group {
    /// Bytes from the start of a row to the pixel and to its right neighbour; the last pixel of a row is its own
    /// neighbour.
    var first: SIMD8<Int32>
    var second: SIMD8<Int32>
    var firstWeight: SIMD8<Int32>
    var secondWeight: SIMD8<Int32>
}

private let headerBytes = 32
private let groupBytes = 128

private func pack(
    _ columns: UnsafePointer<Int32>?, _ weights: UnsafePointer<Int16>?, _ count: Int, _ width: Int, _ pixelBytes: Int,
    _ bias: Int32, _ packed: UnsafeMutableRawPointer?
) -> Int {
    let groups = (count + 7) / 8
    let size = headerBytes + groups * groupBytes
    guard let columns, let weights, let packed else { return size }
    packed.storeBytes(of: Header(count: count, bias: bias), as: Header.self)
    for index in 0..<groups {
        var group = Group(first: .zero, second: .zero, firstWeight: .zero, secondWeight: .zero)
        for lane in 0..<8 {
            let i = min(8 * index + lane, count - 1)
            let column = Int(columns[i])
            group.first[lane] = Int32(truncatingIfNeeded: column * pixelBytes)
            group.second[lane] = Int32(truncatingIfNeeded: min(column + 1, width - 1) * pixelBytes)
            group.firstWeight[lane] = Int32(weights[2 * i])
            group.secondWeight[lane] = Int32(weights[2 * i + 1])
        }
        packed.storeBytes(of: group, toByteOffset: headerBytes + index * groupBytes, as: Group.self)
    }
    return size
}

/// `p + ((q - p) * weight + 16384) >> 15`, a lane at a time.
@inline(__always)
private func mix(_ p: SIMD8<Int32>, _ q: SIMD8<Int32>, _ weight: SIMD8<Int32>) -> SIMD8<Int32> {
    p &+ (((q &- p) &* weight &+ SIMD8(repeating: 16384)) &>> SIMD8(repeating: 15))
}

/// Adds the two weighted pixels, rounds to bytes and stores the first `count`.
@inline(__always)
private func store(
    _ first: SIMD8<Int32>, _ second: SIMD8<Int32>, _ group: Group, _ bias: Int32, _ count: Int,
    _ line: UnsafeMutablePointer<UInt8>
) {
    let sum = first &* group.firstWeight &+ second &* group.secondWeight &+ SIMD8(repeating: bias)
    let fixedLuma = (sum &>> SIMD8(repeating: 21)).clamped(
        lowerBound: SIMD8(repeating: 0), upperBound: SIMD8(repeating: 255))
    let bytes = SIMD8<UInt8>(truncatingIfNeeded: fixedLuma)
    if count >= 8 {
        UnsafeMutableRawPointer(line).storeBytes(of: bytes, as: SIMD8<UInt8>.self)
    } else {
        for lane in 0..<count { line[lane] = bytes[lane] }
    }
}

/// The bytes at eight offsets, in 1/128.
@inline(__always)
private func fixedLuma(_ row: UnsafePointer<UInt8>, _ offsets: SIMD8<Int32>) -> SIMD8<Int32> {
    @inline(__always) func byte(_ lane: Int) -> Int32 { Int32(row[Int(offsets[lane])]) }
    let bytes = SIMD8(byte(0), byte(1), byte(2), byte(3), byte(4), byte(5), byte(6), byte(7))
    return bytes &<< SIMD8(repeating: 7)
}

private func luma(
    _ top: UnsafePointer<UInt8>, _ bottom: UnsafePointer<UInt8>, _ weight: Int32, _ packed: UnsafeRawPointer,
    _ line: UnsafeMutablePointer<UInt8>
) {
    let header = packed.load(as: Header.self)
    let weights = SIMD8<Int32>(repeating: weight)
    var records = packed + headerBytes
    var done = 0
    while done < header.count {
        let group = records.load(as: Group.self)
        let first = mix(fixedLuma(top, group.first), fixedLuma(bottom, group.first), weights)
        let second = mix(fixedLuma(top, group.second), fixedLuma(bottom, group.second), weights)
        store(first, second, group, header.bias, header.count &- done, line + done)
        records += groupBytes
        done &+= 8
    }
}

/// The shares of a pixel's bytes in its luma.
struct ColourShares {
    private let share0: SIMD8<Int32>
    private let share1: SIMD8<Int32>
    private let share2: SIMD8<Int32>

    @inline(__always)
    init(_ share0: Int32, _ share1: Int32, _ share2: Int32) {
        self.share0 = SIMD8(repeating: share0)
        self.share1 = SIMD8(repeating: share1)
        self.share2 = SIMD8(repeating: share2)
    }

    /// The luma of eight pixels, in 1/128. Shifts extract the bytes of a pixel from its 32-bit word; all supported
    /// platforms are little-endian.
    @inline(__always)
    func fixedLuma(_ pixels: SIMD8<Int32>) -> SIMD8<Int32> {
        let low = SIMD8<Int32>(repeating: 255)
        let first = (pixels & low) &* share0
        let second = ((pixels &>> SIMD8(repeating: 8)) & low) &* share1
        let third = ((pixels &>> SIMD8(repeating: 16)) & low) &* share2
        return (first &+ second &+ third &+ SIMD8(repeating: 64)) &>> SIMD8(repeating: 7)
    }
}

/// The luma of pixels of four bytes at eight offsets, in 1/128.
@inline(__always)
private func fixedLuma(_ row: UnsafePointer<UInt8>, _ offsets: SIMD8<Int32>, _ shares: ColourShares) -> SIMD8<Int32> {
    @inline(__always) func word(_ lane: Int) -> Int32 {
        UnsafeRawPointer(row + Int(offsets[lane])).loadUnaligned(as: Int32.self)
    }
    return shares.fixedLuma(SIMD8(word(0), word(1), word(2), word(3), word(4), word(5), word(6), word(7)))
}

private func colour(
    _ top: UnsafePointer<UInt8>, _ bottom: UnsafePointer<UInt8>, _ weight: Int32,
    _ share0: Int32, _ share1: Int32, _ share2: Int32, _ packed: UnsafeRawPointer, _ line: UnsafeMutablePointer<UInt8>
) {
    let header = packed.load(as: Header.self)
    let weights = SIMD8<Int32>(repeating: weight)
    let shares = ColourShares(share0, share1, share2)
    var records = packed + headerBytes
    var done = 0
    while done < header.count {
        let group = records.load(as: Group.self)
        let first = mix(fixedLuma(top, group.first, shares), fixedLuma(bottom, group.first, shares), weights)
        let second = mix(fixedLuma(top, group.second, shares), fixedLuma(bottom, group.second, shares), weights)
        store(first, second, group, header.bias, header.count &- done, line + done)
        records += groupBytes
        done &+= 8
    }
}
