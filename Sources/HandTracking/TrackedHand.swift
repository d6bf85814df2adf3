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

    /// The points: x and y in shares of the upright frame's width and height from its top left, so mostly within 0...1;
    /// z is the distance from the wrist, away from the camera, in shares of the frame's width.
    ///
    /// The network gives no confidence for a point, in contrast to that of bodies. It also places points that it cannot
    /// see; `presence` is about the hand as a whole.
    public var landmarks: TrackedHand.Points

    /// The points in metres relative to the hand's middle, x to the right, y down and z away from the camera of the
    /// upright frame.
    public var worldLandmarks: TrackedHand.Points

    /// The region of the frame that the landmark network saw.
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
