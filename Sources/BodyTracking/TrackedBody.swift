import Platform
public import Tracking

/// A person in a frame.
public struct TrackedBody: Sendable, Equatable {
    /// Whether the latest frame shows a body.
    public enum State: String, Sendable, Hashable, CaseIterable, Codable {
        /// Found in the latest frame.
        case seen
        /// Not found in the latest frame, but shortly before: all values are those seen last.
        case held
    }

    /// A number that stays the same while the body is followed, and when it is soon found again where it was lost;
    /// counted from 0.
    public var identity: Int

    /// Whether the latest frame shows it.
    public var state: TrackedBody.State

    /// How likely there is a body in the region, by the network: above the minimum, at most 1.
    public var presence: Float

    /// The points in the frame.
    ///
    /// x and y are normalised by the upright frame's width and height from its top left, so mostly within 0...1; z is the
    /// distance from the hips' middle, away from the camera, normalised by the frame's width.
    public var landmarks: TrackedBody.Points

    /// How likely each point is within the frame and not hidden, 0...1.
    public var visibility: TrackedBody.Scores

    /// How likely each point is within the frame, hidden or not, 0...1.
    public var pointPresence: TrackedBody.Scores

    /// The points in metres from the hips' middle: x to the right, y down and z away from the camera, in the upright
    /// frame.
    public var worldLandmarks: TrackedBody.Points

    /// The region that the landmark network read.
    public var region: TrackedRegion

    /// Makes a body.
    public init(
        identity: Int, state: TrackedBody.State = .seen, presence: Float, landmarks: TrackedBody.Points,
        visibility: TrackedBody.Scores, pointPresence: TrackedBody.Scores, worldLandmarks: TrackedBody.Points,
        region: TrackedRegion
    ) {
        self.identity = identity
        self.state = state
        self.presence = presence
        self.landmarks = landmarks
        self.visibility = visibility
        self.pointPresence = pointPresence
        self.worldLandmarks = worldLandmarks
        self.region = region
    }
}

extension TrackedBody {
    /// The 33 points of a body: x, y and z each.
    public struct Points: Sendable {
        /// Number of points of a body.
        public static let count = 33

        // A point takes 16 bytes: eight vectors of four points each, and one more point.
        typealias Storage = (
            SIMD16<Float>, SIMD16<Float>, SIMD16<Float>, SIMD16<Float>, SIMD16<Float>, SIMD16<Float>, SIMD16<Float>,
            SIMD16<Float>, SIMD4<Float>
        )

        var points: FixedArray<Storage, SIMD3<Float>>

        /// Makes points that are all at one position.
        public init(repeating point: SIMD3<Float> = .zero) {
            points = .init(repeating: point)
        }

        /// A point by its number, 0..<`count`; see `TrackedBody.Joint`.
        public subscript(index: Int) -> SIMD3<Float> {
            get { points[index] }
            set { points[index] = newValue }
        }

        /// A point by its name.
        public subscript(joint: TrackedBody.Joint) -> SIMD3<Float> {
            get { points[joint.rawValue] }
            set { points[joint.rawValue] = newValue }
        }

        /// Multiplies every point by `factors`.
        mutating func scale(by factors: SIMD3<Float>) {
            points.withMutableSpan { points in
                for index in points.indices { points[index] *= factors }
            }
        }

        /// Whether every coordinate is finite.
        package var isFinite: Bool {
            points.withSpan { points in
                // A finite number times zero is zero; infinity or NaN times zero is NaN.
                var sum = SIMD3<Float>.zero
                for index in points.indices { sum += points[index] * 0 }
                return sum == .zero
            }
        }
    }

    /// A number for each of the 33 points.
    public struct Scores: Sendable {
        typealias Storage = (SIMD32<Float>, Float)

        var scores: FixedArray<Storage, Float>

        /// Makes equal scores.
        public init(repeating score: Float = 0) {
            scores = .init(repeating: score)
        }

        /// The score of a point by its number, 0..<`Points.count`.
        public subscript(index: Int) -> Float {
            get { scores[index] }
            set { scores[index] = newValue }
        }

        /// The score of a point by its name.
        public subscript(joint: TrackedBody.Joint) -> Float {
            get { scores[joint.rawValue] }
            set { scores[joint.rawValue] = newValue }
        }
    }
}

extension TrackedBody.Points: Equatable {
    /// Whether all coordinates are equal.
    public static func == (left: TrackedBody.Points, right: TrackedBody.Points) -> Bool {
        left.points.indices.allSatisfy { left.points[$0] == right.points[$0] }
    }
}

extension TrackedBody.Scores: Equatable {
    /// Whether all numbers are equal.
    public static func == (left: TrackedBody.Scores, right: TrackedBody.Scores) -> Bool {
        left.scores.indices.allSatisfy { left.scores[$0] == right.scores[$0] }
    }
}

extension TrackedBody {
    /// The points of a body with MediaPipe's numbers. Left and right are the person's own.
    public enum Joint: Int, Sendable, CaseIterable, Codable {
        /// The tip of the nose.
        case nose = 0
        /// The left eye, from the nose outward.
        case leftEyeInner, leftEye, leftEyeOuter
        /// The right eye, from the nose outward.
        case rightEyeInner, rightEye, rightEyeOuter
        /// Ears.
        case leftEar, rightEar
        /// Corners of the mouth.
        case leftMouth, rightMouth
        /// Shoulder joints.
        case leftShoulder, rightShoulder
        /// Elbows.
        case leftElbow, rightElbow
        /// Wrists.
        case leftWrist, rightWrist
        /// Knuckles of the little fingers.
        case leftPinky, rightPinky
        /// Knuckles of the index fingers.
        case leftIndex, rightIndex
        /// Knuckles of the thumbs.
        case leftThumb, rightThumb
        /// Hip joints.
        case leftHip, rightHip
        /// Knees.
        case leftKnee, rightKnee
        /// Ankles.
        case leftAnkle, rightAnkle
        /// Heels.
        case leftHeel, rightHeel
        /// Tips of the feet.
        case leftFootIndex, rightFootIndex
    }
}

extension TrackedBody.Points {
    /// Lets `body` change the points in place.
    package mutating func withMutableSpan<Result>(_ body: (inout MutableSpan<SIMD3<Float>>) -> Result) -> Result {
        points.withMutableSpan(body)
    }
}
