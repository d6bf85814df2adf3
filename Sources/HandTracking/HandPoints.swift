import Platform

extension TrackedHand {
    /// The 21 points of a hand, with x, y and z each.
    public struct Points: Sendable {
        /// Points of a hand.
        public static let count = 21

        // A point takes 16 bytes: five vectors of four points, and one point.
        typealias Storage = (
            SIMD16<Float>, SIMD16<Float>, SIMD16<Float>, SIMD16<Float>, SIMD16<Float>, SIMD4<Float>
        )

        var points: FixedArray<Storage, SIMD3<Float>>

        /// All points at one position.
        public init(repeating point: SIMD3<Float> = .zero) {
            points = .init(repeating: point)
        }

        /// A point by its number, 0..<`count`; see `TrackedHand.Joint`.
        public subscript(index: Int) -> SIMD3<Float> {
            get { points[index] }
            set { points[index] = newValue }
        }

        /// A point by its name.
        public subscript(joint: TrackedHand.Joint) -> SIMD3<Float> {
            get { points[joint.rawValue] }
            set { points[joint.rawValue] = newValue }
        }

        /// Multiplies every point.
        package mutating func scale(by factors: SIMD3<Float>) {
            for index in points.indices { points[index] *= factors }
        }

        /// Whether all coordinates are finite.
        var isFinite: Bool {
            // A finite number times zero is zero; anything else gives NaN.
            var sum = SIMD3<Float>.zero
            for index in points.indices { sum += points[index] * 0 }
            return sum == .zero
        }
    }
}

extension TrackedHand.Points: Equatable {
    /// Whether all coordinates are equal.
    public static func == (left: TrackedHand.Points, right: TrackedHand.Points) -> Bool {
        left.points.indices.allSatisfy { left.points[$0] == right.points[$0] }
    }
}

extension TrackedHand {
    /// The points of a hand, by MediaPipe's numbers. From the knuckle at the palm to the tip: metacarpophalangeal
    /// joint, proximal and distal interphalangeal joint, tip.
    public enum Joint: Int, Sendable, CaseIterable {
        /// The wrist.
        case wrist = 0
        /// The thumb, which has one joint between knuckle and tip.
        case thumbCarpometacarpal, thumbKnuckle, thumbInterphalangeal, thumbTip
        /// The index finger.
        case indexKnuckle, indexProximal, indexDistal, indexTip
        /// The middle finger.
        case middleKnuckle, middleProximal, middleDistal, middleTip
        /// The ring finger.
        case ringKnuckle, ringProximal, ringDistal, ringTip
        /// The little finger.
        case littleKnuckle, littleProximal, littleDistal, littleTip
    }
}
