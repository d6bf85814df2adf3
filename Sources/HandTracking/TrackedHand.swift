public import Tracking

/// A hand in a frame.
public struct TrackedHand: Sendable, Equatable {
    /// Which side of the body it belongs to.
    public enum Handedness: String, Sendable, Hashable, CaseIterable {
        /// A side of the body, not of the picture.
        case left, right
    }

    /// The same from frame to frame for as long as the hand is followed, and when it is found again soon where it was lost;
    /// counted from 0.
    public var identity: Int

    /// How sure the network is that this is a hand, above the minimum, at most 1.
    public var presence: Float

    /// How likely it is a right hand, 0...1, where the upright frame is not mirrored; in one that is, like a selfie preview, left
    /// and right change places. MediaPipe takes all frames for mirrored ones, so its labels are the opposite.
    public var rightHandedness: Float

    /// The points: x and y in shares of the upright frame's width and height from its top left, so mostly within 0...1; z is the
    /// distance from the wrist, away from the camera, in shares of the frame's width.
    public var landmarks: TrackedHand.Points

    /// The points in metres about the hand's middle, x to the right, y down and z away from the camera of the upright frame.
    public var worldLandmarks: TrackedHand.Points

    /// What the network was shown.
    public var region: TrackedHand.Region

    /// What the hand shows, by `landmarks`. Nil where the engine was made without the networks of poses, as
    /// `HandModels(palmDetection:handLandmarks:poses:gestures:)` may be.
    public var pose: TrackedHand.Pose?

    /// A hand.
    public init(
        identity: Int, presence: Float, rightHandedness: Float, landmarks: TrackedHand.Points,
        worldLandmarks: TrackedHand.Points,
        region: TrackedHand.Region, pose: TrackedHand.Pose? = nil
    ) {
        self.identity = identity
        self.presence = presence
        self.rightHandedness = rightHandedness
        self.landmarks = landmarks
        self.worldLandmarks = worldLandmarks
        self.region = region
        self.pose = pose
    }

    /// The likelier side; see `rightHandedness` about mirrored frames.
    public var handedness: Handedness { rightHandedness >= 0.5 ? .right : .left }
}
