/// The pose that a hand shows, kept through frames in which its score dips or the hand is lost; for gestures that are
/// reported once.
package struct PoseDebouncer {
    /// A hand shows the pose whose score is above this; at most one pose can reach it.
    private static let score: Float = 0.5
    /// A lost pose is kept for this time, in nanoseconds. With half a second, a palm that a person showed twice counted
    /// once.
    private static let gap: Int64 = 250_000_000

    /// Nil if no pose is kept; never `unknown`.
    package private(set) var name: TrackedHand.Pose.Name?
    /// The pose that ended in the latest frame because the hand turned over or pinches; nil in every other frame.
    package private(set) var ended: TrackedHand.Pose.Name?
    private var latest: Int64 = 0
    /// The side of the hand that showed the pose first; nil before a clear view.
    private var side: FloatingPointSign?

    package init() {}

    /// Takes in a frame; nil is a frame without a hand.
    ///
    /// The frame in which the hand turns over ends the pose. From the next one on the other side may show it anew. A
    /// hand that pinches keeps no pose.
    /// - shown: the side that the hand shows, as in `HandSides`.
    /// - isPinching: whether the hand pinches, as in `Pinch`.
    package mutating func see(
        _ pose: TrackedHand.Pose?, from shown: FloatingPointSign? = nil, isPinching: Bool = false, at now: Int64
    ) {
        ended = nil
        if isPinching || isTurned(to: shown) {
            (ended, name, side) = (name, nil, nil)
            return
        }
        if let pose, case let best = pose.name, best != .unknown, pose[best] > Self.score {
            if name != best { side = nil }
            name = best
            latest = now
        } else if now - latest >= Self.gap {
            name = nil
        }
        side = name == nil ? nil : side ?? shown
    }

    package mutating func reset() { (name, ended, side) = (nil, nil, nil) }

    private func isTurned(to shown: FloatingPointSign?) -> Bool {
        guard name != nil, let side, let shown else { return false }
        return shown != side
    }
}
