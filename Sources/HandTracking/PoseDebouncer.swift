/// The pose that a hand shows, kept through frames in which its score dips or the hand is lost; for gestures that are
/// reported once.
///
/// In noise the landmark network takes a hand that is half closed for its mirror image, for seconds: the palm's normal
/// and the handedness change together, which no movement of a hand does. The points then show no pose or a wrong one.
package struct PoseDebouncer {
    /// A hand shows the pose whose score is above this; at most one pose can reach it.
    private static let minimumScore: Float = 0.5
    /// A lost pose is kept for this time, in nanoseconds. With half a second, a palm that a person showed twice counted
    /// once.
    private static let hold: Int64 = 250_000_000
    /// A still hand that is read as its mirror image keeps its pose for this time, in nanoseconds.
    private static let mirroredHold: Int64 = 2_000_000_000
    /// The agreement of two handednesses, -1...1, under whose negative they are of different hands.
    private static let minimumDisagreement: Float = 0.2
    /// Frames over which the handedness is averaged.
    private static let maximumFrames: Float = 16

    /// The hand in the frames that showed the pose.
    private struct Appearance {
        /// The side that showed the pose first; nil before a frame with one.
        var side: FloatingPointSign?
        /// The mean of `HandShape.right` over `frames`.
        var right: Float = 0
        var frames: Float = 0
        /// The latest shape; nil if the hand's shape was never known.
        var shape: HandShape?

        mutating func update(_ shape: HandShape) {
            frames = min(frames + 1, PoseDebouncer.maximumFrames)
            right += (shape.right - right) / frames
            self.shape = shape
        }
    }

    /// Nil if no pose is kept; never `unknown`.
    package private(set) var name: TrackedHand.Pose.Name?
    /// The pose that ended in the latest frame because the hand turned over or pinches; nil in every other frame.
    package private(set) var ended: TrackedHand.Pose.Name?
    private var latest: Int64 = 0
    private var appearance = Appearance()

    package init() {}

    /// Takes in a frame; nil is a frame without a hand.
    ///
    /// The frame in which the hand turns over ends the pose. From the next one on the other side may show it anew. A
    /// hand that is read as its mirror image has not turned over. A hand that pinches keeps no pose.
    /// - shown: the side that the hand shows, as in `HandSides`.
    /// - shape: of the hand; nil leaves out what depends on it.
    /// - isPinching: whether the hand pinches, as in `Pinch`.
    package mutating func update(
        _ pose: TrackedHand.Pose?, from shown: FloatingPointSign? = nil, of shape: HandShape? = nil,
        isPinching: Bool = false, at now: Int64
    ) {
        ended = nil
        let isOther = isOtherSide(shown)
        let isMirrored = isOther && isContrary(shape)
        if isPinching || isOther && !isMirrored {
            (ended, name, appearance) = (name, nil, Appearance())
            return
        }
        if let pose, case let best = pose.name, best != .unknown, pose[best] > Self.minimumScore {
            if name != best { appearance = Appearance() }
            name = best
            latest = now
            if let shape, !isMirrored { appearance.update(shape) }
        } else if now - latest >= (isMirrored && isStill(shape) ? Self.mirroredHold : Self.hold) {
            name = nil
        }
        if name == nil { appearance = Appearance() } else { appearance.side = appearance.side ?? shown }
    }

    package mutating func reset() { (name, ended, appearance) = (nil, nil, Appearance()) }

    private func isOtherSide(_ shown: FloatingPointSign?) -> Bool {
        guard name != nil, let side = appearance.side, let shown else { return false }
        return shown != side
    }

    /// Whether the hand is read as one of the other arm.
    private func isContrary(_ shape: HandShape?) -> Bool {
        guard let shape, appearance.frames > 0 else { return false }
        return (2 * shape.right - 1) * (2 * appearance.right - 1) < -Self.minimumDisagreement
    }

    /// Whether the palm has moved by less than its size since the hand showed the pose.
    private func isStill(_ shape: HandShape?) -> Bool {
        guard let shape, let seen = appearance.shape else { return false }
        let way = shape.place - seen.place
        return (way * way).sum() < seen.size * seen.size
    }
}
