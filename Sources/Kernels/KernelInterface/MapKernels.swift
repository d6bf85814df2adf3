/// The kernels of a graph's operators other than convolutions, on maps of uint8 values, channels innermost.
///
/// Every float32 operation is rounded by itself, so that all tiers give the same bits. Strides and counts are in
/// elements; any count is allowed. Nothing is checked here.
///
/// `quantised(v)` is `clamp(v, 0...255)` rounded half to even; NaN gives 0.
package struct MapKernels: Sendable {
    /// `out[i] = quantised(((a[i] - p[0]) * p[1] + (b[i] - p[2]) * p[3]) / p[4] + p[5])`
    /// - p: zero point and scale of `a`, of `b`, then scale and zero point of `out`.
    /// - out: may be `a` or `b`.
    package typealias Add =
        @Sendable @convention(c) (
            _ a: UnsafePointer<UInt8>, _ b: UnsafePointer<UInt8>, _ count: Int, _ p: UnsafePointer<Float>,
            _ out: UnsafeMutablePointer<UInt8>
        ) -> Void

    /// `out[x, c] = max over v < height, u < width of in[v * row + x * step + u * pixel + c]` for `x < pixels`,
    /// `c < channels`.
    /// - height, width: of the window, each at least 1.
    /// - step: from the first element of a window to that of the next.
    /// - outPixel: from one pixel of `out` to the next.
    package typealias MaxPool =
        @Sendable @convention(c) (
            _ input: UnsafePointer<UInt8>, _ row: Int, _ pixel: Int, _ height: Int, _ width: Int, _ step: Int,
            _ pixels: Int, _ channels: Int, _ out: UnsafeMutablePointer<UInt8>, _ outPixel: Int
        ) -> Void

    /// `out[i] = a[i] + share * (b[i] - a[i])`: between two columns of a resized map.
    package typealias InterpolateColumns =
        @Sendable @convention(c) (
            _ a: UnsafePointer<UInt8>, _ b: UnsafePointer<UInt8>, _ share: Float, _ count: Int,
            _ out: UnsafeMutablePointer<Float>
        ) -> Void

    /// `out[i] = quantised(a[i] + share * (b[i] - a[i]))`: between two rows of a resized map.
    package typealias InterpolateRows =
        @Sendable @convention(c) (
            _ a: UnsafePointer<Float>, _ b: UnsafePointer<Float>, _ share: Float, _ count: Int,
            _ out: UnsafeMutablePointer<UInt8>
        ) -> Void

    package let add: Add
    package let maxPool: MaxPool
    package let interpolateColumns: InterpolateColumns
    package let interpolateRows: InterpolateRows

    package init(
        add: @escaping Add, maxPool: @escaping MaxPool, interpolateColumns: @escaping InterpolateColumns,
        interpolateRows: @escaping InterpolateRows
    ) {
        self.add = add
        self.maxPool = maxPool
        self.interpolateColumns = interpolateColumns
        self.interpolateRows = interpolateRows
    }
}
