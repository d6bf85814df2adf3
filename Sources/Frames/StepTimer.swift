import Platform

/// The time between the steps of a policy, from the times it is stepped with.
///
/// Time that runs backward counts as none, and the next step is measured from the earlier time; a gap counts as a second at
/// most, after which everything here has settled or has been reset.
struct StepTimer: Sendable {
    private static let longest: Int64 = 1_000_000_000
    private var last: Int64?

    /// Nanoseconds since the step before, 0...10^9; 0 on the first.
    mutating func step(at time: Int64) -> Int64 {
        defer { last = time }
        guard let last, time > last else { return 0 }
        let (elapsed, overflow) = time.subtractingReportingOverflow(last)
        return overflow ? Self.longest : min(elapsed, Self.longest)
    }

    mutating func reset() { last = nil }
}

/// What a first-order low-pass filter with a time constant adopts of a new value after some time: 1 - exp(-t / constant),
/// so that many short steps and few long ones come to the same. A constant of 0 adopts it at once.
func adoptedShare(after nanoseconds: Int64, constant: Int64) -> Double {
    guard constant > 0 else { return 1 }
    return -Math.exponentialLessOne(-Double(nanoseconds) / Double(constant))
}
