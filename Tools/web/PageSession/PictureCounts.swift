/// Counts of pictures since the page connected.
package struct PictureCounts: Sendable, Equatable {
    package var received = 0
    /// Replaced by a newer one.
    package var superseded = 0

    package init() {}
}
