/// The memory layout of a square map of `size` x `size` pixels, channels innermost.
///
/// A border of zero pixels stands for padding, so kernels have no edge cases.
package enum MapLayout: Sendable, Equatable {
    /// No border: rows of `size` pixels.
    case plain
    /// One pixel of border on every side: `size + 2` rows of `size + 2` pixels. What a 3x3 convolution of stride 1
    /// reads.
    case dense
    /// For stride 2 and even `size`: a border row above, and in each row one border pixel, then the pixels of odd
    /// columns, then those of even columns. Output column x then reads three pixels that all advance by one with x. The
    /// last row and column need no border: taps end at `size - 1`.
    case split

    /// Pixels from one row to the next.
    package func rowPixels(size: Int) -> Int {
        switch self {
        case .plain: size
        case .dense: size + 2
        case .split: size + 1
        }
    }

    /// Rows, including the border.
    package func rows(size: Int) -> Int { rowPixels(size: size) }

    /// Rows and pixels of border before the first pixel of the map.
    package var border: Int { self == .plain ? 0 : 1 }
}
