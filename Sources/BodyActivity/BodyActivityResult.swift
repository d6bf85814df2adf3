public import BodyTracking

/// What one frame showed of a person's activity.
public struct BodyActivityResult: Sendable {
    /// When the frame was taken.
    public let time: Duration
    /// The watched person, with untrusted points interpolated and all points smoothed; nil without a person.
    public let body: TrackedBody?
    /// The points of `body` that are interpolated.
    public let interpolated: BodyJointSet
    /// Mean visibility of the points that the activity uses, 0...1; 0 without a body.
    public let confidence: Double
    /// Time from the frame to its result, as the app measured it.
    public let latency: Duration
    /// How much to draw: 0 the least that serves, 1 no decoration, 2 everything. It is the budget's detail, less one
    /// while results are late.
    public let interfaceDetail: Int
    /// The phase of the movement with the most progress.
    public let phase: BodyPhase
    /// Counted movements of all kinds since the beginning.
    public let repetitions: Int
    /// The first movement that ended in this frame, in the activity's order; it may be a shallow one, which is not
    /// counted.
    public let completed: BodyRepetition?
    /// Degrees between the current view and the best view, 0...90; nil before it was measured, and for activities
    /// without a best view.
    public let viewDeviation: Double?
    /// What the user should be asked to do.
    public let advice: BodyAdvice
}
