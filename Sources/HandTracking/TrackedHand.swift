import Platform
public import Tracking

/// A hand in a frame.
public struct TrackedHand: Sendable, Equatable {
    /// The side of the body that the hand belongs to.
    public enum Handedness: String, Sendable, Hashable, CaseIterable {
        /// A side of the body, not of the frame.
        case left, right
    }

    /// The same from frame to frame while the hand is tracked, and when it is found again soon near the position where
    /// it was lost; counted from 0.
    public var identity: Int

    /// The network's confidence that this is a hand, above the minimum, at most 1.
    public var presence: Float

    /// How likely it is a right hand, 0...1, if the upright frame is not mirrored; in a mirrored frame, such as a
    /// selfie preview, left and right are exchanged. MediaPipe assumes that all frames are mirrored, so its labels are
    /// the opposite.
    public var rightHandedness: Float

    /// The points: x and y normalised by the upright frame's width and height from its top left, so mostly within 0...1;
    /// z is the distance from the wrist, away from the camera, normalised by the frame's width.
    ///
    /// The network gives no confidence for a point, in contrast to that of bodies. It also places hidden
    /// points; `presence` is about the hand as a whole.
    public var landmarks: TrackedHand.Points

    /// The points in metres relative to the hand's middle, x to the right, y down and z away from the camera of the
    /// upright frame.
    public var worldLandmarks: TrackedHand.Points

    /// The region of the frame that the landmark network read.
    public var region: TrackedRegion

    /// The pose, computed from `landmarks`. Nil if the engine has no pose networks, which
    /// `HandModels(palmDetection:handLandmarks:poses:gestures:)` permits.
    public var pose: TrackedHand.Pose?

    /// Creates a hand.
    public init(
        identity: Int, presence: Float, rightHandedness: Float, landmarks: TrackedHand.Points,
        worldLandmarks: TrackedHand.Points,
        region: TrackedRegion, pose: TrackedHand.Pose? = nil
    ) {
        self.identity = identity
        self.presence = presence
        self.rightHandedness = rightHandedness
        self.landmarks = landmarks
        self.worldLandmarks = worldLandmarks
        self.region = region
        self.pose = pose
    }

    /// The more likely side; see `rightHandedness` about mirrored frames.
    public var handedness: Handedness { rightHandedness >= 0.5 ? .right : .left }
}

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
        package var isFinite: Bool {
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

extension TrackedHand {
    /// The 21 lines that MediaPipe draws, `HAND_CONNECTIONS`: those of every finger, then the palm's outline. `start` is
    /// the end nearer to the wrist, or to the thumb for a line across the palm.
    public static let bones: [(start: TrackedHand.Joint, end: TrackedHand.Joint)] =
        Finger.allCases.flatMap { $0.bones } + palmBones

    /// The palm's outline: from the wrist to the knuckles of index and little finger, and from knuckle to knuckle.
    public static let palmBones: [(start: TrackedHand.Joint, end: TrackedHand.Joint)] = [
        (.wrist, .indexKnuckle), (.indexKnuckle, .middleKnuckle), (.middleKnuckle, .ringKnuckle),
        (.ringKnuckle, .littleKnuckle), (.wrist, .littleKnuckle),
    ]

    /// A finger of a hand.
    public enum Finger: String, Sendable, Hashable, CaseIterable, Codable {
        /// The thumb and the four fingers, from the thumb's side outward.
        case thumb, index, middle, ring, little

        /// Its four points, from the palm to the tip.
        public var joints: [TrackedHand.Joint] { FingerParts.joints[place] }

        /// Its lines, from the palm to the tip: three, and four for the thumb, whose first begins at the wrist.
        public var bones: [(start: TrackedHand.Joint, end: TrackedHand.Joint)] { FingerParts.bones[place] }

        /// The tip.
        public var tip: TrackedHand.Joint {
            switch self {
            case .thumb: .thumbTip
            case .index: .indexTip
            case .middle: .middleTip
            case .ring: .ringTip
            case .little: .littleTip
            }
        }

        /// The index in `allCases`.
        fileprivate var place: Int {
            switch self {
            case .thumb: 0
            case .index: 1
            case .middle: 2
            case .ring: 3
            case .little: 4
            }
        }
    }
}

extension TrackedHand.Joint {
    /// The finger that the point belongs to; nil for the wrist.
    public var finger: TrackedHand.Finger? {
        switch self {
        case .wrist: nil
        case .thumbCarpometacarpal, .thumbKnuckle, .thumbInterphalangeal, .thumbTip: .thumb
        case .indexKnuckle, .indexProximal, .indexDistal, .indexTip: .index
        case .middleKnuckle, .middleProximal, .middleDistal, .middleTip: .middle
        case .ringKnuckle, .ringProximal, .ringDistal, .ringTip: .ring
        case .littleKnuckle, .littleProximal, .littleDistal, .littleTip: .little
        }
    }
}

/// Made once, because array literals are new arrays at each access.
private enum FingerParts {
    static let joints: [[TrackedHand.Joint]] = [
        [.thumbCarpometacarpal, .thumbKnuckle, .thumbInterphalangeal, .thumbTip],
        [.indexKnuckle, .indexProximal, .indexDistal, .indexTip],
        [.middleKnuckle, .middleProximal, .middleDistal, .middleTip],
        [.ringKnuckle, .ringProximal, .ringDistal, .ringTip],
        [.littleKnuckle, .littleProximal, .littleDistal, .littleTip],
    ]

    static let bones: [[(start: TrackedHand.Joint, end: TrackedHand.Joint)]] = joints.map { joints in
        let ends = joints[0] == .thumbCarpometacarpal ? [.wrist] + joints : joints
        return zip(ends, ends.dropFirst()).map { (start: $0, end: $1) }
    }
}
