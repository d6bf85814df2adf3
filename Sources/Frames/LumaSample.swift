/// The luma of single pixels, for measuring a frame without resizing it.
extension PixelView.Format {
    /// Luma of the pixel at an address, as the frame stores it; BT.601 luma for packed colours.
    /// - Requires: `bytesPerPixel` readable bytes.
    @inline(__always)
    package func luma(at pixel: UnsafePointer<UInt8>) -> Int32 {
        // The caller proves that the pixel is readable.
        switch self {
        case .gray8, .nv12, .nv21, .i420, .yuyv: unsafe Int32(pixel[0])
        case .bgra: unsafe LumaMix.mix(red: pixel[2], green: pixel[1], blue: pixel[0])
        case .rgba: unsafe LumaMix.mix(red: pixel[0], green: pixel[1], blue: pixel[2])
        }
    }
}

/// Luma of colours in integers: (77 red + 150 green + 29 blue + 128) / 256, rounded down. All sums fit 16 bits.
enum LumaMix {
    private static let red: UInt16 = 77
    private static let green: UInt16 = 150
    private static let blue: UInt16 = 29
    private static let half: UInt16 = 128

    @inline(__always)
    static func mix(red: UInt8, green: UInt8, blue: UInt8) -> Int32 {
        let sum = Self.red &* UInt16(red) &+ Self.green &* UInt16(green) &+ Self.blue &* UInt16(blue) &+ half
        return Int32(sum &>> 8)
    }

    /// Luma of pixels of four bytes, each a little-endian number: the first byte is its lowest.
    /// - Parameter redFirst: whether the first byte is red; otherwise it is blue.
    @inline(__always)
    static func mix(_ pixels: SIMD8<UInt32>, redFirst: Bool) -> SIMD8<UInt32> {
        // Each pixel as two 16-bit numbers, the lower one first, because SSE2 has no 32-bit products.
        let outer = words(pixels & SIMD8(repeating: 0x00FF_00FF))
        let middle = words((pixels &>> SIMD8(repeating: 8)) & SIMD8(repeating: 0xFF))
        let (first, third) = redFirst ? (red, blue) : (blue, red)
        let sums = quads(outer &* pair(first, third) &+ middle &* pair(green, 0) &+ pair(half, 0))
        let total = (sums &+ (sums &>> SIMD8(repeating: 16))) & SIMD8(repeating: 0xFFFF)
        return total &>> SIMD8(repeating: 8)
    }

    @inline(__always)
    private static func pair(_ low: UInt16, _ high: UInt16) -> SIMD16<UInt16> {
        words(SIMD8(repeating: UInt32(low) | UInt32(high) << 16))
    }

    @inline(__always)
    private static func words(_ quads: SIMD8<UInt32>) -> SIMD16<UInt16> {
        // Both have 32 bytes, and every pattern is a value.
        unsafe unsafeBitCast(quads, to: SIMD16<UInt16>.self)
    }

    @inline(__always)
    private static func quads(_ words: SIMD16<UInt16>) -> SIMD8<UInt32> {
        // Both have 32 bytes, and every pattern is a value.
        unsafe unsafeBitCast(words, to: SIMD8<UInt32>.self)
    }
}
