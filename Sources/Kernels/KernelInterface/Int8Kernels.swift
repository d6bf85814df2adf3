/// The int8 kernels of a tier, as pointers to functions that depend on no layer, model or CPU.
///
/// Arithmetic common to all: activations are uint8 with zero point 0, weights int8 in -127...127, sums exact in int32.
/// `requantise(acc, n)` is `clamp(roundHalfEven(Float(acc + bias[n]) * multiplier[n]), 0...255)` with the
/// multiplication in float32; one multiply and no add, so that every instruction set gives the same bits. The code that
/// packs the parameters proves that bias plus any partial sum fits int32 and that the product stays below 2^31.
///
/// Each tier packs a layer's parameters in its own order: `pack...` is called once at load, and the kernel reads what
/// it wrote. Strides are in bytes. Nothing is checked here.
package struct Int8Kernels: Sendable {
    /// Writes one layer's parameters as the kernel beside it reads them.
    ///
    /// - weights: `[channels][depth]`, depth in the order of the kernel's formula.
    /// - bias, multiplier: `[channels]`.
    /// - packed: 64-byte aligned and zeroed, or nil to ask for the size alone.
    /// - returns: bytes of the packed parameters, a multiple of 64.
    package typealias Pack =
        @Sendable (
            _ weights: UnsafePointer<Int8>?, _ bias: UnsafePointer<Int32>?, _ multiplier: UnsafePointer<Float>?,
            _ channels: Int, _ depth: Int, _ packed: UnsafeMutableRawPointer?
        ) -> Int

    /// The 3x3 stride-2 convolution of the luma frame.
    ///
    /// `out(y, x)[o] = requantise(sum over r, s of frame[2y + r - 1, 2x + s - 1] * W[o, 3r + s], o)` for
    /// `firstRow <= y < firstRow + rows`, `x < 112`, `o < 16`; taps outside the frame are 0.
    /// - frame: 224 x 224, contiguous, any alignment; not a byte outside is read.
    /// - out: pixel (firstRow, 0) of a map in `MapLayout.split`, rows `outStride` apart; must not alias `frame`.
    package typealias Stem =
        @Sendable @convention(c) (
            _ frame: UnsafePointer<UInt8>, _ firstRow: Int, _ rows: Int, _ packed: UnsafeRawPointer,
            _ out: UnsafeMutablePointer<UInt8>, _ outStride: Int
        ) -> Void

    /// The 3x3 convolution of each channel by itself, from a padded map to dense rows.
    ///
    /// `out[y, x, c] = requantise(sum over r, s of in(stride * y + r - 1, stride * x + s - 1)[c] * W[c, 3r + s], c)`
    /// for `y < rows`, `x < width`, `c < channels`.
    /// - input: tap (0, 0) of output (0, 0): in `MapLayout.dense` for stride 1, the border pixel left of the row above;
    ///   in `MapLayout.split` for stride 2, the border pixel of the row above. Rows `inStride` apart.
    /// - out: `rows * width * channels` bytes, dense; must not alias `input`.
    /// - scratch: `depthwiseScratch(width, channels)` bytes, 64-byte aligned.
    /// Requires `channels` a multiple of 16, `stride` 1 or 2.
    package typealias Depthwise3x3 =
        @Sendable @convention(c) (
            _ input: UnsafePointer<UInt8>, _ inStride: Int, _ stride: Int,
            _ rows: Int, _ width: Int, _ channels: Int, _ packed: UnsafeRawPointer,
            _ out: UnsafeMutablePointer<UInt8>, _ scratch: UnsafeMutablePointer<UInt8>
        ) -> Void

    /// Bytes of scratch memory that `depthwise3x3` needs at an output width and channel count.
    package typealias Scratch = @Sendable @convention(c) (_ width: Int, _ channels: Int) -> Int

    /// The 7x7 convolution of each channel over its whole 7x7 map, to one value.
    ///
    /// `out[c] = requantise(sum over p < 49 of input[p, c] * W[c, p], c)`, `c < channels`.
    /// - input: `[49][channels]`, contiguous. Requires `channels` a multiple of 64.
    package typealias Depthwise7x7 =
        @Sendable @convention(c) (
            _ input: UnsafePointer<UInt8>, _ channels: Int, _ packed: UnsafeRawPointer,
            _ out: UnsafeMutablePointer<UInt8>
        ) -> Void

    /// The matrix product over channels.
    ///
    /// `out[m, n] = requantise(sum over t < taps, k < depth of a[m, t, k] * W[n, t * depth + k], n)` where `a[m, t, k]`
    /// is at byte `m * aStride + t * tapStride + k`: one tap is a 1x1 convolution, three are a temporal one.
    /// - out: rows `outStride` apart, `channels` values each; must not alias `a`.
    /// Requires `depth` a multiple of 4 and `channels` a multiple of 32.
    package typealias GEMM =
        @Sendable @convention(c) (
            _ a: UnsafePointer<UInt8>, _ aStride: Int, _ rows: Int,
            _ taps: Int, _ tapStride: Int, _ depth: Int, _ channels: Int, _ packed: UnsafeRawPointer,
            _ out: UnsafeMutablePointer<UInt8>, _ outStride: Int
        ) -> Void

    /// One row of the matrix product as floats, without rounding or clamp.
    ///
    /// `out[n] = Float(bias[n] + sum over k < depth of a[k] * W[n, k]) * multiplier[n]` for `n < channels`.
    /// - out: room for `channels` rounded up to a multiple of 16.
    /// Requires `depth` a multiple of 4.
    package typealias Classify =
        @Sendable @convention(c) (
            _ a: UnsafePointer<UInt8>, _ depth: Int, _ channels: Int, _ packed: UnsafeRawPointer,
            _ out: UnsafeMutablePointer<Float>
        ) -> Void

    package let packStem: Pack
    package let stem: Stem
    package let packDepthwise3x3: Pack
    package let depthwise3x3: Depthwise3x3
    package let depthwiseScratch: Scratch
    package let packDepthwise7x7: Pack
    package let depthwise7x7: Depthwise7x7
    package let packGEMM: Pack
    package let gemm: GEMM
    package let packClassifier: Pack
    package let classify: Classify

    package init(
        packStem: @escaping Pack, stem: @escaping Stem,
        packDepthwise3x3: @escaping Pack, depthwise3x3: @escaping Depthwise3x3, depthwiseScratch: @escaping Scratch,
        packDepthwise7x7: @escaping Pack, depthwise7x7: @escaping Depthwise7x7,
        packGEMM: @escaping Pack, gemm: @escaping GEMM,
        packClassifier: @escaping Pack, classify: @escaping Classify
    ) {
        self.packStem = packStem
        self.stem = stem
        self.packDepthwise3x3 = packDepthwise3x3
        self.depthwise3x3 = depthwise3x3
        self.depthwiseScratch = depthwiseScratch
        self.packDepthwise7x7 = packDepthwise7x7
        self.depthwise7x7 = depthwise7x7
        self.packGEMM = packGEMM
        self.gemm = gemm
        self.packClassifier = packClassifier
        self.classify = classify
    }
}
