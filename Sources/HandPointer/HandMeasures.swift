import HandTracking

/// What a pinch and a fist are recognised by: ratios of lengths between the points in metres, which depend neither on the distance of
/// the hand nor, apart from the network's errors, on its turn.
struct HandMeasures {
    /// From the tip of the thumb to that of the index finger, in lengths of the palm from wrist to middle knuckle. Infinite without a
    /// palm.
    let gap: Float
    /// How far the index finger is extended: from the wrist to its tip, over the way from the wrist to its knuckle. In recordings 1.6 to
    /// 2 for a straight finger, 1.1 to 1.5 in a pinch, and 0.7 to 1 in a fist.
    let index: Float
    /// The mean extension of the other three fingers.
    let others: Float
    /// The minimum extension of the other three fingers.
    let shortest: Float

    /// Palms shorter than this, in metres, have no direction.
    private static let minimumLength: Float = 0.001

    init(_ points: TrackedHand.Points) {
        func distance(_ a: TrackedHand.Joint, _ b: TrackedHand.Joint) -> Float {
            let way = points[a] - points[b]
            return (way * way).sum().squareRoot()
        }
        func extension_(_ tip: TrackedHand.Joint, _ knuckle: TrackedHand.Joint) -> Float {
            distance(tip, .wrist) / max(distance(knuckle, .wrist), Self.minimumLength)
        }
        let palm = distance(.middleKnuckle, .wrist)
        gap = palm < Self.minimumLength ? .infinity : distance(.thumbTip, .indexTip) / palm
        index = extension_(.indexTip, .indexKnuckle)
        let (middle, ring) = (extension_(.middleTip, .middleKnuckle), extension_(.ringTip, .ringKnuckle))
        let little = extension_(.littleTip, .littleKnuckle)
        others = (middle + ring + little) / 3
        shortest = min(middle, min(ring, little))
    }

    /// Whether index finger and thumb are placed as in a pinch, apart from the gap: the index finger is bent, and the others are either
    /// open, or folded further than it. In a fist all four are folded alike. A hand from its edge has a small gap with a straight index
    /// finger.
    var isPinchShaped: Bool {
        guard index < 1.5 else { return false }
        return (shortest > 1.4 && index > 1.1) || (others < 0.9 && index - others > 0.25)
    }

    /// Whether all four fingers are folded.
    var isFist: Bool { index < 1.05 && others < 1 && index - others < 0.25 }
}
