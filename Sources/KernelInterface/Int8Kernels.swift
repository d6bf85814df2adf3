/// The int8 kernels of a tier, as pointers to functions that know nothing of layers, models or CPUs.
///
/// Arithmetic common to all: activations are uint8 with zero point 0, weights int8 in -127...127, sums exact in int32.
/// `requantise(acc, n)` is `clamp(roundHalfEven(Float(acc + bias[n]) * multiplier[n]), 0...255)` with the
/// multiplication in float32; one multiply and no add, so that every instruction set gives the same bits. Bias plus
/// any partial sum fits int32: whoever packs the parameters proves it. Strides are in bytes. Nothing is checked here.
package struct Int8Kernels: Sendable {
    /// The 3x3 stride-2 convolution of the luma frame.
    ///
    /// `out[y, x, o] = requantise(sum over r, s of frame[2y + r - 1, 2x + s - 1] * weights[3r + s, o], o)` for
    /// `firstRow <= y < firstRow + rows`, `x < 112`, `o < 16`; taps outside the frame are 0.
    /// - frame: 224 x 224, contiguous, any alignment.
    /// - weights: `[9][16]`.
    /// - out: pointer to output row `firstRow`; rows `outStride` apart, 112 x 16 values each; must not alias `frame`.
    package typealias Stem =
        @Sendable @convention(c) (
            _ frame: UnsafePointer<UInt8>, _ firstRow: Int, _ rows: Int,
            _ weights: UnsafePointer<Int8>, _ bias: UnsafePointer<Int32>, _ multiplier: UnsafePointer<Float>,
            _ out: UnsafeMutablePointer<UInt8>, _ outStride: Int
        ) -> Void

    /// The 3x3 convolution of each channel by itself.
    ///
    /// `out[y, x, c] = requantise(sum over r, s of in[stride * y + r, stride * x + s, c] * weights[3r + s, c], c)` for
    /// `y < rows`, `x < width`, `c < channels`. The caller provides the halo: `input` points at tap (0, 0) of
    /// output (0, 0), so a padded map is passed from its border.
    /// - input: rows `inStride` apart, pixels `channels` apart, any alignment.
    /// - weights: `[9][channels]`.
    /// - out: rows `outStride` apart, pixels `channels` apart; must not alias `input`.
    /// Requires `channels` a multiple of 16 and `stride` 1 or 2.
    package typealias Depthwise3x3 =
        @Sendable @convention(c) (
            _ input: UnsafePointer<UInt8>, _ inStride: Int, _ stride: Int,
            _ rows: Int, _ width: Int, _ channels: Int,
            _ weights: UnsafePointer<Int8>, _ bias: UnsafePointer<Int32>, _ multiplier: UnsafePointer<Float>,
            _ out: UnsafeMutablePointer<UInt8>, _ outStride: Int
        ) -> Void

    /// The 7x7 convolution of each channel over its whole 7x7 map, to one value.
    ///
    /// `out[c] = requantise(sum over p < 49 of input[p, c] * weights[p, c], c)`, `c < channels`.
    /// - input, weights: `[49][channels]`, contiguous. Requires `channels` a multiple of 16.
    package typealias Depthwise7x7 =
        @Sendable @convention(c) (
            _ input: UnsafePointer<UInt8>, _ channels: Int,
            _ weights: UnsafePointer<Int8>, _ bias: UnsafePointer<Int32>, _ multiplier: UnsafePointer<Float>,
            _ out: UnsafeMutablePointer<UInt8>
        ) -> Void

    /// The matrix product over channels.
    ///
    /// `out[m, n] = requantise(sum over t < taps, k < depth of a[m, t, k] * W[t * depth + k, n], n)` where `a[m, t, k]`
    /// is at byte `m * aStride + t * tapStride + k`: one tap is a 1x1 convolution, three are a temporal one.
    /// - panel: W as `PackedPanel` lays it out, 64-byte aligned.
    /// - out: rows `outStride` apart, `columns` values each; must not alias `a`.
    /// Requires `depth` a multiple of 4 and `columns` a multiple of 16.
    package typealias GEMM =
        @Sendable @convention(c) (
            _ a: UnsafePointer<UInt8>, _ aStride: Int, _ rows: Int,
            _ taps: Int, _ tapStride: Int, _ depth: Int, _ columns: Int,
            _ panel: UnsafePointer<Int8>, _ bias: UnsafePointer<Int32>, _ multiplier: UnsafePointer<Float>,
            _ out: UnsafeMutablePointer<UInt8>, _ outStride: Int
        ) -> Void

    /// One row of the matrix product left as sums: `out[n] = bias[n] + sum over k < depth of a[k] * W[k, n]`.
    /// - panel: as for `GEMM`. Requires `depth` a multiple of 4 and `columns` a multiple of 16.
    package typealias Sums =
        @Sendable @convention(c) (
            _ a: UnsafePointer<UInt8>, _ depth: Int, _ columns: Int,
            _ panel: UnsafePointer<Int8>, _ bias: UnsafePointer<Int32>, _ out: UnsafeMutablePointer<Int32>
        ) -> Void

    package let stem: Stem
    package let depthwise3x3: Depthwise3x3
    package let depthwise7x7: Depthwise7x7
    package let gemm: GEMM
    package let sums: Sums

    package init(
        stem: @escaping Stem, depthwise3x3: @escaping Depthwise3x3, depthwise7x7: @escaping Depthwise7x7,
        gemm: @escaping GEMM, sums: @escaping Sums
    ) {
        self.stem = stem
        self.depthwise3x3 = depthwise3x3
        self.depthwise7x7 = depthwise7x7
        self.gemm = gemm
        self.sums = sums
    }
}
