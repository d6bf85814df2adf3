/// The float32 kernels of a tier: what the float unit needs besides BLAS.
///
/// `relu6(v)` is `min(max(v, 0), 6)`. Strides and counts are in elements. Sums may be taken in any order. Nothing is
/// checked here.
package struct FloatKernels: Sendable {
    /// `out[y, x, o] = relu6(bias[o] + sum over r, s of frame[2y + r - 1, 2x + s - 1] / 255 * weights[3r + s, o])` for
    /// `y < 112`, `x < 112`, `o < 16`; taps outside the frame are 0.
    /// - frame: 224 x 224 luma bytes, contiguous. weights: `[9][16]`. out: rows `outStride` elements apart.
    package typealias Stem =
        @Sendable @convention(c) (
            _ frame: UnsafePointer<UInt8>, _ weights: UnsafePointer<Float>, _ bias: UnsafePointer<Float>,
            _ out: UnsafeMutablePointer<Float>, _ outStride: Int
        ) -> Void

    /// `out[y, x, c] = relu6(bias[c] + sum over r, s of in[stride * y + r, stride * x + s, c] * weights[3r + s, c])`;
    /// the shapes are those of `Int8Kernels.Depthwise3x3`.
    package typealias Depthwise3x3 =
        @Sendable @convention(c) (
            _ input: UnsafePointer<Float>, _ inStride: Int, _ stride: Int,
            _ rows: Int, _ width: Int, _ channels: Int,
            _ weights: UnsafePointer<Float>, _ bias: UnsafePointer<Float>,
            _ out: UnsafeMutablePointer<Float>, _ outStride: Int
        ) -> Void

    /// `out[c] = relu6(bias[c] + sum over p < 49 of input[p, c] * weights[p, c])`, both `[49][channels]`.
    package typealias Depthwise7x7 =
        @Sendable @convention(c) (
            _ input: UnsafePointer<Float>, _ channels: Int,
            _ weights: UnsafePointer<Float>, _ bias: UnsafePointer<Float>, _ out: UnsafeMutablePointer<Float>
        ) -> Void

    /// `out[m, n] = relu6(values[m, n] + bias[n])` for `m < rows`, `n < channels`, both contiguous; `out` may be
    /// `values`. Requires `channels` a multiple of 16.
    package typealias BiasReLU6 =
        @Sendable @convention(c) (
            _ values: UnsafePointer<Float>, _ rows: Int, _ channels: Int, _ bias: UnsafePointer<Float>,
            _ out: UnsafeMutablePointer<Float>
        ) -> Void

    package let stem: Stem
    package let depthwise3x3: Depthwise3x3
    package let depthwise7x7: Depthwise7x7
    package let biasReLU6: BiasReLU6
    /// The tier's own matrix products; nil if a BLAS is faster at this network's sizes.
    package let matrix: FloatMatrix?

    package init(
        stem: @escaping Stem, depthwise3x3: @escaping Depthwise3x3, depthwise7x7: @escaping Depthwise7x7,
        biasReLU6: @escaping BiasReLU6, matrix: FloatMatrix? = nil
    ) {
        self.stem = stem
        self.depthwise3x3 = depthwise3x3
        self.depthwise7x7 = depthwise7x7
        self.biasReLU6 = biasReLU6
        self.matrix = matrix
    }
}
