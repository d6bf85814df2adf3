/// The kernels of the bilinear resize to 224 x 224 luma, one output row at a time from two source rows.
///
/// The columns of a geometry are packed once, in the tier's own order; then each output row is one call. Only the
/// pixels that have an influence need be read. Every tier gives the same bits: each operation is exact integer
/// arithmetic with one stated rounding. With `a >> n` an arithmetic shift, and row T above row B:
///
///     mix(x) = T(x) + ((B(x) - T(x)) * weight + 16384) >> 15                  (the product is `pmulhrsw`, `sqrdmulh`)
///     out[i] = clamp((mix(c) * weights[2i] + mix(c + 1) * weights[2i + 1] + bias) >> 21, 0...255),  c = columns[i]
///
/// where T(x) and B(x) are luma with 7 fraction bits, 0...32640, and the sum is exact in int32 (a `pmaddwd`).
///
/// The caller proves every range stated here; nothing is checked.
package struct ResizeKernels: Sendable {
    /// Packs the source columns and weights of an output row.
    /// - columns: `count` indices of pixels, 0..<width, in any order (descending for a mirrored row).
    /// - weights: `2 * count`, each 0...19077, each pair summing to at most 19077. If c is the last pixel, the weight
    ///   of its right neighbour is 0.
    /// - count: output pixels, 1...224.
    /// - width: pixels of a source row, 1...16384.
    /// - pixelBytes: 1 or 2 for `luma`, 4 for `colour`: bytes from one pixel to the next.
    /// - bias: the rounding half 2^20, less the black level of video range.
    /// - packed: 64-byte aligned; nil asks for the size alone, and then `columns` and `weights` may be nil too.
    /// - returns: the bytes of `packed`, which depend on `count` alone.
    package typealias Pack =
        @Sendable @convention(c) (
            _ columns: UnsafePointer<Int32>?, _ weights: UnsafePointer<Int16>?, _ count: Int, _ width: Int,
            _ pixelBytes: Int, _ bias: Int32, _ packed: UnsafeMutableRawPointer?
        ) -> Int

    /// A row from luma bytes: T(x) = top[x * pixelBytes] << 7, B(x) likewise. The bytes between have no influence.
    /// - top, bottom: `width * pixelBytes` readable bytes each, at any alignment; no other byte is read. They may be
    ///   the same row.
    /// - weight: 0..<32768, the share of `bottom` in 1/32768.
    /// - packed: what `pack` wrote for this `width` with `pixelBytes` 1 or 2.
    /// - line: `count` bytes, must not alias the sources; only these are written.
    package typealias Luma =
        @Sendable @convention(c) (
            _ top: UnsafePointer<UInt8>, _ bottom: UnsafePointer<UInt8>, _ weight: Int32, _ packed: UnsafeRawPointer,
            _ line: UnsafeMutablePointer<UInt8>
        ) -> Void

    /// A row from pixels of four bytes: T(x) = (p[0] * share0 + p[1] * share1 + p[2] * share2 + 64) >> 7 with
    /// p = top + 4x, B(x) likewise. The fourth byte has no influence.
    /// - top, bottom: `4 * width` readable bytes each, at any alignment; no other byte is read. They may be the same
    ///   row.
    /// - weight: 0..<32768, the share of `bottom` in 1/32768.
    /// - share0, share1, share2: each 0...16383, sum 16384 (so that luma fits: 255 gives 32640).
    /// - packed: what `pack` wrote for this `width` with `pixelBytes` 4.
    /// - line: `count` bytes, must not alias the sources; only these are written.
    package typealias Colour =
        @Sendable @convention(c) (
            _ top: UnsafePointer<UInt8>, _ bottom: UnsafePointer<UInt8>, _ weight: Int32,
            _ share0: Int32, _ share1: Int32, _ share2: Int32, _ packed: UnsafeRawPointer,
            _ line: UnsafeMutablePointer<UInt8>
        ) -> Void

    package var pack: Pack

    /// Planar luma (gray8, NV12, I420) and luma in every second byte (YUYV).
    package var luma: Luma

    /// BGRA, RGBA.
    package var colour: Colour

    /// For stronger shrinking than interpolation between two rows and two columns can represent.
    package var area: AreaKernels

    package init(pack: @escaping Pack, luma: @escaping Luma, colour: @escaping Colour, area: AreaKernels) {
        self.pack = pack
        self.luma = luma
        self.colour = colour
        self.area = area
    }
}
