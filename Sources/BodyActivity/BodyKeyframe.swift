public import BodyTracking

/// A frame that was kept, for showing or analysing a session afterwards.
public struct BodyKeyframe: Sendable, Equatable {
    /// When it was taken.
    public let time: Duration
    /// Points in the frame, interpolated and smoothed.
    public let landmarks: TrackedBody.Points
    /// Points in metres, interpolated and smoothed.
    public let worldLandmarks: TrackedBody.Points
    /// Where the movement was that had got furthest.
    public let phase: BodyPhase
}
