import Frames
import Platform

/// Converts stored luma and chroma; holds the numbers of `CropKernels.Planar`.
///
/// With the shares Kr, Kg and Kb of red, green and blue in luma and chroma in -1/2...1/2, red = Y + 2 (1 - Kr) Cr, blue
/// = Y + 2 (1 - Kb) Cb, and green follows from luma. In full range this chroma interval has 255 steps, in video range
/// 224, and luma 219 from 16 on (ITU-R BT.601-7, BT.709-6).
struct ColorConversion {
    /// The seven numbers; see `CropKernels.Planar`.
    let numbers: FixedArray<(SIMD4<Int32>, SIMD2<Int32>, Int32), Int32>

    /// - Parameter last: the last sample of a row of chroma.
    init(_ range: PixelView.LumaRange, _ matrix: PixelView.ColorMatrix, last: Int) {
        let (red, blue) =
            switch matrix {
            case .bt601: (0.299, 0.114)
            case .bt709: (0.2126, 0.0722)
            }
        let green = 1 - red - blue
        let (luma, chroma) = range == .video ? (255.0 / 219, 255.0 / 224) : (1, 1)
        func fixed(_ factor: Double) -> Int32 { Int32((8192 * factor).rounded()) }
        let (byRed, byBlue) = (2 * (1 - red) * chroma, 2 * (1 - blue) * chroma)
        let (blueInGreen, redInGreen) = (fixed(byBlue * blue / green), fixed(byRed * red / green))
        // Seven fraction bits.
        let black: Int32 = range == .video ? 16 * 128 : 0
        numbers = FixedArray(
            (SIMD4(fixed(luma), fixed(byRed), blueInGreen, redInGreen), SIMD2(fixed(byBlue), black), Int32(last)))
    }
}
