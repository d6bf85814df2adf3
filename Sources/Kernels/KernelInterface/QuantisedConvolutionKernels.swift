/// The int8 kernels that run network graphs: convolutions over maps of quantised values, channels innermost.
///
/// Activations are uint8 with one zero point per map, weights int8 in -127...127, sums exact in int32. The operations
/// after the sums are stated below, so that all tiers give the same bits. The border of a map holds its zero point, so
/// kernels have no edge cases; the bias accounts for what the input's zero point adds to each sum. Strides and counts
/// are in elements. The code that packs the parameters proves that sums fit int32 and that products stay below 2^31.
/// Nothing is checked here.
///
/// `quantised(sum, n)` is the result of these operations, each float32 operation rounded by itself:
///
///     v = Float(bias[n] + sum) * multiplier[n]
///     v = v + Float(residual - residualZero) * residualMultiplier       where there is a residual
///     v = v < 0 ? v * slope[n] : v                                      where `hasSlopes`
///     quantised = clamp(clamp(roundHalfEven(v), -32768...32767) + zero, lower...upper)
///
/// `rounding` points to the values that all channels share, in this order: Int32 `zero`, `lower`, `upper` and
/// `residualZero`, all 0...255; Float `residualMultiplier`; Int32 `hasSlopes`, 0 or 1.
package struct QuantisedConvolutionKernels: Sendable {
    /// Writes one convolution's parameters as `convolve` and `convolveToFloat` read them.
    ///
    /// - weights: `[channels][depth]`; `depth` runs over taps, their pixels and input channels.
    /// - bias, multiplier, slope: `[channels]`.
    /// - packed: 64-byte aligned and zeroed, or nil to ask for the size alone.
    /// - returns: bytes of the packed parameters, a multiple of 64.
    /// Requires `depth` a multiple of 4.
    package typealias PackConvolution =
        @Sendable (
            _ weights: UnsafePointer<Int8>?, _ bias: UnsafePointer<Int32>?, _ multiplier: UnsafePointer<Float>?,
            _ slope: UnsafePointer<Float>?, _ channels: Int, _ depth: Int, _ packed: UnsafeMutableRawPointer?
        ) -> Int

    /// `out[y, x, n] = quantised(sum over t < taps, k < depth of a[y, x, t, k] * W[n, t * depth + k], n)` for `y <
    /// height`, `x < width`, `n < channels`, where `a[y, x, t, k]` is element `y * aRow + x * aPixel + t * tapStride +
    /// k`.
    ///
    /// A 1x1 convolution has one tap; a k x k convolution has k taps, one per row.
    /// - residual: nil for none. It is added to the first `residualChannels` channels.
    /// - out: must alias neither `a` nor `residual`.
    /// - batchRows, batchPixels, working: for kernels that widen their input: the output rows and pixels of one batch,
    ///   and 64-byte aligned memory for it (`Batch`). Other kernels ignore them.
    /// Requires `depth` a multiple of 4, `channels` and `residualChannels` multiples of 16. In each row, up to 64
    /// elements after the last one used may be read; they have no influence.
    package typealias Convolve =
        @Sendable @convention(c) (
            _ a: UnsafePointer<UInt8>, _ aRow: Int, _ aPixel: Int, _ height: Int, _ width: Int,
            _ taps: Int, _ tapStride: Int, _ depth: Int, _ channels: Int, _ packed: UnsafeRawPointer,
            _ residual: UnsafePointer<UInt8>?, _ residualRow: Int, _ residualPixel: Int, _ residualChannels: Int,
            _ rounding: UnsafeRawPointer, _ out: UnsafeMutablePointer<UInt8>, _ outRow: Int, _ outPixel: Int,
            _ batchRows: Int, _ batchPixels: Int, _ working: UnsafeMutableRawPointer
        ) -> Void

    /// The same sums as floats: `v = Float(bias[n] + sum) * multiplier[n]`, then `min(v < 0 ? v * slope[n] : v,
    /// upper)`.
    ///
    /// Requires `depth` a multiple of 4. Otherwise as `Convolve`.
    package typealias ConvolveToFloat =
        @Sendable @convention(c) (
            _ a: UnsafePointer<UInt8>, _ aRow: Int, _ aPixel: Int, _ height: Int, _ width: Int,
            _ taps: Int, _ tapStride: Int, _ depth: Int, _ channels: Int, _ packed: UnsafeRawPointer,
            _ upper: Float, _ out: UnsafeMutablePointer<Float>, _ outRow: Int, _ outPixel: Int,
            _ batchRows: Int, _ batchPixels: Int, _ working: UnsafeMutableRawPointer
        ) -> Void

    /// Writes one depthwise convolution's parameters as `depthwise` reads them.
    ///
    /// - weights: `[size * size][channels]`. Other parameters, returns: as `PackConvolution`.
    package typealias PackDepthwise =
        @Sendable (
            _ weights: UnsafePointer<Int8>?, _ bias: UnsafePointer<Int32>?, _ multiplier: UnsafePointer<Float>?,
            _ slope: UnsafePointer<Float>?, _ channels: Int, _ size: Int, _ packed: UnsafeMutableRawPointer?
        ) -> Int

    /// `out[y, x, c] = quantised(sum over r, s < size of in[stride * y + r, stride * x + s, c] * W[r, s, c], c)` for `y
    /// < height`, `x < width`; pixels are `channels` elements apart in both maps. There is no residual.
    ///
    /// Requires `size` 3 or 5, `stride` 1 or 2, `channels` a multiple of 16. Up to 64 elements after the last of an
    /// input row may be read.
    package typealias Depthwise =
        @Sendable @convention(c) (
            _ input: UnsafePointer<UInt8>, _ inRow: Int, _ size: Int, _ stride: Int,
            _ height: Int, _ width: Int, _ channels: Int, _ packed: UnsafeRawPointer, _ rounding: UnsafeRawPointer,
            _ out: UnsafeMutablePointer<UInt8>, _ outRow: Int
        ) -> Void

    /// The part of a convolution's output that is computed from one batch of widened input: some rows, or some pixels
    /// of one row.
    package struct Batch: Sendable {
        package let height, width: Int
        /// Bytes of working memory.
        package let byteCount: Int

        /// Half of a small first-level cache; the weights of sixteen channels use the other half.
        static let budget = 16 * 1024

        /// - taps, pixel, depth: as `Convolve`'s `taps`, `aPixel` and `depth`; height, width: of the whole output.
        package init(taps: Int, pixel: Int, depth: Int, height: Int, width: Int) {
            /// Bytes of 16-bit values for this many neighbouring pixels, in whole cache lines, plus one line for reads
            /// past the end.
            func bytes(_ pixels: Int) -> Int { taps * ((((pixels - 1) * pixel + depth) * 2 + 127) / 64 * 64) }
            var count = width
            while count > 4, bytes(count) > Self.budget { count = max(4, count / 2) }
            let one = bytes(count)
            self.width = count
            self.height = count < width ? 1 : min(height, max(1, Self.budget / one))
            byteCount = self.height * one
        }
    }

    package let packConvolution: PackConvolution
    package let convolve: Convolve
    package let convolveToFloat: ConvolveToFloat
    package let packDepthwise: PackDepthwise
    package let depthwise: Depthwise

    package init(
        packConvolution: @escaping PackConvolution, convolve: @escaping Convolve,
        convolveToFloat: @escaping ConvolveToFloat, packDepthwise: @escaping PackDepthwise,
        depthwise: @escaping Depthwise
    ) {
        self.packConvolution = packConvolution
        self.convolve = convolve
        self.convolveToFloat = convolveToFloat
        self.packDepthwise = packDepthwise
        self.depthwise = depthwise
    }
}
