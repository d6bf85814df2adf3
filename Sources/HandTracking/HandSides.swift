/// The side that a hand shows, and which of its two sides is the back.
///
/// The sign of the palm normal's z tells the sides apart, but not which of them is the palm: that needs the handedness,
/// which the network misreads on some hands in every frame. So a hand is refused only after it has shown both sides. The
/// evidence of the two is then compared.
package struct HandSides: Sendable {
    /// A normal beyond this, in either direction, shows a side. In between, the side shown last still counts.
    private static let clear: Float = 0.3
    /// A side counts as shown after this time, in seconds: six columns of 30 a second.
    private static let leastTime: Float = 0.18
    /// Later frames keep the weight that a frame has after this time, in seconds.
    private static let mostTime: Float = 1
    /// A frame counts for this long at most, in seconds.
    private static let mostStep: Float = 0.1
    /// The mean evidence from which a side is a palm, and under whose negative it is a back.
    private static let sure: Float = 0.2
    /// After a longer time out of view, in nanoseconds, the hand may be another one, and everything is forgotten.
    private static let memory: Int64 = 500_000_000

    /// What one side looked like.
    private struct Side {
        /// For how long it was shown, in seconds, at most `mostTime`.
        var time: Float = 0
        /// The mean of `HandShape.facing`, -1...1.
        var facing: Float = 0

        mutating func see(_ facing: Float, for step: Float) {
            guard step > 0 else { return }
            time = min(time + step, HandSides.mostTime)
            self.facing += (facing - self.facing) * min(step / time, 1)
        }
    }

    private var identity: Int?
    private var latest: Int64?
    private var minus = Side()
    private var plus = Side()
    /// The sign of the shown side's normal; nil before a clear view.
    package private(set) var shown: FloatingPointSign?

    package init() {}

    /// Whether the hand shows its back; false where that cannot be known.
    package var isBack: Bool {
        guard let shown, minus.time >= Self.leastTime, plus.time >= Self.leastTime else { return false }
        let (front, other) = shown == .plus ? (plus.facing, minus.facing) : (minus.facing, plus.facing)
        return front < -Self.sure && other > Self.sure
    }

    /// Takes in a frame; nil is a frame without the hand.
    /// - identity: that of the tracked hand; another one is another hand.
    package mutating func see(_ shape: HandShape?, of identity: Int?, at now: Int64) {
        guard let shape else { return }
        if let latest, now - latest > Self.memory || identity != self.identity { reset() }
        let step = latest.map { min(Float(now - $0) * 1e-9, Self.mostStep) } ?? 0
        (self.identity, latest) = (identity, now)
        guard abs(shape.normalZ) >= Self.clear else { return }
        let sign: FloatingPointSign = shape.normalZ < 0 ? .minus : .plus
        shown = sign
        if sign == .plus { plus.see(shape.facing, for: step) } else { minus.see(shape.facing, for: step) }
    }

    package mutating func reset() { self = HandSides() }
}
