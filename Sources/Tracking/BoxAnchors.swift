/// The anchors of a single-shot detector: cells of square maps, map by map, row by row, several anchors in the centre
/// of each cell. All anchors have the size of the whole image, so that a box is an offset, normalised to it.
package struct BoxAnchors: Sendable {
    /// Side of the detector's image, in pixels.
    package let side: Int
    /// Key points of each box.
    package let keyPointCount: Int
    /// The centre of each anchor, normalised to the image from its top left.
    package let centers: [SIMD2<Float>]

    /// - Parameters:
    ///   - keyPointCount: 0...`BoxDetection.maximumKeyPoints`.
    ///   - maps: cells of a side and anchors of a cell.
    package init(side: Int, keyPointCount: Int, maps: [(cells: Int, perCell: Int)]) {
        precondition((0...BoxDetection.maximumKeyPoints).contains(keyPointCount))
        self.side = side
        self.keyPointCount = keyPointCount
        centers = maps.flatMap { map in
            (0..<(map.cells * map.cells * map.perCell)).map { anchor in
                let cell = anchor / map.perCell
                return (SIMD2(Float(cell % map.cells), Float(cell / map.cells)) + 0.5) / Float(map.cells)
            }
        }
    }

    package var count: Int { centers.count }

    /// Numbers of a box: centre, size, key points.
    package var numbersPerBox: Int { 4 + 2 * keyPointCount }
}
