/// The portable kernels, for every CPU.
package let portableAreaKernels = AreaKernels(
    luma: { luma($0, $1, $2, $3, $4, $5, $6) },
    colour: { colour($0, $1, $2, $3, $4, $5, $6, $7, $8) },
    line: { line($0, $1, $2, $3, $4, $5) }
)

private func luma(
    _ rows: UnsafePointer<UInt8>, _ bytesPerRow: Int, _ weights: UnsafePointer<Int16>, _ count: Int, _ width: Int,
    _ pixelBytes: Int, _ fixedLuma: UnsafeMutablePointer<Int16>
) {
    var x = 0
    while x &+ 16 <= width {
        var sums = SIMD16<Int32>(repeating: 64)
        var row = UnsafeRawPointer(rows + x &* pixelBytes)
        for r in 0..<count {
            let bytes: SIMD16<Int32>
            if pixelBytes == 1 {
                bytes = SIMD16(truncatingIfNeeded: row.loadUnaligned(as: SIMD16<UInt8>.self))
            } else {
                // All supported platforms are little-endian: luma is the low byte.
                bytes = SIMD16(truncatingIfNeeded: row.loadUnaligned(as: SIMD16<UInt16>.self) & SIMD16(repeating: 255))
            }
            sums &+= bytes &* SIMD16(repeating: Int32(weights[r]))
            row += bytesPerRow
        }
        let line = SIMD16<Int16>(truncatingIfNeeded: sums &>> SIMD16(repeating: 7))
        UnsafeMutableRawPointer(fixedLuma + x).storeBytes(of: line, as: SIMD16<Int16>.self)
        x &+= 16
    }
    while x < width {
        var sum: Int32 = 64
        for r in 0..<count { sum &+= Int32(rows[r &* bytesPerRow &+ x &* pixelBytes]) &* Int32(weights[r]) }
        fixedLuma[x] = Int16(truncatingIfNeeded: sum &>> 7)
        x &+= 1
    }
}

private func colour(
    _ rows: UnsafePointer<UInt8>, _ bytesPerRow: Int, _ weights: UnsafePointer<Int16>, _ count: Int, _ width: Int,
    _ share0: Int32, _ share1: Int32, _ share2: Int32, _ fixedLuma: UnsafeMutablePointer<Int16>
) {
    let shares = ColourShares(share0, share1, share2)
    let half = SIMD8<Int32>(repeating: 8192)
    var x = 0
    while x < width {
        var sums = half
        var row = UnsafeRawPointer(rows + 4 &* x)
        for r in 0..<count {
            var pixels: SIMD8<Int32>
            if x &+ 8 <= width {
                pixels = row.loadUnaligned(as: SIMD8<Int32>.self)
            } else {
                pixels = .zero
                for lane in 0..<(width &- x) {
                    pixels[lane] = row.loadUnaligned(fromByteOffset: 4 &* lane, as: Int32.self)
                }
            }
            sums &+= shares.fixedLuma(pixels) &* SIMD8(repeating: Int32(weights[r]))
            row += bytesPerRow
        }
        let line = SIMD8<Int16>(truncatingIfNeeded: sums &>> SIMD8(repeating: 14))
        UnsafeMutableRawPointer(fixedLuma + x).storeBytes(of: line, as: SIMD8<Int16>.self)
        x &+= 8
    }
}

private func line(
    _ fixedLuma: UnsafePointer<Int16>, _ columns: UnsafeRawPointer, _ chunks: Int, _ bias: Int32, _ count: Int,
    _ line: UnsafeMutablePointer<UInt8>
) {
    let blockBytes = AreaColumns.blockBytes(chunks)
    for i in 0..<count {
        let block = columns + (i / 16 &* blockBytes)
        let first = Int(block.load(fromByteOffset: 4 &* (i & 15), as: Int32.self))
        var window = UnsafeRawPointer(fixedLuma + first)
        var weights = block + (64 &+ 16 &* AreaColumns.group(i))
        var sums = SIMD8<Int32>.zero
        for _ in 0..<chunks {
            let taps = SIMD8<Int32>(truncatingIfNeeded: window.loadUnaligned(as: SIMD8<Int16>.self))
            sums &+= taps &* SIMD8<Int32>(truncatingIfNeeded: weights.load(as: SIMD8<Int16>.self))
            window += 16
            weights += 256
        }
        let sum = (sums.wrappedSum() &+ bias) &>> 21
        line[i] = UInt8(truncatingIfNeeded: min(max(sum, 0), 255))
    }
}
