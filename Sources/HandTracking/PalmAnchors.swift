/// The 2,016 places that MediaPipe's palm detector predicts from.
///
/// A map of 24 x 24 cells (stride 8 of 192) has two anchors a cell, one of 12 x 12 (stride 16) has six, cells row by row. All
/// anchors of a cell lie in its middle and have the size of the whole picture, so that a box is an offset in shares of it.
package enum PalmAnchors {
    /// Side of the detector's picture, in pixels.
    package static let side = 192
    package static let count = fineCount + coarseCells * coarseCells * coarsePerCell

    private static let fineCells = 24
    private static let finePerCell = 2
    private static let fineCount = fineCells * fineCells * finePerCell
    private static let coarseCells = 12
    private static let coarsePerCell = 6

    /// Where an anchor is, in shares of the picture from its top left.
    /// - Parameter index: 0..<`count`.
    package static func center(_ index: Int) -> SIMD2<Float> {
        let (cell, cells) =
            index < fineCount
            ? (index / finePerCell, fineCells) : ((index - fineCount) / coarsePerCell, coarseCells)
        return (SIMD2(Float(cell % cells), Float(cell / cells)) + 0.5) / Float(cells)
    }
}
