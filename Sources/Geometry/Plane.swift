public import Frames

/// A place in a plane. The unit and the origin are those of the space it is in, see `ViewTransform.Space`.
public struct PlanePoint: Sendable, Hashable {
    /// To the right.
    public var x: Double
    /// Down, or up where the space has its origin at the bottom.
    public var y: Double

    /// A place.
    public init(x: Double, y: Double) {
        self.x = x
        self.y = y
    }
}

/// An upright rectangle in a plane. `x` and `y` are its least coordinates: the top left corner where the origin is at the
/// top, the bottom left one where it is at the bottom.
public struct PlaneRect: Sendable, Hashable {
    /// The least x.
    public var x: Double
    /// The least y.
    public var y: Double
    /// From the least to the greatest x.
    public var width: Double
    /// From the least to the greatest y.
    public var height: Double

    /// A rectangle.
    public init(x: Double, y: Double, width: Double, height: Double) {
        self.x = x
        self.y = y
        self.width = width
        self.height = height
    }

    /// The middle.
    public var center: PlanePoint { PlanePoint(x: x + width / 2, y: y + height / 2) }

    /// The square of side 1 at the origin: all of a space whose coordinates are 0...1.
    package static let unit = PlaneRect(x: 0, y: 0, width: 1, height: 1)

    package var area: Double { width * height }

    /// Moved, its size kept.
    package func offset(x: Double, y: Double) -> PlaneRect {
        PlaneRect(x: self.x + x, y: self.y + y, width: width, height: height)
    }

    /// What both cover; nil where that has no area. Not a number in, nil out.
    package func intersection(_ other: PlaneRect) -> PlaneRect? {
        let (left, top) = (max(x, other.x), max(y, other.y))
        let (right, bottom) = (min(x + width, other.x + other.width), min(y + height, other.y + other.height))
        guard right - left > 0, bottom - top > 0 else { return nil }
        return PlaneRect(x: left, y: top, width: right - left, height: bottom - top)
    }

    /// The area that both cover as a share of the area that either covers, 0...1; of rectangles that have an area.
    package func overlap(_ other: PlaneRect) -> Double {
        guard let common = intersection(other)?.area else { return 0 }
        // Rounding may leave the sum a trifle below the common area.
        return min(common / (area + other.area - common), 1)
    }
}

extension ViewTransform {
    /// Why a transform or a region could not be made.
    public enum GeometryError: Error, Sendable, Hashable {
        /// A side of the frame that no `PixelView` can have.
        case frameSize(width: Int, height: Int, allowed: ClosedRange<Int>)
        /// The region of interest is empty or not inside the frame.
        case region(PixelView.Region, width: Int, height: Int)
        /// A side of the view in points.
        case viewSide(Double, allowed: ClosedRange<Double>)
        /// A side of the view is not a number.
        case viewSideNotANumber
        /// By what factor a rectangle is to grow.
        case margin(Double, allowed: ClosedRange<Double>)
        /// By what factor a rectangle is to grow is not a number.
        case marginNotANumber
        /// A coordinate of the rectangle.
        case rectangleNotANumber
    }
}
