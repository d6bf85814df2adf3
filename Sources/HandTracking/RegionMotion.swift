package import Tracking

/// The region of a followed hand, how it moves, and where it will be in the next frame.
///
/// A hand that is thrown moves by more than half of its region between two frames of 30 a second: where it was, it is no longer. The
/// movement of the latest two frames, continued, is a better guess; not all of it, since strokes stop and turn, and never more than
/// half of a side, since what was measured may have been a mistake.
package struct RegionMotion: Sendable {
    /// How much of the movement is expected to go on; measured on recordings of people, D21.
    package static let gain = 0.75
    /// The furthest expected movement, in sides of the region.
    package static let mostSides = 0.5

    /// Where the hand was seen last, or where its palm was found.
    package private(set) var region: TrackedRegion
    /// Pixels in a nanosecond.
    private var velocity = SIMD2<Double>.zero
    /// When it was seen last; nil while only the palm was.
    private var seen: Int64?

    /// A palm was found there.
    package init(_ region: TrackedRegion) { self.region = region }

    /// Takes the region that the latest landmarks give.
    package mutating func advance(to next: TrackedRegion, at time: Int64) {
        if let seen, time > seen {
            let way = SIMD2(next.centerX - region.centerX, next.centerY - region.centerY)
            velocity = way / Double(time &- seen)
        } else {
            velocity = .zero
        }
        (region, seen) = (next, time)
    }

    /// Where the hand is expected at a time.
    package func expected(at time: Int64) -> TrackedRegion {
        guard let seen, time > seen else { return region }
        var way = Self.gain * Double(time &- seen) * velocity
        let length = (way * way).sum().squareRoot()
        let most = Self.mostSides * region.side
        if length > most { way *= most / length }
        var moved = region
        moved.centerX += way.x
        moved.centerY += way.y
        return moved
    }
}
