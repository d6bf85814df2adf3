package import Tracking

/// How the region of a followed hand moves, and where it will be in the next frame.
///
/// A hand that is thrown moves by more than half of its region between two frames of 30 a second: where it was, it is no longer. The
/// movement of the latest two frames, continued, is a better guess; not all of it, since strokes stop and turn, and never more than
/// half of a side, since what was measured may have been a mistake.
package struct RegionMotion: Sendable {
    /// How much of the movement is expected to go on. Chosen on recordings of people: 0.5 and 1 lose more hands.
    package static let gain = 0.75
    /// The furthest expected movement, in sides of the region.
    package static let mostSides = 0.5

    /// Pixels in a nanosecond.
    private var velocity = SIMD2<Double>.zero
    /// Where the hand was in the latest frame, and when; nil before it was seen.
    private var latest: (center: SIMD2<Double>, time: Int64)?

    /// Nothing has been seen.
    package init() {}

    /// Takes the region that the latest landmarks give.
    package mutating func advance(to region: TrackedRegion, at time: Int64) {
        let center = SIMD2(region.centerX, region.centerY)
        if let latest, time > latest.time {
            velocity = (center - latest.center) / Double(time &- latest.time)
        } else {
            velocity = .zero
        }
        latest = (center, time)
    }

    /// Where a region that was last seen is expected at a time.
    package func region(after region: TrackedRegion, at time: Int64) -> TrackedRegion {
        guard let latest, time > latest.time else { return region }
        var way = Self.gain * Double(time &- latest.time) * velocity
        let length = (way * way).sum().squareRoot()
        let most = Self.mostSides * region.side
        if length > most { way *= most / length }
        var moved = region
        moved.centerX += way.x
        moved.centerY += way.y
        return moved
    }
}
