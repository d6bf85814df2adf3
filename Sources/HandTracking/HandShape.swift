/// The shape of the hand in a column, for the rules beside the temporal layers. It reads quantised values, so training has
/// the same numbers from its columns (`Tools/lab/training/handtrain/poses.py`).
package struct HandShape: Sendable {
    /// The z of the palm's normal, -1...1; its sign distinguishes the two sides of a hand.
    package let normalZ: Float
    /// How likely it is a right hand if the frame is mirrored, as MediaPipe's labels assume, 0...1.
    package let right: Float
    /// The palm's position, normalised to the frame, 0...1.
    package let place: SIMD2<Float>
    /// The palm's size in heights of the frame.
    package let size: Float
    /// How far the seen side is a palm's, -1...1, if the network reads the handedness rightly: above 0 on a palm, below
    /// on a back.
    package let facing: Float
    /// From the tip of the thumb to that of the index finger in the image, in palm sizes. The estimated depths are left
    /// out, because they differ where the tips touch.
    package let gap: Float
    /// The minimum cosine between the first and the last bone of middle, ring and little finger, -1...1: 1 if all three
    /// are straight.
    package let straightness: Float

    /// Nil for a column without a hand.
    package init?(_ column: Span<UInt8>) {
        guard column[0] > 0 else { return nil }
        func value(_ place: Int) -> Float { LandmarkFeatures.value(of: column, at: place) }
        normalZ = value(Self.places.normalZ)
        right = value(Self.places.right)
        facing = normalZ * (2 * right - 1)
        place = SIMD2(value(Self.places.x), value(Self.places.x + 1))
        // The inverse of the feature, whose values end at 0.9.
        let size = value(Self.places.size)
        self.size = 0.1 * size / (1 - size)
        let across = value(Self.places.thumb) - value(Self.places.index)
        let down = value(Self.places.thumb + 1) - value(Self.places.index + 1)
        gap = (across * across + down * down).squareRoot()
        straightness = min(
            value(Self.places.bend), min(value(Self.places.bend + 1), value(Self.places.bend + 2)))
    }

    /// Places in a column. Those of the palm, `thumb` and `index` are of x, with y behind them; `bend` is that of the middle
    /// finger, with those of ring and little finger behind it.
    private static let places = (
        x: LandmarkFeatures.place(of: "x"), size: LandmarkFeatures.place(of: "size"),
        normalZ: LandmarkFeatures.place(of: "normalZ"), right: LandmarkFeatures.place(of: "right"),
        thumb: LandmarkFeatures.place(of: "p4X"), index: LandmarkFeatures.place(of: "p8X"),
        bend: LandmarkFeatures.place(of: "bend12")
    )
}

/// The side that a hand shows, and which of its two sides is the back.
///
/// The sign of the palm normal's z distinguishes the sides, but not which of them is the palm: that needs the handedness,
/// which the network misreads on some hands in every frame. So a hand is refused only after it has shown both sides. The
/// evidence of the two is then compared.
package struct HandSides: Sendable {
    /// A normal beyond this, in either direction, shows a side. In between, the side shown last still counts.
    private static let minimumNormalZ: Float = 0.3
    /// A side counts as shown after this time, in seconds: six columns of 30 a second.
    private static let minimumTime: Float = 0.18
    /// Later frames keep the weight that a frame has after this time, in seconds.
    private static let maximumTime: Float = 1
    /// A frame counts for this long at most, in seconds.
    private static let maximumStep: Float = 0.1
    /// The mean evidence from which a side is a palm, and under whose negative it is a back.
    private static let minimumEvidence: Float = 0.2
    /// After a longer time out of view, in nanoseconds, the hand may be another one, and everything is forgotten.
    private static let forgetAfter: Int64 = 500_000_000

    /// The evidence for one side.
    private struct Side {
        /// For how long it was shown, in seconds, at most `maximumTime`.
        var time: Float = 0
        /// The mean of `HandShape.facing`, -1...1.
        var facing: Float = 0

        mutating func update(_ facing: Float, for step: Float) {
            guard step > 0 else { return }
            time = min(time + step, HandSides.maximumTime)
            self.facing += (facing - self.facing) * min(step / time, 1)
        }
    }

    private var identity: Int?
    private var latest: Int64?
    private var minus = Side()
    private var plus = Side()
    /// The sign of the shown side's normal; nil before a frame with one.
    package private(set) var shown: FloatingPointSign?

    package init() {}

    /// Whether the hand shows its back; false where that cannot be known.
    package var isBack: Bool {
        guard let shown, minus.time >= Self.minimumTime, plus.time >= Self.minimumTime else { return false }
        let (front, other) = shown == .plus ? (plus.facing, minus.facing) : (minus.facing, plus.facing)
        return front < -Self.minimumEvidence && other > Self.minimumEvidence
    }

    /// Takes in a frame; nil is a frame without the hand.
    /// - identity: that of the tracked hand; another one is another hand.
    package mutating func update(_ shape: HandShape?, of identity: Int?, at now: Int64) {
        guard let shape else { return }
        if let latest, now - latest > Self.forgetAfter || identity != self.identity { reset() }
        let step = latest.map { min(Float(now - $0) * 1e-9, Self.maximumStep) } ?? 0
        (self.identity, latest) = (identity, now)
        guard abs(shape.normalZ) >= Self.minimumNormalZ else { return }
        let sign: FloatingPointSign = shape.normalZ < 0 ? .minus : .plus
        shown = sign
        if sign == .plus { plus.update(shape.facing, for: step) } else { minus.update(shape.facing, for: step) }
    }

    package mutating func reset() { self = HandSides() }
}

