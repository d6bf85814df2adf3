package import KernelInterface

/// The tier every CPU has: plain Swift with eight lanes, which the compiler lowers to SSE2 or NEON.
package let portableResizeKernels = ResizeKernels(
    blendPlanar: { blendPlanar($0, $1, $2, $3, $4) },
    blendInterleaved: { blendInterleaved($0, $1, $2, $3, $4) },
    blendColour: { blendColour($0, $1, $2, $3, $4, $5, $6, $7) },
    gatherLine: { row, offsets, weights, count, bias, _, destination in
        gather(row, offsets, weights, count, bias, 1, destination)
    },
    gatherColumn: { gather($0, $1, $2, $3, $4, $5, $6) }
)

/// `p + ((q - p) * weight + 16384) >> 15`, a lane at a time.
@inline(__always)
private func mix(_ p: SIMD8<Int32>, _ q: SIMD8<Int32>, _ weight: SIMD8<Int32>) -> SIMD8<Int32> {
    p &+ (((q &- p) &* weight &+ SIMD8(repeating: 16384)) &>> SIMD8(repeating: 15))
}

@inline(__always)
private func mix(_ p: Int32, _ q: Int32, _ weight: Int32) -> Int32 {
    p &+ (((q &- p) &* weight &+ 16384) &>> 15)
}

@inline(__always)
private func store(_ lanes: SIMD8<Int32>, _ row: UnsafeMutablePointer<Int16>) {
    UnsafeMutableRawPointer(row).storeBytes(of: SIMD8<Int16>(truncatingIfNeeded: lanes), as: SIMD8<Int16>.self)
}

/// `source[x] << 7` of eight neighbours.
@inline(__always)
private func planarCodes(_ source: UnsafePointer<UInt8>) -> SIMD8<Int32> {
    let bytes = UnsafeRawPointer(source).loadUnaligned(as: SIMD8<UInt8>.self)
    return SIMD8<Int32>(truncatingIfNeeded: bytes) &<< SIMD8(repeating: 7)
}

/// `source[2x] << 7` of eight neighbours.
@inline(__always)
private func interleavedCodes(_ source: UnsafePointer<UInt8>) -> SIMD8<Int32> {
    let bytes = UnsafeRawPointer(source).loadUnaligned(as: SIMD16<UInt8>.self)
    return SIMD8<Int32>(truncatingIfNeeded: bytes.evenHalf) &<< SIMD8(repeating: 7)
}

private func blendPlanar(
    _ top: UnsafePointer<UInt8>, _ bottom: UnsafePointer<UInt8>, _ weight: Int32, _ width: Int,
    _ row: UnsafeMutablePointer<Int16>
) {
    let weights = SIMD8<Int32>(repeating: weight)
    var x = 0
    while x &+ 8 <= width {
        store(mix(planarCodes(top + x), planarCodes(bottom + x), weights), row + x)
        x &+= 8
    }
    while x < width {
        row[x] = Int16(truncatingIfNeeded: mix(Int32(top[x]) &<< 7, Int32(bottom[x]) &<< 7, weight))
        x &+= 1
    }
}

private func blendInterleaved(
    _ top: UnsafePointer<UInt8>, _ bottom: UnsafePointer<UInt8>, _ weight: Int32, _ width: Int,
    _ row: UnsafeMutablePointer<Int16>
) {
    let weights = SIMD8<Int32>(repeating: weight)
    var x = 0
    while x &+ 8 <= width {
        store(mix(interleavedCodes(top + 2 &* x), interleavedCodes(bottom + 2 &* x), weights), row + x)
        x &+= 8
    }
    while x < width {
        row[x] = Int16(truncatingIfNeeded: mix(Int32(top[2 &* x]) &<< 7, Int32(bottom[2 &* x]) &<< 7, weight))
        x &+= 1
    }
}

/// The luma of eight pixels of four bytes, in 1/128. The bytes of a pixel are taken apart by shifts of its 32-bit word,
/// which is little-endian on every platform this builds for.
@inline(__always)
private func colourCodes(
    _ source: UnsafePointer<UInt8>, _ share0: SIMD8<Int32>, _ share1: SIMD8<Int32>, _ share2: SIMD8<Int32>
) -> SIMD8<Int32> {
    let words = UnsafeRawPointer(source).loadUnaligned(as: SIMD8<Int32>.self)
    let low = SIMD8<Int32>(repeating: 255)
    let first = (words & low) &* share0
    let second = ((words &>> SIMD8(repeating: 8)) & low) &* share1
    let third = ((words &>> SIMD8(repeating: 16)) & low) &* share2
    return (first &+ second &+ third &+ SIMD8(repeating: 64)) &>> SIMD8(repeating: 7)
}

@inline(__always)
private func colourCode(_ source: UnsafePointer<UInt8>, _ share0: Int32, _ share1: Int32, _ share2: Int32) -> Int32 {
    (Int32(source[0]) &* share0 &+ Int32(source[1]) &* share1 &+ Int32(source[2]) &* share2 &+ 64) &>> 7
}

private func blendColour(
    _ top: UnsafePointer<UInt8>, _ bottom: UnsafePointer<UInt8>, _ weight: Int32,
    _ share0: Int32, _ share1: Int32, _ share2: Int32, _ width: Int, _ row: UnsafeMutablePointer<Int16>
) {
    let weights = SIMD8<Int32>(repeating: weight)
    let shares0 = SIMD8<Int32>(repeating: share0)
    let shares1 = SIMD8<Int32>(repeating: share1)
    let shares2 = SIMD8<Int32>(repeating: share2)
    var x = 0
    while x &+ 8 <= width {
        let upper = colourCodes(top + 4 &* x, shares0, shares1, shares2)
        let lower = colourCodes(bottom + 4 &* x, shares0, shares1, shares2)
        store(mix(upper, lower, weights), row + x)
        x &+= 8
    }
    while x < width {
        let upper = colourCode(top + 4 &* x, share0, share1, share2)
        let lower = colourCode(bottom + 4 &* x, share0, share1, share2)
        row[x] = Int16(truncatingIfNeeded: mix(upper, lower, weight))
        x &+= 1
    }
}

@inline(__always)
private func gather(
    _ row: UnsafePointer<Int16>, _ offsets: UnsafePointer<Int32>, _ weights: UnsafePointer<Int16>,
    _ count: Int, _ bias: Int32, _ stride: Int, _ destination: UnsafeMutablePointer<UInt8>
) {
    var i = 0
    while i < count {
        let pair = row + Int(offsets[i])
        let sum = Int32(pair[0]) &* Int32(weights[2 &* i]) &+ Int32(pair[1]) &* Int32(weights[2 &* i &+ 1]) &+ bias
        destination[i &* stride] = UInt8(truncatingIfNeeded: max(0, min(255, sum &>> 21)))
        i &+= 1
    }
}
