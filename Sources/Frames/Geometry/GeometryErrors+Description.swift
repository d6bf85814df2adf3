extension ViewTransform.GeometryError: CustomStringConvertible {
    /// One sentence for users.
    public var description: String {
        switch self {
        case .frameSize(let width, let height, let allowed):
            "The frame has \(width)x\(height) pixels; each side must have from \(allowed.lowerBound) to "
                + "\(allowed.upperBound)."
        case .region(let region, let width, let height):
            "The region of \(region.width)x\(region.height) pixels at \(region.x), \(region.y) is not inside the frame "
                + "of \(width)x\(height)."
        case .viewSide(let side, let allowed):
            "A side of the view is \(side) points; it must be from \(allowed.lowerBound) to \(allowed.upperBound)."
        case .viewSideNotANumber: "A side of the view is not a number."
        case .margin(let margin, let allowed):
            "The margin is \(margin); it must be from \(allowed.lowerBound) to \(allowed.upperBound)."
        case .marginNotANumber: "The margin is not a number."
        case .rectangleNotANumber: "A coordinate of the rectangle is not a number."
        }
    }
}
