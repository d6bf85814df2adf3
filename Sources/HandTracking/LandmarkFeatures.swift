package import Tracking

/// The column that the temporal layers read: 128 quantised values, 0...255, of one frame. 108 come from the landmarks
/// of the hand, 8 from its pose, and 12 describe where the frame changes (`ChangeMeter`), with or without a hand. All
/// arithmetic on landmarks is Float32, in the order written, so that training and engine agree bit for bit
/// (`Tools/lab/training/handtrain/features.py`).
///
/// In a frame without a hand, presence is 0, all other landmark values are 128, the middle of their range, and every
/// pose is 0.
///
/// A frame narrower than 4:3 is padded to it (`Padding`), so that a movement has the same values in an upright picture as in
/// a wide one. Lengths are in heights of the frame: X = x * aspect, Y = y, Z = z * aspect. With the palm's points 0, 5, 9, 13, 17
/// and the body's 0, 1, 5, 9, 13, 17:
/// - c, the mean of the palm's points, is the palm's position;
/// - s = sqrt(mean squared distance of the body's points from their mean + 1e-8) is its size in space, f the same of X
///   and Y alone;
/// - d = (p9 - p0) in X, Y, over sqrt(its square + 1e-8) is the roll as a unit vector;
/// - n = (p5 - p0) x (p17 - p0) over sqrt(its square + 1e-16) is the direction that the palm faces;
/// - q = (p - c) / s is a point relative to the palm, in palm sizes.
///
/// A feature r with the range lo...hi is quantised to `round((r - lo) * 255 / (hi - lo))`, half to even, clamped to
/// 0...255; NaN gives 0. `layout` names the features:
///
/// | name | value |
/// |---|---|
/// | presence | 1 |
/// | x, y; size; right | cX / aspect, cY; s / (s + 0.1); `labelledRight` |
/// | rollX, rollY; normalX...Z | d; n |
/// | length, width; tilt, slant; flat | of p9 - p0 and p5 - p17 in X, Y over s; Z of q9 - q0 and q5 - q17; f / s |
/// | pNX, pNY; uNX, uNY | X, Y of q_N; the same turned until d points up |
/// | reachN, wristN; gapA_B | distance of tip N from its knuckle and from the wrist; of q_A from q_B |
/// | bendN | cosine between the last and the first bone of a finger |
/// | depthN; atNX, atNY | Z of q_N; point N normalised to the frame |
/// | poseN | the score of a pose, in MediaPipe's order; 0 without one |
/// | amount ... age | `ChangeMeter.Numbers` |
package enum LandmarkFeatures {
    /// Quantised values of a column; `layout` describes each.
    package static let count = 128
    /// Quantised values of the landmarks, which come first.
    package static let landmarkCount = 108
    /// The index of the first value of motion; the poses lie before it.
    package static let motionStart = landmarkCount + SIMD8<Float>.scalarCount

    /// The name and range of a feature.
    package struct Number: Sendable, Equatable {
        package let name: String
        package let low: Float
        package let high: Float

        init(_ name: String, _ range: ClosedRange<Double>) {
            self.name = name
            low = Float(range.lowerBound)
            high = Float(range.upperBound)
            gain = Float(255 / (range.upperBound - range.lowerBound))
        }

        /// Quantisation steps of one unit.
        fileprivate let gain: Float
    }

    static let turned = [3, 4, 6, 8, 10, 12, 14, 16, 18, 20]
    static let tips = [4, 8, 12, 16, 20]
    private static let knuckles = [2, 5, 9, 13, 17]
    /// The joint at which each finger's first bone begins.
    private static let roots = [1, 5, 9, 13, 17]
    static let gaps = [(4, 8), (4, 12), (8, 12), (12, 16), (16, 20), (4, 20), (4, 5)]
    static let framed = [0, 8]
    private static let palm = [0, 5, 9, 13, 17]
    private static let body = [0, 1, 5, 9, 13, 17]

    /// The place of a feature in a column. Requires the name of one.
    package static func place(of name: String) -> Int {
        guard let place = layout.firstIndex(where: { $0.name == name }) else {
            preconditionFailure("a column has no \(name)")
        }
        return place
    }

    /// The number that a feature's quantised value stands for.
    package static func value(of column: Span<UInt8>, at place: Int) -> Float {
        let number = layout[place]
        return number.low + Float(column[place]) / number.gain
    }

    /// Writes the landmarks and poses of a frame without a hand; the values of motion stay.
    package static func writeNone(to values: inout MutableSpan<UInt8>) {
        precondition(values.count == count)
        values[0] = 0
        for index in 1..<landmarkCount { values[index] = 128 }
        for index in landmarkCount..<motionStart { values[index] = 0 }
    }

    /// Writes the values of motion; those of landmarks and poses stay.
    /// - Parameter aspect: width over height of the upright frame.
    package static func write(_ motion: ChangeMeter.Numbers, aspect: Float, to values: inout MutableSpan<UInt8>) {
        precondition(values.count == count)
        let padding = Padding(aspect)
        var writer = Writer(motionStart)
        writer.put(padding.amount(motion.amount), &values)
        writer.put(padding.x(motion.moveX), &values)
        writer.put(motion.moveY, &values)
        writer.put(motion.wideX * padding.share, &values)
        writer.put(motion.wideY, &values)
        writer.put(motion.area * padding.share, &values)
        writer.put(motion.shiftX * padding.share, &values)
        writer.put(motion.shiftY, &values)
        writer.put(motion.nearby, &values)
        writer.put(padding.x(motion.lastX), &values)
        writer.put(motion.lastY, &values)
        writer.put(motion.age, &values)
    }

    /// Writes the landmarks and poses of a hand. If a landmark is not finite, it writes the values for a frame without a
    /// hand. The values of motion stay.
    /// - Parameters:
    ///   - points: x and y normalised to the upright frame, 0...1, z by its width.
    ///   - labelledRight: how likely it is a right hand if the frame is mirrored, as MediaPipe's labels assume, 0...1.
    ///   - aspect: width over height of the upright frame.
    ///   - pose: the hand's, if it has one.
    ///   - values: `count` values.
    /// - Returns: the palm's position and size, c and s; nil without a hand.
    @discardableResult
    package static func write(
        _ points: TrackedHand.Points, labelledRight: Float, aspect: Float, pose: TrackedHand.Pose?,
        to values: inout MutableSpan<UInt8>
    ) -> ChangeMeter.Palm? {
        guard points.isFinite else {
            writeNone(to: &values)
            return nil
        }
        precondition(values.count == count)
        let padding = Padding(aspect)
        let points = padding.points(points)
        var writer = Writer(0)
        let p = Hand(points, padding.aspect)
        let x = p.center.x / padding.aspect
        writer.put(1, &values)
        writer.put(x, &values)
        writer.put(p.center.y, &values)
        writer.put(p.size / (p.size + 0.1), &values)
        writer.put(labelledRight, &values)
        writer.put(p.roll.x, &values)
        writer.put(p.roll.y, &values)
        for axis in 0..<3 { writer.put(p.normal[axis], &values) }
        writer.put(p.length / p.size, &values)
        writer.put(p.width / p.size, &values)
        writer.put(p.q[9].z - p.q[0].z, &values)
        writer.put(p.q[5].z - p.q[17].z, &values)
        writer.put(p.flatSize / p.size, &values)
        for index in 0..<TrackedHand.Points.count {
            writer.put(p.q[index].x, &values)
            writer.put(p.q[index].y, &values)
        }
        for index in turned {
            let (x, y) = (p.q[index].x, p.q[index].y)
            writer.put(x * -p.roll.y + y * p.roll.x, &values)
            writer.put(x * -p.roll.x + y * -p.roll.y, &values)
        }
        for (tip, knuckle) in zip(tips, knuckles) { writer.put(p.distance(tip, knuckle), &values) }
        for tip in tips { writer.put(p.distance(tip, 0), &values) }
        for (a, b) in gaps { writer.put(p.distance(a, b), &values) }
        for (tip, root) in zip(tips, roots) {
            let (last, first) = (p.direction(tip - 1, tip), p.direction(root, root + 1))
            writer.put((last.x * first.x + last.y * first.y) + last.z * first.z, &values)
        }
        for tip in tips { writer.put(p.q[tip].z, &values) }
        for index in framed {
            writer.put(points[index].x, &values)
            writer.put(points[index].y, &values)
        }
        let scores = pose?.scores ?? .zero
        for index in scores.indices { writer.put(scores[index], &values) }
        return ChangeMeter.Palm(x: padding.frameX(x), y: p.center.y, size: p.size)
    }

    /// A frame that is narrower than 4:3 as the middle of one of 4:3 and of the same height. Others stay as they are.
    private struct Padding {
        /// Width of the frame over that of the padded one, at most 1.
        let share: Float
        /// Width over height of the padded frame.
        let aspect: Float

        init(_ aspect: Float) {
            let share = aspect * 0.75
            (self.share, self.aspect) = share < 1 ? (share, 4.0 / 3) : (1, aspect)
        }

        /// From a position across the frame to that across the padded one, both 0...1.
        func x(_ x: Float) -> Float { share < 1 ? 0.5 + (x - 0.5) * share : x }

        /// And back.
        func frameX(_ x: Float) -> Float { share < 1 ? 0.5 + (x - 0.5) / share : x }

        /// `ChangeMeter.Numbers.amount` of the padded frame, whose other cells do not change.
        func amount(_ amount: Float) -> Float {
            share < 1 ? amount * share / ((1 - amount) + amount * share) : amount
        }

        func points(_ points: TrackedHand.Points) -> TrackedHand.Points {
            guard share < 1 else { return points }
            var padded = points
            for index in 0..<TrackedHand.Points.count {
                let point = points[index]
                padded[index] = SIMD3(x(point.x), point.y, point.z * share)
            }
            return padded
        }
    }

    /// Quantises features, one after the other.
    private struct Writer {
        private var index: Int

        init(_ first: Int) { index = first }

        mutating func put(_ value: Float, _ values: inout MutableSpan<UInt8>) {
            let number = layout[index]
            let nearest = ((value - number.low) * number.gain).rounded(.toNearestOrEven)
            // Comparisons with NaN are false, so NaN gives 0.
            values[index] = nearest > 0 ? UInt8(min(nearest, 255)) : 0
            index += 1
        }
    }

    /// A hand relative to its palm.
    private struct Hand {
        let center: SIMD3<Float>
        let size, flatSize: Float
        let roll: SIMD2<Float>
        let normal: SIMD3<Float>
        let length, width: Float
        private(set) var q: TrackedHand.Points

        init(_ points: TrackedHand.Points, _ aspect: Float) {
            var p = TrackedHand.Points()
            for index in 0..<TrackedHand.Points.count {
                p[index] = SIMD3(points[index].x * aspect, points[index].y, points[index].z * aspect)
            }
            let center = Self.mean(p, palm)
            let middle = Self.mean(p, body)
            var (solid, plane): (Float, Float) = (0, 0)
            for index in body {
                let d = p[index] - middle
                plane += d.x * d.x + d.y * d.y
                solid += (d.x * d.x + d.y * d.y) + d.z * d.z
            }
            size = (solid / 6 + 1e-8).squareRoot()
            flatSize = (plane / 6 + 1e-8).squareRoot()
            let along = p[9] - p[0]
            let square = along.x * along.x + along.y * along.y
            length = square.squareRoot()
            let norm = (square + 1e-8).squareRoot()
            roll = SIMD2(along.x / norm, along.y / norm)
            let across = p[5] - p[17]
            width = (across.x * across.x + across.y * across.y).squareRoot()
            let (a, b) = (p[5] - p[0], p[17] - p[0])
            let n = SIMD3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x)
            normal = n / (((n.x * n.x + n.y * n.y) + n.z * n.z) + 1e-16).squareRoot()
            self.center = center
            q = p
            for index in 0..<TrackedHand.Points.count { q[index] = (p[index] - center) / size }
        }

        private static func mean(_ p: TrackedHand.Points, _ indices: [Int]) -> SIMD3<Float> {
            var sum = p[indices[0]]
            for index in indices.dropFirst() { sum += p[index] }
            return sum / Float(indices.count)
        }

        func distance(_ i: Int, _ j: Int) -> Float {
            let d = q[i] - q[j]
            return ((d.x * d.x + d.y * d.y) + d.z * d.z).squareRoot()
        }

        func direction(_ i: Int, _ j: Int) -> SIMD3<Float> { (q[j] - q[i]) / (distance(j, i) + 1e-4) }
    }
}
