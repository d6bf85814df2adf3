public import Frames

extension PixelView.Region {
    /// By how much a rectangle may be made to grow, as a factor of both sides.
    public static let allowedMargins = 0.1...10.0

    /// The whole pixels that a rectangle covers, also in part, after it has grown around its centre.
    ///
    /// What is outside the frame is cut off, and at least one pixel is left: the one nearest to the rectangle. Less than a
    /// millionth of a pixel does not count as covered, so that roundings do not add a row.
    /// - Parameters:
    ///   - rect: in pixels of the stored frame; sides may be zero or negative.
    ///   - margin: factor of both sides.
    ///   - frameWidth: columns of the stored frame, 1...`PixelView.maximumSide`.
    ///   - frameHeight: rows of the stored frame, within the same limits.
    /// - Throws: `ViewTransform.GeometryError` for a number that is none, a margin out of its range or a frame that cannot be.
    public init(
        covering rect: PlaneRect, margin: Double = 1, frameWidth: Int, frameHeight: Int
    ) throws(ViewTransform.GeometryError) {
        try ViewTransform.checkFrame(frameWidth, frameHeight)
        guard !margin.isNaN else { throw .marginNotANumber }
        guard Self.allowedMargins.contains(margin) else { throw .margin(margin, allowed: Self.allowedMargins) }
        let columns = try Self.pixels(rect.x, rect.width, margin, of: frameWidth)
        let rows = try Self.pixels(rect.y, rect.height, margin, of: frameHeight)
        self.init(x: columns.lowerBound, y: rows.lowerBound, width: columns.count, height: rows.count)
    }

    private static func pixels(
        _ start: Double, _ length: Double, _ margin: Double, of side: Int
    ) throws(ViewTransform.GeometryError) -> Range<Int> {
        let (one, other) = (bounded(start), bounded(start + length))
        guard !one.isNaN, !other.isNaN else { throw .rectangleNotANumber }
        let middle = (one + other) / 2
        let reach = abs(other - one) / 2 * margin
        let negligible = 1e-6
        let first = (middle - reach + negligible).rounded(.down)
        let end = (middle + reach - negligible).rounded(.up)
        // Both are within a few billions, so they are integers.
        let lower = min(max(Int(first), 0), side - 1)
        return lower..<min(max(Int(end), lower + 1), side)
    }

    /// Held far outside every frame, where sums and products are still exact enough. Not a number stays so.
    private static func bounded(_ value: Double) -> Double {
        value > 1e9 ? 1e9 : value < -1e9 ? -1e9 : value
    }
}

extension ViewTransform {
    /// The region of interest around a rectangle of any space, for the `PixelView` of the next frame.
    ///
    /// A region that changes its shape wants `FrameGeometry.CropMode.fit`, which keeps the aspect ratio and cuts nothing off.
    /// - Parameters:
    ///   - rect: a box of a `RegionTracker`, say.
    ///   - space: what the rectangle's coordinates are.
    ///   - margin: factor of both sides, in `PixelView.Region.allowedMargins`.
    /// - Throws: `ViewTransform.GeometryError.rectangleNotANumber`, `.margin` or `.marginNotANumber`.
    public func region(
        covering rect: PlaneRect, in space: Space, margin: Double = 1.25
    ) throws(ViewTransform.GeometryError) -> PixelView.Region {
        try PixelView.Region(
            covering: map(rect, from: space, to: .frame), margin: margin, frameWidth: frameWidth,
            frameHeight: frameHeight)
    }
}
