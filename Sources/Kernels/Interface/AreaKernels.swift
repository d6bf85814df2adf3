/// The line kernels of shrinking by area: an output pixel is the weighted mean of all the source pixels it covers.
///
/// First the rows of a line become one row of codes, then its columns become pixels. Every tier gives the same bits: each
/// step is exact integer arithmetic with one stated rounding. With `a >> n` an arithmetic shift:
///
///     codes[x] = (sum over rows r of luma(r, x) * weights[r] + 64) >> 7                                   (planar, YUYV)
///     codes[x] = (sum over rows r of colour(r, x) * weights[r] + 8192) >> 14                              (BGRA, RGBA)
///     out[i]   = clamp((sum over taps t of codes[firsts[i] + t] * columnWeights[i][t] + bias) >> 21, 0...255)
///
/// where luma(r, x) is a byte, colour(r, x) = (p[0] * share0 + p[1] * share1 + p[2] * share2 + 64) >> 7 of the pixel's bytes,
/// so that codes have 7 fraction bits, 0...32640, and every sum is exact in int32.
///
/// The caller proves every range named here; nothing is checked.
package struct AreaKernels: Sendable {
    /// Rows of luma to codes.
    /// - rows: the first row. Of each row `width * pixelBytes` bytes are readable, any alignment, not a byte more is read.
    /// - bytesPerRow: from one row to the next.
    /// - weights: `count` of them and, where that is odd, a 0; each 0...16384, sum 16384.
    /// - count: rows, at least 1.
    /// - width: pixels of a row, 1...16384.
    /// - pixelBytes: 1, or 2 for luma in every second byte; the bytes between have no influence.
    /// - codes: the first `width` are written; the 63 behind them may be.
    package typealias Luma =
        @Sendable @convention(c) (
            _ rows: UnsafePointer<UInt8>, _ bytesPerRow: Int, _ weights: UnsafePointer<Int16>, _ count: Int,
            _ width: Int, _ pixelBytes: Int, _ codes: UnsafeMutablePointer<Int16>
        ) -> Void

    /// Rows of pixels of four bytes, the fourth without influence, to codes; else as `Luma`.
    /// - share0, share1, share2: each 0...16383, sum 16384.
    package typealias Colour =
        @Sendable @convention(c) (
            _ rows: UnsafePointer<UInt8>, _ bytesPerRow: Int, _ weights: UnsafePointer<Int16>, _ count: Int,
            _ width: Int, _ share0: Int32, _ share1: Int32, _ share2: Int32, _ codes: UnsafeMutablePointer<Int16>
        ) -> Void

    /// Codes to a line.
    /// - codes: readable from every block's first column for all of its taps.
    /// - columns: `AreaColumns.blocks(count)` blocks of `chunks` chunks each.
    /// - chunks: of eight taps, at least 1.
    /// - bias: the rounding half 2^20, less the black level of video range.
    /// - count: output pixels, 1...224.
    /// - line: `count` bytes; only these are written.
    package typealias Line =
        @Sendable @convention(c) (
            _ codes: UnsafePointer<Int16>, _ columns: UnsafeRawPointer, _ chunks: Int, _ bias: Int32, _ count: Int,
            _ line: UnsafeMutablePointer<UInt8>
        ) -> Void

    package var luma: Luma
    package var colour: Colour
    package var line: Line

    package init(luma: @escaping Luma, colour: @escaping Colour, line: @escaping Line) {
        self.luma = luma
        self.colour = colour
        self.line = line
    }
}

/// How the columns of a line lie in memory, for every tier the same: blocks of sixteen output pixels. A block is its sixteen
/// first columns in Int32, then for each chunk of eight taps sixteen groups of eight Int16 weights.
///
/// Groups come in the order of pixels 0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15: vectors of two or of four groups then
/// add up, by unpacking alone, to sums in the order of the line. Pixels behind the last have weights of 0 on columns that
/// can be read.
package enum AreaColumns {
    /// Output pixels of a block.
    @inlinable package static var pixels: Int { 16 }
    /// Taps of a chunk.
    @inlinable package static var taps: Int { 8 }

    @inlinable
    package static func blocks(_ count: Int) -> Int { (count &+ 15) / 16 }

    /// Bytes of a block.
    @inlinable
    package static func blockBytes(_ chunks: Int) -> Int { 64 &+ 256 &* chunks }

    /// The place of a pixel's group among the sixteen of a chunk.
    @inlinable
    package static func group(_ pixel: Int) -> Int { (pixel & 3) &* 4 &+ (pixel & 15) &>> 2 }
}
