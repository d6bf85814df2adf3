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
    /// x and y are shares of the upright frame's width and height from its top left, so mostly within 0...1; z is the
    /// distance from the hips' middle, away from the camera, as a share of the frame's width.
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
