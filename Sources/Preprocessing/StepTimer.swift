import Platform

/// The time between the steps of a policy, from the times of the steps.
///
/// A time that goes back counts as no time, and the next step is measured from the earlier time. A gap counts as at
/// most a second, after which all averages have settled or were reset.
struct StepTimer: Sendable {
    private static let longest: Int64 = 1_000_000_000
    private var last: Int64?

    /// Nanoseconds since the step before, 0...10^9; 0 at the first.
    mutating func step(at time: Int64) -> Int64 {
        defer { last = time }
        guard let last, time > last else { return 0 }
        let (elapsed, overflow) = time.subtractingReportingOverflow(last)
        return overflow ? Self.longest : min(elapsed, Self.longest)
    }

    mutating func reset() { last = nil }
}

/// The share of a new value that a first-order low-pass filter adopts after some time: 1 - exp(-t / constant), so that
/// many short steps and few long ones give the same. With a constant of 0 it is 1.
func adoptedShare(after nanoseconds: Int64, constant: Int64) -> Double {
    guard constant > 0 else { return 1 }
    return -Math.exponentialLessOne(-Double(nanoseconds) / Double(constant))
}
