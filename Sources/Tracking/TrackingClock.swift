/// What a tracker knows of time: nanoseconds since an arbitrary moment that never run backward, whatever frames say.
package struct TrackingClock: Sendable {
    package private(set) var now: Int64 = 0
    private var latest: Int64?

    package init() {}

    /// Time goes on by the difference of two frames' times where that is above zero, but for no longer than any time that counts
    /// anywhere.
    package mutating func advance(to time: Int64) {
        defer { latest = time }
        guard let latest, time > latest else { return }
        let (elapsed, overflow) = time.subtractingReportingOverflow(latest)
        now &+= overflow ? Self.longestGap : min(elapsed, Self.longestGap)
    }

    /// Forgets the latest frame's time: the next one comes no later than now.
    package mutating func restart() { latest = nil }

    private static let longestGap: Int64 = 20_000_000_000
}

extension Duration {
    /// Nanoseconds of a time of at most ten seconds, fractions dropped.
    package var wholeNanoseconds: Int64 { components.seconds * 1_000_000_000 + components.attoseconds / 1_000_000_000 }
}
