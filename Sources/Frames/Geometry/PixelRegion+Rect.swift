public import Vocabulary

extension PixelView.Region {
    /// Factors by which both sides of a rectangle may grow.
    public static let allowedMargins = 0.1...10.0

    /// The whole pixels that a rectangle covers at least in part, after it has grown around its centre.
    ///
    /// Pixels outside the frame are cut off, but at least one pixel is left: the one nearest to the rectangle. Less
    /// than a millionth of a pixel does not count as covered, so that rounding does not add a row.
    /// - Parameters:
    ///   - rect: rectangle in pixels of the stored frame; sides may be zero or negative.
    ///   - margin: factor of both sides.
    ///   - frameWidth: width of the stored frame, 1...`PixelView.maximumSide`.
    ///   - frameHeight: height of the stored frame, within the same limits.
    /// - Throws: `ConfigurationError` for NaN, a margin out of its range or an impossible frame.
    public init(
        covering rect: PlaneRect, margin: Double = 1, frameWidth: Int, frameHeight: Int
    ) throws(ConfigurationError) {
        try ViewTransform.checkFrame(frameWidth, frameHeight)
        try ConfigurationError.check(margin, "PixelView.Region.margin", in: Self.allowedMargins)
        let columns = try Self.pixels(rect.x, rect.width, margin, of: frameWidth)
        let rows = try Self.pixels(rect.y, rect.height, margin, of: frameHeight)
        self.init(x: columns.lowerBound, y: rows.lowerBound, width: columns.count, height: rows.count)
    }

    private static func pixels(
        _ start: Double, _ length: Double, _ margin: Double, of side: Int
    ) throws(ConfigurationError) -> Range<Int> {
        let (one, other) = (bounded(start), bounded(start + length))
        guard !one.isNaN, !other.isNaN else {
            throw ConfigurationError("PixelView.Region.rect", Double.nan, mustBe: "a rectangle of numbers")
        }
        let middle = (one + other) / 2
        let reach = abs(other - one) / 2 * margin
        let negligible = 1e-6
        let first = (middle - reach + negligible).rounded(.down)
        let end = (middle + reach - negligible).rounded(.up)
        // Both are within a few billions, so they fit an integer.
        let lower = min(max(Int(first), 0), side - 1)
        return lower..<min(max(Int(end), lower + 1), side)
    }

    /// Clamped to far outside every frame, where sums and products are still exact enough. NaN stays NaN.
    private static func bounded(_ value: Double) -> Double {
        value > 1e9 ? 1e9 : value < -1e9 ? -1e9 : value
    }
}

extension ViewTransform {
    /// The region of interest around a rectangle of any space, for the `PixelView` of the next frame.
    ///
    /// For a region that changes its shape use `PixelView.CropMode.fit`, which keeps the aspect ratio and cuts
    /// nothing off.
    /// - Parameters:
    ///   - rect: the rectangle, such as a box of a detector of the app's.
    ///   - space: the space of its coordinates.
    ///   - margin: factor of both sides, in `PixelView.Region.allowedMargins`.
    /// - Throws: `ConfigurationError` for NaN and for a margin out of its range`.
    public func region(
        covering rect: PlaneRect, in space: Space, margin: Double = 1.25
    ) throws(ConfigurationError) -> PixelView.Region {
        try PixelView.Region(
            covering: map(rect, from: space, to: .frame), margin: margin, frameWidth: frameWidth,
            frameHeight: frameHeight)
    }
}
