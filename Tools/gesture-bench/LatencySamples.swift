import Evaluation
import Vocabulary

/// The times of one stage.
struct LatencySamples {
    private(set) var nanoseconds: [Int64] = []

    /// Reserves room for `capacity` samples, so that adding them allocates nothing.
    init(capacity: Int) { nanoseconds.reserveCapacity(capacity) }

    mutating func add(nanoseconds count: Int64) { nanoseconds.append(count) }

    mutating func add(_ duration: Duration) { nanoseconds.append(duration.saturatedNanoseconds) }

    var summary: LatencySummary { LatencySummary(nanoseconds: nanoseconds) }

    /// Samples that took longer than a limit.
    func misses(of deadline: Duration) -> Int {
        let limit = deadline.saturatedNanoseconds
        return nanoseconds.count { $0 > limit }
    }
}
