/// The pose that a hand shows, kept through frames in which its score dips or the hand is lost; for gestures that are
/// reported once.
package struct KeptPose {
    /// A hand shows the pose whose score is above this; at most one pose can reach it.
    private static let score: Float = 0.5
    /// A lost pose is kept for this time, in nanoseconds. With half a second, a palm that a person showed twice counted
    /// once.
    private static let gap: Int64 = 250_000_000

    /// Nil if no pose is kept; never `unknown`.
    package private(set) var name: TrackedHand.Pose.Name?
    private var latest: Int64 = 0

    package init() {}

    /// Takes in a frame; nil is a frame without a hand.
    package mutating func see(_ pose: TrackedHand.Pose?, at now: Int64) {
        if let pose, case let shown = pose.name, shown != .unknown, pose[shown] > Self.score {
            name = shown
            latest = now
        } else if now - latest >= Self.gap {
            name = nil
        }
    }

    package mutating func reset() { name = nil }
}
