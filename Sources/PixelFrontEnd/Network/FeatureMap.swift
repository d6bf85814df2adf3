import KernelInterface

/// A square map of pixels with channels innermost, inside memory owned by a workspace.
@unsafe
struct FeatureMap<Element: BitwiseCopyable & Numeric> {
    /// The first element of the border; without a border, that of pixel (0, 0).
    let base: UnsafeMutablePointer<Element>
    let size: Int
    let channels: Int
    let layout: MapLayout

    /// Elements from one row to the next.
    var rowStride: Int { unsafe layout.rowPixels(size: size) * channels }

    /// First element of row `y`, after its border.
    @inline(__always)
    func row(_ y: Int) -> UnsafeMutablePointer<Element> {
        unsafe base + (y + layout.border) * rowStride + layout.border * channels
    }

    /// First element, border included, of the row above row `y`: where the taps of an output row begin.
    @inline(__always)
    func halo(above y: Int) -> UnsafeMutablePointer<Element> { unsafe base + y * rowStride }

    /// Sets the border to zero: workspaces reuse memory between maps of different shapes.
    func clearBorder() {
        guard unsafe layout != .plain else { return }
        unsafe base.update(repeating: .zero, count: rowStride)
        for y in unsafe 0..<size {
            unsafe (row(y) - channels).update(repeating: .zero, count: channels)
            if unsafe layout == .dense {
                unsafe (row(y) + size * channels).update(repeating: .zero, count: channels)
            }
        }
        if unsafe layout == .dense {
            unsafe halo(above: size + 1).update(repeating: .zero, count: rowStride)
        }
    }

    static func elementCount(size: Int, channels: Int, layout: MapLayout) -> Int {
        layout.rows(size: size) * layout.rowPixels(size: size) * channels
    }
}
