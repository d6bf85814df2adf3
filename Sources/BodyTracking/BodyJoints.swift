import Platform

/// The 19 joints of a body with the names and coordinates of Apple's Vision: x and y with a confidence.
///
/// x and y are normalised by the upright frame's width and height from its bottom left. 17 joints are points of the
/// tracker's 33. Neck and root are the middles of the shoulders and of the hips, with the lower confidence of the two.
/// A joint whose confidence is 0 was not recognised: dictionaries and sequences leave it out, and its subscript is nil.
/// Every other joint is finite and within the frame.
///
/// A plain value: the subscript of a joint and iteration do not allocate.
public struct BodyJoints: Sendable {
    /// Number of joints of a body.
    public static let count = 19

    /// Joints with less confidence are not recognised, unless another minimum is given. The landmark network also gives
    /// positions to hidden points, with a visibility below this.
    public static let minimumConfidence: Float = 0.1

    /// x, y and confidence of each joint, 16 bytes per joint, in the order of `Name`.
    private typealias Storage = (SIMD64<Float>, SIMD8<Float>, SIMD4<Float>)

    private var points = FixedArray<Storage, SIMD3<Float>>(repeating: .zero)

    /// Makes joints of which none is recognised.
    public init() {}

    /// Makes the joints of a body.
    ///
    /// The confidence of a point is the lesser of its visibility and its presence, at most 1. It is 0 if that is below
    /// the minimum or NaN, and if the point lies outside the frame.
    /// - Parameter minimumConfidence: least confidence of a recognised joint; with 0 only joints without any confidence
    ///   are left out.
    public init(_ body: TrackedBody, minimumConfidence: Float = BodyJoints.minimumConfidence) {
        for name in GroupJoints.all {
            guard let source = name.landmark else { continue }
            let place = body.landmarks[source]
            self[name] = BodyJoints.Point(
                location: SIMD2(place.x, 1 - place.y),
                confidence: Self.confidence(body, source, minimumConfidence))
        }
        self[.neck] = Self.middle(self[.leftShoulder], self[.rightShoulder])
        self[.root] = Self.middle(self[.leftHip], self[.rightHip])
    }

    /// A joint; nil if it is not recognised. Setting a point that has no confidence, is outside the frame or is not
    /// finite sets nil.
    public subscript(name: BodyJoints.Name) -> BodyJoints.Point? {
        get {
            let point = points[name.index]
            return point.z > 0 ? BodyJoints.Point(location: SIMD2(point.x, point.y), confidence: point.z) : nil
        }
        set {
            guard let newValue, newValue.isRecognized else {
                points[name.index] = .zero
                return
            }
            points[name.index] = SIMD3(newValue.location, Swift.min(newValue.confidence, 1))
        }
    }

    /// The recognised joints of a group.
    public subscript(group: BodyJoints.Group) -> [BodyJoints.Name: BodyJoints.Point] {
        var found: [BodyJoints.Name: BodyJoints.Point] = [:]
        for name in group.joints { found[name] = self[name] }
        return found
    }

    /// The points of the recognised joints of a group in the group's order, such as an arm's from the shoulder on.
    public func points(of group: BodyJoints.Group) -> [BodyJoints.Point] {
        group.joints.compactMap { self[$0] }
    }

    private static func confidence(_ body: TrackedBody, _ joint: TrackedBody.Joint, _ minimum: Float) -> Float {
        let (visibility, presence) = (body.visibility[joint], body.pointPresence[joint])
        // NaN fails the comparison.
        return visibility >= minimum && presence >= minimum ? Swift.min(visibility, presence) : 0
    }

    private static func middle(_ one: BodyJoints.Point?, _ other: BodyJoints.Point?) -> BodyJoints.Point? {
        guard let one, let other else { return nil }
        return BodyJoints.Point(
            location: (one.location + other.location) / 2, confidence: Swift.min(one.confidence, other.confidence))
    }
}

extension BodyJoints {
    /// A joint with the name of Vision's constant. Left and right are the person's own.
    public enum Name: String, Sendable, CaseIterable, Codable {
        /// The tip of the nose, the middles of the eyes, the ears.
        case nose, leftEye, rightEye, leftEar, rightEar
        /// The middle of both shoulders.
        case neck
        /// Shoulder joints.
        case leftShoulder, rightShoulder
        /// Elbows.
        case leftElbow, rightElbow
        /// Wrists.
        case leftWrist, rightWrist
        /// The middle of both hips.
        case root
        /// Hip joints.
        case leftHip, rightHip
        /// Knees.
        case leftKnee, rightKnee
        /// Ankles.
        case leftAnkle, rightAnkle

        /// The tracker's point of this joint; nil for neck and root, which are computed from two points.
        public var landmark: TrackedBody.Joint? {
            switch self {
            case .nose: .nose
            case .leftEye: .leftEye
            case .rightEye: .rightEye
            case .leftEar: .leftEar
            case .rightEar: .rightEar
            case .leftShoulder: .leftShoulder
            case .rightShoulder: .rightShoulder
            case .leftElbow: .leftElbow
            case .rightElbow: .rightElbow
            case .leftWrist: .leftWrist
            case .rightWrist: .rightWrist
            case .leftHip: .leftHip
            case .rightHip: .rightHip
            case .leftKnee: .leftKnee
            case .rightKnee: .rightKnee
            case .leftAnkle: .leftAnkle
            case .rightAnkle: .rightAnkle
            case .neck, .root: nil
            }
        }

