/// A point in a plane. Unit and origin are those of its space, see `ViewTransform.Space`.
public struct PlanePoint: Sendable, Hashable {
    /// To the right.
    public var x: Double
    /// Down, or up if the space has its origin at the bottom.
    public var y: Double

    /// Makes a point.
    public init(x: Double, y: Double) {
        self.x = x
        self.y = y
    }
}

/// An upright rectangle in a plane. `x` and `y` are its smallest coordinates: the top left corner if the origin is at
/// the top, the bottom left one if it is at the bottom.
public struct PlaneRect: Sendable, Hashable {
    /// The smallest x.
    public var x: Double
    /// The smallest y.
    public var y: Double
    /// Difference of the largest and smallest x.
    public var width: Double
    /// Difference of the largest and smallest y.
    public var height: Double

    /// Makes a rectangle.
    public init(x: Double, y: Double, width: Double, height: Double) {
        self.x = x
        self.y = y
        self.width = width
        self.height = height
    }

    /// The middle.
    public var center: PlanePoint { PlanePoint(x: x + width / 2, y: y + height / 2) }

    /// The unit square at the origin: all of a space whose coordinates are 0...1.
    package static let unit = PlaneRect(x: 0, y: 0, width: 1, height: 1)

    package var area: Double { width * height }

    /// The rectangle moved, with the same size.
    package func offset(x: Double, y: Double) -> PlaneRect {
        PlaneRect(x: self.x + x, y: self.y + y, width: width, height: height)
    }

    /// The area that both cover; nil if that is empty, and for NaN.
    package func intersection(_ other: PlaneRect) -> PlaneRect? {
        let (left, top) = (max(x, other.x), max(y, other.y))
        let (right, bottom) = (min(x + width, other.x + other.width), min(y + height, other.y + other.height))
        guard right - left > 0, bottom - top > 0 else { return nil }
        return PlaneRect(x: left, y: top, width: right - left, height: bottom - top)
    }

    /// The common area as a share of the union, 0...1, of rectangles with an area (intersection over union).
    package func overlap(_ other: PlaneRect) -> Double {
        guard let common = intersection(other)?.area else { return 0 }
        // Rounding may leave the union slightly below the common area.
        return min(common / (area + other.area - common), 1)
    }
}

extension ViewTransform {
    /// Why a transform or a region cannot be made.
    public enum GeometryError: Error, Sendable, Hashable {
        /// A side of the frame that no `PixelView` can have.
        case frameSize(width: Int, height: Int, allowed: ClosedRange<Int>)
        /// The region of interest is empty or not inside the frame.
        case region(PixelView.Region, width: Int, height: Int)
        /// A side of the view in points.
        case viewSide(Double, allowed: ClosedRange<Double>)
        /// A side of the view is not a number.
        case viewSideNotANumber
        /// The factor by which a rectangle should grow.
        case margin(Double, allowed: ClosedRange<Double>)
        /// That factor is not a number.
        case marginNotANumber
        /// A coordinate of the rectangle is not a number.
        case rectangleNotANumber
    }
}
