/// The float32 kernels that run network graphs: convolutions over maps of pixels with their channels innermost.
///
/// A map's pixels lie `channels` elements apart or more, its lines any number of elements. Zeros around a map stand for
/// padding, so no kernel knows of an edge. Strides and counts are in elements. Sums may be taken in any order, fused or not.
/// Nothing is checked here.
///
/// `activation(v)` of channel n is `min(max(v, 0) + slope[n] * min(v, 0), upper)`: PReLU with an upper bound. Slopes of 1 and
/// an infinite bound leave v as it is, slopes of 0 are ReLU, and with a bound of 6 ReLU6.
package struct ConvolutionKernels: Sendable {
    /// Writes one convolution's parameters as `convolve` reads them.
    ///
    /// - weights: `[channels][depth]`, depth over taps, their columns and input channels. bias, slope: `[channels]`.
    /// - packed: 64-byte aligned and zeroed, or nil to ask for the size alone.
    /// - returns: bytes of the packed parameters, a multiple of 64.
    package typealias PackConvolution =
        @Sendable @convention(c) (
            _ weights: UnsafePointer<Float>?, _ bias: UnsafePointer<Float>?, _ slope: UnsafePointer<Float>?,
            _ channels: Int, _ depth: Int, _ packed: UnsafeMutableRawPointer?
        ) -> Int

    /// `out[y, x, n] = activation(bias[n] + sum over t < taps, k < depth of a[y, x, t, k] * W[n, t * depth + k]
    /// + residual[y, x, n])` for `y < lines`, `x < pixels`, `n < columns`, where `a[y, x, t, k]` is element
    /// `y * aLine + x * aPixel + t * tapStride + k`.
    ///
    /// A 1x1 convolution has one tap; one of k x k has k taps, one a row, of `k * channels` elements each.
    /// - residual: nil adds nothing. Columns from `residualColumns`, a multiple of 8 or `columns`, on have none.
    /// - out: must alias neither `a` nor `residual`.
    package typealias Convolve =
        @Sendable @convention(c) (
            _ a: UnsafePointer<Float>, _ aLine: Int, _ aPixel: Int, _ lines: Int, _ pixels: Int,
            _ taps: Int, _ tapStride: Int, _ depth: Int, _ columns: Int, _ packed: UnsafeRawPointer,
            _ residual: UnsafePointer<Float>?, _ residualLine: Int, _ residualPixel: Int, _ residualColumns: Int,
            _ upper: Float, _ out: UnsafeMutablePointer<Float>, _ outLine: Int, _ outPixel: Int
        ) -> Void

    /// Writes one depthwise convolution's parameters as `depthwise` reads them.
    ///
    /// - weights: `[size * size][channels]`. bias, slope, packed and what it returns: as `PackConvolution`.
    package typealias PackDepthwise =
        @Sendable @convention(c) (
            _ weights: UnsafePointer<Float>?, _ bias: UnsafePointer<Float>?, _ slope: UnsafePointer<Float>?,
            _ channels: Int, _ size: Int, _ packed: UnsafeMutableRawPointer?
        ) -> Int

    /// `out[y, x, c] = activation(bias[c] + sum over r, s < size of in[stride * y + r, stride * x + s, c] * W[r, s, c])` for
    /// `y < lines`, `x < pixels`; input pixels are `channels` elements apart.
    ///
    /// Requires `size` 3 or 5, `stride` 1 or 2, `channels` a multiple of 8.
    package typealias Depthwise =
        @Sendable @convention(c) (
            _ input: UnsafePointer<Float>, _ inLine: Int, _ size: Int, _ stride: Int,
            _ lines: Int, _ pixels: Int, _ channels: Int, _ packed: UnsafeRawPointer, _ upper: Float,
            _ out: UnsafeMutablePointer<Float>, _ outLine: Int, _ outPixel: Int
        ) -> Void

    package let packConvolution: PackConvolution
    package let convolve: Convolve
    package let packDepthwise: PackDepthwise
    package let depthwise: Depthwise

    package init(
        packConvolution: @escaping PackConvolution, convolve: @escaping Convolve,
        packDepthwise: @escaping PackDepthwise, depthwise: @escaping Depthwise
    ) {
        self.packConvolution = packConvolution
        self.convolve = convolve
        self.packDepthwise = packDepthwise
        self.depthwise = depthwise
    }
}
