/// The portable kernels, for every CPU.
package let portableCropKernels = CropKernels(
    packed: { packed($0, $1, $2, $3, $4, $5, $6, $7, $8, $9) },
    planar: { planar($0, $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15) }
)

/// A position between four pixels.
private struct Place {
    /// Columns and rows, clamped to the limits.
    var left: Int
    var right: Int
    var top: Int
    var bottom: Int
    /// Shares of the four pixels in 1/1024.
    var topLeft: UInt64
    var topRight: UInt64
    var bottomLeft: UInt64
    var bottomRight: UInt64

    @inline(__always)
    init(_ x: Int32, _ y: Int32, _ limits: CropLimits) {
        let (column, row) = (Int(x &>> 16), Int(y &>> 16))
        (left, right) = (limits.column(column), limits.column(column &+ 1))
        (top, bottom) = (limits.row(row), limits.row(row &+ 1))
        let across = UInt64(truncatingIfNeeded: x &>> 11 & 31)
        let down = UInt64(truncatingIfNeeded: y &>> 11 & 31)
        bottomRight = across &* down
        topRight = across &<< 5 &- bottomRight
        bottomLeft = down &<< 5 &- bottomRight
        topLeft = 1024 &- across &<< 5 &- bottomLeft
    }
}

/// One 21-bit field of a register. Three 18-bit sums share a register, so that four multiplications mix three channels.
private let field: UInt64 = 0x1F_FFFF

private func packed(
    _ pixels: UnsafePointer<UInt8>, _ bytesPerRow: Int, _ limits: UnsafePointer<Int32>, _ red: Int, _ x: Int32,
    _ y: Int32, _ stepX: Int32, _ stepY: Int32, _ count: Int, _ rgb: UnsafeMutablePointer<UInt8>
) {
    let limits = CropLimits(limits)
    let pixels = UnsafeRawPointer(pixels)
    let half: UInt64 = 512 | 512 << 21 | 512 << 42
    let (redShift, blueShift) = red == 0 ? (UInt64(0), UInt64(42)) : (42, 0)

    @inline(__always)
    func spread(_ row: Int, _ column: Int) -> UInt64 {
        let bytes = pixels.loadUnaligned(fromByteOffset: row &+ column &* 4, as: UInt32.self)
        let pixel = UInt64(UInt32(littleEndian: bytes))
        return pixel & 0xFF | pixel &<< 13 & (0xFF << 21) | pixel &<< 26 & (0xFF << 42)
    }

    var (x, y) = (x &+ 1024, y &+ 1024)
    for i in 0..<count {
        let place = Place(x, y, limits)
        let (top, bottom) = (place.top &* bytesPerRow, place.bottom &* bytesPerRow)
        let mix =
            spread(top, place.left) &* place.topLeft &+ spread(top, place.right) &* place.topRight
            &+ spread(bottom, place.left) &* place.bottomLeft &+ spread(bottom, place.right) &* place.bottomRight
            &+ half
        rgb[3 &* i] = UInt8(truncatingIfNeeded: mix &>> (redShift &+ 10))
        rgb[3 &* i &+ 1] = UInt8(truncatingIfNeeded: mix &>> 31)
        rgb[3 &* i &+ 2] = UInt8(truncatingIfNeeded: mix &>> (blueShift &+ 10))
        x &+= stepX
        y &+= stepY
    }
}

private func planar(
    _ luma: UnsafePointer<UInt8>, _ bytesPerRow: Int, _ lumaStep: Int, _ blue: UnsafePointer<UInt8>,
    _ red: UnsafePointer<UInt8>, _ chromaBytesPerRow: Int, _ chromaStep: Int, _ rowShift: Int,
    _ matrix: UnsafePointer<Int32>, _ limits: UnsafePointer<Int32>, _ x: Int32, _ y: Int32, _ stepX: Int32,
    _ stepY: Int32, _ count: Int, _ rgb: UnsafeMutablePointer<UInt8>
) {
    let limits = CropLimits(limits)
    let (m0, m1, m2, m3, m4) = (matrix[0], matrix[1], matrix[2], matrix[3], matrix[4])
    let (black, last) = (matrix[5], Int(matrix[6]))

    var (x, y) = (x &+ 1024, y &+ 1024)
    for i in 0..<count {
        let place = Place(x, y, limits)
        let (left, right) = (
            min(place.left &>> 1, last) &* chromaStep, min(place.right &>> 1, last) &* chromaStep
        )

        @inline(__always)
        func spread(_ row: Int, _ column: Int, _ chroma: Int) -> UInt64 {
            let start = (row &>> rowShift) &* chromaBytesPerRow &+ chroma
            return UInt64(luma[row &* bytesPerRow &+ column &* lumaStep]) | UInt64(blue[start]) &<< 21
                | UInt64(red[start]) &<< 42
        }

        let mix =
            spread(place.top, place.left, left) &* place.topLeft
            &+ spread(place.top, place.right, right) &* place.topRight
            &+ spread(place.bottom, place.left, left) &* place.bottomLeft
            &+ spread(place.bottom, place.right, right) &* place.bottomRight
        let level = (Int32(truncatingIfNeeded: mix & field) &>> 3 &- black) &* m0 &+ 524_288
        let blueDifference = Int32(truncatingIfNeeded: mix &>> 21 & field) &>> 3 &- 16_384
        let redDifference = Int32(truncatingIfNeeded: mix &>> 42) &>> 3 &- 16_384
        rgb[3 &* i] = code(level &+ redDifference &* m1)
        rgb[3 &* i &+ 1] = code(level &- blueDifference &* m2 &- redDifference &* m3)
        rgb[3 &* i &+ 2] = code(level &+ blueDifference &* m4)
        x &+= stepX
        y &+= stepY
    }
}

@inline(__always)
private func code(_ sum: Int32) -> UInt8 {
    UInt8(truncatingIfNeeded: min(max(sum &>> 20, 0), 255))
}
