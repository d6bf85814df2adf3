/// Time since a moment, for clocks that may be set back.
///
/// A time before the start moves the start there. So a clock that was set back restarts a wait, but never makes it last
/// for ever.
package struct Stopwatch: Sendable {
    private var start: Int64?

    package init() {}

    package mutating func restart(at now: Int64) { start = now }

    package mutating func clear() { start = nil }

    /// Nanoseconds since the start, 0 or more. A stopwatch that is not running starts now.
    package mutating func elapsed(at now: Int64) -> Int64 {
        guard let start, start <= now else {
            self.start = now
            return 0
        }
        return now.subtractingSaturated(start)
    }
}

extension Int64 {
    package func subtractingSaturated(_ other: Int64) -> Int64 {
        let (difference, overflow) = subtractingReportingOverflow(other)
        guard overflow else { return difference }
        return self < 0 ? .min : .max
    }

    package func multipliedSaturated(by other: Int64) -> Int64 {
        let (product, overflow) = multipliedReportingOverflow(by: other)
        guard overflow else { return product }
        return (self < 0) == (other < 0) ? .max : .min
    }
}

/// A wait that doubles with every failure up to a limit, and halves again with good behaviour.
package struct Backoff: Sendable {
    private let base: Int64
    private let limit: Int64
    private var failures = 0

    /// - base: the first wait in nanoseconds, above 0.
    /// - limit: the longest wait, at least `base`.
    package init(base: Int64, limit: Int64) {
        self.base = base
        self.limit = limit
    }

    /// Nanoseconds to wait now.
    package var wait: Int64 { min(base.multipliedSaturated(by: 1 << Int64(failures)), limit) }

    package var hasFailed: Bool { failures > 0 }

    package mutating func fail() {
        if wait < limit { failures += 1 }
    }

    /// Takes `times` failures back.
    package mutating func forgive(_ times: Int64) {
        failures -= Int(min(Int64(failures), max(0, times)))
    }
}
