/// A square map of pixels with channels innermost, inside memory owned by a workspace.
///
/// `border` pixels of zeros surround it when a 3x3 convolution reads it next, so that no kernel ever asks whether it
/// is at an edge.
@unsafe
struct FeatureMap<Element: BitwiseCopyable & Numeric> {
    /// First element of the border, or of pixel (0, 0) where there is none.
    let base: UnsafeMutablePointer<Element>
    let size: Int
    let channels: Int
    let border: Int

    /// Elements from one row to the next.
    var rowStride: Int { unsafe (size + 2 * border) * channels }

    /// First element of row `y` of the map proper.
    @inline(__always)
    func row(_ y: Int) -> UnsafeMutablePointer<Element> {
        unsafe base + (y + border) * rowStride + border * channels
    }

    /// First element of the border row above row `y`, at the border column: tap (0, 0) of a padded 3x3 convolution.
    @inline(__always)
    func haloRow(_ y: Int) -> UnsafeMutablePointer<Element> {
        unsafe base + y * rowStride
    }

    /// Sets the border to zero: workspaces reuse memory between maps of different shapes.
    func clearBorder() {
        guard unsafe border > 0 else { return }
        let edge = unsafe border * channels
        unsafe base.update(repeating: Element.zero, count: rowStride + edge)
        for y in unsafe 1..<size {
            unsafe (base + (y + border) * rowStride - edge).update(repeating: Element.zero, count: 2 * edge)
        }
        unsafe (base + (size + border) * rowStride - edge).update(repeating: Element.zero, count: rowStride + edge)
    }

    static func elementCount(size: Int, channels: Int, border: Int) -> Int {
        (size + 2 * border) * (size + 2 * border) * channels
    }
}
