/// A tier's own float32 matrix product with bias and ReLU6; the tier defines the order of the packed parameters.
package struct FloatMatrix: Sendable {
    /// Writes one layer's parameters as `multiply` reads them.
    ///
    /// - weights: `[channels][depth]`. bias: `[channels]`.
    /// - packed: 64-byte aligned and zeroed, or nil to ask for the size alone.
    /// - returns: bytes of the packed parameters, a multiple of 64.
    package typealias Pack =
        @Sendable (
            _ weights: UnsafePointer<Float>?, _ bias: UnsafePointer<Float>?, _ channels: Int, _ depth: Int,
            _ packed: UnsafeMutableRawPointer?
        ) -> Int

    /// `out[m, n] = relu6(bias[n] + sum over t < taps, k < depth of a[m, t, k] * W[n, t * depth + k])` where `a[m, t,
    /// k]` is element `m * aStride + t * tapStride + k`. Strides are in elements; `out` must not alias `a`. Requires
    /// `depth` a multiple of 4 and `channels` a multiple of 32.
    package typealias Multiply =
        @Sendable @convention(c) (
            _ a: UnsafePointer<Float>, _ aStride: Int, _ rows: Int,
            _ taps: Int, _ tapStride: Int, _ depth: Int, _ channels: Int, _ packed: UnsafeRawPointer,
            _ out: UnsafeMutablePointer<Float>, _ outStride: Int
        ) -> Void

    package let pack: Pack
    package let multiply: Multiply

    package init(pack: @escaping Pack, multiply: @escaping Multiply) {
        self.pack = pack
        self.multiply = multiply
    }
}
