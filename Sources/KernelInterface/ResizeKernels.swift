/// The row primitives of the bilinear resize to 224 x 224 luma.
///
/// One output line is two calls: a blend of two source rows into one row of `Int16` (luma code times 128, so 0...32640),
/// then a gather of pairs of neighbours from that row. Every tier gives the same bits: each step below is exact integer
/// arithmetic with one stated rounding.
///
/// Common terms, with `a >> n` an arithmetic shift:
///
///     scaled(a, w) = (a * w + 16384) >> 15              w in 0..<32768, |a| <= 32640 (this is `pmulhrsw`, `sqrdmulh`)
///     mix(p, q, w) = p + scaled(q - p, w)               stays between p and q
///
/// The caller proves every range named here; nothing is checked.
package struct ResizeKernels: Sendable {
    /// row[x] = mix(top[x * step] << 7, bottom[x * step] << 7, weight), for 0 <= x < width; the `step` is the kernel's own.
    /// - top, bottom: `width * step` readable bytes each, any alignment, not a byte more is read; they may be the same row.
    /// - weight: 0..<32768, the share of `bottom` in 1/32768.
    /// - width: at least 1.
    /// - row: `width` elements, aligned for Int16, must not alias the sources.
    package typealias BlendLuma =
        @Sendable @convention(c) (
            _ top: UnsafePointer<UInt8>, _ bottom: UnsafePointer<UInt8>, _ weight: Int32, _ width: Int,
            _ row: UnsafeMutablePointer<Int16>
        ) -> Void

    /// row[x] = mix(luma(top + 4x), luma(bottom + 4x), weight), for 0 <= x < width, where
    /// luma(p) = (p[0] * share0 + p[1] * share1 + p[2] * share2 + 64) >> 7. The fourth byte has no influence.
    /// - top, bottom: `4 * width` readable bytes each, any alignment; they may be the same row.
    /// - weight: 0..<32768, the share of `bottom` in 1/32768.
    /// - share0, share1, share2: not negative, sum 16384 (so a luma code fits: 255 gives 32640).
    /// - row: `width` elements, aligned for Int16, must not alias the sources.
    package typealias BlendColour =
        @Sendable @convention(c) (
            _ top: UnsafePointer<UInt8>, _ bottom: UnsafePointer<UInt8>, _ weight: Int32,
            _ share0: Int32, _ share1: Int32, _ share2: Int32, _ width: Int, _ row: UnsafeMutablePointer<Int16>
        ) -> Void

    /// destination[i * stride] = clamp((row[o] * weights[2i] + row[o + 1] * weights[2i + 1] + bias) >> 21, 0...255),
    /// with o = offsets[i], for 0 <= i < count. Exact int32 sums (a `pmaddwd` of each pair).
    /// - row: elements 0...(largest offset + 1) are readable.
    /// - offsets: `count` indices, 0 or more, in any order (a mirrored line descends).
    /// - weights: `2 * count`, each 0...19077, each pair summing to at most 19077.
    /// - bias: the rounding half 2^20, less the black level of video range.
    /// - stride: bytes between neighbours of the destination, 1 for a line, 224 for a column.
    /// - destination: `(count - 1) * stride + 1` writable bytes; only the `count` named ones are written.
    package typealias Gather =
        @Sendable @convention(c) (
            _ row: UnsafePointer<Int16>, _ offsets: UnsafePointer<Int32>, _ weights: UnsafePointer<Int16>,
            _ count: Int, _ bias: Int32, _ stride: Int, _ destination: UnsafeMutablePointer<UInt8>
        ) -> Void

    /// Planar luma: the plane of gray8, NV12 and I420. Step 1.
    package var blendPlanar: BlendLuma

    /// Luma in every second byte: YUYV. Step 2; the bytes between are read and have no influence.
    package var blendInterleaved: BlendLuma

    /// Four bytes a pixel: BGRA, RGBA.
    package var blendColour: BlendColour

    /// A line of the output: stride is always 1.
    package var gatherLine: Gather

    /// A column of the output, for orientations that transpose.
    package var gatherColumn: Gather

    package init(
        blendPlanar: @escaping BlendLuma, blendInterleaved: @escaping BlendLuma, blendColour: @escaping BlendColour,
        gatherLine: @escaping Gather, gatherColumn: @escaping Gather
    ) {
        self.blendPlanar = blendPlanar
        self.blendInterleaved = blendInterleaved
        self.blendColour = blendColour
        self.gatherLine = gatherLine
        self.gatherColumn = gatherColumn
    }
}
