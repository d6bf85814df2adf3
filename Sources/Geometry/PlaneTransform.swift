package import Frames

extension ViewTransform {
    /// A map between two planes that takes upright rectangles to upright rectangles: each axis is scaled and moved, and the two
    /// may change places.
    ///
    /// x' = a x + c y + tx and y' = b x + d y + ty, where either b and c are zero or a and d are: six numbers in the order that
    /// Core Graphics has them in, or the rows (a c tx), (b d ty), (0 0 1) of a matrix for column vectors.
    ///
    /// The inverse is the algebraic one, so that there and back is off by roundings alone. A coordinate that is not a number or
    /// beyond the range of `Double` comes out so, and nothing traps.
    public struct PlaneTransform: Sendable, Hashable {
        /// x' for each x.
        public let a: Double
        /// y' for each x.
        public let b: Double
        /// x' for each y.
        public let c: Double
        /// y' for each y.
        public let d: Double
        /// x' of the origin.
        public let tx: Double
        /// y' of the origin.
        public let ty: Double

        /// Everything stays where it is.
        public static let identity = ViewTransform.PlaneTransform(scaleX: 1, scaleY: 1)

        /// The caller sees to it that exactly one of a and c, and one of b and d, is not zero, in different columns.
        private init(a: Double, b: Double, c: Double, d: Double, tx: Double, ty: Double) {
            (self.a, self.b, self.c, self.d, self.tx, self.ty) = (a, b, c, d, tx, ty)
        }

        /// Scaled by factors other than zero, then moved.
        package init(scaleX: Double, scaleY: Double, x: Double = 0, y: Double = 0) {
            self.init(a: scaleX, b: 0, c: 0, d: scaleY, tx: x, ty: y)
        }

        /// From the unit square of a picture as it is stored to that of the upright picture.
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

        /// Where a place comes out.
        public func apply(_ point: PlanePoint) -> PlanePoint {
            // The zero of each row is left out rather than multiplied: infinity times zero is not a number.
            let (forX, forY) = isTransposed ? (point.y, point.x) : (point.x, point.y)
            return PlanePoint(x: alongX * forX + tx, y: alongY * forY + ty)
        }

        /// Where a rectangle comes out, its least corner first and no side negative.
        public func apply(_ rect: PlaneRect) -> PlaneRect {
            let first = apply(PlanePoint(x: rect.x, y: rect.y))
            let (width, height) = isTransposed ? (rect.height, rect.width) : (rect.width, rect.height)
            // Sides are scaled by themselves, so that equal sides stay equal wherever the rectangle lies.
            let (across, down) = (alongX * width, alongY * height)
            return PlaneRect(
                x: min(first.x, first.x + across), y: min(first.y, first.y + down), width: abs(across),
                height: abs(down))
        }

        /// The way back.
        public var inverse: ViewTransform.PlaneTransform {
            isTransposed
                ? ViewTransform.PlaneTransform(a: 0, b: 1 / c, c: 1 / b, d: 0, tx: -ty / b, ty: -tx / c)
                : ViewTransform.PlaneTransform(a: 1 / a, b: 0, c: 0, d: 1 / d, tx: -tx / a, ty: -ty / d)
        }

        /// This one first, then `next`.
        public func followed(by next: ViewTransform.PlaneTransform) -> ViewTransform.PlaneTransform {
            ViewTransform.PlaneTransform(
                a: next.a * a + next.c * b, b: next.b * a + next.d * b, c: next.a * c + next.c * d,
                d: next.b * c + next.d * d, tx: next.a * tx + next.c * ty + next.tx,
                ty: next.b * tx + next.d * ty + next.ty
            )
        }

        /// Whether columns become rows.
        public var isTransposed: Bool { a == 0 }

        private var alongX: Double { isTransposed ? c : a }
        private var alongY: Double { isTransposed ? b : d }
    }
}
