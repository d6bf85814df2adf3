/// The one layout of a GEMM's weights, the same on every tier: columns in groups of 16, depth in groups of 4.
///
/// Element (k, n) of a depth x columns matrix is at
/// `(n / 16) * 16 * paddedDepth + (k / 4) * 64 + (n % 16) * 4 + k % 4`. Four consecutive depths of one column lie
/// together, as the dot-product instructions want them; padding in either direction is 0.
package enum PackedPanel {
    package static let columnGroup = 16
    package static let depthGroup = 4

    /// `columns` rounded up to whole groups.
    package static func paddedColumns(_ columns: Int) -> Int {
        (columns + columnGroup - 1) / columnGroup * columnGroup
    }

    /// `depth` rounded up to whole groups.
    package static func paddedDepth(_ depth: Int) -> Int {
        (depth + depthGroup - 1) / depthGroup * depthGroup
    }

    /// Bytes of a packed depth x columns matrix.
    package static func byteCount(depth: Int, columns: Int) -> Int {
        paddedDepth(depth) * paddedColumns(columns)
    }

    /// Position of element (k, n) in a panel of `depth` rows.
    package static func offset(depth: Int, k: Int, n: Int) -> Int {
        (n / columnGroup) * columnGroup * paddedDepth(depth) + (k / depthGroup) * (columnGroup * depthGroup)
            + (n % columnGroup) * depthGroup + k % depthGroup
    }
}
