public import BodyTracking

/// What one frame showed of a person's activity.
public struct BodyActivityResult: Sendable {
    /// When the frame was taken.
    public let time: Duration
    /// Who is watched, with points that are interpolated where they could not be trusted, and smoothed; nil without a person.
    public let body: TrackedBody?
    /// The points of `body` that are interpolated.
    public let interpolated: BodyJointSet
    /// How likely the points that the activity looks at are visible, on average, 0...1; 0 without a body.
    public let confidence: Double
    /// From the frame to its result, as the app measured it.
    public let latency: Duration
    /// How much to draw: 0 the least that serves, 1 no decoration, 2 everything. That of the budget, and one less while results are
    /// late.
    public let interfaceDetail: Int
    /// Where the movement is that has got furthest.
    public let phase: BodyPhase
    /// Movements counted since the beginning, of all kinds.
    public let repetitions: Int
    /// The first of the movements that ended in this frame, in the activity's order; those that were too shallow to be counted
    /// among them.
    public let completed: BodyRepetition?
    /// By how many degrees the view is off the one that the activity is best seen from, 0...90; nil before it was measured, and where
    /// that does not matter.
    public let viewDeviation: Double?
    /// What the user is to be asked to do.
    public let advice: BodyAdvice
}
