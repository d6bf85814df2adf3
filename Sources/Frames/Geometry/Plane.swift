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
}
