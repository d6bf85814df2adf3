public import BodyTracking

/// A kind of point, the same for both sides of the body, for which minima of confidence are given.
public enum BodyPart: String, Sendable, Hashable, CaseIterable, Codable {
    /// Nose, eyes, ears and mouth.
    case face
    /// Shoulder joints.
    case shoulder
    /// Elbows.
    case elbow
    /// Wrists.
    case wrist
    /// Knuckles of little fingers, index fingers and thumbs.
    case hand
    /// Hip joints.
    case hip
    /// Knees.
    case knee
    /// Ankles.
    case ankle
    /// Heels and tips of the feet.
    case foot

    /// The part that a point belongs to.
    public init(_ joint: TrackedBody.Joint) {
        switch joint {
        case .nose, .leftEyeInner, .leftEye, .leftEyeOuter, .rightEyeInner, .rightEye, .rightEyeOuter, .leftEar,
            .rightEar, .leftMouth, .rightMouth:
            self = .face
        case .leftShoulder, .rightShoulder: self = .shoulder
        case .leftElbow, .rightElbow: self = .elbow
        case .leftWrist, .rightWrist: self = .wrist
        case .leftPinky, .rightPinky, .leftIndex, .rightIndex, .leftThumb, .rightThumb: self = .hand
        case .leftHip, .rightHip: self = .hip
        case .leftKnee, .rightKnee: self = .knee
        case .leftAnkle, .rightAnkle: self = .ankle
        case .leftHeel, .rightHeel, .leftFootIndex, .rightFootIndex: self = .foot
        }
    }
}

/// A set of a body's points.
public struct BodyJointSet: Sendable, Hashable {
    /// One bit for each point, by its number.
    package var bits: UInt64

    /// No points.
    public init() { bits = 0 }

    package init(bits: UInt64) { self.bits = bits }

    /// Points in the set, 0...33.
    public var count: Int { bits.nonzeroBitCount }

    /// Whether a point is in the set.
    public func contains(_ joint: TrackedBody.Joint) -> Bool { contains(joint.rawValue) }

    package func contains(_ index: Int) -> Bool { bits >> UInt64(index) & 1 == 1 }

    package mutating func insert(_ index: Int) { bits |= 1 << UInt64(index) }

    package mutating func remove(_ index: Int) { bits &= ~(1 << UInt64(index)) }
}
