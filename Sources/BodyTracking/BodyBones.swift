extension TrackedBody {
    /// A line between two points of a body, for drawing.
    public struct Bone: Sendable, Hashable {
        /// The end nearer to the trunk, and in the face to the nose; of two points at the same distance the left one.
        public let start: TrackedBody.Joint
        /// The other end.
        public let end: TrackedBody.Joint

        /// Makes a line.
        public init(_ start: TrackedBody.Joint, _ end: TrackedBody.Joint) {
            self.start = start
            self.end = end
        }
    }

    /// The 35 lines that MediaPipe draws, `POSE_CONNECTIONS`: those of every group, in the order of `Group`.
    ///
    /// The network also places hidden points. Draw a line if both ends are visible enough, such as above 0.5 by
    /// `visibility`.
    public static let bones: [Bone] = Group.allCases.flatMap { $0.bones }

    /// Points that belong together, and the lines between them. `BodyJoints.Group` has groups of the 19 joints.
    public enum Group: String, Sendable, Hashable, CaseIterable, Codable {
        /// Nose, eyes, ears and mouth; no line leads from it to the trunk.
        case face
        /// Shoulders and hips.
        case torso
        /// Arms, from the shoulder to the wrist.
        case leftArm, rightArm
        /// Hands, from the wrist on.
        case leftHand, rightHand
        /// Legs, from the hip to the ankle.
        case leftLeg, rightLeg
        /// Feet, from the ankle on.
        case leftFoot, rightFoot

        /// Its points. Those at the border of two groups, such as a shoulder, belong to both.
        public var joints: [TrackedBody.Joint] {
            switch self {
            case .face: BodyParts.face
            case .torso: BodyParts.torso
            case .leftArm: BodyParts.leftArm
            case .rightArm: BodyParts.rightArm
            case .leftHand: BodyParts.leftHand
            case .rightHand: BodyParts.rightHand
            case .leftLeg: BodyParts.leftLeg
            case .rightLeg: BodyParts.rightLeg
            case .leftFoot: BodyParts.leftFoot
            case .rightFoot: BodyParts.rightFoot
            }
        }

        /// Its lines.
        public var bones: [TrackedBody.Bone] {
            switch self {
            case .face: BodyParts.faceBones
            case .torso: BodyParts.torsoBones
            case .leftArm: BodyParts.leftArmBones
            case .rightArm: BodyParts.rightArmBones
            case .leftHand: BodyParts.leftHandBones
            case .rightHand: BodyParts.rightHandBones
            case .leftLeg: BodyParts.leftLegBones
            case .rightLeg: BodyParts.rightLegBones
            case .leftFoot: BodyParts.leftFootBones
            case .rightFoot: BodyParts.rightFootBones
            }
        }
    }
}

/// Made once, because array literals are new arrays at each access.
private enum BodyParts {
    typealias Bone = TrackedBody.Bone

    static let face: [TrackedBody.Joint] = [
        .nose, .leftEyeInner, .leftEye, .leftEyeOuter, .rightEyeInner, .rightEye, .rightEyeOuter, .leftEar, .rightEar,
        .leftMouth, .rightMouth,
    ]
    static let torso: [TrackedBody.Joint] = [.leftShoulder, .rightShoulder, .rightHip, .leftHip]
    static let leftArm: [TrackedBody.Joint] = [.leftShoulder, .leftElbow, .leftWrist]
    static let rightArm: [TrackedBody.Joint] = [.rightShoulder, .rightElbow, .rightWrist]
    static let leftHand: [TrackedBody.Joint] = [.leftWrist, .leftThumb, .leftIndex, .leftPinky]
    static let rightHand: [TrackedBody.Joint] = [.rightWrist, .rightThumb, .rightIndex, .rightPinky]
    static let leftLeg: [TrackedBody.Joint] = [.leftHip, .leftKnee, .leftAnkle]
    static let rightLeg: [TrackedBody.Joint] = [.rightHip, .rightKnee, .rightAnkle]
    static let leftFoot: [TrackedBody.Joint] = [.leftAnkle, .leftHeel, .leftFootIndex]
    static let rightFoot: [TrackedBody.Joint] = [.rightAnkle, .rightHeel, .rightFootIndex]

    static let faceBones =
        line(.nose, .leftEyeInner, .leftEye, .leftEyeOuter, .leftEar)
        + line(.nose, .rightEyeInner, .rightEye, .rightEyeOuter, .rightEar) + line(.leftMouth, .rightMouth)
    static let torsoBones =
        line(.leftShoulder, .rightShoulder) + line(.leftShoulder, .leftHip) + line(.rightShoulder, .rightHip)
        + line(.leftHip, .rightHip)
    static let leftArmBones = line(.leftShoulder, .leftElbow, .leftWrist)
    static let rightArmBones = line(.rightShoulder, .rightElbow, .rightWrist)
    static let leftHandBones =
        line(.leftWrist, .leftThumb) + line(.leftWrist, .leftIndex, .leftPinky) + line(.leftWrist, .leftPinky)
    static let rightHandBones =
        line(.rightWrist, .rightThumb) + line(.rightWrist, .rightIndex, .rightPinky) + line(.rightWrist, .rightPinky)
    static let leftLegBones = line(.leftHip, .leftKnee, .leftAnkle)
    static let rightLegBones = line(.rightHip, .rightKnee, .rightAnkle)
    static let leftFootBones = line(.leftAnkle, .leftHeel, .leftFootIndex) + line(.leftAnkle, .leftFootIndex)
    static let rightFootBones = line(.rightAnkle, .rightHeel, .rightFootIndex) + line(.rightAnkle, .rightFootIndex)

    /// The lines from each point to the next.
    private static func line(_ joints: TrackedBody.Joint...) -> [Bone] {
        zip(joints, joints.dropFirst()).map { Bone($0, $1) }
    }
}
