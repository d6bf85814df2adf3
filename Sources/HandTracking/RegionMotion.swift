package import Tracking

/// The region of a tracked hand, its movement, and the region expected in the next frame.
///
/// A fast hand moves by more than half of its region between two frames at 30 a second, out of its old region. The
/// movement between the latest two frames, continued, is a better guess. Only part of it is used, because strokes stop
/// and turn, and at most half of a side, because the measurement may have been wrong.
package struct RegionMotion: Sendable {
    /// The share of the movement that is expected to continue; measured on recordings of people, D21.
    package static let gain = 0.75
    /// The furthest expected movement, in sides of the region.
    package static let mostSides = 0.5

    /// The region of the latest landmarks, or of the palm that was found.
    package private(set) var region: TrackedRegion
    /// Pixels per nanosecond.
    private var velocity = SIMD2<Double>.zero
    /// The time of the latest landmarks; nil while only the palm was found.
    private var seen: Int64?

    /// Starts with the region of a palm.
    package init(_ region: TrackedRegion) { self.region = region }

    /// Takes in the region that the latest landmarks give.
    package mutating func advance(to next: TrackedRegion, at time: Int64) {
        if let seen, time > seen {
            let way = SIMD2(next.centerX - region.centerX, next.centerY - region.centerY)
            velocity = way / Double(time &- seen)
        } else {
            velocity = .zero
        }
        (region, seen) = (next, time)
    }

    /// The region in which the hand is expected at a time.
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