/// Whether the tips of thumb and index finger touch while the other fingers are open, and where.
///
/// A touch is judged by the distance in the image: for tips that touch, the network's estimates of their depths differ by
/// up to 1.3 palm sizes. So the hand has to show its palm or its back. In a view from the side one tip can hide the other
/// without touching it.
package struct Pinch: Sendable {
    /// Tips touch below this distance, and part above the other, in palm sizes. In recordings of pinches a touch has
    /// 0.1...0.65, an open hand 1.4...2.4.
    private static let maximumTouchingGap: Float = 0.7
    private static let minimumPartedGap: Float = 1
    /// The normal's z, either way, of a hand that shows its palm or its back.
    private static let minimumNormalZ: Float = 0.5
    /// The other fingers are open above this cosine, and closed below 0. A fist has about -0.9.
    private static let minimumStraightness: Float = 0.5
    /// A change has to last longer than this, in nanoseconds: in two frames at 30 a second.
    private static let minimumChangeTime: Int64 = 25_000_000
    /// The pinch ends when the hand is out of view for longer than this, in nanoseconds.
    private static let forgetAfter: Int64 = 250_000_000

    /// Whether the hand pinches.
    package private(set) var isHeld = false
    /// Whether the pinch ended with the latest frame.
    package private(set) var hasEnded = false
    /// Whether the latest frame shows the tips together and the other fingers open, however long the hand has done so.
    package private(set) var isTouching = false
    /// The middle of the two tips in the latest frame with a hand, normalised to the frame, 0...1.
    package private(set) var point = SIMD2<Float>()
    /// The time of the first of the latest frames that contradict `isHeld`; nil if the latest frame agrees.
    private var since: Int64?
    private var latest: Int64 = 0

    package init() {}

    /// Takes in a frame; nil is a frame without a hand.
    package mutating func update(_ shape: HandShape?, at middle: SIMD2<Float>, time now: Int64) {
        let wasHeld = isHeld
        defer { hasEnded = wasHeld && !isHeld }
        guard let shape else {
            isTouching = false
            if now - latest >= Self.forgetAfter { (isHeld, since) = (false, nil) }
            return
        }
        (latest, point) = (now, middle)
        isTouching =
            shape.gap < Self.maximumTouchingGap && abs(shape.normalZ) > Self.minimumNormalZ
            && shape.straightness > Self.minimumStraightness
        let isSeparated = shape.gap > Self.minimumPartedGap || shape.straightness < 0
        guard isHeld ? isSeparated : isTouching else {
            since = nil
            return
        }
        guard let since else {
            since = now
            return
        }
        if now - since > Self.minimumChangeTime { (isHeld, self.since) = (!isHeld, nil) }
    }

    package mutating func reset() { self = Pinch() }
}
