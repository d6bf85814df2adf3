/// The portable kernels, for every CPU: eight lanes of floats at a time, or sixteen of bytes.
package let portableMapKernels = MapKernels(
    add: { add($0, $1, $2, $3, $4) },
    maxPool: { maxPool($0, $1, $2, $3, $4, $5, $6, $7, $8, $9) },
    interpolateColumns: { interpolateColumns($0, $1, $2, $3, $4) },
    interpolateRows: { interpolateRows($0, $1, $2, $3, $4) }
)

private func add(
    _ a: UnsafePointer<UInt8>, _ b: UnsafePointer<UInt8>, _ count: Int, _ p: UnsafePointer<Float>,
    _ out: UnsafeMutablePointer<UInt8>
) {
    @inline(__always)
    func sum(_ a: SIMD8<Float>, _ b: SIMD8<Float>) -> SIMD8<Float> {
        ((a - p[0]) * p[1] + (b - p[2]) * p[3]) / p[4] + p[5]
    }
    var i = 0
    while i &+ 8 <= count {
        store(quantised(sum(floats(a + i), floats(b + i))), out + i)
        i &+= 8
    }
    while i < count {
        out[i] = quantised(sum(SIMD8(repeating: Float(a[i])), SIMD8(repeating: Float(b[i]))))[0]
        i &+= 1
    }
}

private func maxPool(
    _ input: UnsafePointer<UInt8>, _ row: Int, _ pixel: Int, _ height: Int, _ width: Int, _ step: Int,
    _ pixels: Int, _ channels: Int, _ out: UnsafeMutablePointer<UInt8>, _ outPixel: Int
) {
    for x in 0..<pixels {
        let (from, to) = (input + x &* step, out + x &* outPixel)
        var c = 0
        while c &+ 16 <= channels {
            var largest = UnsafeRawPointer(from + c).loadUnaligned(as: SIMD16<UInt8>.self)
            for v in 0..<height {
                for u in 0..<width {
                    let other = UnsafeRawPointer(from + (c &+ v &* row &+ u &* pixel)).loadUnaligned(
                        as: SIMD16<UInt8>.self)
                    largest.replace(with: other, where: other .> largest)
                }
            }
            UnsafeMutableRawPointer(to + c).storeBytes(of: largest, as: SIMD16<UInt8>.self)
            c &+= 16
        }
        while c < channels {
            var largest = from[c]
            for v in 0..<height {
                for u in 0..<width { largest = max(largest, from[c &+ v &* row &+ u &* pixel]) }
            }
            to[c] = largest
            c &+= 1
        }
    }
}

private func interpolateColumns(
    _ a: UnsafePointer<UInt8>, _ b: UnsafePointer<UInt8>, _ share: Float, _ count: Int,
    _ out: UnsafeMutablePointer<Float>
) {
    var i = 0
    while i &+ 8 <= count {
        let left = floats(a + i)
        let mix = left + share * (floats(b + i) - left)
        UnsafeMutableRawPointer(out + i).storeBytes(of: mix, as: SIMD8<Float>.self)
        i &+= 8
    }
    while i < count {
        out[i] = Float(a[i]) + share * (Float(b[i]) - Float(a[i]))
        i &+= 1
    }
}

private func interpolateRows(
    _ a: UnsafePointer<Float>, _ b: UnsafePointer<Float>, _ share: Float, _ count: Int,
    _ out: UnsafeMutablePointer<UInt8>
) {
    @inline(__always)
    func eight(_ p: UnsafePointer<Float>) -> SIMD8<Float> {
        UnsafeRawPointer(p).loadUnaligned(as: SIMD8<Float>.self)
    }
    var i = 0
    while i &+ 8 <= count {
        let above = eight(a + i)
        store(quantised(above + share * (eight(b + i) - above)), out + i)
        i &+= 8
    }
    while i < count {
        out[i] = quantised(SIMD8(repeating: a[i] + share * (b[i] - a[i])))[0]
        i &+= 1
    }
}

/// Lane by lane; the compiler vectorises it.
@inline(__always)
private func floats(_ p: UnsafePointer<UInt8>) -> SIMD8<Float> {
    let b = UnsafeRawPointer(p).loadUnaligned(as: SIMD8<UInt8>.self)
    return SIMD8(
        Float(b[0]), Float(b[1]), Float(b[2]), Float(b[3]), Float(b[4]), Float(b[5]), Float(b[6]), Float(b[7]))
}

/// Adding 2^23 rounds half to even and leaves the integer in the low bits.
@inline(__always)
private func quantised(_ value: SIMD8<Float>) -> SIMD8<UInt8> {
    // NaN becomes 0.
    var v = SIMD8<Float>(repeating: 0).replacing(with: value, where: value .> 0)
    v.replace(with: SIMD8(repeating: 255), where: v .> 255)
    let words = unsafeBitCast(v + 8_388_608, to: SIMD16<UInt16>.self).evenHalf
    return unsafeBitCast(words, to: SIMD16<UInt8>.self).evenHalf
}

@inline(__always)
private func store(_ v: SIMD8<UInt8>, _ p: UnsafeMutablePointer<UInt8>) {
    UnsafeMutableRawPointer(p).storeBytes(of: v, as: SIMD8<UInt8>.self)
}
