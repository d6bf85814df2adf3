/// The float32 kernels that run network graphs: convolutions over maps of pixels with their channels innermost.
///
/// Pixels of a map are at least `channels` elements apart; rows may be any number of elements apart. Zeros around a map
/// stand for padding, so kernels have no edge cases. Strides and counts are in elements. Sums may be taken in any
/// order, fused or not. Nothing is checked here.
///
/// `activation(v)` of channel n is `min(max(v, 0) + slope[n] * min(v, 0), upper)`: PReLU with an upper bound. Slopes of
/// 1 with an infinite bound leave v unchanged; slopes of 0 give ReLU, and ReLU6 with a bound of 6.
package struct ConvolutionKernels: Sendable {
    /// Writes one convolution's parameters as `convolve` reads them.
    ///
    /// - weights: `[channels][depth]`; `depth` runs over taps, their pixels and input channels. bias, slope:
    ///   `[channels]`.
    /// - packed: 64-byte aligned and zeroed, or nil to ask for the size alone.
    /// - returns: bytes of the packed parameters, a multiple of 64.
    package typealias PackConvolution =
        @Sendable (
            _ weights: UnsafePointer<Float>?, _ bias: UnsafePointer<Float>?, _ slope: UnsafePointer<Float>?,
            _ channels: Int, _ depth: Int, _ packed: UnsafeMutableRawPointer?
        ) -> Int

    /// `out[y, x, n] = activation(bias[n] + sum over t < taps, k < depth of a[y, x, t, k] * W[n, t * depth + k]
    /// + residual[y, x, n])` for `y < height`, `x < width`, `n < channels`, where `a[y, x, t, k]` is element
    /// `y * aRow + x * aPixel + t * tapStride + k`.
    ///
    /// A 1x1 convolution has one tap; a k x k convolution has k taps, one per row, of `k * channels` elements each.
    /// - residual: nil for none. It is added to the first `residualChannels` channels, a multiple of 8 or `channels`.
    /// - out: must alias neither `a` nor `residual`.
    package typealias Convolve =
        @Sendable @convention(c) (
            _ a: UnsafePointer<Float>, _ aRow: Int, _ aPixel: Int, _ height: Int, _ width: Int,
            _ taps: Int, _ tapStride: Int, _ depth: Int, _ channels: Int, _ packed: UnsafeRawPointer,
            _ residual: UnsafePointer<Float>?, _ residualRow: Int, _ residualPixel: Int, _ residualChannels: Int,
            _ upper: Float, _ out: UnsafeMutablePointer<Float>, _ outRow: Int, _ outPixel: Int
        ) -> Void

    /// Writes one depthwise convolution's parameters as `depthwise` reads them.
    ///
    /// - weights: `[size * size][channels]`. bias, slope, packed, returns: as `PackConvolution`.
    package typealias PackDepthwise =
        @Sendable (
            _ weights: UnsafePointer<Float>?, _ bias: UnsafePointer<Float>?, _ slope: UnsafePointer<Float>?,
            _ channels: Int, _ size: Int, _ packed: UnsafeMutableRawPointer?
        ) -> Int

    /// `out[y, x, c] = activation(bias[c] + sum over r, s < size of in[stride * y + r, stride * x + s, c] * W[r, s,
    /// c])` for `y < height`, `x < width`; input pixels are `channels` elements apart.
    ///
    /// Requires `size` 3 or 5, `stride` 1 or 2, `channels` a multiple of 8.
    package typealias Depthwise =
        @Sendable @convention(c) (
            _ input: UnsafePointer<Float>, _ inRow: Int, _ size: Int, _ stride: Int,
            _ height: Int, _ width: Int, _ channels: Int, _ packed: UnsafeRawPointer, _ upper: Float,
            _ out: UnsafeMutablePointer<Float>, _ outRow: Int, _ outPixel: Int
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
