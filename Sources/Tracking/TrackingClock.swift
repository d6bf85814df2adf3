/// A tracker's time: nanoseconds since an arbitrary moment that never run backwards, whatever the times of frames.
package struct TrackingClock: Sendable {
    package private(set) var now: Int64 = 0
    private var latest: Int64?

    package init() {}

    /// Advances by the difference of two frames' times if that is above zero, but by at most 20 seconds, longer than
    /// any configured time.
    package mutating func advance(to time: Int64) {
        defer { latest = time }
        guard let latest, time > latest else { return }
        let (elapsed, overflow) = time.subtractingReportingOverflow(latest)
        now &+= overflow ? Self.longestGap : min(elapsed, Self.longestGap)
    }

    /// Forgets the latest frame's time: the next frame does not advance the clock.
    package mutating func restart() { latest = nil }

    private static let longestGap: Int64 = 20_000_000_000
}

extension Duration {
    /// The time in nanoseconds, fractions dropped; for times of at most ten seconds.
    package var wholeNanoseconds: Int64 { components.seconds * 1_000_000_000 + components.attoseconds / 1_000_000_000 }
}
