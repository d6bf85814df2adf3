/// The pose that a hand goes on showing, over frames in which its scores dip or the hand is lost: for gestures that are told once.
package struct KeptPose {
    /// A hand shows the pose whose score is above this: two poses cannot both have it.
    private static let score: Float = 0.5
    /// How long a pose may be lost and is still kept, in nanoseconds. With half a second a palm that a person showed twice was one.
    private static let gap: Int64 = 250_000_000

    /// Nil while there is none; never `unknown`.
    package private(set) var name: TrackedHand.Pose.Name?
    private var latest: Int64 = 0

    package init() {}

    /// Takes a frame in; nil is one without a hand.
    package mutating func see(_ pose: TrackedHand.Pose?, at now: Int64) {
        if let shown = pose?.name, shown != .unknown, pose?[shown] ?? 0 > Self.score {
            name = shown
            latest = now
        } else if now - latest >= Self.gap {
            name = nil
        }
    }

    package mutating func reset() { name = nil }
}
