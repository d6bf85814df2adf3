package import Frames
import Platform

extension TrackedHand {
    /// A square around a hand, turned so that the hand points up in it. In pixels of the upright frame from its top left, so
    /// that frames of any shape are treated alike.
    public struct Region: Sendable, Hashable {
        /// Middle of the square.
        public var centerX: Double
        /// Middle of the square.
        public var centerY: Double
        /// Length of a side, above 0.
        public var side: Double
        /// Radians, clockwise as one sees it: where the square's own right side points. 0 is upright.
        public var rotation: Double

        /// A square.
        public init(centerX: Double, centerY: Double, side: Double, rotation: Double = 0) {
            self.centerX = centerX
            self.centerY = centerY
            self.side = side
            self.rotation = rotation
        }

        /// The square around a whole frame: the longer side, the rest beside the shorter one. What MediaPipe calls a letterbox.
        package init(around frame: FrameSize) {
            self.init(
                centerX: frame.width / 2, centerY: frame.height / 2, side: max(frame.width, frame.height))
        }

        /// The region of a palm that was found in the square around a frame; nil where the numbers make none.
        ///
        /// As MediaPipe: the palm's box, moved by half of its height from the wrist towards the fingers, 2.6 times its longer
        /// side.
        package init?(palm: PalmDetection, frame: FrameSize) {
            let whole = TrackedHand.Region(around: frame)
            let (wrist, knuckle) = (whole.place(palm.keyPoints[0]), whole.place(palm.keyPoints[2]))
            let (first, last) = (whole.place(palm.minimum), whole.place(palm.maximum))
            self.init(
                center: (first + last) / 2, size: last - first, pointing: knuckle - wrist, shift: 0.5, scale: 2.6,
                frame: frame)
        }

        /// The region in which to look for a hand in the next frame; nil where the numbers make none.
        ///
        /// As MediaPipe: the smallest box, turned like the hand, around wrist, thumb, knuckles and middle joints but no finger
        /// tip; moved by a tenth of its height towards the fingers, twice its longer side. The hand points from the wrist to
        /// the knuckles, of which the middle finger's counts as much as those of its two neighbours.
        /// - Parameter points: x and y in shares of the frame.
        package init?(landmarks points: TrackedHand.Points, frame: FrameSize) {
            guard points.isFinite else { return nil }
            func place(_ index: Int) -> SIMD2<Double> {
                SIMD2(Double(points[index].x) * frame.width, Double(points[index].y) * frame.height)
            }
            let direction = (place(5) + place(13)) / 4 + place(9) / 2 - place(0)
            let rotation = Self.rotation(pointing: direction)
            let (right, down) = Self.axes(rotation)
            var minimum = SIMD2(repeating: Double.infinity)
            var maximum = -minimum
            for index in Self.framed.indices {
                let point = place(Self.framed[index])
                let turned = SIMD2((point * right).sum(), (point * down).sum())
                minimum.replace(with: turned, where: turned .< minimum)
                maximum.replace(with: turned, where: turned .> maximum)
            }
            let middle = (minimum + maximum) / 2
            self.init(
                center: middle.x * right + middle.y * down, size: maximum - minimum, pointing: direction, shift: 0.1,
                scale: 2, frame: frame)
        }

        /// Wrist, thumb without its tip, and of each finger the knuckle and the joint after it.
        private static let framed = [0, 1, 2, 3, 5, 6, 9, 10, 13, 14, 17, 18]

        private init?(
            center: SIMD2<Double>, size: SIMD2<Double>, pointing direction: SIMD2<Double>, shift: Double, scale: Double,
            frame: FrameSize
        ) {
            let rotation = Self.rotation(pointing: direction)
            let moved = center - shift * size.y * Self.axes(rotation).down
            self.init(centerX: moved.x, centerY: moved.y, side: scale * max(size.x, size.y), rotation: rotation)
            guard isUsable(in: frame) else { return nil }
        }

        /// Whether a crop of it can show something of a frame: all numbers finite, at least a pixel and at most four frames
        /// large, and not wholly outside.
        package func isUsable(in frame: FrameSize) -> Bool {
            guard rotation.isFinite, side >= 1, side <= 4 * max(frame.width, frame.height) else { return false }
            // Far enough for every corner at any rotation.
            let reach = side * 0.5.squareRoot()
            return (-reach..<(frame.width + reach)).contains(centerX)
                && (-reach..<(frame.height + reach)).contains(centerY)
        }

        /// Angle by which something that points in a direction is turned from pointing up, -pi..<pi.
        private static func rotation(pointing direction: SIMD2<Double>) -> Double {
            let angle = .pi / 2 - Math.arcTangent(y: -direction.y, x: direction.x)
            return angle - 2 * .pi * ((angle + .pi) / (2 * .pi)).rounded(.down)
        }

        /// Unit vectors of the square's own axes.
        private static func axes(_ rotation: Double) -> (right: SIMD2<Double>, down: SIMD2<Double>) {
            let (sine, cosine) = (Math.sine(rotation), Math.cosine(rotation))
            return (SIMD2(cosine, sine), SIMD2(-sine, cosine))
        }

        /// Unit vectors of the square's own axes, in pixels of the frame.
        package var axes: (right: SIMD2<Double>, down: SIMD2<Double>) { Self.axes(rotation) }

        /// Top left corner of the square as it is turned.
        package var corner: SIMD2<Double> { place(SIMD2<Float>.zero) }

        /// Where a point in shares of the square lies in the frame, in pixels.
        package func place(_ point: SIMD2<Float>) -> SIMD2<Double> {
            let (right, down) = axes
            let offset = side * (SIMD2(Double(point.x), Double(point.y)) - 0.5)
            return SIMD2(centerX, centerY) + offset.x * right + offset.y * down
        }

        /// Intersection over union of two squares as if neither were turned, as MediaPipe's association compares them. 0...1.
        package func overlap(_ other: TrackedHand.Region) -> Double {
            let width = shared(centerX, other.centerX, other)
            let height = shared(centerY, other.centerY, other)
            guard width > 0, height > 0 else { return 0 }
            return width * height / (side * side + other.side * other.side - width * height)
        }

        private func shared(_ center: Double, _ otherCenter: Double, _ other: TrackedHand.Region) -> Double {
            min(center + side / 2, otherCenter + other.side / 2) - max(center - side / 2, otherCenter - other.side / 2)
        }
    }
}

/// Sides of the upright frame, in pixels, as real numbers.
package struct FrameSize: Sendable, Equatable {
    package var width: Double
    package var height: Double

    package init(width: Int, height: Int) {
        self.width = Double(width)
        self.height = Double(height)
    }

    /// The part of a frame that is looked at, upright.
    package init(_ region: PixelView.Region, _ orientation: ImageOrientation) {
        switch orientation {
        case .up, .upMirrored, .down, .downMirrored: self.init(width: region.width, height: region.height)
        case .left, .leftMirrored, .right, .rightMirrored: self.init(width: region.height, height: region.width)
        }
    }
}
