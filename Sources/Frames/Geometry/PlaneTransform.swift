extension ViewTransform {
    /// A map between two planes that maps upright rectangles to upright rectangles: each axis is scaled and moved, and
    /// the axes may be swapped.
    ///
    /// x' = a x + c y + tx and y' = b x + d y + ty, where either b and c are zero or a and d are. The six numbers are
    /// in Core Graphics' order; they are the rows (a c tx), (b d ty), (0 0 1) of a matrix.
    ///
    /// The inverse is algebraic, so that a point mapped there and back differs only by rounding. A coordinate that is
    /// NaN or beyond the range of `Double` stays so; nothing traps.
    package struct PlaneTransform: Sendable, Hashable {
        /// Factor from x to x'.
        package let a: Double
        /// Factor from x to y'.
        package let b: Double
        /// Factor from y to x'.
        package let c: Double
        /// Factor from y to y'.
        package let d: Double
        /// x' of the origin.
        package let tx: Double
        /// y' of the origin.
        package let ty: Double

        /// Maps every point to itself.
        package static let identity = ViewTransform.PlaneTransform(scaleX: 1, scaleY: 1)

        /// Requires either b = c = 0 and a, d not zero, or a = d = 0 and b, c not zero.
        private init(a: Double, b: Double, c: Double, d: Double, tx: Double, ty: Double) {
            (self.a, self.b, self.c, self.d, self.tx, self.ty) = (a, b, c, d, tx, ty)
        }

        /// Scales by factors other than zero, then moves.
        package init(scaleX: Double, scaleY: Double, x: Double = 0, y: Double = 0) {
            self.init(a: scaleX, b: 0, c: 0, d: scaleY, tx: x, ty: y)
        }

        /// From the unit square of the stored frame to that of the upright one.
        package init(_ orientation: ImageOrientation) {
            switch orientation {
            case .up: self.init(a: 1, b: 0, c: 0, d: 1, tx: 0, ty: 0)
            case .upMirrored: self.init(a: -1, b: 0, c: 0, d: 1, tx: 1, ty: 0)
            case .down: self.init(a: -1, b: 0, c: 0, d: -1, tx: 1, ty: 1)
            case .downMirrored: self.init(a: 1, b: 0, c: 0, d: -1, tx: 0, ty: 1)
            case .leftMirrored: self.init(a: 0, b: 1, c: 1, d: 0, tx: 0, ty: 0)
            case .right: self.init(a: 0, b: 1, c: -1, d: 0, tx: 1, ty: 0)
            case .rightMirrored: self.init(a: 0, b: -1, c: -1, d: 0, tx: 1, ty: 1)
            case .left: self.init(a: 0, b: -1, c: 1, d: 0, tx: 0, ty: 1)
            }
        }

        /// Maps a point.
        package func apply(_ point: PlanePoint) -> PlanePoint {
            // The zero of each row is left out instead of multiplied: infinity times zero is NaN.
            let (forX, forY) = isTransposed ? (point.y, point.x) : (point.x, point.y)
            return PlanePoint(x: alongX * forX + tx, y: alongY * forY + ty)
        }

        /// Maps a rectangle; the result has its smallest corner first and no negative side.
        package func apply(_ rect: PlaneRect) -> PlaneRect {
            let first = apply(PlanePoint(x: rect.x, y: rect.y))
            let (width, height) = isTransposed ? (rect.height, rect.width) : (rect.width, rect.height)
            // Sides are scaled on their own, so that equal sides stay equal wherever the rectangle is.
            let (across, down) = (alongX * width, alongY * height)
            return PlaneRect(
                x: min(first.x, first.x + across), y: min(first.y, first.y + down), width: abs(across),
                height: abs(down))
        }

        /// The inverse map.
        package var inverse: ViewTransform.PlaneTransform {
            isTransposed
                ? ViewTransform.PlaneTransform(a: 0, b: 1 / c, c: 1 / b, d: 0, tx: -ty / b, ty: -tx / c)
                : ViewTransform.PlaneTransform(a: 1 / a, b: 0, c: 0, d: 1 / d, tx: -tx / a, ty: -ty / d)
        }

        /// This map, then `next`.
        package func followed(by next: ViewTransform.PlaneTransform) -> ViewTransform.PlaneTransform {
            ViewTransform.PlaneTransform(
                a: next.a * a + next.c * b, b: next.b * a + next.d * b, c: next.a * c + next.c * d,
                d: next.b * c + next.d * d, tx: next.a * tx + next.c * ty + next.tx,
                ty: next.b * tx + next.d * ty + next.ty
            )
        }

        /// Whether the axes are swapped.
        package var isTransposed: Bool { a == 0 }

        private var alongX: Double { isTransposed ? c : a }
        private var alongY: Double { isTransposed ? b : d }
    }
}