        /// Index in `allCases`.
        fileprivate var index: Int {
            switch self {
            case .nose: 0
            case .leftEye: 1
            case .rightEye: 2
            case .leftEar: 3
            case .rightEar: 4
            case .neck: 5
            case .leftShoulder: 6
            case .rightShoulder: 7
            case .leftElbow: 8
            case .rightElbow: 9
            case .leftWrist: 10
            case .rightWrist: 11
            case .root: 12
            case .leftHip: 13
            case .rightHip: 14
            case .leftKnee: 15
            case .rightKnee: 16
            case .leftAnkle: 17
            case .rightAnkle: 18
            }
        }
    }

    /// Joints that belong together.
    public enum Group: String, Sendable, CaseIterable, Codable {
        /// Nose, eyes and ears.
        case face
        /// A closed line around the torso: neck, right shoulder, right hip, root, left hip, left shoulder.
        case torso
        /// Arms, from the shoulder on.
        case leftArm, rightArm
        /// Legs, from the hip on.
        case leftLeg, rightLeg
        /// All 19.
        case all

        /// The group's joints in their order.
        public var joints: [BodyJoints.Name] {
            switch self {
            case .face: GroupJoints.face
            case .torso: GroupJoints.torso
            case .leftArm: GroupJoints.leftArm
            case .rightArm: GroupJoints.rightArm
            case .leftLeg: GroupJoints.leftLeg
            case .rightLeg: GroupJoints.rightLeg
            case .all: GroupJoints.all
            }
        }
    }

    /// A recognised joint.
    public struct Point: Sendable, Hashable {
        /// Normalised by the upright frame's width, from the left, and height, from the bottom; 0...1.
        public var location: SIMD2<Float>

        /// How likely the joint is present and visible, above 0, at most 1.
        public var confidence: Float

        /// Makes a point.
        public init(location: SIMD2<Float>, confidence: Float) {
            self.location = location
            self.confidence = confidence
        }

        /// The same position from the top left, as in `TrackedBody.landmarks` and in images in memory: its y is 1 -
        /// `location.y`.
        public var topLeftLocation: SIMD2<Float> { SIMD2(location.x, 1 - location.y) }

        /// The position in pixels of an upright image, from its bottom left, as Vision's
        /// `VNImagePointForNormalizedPoint` gives it. For the position from the top left, subtract y from the height.
        /// - Parameters:
        ///   - width: width of the upright image, which is the stored height if the orientation swaps the axes.
        ///   - height: height of the upright image.
        public func imagePoint(width: Int, height: Int) -> SIMD2<Float> {
            location * SIMD2(Float(width), Float(height))
        }

        /// Whether it has a confidence and lies within the frame; false for NaN.
        fileprivate var isRecognized: Bool {
            confidence > 0 && (0...1).contains(location.x) && (0...1).contains(location.y)
        }
    }
}

/// Made once, because `allCases` and array literals are new arrays at each access.
private enum GroupJoints {
    static let face: [BodyJoints.Name] = [.nose, .leftEye, .rightEye, .leftEar, .rightEar]
    static let torso: [BodyJoints.Name] = [.neck, .rightShoulder, .rightHip, .root, .leftHip, .leftShoulder]
    static let leftArm: [BodyJoints.Name] = [.leftShoulder, .leftElbow, .leftWrist]
    static let rightArm: [BodyJoints.Name] = [.rightShoulder, .rightElbow, .rightWrist]
    static let leftLeg: [BodyJoints.Name] = [.leftHip, .leftKnee, .leftAnkle]
    static let rightLeg: [BodyJoints.Name] = [.rightHip, .rightKnee, .rightAnkle]
    static let all = BodyJoints.Name.allCases
}

extension TrackedBody {
    /// The joints with Vision's names and coordinates, without those below `BodyJoints.minimumConfidence`.
    public var joints: BodyJoints { BodyJoints(self) }
}

extension BodyJoints: Sequence {
    /// Iterates over the recognised joints in the order of `Name`.
    public struct Iterator: IteratorProtocol {
        private let joints: BodyJoints
        private var position = 0

        fileprivate init(_ joints: BodyJoints) { self.joints = joints }

        /// The next recognised joint.
        public mutating func next() -> (name: BodyJoints.Name, point: BodyJoints.Point)? {
            while position < BodyJoints.count {
                let name = GroupJoints.all[position]
                position += 1
                if let point = joints[name] { return (name, point) }
            }
            return nil
        }
    }

    /// The recognised joints.
    public func makeIterator() -> BodyJoints.Iterator { BodyJoints.Iterator(self) }
}

extension BodyJoints: Equatable {
    /// Whether the same joints are recognised, at the same positions and with the same confidence.
    public static func == (left: BodyJoints, right: BodyJoints) -> Bool {
        left.points.indices.allSatisfy { left.points[$0] == right.points[$0] }
    }
}
