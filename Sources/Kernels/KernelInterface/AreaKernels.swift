/// The kernels of shrinking by area, one output row at a time: an output pixel is the weighted mean of all the source
/// pixels that it covers.
///
/// First the source rows of an output row become one row of fixed-point luma, then its values become output pixels.
/// Every tier gives the same bits: each operation is exact integer arithmetic with one stated rounding. With `a >> n`
/// an arithmetic shift:
///
///     fixedLuma[x] = (sum over rows r of luma(r, x) * weights[r] + 64) >> 7                               (planar, YUYV)
///     fixedLuma[x] = (sum over rows r of colour(r, x) * weights[r] + 8192) >> 14                          (BGRA, RGBA)
///     out[i]   = clamp((sum over taps t of fixedLuma[firsts[i] + t] * columnWeights[i][t] + bias) >> 21, 0...255)
///
/// where luma(r, x) is a byte and colour(r, x) = (p[0] * share0 + p[1] * share1 + p[2] * share2 + 64) >> 7 of the
/// pixel's bytes. So `fixedLuma` is luma with 7 fraction bits, 0...32640, and every sum is exact in int32.
///
/// The caller proves every range stated here; nothing is checked.
package struct AreaKernels: Sendable {
    /// Combines rows of luma bytes into one row of fixed-point luma.
    /// - rows: the first row. `width * pixelBytes` bytes of each row are readable, at any alignment; no other byte is
    ///   read.
    /// - bytesPerRow: from one row to the next.
    /// - weights: `count` weights and, if `count` is odd, a 0 after them; each 0...16384, sum 16384.
    /// - count: rows, at least 1.
    /// - width: pixels of a row, 1...16384.
    /// - pixelBytes: 1, or 2 for luma in every second byte; the bytes between have no influence.
    /// - fixedLuma: the first `width` values are written; up to 63 after them may be written too.
    package typealias Luma =
        @Sendable @convention(c) (
            _ rows: UnsafePointer<UInt8>, _ bytesPerRow: Int, _ weights: UnsafePointer<Int16>, _ count: Int,
            _ width: Int, _ pixelBytes: Int, _ fixedLuma: UnsafeMutablePointer<Int16>
        ) -> Void

    /// As `Luma`, from pixels of four bytes; the fourth byte has no influence.
    /// - share0, share1, share2: each 0...16383, sum 16384.
    package typealias Colour =
        @Sendable @convention(c) (
            _ rows: UnsafePointer<UInt8>, _ bytesPerRow: Int, _ weights: UnsafePointer<Int16>, _ count: Int,
            _ width: Int, _ share0: Int32, _ share1: Int32, _ share2: Int32, _ fixedLuma: UnsafeMutablePointer<Int16>
        ) -> Void

    /// Combines fixed-point luma into one output row.
    /// - fixedLuma: readable for all taps of every block, from its first column on.
    /// - columns: `AreaColumns.blocks(count)` blocks of `chunks` chunks each.
    /// - chunks: of eight taps, at least 1.
    /// - bias: the rounding half 2^20, less the black level of video range.
    /// - count: output pixels, 1...224.
    /// - line: `count` bytes; only these are written.
    package typealias Line =
        @Sendable @convention(c) (
            _ fixedLuma: UnsafePointer<Int16>, _ columns: UnsafeRawPointer, _ chunks: Int, _ bias: Int32, _ count: Int,
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

/// The layout of the weights of an output row, the same in every tier: blocks of sixteen output pixels. A block holds
/// the first source column of each of its pixels as sixteen Int32 and then, for each chunk of eight taps, sixteen
/// groups of eight Int16 weights.
///
/// Groups are in the order of pixels 0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15: unpacking alone then adds
/// vectors of two or four groups to sums in output order. Padding after the last pixel has weights of 0 and readable
/// columns.
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

    /// The index of a pixel's group among the sixteen of a chunk.
    @inlinable
    package static func group(_ pixel: Int) -> Int { (pixel & 3) &* 4 &+ (pixel & 15) &>> 2 }
}
