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
