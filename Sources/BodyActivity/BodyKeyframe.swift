public import BodyTracking

/// A frame that was kept, to show or analyse a session afterwards.
public struct BodyKeyframe: Sendable, Equatable {
    /// When the frame was taken.
    public let time: Duration
    /// Points in the frame, interpolated and smoothed.
    public let landmarks: TrackedBody.Points
    /// Points in metres, interpolated and smoothed.
    public let worldLandmarks: TrackedBody.Points
    /// The phase of the movement with the most progress.
    public let phase: BodyPhase
}
