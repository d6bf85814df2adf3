/// Orientation and mirror combined: the upright axes in terms of the stored ones.
package struct AxisMap: Equatable {
    /// Whether down in the upright frame is along stored rows.
    package var transposed: Bool
    /// Whether stored rows are read from their last pixel to their first.
    package var reversesX: Bool
    /// Whether stored rows are read from the last to the first.
    package var reversesY: Bool

    package init(_ geometry: FrameGeometry) {
        switch geometry.orientation {
        case .up: (transposed, reversesX, reversesY) = (false, false, false)
        case .upMirrored: (transposed, reversesX, reversesY) = (false, true, false)
        case .down: (transposed, reversesX, reversesY) = (false, true, true)
        case .downMirrored: (transposed, reversesX, reversesY) = (false, false, true)
        case .leftMirrored: (transposed, reversesX, reversesY) = (true, false, false)
        case .right: (transposed, reversesX, reversesY) = (true, false, true)
        case .rightMirrored: (transposed, reversesX, reversesY) = (true, true, true)
        case .left: (transposed, reversesX, reversesY) = (true, true, false)
        }
        guard geometry.mirrored else { return }
        if transposed {
            reversesY.toggle()
        } else {
            reversesX.toggle()
        }
    }
}
