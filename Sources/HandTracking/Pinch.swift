/// Whether the tips of thumb and index finger touch while the other fingers are open, and where.
///
/// A touch is judged by the distance in the image: for tips that touch, the network's estimates of their depths differ by
/// up to 1.3 palm sizes. So the hand has to show its palm or its back. In a view from the side one tip can hide the other
/// without touching it.
package struct Pinch: Sendable {
    /// Tips touch below this distance, and part above the other, in palm sizes. In recordings of pinches a touch has
    /// 0.1...0.65, an open hand 1.4...2.4.
    private static let touch: Float = 0.7
    private static let part: Float = 1
    /// The normal's z, either way, of a hand that shows its palm or its back.
    private static let clear: Float = 0.5
    /// The other fingers are open above this cosine, and closed below 0. A fist has about -0.9.
    private static let open: Float = 0.5
    /// A change has to be seen for longer than this, in nanoseconds: in two frames at 30 a second.
    private static let patience: Int64 = 25_000_000
    /// The pinch ends when the hand is out of view for longer than this, in nanoseconds.
    private static let gap: Int64 = 250_000_000

    /// Whether the hand pinches.
    package private(set) var isHeld = false
    /// Whether the pinch ended with the latest frame.
    package private(set) var hasEnded = false
    /// Whether the latest frame shows the tips together and the other fingers open, however long the hand has done so.
    package private(set) var isTouching = false
    /// The middle of the two tips in the latest frame with a hand, in shares of the frame's width and height.
    package private(set) var point = SIMD2<Float>()
    /// The time of the first of the latest frames that contradict `isHeld`; nil if the latest frame agrees.
    private var since: Int64?
    private var latest: Int64 = 0

    package init() {}

    /// Takes in a frame; nil is a frame without a hand.
    package mutating func see(_ shape: HandShape?, at middle: SIMD2<Float>, time now: Int64) {
        let wasHeld = isHeld
        defer { hasEnded = wasHeld && !isHeld }
        guard let shape else {
            isTouching = false
            if now - latest >= Self.gap { (isHeld, since) = (false, nil) }
            return
        }
        (latest, point) = (now, middle)
        isTouching =
            shape.gap < Self.touch && abs(shape.normalZ) > Self.clear && shape.straightness > Self.open
        let isSeparated = shape.gap > Self.part || shape.straightness < 0
        guard isHeld ? isSeparated : isTouching else {
            since = nil
            return
        }
        guard let since else {
            since = now
            return
        }
        if now - since > Self.patience { (isHeld, self.since) = (!isHeld, nil) }
    }

    package mutating func reset() { self = Pinch() }
}
