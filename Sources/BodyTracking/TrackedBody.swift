public import Tracking

/// A person in a frame.
public struct TrackedBody: Sendable, Equatable {
    /// Whether a body was seen in the latest frame.
    public enum State: String, Sendable, Hashable, CaseIterable, Codable {
        /// Found in the latest frame.
        case seen
        /// Not found in it, but a short while ago: all of it is what was seen last.
        case held
    }

    /// The same from frame to frame for as long as the body is followed, and when it is found again soon where it was lost;
    /// counted from 0.
    public var identity: Int

    /// Whether the latest frame shows it.
    public var state: TrackedBody.State

    /// How sure the network is that there is a body in the region, above the minimum, at most 1.
    public var presence: Float

    /// The points: x and y in shares of the upright frame's width and height from its top left, so mostly within 0...1; z is the
    /// distance from the hips' middle, away from the camera, in shares of the frame's width.
    public var landmarks: TrackedBody.Points

    /// How likely each point is in the picture and not hidden by something, 0...1.
    public var visibility: TrackedBody.Scores

    /// How likely each point is within the picture, hidden or not, 0...1.
    public var pointPresence: TrackedBody.Scores

    /// The points in metres from the hips' middle, x to the right, y down and z away from the camera of the upright frame.
    public var worldLandmarks: TrackedBody.Points

    /// What the network was shown.
    public var region: TrackedRegion

    /// A body.
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
