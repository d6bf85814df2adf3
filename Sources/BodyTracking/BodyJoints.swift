import Platform

/// The 19 joints of a body by the names and the coordinates of Apple's Vision: x and y in shares of the upright frame's width and
/// height from its bottom left, with a confidence.
///
/// 17 are points of the tracker's 33; neck and root lie in the middle of the shoulders and of the hips and are as sure as the
/// less sure one of the two. A joint whose confidence is 0 was not recognised: it is in no dictionary, in no sequence, and its
/// subscript is nil. Every other one lies within the frame and is finite.
///
/// A plain value: subscripts and iteration allocate nothing.
public struct BodyJoints: Sendable {
    /// Joints of a body.
    public static let count = 19

    /// What is less sure is not recognised, unless asked for otherwise. The landmark network gives a place to points that it does
    /// not see, too; those have a visibility below this.
    public static let minimumConfidence: Float = 0.1

    /// x, y and confidence, 16 bytes each, by the joints' order.
    private typealias Storage = (SIMD64<Float>, SIMD8<Float>, SIMD4<Float>)

    private var points = FixedArray<Storage, SIMD3<Float>>(repeating: .zero)

    /// No joint is recognised.
    public init() {}

    /// The joints of a body.
    ///
    /// The confidence of a point is its visibility or its presence, whichever is less, at most 1; it is 0 where that is below the
    /// minimum or not a number, and where the point lies outside of the frame.
    /// - Parameter minimumConfidence: 0 leaves out only what has no confidence at all.
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

    /// A joint; nil if it is not recognised. Setting a point without confidence, outside of the frame or not finite sets nil.
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

    /// The points of the recognised joints of a group, in the group's order: the corners of a torso, an arm from its shoulder.
    public func points(of group: BodyJoints.Group) -> [BodyJoints.Point] {
        group.joints.compactMap { self[$0] }
    }

    private static func confidence(_ body: TrackedBody, _ joint: TrackedBody.Joint, _ minimum: Float) -> Float {
        let (visibility, presence) = (body.visibility[joint], body.pointPresence[joint])
        // A score that is NaN fails the comparison.
        return visibility >= minimum && presence >= minimum ? Swift.min(visibility, presence) : 0
    }

    private static func middle(_ one: BodyJoints.Point?, _ other: BodyJoints.Point?) -> BodyJoints.Point? {
        guard let one, let other else { return nil }
        return BodyJoints.Point(
            location: (one.location + other.location) / 2, confidence: Swift.min(one.confidence, other.confidence))
    }
}

extension BodyJoints {
    /// A joint, by the name of Vision's constant. Left and right are the person's own.
    public enum Name: String, Sendable, CaseIterable, Codable {
        /// The tip of the nose, the middles of the eyes, the ears.
        case nose, leftEye, rightEye, leftEar, rightEar
        /// The middle of both shoulders.
        case neck
        /// Where the arms begin.
        case leftShoulder, rightShoulder
        /// Elbows.
        case leftElbow, rightElbow
        /// Wrists.
        case leftWrist, rightWrist
        /// The middle of both hips.
        case root
        /// Where the legs begin.
        case leftHip, rightHip
        /// Knees.
        case leftKnee, rightKnee
        /// Ankles.
        case leftAnkle, rightAnkle

        /// The tracker's point that this joint is; nil of neck and root, which are made of two.
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

        /// Its place in `allCases`.
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

        /// Its joints in their order.
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
        /// Shares of the upright frame's width, from the left, and height, from the bottom; 0...1.
        public var location: SIMD2<Float>

        /// How sure it is that the joint is there and seen, above 0, at most 1.
        public var confidence: Float

        /// A point.
        public init(location: SIMD2<Float>, confidence: Float) {
            self.location = location
            self.confidence = confidence
        }

        /// The same place counted from the top left, as `TrackedBody.landmarks` and all pictures in memory count: y is 1 less
        /// Vision's.
        public var topLeftLocation: SIMD2<Float> { SIMD2(location.x, 1 - location.y) }

        /// The place in pixels of an upright picture, from its bottom left: what Vision's `VNImagePointForNormalizedPoint` gives.
        /// For the place from the top left, take the height less this y.
        /// - Parameters:
        ///   - width: columns of the upright picture; a stored picture's rows where the orientation turns it on its side.
        ///   - height: its rows.
        public func imagePoint(width: Int, height: Int) -> SIMD2<Float> {
            location * SIMD2(Float(width), Float(height))
        }

        /// Whether it has a confidence and lies within the frame; not a number does not.
        fileprivate var isRecognized: Bool {
            confidence > 0 && (0...1).contains(location.x) && (0...1).contains(location.y)
        }
    }
}

/// Made once: `allCases` and array literals are new arrays at each access.
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
    /// The joints by Vision's names and coordinates; those less sure than `BodyJoints.minimumConfidence` are left out.
    public var joints: BodyJoints { BodyJoints(self) }
}

extension BodyJoints: Sequence {
    /// Goes through the recognised joints in the order of `Name`.
    public struct Iterator: IteratorProtocol {
        private let joints: BodyJoints
        private var position = 0

        fileprivate init(_ joints: BodyJoints) { self.joints = joints }

        /// The next one that is recognised.
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
    /// Whether the same joints are recognised, at the same places and as surely.
    public static func == (left: BodyJoints, right: BodyJoints) -> Bool {
        left.points.indices.allSatisfy { left.points[$0] == right.points[$0] }
    }
}
